"""The ledger: what is committed stays, nothing is there twice, one runner at a time."""

import os
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest
from tournament.conftest import fault_of, row_of

import referee.tournament.ledger as module
from referee.errors import UsageError
from referee.tournament import database, match_tables
from referee.tournament.answers import void_row
from referee.tournament.database import DiskError, LedgerError
from referee.tournament.field import Candidate, Unready, admit
from referee.tournament.ledger import Ledger
from referee.tournament.ledger_past import LedgerPast
from referee.tournament.locking import only_writer, remote
from referee.tournament.model import Series, Tour, scores
from referee.tournament.rows import FailureRow
from referee.tournament.schedule_tables import ScheduleTables

A, B, C = (Candidate(name, f"content-{name}", None, f"bots/{name}") for name in "abc")
ONE = Series("0-1", "duel", 0, ((0, 1), (1, 0)))
TWO = Series("0-2", "duel", 0, ((2, 0),))
T0 = Tour("t0", (ONE, TWO))


def enter(ledger: Ledger, *bots: Candidate, unready: Sequence[Unready] = (), teams: bool = False) -> list[str]:
    """Bring the field up to date; what has changed, in words."""
    return list(map(str, ledger.enter(admit(ledger.entrants(), bots, unready, teams=teams))))


@pytest.fixture
def ledger(tmp_path: Path) -> Iterator[Ledger]:
    with Ledger(tmp_path, writes=True) as ledger:
        enter(ledger, A, B, C)
        yield ledger


def row(series: Series, seating: int, *points: float) -> dict[str, Any]:
    """A match that ended with these points, by seat."""
    places = [1 + sum(other > mine for other in points) for mine in points]
    seats = zip(series.seatings[seating], places, scores(places), points, strict=True)
    return row_of(
        *({"number": number, "entrant": f"c{number}", "name": str(number), "place": place, "score": score, "points": point}
          for number, place, score, point in seats)
    )  # fmt: skip


def test_a_new_content_is_a_new_entrant_and_the_old_one_comes_back_with_its_number(ledger: Ledger) -> None:
    unready = Unready("x", "bots/x", "no compiler")
    enter(ledger, A, Candidate("b", "new", 1, "bots/b"), unready=[unready])
    assert [(entrant.number, entrant.content, entrant.present) for entrant in ledger.entrants()] == [
        (0, "content-a", True), (1, "content-b", False), (2, "content-c", False), (3, "new", True),
    ]  # fmt: skip
    assert ledger.unready() == [unready]
    enter(ledger, A, B)
    assert [entrant.number for entrant in ledger.entrants() if entrant.present] == [0, 1]
    assert ledger.unready() == []


def test_changes_before_the_first_tour_are_none_and_later_ones_hold_from_the_tour_that_is_due(ledger: Ledger) -> None:
    new = Candidate("b", "new", None, "bots/b")
    assert enter(ledger, A, new, teams=True) == []
    ledger.add_tour(T0)
    assert enter(ledger, A, B, C, teams=True) == [
        "b was edited: its new version plays from tour 0 on",
        "c takes part from tour 1 on",
    ]
    for series, seating in ((ONE, 0), (ONE, 1), (TWO, 0)):
        ledger.record(1 + (series is TWO), seating, row(series, seating, 5, 3))
    assert enter(ledger, A, C, teams=True) == ["b does not take part from tour 1 on"]
    assert [change.tour for change in ledger.changes()] == [0, 1, 1]


def test_tours_come_back_as_they_were_added(ledger: Ledger) -> None:
    later = Tour("t1", (Series("t1-g0", "arena", 3, ((0, 2), (2, 0))),), byes=(1,))
    ledger.add_tour(T0)
    ledger.add_tour(later)
    assert ledger.schedule.tours() == [T0, later]


def test_a_series_has_a_result_when_all_its_matches_are_played(ledger: Ledger) -> None:
    ledger.add_tour(T0)
    ledger.record(1, 1, row(ONE, 1, 1, 4))
    assert ledger.results() == {}
    ledger.record(1, 0, row(ONE, 0, 5, 3))
    results = ledger.results()
    assert set(results) == {"0-1/duel/0"}
    assert results["0-1/duel/0"].scores() == {0: 2.0, 1: 0.0}
    assert results["0-1/duel/0"].points() == {0: 9.0, 1: 4.0}


