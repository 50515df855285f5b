"""Files that users name: claims to write."""

import errno
import fcntl
import os
import socket
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from raising import raising

from referee.errors import UsageError
from referee.files import claims as module
from referee.files.claims import Claim, set_aside, write_whole


def refusal(of: Callable[[Path], object], path: Path) -> str:
    with pytest.raises(UsageError) as caught:
        of(path)
    text = str(caught.value)
    assert text.isprintable()
    assert str(path) in text
    return text.replace(str(path), "FILE")


def listing(folder: Path) -> dict[str, str]:
    """The contents of a folder's files; a link is shown as `-> TARGET`."""
    return {
        path.name: f"-> {os.readlink(path)}" if path.is_symlink() else path.read_text() for path in folder.iterdir()
    }


def publish(path: Path, text: str) -> Claim:
    claim = Claim(path)
    os.write(claim.fd, text.encode())
    claim.publish()
    return claim


def test_a_whole_file_is_not_written_through_a_link_in_place_of_its_part(tmp_path: Path) -> None:
    """A stranger's folder may hold it. The link that is named stays one."""
    (tmp_path / "precious").write_text("mine")
    (tmp_path / ".real.part").symlink_to("precious")
    (tmp_path / "link").symlink_to("real")
    write_whole(tmp_path / "link", "new")
    assert listing(tmp_path) == {"precious": "mine", "real": "new", "link": "-> real"}


def without_locks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fcntl, "flock", raising(OSError(errno.ENOLCK, os.strerror(errno.ENOLCK))))


def test_a_claimed_file_gets_its_name_when_it_is_published(tmp_path: Path) -> None:
    claim = Claim(tmp_path / "a")
    os.write(claim.fd, b"new")
    assert listing(tmp_path) == {"a.part": "new"}
    claim.publish()
    claim.close()
    assert listing(tmp_path) == {"a": "new"}


def test_an_existing_file_stays_until_then_and_is_renamed(tmp_path: Path) -> None:
    for text in ("1", "2"):
        publish(tmp_path / "a", text)
    claim = Claim(tmp_path / "a")
    os.write(claim.fd, b"3")
    assert listing(tmp_path) == {"a": "2", "a.1": "1", "a.part": "3"}
    claim.publish()
    assert listing(tmp_path) == {"a": "3", "a.1": "1", "a.2": "2"}
    assert claim.moved == [(tmp_path / "a", tmp_path / "a.2")]


@pytest.mark.parametrize(
    ("name", "first"),
    [
        ("a", "a.1"),
        ("game.jsonl", "game.1.jsonl"),
        ("game.jsonl.gz", "game.1.jsonl.gz"),
        ("game.jsonl.gz.part", "game.1.jsonl.gz.part"),
        ("v1.2", "v1.2.1"),
        ("my.bot.html", "my.bot.1.html"),
        (".hidden", ".hidden.1"),
        ("bücher.toml", "bücher.1.toml"),
    ],
)
def test_a_renamed_file_keeps_its_suffix(tmp_path: Path, name: str, first: str) -> None:
    (tmp_path / name).touch()
    assert set_aside(tmp_path / name) == tmp_path / first


def test_the_highest_number_is_the_newest(tmp_path: Path) -> None:
    for name in ("a.7.html", "a.x.html", "a.9.jsonl", "a.html"):
        (tmp_path / name).touch()
    assert set_aside(tmp_path / "a.html") == tmp_path / "a.8.html"


@pytest.mark.parametrize("lockless", [False, True])
def test_an_abandoned_claim_leaves_its_file_unless_it_is_empty(tmp_path, lockless, monkeypatch):
    if lockless:
        without_locks(monkeypatch)
    claim = Claim(tmp_path / "a")
    claim.close()
    claim.close()
    assert listing(tmp_path) == {}
    claim = Claim(tmp_path / "a")
    os.write(claim.fd, b"half")
    claim.close()
    assert listing(tmp_path) == {"a.part": "half"}


def test_a_leftover_file_is_renamed_unless_it_is_empty(tmp_path: Path) -> None:
    (tmp_path / "a.part").write_text("half")
    (tmp_path / "a.1.part").symlink_to("nowhere")
    assert publish(tmp_path / "a", "new").moved == [(tmp_path / "a.part", tmp_path / "a.2.part")]
    assert listing(tmp_path) == {"a": "new", "a.1.part": "-> nowhere", "a.2.part": "half"}
    (tmp_path / "b.part").touch()
    assert publish(tmp_path / "b", "new").moved == []


def test_one_file_has_one_writer(tmp_path: Path) -> None:
    claim = Claim(tmp_path / "a")
    assert refusal(Claim, tmp_path / "a") == "another match is being saved as FILE right now: choose another name"
    os.write(claim.fd, b"half")
    assert "another match" in refusal(Claim, tmp_path / "a")
    claim.publish()
    publish(tmp_path / "a", "next")


