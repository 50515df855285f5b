"""Whole tournaments by real processes: played, killed at any moment, gone on with, interrupted."""

import json
import os
import re
import resource
import select
import shlex
import signal
import subprocess
from collections.abc import Mapping
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any

import pytest
import trio
from cli.conftest import Ran
from tournament.conftest import SETTINGS, Cup, children, gated, match_rows, progress, table

from referee.cli.tournament.show import _lines, suspects
from referee.tournament.decisions import PACKAGE
from referee.tournament.drafting import tournament_folder
from referee.tournament.ledger import Ledger
from referee.tournament.running import RunningTournament

pytestmark = pytest.mark.machine


def test_a_round_robin_from_start_to_table(whole_run: tuple[Cup, Ran]) -> None:
    cup, ran = whole_run
    assert ran.err.startswith("isolation: none\n"), "a stranger's file may say so"
    assert ran.err.count("Finished game") == 12
    assert "Finished game 12 of 12" in ran.err
    rows = match_rows(cup)
    assert {row["id"] for row in rows} == {f"{a}-{b}/duel/0#{j}" for b in range(4) for a in range(b) for j in (0, 1)}
    assert [row["seating"] for row in rows] == [0, 1] * 6
    assert [seat["seat"] for row in rows for seat in row["seats"]] == [0, 1] * 12
    for row in rows:
        assert sum(seat["score"] for seat in row["seats"]) == 1
    assert re.search(r"^rank +name +matches +percent", ran.out, re.MULTILINE)
    document = table(cup)
    assert (document["over"], document["matches"], document["series"]) == (True, 12, 6)
    assert {row["matches"] for row in document["table"]} == {6}


def watched(process: subprocess.Popen[str]) -> dict[int, int]:
    """The workers of a coordinator: a descriptor for each process."""
    return {pid: os.pidfd_open(pid) for pid in children(process.pid)}


def end(workers: Mapping[int, int]) -> bool:
    """Whether these processes end within a generous time."""
    polls = []
    for descriptor in workers.values():
        poll = select.poll()
        poll.register(descriptor, select.POLLIN)
        polls.append(bool(poll.poll(60_000)))
        os.close(descriptor)
    return all(polls)


def test_a_run_that_is_killed_loses_nothing(cup: Cup, undisturbed: tuple[Any, Any]) -> None:
    """First the coordinator is killed, then all processes at once, then the workers. Each time the same command goes on."""
    games = cup.folder / "games"
    games.mkdir()
    for name in ("", ".part", ".part.gz"):  # what a killed worker left: published, being written, being compressed
        (games / f"000001-0.jsonl.gz{name}").write_bytes(b"half of it")
    with gated(cup, 2), cup.start("run", cup.folder, "--jobs=2") as process:
        next(progress(process))
        workers = watched(process)
        assert workers
        process.kill()
    assert end(workers), "their input has ended"

    with gated(cup, 2), cup.start("run", cup.folder, "--jobs=2") as process:
        next(progress(process))
        while len(children(process.pid)) < 2:
            assert process.poll() is None
        process.send_signal(signal.SIGSTOP)  # it does not see its workers die, and holds its lock
        assert f"process {process.pid} on " in cup.refused("run", cup.folder)
        assert cup("table", cup.folder).code == 0, "readers may look"
        workers = watched(process)
        assert len(workers) == 2
        for pid in (process.pid, *workers):
            os.kill(pid, signal.SIGKILL)
    assert end(workers)
    assert cup.json("status", cup.folder)["failures"] == []

    with gated(cup, 2):
        process = cup.start("run", cup.folder, "--jobs=2")
        next(progress(process))
        for pid in children(process.pid):
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
    process.communicate()
    assert process.returncode == 0
    assert (match_rows(cup), table(cup)) == undisturbed
    status = cup.json("status", cup.folder)
    assert {failure["why"] for failure in status["failures"]} <= {"its worker was killed by SIGKILL: it says nothing"}
    assert {path.name for path in games.iterdir()} == {Path(row["saved"]).name for row in match_rows(cup)}
    cup.ok("check", cup.folder, "--games")


