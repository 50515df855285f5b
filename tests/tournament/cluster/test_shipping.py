"""Copies of bots that travel to a worker."""

import os
from pathlib import Path

import pytest

from referee.tournament.copies import pack, unpack
from referee.tournament.model import ENTRANTS


def copy_in(folder: Path) -> Path:
    """A copy of a bot: a program, a file in a folder that others may not read, an empty folder."""
    home = folder / ENTRANTS / "c0ffee"
    (home / "files" / "data" / "none").mkdir(parents=True)
    (home / "entrant.json").write_text("{}")
    (home / "files" / "program").write_bytes(b"\x7fELF\0")
    (home / "files" / "program").chmod(0o755)
    (home / "files" / "data" / "weights").write_bytes(bytes(range(256)))
    (home / "files" / "data" / "weights").chmod(0o600)
    return home


def listed(home: Path) -> dict[str, tuple[int, bytes | None]]:
    return {
        str(path.relative_to(home)): (path.stat().st_mode, None if path.is_dir() else path.read_bytes())
        for path in home.rglob("*")
    }


def test_a_copy_arrives_as_it_was(tmp_path: Path) -> None:
    here, there = tmp_path / "here", tmp_path / "there"
    home = copy_in(here)
    there.mkdir()
    unpack(there, "c0ffee", pack(here, "c0ffee"))
    assert listed(there / ENTRANTS / "c0ffee") == listed(home)
    assert os.listdir(there / ENTRANTS) == ["c0ffee"]


def test_a_copy_that_is_there_stays(tmp_path: Path) -> None:
    here = tmp_path / "here"
    home = copy_in(here)
    files = pack(here, "c0ffee")
    (home / "entrant.json").write_text("changed")
    unpack(here, "c0ffee", files)
    assert (home / "entrant.json").read_text() == "changed"


def test_a_copy_that_fails_halfway_is_not_there(tmp_path: Path) -> None:
    copy_in(tmp_path / "here")
    files = [*pack(tmp_path / "here", "c0ffee"), ("nowhere/file", 0o644, b"")]
    with pytest.raises(FileNotFoundError):
        unpack(tmp_path, "c0ffee", files)
    assert os.listdir(tmp_path / ENTRANTS) == []
