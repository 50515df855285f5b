"""Uploads: what is accepted is in the inbox, what is refused leaves nothing, limits hold."""

import errno
import io
import struct
import threading
import zipfile
from typing import Any

import pytest
from arena.web.conftest import MakeLab
from arena.web.lab import Lab
from raising import raising
from starlette.responses import Response
from web.raw import Reply

from referee.arena.state import change_state, to_stage
from referee.arena.versions import Version
from referee.arena.web.api import uploads
from referee.bots.zips import zipped
from referee.tournament.database import DiskError

ZIP = zipped({"main.py": b"print(1)"})
ZIP64_OF_TWO_DISKS = b"PK\3\4" + struct.pack("<4sLQL4s18x", b"PK\6\7", 0, 0, 2, b"PK\5\6")


async def send(
    lab: Lab, body: Any, *, by: str | None = "ann", bot: str = "dragon", file: str = "main.py", **more: Any
) -> Reply:
    return await lab.ask("POST", f"/api/v1/bots/{bot}/versions?file={file}&note=new", by=by, body=body, **more)


def inbox(lab: Lab) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in lab.files.inbox.iterdir()}


def code(answer: Reply) -> tuple[int, str]:
    return answer.status, answer.code


async def test_an_upload_is_in_the_inbox_under_its_id(lab: Lab) -> None:
    answer = await send(lab, [b"print", b"(1)"])
    assert (answer.status, answer.json) == (202, {"id": 1, "state": "waiting", "url": "/versions/1"})
    assert inbox(lab) == {"1.py": b"print(1)"}
    assert (await send(lab, ZIP, file="bot.ZIP")).json["id"] == 2
    assert inbox(lab)["2.zip"] == ZIP
    version = (await lab.ask("GET", "/api/v1/versions/2", by="ann")).json
    assert (version["author"], version["bot"], version["number"], version["note"]) == ("ann", "dragon", 2, "new")


async def test_the_same_content_again_changes_nothing(lab: Lab) -> None:
    before = lab.site.events.last
    await send(lab, b"one")
    for state in ("waiting", "active"):
        lab.versions.put(Version(1, state))
        answer = await send(lab, b"one")
        assert (answer.status, answer.json["id"]) == (200, 1)
    assert lab.site.events.last == before + 1, "open pages hear of an upload once"
    assert (await send(lab, b"two")).status == 202
    assert (await send(lab, b"one")).json["id"] == 3, "an older content is a new version"
    assert (await lab.ask("DELETE", "/api/v1/bots/DRAGON", by="ann")).status == 204
    again = await send(lab, b"one")
    assert (again.status, again.json["state"]) == (202, "waiting"), "so is that of a bot that was withdrawn"
    lab.versions.put(Version(again.json["id"], "failed"))
    assert (await send(lab, b"one")).status == 202, "and that of a version that failed"
    assert len(inbox(lab)) == 5


async def test_an_author_gets_the_source_back_as_a_zip(lab: Lab) -> None:
    await send(lab, b"print(1)")
    await send(lab, ZIP, file="bot.zip")
    lab.files.sources.mkdir()
    (lab.files.inbox / "2.zip").rename(lab.files.sources / "2.zip")  # as intake does
    for number in (1, 2):
        source = await lab.ask("GET", f"/api/v1/versions/{number}/source", by="ann")
        assert source.headers["content-disposition"].startswith("attachment")
        with zipfile.ZipFile(io.BytesIO(source.body)) as packed:
            assert packed.read("main.py") == b"print(1)"
    (lab.files.inbox / "1.py").unlink()
    assert code(await lab.ask("GET", "/api/v1/versions/1/source", by="ann")) == (410, "not_found")


