"""The egg hunt's rules, pure: runs, turns, names and faults. Numbers in brackets are the rules of README.md.

1. Players whose process lives for the whole match are asked their names first, one in each step (4). Then every step is a
   turn of a run: one request to each seat that is not disqualified. settlement.py settles the turn.
2. The turn is counted up only if another one follows. So the final position has the last run and turn, the eggs of that
   run in `scores`, and the eggs of earlier runs in `totals`.
3. The field of run k depends only on the match's seed and k (1). So a match that is resumed with the same seed has the same
   fields. If a record has another field, that one is used if rule 1 allows it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, NamedTuple, TypeAlias

from referee.contract.frame import Frame, SeatLine
from referee.contract.game import Entrant, Event, Fault, Request, State, disqualified
from referee.contract.positions import Position
from referee.contract.ranking import Outcome, rank
from referee.errors import SetupError
from referee.games.egghunt.board import BLANK, OUTSIDE, PLAYER, STEPS, WALL, Board
from referee.games.egghunt.generate import Field, field_of_run, keeps_the_rules
from referee.games.egghunt.position import TURNS_EACH, PositionModel
from referee.games.egghunt.settlement import settle
from referee.games.egghunt.view import draw
from referee.text.strict import read
from referee.text.words import shown_name


class Action(NamedTuple):
    """A decision: a direction from 1 to 9, a stance (`A`, `C` or `N`) and the memory for the next turn (3)."""

    direction: int
    stance: str
    memory: str


STAY = Action(9, "N", "")
"""The action of a player that gave no usable answer (3, 4)."""
Decision: TypeAlias = Action | str
"""An `Action`; a name in answer to `getName`."""


class EggHunt(State["EggHunt", Decision]):
    """One match. A request's observation is the state itself; wire.py encodes what the asked seat may see.

    Attributes:
        homes: the cell of each player, as an index into the board's text. eggs: the cells with an egg, in the setup's order.
        memory, scores, totals, disqualified: an entry for each seat, as in positions.
    """

    homes: list[int]
    eggs: dict[int, None]

    def __init__(self, setup: PositionModel, rng_seed: int, entrants: Sequence[Entrant]) -> None:
        seats = self.seats = len(setup.players)
        self.runs, self.turns = setup.runs, setup.turns or TURNS_EACH * seats
        self.disqualified: list[str | None] = list(setup.disqualified or [None] * seats)
        self.totals = list(setup.totals or [0] * seats)
        self.staying = [entrant.lifetime == "game" for entrant in entrants] or [True] * seats
        self.ranked = [seat for seat in range(seats) if not (entrants and entrants[seat].house)]
        self.names = ["" if entrant.lifetime == "game" else entrant.name for entrant in entrants] or [""] * seats
        self.played = 0
        self._rng_seed = rng_seed
        self._recorded: object = None
        self._playing = [seat for seat in range(seats) if self.disqualified[seat] is None]
        self._unnamed = [seat for seat in self._playing if self.staying[seat]]
        self._over: str | None = None
        self._due: tuple[Request[EggHunt], ...] = ()
        self._begin_run(setup.run, _field_of(setup))
        self.turn = setup.turn
        self.memory = list(setup.memory or [""] * seats)
        self.scores = list(setup.scores or [0] * seats)
        if not self.eggs and self.run == self.runs:
            self._over = "runs"
        self._settle_who_is_due()

    # -- the contract --------------------------------------------------------------------------------------------

    @property
    def round(self) -> int:
        """The turn of the run under way, 0 while names are asked."""
        return 0 if self._unnamed else self.turn

    def requests(self) -> Sequence[Request[EggHunt]]:
        """A request to every seat that is not disqualified (2); while names are asked, to the next seat without one."""
        return self._due

    def advance(self, actions: Sequence[Decision | Fault]) -> Sequence[Event]:
        """One turn of all players, or one name."""
        recorded, self._recorded = self._recorded, None
        if self._unnamed:
            (action,) = actions
            events = self._name(action)
        else:
            events = self._turn(actions, recorded)
        self._settle_who_is_due()
        return events

    def follow(self, events: Sequence[Event]) -> None:
        """Take the field of the next run from recorded events: the rules draw nothing else."""
        self._recorded = next((event.get("position") for event in events if event.get("event") == "run"), None)

    def current_result(self) -> Outcome:
        """The ranking by the mean over all runs (6), without the seats of the house; the rounds are turns."""
        means = [_mean(self.totals[seat] + self.scores[seat], self.runs) for seat in self.ranked]
        names = [shown_name(self.names[seat], seat) for seat in self.ranked]
        ranking = rank(means, [self.disqualified[seat] for seat in self.ranked], names)
        ranking = [replace(line, seat=self.ranked[line.seat]) for line in ranking]
        return Outcome("interrupted" if self._due else self._over or "nobody-left", self.played, ranking)

    def position(self) -> Position:
        """This moment, as README.md describes it."""
        xy = self.board.xy
        return {
            "runs": self.runs, "run": self.run, "turns": self.turns, "turn": self.turn,
            "field": list(self.board.field),
            "eggs": [xy(cell) for cell in self.eggs], "players": [xy(cell) for cell in self.homes],
            "memory": list(self.memory), "scores": list(self.scores), "totals": list(self.totals),
            "disqualified": list(self.disqualified),
        }  # fmt: skip

    def draw(self) -> Frame:
        """The board and the seats' figures."""
        title = f"turn {self.turn} of {self.turns}" if self.round else "names"
        if self.runs > 1:
            title = f"run {self.run} of {self.runs}, {title}"
        lines = []
        for seat, score in enumerate(self.scores):
            total = self.totals[seat] + score
            name, mean, figures = shown_name(self.names[seat], seat), _mean(total, self.runs), (str(score), str(total))
            lines.append(SeatLine(seat, name, mean, figures, self.disqualified[seat]))
        xy, to_move = self.board.xy, [request.seat for request in self._due]
        eggs, players = map(xy, self.eggs), map(xy, self.homes)
        return draw(self.board.field, eggs, players, lines, title=title, to_move=to_move)

    # -- names and faults ----------------------------------------------------------------------------------------

    def _name(self, action: Decision | Fault) -> list[Event]:
        seat = self._unnamed.pop(0)
        if isinstance(action, Fault):
            return [self._disqualify(seat, action)]
        assert isinstance(action, str)
        self.names[seat] = action
        return [{"event": "named", "seat": seat, "name": action}]

    def _action_after_fault(self, seat: int, action: str | Fault, events: list[Event]) -> Action:
        """The action of a player after a fault. A player with one process for the match is also disqualified (4)."""
        assert isinstance(action, Fault)
        if self.staying[seat]:
            events.append(self._disqualify(seat, action))
        return STAY

    def _disqualify(self, seat: int, fault: Fault) -> Event:
        self.disqualified[seat] = str(fault.kind)
        self.memory[seat] = ""
        self._playing.remove(seat)
        return disqualified(seat, fault)

    def _settle_who_is_due(self) -> None:
        if self._over is not None or not self._playing:
            self._unnamed.clear()
            self._due = ()
        elif self._unnamed:
            self._due = (Request(self._unnamed[0], "getName", self),)
        elif len(self._due) != len(self._playing) or self._due[0].ask != "getAction":
            self._due = tuple(Request(seat, "getAction", self) for seat in self._playing)

    # -- turns ---------------------------------------------------------------------------------------------------

    def _turn(self, actions: Sequence[Decision | Fault], recorded: object) -> list[Event]:
        board, homes, steps = self.board.text, self.homes, self._steps
        events: list[Event] = []
        # A disqualified player stands still and its memory stays empty (4).
        targets, stances, memory = homes.copy(), ["N"] * self.seats, [""] * self.seats
        for (seat, _, _), action in zip(self._due, actions, strict=True):
            if not isinstance(action, Action):
                action = self._action_after_fault(seat, action, events)
            direction, stances[seat], memory[seat] = action
            target = homes[seat] + steps[direction]
            if (there := board[target]) != WALL and there != OUTSIDE:
                targets[seat] = target
        self.memory = memory
        self.played += 1
        self._settle(targets, stances, events)
        if self.eggs and self.turn < self.turns:
            if self._playing:
                self.turn += 1
        elif self.run == self.runs:  # (6)
            self._over = "runs"
        elif self._playing:
            events.append(self._next_run(recorded))
        return events

    def _settle(self, targets: list[int], stances: Sequence[str], events: list[Event]) -> None:
        """Move the players, and take and break eggs (5)."""
        homes, text, xy = self.homes, self.board.text, self.board.xy
        fights, back, collect, destroy = settle(homes, targets, stances, self.eggs)
        for seats, winner in fights:
            events.append({"event": "fight", "seats": list(seats), "winner": winner})
        for seat in back:
            targets[seat] = homes[seat]
            events.append({"event": "back", "seat": seat})
        for home in homes:
            text[home] = BLANK
        for seat, (home, cell) in enumerate(zip(homes, targets, strict=True)):
            text[cell] = PLAYER
            if cell != home:
                events.append({"event": "to", "seat": seat, "at": xy(cell)})
        self.homes = targets
        for seat in collect:
            del self.eggs[targets[seat]]
            self.scores[seat] += 1
            events.append({"event": "collect", "seat": seat})
        for seat in destroy:
            del self.eggs[targets[seat]]
            events.append({"event": "destroy", "seat": seat})

    # -- runs ----------------------------------------------------------------------------------------------------

    def _begin_run(self, run: int, field: Field) -> None:
        board = self.board = Board(field.rows, field.eggs, field.players)
        self.run, self.turn = run, 1
        self.eggs = dict.fromkeys([board.index(x, y) for x, y in field.eggs])
        self.homes = [board.index(x, y) for x, y in field.players]
        self._steps = [board.step(direction) for direction in range(len(STEPS))]
        self.memory, self.scores = [""] * self.seats, [0] * self.seats

    def _next_run(self, recorded: object) -> Event:
        run = self.run + 1
        self.totals = [total + score for total, score in zip(self.totals, self.scores, strict=True)]
        self._begin_run(run, self._field_told(recorded) or field_of_run(self.seats, self._rng_seed, run))
        return {"event": "run", "run": run, "position": self.position()}

    def _field_told(self, position: Any) -> Field | None:
        """The field of a recorded position, None if the rules do not allow it. The replay compares the rest."""
        try:
            field = _field_of(read(PositionModel, position, SetupError))
        except SetupError:
            return None
        return field if len(field.players) == self.seats and keeps_the_rules(field) else None


def start(setup: Position, rng_seed: int, entrants: Sequence[Entrant] = (), /) -> EggHunt:
    """A match from a position and a seed. `entrants` say which processes live for the match, and which seats are the house's.

    Raises: SetupError: the position breaks the rules, or there are not as many entrants as players.
    """
    model = read(PositionModel, setup, SetupError)
    if entrants and len(entrants) != len(model.players):
        raise SetupError(f"players: {len(model.players)} in the position, but {len(entrants)} take part")
    return EggHunt(model, rng_seed, entrants)


def _field_of(model: PositionModel) -> Field:
    return Field(model.field, [(x, y) for x, y in model.eggs], [(x, y) for x, y in model.players])


def _mean(eggs: int, runs: int) -> float:
    """Eggs for each run, as an int if it is a whole number."""
    return eggs // runs if eggs % runs == 0 else eggs / runs
