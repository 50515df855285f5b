"""`referee map` with files that nobody has checked yet."""

from __future__ import annotations

import os

import pytest

from referee.files import assets

pytestmark = pytest.mark.machine

DUEL = assets.folder("maps") / "snakecore" / "duel.toml"
NEST = assets.folder("maps") / "egghunt" / "nest.toml"


def test_a_map_is_a_name_or_a_file_with_any_suffix_and_line_ends(referee):
    (referee.folder / "mine").write_bytes(b"\xef\xbb\xbf" + DUEL.read_bytes().replace(b"\n", b"\r\n"))
    ran = referee("map", "check", "duel", "./mine", DUEL)
    assert (ran.code, ran.out, ran.err) == (0, f"duel: ok\n./mine: ok\n{DUEL}: ok\n", "")


def test_each_unreadable_map_is_reported_once_and_the_others_are_checked(referee):
    os.mkfifo(referee.folder / "pipe.toml")
    (referee.folder / "long.toml").write_text("a = 0x" + "f" * 5000)
    (referee.folder / "odd.toml").write_text('name = "x"\nname = "y"\nsize = 3\n')
    (referee.folder / "part.toml").write_text('name = "x"\n')
    names = ["/dev/zero", "./", "pipe.toml", "long.toml", "odd.toml", "part.toml", "absent.toml", "nowhere", "duel"]
    ran = referee("map", "check", *names)
    assert (ran.code, ran.out) == (1, "duel: ok\n")
    lines = ran.err.splitlines()
    assert lines[:5] == [
        "/dev/zero: neither a file nor a pipe",
        ".: a folder, where a file is expected",
        "pipe.toml: name: missing (and 3 more)",
        "long.toml: not TOML: a number of thousands of digits",
        "odd.toml, line 2, column 11: not TOML: Cannot overwrite a value",
    ]
    assert lines[5].startswith("part.toml: description: missing")
    assert lines[6] == "absent.toml: No such file or directory"
    assert lines[7].startswith("no map is called 'nowhere'; there ")
    assert len(lines) == 8