def test_a_match_that_is_recorded_twice_counts_once(ledger: Ledger) -> None:
    ledger.add_tour(T0)
    ledger.record(1, 0, row(ONE, 0, 5, 3))
    ledger.record(1, 0, row(ONE, 0, 0, 9))
    assert [row["seats"][0]["points"] for _, row in ledger.played()] == [5]


def test_failed_tries_are_counted_and_a_void_match_makes_its_series_void(ledger: Ledger) -> None:
    ledger.add_tour(T0)
    ledger.record(1, 0, row(ONE, 0, 5, 3))
    assert [ledger.fail(1, 1, why, started="s", machine="m") for why in ("first", "second", "third")] == [1, 2, 3]
    ledger.record(1, 1, void_row([ledger.entrants()[1], ledger.entrants()[0]], started="s", machine="m"))
    assert ledger.results()["0-1/duel/0"].void
    void = list(ledger.played())[1][1]
    assert (void["reason"], void["tries"], [seat["place"] for seat in void["seats"]]) == ("void", 3, [None, None])
    assert [row["why"] for _, row in ledger.failures()] == ["first", "second", "third"]


def test_a_match_that_does_not_fit_its_place_in_the_schedule_is_damage(ledger: Ledger) -> None:
    ledger.add_tour(T0)
    ledger.record(1, 0, row(ONE, 0, 5, 3))
    ledger.query("UPDATE matches SET saved = 'games/000009-0.jsonl.gz'")
    with pytest.raises(LedgerError, match=r"matches, series 1, seating 0: saved: not games/000001-0\.jsonl\.gz"):
        list(ledger.played())


def test_rows_come_in_the_order_of_their_key_and_one_that_comes_twice_is_damage(ledger: Ledger) -> None:
    ledger.add_tour(T0)
    for series, seating in ((2, 0), (1, 1), (1, 0)):
        ledger.fail(series, seating, "lost", started="s", machine="m")
    assert [match.key for match, _ in ledger.failures()] == [(1, 0), (1, 1), (2, 0)]
    with pytest.raises(LedgerError, match="failures, series 1: this row comes twice"):
        list(ledger.rows("failures", FailureRow, "series"))


def test_a_flag_is_0_or_1(ledger: Ledger) -> None:
    ledger.query("UPDATE entrants SET present = 2 WHERE number = 1")
    with Ledger(ledger.path.parent, writes=False) as reader, pytest.raises(LedgerError, match="number 1: present: "):
        reader.entrants()


def test_a_reader_needs_a_ledger(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="has no ledger yet: `referee tournament run"):
        Ledger(tmp_path, writes=False)


def test_a_ledger_on_a_disk_that_became_read_only_is_still_called_one(ledger: Ledger) -> None:
    ledger.add_tour(T0)
    ledger.query("PRAGMA query_only = 1")
    why = (
        r"ledger\.sqlite cannot be written \(attempt to write a readonly database\): become a user who may write there"
    )
    with pytest.raises(LedgerError, match=why):
        ledger.record(1, 0, row(ONE, 0, 5, 3))


def test_a_ledger_of_another_user_is_refused_when_it_is_opened_for_writing(
    ledger: Ledger, monkeypatch: pytest.MonkeyPatch
) -> None:
    """SQLite opens it for reading, and refuses the first write: in an arena, the request of an author."""
    ledger.close()
    monkeypatch.setattr("os.access", lambda path, mode, **_: mode != os.W_OK or path != ledger.path)
    with pytest.raises(
        LedgerError, match=r"ledger\.sqlite cannot be written \(it may only be read\): become a user who"
    ):
        Ledger(ledger.path.parent, writes=True)
    Ledger(ledger.path.parent, writes=False).close()


def test_a_file_that_is_not_a_ledger_is_called_that_in_a_folder_that_cannot_be_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "ledger.sqlite").write_bytes(b"no database at all, but long enough to be read as one" * 40)
    monkeypatch.setattr("os.access", lambda _path, mode, **_: mode == os.R_OK)
    with pytest.raises(LedgerError, match=r"ledger\.sqlite cannot be used as a ledger: file is not a database$"):
        Ledger(tmp_path, writes=False)