def test_a_run_whose_folder_is_moved_stops_voids_nothing_and_goes_on_anywhere(
    cup: Cup, undisturbed: tuple[Any, Any]
) -> None:
    """The games, the entrants, the ledger, or all. A file is in the place of the games: a folder would be made anew."""
    for lost in ("games", "entrants", "ledger.sqlite", ""):
        path, away = cup.folder / lost, cup.folder.parent / "away"
        with gated(cup, 1):
            process = cup.start("run", cup.folder)
            next(progress(process))
            path.rename(away)
            if lost == "games":
                path.touch()
        _, err = process.communicate()
        assert (process.returncode, "Traceback" in err, "void" in err) == (1, False, False), lost
        if lost == "games":
            path.unlink()
        away.rename(path)
    moved = Cup(cup.folder.rename(cup.folder.parent / "elsewhere"), cup.environ)
    moved.ok("run", moved.folder, "-q")
    assert (match_rows(moved), table(moved)) == undisturbed
    assert moved.json("status", moved.folder)["failures"] == []


def test_changed_settings_are_refused_by_their_key(over: Cup) -> None:
    over.says(SETTINGS.replace("rounds = 3", "rounds = 4"))
    assert "tournament.toml: match.rounds has changed since the first match" in over("run", over.folder, code=2).err
    over.says(SETTINGS.replace("jobs = 1", "jobs = 2"))
    over.ok("run", over.folder, "-q")


@pytest.mark.usefixtures("instant")
def test_settings_that_no_tour_can_be_planned_with_may_change(cup: Cup) -> None:
    cup.says(f'{SETTINGS}\n[format]\nkind = "develobear"\n')
    assert "cup/tournament.toml: match.seats: a Develobear tournament has 4: " in cup("run", cup.folder, code=2).err
    cup.says(SETTINGS)
    cup.ok("run", cup.folder)


def test_timeouts_are_alike_whatever_the_machine_did_meanwhile(over: Cup) -> None:
    fault = {
        "number": 1,
        "kind": "timeout",
        "request": "getAction",
        "round": 1,
        "seat": 0,
        "name": "asp",
        "saved": None,
    }
    busy = [f"no answer within 1 s; another {n}.0 s do not count: the machine was too busy to run it" for n in (1, 2)]
    faults = [{**fault, "match": f"0-1#{n}", "detail": detail, "stderr": []} for n, detail in enumerate(busy)]
    status = over.json("status", over.folder)
    assert "  the same in 1 more match" in _lines({**status, "faults": faults})


def test_a_bot_that_fails_is_disqualified_and_the_evidence_is_kept(cup: Cup) -> None:
    cup.only("asp", "boa")
    path = cup.folder / "bots" / "eel.py"
    path.write_text("import sys\ninput()\nprint('eel', flush=True)\ninput()\nsys.exit('no idea left')\n")
    assert "eel: exit}" in cup.ok("run", cup.folder).err
    status = cup("status", cup.folder)
    fault = "eel: exit at getAction in round 1: exited with status 1"
    assert f"{fault}\n  no idea left\n  saved: games/" in status.out
    assert "the same in 3 more matches" in status.out
    assert status.out.count("no idea left") == 1
    assert len(cup.json("status", cup.folder)["faults"]) == 4
    [row] = [row for row in table(cup)["table"] if row["name"] == "eel"]
    assert row["faults"] == {"exit": 4}


@pytest.mark.usefixtures("instant")
def test_a_bot_that_cannot_be_built_takes_no_part_and_ids_are_those_of_a_roster(cup: Cup) -> None:
    cup.only("asp", "boa")
    (cup.folder / "bots" / "eel.c").write_text("int main(void) { return serpent; }\n")
    (cup.folder / "students.csv").write_text("file,name,id\nasp.py,Ada,s1\neel.c,Eve,s2\nBoa.py,Bob,s3\n")
    warning = "students.csv names files that are not there: Boa.py"
    assert warning in cup("check", cup.folder, "-q").out.splitlines()
    assert cup("run", cup.folder, "--strict").code == 4
    assert "serpent" in cup("status", cup.folder).out, "what the compiler said"
    ran = cup("run", cup.folder)
    assert (ran.code, warning in ran.err.splitlines()) == (0, True)
    assert "Eve takes no part: eel.c does not compile: line 1: error: " in ran.err
    assert {row["name"]: row["id"] for row in table(cup)["table"]} == {"Ada": "s1", "boa": None}
    assert "serpent" in cup("status", cup.folder).out
    [eve] = cup.json("status", cup.folder)["unready"]
    assert (eve["name"], eve["id"]) == ("Eve", "s2")
    assert "file" not in cup("run", cup.folder).err, "only before the first match"


