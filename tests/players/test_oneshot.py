"""Players with one process for each turn: verdicts, time, memory, output and logs, and that no process is left.

The catalogue is referee/players/TURNS.md; its rows are the parameters here.
"""

import errno
import os
import re
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import pytest
import trio
from catalogue import entries, says
from players.turning import ASKED, CAP, GAME_OF_TURNS, IMPATIENT, PATIENT, TURNS, judged, turn
from players.witnessing import Own
from raising import raising
from seating import Deaf, Hears, contenders

import referee.players
from referee.contract.clock import LATE_END, LEAST_ADDED, Clock, Stopwatch, TimeControl
from referee.contract.game import Answer, Fault, FaultKind, Request
from referee.errors import BotError, IsolationError
from referee.players import oneshot
from referee.players.fairness import Exhausted, HostStalled, Stall, Watch
from referee.players.oneshot import OneShotPlayer
from referee.players.pondering import Pondering
from referee.players.table import seat_players
from referee.sandbox.cells.bare import BareCell, BareLaunch, BareSandbox
from referee.sandbox.cells.spawning import ALL_SOCKETS, LOG_SOCKET, Wiring
from referee.sandbox.meter import ProcessWitness

pytestmark = pytest.mark.machine

CATALOGUE = Path(referee.players.__file__).with_name("TURNS.md")
SHARED = "turned"
BUSY = TimeControl(45.0, 45.0, 0.5, "cpu")
"""For programs that compute all the time: on a busy machine, wall time alone would not be their fault."""
COMPUTES = {"spins"}
FILLS_THE_PIPE = bytes(300_000)
REQUESTS = dict.fromkeys(("never_reads", "answers_unread"), FILLS_THE_PIPE)
LEAVES = {"leaves_a_daemon": 1, "leaves_children": 2}


@pytest.fixture
def program(bot: Callable[[str], Any]) -> Callable[[str], Any]:
    """The command for a program of tests/programs/turns."""
    honest = bot("honest")
    return lambda name: replace(honest, name=name, argv=[*honest.argv[:-1], str(TURNS / f"{name}.py")], cwd=TURNS)


@asynccontextmanager
async def alone(program: Any, tap: Any = None, game: Any = GAME_OF_TURNS) -> AsyncIterator[OneShotPlayer]:
    """A table with one seat, for a program or a launch that counts."""
    sandbox: Any = program if isinstance(program, Counts) else BareSandbox()
    program = program.program if isinstance(program, Counts) else program
    async with seat_players(sandbox, game, contenders([program], taps=[tap])) as (player,):
        assert isinstance(player, OneShotPlayer)
        yield player


async def asked(program: Any, time: TimeControl = PATIENT) -> Answer[Any]:
    """The answer of the only player to one request."""
    async with alone(program) as player:
        return await player.ask(turn(), Clock(time))


@pytest.mark.parametrize("row", entries(CATALOGUE), ids=lambda row: row.program)
async def test_verdict(row, program):
    data = REQUESTS.get(row.program, ASKED)
    async with alone(program(row.program)) as player:
        limits = BUSY if row.program in COMPUTES else IMPATIENT if row.verdict == "timeout" else PATIENT
        answer = await judged(player, turn(data), limits)
    if row.verdict == "none":
        assert not isinstance(answer.action, Fault), answer.action
        assert says(row.words).fullmatch(repr(answer.text)[1:-1]), answer.text
    else:
        assert answer.text is None
        assert answer.action.kind == row.verdict, answer.action.detail
        assert says(row.words).fullmatch(answer.action.detail), answer.action.detail


def test_every_program_is_in_the_catalogue():
    programs = sorted(path.stem for path in TURNS.glob("*.py") if path.stem != SHARED)
    assert sorted(row.program for row in entries(CATALOGUE)) == programs
    assert {row.verdict for row in entries(CATALOGUE)} == {"none", "exit", "timeout", "overflow", "invalid"}


