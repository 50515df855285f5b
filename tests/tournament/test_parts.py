"""Shards: played by processes of their own, killed, resumed, and merged in any order."""

import errno
import json
import os
import re
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing
from importlib.resources import files
from itertools import chain, permutations
from pathlib import Path
from typing import Any

import pytest
from tournament.conftest import SETTINGS, Cup, drawn_up, gated, match_rows, progress, table

from referee.tournament import saved_games
from referee.tournament.answers import void_row
from referee.tournament.ledger import Ledger
from referee.tournament.running import RunningTournament

pytestmark = pytest.mark.machine

PAGE = (files("referee") / "docs" / "tournaments.md").read_text(encoding="utf-8")
Parts = tuple[Cup, list[Path]]
PROGRAMS = {
    "referee": f'exec {sys.executable} -m referee "$@"',
    "sbatch": """for last; do :; done
        count=$(sed -n 's/.*--array=1-\\([0-9]*\\).*/\\1/p' "$last")
        for task in $(seq "$count"); do SLURM_ARRAY_TASK_ID=$task SLURM_ARRAY_TASK_COUNT=$count sh "$last" & done
        wait""",
    "parallel": """line=; while [ "$1" != ::: ]; do line="$line $1"; shift; done; shift
        for word; do sh -c "$(echo "$line" | sed "s/{}/$word/g")" & done
        wait""",
    "ssh": 'shift; cd laptop; exec "$@"',
    "scp": "exec cp $(printf '%s\\n' \"$@\" | sed s:laptop.:laptop/:)",
}
"""The programs of the examples: what each of them does with the shards, on this machine."""


def shards(cup: Cup, total: int = 3, *, name: str = "part") -> list[Path]:
    """Play all shards. Returns the parts."""
    parts = [cup.folder.parent / f"{name}-{number}.sqlite" for number in range(1, total + 1)]
    for number, part in enumerate(parts, start=1):
        cup.ok("run", cup.folder, f"--shard={number}/{total}", "-o", part, "-q")
    return parts


@pytest.fixture(scope="session")
def parts(tmp_path_factory: pytest.TempPathFactory) -> tuple[Cup, list[Path]]:
    """The same tournament, and its three shards, which are played. Tests only read them."""
    cup = drawn_up(tmp_path_factory.mktemp("parts"))
    return cup, shards(cup)


@pytest.mark.usefixtures("instant")
@pytest.mark.parametrize("format_", ["each = 5", 'kind = "gauntlet"\nchampions = ["boa"]'])
def test_parts_merged_in_any_order_and_twice_are_the_undisturbed_tournament(cup: Cup, format_: str) -> None:
    cup.says(f"{SETTINGS}[format]\n{format_}\n")
    whole = Cup(cup.folder.parent / "whole", cup.environ)
    shutil.copytree(cup.folder, whole.folder)
    whole.ok("run", whole.folder, "-q")
    parts = shards(cup)
    assert sorted(path.name for path in cup.folder.iterdir()) == ["bots", "tournament.toml"]
    for number, order in enumerate(permutations(parts)):
        merged = Cup(cup.folder.parent / f"merged-{number}", cup.environ)
        merged.folder.mkdir()
        shutil.copy(cup.folder / "tournament.toml", merged.folder)
        with RunningTournament(merged.folder) as tournament:
            new = [new for _, new in tournament.merge([*order, *order])]
            assert all(new[:3])
            assert not any(new[3:])
    assert (match_rows(merged), table(merged)) == (match_rows(whole), table(whole))
    rows = [match_rows(Cup(cup.folder.parent / f"merged-{number}", cup.environ)) for number in range(6)]
    assert rows == [rows[0]] * 6
    shutil.copytree(cup.folder / "bots", merged.folder / "bots")
    again = merged("run", merged.folder)
    assert (again.code, again.err.count("Finished game")) == (0, 0)