@pytest.mark.usefixtures("instant")
def test_a_refused_run_names_the_bots_that_cannot_be_built(cup: Cup) -> None:
    (cup.folder / "bots" / "eel.c").write_text("int main(void) { return serpent; }\n")
    cup.says(f'{SETTINGS}\n[format]\nkind = "gauntlet"\nchampions = ["eel"]\n')
    ran = cup("run", cup.folder, code=2)
    *_, unready, refusal = ran.err.splitlines()
    assert unready.startswith("eel takes no part: eel.c does not compile: line 1: error: ")
    assert "format.champions: 'eel' is no entrant" in refusal


@pytest.mark.usefixtures("instant")
def test_a_run_without_a_tour_decides_nothing(cup: Cup) -> None:
    with RunningTournament(cup.folder) as tournament:
        trio.run(tournament.enter, print)
        tournament.ledger.keep(PACKAGE, "tron 1.0")  # as of a game of this package
    cup.only("asp", "dipsas")
    cup.says(f'{SETTINGS}\n[format]\nkind = "swiss"\n')
    cup.ok("run", cup.folder, "-q")
    assert {row["name"]: row["number"] for row in table(cup)["table"]} == {"asp": 0, "dipsas": 1}
    with Ledger(cup.folder, writes=False) as ledger:
        assert ledger.fact(PACKAGE) is None


@pytest.mark.usefixtures("instant")
def test_an_edited_bot_is_a_new_entrant_that_plays_all_others(over: Cup) -> None:
    over.bot("boa", "U")
    over.ok("run", over.folder, "-q")
    document = table(over)
    assert sorted(row["number"] for row in document["table"]) == [0, 2, 3, 4]
    assert document["matches"] == 12 + 6  # the matches of the old boa count for its rivals
    over.bot("boa", "D")
    over.ok("run", over.folder, "-q")
    edits = [line for line in over("table", over.folder).out.splitlines() if "was edited" in line]
    assert edits == [
        "boa was edited: it is entrant 5 from tour 2 on, and the matches of entrant 4 count for its rivals only."
    ], "of a bot that was edited twice, the table tells of the last edit"
    assert "4 entrants, 3 tours, 24 of 24 matches played" in over("status", over.folder).out


@pytest.mark.parametrize(("keep", "count"), [("none", 0), ("faults", 4)])
def test_saved_games_are_kept_as_the_settings_say(cup: Cup, keep: str, count: int) -> None:
    cup.only("asp", "boa", "dipsas")
    (cup.folder / "bots" / "dipsas.py").write_text("input()\nprint('dipsas', flush=True)\n")
    cup.says(SETTINGS + f'keep = "{keep}"\n')
    cup.ok("run", cup.folder, "-q")
    rows = cup.rows("matches", cup.folder)
    assert len(list((cup.folder / "games").iterdir())) == count
    assert sum(row["saved"] is not None for row in rows) == count
    assert all(row["sha256"] for row in rows)


def test_a_folder_of_bots_is_a_tournament_with_one_command(cup: Cup) -> None:
    (cup.folder / "tournament.toml").unlink()
    assert "says how they play" in cup.ok("run", cup.folder / "bots", "--game=ants").err
    inside = cup.folder / "bots" / "tournament"
    assert tournament_folder(cup.folder / "bots") == inside
    again = cup.ok("run", cup.folder / "bots")
    assert cup("table", cup.folder / "bots").out == again.out