def test_a_new_file_that_another_process_locks_first_belongs_to_that_process(tmp_path, monkeypatch):
    locked = module._locked
    others = []

    def interrupted(descriptor: int) -> bool | None:
        monkeypatch.setattr(module, "_locked", locked)
        others.append(Claim(tmp_path / "a"))
        return locked(descriptor)

    monkeypatch.setattr(module, "_locked", interrupted)
    assert "another match" in refusal(Claim, tmp_path / "a")
    (other,) = others
    os.write(other.fd, b"other")
    other.publish()
    assert listing(tmp_path) == {"a": "other"}


def together(start: threading.Barrier, path: Path) -> Claim | str:
    """Claim a file when all others do, too; returns the message of a refusal."""
    start.wait()
    try:
        return Claim(path)
    except UsageError as wrong:
        return str(wrong)


@pytest.mark.parametrize("leftover", [None, "", "half"])
def test_one_of_several_concurrent_claims_succeeds(tmp_path: Path, leftover: str | None) -> None:
    with ThreadPoolExecutor(4) as pool:
        for number in range(50):
            folder = tmp_path / f"{number}"
            folder.mkdir()
            if leftover is not None:
                (folder / "a.part").write_text(leftover)
            claims = list(pool.map(together, [threading.Barrier(4)] * 4, [folder / "a"] * 4))
            (claim,) = (claim for claim in claims if isinstance(claim, Claim))
            claims.remove(claim)
            assert claims == [f"another match is being saved as {folder / 'a'} right now: choose another name"] * 3
            os.write(claim.fd, b"new")
            claim.publish()
            assert listing(folder) == {"a": "new", **({"a.1.part": "half"} if leftover else {})}


def link(path: Path) -> None:
    path.with_name("target").write_text("precious")
    path.symlink_to("target")


def dangling(path: Path) -> None:
    path.symlink_to("nowhere")


def listening(path: Path) -> None:
    with socket.socket(socket.AF_UNIX) as unix:
        unix.bind(str(path))


ODD: list[Callable[[Path], None]] = [link, dangling, Path.mkdir, os.mkfifo, listening]


def test_a_strangers_link_in_place_of_the_part_is_refused(tmp_path: Path) -> None:
    link(tmp_path / "a.part")
    assert "FILE cannot be written" in refusal(Claim, tmp_path / "a")
    assert listing(tmp_path) == {"a.part": "-> target", "target": "precious"}


@pytest.mark.parametrize("make", [*ODD, lambda path: path.write_text("precious")])
def test_the_second_file_of_a_claim_is_always_new(tmp_path: Path, make: Callable[[Path], None]) -> None:
    claim = Claim(tmp_path / "a")
    make(tmp_path / "b")
    before = os.lstat(tmp_path / "b")
    with open(claim.create(tmp_path / "b"), "wb") as file:
        file.write(b"packed")
    assert claim.moved == [(tmp_path / "b", tmp_path / "b.1")]
    assert os.lstat(tmp_path / "b.1").st_ino == before.st_ino
    claim.publish(tmp_path / "b")
    assert (tmp_path / "a").read_text() == "packed"
    assert not (tmp_path / "a.part").exists()
    if (tmp_path / "target").exists():
        assert (tmp_path / "target").read_text() == "precious"


def test_a_file_that_replaced_the_claimed_one_is_not_published(tmp_path: Path) -> None:
    claim = Claim(tmp_path / "a")
    os.write(claim.fd, b"mine")
    set_aside(tmp_path / "a.part")
    (tmp_path / "a.part").write_text("theirs")
    with pytest.raises(OSError, match="somebody has moved or removed it") as failed:
        claim.publish()
    assert failed.value.filename == str(tmp_path / "a.part")
    claim.close()
    assert listing(tmp_path) == {"a.part": "theirs", "a.1.part": "mine"}


def test_without_locks_a_file_can_be_written_and_the_user_must_remove_leftovers(tmp_path, monkeypatch):
    without_locks(monkeypatch)
    claim = Claim(tmp_path / "a")
    with pytest.raises(UsageError, match=r"a\.part exists, and this file system cannot tell .*: remove it if none is"):
        Claim(tmp_path / "a")
    os.write(claim.fd, b"new")
    claim.publish()
    assert listing(tmp_path) == {"a": "new"}


def test_a_file_that_cannot_be_created_is_refused_at_once(tmp_path: Path) -> None:
    why = refusal(Claim, tmp_path / "no" / "a")
    assert why == "FILE cannot be written (No such file or directory): choose another name or folder"
    assert "File name too long" in refusal(Claim, tmp_path / ("a" * 252))