def test_a_merge_says_which_matches_are_missing(cup: Cup, parts: Parts, undisturbed: tuple[Any, Any]) -> None:
    _, (one, two, three) = parts
    assert cup.json("merge", cup.folder, three, err="") == {
        "parts": [{"part": str(three), "shard": "3/3", "new": 4}],
        "matches": {"scheduled": 12, "played": 4, "void": 0},
        "missing": {"1/3": 4, "2/3": 4},
        "over": False,
    }
    ran = cup("merge", cup.folder, one, three)
    assert ran.out.splitlines() == ["8 of 12 matches played", "missing: 4 matches of shard 2/3"]
    assert f"{one}: shard 1/3, 4 new matches\n{three}: shard 3/3, 0 new matches\n" in ran.err
    ran = cup("merge", cup.folder, two, "-q")
    assert (ran.out, ran.err) == ("12 of 12 matches played\n", "")
    assert (match_rows(cup), table(cup)) == undisturbed
    assert cup("check", cup.folder, "--games").out == "12 saved games, all of them right\n"


def test_a_shard_that_was_killed_goes_on_with_the_same_command(cup: Cup, undisturbed: tuple[Any, Any]) -> None:
    part = cup.folder.parent / "part-1.sqlite"
    words = ("run", cup.folder, "--shard=1/2", "-o", part, "--jobs=1")
    with gated(cup, 2), cup.start(*words) as process:
        ended = progress(process)
        assert [next(ended), next(ended)] == [1, 2]
        process.kill()
    ran = cup("merge", cup.folder, part)
    assert re.search(r"^missing: [1-4] matches of shard 1/2\nmissing: 6 matches of shard 2/2$", ran.out, re.MULTILINE)
    assert f"{part} is of shard 1/2: choose another file" in cup.refused("run", cup.folder, "--shard=2/2", "-o", part)
    ran = cup(*words, "--for=1ms")
    assert f"to go on: referee tournament run {cup.folder} --shard=1/2 -o {part}" in ran.err
    assert "Finished game 6 of 6" in cup.ok(*words).err
    cup.ok("run", cup.folder, "--shard=2/2", "-o", cup.folder.parent / "part-2.sqlite", "-q")
    cup.ok("merge", cup.folder, part, cup.folder.parent / "part-2.sqlite")
    assert (match_rows(cup), table(cup)) == undisturbed


@pytest.mark.usefixtures("instant")
def test_shards_of_a_tournament_that_has_begun_play_the_rest(cup: Cup) -> None:
    cup.ok("run", cup.folder, "--only=boa", "-q")
    ran = cup("merge", cup.folder, *shards(cup, 2), "--json")
    assert sum(part["new"] for part in json.loads(ran.out)["parts"]) == 6
    assert (len(match_rows(cup)), table(cup)["over"]) == (12, True)


@pytest.mark.usefixtures("instant")
def test_a_part_with_a_late_bot_is_merged_after_the_parts_before_it(cup: Cup, tmp_path: Path) -> None:
    before = shards(cup, 1)
    cup.ok("merge", cup.folder, *before)
    cup.bot("late", "U")
    late = shards(cup, 1, name="late")
    fresh = before_the_first_match(cup, tmp_path / "fresh")
    assert "merge the parts from before it first" in fresh.refused("merge", fresh.folder, *late)
    fresh.ok("merge", fresh.folder, *before, *late)
    assert len(match_rows(fresh)) == 20


