"""What the two kinds of environments have in common: agents and spaces, how matches begin, and what actions mean.

1. A match with a seed is the one that `referee play --seed` would play: the same position and the same random choices.
   An environment that is reset without a seed draws the next seed from the last one given.
2. Names are answered here, and players of the house decide here: agents are only asked for actions.
3. An action is a number of `Training.answers` or the text of an answer. A text that breaks the protocol is a fault, which costs
   what the rules say; numbers cannot break it.
4. Rewards are the changes of points, which are the scores in the table of the match.
"""

from __future__ import annotations

import string
from collections.abc import Mapping, Sequence
from pathlib import Path
from random import Random
from typing import Any, Final, TypeAlias

import numpy as np
from gymnasium import spaces
from typing_extensions import override

from referee.boards.chance import pick
from referee.contract.game import Entrant, Event, Fault, FaultKind, Game, Policy, Request, State
from referee.contract.training import Training
from referee.errors import InvalidReply, UsageError
from referee.files import mapfiles
from referee.players.wire import decode_answer
from referee.text.amounts import whole

Action: TypeAlias = int | np.integer[Any] | str
Observation: TypeAlias = dict[str, Any]
"""`observation`: the planes or the text. `action_mask`: int8, a 1 for each action that is allowed."""

SEEDS: Final = 2**31
LONGEST: Final = 2**22
"""Characters of a request that a space of texts accepts: more than any request has."""
_INT8: Final = np.dtype(np.int8)
_UINT8: Final = np.dtype(np.uint8)


def training_of(game: Game[Any, Any]) -> Training:
    """How a game is learnt. Raises: UsageError: it does not say."""
    if game.training is None:
        raise UsageError(f"{game.name} has no environment: the game does not say how it is learnt")
    return game.training()


class Episode:
    """A match under way, as environments see and play it: an episode of learning.

    Attributes:
        house: the players of the house, by seat.
        points, request, allowed: see `Training`.
        advance: plays one step. Returns its events.
    """

    def __init__(
        self, game: Game[Any, Any], state: State[Any, Any], house: Mapping[int, Policy[Any, Any]], text: bool
    ) -> None:
        """A match whose names have been asked. Agents see the text of requests, or planes."""
        training = training_of(game)
        self.state, self.house = state, house
        self._made_of = game, state, house, text
        self._training, self._encode = training, game.encode
        self.points, self.request, self.allowed = training.points, training.request, training.allowed
        self._leaving = training.leaving | {"disqualified"}
        planes = self._planes = None if text else training.planes(state)
        self.advance = state.advance if planes is None else self._advance
        self._shape = () if planes is None else (len(planes.names), planes.rows, planes.columns)

    @override
    def __reduce__(self) -> tuple[object, ...]:
        return Episode, self._made_of

    def seen(self, request: Request[Any], mask: bytearray) -> Observation:
        """An observation: the caller's own, which later steps do not change."""
        planes = self._planes
        content = (
            self._encode(request).decode() if planes is None else np.ndarray(self._shape, _UINT8, planes.seen(request))
        )
        return {"observation": content, "action_mask": np.frombuffer(mask, _INT8)}

    def gone(self, events: Sequence[Event]) -> list[int]:
        """The seats that are never asked again after these events, while others may be."""
        leaving = self._leaving
        return [event["seat"] for event in events if event["event"] in leaving]

    def ending(self) -> tuple[bool, bool]:
        """Of a match that is over: whether it was decided, and whether it only ran out of rounds."""
        limited = self._training.limited(self.state)
        return not limited, limited

    def _advance(self, actions: Sequence[Any]) -> Sequence[Event]:
        events = self.state.advance(actions)
        assert self._planes is not None
        self._planes.follow(events)
        return events