@pytest.mark.parametrize(("words", "message"), [
    (["nowhere"], "there is no folder nowhere"),
    (["cup/bots/boa.py"], "there is no folder cup/bots/boa.py"),
    (["cup", "--jobs=0"], "for --jobs. Must be >= 1."),
    (["cup", "--game=ants"], "--game is for a new tournament"),
])  # fmt: skip
def test_mistakes_of_users(cup: Cup, words: list[str], message: str) -> None:
    assert message in cup.refused("run", *words)


def test_several_mistakes_are_a_line_each(cup: Cup) -> None:
    cup.says('name = "Cup"\nbots = ["bots/eel.py", "nobody"]\n')
    first, second = cup("run", cup.folder, code=2).err.splitlines()
    assert first.startswith(f"referee: {cup.folder}/tournament.toml: bots.0: there is no ")
    assert second.startswith(f"referee: {cup.folder}/tournament.toml: bots.1: there is no ")


def test_a_bot_with_more_than_two_void_matches_is_named() -> None:
    def failed(seating: int, tries: int, *names: str) -> list[dict[str, Any]]:
        return [{"series": "0-1/duel/0", "seating": seating, "names": names}] * tries

    void = [*failed(0, 3, "asp", "boa"), *failed(1, 3, "boa", "boa"), *failed(2, 2, "boa", "asp")]
    assert list(suspects(void)) == []
    void += failed(3, 3, "asp", "boa")
    assert list(suspects(void)) == ["boa is in 3 void matches: it may be the cause"]


def test_a_comparison_of_a_bot_with_itself_finds_no_difference(cup: Cup) -> None:
    bot = str(cup.folder / "bots" / "boa.py")
    words = [bot, bot, "--map=duel", "--rounds=3", "--most=4", "--isolation=none", "--jobs=1", "-q", "--json"]
    ran = cup.referee("compare", *words)
    assert ran.code == 1, ran.err
    document = json.loads(ran.out)
    assert document["verdict"] in {"no", "undecided"}
    assert (document["mode"], document["seats"], document["mean"]) == ("head", 2, 0.5)


@pytest.mark.usefixtures("instant")
def test_a_comparison_goes_on_in_its_folder_and_refuses_other_bots(cup: Cup, tmp_path: Path) -> None:
    bots = [str(cup.folder / "bots" / f"{name}.py") for name in ("asp", "boa")]

    def compare(*words: str) -> Ran:
        usual = ["--map=duel", "--rounds=3", "--isolation=none", "--seed=3", "-q", "-o", str(tmp_path / "kept")]
        return cup.referee("compare", *words, *usual)

    first = compare(*bots)
    assert first.code == 0, first.err
    assert re.search(r"^LLR: [\d.]+ \(\d+\.\d%\) \(-2\.94, 2\.94\) \[0\.00, 20\.00\]$", first.out, re.MULTILINE)
    assert "yes: asp is better than boa" in first.out
    assert compare(*bots).out == first.out
    # The text must stay the same: another text is another tournament, for folders of older versions too.
    keys = re.findall(r"^(\w+) = ", (tmp_path / "kept" / "tournament.toml").read_text(), re.MULTILINE)
    options = ["kind", "elo0", "elo1", "alpha", "beta", "most", "maps", "rounds", "isolation", "pondering"]
    assert [key for key in keys if key in options] == options
    other = compare(*reversed(bots))
    assert other.code == 2
    assert "is of another tournament: choose another folder" in other.err


def test_a_slip_in_a_comparison_makes_no_folder(cup: Cup, tmp_path: Path) -> None:
    for words, code in ((["oracle", "orcle"], 4), (["oracle", "guard", "--map=dul"], 2)):
        ran = cup.referee("compare", *words, "-o", str(tmp_path / "kept"))
        assert ran.code == code
        assert "did you mean" in ran.err
        assert not (tmp_path / "kept").exists()