@pytest.mark.usefixtures("instant")
def test_failed_tries_come_along_once(cup: Cup) -> None:
    part = cup.folder.parent / "part.sqlite"
    cup.ok("run", cup.folder, "--shard=1/3", "-o", part, "--for=1ms", "-q")
    cup.ok("merge", cup.folder, part)
    when = {"started": "2026-01-01T00:00:00Z", "machine": "m"}
    with Ledger(cup.folder, writes=True, part=part) as ledger:
        void, failing, *_ = ledger.unplayed()
        for match, tries in ((void, 3), (failing, 1)):
            for number in range(tries):
                ledger.fail(match.number, match.seating, f"try {number}", **when)
        seats = [ledger.entrants()[number] for number in void.series.seatings[void.seating]]
        ledger.record(void.number, void.seating, void_row(seats, **when))
    with Ledger(cup.folder, writes=True) as ledger:
        ledger.fail(void.number, void.seating, "own try", **when)
    for _ in range(2):
        cup.ok("merge", cup.folder, part, part)
    status = cup.json("status", cup.folder)
    assert status["matches"] == {"scheduled": 12, "played": 1, "void": 1}
    assert [failure["why"] for failure in status["failures"]] == ["own try", "try 0", "try 1"]
    assert [failure["names"] for failure in status["failures"]] == [[seat.name for seat in seats]] * 3
    cup.ok("run", cup.folder, "--shard=2/3", "-o", part.with_name("other.sqlite"), "--for=1ms", "-q")


@pytest.mark.usefixtures("instant")
@pytest.mark.parametrize(("old", "new", "key"), [
    ("rng_seed = 7", "rng_seed = 8", "rng_seed"),
    ("rounds = 3", "rounds = 4", "match.rounds"),
    ("[match]", "[format]\neach = 2\n[match]", "format.each"),
])  # fmt: skip
def test_a_part_with_other_settings_is_refused(cup: Cup, parts: Parts, old: str, new: str, key: str) -> None:
    _, (part, *_) = parts
    cup.says(SETTINGS.replace(old, new))
    ran = cup("merge", cup.folder, part)
    message = f"{part} was played with another {key} than {cup.folder / 'tournament.toml'} says: play it again"
    assert (ran.code, len(ran.err.splitlines()), message in ran.err) == (2, 1, True)
    cup.ok("run", cup.folder, "--for=1ms", "-q")
    cup.says(SETTINGS)
    assert f"another {key} than {cup.folder / 'ledger.sqlite'} says" in cup.refused("merge", cup.folder, part)


@pytest.mark.usefixtures("instant")
def test_a_part_with_another_bot_is_refused(cup: Cup, parts: Parts) -> None:
    _, (one, two, _) = parts
    cup.bot("boa", "U")
    other = cup.folder.parent / "other.sqlite"
    cup.ok("run", cup.folder, "--shard=2/3", "-o", other, "-q")
    cup.ok("merge", cup.folder, one)
    ran = cup("merge", cup.folder, other)
    assert (ran.code, len(ran.err.splitlines())) == (2, 1)
    assert f"{other}: its bot boa is not that of {cup.folder / 'ledger.sqlite'}: shards need the same bots" in ran.err
    ran = cup("merge", cup.folder, two)
    assert "missing: 4 matches of shard 3/3" in ran.out
    late = cup.folder.parent / "late.sqlite"
    ran = cup("run", cup.folder, "--shard=3/3", "-o", late)
    assert (ran.code, f"{late}: boa has changed since the schedule was made: change it back" in ran.err) == (2, True)
    assert cup("run", cup.folder, "-q").code == 0  # boa enters again, as number 4
    cup.ok("merge", cup.folder, one, two)
    assert sorted(row["number"] for row in table(cup)["table"]) == [0, 2, 3, 4]


@pytest.mark.usefixtures("instant")
def test_a_shard_waits_for_bots_that_cannot_be_built(cup: Cup) -> None:
    wrong = cup.folder / "bots" / "apophis.c"
    wrong.write_text("int main(void) { return serpent; }\n")
    words = ("run", cup.folder, "--shard=1/1", "-o", cup.folder.parent / "part.sqlite")
    assert "apophis cannot play, and a shard needs all bots" in cup(*words, code=4).err
    wrong.unlink()
    cup.bot("apophis", "U")
    cup.ok(*words)
    cup.ok("merge", cup.folder, cup.folder.parent / "part.sqlite")
    numbers = {row["name"]: row["number"] for row in table(cup)["table"]}
    assert numbers == {"apophis": 0, "asp": 1, "boa": 2, "cobra": 3, "dipsas": 4}


