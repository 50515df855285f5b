"""The environment of a game that asks one seat after the other: PettingZoo's AEC, close to the speed of the bare rules.

1. Most steps change no points and end nothing. So rewards are set to 0 only after a step that paid, and paid out only if points
   changed.
2. An agent that is never asked again is *terminated*. If a match ran out of rounds, the agents that are left are *truncated*:
   the position was not decided. If it ended otherwise, they are terminated.
3. An agent that ended is selected once more, for the action None, as PettingZoo asks for it. It sees the request that it would
   get now.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from pettingzoo import AECEnv
from pettingzoo.utils.env import AECIterable
from typing_extensions import override

from referee.contract.game import Request
from referee.env.environment import Action, Environment, Observation
from referee.errors import UsageError


class Turns(Environment, AECEnv[str, Observation, Action]):
    """Matches of one game, an agent at a time."""

    _due: Request[Any] | None = None

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin a match. `options` are ignored."""
        episode = self._begin(seed)
        agents = self.agents
        self.rewards = dict.fromkeys(agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(agents, 0.0)
        self.terminations = dict.fromkeys(agents, False)
        self.truncations = dict.fromkeys(agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in agents}
        self._state, self._points, self._paid = episode.state, episode.points(episode.state), False
        self._skip_agent_selection: str | None = None
        self._go_on()

    def step(self, action: Action | None) -> None:
        """Act for the selected agent: a number, or the text of an answer; None for an agent that ended.

        Raises:
            UsageError: there is no such action, or no match.
        """
        episode = self._now or self._episode
        if not self.agents:
            raise UsageError("the match is over: call reset() to begin the next one")
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        assert self._due is not None
        events = episode.advance((self._to_action(self._due.ask, action),))
        self._cumulative_rewards[agent] = 0.0
        if self._paid:
            self._clear_rewards()
            self._paid = False
        points = episode.points(self._state)
        if points != self._points:
            self._pay(points)
        gone = episode.gone(events)
        for seat in gone:
            left = self.possible_agents[seat]
            if left in self.terminations:
                self.terminations[left] = True
        self._go_on()
        if gone:
            self._deads_step_first()

    @override
    def agent_iter(self, max_iter: int = 2**63) -> AECIterable:
        """The agents as they are selected. Raises: UsageError: there is no match."""
        _ = self._episode
        return super().agent_iter(max_iter)

    def observe(self, agent: str) -> Observation:
        """What an agent sees. If it is not selected, this is what it would be asked now, and its mask is all ones."""
        episode, due, seat = self._now or self._episode, self._due, self.possible_agents.index(agent)
        if due is not None and due.seat == seat:
            return episode.seen(due, episode.allowed(self._state, seat))
        return episode.seen(episode.request(self._state, seat), bytearray(b"\1" * len(self.answers)))

    def _go_on(self) -> None:
        """Select the agent that is due; if none is, end all that are left."""
        due = self._state.requests()
        if due:
            self._due = due[0]
            self.agent_selection = self.possible_agents[due[0].seat]
            return
        self._due = None
        ending = self._episode.ending()
        for agent in self.agents:
            if not self.terminations[agent]:
                self.terminations[agent], self.truncations[agent] = ending
        self.agent_selection = self.agents[0]

    def _pay(self, points: Sequence[float]) -> None:
        """Give every agent what its points changed by."""
        rewards, total = self.rewards, self._cumulative_rewards
        for agent, before, now in zip(self.possible_agents, self._points, points, strict=True):
            if now != before and agent in rewards:
                rewards[agent] = now - before
                total[agent] += now - before
        self._points, self._paid = points, True