@pytest.mark.usefixtures("instant")
def test_a_comparison_against_rivals(cup: Cup) -> None:
    bots = [str(cup.folder / "bots" / f"{name}.py") for name in ("asp", "boa", "cobra", "dipsas")]
    options = ["--map=crossroads", "--rounds=2", "--most=2", "--isolation=none", "-q", "--json"]
    ran = cup.referee("compare", *bots[:2], "--against", ",".join(bots[2:]), *options)
    assert ran.code in {0, 1}, ran.err
    document = json.loads(ran.out)
    assert (document["mode"], document["seats"], document["series"]) == ("against", 3, 2)


def test_play_n_plays_each_bot_from_each_seat_and_prints_a_table(cup: Cup) -> None:
    bots = [str(cup.folder / "bots" / f"{name}.py") for name in ("asp", "boa")]
    usual = ["--map=duel", "--rounds=3", "--isolation=none", "--seed=3", "--jobs=1"]
    ran = cup.referee("play", *bots, *usual, "-n", "3", "--no-pondering", "--total=none")
    assert ran.code == 0, ran.err
    assert "4 matches in 2 series" in ran.out
    assert ran.err.count("Finished game") == 4
    again = re.search(r"^again:  referee (.*)$", ran.err, re.MULTILINE)
    assert again is not None
    assert "--no-pondering" in again[1]
    assert "--total=none" in again[1]
    document = json.loads(cup.referee(*shlex.split(again[1]), "--json").out)
    assert (document["matches"], document["rng_seed"]) == (4, 3)
    figures = [[row["name"], row["matches"], row["percent"], row["points"]] for row in document["table"]]
    for name, matches, percent, points in figures:
        assert re.search(rf"{name} +{matches} +{percent:.1f} +{points:.0f} ", ran.out)
    assert {path.name for path in cup.folder.parent.iterdir()} <= {"cup", "home"}, "nothing is left here"


@pytest.mark.parametrize(("words", "message"), [
    (["-n", "0"], "for -n. Must be >= 1."),
    (["-n", "4", "--map=nowhere"], "referee: no map is called 'nowhere'"),
    (["random", "-n", "4", "--map=duel"], "referee: duel: Duel takes at most 2 bots, not 3"),
    ([*["random"] * 7, "-n", "9"], "referee: SnakeCore is for 1 to 8 players, not 9"),
    (["-n", "2000001"], "-n 2000001 is too large: at most 2,000,000 matches of 2 bots can be planned"),
    (["--jobs=2"], "--jobs is for many matches: add -n"),
    (["-n", "4", "-o", "x.jsonl"], "-o is for one match: leave it out, or leave out -n"),
    (["-n", "4", "--rotate=1"], "--rotate is for one match"),
    (["-n", "4", "--forfeit"], "--forfeit is for one match"),
    (["-n", "4", "--setup=x.json"], "--setup is for one match"),
])  # fmt: skip
def test_contradictory_options_of_play_n(cup: Cup, words: list[str], message: str) -> None:
    ran = cup.referee("play", "oracle", "hunter", *words)
    assert ran.code == 2
    assert message in ran.err


@pytest.mark.usefixtures("instant")
def test_play_n_chooses_a_map_for_its_bots_as_for_one_match(cup: Cup) -> None:
    ran = cup.referee("play", *["random"] * 7, "-n", "7", "--isolation=none")
    assert ran.err.startswith("playing on compass, because crossroads has too few starting places")
    assert " --map compass " in ran.err.splitlines()[-1]


def test_play_n_is_refused_for_a_bot_that_cannot_play_and_names_no_file_that_is_gone(cup: Cup) -> None:
    ran = cup.referee("play", "oracle", "hunter", "-n", "4", "--game=ants", "--isolation=none")
    assert ran.code == 4
    assert ran.err.splitlines()[-1].startswith(
        "referee: oracle cannot play: bot Oracle plays snakecore (--game=snakecore)"
    )


@pytest.mark.usefixtures("instant")
def test_only_plays_the_matches_of_one_bot_that_are_due(cup: Cup) -> None:
    assert cup.ok("run", cup.folder, "--only=boa").err.count("Finished game") == 6
    assert not table(cup)["over"]
    assert all("boa" in {seat["name"] for seat in row["seats"]} for row in match_rows(cup))
    cup.bot("late", "U")
    early = cup("run", cup.folder, "--only=late")
    assert "no match of late is due before the others of this tour are played: run without --only\n" in early.err
    assert cup("run", cup.folder).err.count("Finished game") == 6 + 8
    assert (table(cup)["over"], len(match_rows(cup))) == (True, 20)
    assert "no match of" not in cup("run", cup.folder, "--only=boa").err
    assert "did you mean 'boa'?" in cup("run", cup.folder, "--only=boas", code=2).err