@pytest.mark.usefixtures("instant")
def test_saved_games_come_from_the_folder_beside_the_part(cup: Cup, parts: Parts, tmp_path: Path) -> None:
    _, (one, two, _) = parts
    alone = copies(two, tmp_path / "alone")
    shutil.rmtree(alone.with_name("part.sqlite.files"))
    assert "part.sqlite.files must be beside the part" in cup.refused("merge", cup.folder, one, alone)
    assert len(match_rows(cup)) == 4
    cup.says(SETTINGS + 'keep = "none"\n')
    alone.unlink()
    cup.ok("run", cup.folder, "--shard=2/3", "-o", alone, "-q")
    shutil.rmtree(alone.with_name("part.sqlite.files"))
    cup.ok("merge", cup.folder, alone)
    assert len(match_rows(cup)) == 8


@pytest.mark.usefixtures("instant")
def test_shards_of_a_comparison_play_to_most_and_find_the_same_verdict(cup: Cup, tmp_path: Path) -> None:
    bots = [str(cup.folder / "bots" / f"{name}.py") for name in ("asp", "boa")]

    def compare(folder: Path) -> str:
        usual = ["--map=duel", "--rounds=3", "--isolation=none", "--seed=3", "--most=30", "-q", "-o", str(folder)]
        return cup.referee("compare", *bots, *usual).out

    verdict = compare(tmp_path / "one" / "cup")
    assert "yes: asp is better than boa" in verdict
    shared = Cup(tmp_path / "two" / "cup", cup.environ)
    shared.folder.mkdir(parents=True)
    shutil.copy(tmp_path / "one" / "cup" / "tournament.toml", shared.folder)
    assert shared("merge", shared.folder, *shards(shared, 2)).out == "60 of 60 matches played\n"
    assert compare(shared.folder) == verdict


@pytest.mark.parametrize(("settings", "words", "message"), [
    (SETTINGS, ["run", "--shard=1/3"], "--shard 1/3 -o part-1.sqlite"),
    (SETTINGS, ["run", "-o", "part.sqlite"], "--shard 1/3 -o part-1.sqlite"),
    (SETTINGS, ["run", "--shard=0/3", "-o", "part.sqlite"], "--shard 1/3 -o part-1.sqlite"),
    (SETTINGS, ["run", "--shard=4/3", "-o", "part.sqlite"], "--shard 1/3 -o part-1.sqlite"),
    (SETTINGS, ["run", "--shard=a/b", "-o", "part.sqlite"], "--shard 1/3 -o part-1.sqlite"),
    (SETTINGS, ["run", "--shard=1/3", "-o", "cup/bots/boa.py/part"], "cannot be made (Not a directory)"),
    (SETTINGS, ["run", "--shard=1/3", "-o", "cup/bots/boa.py"], "cannot be used as a ledger"),
    (SETTINGS.replace("rng_seed = 7", ""), ["run", "--shard=1/3", "-o", "part.sqlite"], "run.rng_seed: missing"),
    (SETTINGS, ["merge", "nowhere.sqlite"], "there is no part nowhere.sqlite"),
    (SETTINGS, ["merge", "cup/bots/boa.py"], "cannot be used as a ledger"),
])  # fmt: skip
def test_mistakes_of_users(
    cup: Cup, monkeypatch: pytest.MonkeyPatch, settings: str, words: list[str], message: str
) -> None:
    cup.says(settings)
    monkeypatch.chdir(cup.folder.parent)
    assert message in cup.refused(words[0], "cup", *words[1:])


@pytest.mark.parametrize("kind", ["swiss", "knockout", "develobear", "ladder"])
def test_tours_that_depend_on_results_have_no_shards(cup: Cup, monkeypatch: pytest.MonkeyPatch, kind: str) -> None:
    cup.says(f'{SETTINGS}[format]\nkind = "{kind}"\n')
    monkeypatch.chdir(cup.folder.parent)
    refused = cup.refused("run", "cup", "--shard=1/3", "-o", "part.sqlite")
    assert f"format.kind: the tours of a {kind} depend on results" in refused


