"""What the two kinds of environments have in common: agents and spaces, and the match that is played."""

from __future__ import annotations

from typing import Any

from gymnasium import spaces

from referee.contract.game import State
from referee.env.matches import Action, Episode, Matches, Observation
from referee.errors import UsageError


class Environment:
    """An environment that plays one match after the other.

    Attributes:
        match_seed: the seed of this match: `referee play --seed` begins the same one.
        planes: what each plane of an observation shows; empty if agents see the text.
        answers: the answer that each action stands for, as a bot would write it.
    """

    match_seed: int

    def __init__(self, matches: Matches, *, parallel: bool) -> None:
        self._matches = matches
        self.planes, self.answers = matches.planes, matches.answers
        self._now: Episode | None = None
        name = f"referee_{matches.game.name}"
        self.metadata: dict[str, Any] = {"name": name, "render_modes": ["ansi"], "is_parallelizable": parallel}
        self.render_mode = "ansi"
        self.possible_agents = list(matches.agents)
        self.agents: list[str] = []
        self.observation_spaces = {agent: matches.observation_space() for agent in matches.agents}
        self.action_spaces = {agent: matches.action_space() for agent in matches.agents}

    @property
    def match_state(self) -> State[Any, Any]:
        """The match by the rules: `position()`, `current_result()` and more. Only look at it."""
        return self._episode.state

    def observation_space(self, agent: str) -> spaces.Space[Observation]:
        """`observation` and `action_mask`; alike for all agents."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[Action]:
        """The numbers of `answers`; alike for all agents."""
        return self.action_spaces[agent]

    def render(self) -> str:
        """The board, the seats and the legend as text."""
        from referee.terminal.text import frame_text

        return frame_text(self._episode.state.draw())

    def close(self) -> None:
        """There is nothing to close."""

    @property
    def _episode(self) -> Episode:
        if self._now is None:
            raise UsageError("the environment has no match yet: call reset() first")
        return self._now

    def _begin(self, seed: int | None) -> Episode:
        """Begin the next match, for all agents."""
        self.match_seed = self._matches.seed(seed)
        self._now = self._matches.begin(self.match_seed)
        self.agents = list(self.possible_agents)
        return self._now