@pytest.mark.usefixtures("instant")
def test_a_ladder_takes_a_new_bot_between_waves_and_stops_after_its_time_or_on_ctrl_c(cup: Cup) -> None:
    cup.says(f'{SETTINGS}\n[format]\nkind = "ladder"\n')
    with cup.start("run", cup.folder, "--jobs=2") as process:
        for number in progress(process):
            if number == 2:
                cup.bot("newcomer", "UULL")
            elif number > 2 and "newcomer" in json.dumps(match_rows(cup)):
                break
        workers = watched(process)
        process.send_signal(signal.SIGINT)
        _, rest = process.communicate()
    assert process.returncode == 130
    assert end(workers), "and their players with them"
    assert f"to go on: referee tournament run {cup.folder}" in rest
    assert "time is up; to go on: referee tournament run" in cup.ok("run", cup.folder, "--for=1ms").err
    assert not table(cup)["over"]


def test_a_full_disk_stops_the_run_and_loses_nothing(cup: Cup, undisturbed: tuple[Any, Any]) -> None:
    """The limit of a file's size stands for the disk: at first nothing can be written, then the ledger only for a while."""
    argv = cup.argv("run", cup.folder)
    for most in (20_000, 60_000):
        limit = partial(resource.setrlimit, resource.RLIMIT_FSIZE, (most, most))
        ran = subprocess.run(argv, env=cup.environ, preexec_fn=limit, capture_output=True, text=True, check=False)
        assert ran.returncode in {1, 2}
        assert "cannot be" in ran.stderr.splitlines()[-1]
        assert "Traceback" not in ran.stderr
    cup.ok("run", cup.folder, "-q")
    assert (match_rows(cup), table(cup)) == undisturbed


@pytest.mark.parametrize("room", [0, 4, 16, 64])
def test_a_disk_that_is_full_at_the_first_write_is_named(cup: Cup, tmp_path: Path, room: int) -> None:
    """Of its disk, the tournament has these KiB: no lock, no ledger, no memory beside the ledger, no table in it."""
    disk = tmp_path / "disk"
    disk.mkdir()
    fill = f"""
        mount -t tmpfs -o size=1M none {disk} && cp -r {cup.folder} {disk} &&
        mount -o remount,size=$(($(df --output=used {disk} | tail -1) + {room}))k {disk} && exec "$@"
        """
    full = ["unshare", "-rm", "sh", "-c", fill, "-"]
    if subprocess.run([*full, "true"], capture_output=True, check=False).returncode:
        pytest.skip("no namespaces for mounts here")
    argv = [*full, *cup.argv("run", disk / "cup")]
    ran = subprocess.run(argv, env=cup.environ, capture_output=True, text=True, check=False)
    [line] = [line for line in ran.stderr.splitlines() if line.startswith("referee: ")]
    assert ran.returncode in {1, 2}
    assert line.startswith(f"referee: {disk}/cup")
    assert "cannot be written (" in line
    assert "): free space there" in line


def test_a_tournament_that_has_not_begun_has_neither_a_table_nor_a_report(cup: Cup, tmp_path: Path) -> None:
    cup.says(SETTINGS.replace("seats = 2", "seats = 8"))
    assert cup("run", cup.folder).code == 2
    for words in (["table", cup.folder], ["report", cup.folder, "-o", tmp_path / "pages"]):
        assert f"no match is planned yet: `referee tournament run {cup.folder}` plays the" in cup.refused(*words)
    assert not (tmp_path / "pages").exists()


def test_a_tournament_can_be_removed(over: Cup) -> None:
    assert all(os.stat(folder).st_mode & 0o200 for folder, _, _ in os.walk(over.folder))