# -- answers ----------------------------------------------------------------------------------------------------------


async def test_the_action_uses_the_whole_output_and_the_record_keeps_the_requested_lines(program):
    answer = await asked(program("writes_like_windows"))
    assert answer.action == (b"4\r", b"N\r", b"memory\r", b"and more\r")
    assert answer.text == "4\r\nN\r\nmemory"


async def test_each_turn_is_its_own_process_that_gets_only_its_request(program):
    async with alone(program("says_its_mind")) as player:
        for data in (b"4\nN\nfirst\n", b"9\nA\nsecond\n", b"1\n"):
            answer = await player.ask(turn(data), Clock(PATIENT))
            assert answer.action == tuple(data.removesuffix(b"\n").split(b"\n"))


async def test_a_fault_does_not_end_the_player(program):
    async with alone(program("says_its_mind")) as player:
        for data, good in ((b"rubbish\n", False), (b"4\n", True), (b"", False), (b"5\n", True)):
            answer = await player.ask(turn(data), Clock(PATIENT))
            assert isinstance(answer.action, Fault) is not good


async def test_the_name_is_the_bots_and_needs_no_process(program):
    launch = Counts(program("honest"))
    player = OneShotPlayer(launch, GAME_OF_TURNS, 3, places=trio.CapacityLimiter(1), pondering=Pondering(), own=Own())
    answer = await player.ask(Request(3, "getName", None), Clock(PATIENT))
    assert answer == Answer(3, "honest", "honest", 0.0)
    assert launch.spawned == 0


# -- taps and logs ----------------------------------------------------------------------------------------------------


@dataclass
class Passes(Deaf):
    """A tap."""

    asked: bytes = b""
    said: bytes = b""
    log: bytes = b""

    def sent(self, data: bytes) -> None:
        self.asked += data

    def received(self, data: bytes) -> None:
        self.said += data

    def logged(self, data: bytes) -> None:
        self.log += data


@pytest.mark.parametrize("data", [ASKED, b"4\n" + b"m" * 200_000], ids=["short", "longer than the pipe"])
async def test_the_bytes_that_pass_are_tapped(data, program):
    tap = Passes()
    async with alone(program("says_its_mind"), tap) as player:
        await player.ask(turn(data), Clock(PATIENT))
    assert (tap.asked, tap.said) == (data, data[: CAP + 1])


async def test_all_turns_share_one_log_and_its_last_words_are_the_last_turns(program):
    heard = bytearray()
    async with alone(program("says_its_mind"), Hears(heard.extend)) as player:
        for data in (b"4\n", b"44\n", b"444\n"):
            await player.ask(turn(data), Clock(PATIENT))
    assert heard == b"2 bytes\n3 bytes\n4 bytes\n"
    assert player.last_words(2) == ["3 bytes", "4 bytes"]


# -- starts -----------------------------------------------------------------------------------------------------------


@dataclass
class Counts:
    """A sandbox and its launch: counts how often it is prepared and spawned, and how many cells are open at the same time."""

    program: Any
    counted: dict[str, int] = field(default_factory=lambda: {"spawned": 0, "open": 0, "most": 0})
    cell: type[BareCell] = BareCell
    memory: int | None = None
    wiring: Wiring | None = None
    prepared: int = 0

    async def prepare(self, program: Any) -> Any:
        self.prepared += 1
        return self

    @property
    def name(self) -> str:
        return self.program.name

    @property
    def spawned(self) -> int:
        return self.counted["spawned"]

    def spawn(self, wiring: Wiring = LOG_SOCKET) -> BareCell:
        counted = self.counted
        self.wiring = wiring
        cell = BareLaunch(self.program).spawn(wiring)
        cell.__class__ = self.cell
        cell.memory = self.memory
        counted["spawned"] += 1
        counted["open"] += 1
        counted["most"] = max(counted["most"], counted["open"])
        close = cell.close

        def closing() -> None:
            counted["open"] -= 1
            close()

        cell.close = closing
        return cell