@pytest.mark.parametrize("content", [b"no database at all, but long enough to be read as one" * 40, b""])
def test_a_file_that_is_not_a_ledger_is_refused(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "ledger.sqlite").write_bytes(content)
    if content:
        with pytest.raises(UsageError, match="cannot be used as a ledger"):
            Ledger(tmp_path, writes=True)
    else:  # a ledger whose first transaction was killed, or found the disk full
        with pytest.raises(LedgerError, match="is empty, because its first run did not begin: run again"):
            Ledger(tmp_path, writes=False)
        Ledger(tmp_path, writes=True).close()


def test_a_pipe_in_the_place_of_the_lock_is_refused(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "running")
    with pytest.raises(UsageError, match=r"running cannot be written \(Invalid argument\)"), only_writer(tmp_path):
        pass


def test_the_ledger_of_another_version_is_refused(tmp_path: Path) -> None:
    with Ledger(tmp_path, writes=True) as ledger:
        ledger.keep("format", "99")
    with pytest.raises(UsageError, match="was made by another version of the referee"):
        Ledger(tmp_path, writes=False)


def test_the_second_runner_is_told_who_the_first_is(tmp_path: Path) -> None:
    program = (
        "import sys; from pathlib import Path; from referee.tournament.locking import only_writer\n"
        "with only_writer(Path(sys.argv[1])): print('there', flush=True); sys.stdin.read()"
    )
    argv = [sys.executable, "-c", program, str(tmp_path)]
    with subprocess.Popen(argv, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as first:
        assert first.stdout is not None
        assert first.stdout.readline() == b"there\n"
        message = rf"process {first.pid} on {os.uname().nodename} runs this tournament"
        with pytest.raises(UsageError, match=message), only_writer(tmp_path):
            pass
        first.kill()
        first.wait()
        with only_writer(tmp_path):  # the kernel has released the lock
            pass


def test_a_reader_in_the_process_of_the_writer_leaves_its_locks(tmp_path: Path) -> None:
    with Ledger(tmp_path, writes=True) as ledger:
        enter(ledger, A, B, C)
        Ledger(tmp_path, writes=False).close()
        look = (
            f"import sqlite3; sqlite3.connect({str(ledger.path)!r}).execute('SELECT 1 FROM facts').connection.close()"
        )
        subprocess.run([sys.executable, "-c", look], check=True)  # the last one to close a ledger deletes the log
        assert ledger.path.with_name(f"{ledger.path.name}-wal").exists()


def test_a_network_file_system_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert remote(tmp_path) is None
    monkeypatch.setattr(module, "remote", lambda _folder: "nfs4")
    with pytest.raises(UsageError, match=r"network file system \(nfs4\).*use a local folder"):
        Ledger(tmp_path, writes=True)


def test_a_part_may_be_on_a_network_file_system(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "remote", lambda _folder: "nfs4")
    path = tmp_path / "part.sqlite"
    with Ledger(tmp_path, writes=True, part=path) as part:
        enter(part, A, B, C)
        part.add_tour(T0)
        part.record(1, 0, row(ONE, 0, 5, 3))
        assert [path.name for path in tmp_path.iterdir()] == ["part.sqlite"]  # no memory that processes share
    with Ledger(tmp_path, writes=False, part=path) as part:
        assert part.counts() == (3, 1, 0)


def test_a_reader_leaves_the_journal_as_it_is(tmp_path: Path) -> None:
    path = tmp_path / "ledger.sqlite"
    Ledger(tmp_path, writes=True, part=path).close()
    before = path.read_bytes()
    Ledger(tmp_path, writes=False).close()
    assert path.read_bytes() == before


def test_a_full_disk_loses_nothing_that_was_committed(ledger: Ledger) -> None:
    ledger.add_tour(T0)
    ledger.record(1, 0, row(ONE, 0, 5, 3))
    pages = ledger.number("PRAGMA page_count")
    ledger.query(f"PRAGMA max_page_count = {pages}")
    large = row(ONE, 1, 1, 4) | {"reason": "x" * 1_000_000}
    with pytest.raises(DiskError, match=r"is full.*free space there; what is in it is not lost"), ledger.transaction():
        ledger.record(1, 1, large)
    assert ledger.counts() == (3, 1, 0)
    with Ledger(ledger.path.parent, writes=False) as reader:
        assert reader.counts() == (3, 1, 0)


def test_a_query_without_end_is_broken_off(ledger: Ledger, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(database, "PATIENCE", 0.0)
    endless = "WITH RECURSIVE n(x) AS (VALUES (1) UNION ALL SELECT x + 1 FROM n) SELECT x FROM n WHERE x < 0"
    with pytest.raises(LedgerError, match=r"ledger.sqlite is damaged \(no row within 0 s\)"):
        ledger.query(endless)


def test_a_reader_sees_one_moment_and_learns_that_there_is_more(ledger: Ledger, tmp_path: Path) -> None:
    ledger.add_tour(T0)
    with Ledger(tmp_path, writes=False) as reader:
        before = reader.stamp
        with reader.snapshot():
            assert reader.counts() == (3, 0, 0)
            ledger.record(1, 0, row(ONE, 0, 5, 3))
            assert reader.counts() == (3, 0, 0)
        assert reader.counts() == (3, 1, 0)
        assert reader.stamp != before
        assert reader.stamp == reader.stamp


def test_the_newest_saved_games_of_each_entrant_are_kept_and_those_with_faults(ledger: Ledger) -> None:
    pairs = [(0, 1), (0, 1), (0, 2), (0, 1)]
    tour = Tour("t0", tuple(Series(f"m{at}", "duel", 0, (pair,)) for at, pair in enumerate(pairs)))
    ledger.add_tour(tour)
    gone = []
    for number, series in enumerate(tour.series, 1):
        saved = {"saved": f"games/{number:06d}-0.jsonl.gz", "sha256": "0" * 64}
        played = row(series, 0, 5, 3) | saved | {"faults": [fault_of(0)] if number == 1 else []}
        with ledger.transaction():
            ledger.record(number, 0, played)
            gone.append(ledger.matches.keep_newest(number, 0, played, 1))
    # 1 has a fault. 2 was the newest of a and b, then only that of b; 3 is the newest of c; 4 is that of a and b.
    assert gone == [[], [], [], ["games/000002-0.jsonl.gz"]]
    assert [match["saved"] is not None for _, match in ledger.played()] == [True, False, True, True]


def test_a_match_that_ends_late_is_kept_if_it_is_the_newest_of_one_entrant(ledger: Ledger) -> None:
    """The second match ends first. When the first one ends, it is old for a, but the newest of b."""
    tour = Tour("t0", tuple(Series(f"m{at}", "duel", 0, (pair,)) for at, pair in enumerate([(0, 1), (0, 2)])))
    ledger.add_tour(tour)
    for number in (2, 1):
        saved = {"saved": f"games/{number:06d}-0.jsonl.gz", "sha256": "0" * 64}
        played = row(tour.series[number - 1], 0, 5, 3) | saved
        ledger.record(number, 0, played)
        assert ledger.matches.keep_newest(number, 0, played, 1) == []
    assert all(match["saved"] for _, match in ledger.played())


def steps_of(ledger: Ledger) -> list[None]:
    """One entry for each step of SQLite's machine from now on."""
    steps = list[None]()

    def count() -> int:
        steps.append(None)
        return 0

    ledger._db.set_progress_handler(count, 1)
    return steps


def test_a_bot_that_answers_another_name_in_each_match_makes_no_match_slower(
    ledger: Ledger, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(match_tables, "MOST_PLAYERS", 5)
    ledger.add_tour(Tour("t0", tuple(Series(f"m{at}", "duel", 0, ((0, 1),)) for at in range(100))))
    steps, costs = steps_of(ledger), list[int]()
    for number, series in enumerate(ledger.schedule.tours()[0].series, 1):
        played = row(series, 0, 5, 3)
        played["seats"][0]["called"] = f"name {number // 2 % 25}"
        steps.clear()
        ledger.record(number, 0, played)
        costs.append(len(steps))
    assert costs[-1] < 2 * costs[11]
    assert [played["seats"][0]["called"] for _, played in ledger.played()] == [
        f"name {it // 2 % 25}" for it in range(1, 101)
    ]
    assert ledger.number("SELECT count(*) FROM players") == 1 + 51, "the rival, and each change of the name"


def test_the_number_of_saved_games_in_the_file_may_get_smaller(ledger: Ledger) -> None:
    tour = Tour("t0", tuple(Series(f"m{at}", "duel", 0, ((0, 1),)) for at in range(20)))
    ledger.add_tour(tour)
    for number, series in enumerate(tour.series, 1):
        played = row(series, 0, 5, 3) | {"saved": f"games/{number:06d}-0.jsonl.gz", "sha256": "0" * 64}
        ledger.record(number, 0, played)
        assert ledger.matches.keep_newest(number, 0, played, 1000) == []
    assert len(ledger.matches.keep_newest(20, 0, played, 3)) == 17
    assert ledger.matches.keep_newest(20, 0, played, 3) == []


def test_the_newest_matches(ledger: Ledger) -> None:
    pairs = [(0, 1), (1, 0), (0, 2), (0, 1), (1, 2), (0, 1)]
    ledger.add_tour(Tour("t0", tuple(Series(f"m{at}", "duel", 0, (pair,)) for at, pair in enumerate(pairs))))
    for number, series in enumerate(ledger.schedule.tours()[0].series, 1):
        failed = {1: [(1, "exit")], 2: [(0, "exit"), (1, "exit")], 4: [(0, "timeout")]}.get(number, [])
        faults = [fault_of(*which) for which in failed]
        with ledger.transaction():
            ledger.record(number, 0, row(series, 0, 5, 3) | {"faults": faults})

    def newest(most: int = 10, **which: Any) -> tuple[list[int], tuple[int, int] | None]:
        matches, before = ledger.newest(most, **which)
        return [match.number for match, _ in matches], before

    assert newest(2) == ([6, 5], (5, 0))
    asked = list[str]()
    ledger._db.set_trace_callback(asked.append)
    assert newest(10) == ([6, 5, 4, 3, 2, 1], None)
    assert sum("FROM series " in question for question in asked) == 1, "all at once"
    assert newest(before=(3, 0)) == ([2, 1], None)
    assert newest(numbers=[2]) == ([5, 3], None)
    assert newest(3, numbers=[2, 1]) == ([6, 5, 4], (4, 0))
    assert newest(3, numbers=[2, 1], before=(4, 0)) == ([3, 2, 1], (1, 0))
    assert newest(numbers=[7]) == ([], None)
    assert newest(fault="any") == ([4, 2, 1], None)
    assert newest(2, fault="exit") == ([2, 1], (1, 0)), "each once, whoever was at fault"
    assert newest(fault="any", numbers=[1]) == ([2, 1], None), "in match 4 it was the other one"
    assert ledger.schedule.find("m3/duel/0#0") == (4, 0)
    assert ledger.schedule.find("m3/duel/0") is ledger.schedule.find("m9/duel/0#0") is None
    assert ledger.match(4, 0) is not None
    assert ledger.match(4, 1) is None
    ledger.add_tour(Tour("t1", (copies := Series("m6", "duel", 0, ((0, 0), (0, 1))),)))
    for seating in range(2):
        with ledger.transaction():
            ledger.record(7, seating, row(copies, seating, 5, 3))
        assert newest(1) == newest(1, numbers=[0]) == ([7], (7, seating))
    assert newest(2, before=(7, 1), numbers=[0]) == ([7, 6], (6, 0))


def test_matches_may_be_written_while_the_unplayed_ones_are_looked_at(ledger: Ledger) -> None:
    """The coordinator does so: matches of an entrant that left are void."""
    tour = Tour("t0", tuple(Series(f"m{at}", "duel", 0, ((0, 1), (1, 0))) for at in range(6)))
    ledger.add_tour(tour)
    with ledger.transaction():
        for number in (1, 4, 6):
            ledger.record(number, 1, row(tour.series[number - 1], 1, 5, 3))
    keys = []
    for match in ledger.unplayed():
        keys.append(match.key)
        with ledger.transaction():
            ledger.record(*match.key, row(match.series, match.seating, 5, 3))
    assert keys == [(1, 0), (2, 0), (2, 1), (3, 0), (3, 1), (4, 0), (5, 0), (5, 1), (6, 0)]


def test_rows_whose_keys_are_not_numbers_are_no_matches(ledger: Ledger) -> None:
    """As a stranger may write them: the columns of SQLite take any value."""
    tour = Tour("t0", (Series("m", "duel", 0, ((0, 1), (1, 0))),))
    ledger.add_tour(tour)
    with ledger.transaction():
        ledger.record(1, 0, row(tour.series[0], 0, 5, 3))
    for key in (("x", 0), (1, "y"), (1, b"y")):
        ledger.query("UPDATE matches SET series = ?, seating = ?", key)
        assert [match.key for match in ledger.unplayed()] == [(1, 0), (1, 1)]
    for seating in (b"y", "')--"):
        ledger.query("UPDATE played SET seating = ?", (seating,))
        with pytest.raises(LedgerError, match="where a number is expected"):
            ledger.newest(1, numbers=[0])


def test_a_past_that_no_ladder_has_asked_looks_up_no_games(ledger: Ledger) -> None:
    tour = Tour("t0", (Series("m", "duel", 0, ((0, 1), (1, 0))),))
    past, first, asked = LedgerPast(ledger), ledger.add_tour(tour), list[str]()
    ledger._db.set_trace_callback(asked.append)
    past.add(tour, first)
    assert asked == []


def test_tours_that_are_over_are_added_up_once(ledger: Ledger) -> None:
    for number in range(100):
        series = Series(f"m{number}", "duel", 0, ((0, 1),))
        ledger.add_tour(Tour(f"t{number}", (series,)))
        assert ledger.schedule.matches() == (number + 1, number)
        with ledger.transaction():
            ledger.record(number + 1, 0, row(series, 0, 5, 3))
        assert ledger.schedule.matches() == (number + 1, number + 1)
    ledger.query("UPDATE tours SET matches = 7, ended = 7 WHERE number = 3")
    assert ledger.schedule.matches() == (100, 100), "tour 3 is not read again"
    assert ScheduleTables(ledger).matches() == (106, 106)


def test_of_all_matches_only_the_newest_are_read(ledger: Ledger) -> None:
    ledger.add_tour(Tour("t0", tuple(Series(f"m{at}", "duel", 0, ((0, 1),)) for at in range(50))))
    for number, series in enumerate(ledger.schedule.tours()[0].series, 1):
        with ledger.transaction():
            ledger.record(number, 0, row(series, 0, 5, 3))
    asked = list[str]()
    ledger._db.set_trace_callback(asked.append)
    assert [match.number for match, _ in ledger.newest(3)[0]] == [50, 49, 48]
    assert [question.rpartition(" ")[2] for question in asked if "DESC" in question] == ["3"]


def test_matches_of_an_entrant_are_found_however_many_others_were_played(ledger: Ledger) -> None:
    tour = Tour("t0", tuple(Series(f"m{at}", "duel", 0, ((0, 1) if at else (0, 2),)) for at in range(200)))
    ledger.add_tour(tour)

    def steps_to(**which: Any) -> int:
        steps = steps_of(ledger)
        assert [match.number for match, _ in ledger.newest(10, **which)[0]] == [1]
        return len(steps)

    for number, series in enumerate(tour.series, 1):
        faults = [fault_of(0, "exit" if number == 1 else "timeout")]
        with ledger.transaction():
            ledger.record(number, 0, row(series, 0, 5, 3) | {"faults": faults + [fault_of(1)] * (number == 1)})
        if number == 1:
            alone = steps_to(numbers=[2]) + steps_to(numbers=[2], fault="any")
    assert steps_to(numbers=[2]) + steps_to(numbers=[2], fault="any") < 2 * alone
    assert steps_to(numbers=[0], fault="exit") < 10 * len(tour.series), "only their kinds are read of other faults"