async def test_the_site_answers_others_while_a_source_is_packed(lab: Lab, monkeypatch: pytest.MonkeyPatch) -> None:
    """A source of 16 MiB takes a second."""
    packed_in, pack = list[threading.Thread](), uploads.zip_response

    def packing(files: dict[str, bytes], named: str) -> Response:
        packed_in.append(threading.current_thread())
        return pack(files, named)

    monkeypatch.setattr(uploads, "zip_response", packing)
    await send(lab, b"code")
    assert (await lab.ask("GET", "/api/v1/versions/1/source", by="ann")).status == 200
    [thread] = packed_in
    assert thread is not threading.current_thread()


@pytest.mark.parametrize(("file", "body", "refusal"), [
    ("", b"x", (415, "unsupported")),
    ("bot", b"\x7fELF", (415, "unsupported")),
    ("bot.sh", b"#!/bin/sh", (415, "unsupported")),
    ("bot.py", b"\x7fELF...", (422, "unprocessable")),
    ("bot.zip", b"PK\3\4 cut off", (415, "unsupported")),
    ("bot.zip", ZIP64_OF_TWO_DISKS, (415, "unsupported")),
    ("bot.py", b"", (422, "unprocessable")),
])  # fmt: skip
async def test_what_is_no_bot_is_refused(lab: Lab, file: str, body: bytes, refusal: tuple[int, str]) -> None:
    assert code(await send(lab, body, file=file)) == refusal
    assert inbox(lab) == {}


@pytest.mark.parametrize(("bot", "status"), [
    ("a%2Fb", 404),  # no address of a bot
    ("house", 409),
    ("human", 409),
    ("oracle", 409),
    ("..", 422),
    ("cmd:id", 422),
    ("%E2%80%AE", 422),
    ("x" * 33, 422),
    (".x", 422),
    ("-x", 422),
])  # fmt: skip
async def test_a_bot_cannot_have_every_name(lab: Lab, bot: str, status: int) -> None:
    assert (await send(lab, b"x", bot=bot)).status == status
    assert inbox(lab) == {}


@pytest.mark.parametrize("file", [
    "..\\..\\bot.py", "C:bot.py", "bot.py:x.py", "..%2F..%2Fetc%2Fpasswd.py", "%E2%80%AEx.py", "a%00b.py", f"{'x' * 300}.py",
])  # fmt: skip
async def test_the_name_of_a_file_leads_nowhere(lab: Lab, file: str) -> None:
    assert (await send(lab, b"x", file=file)).status == 202
    assert inbox(lab) == {"1.py": b"x"}
    stored = (await lab.ask("GET", "/api/v1/versions/1", by="ann")).json["file"]
    assert not set(stored) & {"/", "\\", ":"}, "a teacher may unpack it on Windows"
    assert len(stored) <= 200
    assert stored.isprintable()


async def test_a_body_that_is_too_large_is_not_read(make_lab: MakeLab) -> None:
    lab = make_lab("[limits]\nupload = 1\n", "ann")
    mib = 1 << 20
    assert code(await send(lab, b"x", headers={"content-length": str(mib + 1)})) == (413, "too_large")
    assert code(await send(lab, [b"x" * mib, b"x"], headers={"content-length": ""})) == (413, "too_large")
    assert inbox(lab) == {}
    assert (await send(lab, b"x" * mib)).status == 202


async def test_limits_of_a_user(make_lab: MakeLab) -> None:
    lab = make_lab("[limits]\nbots = 2\nuploads = 4\ndisk = 1\n", "ann", "bob")
    me = (await lab.ask("GET", "/api/v1/me", by="ann")).json
    assert me["quota"] == {"bots": 2, "uploads_left": 4, "bytes_left": 1 << 20}
    assert [(await send(lab, b"x", bot=bot)).status for bot in ("a", "b", "A")] == [202, 202, 200]
    assert code(await send(lab, b"x", bot="c")) == (409, "conflict")
    assert code(await send(lab, b"x" * (1 << 20), bot="a")) == (413, "too_large")
    assert [(await send(lab, body, bot="a")).status for body in (b"y", b"z")] == [202, 202]
    answer = await send(lab, b"w", bot="a")
    assert code(answer) == (429, "too_many")
    assert answer.json["error"]["message"].endswith("4 versions a day: wait 24 hours")
    assert answer.headers["retry-after"] == "86400"
    assert (await send(lab, b"z", bot="a")).status == 200, "the same again is answered, whatever the limits"
    assert (await send(lab, b"w", bot="a", by="bob")).status == 202
    lab.now += 86_400
    assert (await send(lab, b"w", bot="a")).status == 202
    assert sorted(inbox(lab)) == ["1.py", "2.py", "3.py", "4.py", "5.py", "6.py"]