class Environment:
    """An environment that plays one match after the other, on one map of a game.

    Attributes:
        match_seed: the seed of this match: `referee play --seed` begins the same one.
        planes: what each plane of an observation shows; empty if agents see the text.
        answers: the answer that each action stands for, as a bot would write it.
        possible_agents: `seat_0` and so on, by seat; the house has none.
    """

    match_seed: int

    def __init__(
        self, game: Game[Any, Any], chart: str | Path | None, seats: int | None, rounds: int | None, observe: str
    ) -> None:
        """Arguments as in `referee.env.aec`; `chart` is the map. Raises: UsageError: see there."""
        if observe not in ("planes", "text"):
            raise UsageError(f"observe: 'planes' or 'text', not {observe!r}")
        training = training_of(game)
        self._game, self.answers = game, tuple(training.answers)
        self._actions: dict[str, list[Any]] = {}  # what each number means to the rules, by the name of the request
        self._chart, self._observe = str(chart or game.maps.default), observe
        self._rounds = None if rounds is None else whole("rounds", rounds)
        self._document = mapfiles.read(game, self._chart)
        with mapfiles.about(self._chart):
            count = len(game.maps.facts(self._document).starts) if seats is None else whole("seats", seats)
            if count not in game.seats:
                raise UsageError(
                    f"{game.title} is for {game.seats.start} to {game.seats.stop - 1} players, not {count}"
                )
        self.possible_agents = [f"seat_{seat}" for seat in range(count)]
        self.agents: list[str] = []
        self._rng = Random()
        self._now: Episode | None = None
        self.metadata: dict[str, Any] = {
            "name": f"referee_{game.name}", "render_modes": ["ansi"], "is_parallelizable": game.together
        }  # fmt: skip
        self.render_mode = "ansi"
        planes = None if observe == "text" else training.planes(self._new_episode(0).state)
        self.planes = () if planes is None else tuple(planes.names)

        def seen() -> spaces.Space[Any]:
            if planes is None:
                return spaces.Text(LONGEST, min_length=0, charset=string.printable)
            return spaces.Box(0, 255, (len(planes.names), planes.rows, planes.columns), np.uint8)

        count = len(self.answers)
        self.observation_spaces = {
            agent: spaces.Dict({"observation": seen(), "action_mask": spaces.Box(0, 1, (count,), np.int8)})
            for agent in self.possible_agents
        }
        self.action_spaces = {agent: spaces.Discrete(count) for agent in self.possible_agents}

    @property
    def match_state(self) -> State[Any, Any]:
        """The match by the rules: `position()`, `current_result()` and more. Only look at it."""
        return self._episode.state

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        """`observation` and `action_mask`; alike for all agents."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        """The numbers of `answers`; alike for all agents."""
        return self.action_spaces[agent]

    def render(self) -> str:
        """The board, the seats and the legend as text."""
        from referee.terminal.text import frame_text

        return frame_text(self._episode.state.draw())

    def close(self) -> None:
        """Do nothing. PettingZoo asks for `close` beside `render`."""

    @property
    def _episode(self) -> Episode:
        if self._now is None:
            raise UsageError("the environment has no match yet: call reset() first")
        return self._now

    def _begin(self, seed: int | None) -> Episode:
        """Begin the next match, for all agents (theory, point 1). Raises: UsageError: the seed is not a whole number."""
        if seed is None:
            self.match_seed = pick(self._rng, SEEDS)
        else:
            self.match_seed = whole("seed", seed)
            self._rng = Random(self.match_seed)
        self._now = self._new_episode(self.match_seed)
        self.agents = list(self.possible_agents)
        return self._now

    def _new_episode(self, seed: int) -> Episode:
        """A match that waits for its first actions."""
        game, agents = self._game, self.possible_agents
        with mapfiles.about(self._chart):
            setup = mapfiles.setup(game, self._document, seats=len(agents), rng_seed=seed, rounds=self._rounds)
        house: dict[int, Policy[Any, Any]] = {}
        entrants = [Entrant(agent) for agent in agents]
        if game.house is not None:
            seats = game.start(setup, seed).seats
            house = {seat: game.house(seat, seed) for seat in range(len(entrants), seats)}
            entrants += [Entrant(policy.name, house=True) for policy in house.values()]
        state = game.start(setup, seed, entrants)
        while (due := state.requests()) and due[0].ask == "getName":
            state.advance([entrants[request.seat].name for request in due])
        return Episode(game, state, house, self._observe == "text")

    def _to_action(self, ask: str, action: Action | None) -> Any:
        """The action of the rules, or a fault, as the answer to a request. Raises: UsageError: there is no such action."""
        if isinstance(action, str):
            return self._decode(ask, action)
        if (actions := self._actions.get(ask)) is None:
            actions = self._actions[ask] = [self._decode(ask, answer) for answer in self.answers]
        try:
            if action is not None and action >= 0:
                return actions[action]
        except (IndexError, TypeError, ValueError):  # too large, or not one whole number
            pass
        raise UsageError(f"there is no action {action!r:.80}: the numbers are 0 to {len(self.answers) - 1}")

    def _decode(self, ask: str, text: str) -> Any:
        try:
            return decode_answer(self._game, ask, text)
        except InvalidReply as invalid:
            return Fault(FaultKind.INVALID, str(invalid))
