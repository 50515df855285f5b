"""The measured work: matches that are the same every time, and players that know their requests in advance.

1. A `Work` is played once by the rules alone, with answers from a list, and its requests are recorded. This gives each
   instant player (`programs/scripted.c`) a script, and the bare loop the same bytes that the referee sends.
2. A seat answers with its own fixed path (`PATHS`). For other games, the answers are those of the golden record.
   Chance comes from the seed, so every run of the match has the same requests.
3. The first message of a seat asks for its name and is not measured: its answer shows that the program runs.
4. A `Work` can be passed to another process; its files are in its folder.
"""

from __future__ import annotations

import shutil
import struct
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import Any, Final, NamedTuple

from benchmarks.setting import PROGRAMS, Setting
from referee import games
from referee.bots import Bot
from referee.bots.starting import environment
from referee.contract.game import Entrant, Game, Lifetime, Policy, Request, State
from referee.contract.positions import Position
from referee.contract.ranking import Outcome
from referee.files import mapfiles
from referee.saved.record import load

RECORDS: Final = Path(__file__).parents[2] / "tests" / "records"
SEED: Final = 7
SEATS: Final = 4
NAME: Final = "instant"
CLOCK: Final = 2**32 - 1
"""In a script: an answer that is the time."""
_NOTHING: Final = "0" * 64
PATHS: Final[Mapping[str, Sequence[str]]] = {
    "snakecore": list("URDLUURRDDLLNA"),
    "ants": [f"{kind} {mark} 5 {_NOTHING}" for kind in (1, 2, 8, 3, 3, 0, 9, 5) for mark in (0, 1)],
    "egghunt": [f"{move}\n{stance}\nwas {move}" for move in (2, 4, 6, 8, 1, 5, 9) for stance in "NAC"],
    "ava": ["ULDR", "LDRU", "DRUL", "RULD"],
    "viper": ["UULD", "LDRU", "DDRU", "RULD"],
}


class Message(NamedTuple):
    """A recorded request, and its answer in bytes."""

    seat: int
    ask: str
    request: bytes
    answer: bytes


@dataclass(frozen=True)
class Work:
    """A match that is the same every time.

    Attributes:
        seats: the number of processes. places: the number of seats, including those of the house after them.
        folder: the folder with the players' program and their scripts.
        player: the program of all players; its argument is a script.
        outcome: how the match ends.
        messages: the requests to processes and their answers, in order, without the requests for warm-up.
    """

    game_name: str
    setup: Position
    seats: int
    places: int
    folder: Path
    player: str
    outcome: Outcome
    messages: Sequence[Message]

    @property
    def game(self) -> Game[Any, Any]:
        """Its game."""
        return games.find(self.game_name)

    @property
    def size(self) -> int:
        """The median size of a request in bytes."""
        return round(median(len(message.request) for message in self.messages))

    def start(self) -> State[Any, Any]:
        """The match at its beginning."""
        return begun(self.game, self.setup, self.seats)

    def bot(self, seat: int) -> Bot:
        """An instant player."""
        return Bot(NAME, [self.player, f"script.{seat}"], self.folder, environment())

    def contenders(self) -> list[Bot | Policy[Any, Any]]:
        """The bots and players of the house, one for each seat."""
        return [self.bot(seat) if seat < self.seats else of_the_house(self.game, seat) for seat in range(self.places)]


def standard(setting: Setting, game: Game[Any, Any], requests: int) -> Work:
    """A match on a game's standard map with at least this many requests, if possible."""
    document = standard_map(game)
    rounds = 2
    while True:
        seats = seats_of(game, document)
        setup = game.maps.setup(document, seats=seats, rng_seed=SEED, rounds=rounds)
        total = sum(len(due) for due, _ in played(game, begun(game, setup, seats), seats))
        if total >= requests or rounds > requests:
            return made(setting, game, setup, seats)
        rounds = max(rounds + 1, int(rounds * min(requests / total, 4)))


def of_rounds(setting: Setting, game: Game[Any, Any], document: Mapping[str, Any], rounds: int) -> Work:
    """A match of this many rounds on this map."""
    seats = seats_of(game, document)
    return made(setting, game, game.maps.setup(document, seats=seats, rng_seed=SEED, rounds=rounds), seats)