async def test_a_program_is_prepared_once_and_tried_once_before_the_match(program):
    class Greeted(BareCell):
        async def settle(self):
            await trio.lowlevel.wait_readable(self.stderr.fileno())

    launch = Counts(program("greets"), cell=Greeted)
    tap = Passes()
    async with alone(launch, tap) as player:
        assert launch.spawned == 1
        assert (tap.log, tap.asked, tap.said, player.last_words(1)) == (b"", b"", b"", [])
        for _ in range(3):
            await player.ask(turn(), Clock(PATIENT))
    assert (launch.spawned, launch.counted["open"], launch.prepared) == (4, 0, 1)
    assert (tap.log, player.log.total) == (b"hello\n" * 3, 18)


async def test_a_cell_that_cannot_be_set_up_is_found_before_the_match(program):
    class Broken(BareCell):
        async def settle(self):
            raise IsolationError("The cell of bot x could not be set up")

    with pytest.raises(IsolationError):
        async with alone(Counts(program("honest"), cell=Broken)):
            pytest.fail("the match begins anyway")


async def test_a_program_that_is_deleted_during_the_match_is_a_bot_error(program, tmp_path):
    script = tmp_path / "bot"
    script.write_text("#!/bin/sh\necho 4\n")
    script.chmod(0o755)
    async with alone(replace(program("honest"), argv=[str(script)])) as player:
        assert (await player.ask(turn(), Clock(PATIENT))).action == (b"4",)
        script.unlink()
        with pytest.raises(BotError, match="there is no program"):
            await player.ask(turn(), Clock(PATIENT))


async def test_no_more_run_at_once_than_there_are_places(program):
    counted = {"spawned": 0, "open": 0, "most": 0}
    places, both = trio.CapacityLimiter(2), {"pondering": Pondering(), "own": Own()}
    async with trio.open_nursery() as logs:
        launch = Counts(program("honest"), counted)
        players = [OneShotPlayer(launch, GAME_OF_TURNS, seat, places=places, **both) for seat in range(6)]
        async with trio.open_nursery() as nursery:
            for player in players:
                nursery.start_soon(player.settle, logs)
        assert (counted["spawned"], counted["most"]) == (6, 2)
        async with trio.open_nursery() as nursery:
            for seat, player in enumerate(players):
                nursery.start_soon(player.ask, turn(seat=seat), Clock(PATIENT))
        logs.cancel_scope.cancel()
    assert counted == {"spawned": 12, "open": 0, "most": 2}


@pytest.mark.parametrize(("together", "wiring"), [(True, ALL_SOCKETS), (False, LOG_SOCKET)])
async def test_if_several_clocks_run_at_once_no_stream_is_a_pipe(program, together, wiring):
    launch = Counts(program("honest"))
    game = replace(GAME_OF_TURNS, together=together)
    async with alone(launch, game=game) as player:
        assert (await player.ask(turn(), Clock(PATIENT))).action == (b"4", b"N", b"memory")
    assert launch.wiring == wiring


# -- time -------------------------------------------------------------------------------------------------------------


async def test_the_time_until_the_program_runs_is_not_charged(program, monkeypatch):
    """The clock jumps by an hour while a cell is set up."""
    late = 0.0
    true = oneshot.perf_counter
    monkeypatch.setattr(oneshot, "perf_counter", lambda: true() + late)

    class Slow(BareCell):
        async def settle(self):
            nonlocal late
            late += 3600.0

    answer = await asked(Counts(program("honest"), cell=Slow))
    assert answer.action == (b"4", b"N", b"memory")
    assert 0 <= answer.elapsed < 45
    assert 0 <= answer.late < 45