def test_the_ledger_of_a_tournament_is_no_part(over: Cup) -> None:
    ledger = over.folder / "ledger.sqlite"
    for words in (("run", over.folder, "--shard=1/3", "-o", ledger), ("merge", over.folder, ledger)):
        assert f"{ledger} is no part" in over.refused(*words)


@pytest.mark.parametrize("heading", ["Slurm", "GNU parallel", "Two laptops"])
def test_the_examples_of_the_manual_play_the_whole_tournament(cup: Cup, tmp_path: Path, heading: str) -> None:
    """The commands of laptops run one after another, because files are copied between them; others are listed, and run here."""
    cup.only("asp", "boa")
    (tmp_path / "laptop").mkdir()
    listed = {} if heading == "Two laptops" else {"referee": f'echo "$@" >>{tmp_path}/commands'}
    for name, text in {**PROGRAMS, **listed}.items():
        program = tmp_path / "programs" / name
        program.parent.mkdir(exist_ok=True)
        program.write_text(f"#!/bin/sh\nset -eu\n{text}\n")
        program.chmod(0o755)
    section = PAGE.partition(f"\n{heading}")[2]
    blocks = re.findall(r"^```(\w+)\n(.*?)^```$", section, re.MULTILINE | re.DOTALL)
    if heading == "Slurm":
        (tmp_path / "cup.slurm").write_text(blocks.pop(0)[1])
    kind, script = blocks[0]
    assert kind == "bash"
    environ = {**cup.environ, "PATH": f"{tmp_path / 'programs'}{os.pathsep}{os.environ['PATH']}"}
    done = subprocess.run(["bash", "-euc", script], cwd=tmp_path, env=environ, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    output = done.stdout
    for line in (tmp_path / "commands").read_text().splitlines() if listed else ():
        words = [sorted(map(str, tmp_path.glob(word))) if "*" in word else [word] for word in line.split()]
        ran = cup.referee(*chain.from_iterable(words))
        assert ran.code == 0, ran.err
        output = ran.out
    assert output.splitlines()[-1] == "2 of 2 matches played"
    assert cup("check", cup.folder, "--games").out == "2 saved games, all of them right\n"


def copies(part: Path, target: Path) -> Path:
    """A part and its folder, copied to another place as `part.sqlite`."""
    target.mkdir()
    shutil.copytree(part.with_name(f"{part.name}.files"), target / "part.sqlite.files", symlinks=True)
    return Path(shutil.copy(part, target / "part.sqlite"))


@pytest.fixture
def stranger(parts: Parts, tmp_path: Path) -> tuple[Cup, Path]:
    """The tournament before its first match, and a part that a stranger sends: `tmp_path / "given/part.sqlite"`."""
    cup, (part, *_) = parts
    return before_the_first_match(cup, tmp_path / "cup"), copies(part, tmp_path / "given")


def before_the_first_match(cup: Cup, folder: Path) -> Cup:
    """The same tournament in another folder."""
    folder.mkdir()
    shutil.copy(cup.folder / "tournament.toml", folder)
    return Cup(folder, cup.environ)


FIRST = "WHERE series = 1 AND seating = 0"
"""A match of shard 1/3."""
DAMAGED = {
    "no JSON": f"UPDATE matches SET seats = 'x' {FIRST}",
    "points without end": f"UPDATE matches SET seats = json_set(seats, '$[0][3]', json('1e999')) {FIRST}",
    "a player that is none": f"UPDATE matches SET seats = json_set(seats, '$[0][0]', 99) {FIRST}",
    "others in the seats": f"UPDATE matches SET seats = (SELECT seats FROM matches WHERE series = 4 LIMIT 1) {FIRST}",
    "another content": "UPDATE players SET entrant = 'x'",
    "a file somewhere else": f"UPDATE matches SET saved = '../tournament.toml' {FIRST}",
    "another hash": f"UPDATE matches SET sha256 = '{'0' * 64}' {FIRST}",
    "a fault of no match": "INSERT INTO faults VALUES (99, 0, 0, 'exit', '', 1, 1, '', 1, '[]')",
    "a match of no series": f"UPDATE matches SET series = 99 {FIRST}",
    "a match of no seating": f"UPDATE matches SET seating = 99 {FIRST}",
    "another schedule": "UPDATE series SET seatings = '[[0, 3], [3, 0]]' WHERE number = 1",
    "another map": "UPDATE series SET map = 'arena', key = replace(key, 'duel', 'arena') WHERE number = 1",
    "another tour": "UPDATE tours SET byes = '[0]'",
    "one more tour": "INSERT INTO tours VALUES (1, 'more', '[]', 99, 0, 0)",
    "a try too many": "WITH n(x) AS (VALUES (1), (2), (3), (4)) INSERT INTO failures SELECT series, seating, 's', 'm', 'w' "
    f"FROM matches, n {FIRST}",
    "an entrant more": "INSERT INTO entrants SELECT 9, 'x', 'x', NULL, 1, 'x'",
    "a shard that is none": "UPDATE facts SET value = '7/3' WHERE key = 'shard'",
    "settings that are none": "UPDATE facts SET value = '{}' WHERE key = 'decides'",
    "an endless view for the matches": "DROP TABLE matches; CREATE VIEW matches AS WITH RECURSIVE n(x) AS "
    "(VALUES (1) UNION ALL SELECT x + 1 FROM n) SELECT x FROM n WHERE x < 0",
    "a computed column": "ALTER TABLE matches ADD COLUMN more AS (1)",
    "a trigger": "CREATE TRIGGER t AFTER INSERT ON matches BEGIN DELETE FROM series; END",
    "another format": "UPDATE facts SET value = '99' WHERE key = 'format'",
}  # fmt: skip
"""Parts that strangers have made, and what was done to them."""


def test_nothing_is_taken_of_a_part_that_a_stranger_has_edited(parts: Parts, tmp_path: Path) -> None:
    cup, (part, *_) = parts
    untouched = {"tournament.toml", "ledger.sqlite"}
    for number, (what, statements) in enumerate(DAMAGED.items()):
        edited = copies(part, tmp_path / f"edited-{number}")
        with closing(sqlite3.connect(edited)) as ledger:
            ledger.executescript(statements)
        merged = before_the_first_match(cup, tmp_path / f"merged-{number}")
        with Ledger(merged.folder, writes=True):
            pass
        ran = merged("merge", merged.folder, edited)
        assert (ran.code, len(ran.err.splitlines())) == (2, 1), f"{what}: {ran.err}"
        assert "edited-" in ran.err, what
        assert match_rows(merged) == [], what
        assert {path.name for path in merged.folder.rglob("*")} - {"running", "games"} == untouched, what
    merged.ok("merge", merged.folder, part)
    assert len(match_rows(merged)) == 4


@pytest.mark.parametrize("edit", ["another map", "another tour"])
def test_the_tours_of_a_part_are_those_of_the_parts_before_it(parts: Parts, tmp_path: Path, edit: str) -> None:
    cup, (part, second, _) = parts
    merged = before_the_first_match(cup, tmp_path / "cup")
    merged.ok("merge", merged.folder, part)
    edited = copies(second, tmp_path / "edited")
    with closing(sqlite3.connect(edited)) as ledger:
        ledger.executescript(DAMAGED[edit])
    says = f"{edited}: its tour t0 is not that of {merged.folder / 'ledger.sqlite'}: shards need the same bots"
    assert says in merged.refused("merge", merged.folder, edited)
    assert len(match_rows(merged)) == 4


def link_its_folder(game: Path) -> None:
    (game.parents[2] / "kept").rename(game)
    elsewhere = game.parent.rename(game.parents[2] / "elsewhere")
    game.parent.symlink_to(elsewhere)


@pytest.mark.parametrize("put", [
    lambda game: game.symlink_to(game.parents[2] / "kept"),
    os.mkfifo,
    lambda game: shutil.copy(max(game.parent.iterdir()), game),
    link_its_folder,
], ids=["a link", "a pipe", "another game", "a linked folder"])  # fmt: skip
def test_nothing_but_the_saved_game_is_copied(stranger: tuple[Cup, Path], put: Callable[[Path], Any]) -> None:
    cup, part = stranger
    games = part.with_name("part.sqlite.files") / "games"
    first = min(games.iterdir())
    first.rename(part.parent / "kept")
    put(first)
    assert str(games) in cup.refused("merge", cup.folder, part)
    assert not list((cup.folder / "games").glob("*"))


def test_a_file_that_is_there_is_moved_aside(stranger: tuple[Cup, Path]) -> None:
    cup, part = stranger
    games = cup.folder / "games"
    games.mkdir()
    (games / "000001-0.jsonl.gz").write_text("of a run that was killed before it wrote the row")
    cup.ok("merge", cup.folder, part)
    assert (games / "000001-0.1.jsonl.gz").read_text() == "of a run that was killed before it wrote the row"
    assert cup("check", cup.folder, "--games").out == "4 saved games, all of them right\n"


def test_a_saved_game_that_is_there_is_not_copied_again(stranger: tuple[Cup, Path]) -> None:
    """A merge leaves its copies if it is killed before it has written the ledger, or if there is no room for the ledger."""
    cup, part = stranger
    games = shutil.copytree(part.with_name("part.sqlite.files") / "games", cup.folder / "games")
    before = {path: path.stat().st_ino for path in games.iterdir()}
    cup.ok("merge", cup.folder, part)
    assert {path: path.stat().st_ino for path in games.iterdir()} == before


def test_a_full_disk_at_a_merge_is_not_blamed_on_the_part(
    stranger: tuple[Cup, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(*_: Any, **__: Any) -> str:
        raise OSError(errno.ENOSPC, "No space left on device")

    cup, part = stranger
    monkeypatch.setattr(saved_games, "digest_of", fails)
    full = f"cannot be copied to {cup.folder / 'games'} (No space left on device): free space there, and merge again"
    assert full in cup.refused("merge", cup.folder, part)


@pytest.mark.parametrize("linked", [False, True])
def test_a_journal_that_names_another_file_is_refused(stranger: tuple[Cup, Path], tmp_path: Path, linked: bool) -> None:
    """SQLite removes the file that such a journal names. The journal is beside the file to which a link leads."""
    cup, part = stranger
    journal = naming(tmp_path / "precious", part.with_name("part.sqlite-journal"))
    if linked:
        (tmp_path / "link.sqlite").symlink_to(part)
        part = tmp_path / "link.sqlite"
    assert f"{journal.name} names other files" in cup.refused("merge", cup.folder, part)
    assert (tmp_path / "precious").exists()


def naming(precious: Path, journal: Path) -> Path:
    """Makes a file, and a journal that names it. Returns the journal."""
    precious.write_text("of the organiser")
    name = os.fsencode(precious)
    length, total = len(name).to_bytes(4, "big"), (sum(name) & 0xFFFFFFFF).to_bytes(4, "big")
    header = (
        bytes.fromhex("d9d505f920a163d7") + (0).to_bytes(4, "big") * 2 + bytes([0, 0, 0, 1, 0, 0, 2, 0, 0, 0, 16, 0])
    )
    end = (0x40000000 // 4096 + 1).to_bytes(4, "big") + name + length + total + bytes.fromhex("d9d505f920a163d7")
    journal.write_bytes(header.ljust(512, b"\0") + end)
    return journal