def usual_map(game: Game[Any, Any]) -> Mapping[str, Any]:
    """The map that is played without `--map`."""
    return mapfiles.read(game, game.maps.default)


def standard_map(game: Game[Any, Any]) -> Mapping[str, Any]:
    """The map of most subjects. The usual map of SnakeCore is too plain: `rooms` has walls, reactors and many blocks."""
    return mapfiles.read(game, "rooms") if game.name == "snakecore" else usual_map(game)


def seats_of(game: Game[Any, Any], document: Mapping[str, Any]) -> int:
    """The number of players on a map: four, if it has room for them."""
    return min(SEATS, len(game.maps.facts(document).starts), game.seats[-1])


def begun(game: Game[Any, Any], setup: Position, seats: int, lifetime: Lifetime = "game") -> State[Any, Any]:
    """A match at its beginning; the game knows the entrants."""
    places = game.start(setup, SEED, []).seats
    return game.start(setup, SEED, entrants(game, seats, places, lifetime))


def entrants(game: Game[Any, Any], seats: int, places: int, lifetime: Lifetime = "game") -> list[Entrant]:
    """The entrants in all seats, for the game and for a saved game."""
    house = [Entrant(of_the_house(game, seat).name, "turn", house=True) for seat in range(seats, places)]
    return [*(Entrant(NAME, lifetime) for _ in range(seats)), *house]


def played(
    game: Game[Any, Any], state: State[Any, Any], seats: int
) -> Iterator[tuple[Sequence[Request[Any]], Sequence[Any]]]:
    """Play a match by the rules alone. Yields the requests of each step, valid until the next, and the actions."""
    policies = {seat: of_the_house(game, seat) for seat in range(seats, state.seats)}
    path = PATHS.get(game.name) or _recorded(game)
    name = game.decode("getName", [NAME.encode()])
    actions = [game.decode("getAction", line.encode().split(b"\n")) for line in path]
    turns = [0] * state.seats
    while due := state.requests():
        answers = []
        for request in due:
            seat = request.seat
            if request.ask == "getName":
                answers.append(name if seat < seats else game.decode("getName", [policies[seat].name.encode()]))
            elif seat < seats:
                answers.append(actions[turns[seat] % len(actions)])
                turns[seat] += 1
            else:
                answers.append(policies[seat].decide(request))
        yield due, answers
        state.advance(answers)


def _recorded(game: Game[Any, Any]) -> list[str]:
    """The answers of a game's golden record."""
    steps = [step for step in load(RECORDS / f"{game.name}.jsonl").steps if step.ask == "getAction"]
    return [answer.answer for step in steps for answer in step.answers if answer.answer is not None]


def of_the_house(game: Game[Any, Any], seat: int) -> Policy[Any, Any]:
    """The player of the house for an empty seat."""
    assert game.house is not None, f"{game.name} has more seats than players"
    return game.house(seat, SEED)


def made(setting: Setting, game: Game[Any, Any], setup: Position, seats: int) -> Work:
    """Record a match, and put its players into a folder."""
    folder = setting.room(game.name)
    player = shutil.copy(setting.compiled(PROGRAMS / "scripted.c"), folder)
    state = begun(game, setup, seats)
    messages = [
        Message(request.seat, request.ask, game.encode(request), f"{game.format(action)}\n".encode())
        for due, actions in played(game, state, seats)
        for request, action in zip(due, actions, strict=True)
        if request.seat < seats
    ]
    for seat in range(seats):
        entries = [entry(len(message.request), message.answer) for message in messages if message.seat == seat]
        (folder / f"script.{seat}").write_bytes(b"".join([entry(len(b"getName\n"), b"warm\n"), *entries]))
    return Work(game.name, setup, seats, state.seats, folder, str(player), state.current_result(), messages)


def entry(length: int, answer: bytes | None) -> bytes:
    """A line of a script: the length of a request, and the answer; None answers with the time."""
    return struct.pack("=II", length, CLOCK) if answer is None else struct.pack("=II", length, len(answer)) + answer