async def test_the_end_after_the_answer_is_not_charged(program, monkeypatch):
    """The clock jumps by an hour when the answer is complete and the clock of the end begins."""
    late = 0.0
    true = oneshot.perf_counter

    def an_hour_later(control):
        nonlocal late
        late += 3600.0
        return Clock(control)

    monkeypatch.setattr(oneshot, "perf_counter", lambda: true() + late)
    monkeypatch.setattr(oneshot, "Clock", an_hour_later)
    answer = await asked(program("ends_its_output_first"))
    assert late == 3600.0
    assert answer.text == "4\nN\nmemory"
    assert 0 <= answer.elapsed < 45
    assert 0 <= answer.late < 45


async def test_an_end_that_is_too_late_is_a_timeout_that_is_charged_up_to_the_answer(program, monkeypatch):
    monkeypatch.setattr(oneshot, "_END", TimeControl(0.01, 0.01, None))
    monkeypatch.setattr(Stopwatch, "starved", False)  # on a busy host, 10 ms may pass in which the program cannot run
    answer = await asked(program("never_ends"))
    assert answer.action == Fault(FaultKind.TIMEOUT, f'it {LATE_END}: "4\\nN\\nmemory\\n"')
    assert answer.text is None
    assert answer.cpu is not None
    assert answer.elapsed < 45


async def test_a_program_that_gets_no_time_to_end_has_answered(program, monkeypatch):
    """The mock host runs other programs meanwhile. If it were waited for, they could make the match void."""
    monkeypatch.setattr(Stopwatch, "starved", True)
    assert (await asked(program("never_ends"))).text == "4\nN\nmemory"


@pytest.mark.parametrize("pondering", [True, False])
async def test_a_program_that_has_answered_takes_no_more_time_from_a_player_that_is_due(program, pondering):
    async with alone(program("never_ends")) as player:
        player._pondering.allowed = pondering
        with player._pondering.due(object()):
            player._pondering.stop()
            answer = await player.ask(turn(), Clock(PATIENT))
    assert answer.text == "4\nN\nmemory"


async def test_the_time_until_the_answer_is_charged_and_its_cpu_time_is_known(program):
    answer = await asked(program("honest"))
    assert 0 <= answer.cpu < answer.elapsed + 0.01 < 45


async def test_a_player_that_has_used_up_its_total_is_not_started(program):
    launch = Counts(program("honest"))
    clock = Clock(TimeControl(45.0, 45.0, 2.0))
    clock.charge(2.0)
    player = OneShotPlayer(launch, GAME_OF_TURNS, 0, places=trio.CapacityLimiter(1), pondering=Pondering(), own=Own())
    answer = await player.ask(turn(), clock)
    assert answer.action == Fault(FaultKind.TIMEOUT, "the 2 s for all answers together are used up")
    assert (answer.elapsed, launch.spawned) == (0.0, 0)


async def test_a_total_of_cpu_time_is_charged_with_cpu_time(program):
    assert 0.5 < (await asked(program("spins"), BUSY)).cpu < 45


def starve(monkeypatch, seconds):
    """The mock host reports each program as ready but not running since its request, up to this many seconds."""
    began = {}
    watch = ProcessWitness.watch

    def watched(seen, **many):
        began.setdefault(seen, oneshot.perf_counter())
        return watch(seen, **many)

    monkeypatch.setattr(ProcessWitness, "watch", watched)
    monkeypatch.setattr(ProcessWitness, "stood", lambda seen: min(seconds, oneshot.perf_counter() - began[seen]))


async def test_stolen_time_moves_the_deadline_of_a_turn(program, monkeypatch):
    starve(monkeypatch, 0.3)
    launch = Counts(program("never_answers"))
    answer = await asked(launch, TimeControl(0.2, 0.2, None))
    assert answer.action.detail.startswith("no answer within 0.2 s")
    assert answer.elapsed >= 0.2
    assert answer.late >= 0.29
    assert launch.spawned == 2, "there is no second try"


async def test_if_more_time_is_stolen_than_may_be_added_the_match_is_void(program, monkeypatch):
    starve(monkeypatch, 99.0)
    with pytest.raises(HostStalled) as raised:
        await asked(program("never_answers"), TimeControl(0.05, 0.05, None))
    assert raised.value.seat == 0
    assert raised.value.stall.seconds > LEAST_ADDED


