"""Bodies are capped and read strictly, and each refusal says what, why, and what to do, in one line."""

from collections.abc import AsyncGenerator

import pytest
import trio
from web.sites import OWN, Site, ask

from referee.web.answers import UPLOAD_TIME, answer
from referee.web.refusals import STATUS

JSON = {**OWN, "content-type": "application/json"}


async def test_a_document_is_read() -> None:
    site = Site()
    reply = await ask(site, "POST", "/things", body=b'{"name": "\xc3\xa9", "size": 3}', headers=JSON)
    assert (reply.status, reply.headers["content-type"]) == (201, "application/json")
    assert [(thing.name, thing.size) for thing in site.things] == [("é", 3)]


@pytest.mark.parametrize(("body", "says"), [
    (b"", "Expecting value"),
    (b"{}", "name: missing"),
    (b'{"name": "x", "other": 1}', "other"),
    (b'{"name": "x", "size": 1.0}', "size"),
    (b'{"name": "x", "name": "y"}', "twice"),
    (b"\xff", "UTF-8"),
])  # fmt: skip
async def test_hostile_documents_are_refused(body: bytes, says: str) -> None:
    site = Site()
    reply = await ask(site, "POST", "/things", body=body, headers=JSON)
    assert (reply.status, reply.code, site.things) == (400, "bad_request", [])
    assert says in reply.json["error"]["message"]


@pytest.mark.parametrize("kind", ["", "text/plain", "application/x-www-form-urlencoded", "multipart/form-data"])
async def test_what_a_form_of_a_stranger_could_send_is_refused(kind: str) -> None:
    reply = await ask(Site(), "POST", "/things", body=b'{"name": "x"}', headers={**OWN, "content-type": kind})
    assert (reply.status, reply.code) == (415, "unsupported")


@pytest.mark.parametrize("length", ["1073741824", "9" * 5000, "-1", "x", "１"])
async def test_a_body_that_is_too_large_by_its_length_is_not_read(length: str) -> None:
    async def never() -> AsyncGenerator[bytes, None]:
        raise AssertionError
        yield b""

    reply = await ask(Site(), "POST", "/things", body=never(), headers={**JSON, "content-length": length})
    assert (reply.status, reply.code, reply.headers["connection"]) == (413, "too_large", "close")


async def test_a_body_without_a_length_is_not_read_beyond_its_cap() -> None:
    read = 0

    async def endless() -> AsyncGenerator[bytes, None]:
        nonlocal read
        while True:
            read += 40
            yield b" " * 40

    reply = await ask(Site(), "POST", "/things", body=endless(), headers=JSON)
    assert (reply.status, read) == (413, 120)


async def test_a_body_that_drips_is_refused(autojump_clock: trio.testing.MockClock) -> None:
    async def dripping() -> AsyncGenerator[bytes, None]:
        while True:
            await trio.sleep(UPLOAD_TIME / 8)
            yield b" "

    reply = await ask(Site(), "POST", "/things", body=dripping(), headers=JSON)
    assert (reply.status, reply.code) == (408, "bad_request")


@pytest.mark.parametrize(("method", "path", "status", "error"), [
    ("GET", "/nothing", 404, {"code": "not_found", "message": "there is nothing at this address"}),
    ("DELETE", "/things", 405, {"code": "bad_request", "message": "this address does not take this method"}),
    ("GET", "/program", 422,
     {"code": "unprocessable", "message": "x.viper, line 3, column 7: no�end", "line": 3, "column": 7}),
    ("GET", "/usage", 422, {"code": "unprocessable", "message": "there is no map �[31mred"}),
    ("GET", "/lost", 422, {"code": "unprocessable", "message": "x.jsonl: No such file or directory"}),
])  # fmt: skip
async def test_errors_have_a_code_and_one_line(method: str, path: str, status: int, error: dict[str, object]) -> None:
    reply = await ask(Site(), method, path)
    assert (reply.status, reply.json) == (status, {"error": error})
    assert error["code"] in STATUS


def test_half_a_character_of_a_file_name_does_not_break_an_answer() -> None:
    assert answer({"name": "x\udcff"}).body == b'{"name":"x?"}'
