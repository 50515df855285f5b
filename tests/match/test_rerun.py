"""A player is asked the requests of a saved game again: the requests, the comparison of answers, and the end."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest
from records import recording

from referee.contract.clock import Clock, TimeControl
from referee.contract.game import Answer, Entrant, Fault, FaultKind, Game, Lifetime, Request
from referee.errors import SavedGameError
from referee.games import find
from referee.match.rerun import AnswerPair, Stalled, ask_again, is_same_bot, seats_of, text_of
from referee.players.base import Player
from referee.players.fairness import HostStalled, Stall
from referee.saved.record import load
from referee.saved.replay import Replay

GAME, HUNT, ANTS = find("snakecore"), find("egghunt"), find("ants")
SETUP = {
    "size": 4, "rounds": 3, "field": ["..b.", ".R..", "e...", "...."],
    "pythons": [{"cells": [[0, 0], [0, 1]], "blocks": "e"}, {"cells": [[3, 3]], "score": 7}],
}  # fmt: skip
NAMES = [b"Viper", "Питон".encode("cp1251")]
LATE = Fault(FaultKind.TIMEOUT, "no answer within 1 s")
ANSWERS = "RUANR!"
"""Steps 1 and 2 are names; 3, 5 and 7 ask the first seat; 4, 6 and 8 ask the second, which times out in step 8."""


class Scripted(Player):
    """Answers with these outputs, and keeps the requests. A fault is returned as a fault, an exception is raised.

    Only in SnakeCore its name is one of the outputs.
    """

    def __init__(
        self,
        outputs: Sequence[str | Fault | Exception],
        game: Game[Any, Any] = GAME,
        lifetime: Lifetime = "game",
        seconds: float = 0.25,
    ) -> None:
        self.asked: list[str] = []
        self.sent: list[bytes] = []
        self.lifetime = lifetime  # type: ignore[misc]
        self._game, self._outputs, self._seconds = game, iter(outputs), seconds

    async def ask(self, request: Request[Any], clock: Clock) -> Answer[Any]:
        self.asked.append(request.ask)
        if request.ask == "getName" and self._game is not GAME:
            return Answer(7, "Rabbit", "Rabbit", self._seconds)
        self.sent.append(self._game.encode(request))
        output = next(self._outputs)
        if isinstance(output, Exception):
            raise output
        if isinstance(output, Fault):
            return Answer(7, output, None, self._seconds)
        action = self._game.decode(request.ask, output.encode().split(b"\n"))
        return Answer(7, action, output, self._seconds)

    async def end(self, *, grace: float) -> None:
        """Nothing to do: there is no process."""

    @property
    def memories(self) -> list[str]:
        """The memory of each request."""
        return [sent.decode().split("\n")[2 if self._game is ANTS else 6] for sent in self.sent]


def saved_as(
    path: Path,
    game: Game[Any, Any],
    setup: dict[str, Any],
    bots: Sequence[str | Entrant],
    moves: Sequence[str | bytes | Fault],
) -> Replay:
    """Save a match from this setup with these moves, in the order of the requests."""
    left = iter(moves)

    def answer(_number: int, request: Request[Any]) -> Answer[Any] | None:
        move = next(left, None)
        if move is None or isinstance(move, Fault):
            return move and Answer(request.seat, move, None, 0.002)
        return recording.reply(game, request, *(move.encode() if isinstance(move, str) else move).split(b"\n"))

    state = game.start(setup, 5, [bot for bot in bots if isinstance(bot, Entrant)])
    recording.save(path, game, state, answer, rng_seed=5, bots=bots)
    return Replay(load(path))


@pytest.fixture
def save(tmp_path: Path) -> Callable[..., Replay]:
    """Saves a match of two bots, `one` and `two`, with these answers; `!` is a timeout."""

    def make(bots: Sequence[str] = ("one", "two")) -> Replay:
        moves = [*NAMES, *(LATE if letter == "!" else letter for letter in ANSWERS)]
        return saved_as(tmp_path / "game.jsonl", GAME, SETUP, bots, moves)

    return make


async def ask_all(
    replay: Replay,
    seat: int,
    player: Player,
    *,
    last: int | None = None,
    clock: Clock | None = None,
    remembers: bool = False,
) -> list[AnswerPair]:
    """Ask a player the requests of a seat again; returns the report."""
    pairs: list[AnswerPair] = []
    clock = Clock(TimeControl(15, 1, None)) if clock is None else clock
    await ask_again(replay, seat, player, clock, pairs.append, last=last, remembers=remembers)
    return pairs


async def test_a_player_gets_exactly_the_requests_of_the_seat(save):
    replay = save()
    player = Scripted(["Viper", "R", "A", "R"])
    pairs = await ask_all(replay, 0, player)
    expected = []
    state = GAME.start(SETUP, 5)
    for line in [*NAMES, b"R", b"U", b"A", b"N", b"R", None]:
        (due,) = state.requests()
        if due.seat == 0:
            expected.append(GAME.encode(due))
        state.advance([LATE if line is None else GAME.decode(due.ask, [line])])
    assert player.sent == expected
    assert len(set(player.sent)) == 4
    assert [asked.step.number for asked in pairs] == [1, 3, 5, 7]


async def test_requests_do_not_depend_on_the_new_answers(save):
    replay = save()
    same, other = Scripted(["Viper", "R", "A", "R"]), Scripted(["Viper", "N", "N", "D"])
    runs = [await ask_all(replay, 0, player) for player in (same, other)]
    assert same.sent == other.sent
    assert [asked.differs for asked in runs[0]] == [False] * 4
    assert [asked.differs for asked in runs[1]] == [False, True, True, True]
    assert [text_of(GAME, asked.recorded) for asked in runs[1]] == ["Viper", "R", "A", "R"]
    assert [text_of(GAME, asked.now) for asked in runs[1]] == ["Viper", "N", "N", "D"]


async def test_answers_are_compared_by_meaning_and_names_are_not_compared(save):
    pairs = await ask_all(save(), 0, Scripted(["Another name", "R \t", "A\r", "R"]))
    assert [asked.differs for asked in pairs] == [False] * 4
    # The recorded answer cannot hold a name in cp1251: the name is read from the event.
    (named, *_) = await ask_all(save(), 1, Scripted(["Питон", "U"]), last=4)
    assert text_of(GAME, named.recorded) == "Питон"


async def test_faults_are_equal_if_their_kinds_are(save):
    replay = save()
    for fault, differs in [
        (Fault(FaultKind.TIMEOUT, "no answer within 9 s"), False),
        (Fault(FaultKind.EXIT, "exited with status 1"), True),
        ("N", True),
    ]:
        *_, last = await ask_all(replay, 1, Scripted(["Nobody", "U", "N", fault]))
        assert last.step.number == 8
        assert last.differs is differs
    assert text_of(GAME, last.recorded) == "timeout"


async def test_a_fault_even_at_the_name_ends_the_run(save):
    replay = save()
    player = Scripted(["Viper", LATE])
    assert [asked.differs for asked in await ask_all(replay, 0, player)] == [False, True]
    (only,) = await ask_all(replay, 0, Scripted([Fault(FaultKind.EXIT, "exited with status 1")]))
    assert only.differs


async def test_the_clock_is_charged_with_every_answer(save):
    clock = Clock(TimeControl(15, 1, None))
    await ask_all(save(), 0, Scripted(["Viper", "R", "A", "R"], seconds=0.25), clock=clock)
    assert (clock.answers, clock.used) == (4, 1.0)


async def test_a_busy_machine_is_not_a_fault_of_the_bot(save):
    stalled = HostStalled(0, Stall(0.7, 1.0))
    with pytest.raises(
        Stalled,
        match=r"^step 4: the bot had to answer within 1 s, but for 0\.7 s this machine ran other programs .* still; ask again",
    ):
        await ask_all(save(), 1, Scripted(["Nobody", stalled]))


async def test_a_step_that_breaks_the_rules_is_an_error_before_the_player_is_asked(save):
    forged = _changed(save(), 7, '"answer":"N"', '"answer":"U"')
    player = Scripted(["Viper", "R", "A", "R"])
    with pytest.raises(SavedGameError, match="line 7: events"):
        await ask_all(forged, 0, player)
    assert player.sent == []
    assert len(await ask_all(forged, 0, player, last=5)) == 3  # the steps before it are valid


async def test_random_draws_are_those_of_the_file(save):
    replay = save()
    (event,) = (event for step in replay.steps for event in step.events if event["event"] == "return")
    x, y = event["at"]
    cell = next(at for at in ([0, 3], [1, 3], [2, 2]) if at != [x, y])  # all are free cells
    forged = _changed(replay, 6, f'"at":[{x},{y}]', f'"at":[{cell[0]},{cell[1]}]')
    player = Scripted(["Viper", "R", "A", "R"])
    await ask_all(forged, 0, player)
    rows = player.sent[-1].decode().split("\n")[2:6]
    assert rows[cell[1]][cell[0]] == "e"
    assert rows[y][x] == "."


def test_seats_are_found_by_the_name_in_the_file(save):
    assert seats_of(save(), "two") == [1]
    assert seats_of(save(), "three") == []
    assert seats_of(save(bots=["one", "one"]), "one") == [0, 1]


def test_is_same_bot_compares_names_without_their_number():
    assert is_same_bot("wanda", "wanda")
    assert is_same_bot("wanda", "wanda#2")
    assert is_same_bot("wanda#2", "wanda#2")
    assert not is_same_bot("wanda#2", "wanda")
    assert not is_same_bot("wanda", "wanda 2")


def _changed(replay: Replay, line: int, old: str, new: str) -> Replay:
    path = Path(replay.record.path)
    lines = path.read_text().splitlines(keepends=True)
    assert old in lines[line - 1]
    lines[line - 1] = lines[line - 1].replace(old, new, 1)
    path.write_text("".join(lines))
    return Replay(load(path))


# -- games with simultaneous moves, and bots that live for a turn ----------------------------------------------------

GARDEN = {
    "field": ["######", "#    #", "#    #", "######"], "eggs": [[4, 1], [4, 2]], "players": [[1, 1], [1, 2]],
    "turns": 3,
}  # fmt: skip
TURNS = [Entrant("right", "turn"), Entrant("stays", "turn")]


@pytest.fixture
def hunt(tmp_path: Path) -> Replay:
    """A match of two bots that live for a turn: the first walks to the right, the second waits and times out in turn 2."""
    moves = ["4\nN\n1", "9\nC\nhere", "4\nN\n2", LATE, "4\nN\n3", "9\nC\nhere"]
    return saved_as(tmp_path / "hunt.jsonl", HUNT, GARDEN, TURNS, moves)


async def test_one_of_several_simultaneous_requests_is_asked_again(hunt):
    for seat, answers in enumerate((["4\nN\n1", "4\nN\n2", "9\nN\n3"], ["9\nC\nhere", "9\nC\nhere", "9\nC\nhere"])):
        player = Scripted(answers, HUNT, "turn")
        pairs = await ask_all(hunt, seat, player)
        assert player.asked == ["getAction"] * 3, "it is not asked for its name"
        assert [asked.step.number for asked in pairs] == [1, 2, 3]
        assert {asked.now.seat for asked in pairs} == {asked.request.seat for asked in pairs} == {seat}
        assert [asked.differs for asked in pairs] == [[False, False, True], [False, True, False]][seat]


async def test_a_difference_in_memory_alone_is_not_a_difference(hunt):
    pairs = await ask_all(hunt, 0, Scripted(["4\nN\nx", "4\nA\n2", "4\nN\n"], HUNT, "turn"))
    assert [asked.differs for asked in pairs] == [False, True, False]


async def test_a_bot_with_one_process_per_turn_continues_after_a_fault(hunt):
    pairs = await ask_all(hunt, 1, Scripted(["9\nC\nhere", LATE, LATE], HUNT, "turn"))
    assert [isinstance(asked.now.action, Fault) for asked in pairs] == [False, True, True]
    assert [asked.differs for asked in pairs] == [False, False, True]


async def test_a_bot_that_stays_gets_getname_first_and_ends_at_a_fault(hunt):
    player, clock = Scripted(["4\nN\n1", LATE], HUNT, "game"), Clock(TimeControl(1, 1, None))
    pairs = await ask_all(hunt, 0, player, clock=clock)
    assert player.asked == ["getName", "getAction", "getAction"]
    assert [asked.step.number for asked in pairs] == [1, 2]
    assert clock.answers == 3


async def test_a_fault_at_getname_is_reported_at_the_first_step(hunt):
    class Fails(Scripted):
        async def ask(self, request, clock):
            self.asked.append(request.ask)
            return Answer(0, Fault(FaultKind.EXIT, "exited with status 1"), None, 0.25)

    player = Fails([], HUNT)
    (only,) = await ask_all(hunt, 0, player)
    assert player.asked == ["getName"]
    assert (only.step.number, only.now.action, only.differs) == (1, Fault(FaultKind.EXIT, "exited with status 1"), True)


# -- memories: each bot gets its own memory back ----------------------------------------------------------------------


async def test_a_bot_gets_its_own_memory_and_not_that_of_the_recorded_player(hunt):
    player = Scripted(["4\nN\nmine", "4\nN\nmine too", "9\nN\n"], HUNT, "turn")
    await ask_all(hunt, 0, player)
    assert player.memories == ["", "mine", "mine too"]


async def test_only_faults_of_the_new_bot_lose_its_memory(hunt):
    # In turn 2 the recorded player of the second seat was late.
    player = Scripted(["9\nC\nfirst", "9\nC\nsecond", LATE], HUNT, "turn")
    await ask_all(hunt, 1, player)
    assert player.memories == ["", "first", "second"]
    player = Scripted(["9\nC\nfirst", LATE, "9\nC\n"], HUNT, "turn")
    await ask_all(hunt, 1, player)
    assert player.memories == ["", "first", ""]


async def test_a_memory_ends_with_its_run(tmp_path):
    rows = ["#" * 21, *["#" + " " * 19 + "#"] * 19, "#" * 21]
    players = [[1 + 2 * k, 1] for k in range(7)]
    setup = {"field": rows, "eggs": [[1, 19]], "players": players, "runs": 2, "turns": 2}
    bots = [Entrant(f"bot {seat}", "turn") for seat in range(7)]
    replay = saved_as(tmp_path / "runs.jsonl", HUNT, setup, bots, ["9\nN\ntheirs"] * 7 * 4)
    player = Scripted([f"9\nN\nturn {k}" for k in range(4)], HUNT, "turn")
    await ask_all(replay, 3, player)
    assert player.memories == ["", "turn 0", "", "turn 2"]


@pytest.mark.parametrize("remembers", [False, True])
async def test_a_memory_of_the_setup_is_given_only_to_its_owner(remembers, tmp_path):
    setup = {**GARDEN, "memory": ["theirs", "others"]}
    replay = saved_as(tmp_path / "hunt.jsonl", HUNT, setup, TURNS, ["9\nN\n1"] * 4)
    player = Scripted(["9\nN\nown", "9\nN\n"], HUNT, "turn")
    await ask_all(replay, 0, player, remembers=remembers)
    assert player.memories == ["theirs" if remembers else "", "own"]


async def test_each_ant_has_its_own_memory_from_the_new_bot(tmp_path):
    setup = {"size": 3, "units": 3, "ants": 2, "hills": [[0, 0], [2, 2]], "food": [[1, 1, 3]]}
    theirs = "9" * 64
    moves = ["x", "x", *(f"{k % 4} 0 0 {theirs}" for k in range(10))]
    # Each team has one ant in unit 1, and two in units 2 and 3: seat 0 is asked five times.
    replay = saved_as(tmp_path / "ants.jsonl", ANTS, setup, ["one", "two"], moves)
    outputs = [f"{kind} 0 0 {k + 1:064x}" for k, kind in enumerate((0, 2, 1, 2, 1))]  # recorded: 0, 2, 3, 2, 3
    player = Scripted(outputs, ANTS)
    _, *pairs = await ask_all(replay, 0, player)
    assert [int(memory, 16) for memory in player.memories] == [0, 1, 0, 2, 3]
    assert [text_of(ANTS, asked.recorded) for asked in pairs] == [f"{kind} 0 0 {theirs}" for kind in (0, 2, 3, 2, 3)]
    assert [asked.differs for asked in pairs] == [False, False, True, False, True]