@pytest.mark.parametrize("state", ["closed", "final"])
async def test_a_closed_arena_takes_no_bots(lab: Lab, state: Any) -> None:
    change_state(lab.files, to_stage(state))
    assert code(await send(lab, b"x")) == (403, "closed")
    assert 'id="closed"' in (await lab.ask("GET", "/")).text
    assert (await lab.ask("GET", "/api/v1/arena")).json["state"] == state


@pytest.mark.parametrize("change", ["closed", "disabled", "new key", "signed out", "deleted"])
async def test_a_body_that_comes_too_late_is_no_bot(lab: Lab, change: str) -> None:
    accounts = lab.site.accounts
    [ann] = accounts.users("name = 'ann'")
    first = await send(lab, b"x")
    cookie = await lab.session("ann")

    changes = {
        "closed": lambda: change_state(lab.files, to_stage("closed")),
        "disabled": lambda: accounts.change(ann, "root", disabled=True),
        "new key": lambda: accounts.new_key(ann, "root"),
        "signed out": lambda: accounts.sign_out(cookie.partition("=")[2]),
        "deleted": lambda: accounts.delete(ann, "root"),
    }
    ask = lab.app

    async def changing_at_the_end(scope: Any, receive: Any, send_: Any) -> None:
        async def received() -> Any:
            if not (message := await receive())["more_body"]:
                changes[change]()
            return message

        await ask(scope, received, send_)

    lab.app = changing_at_the_end  # type: ignore[assignment]
    refusal = (403, "closed") if change == "closed" else (401, "unauthorized")
    signed_in = {"by": None, "cookie": cookie} if change == "signed out" else {"by": "ann"}
    assert code(await send(lab, [b"y", b"z"], **signed_in)) == refusal
    assert inbox(lab) == {"1.py": b"x"}
    [upload] = accounts.uploads()
    assert (upload.id, upload.deleted) == (first.json["id"], change == "deleted")


@pytest.mark.parametrize("where", ["write", "rename"])
async def test_a_full_disk_loses_nothing(lab: Lab, monkeypatch: pytest.MonkeyPatch, where: str) -> None:
    await send(lab, b"one")
    owner, function = (uploads.os, "fsync") if where == "write" else (uploads, "_sync")
    monkeypatch.setattr(owner, function, raising(OSError(errno.ENOSPC, "No space left on device")))
    assert code(await send(lab, b"two")) == (507, "too_large")
    monkeypatch.undo()
    assert inbox(lab) == {"1.py": b"one"}
    assert (await send(lab, b"two")).json["id"] == 2


async def test_an_upload_is_accepted_though_its_draft_cannot_be_removed(
    lab: Lab, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lab.site.drafts, "remove_submitted", raising(DiskError("drafts.sqlite cannot be written")))
    assert (await send(lab, b"one")).status == 202
    assert inbox(lab) == {"1.py": b"one"}


async def test_a_site_that_was_killed_leaves_no_part_of_an_upload(lab: Lab) -> None:
    part = lab.files.inbox / ".upload-x"
    part.write_bytes(b"half")
    uploads.Inbox(lab.site)
    assert not part.exists()
    (lab.files.inbox / "1.py").write_bytes(b"its row was not committed")
    assert (await send(lab, b"one")).json["id"] == 1
    assert inbox(lab) == {"1.py": b"one"}