async def test_a_player_that_is_late_makes_no_match_void(program, monkeypatch):
    """The deadline and a stall are found at the same look."""
    monkeypatch.setattr(Watch, "look", lambda _: -1.0)
    monkeypatch.setattr(Watch, "stall", lambda _: Stall(31.0, 15.0))
    assert (await asked(program("never_answers"))).action.kind is FaultKind.TIMEOUT


@pytest.mark.parametrize("kept", [True, False])
async def test_the_cpu_time_of_an_ended_program_is_known_if_the_cell_keeps_its_number(program, monkeypatch, kept):
    class Keeps(BareCell):
        keeps_its_number = kept

    monkeypatch.setattr(oneshot._Dialogue, "_is_complete", lambda _: False)  # so it is answered when it has ended
    answer = await asked(Counts(program("honest"), cell=Keeps))
    assert answer.text == "4\nN\nmemory"
    assert (answer.cpu is not None) == kept


async def test_an_end_that_is_found_after_the_deadline_is_a_timeout(program, monkeypatch):
    """The program ends by itself, and the referee sleeps beyond the deadline before it sees that."""
    answered = Watch.answered

    def answered_late(self):
        answered(self)
        self.stopwatch.charged = self.stopwatch.limit + 0.1
        return False

    monkeypatch.setattr(Watch, "answered", answered_late)
    answer = await asked(program("honest"))
    assert answer.action.kind is FaultKind.TIMEOUT
    assert answer.elapsed == pytest.approx(45.1)


async def test_a_crash_is_an_exit_fault_however_late_it_is(program, monkeypatch):
    starve(monkeypatch, 99.0)
    launch = Counts(program("crashes"))
    assert (await asked(launch)).action.kind is FaultKind.EXIT
    assert launch.spawned == 2


# -- memory -----------------------------------------------------------------------------------------------------------


async def test_a_program_that_holds_too_much_memory_is_ended(program):
    answer = await asked(Counts(program("hoards"), memory=32 << 20))
    assert answer.action.kind is FaultKind.SANDBOX
    assert re.fullmatch(r"used \d+ MiB of memory, 32 are allowed", answer.action.detail)


# -- ends (the fixture `nothing_left` checks every test here) ---------------------------------------------------------


@pytest.mark.parametrize("name", LEAVES)
async def test_processes_that_a_program_leaves_end_with_its_turn(name, program, told_children):
    async with alone(program(name)) as player:
        for number in (1, 2):
            await player.ask(turn(), Clock(PATIENT))
            children = told_children(player)
            assert len(children) == number * LEAVES[name], "the program left its children"
            for pid in children:
                with pytest.raises(ProcessLookupError):
                    os.kill(pid, 0)


@pytest.mark.parametrize("name", ["never_answers", "never_ends", "stops_itself", "spins", "drips"])
async def test_after_a_cancel_in_the_middle_of_a_turn(name, program):
    tap = Asked()
    with trio.CancelScope() as scope:
        async with alone(program(name), tap) as player, trio.open_nursery() as nursery:
            nursery.start_soon(player.ask, turn(), Clock(PATIENT))
            await tap.is_asked.wait()
            scope.cancel()
    assert scope.cancelled_caught


class Asked(Deaf):
    """A tap that knows when a request is under way."""

    def __init__(self) -> None:
        self.is_asked = trio.Event()

    def sent(self, data: bytes) -> None:
        self.is_asked.set()


async def test_a_machine_without_free_descriptors_makes_the_match_void(program):
    launch = Counts(program("honest"))
    async with alone(launch) as player:
        launch.spawn = raising(OSError(errno.EMFILE, os.strerror(errno.EMFILE)))
        with pytest.raises(Exhausted, match=r"the match is void: .*Too many open files.*ulimit -n"):
            await player.ask(turn(), Clock(PATIENT))
