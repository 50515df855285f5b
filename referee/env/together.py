"""The environment of a game that asks all seats at once: PettingZoo's ParallelEnv.

An agent that is disqualified is terminated. If a match ran out of rounds, the agents that are left are truncated; if it ended
otherwise, they are terminated.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pettingzoo import ParallelEnv
from pettingzoo.utils.conversions import parallel_to_aec_wrapper
from typing_extensions import override

from referee.env.environment import Action, Environment, Episode, Observation
from referee.errors import UsageError


class Together(Environment, ParallelEnv[str, Observation, Action]):
    """Matches of one game, all agents at once."""

    def reset(
        self, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Observation], dict[str, dict[str, Any]]]:
        """Begin a match. `options` are ignored. Returns the observations and the (empty) infos."""
        episode = self._begin(seed)
        self._points = episode.points(episode.state)
        return self._observations(episode), {agent: {} for agent in self.agents}

    def step(
        self, actions: Mapping[str, Action]
    ) -> tuple[dict[str, Observation], dict[str, float], dict[str, bool], dict[str, bool], dict[str, dict[str, Any]]]:
        """Act for all agents: a number, or the text of an answer, for each.

        Returns:
            Observations, rewards, terminations, truncations and infos of the agents that acted.

        Raises:
            UsageError: an agent has no action, there is no such action, or no match.
        """
        episode, agents, names = self._episode, self.agents, self.possible_agents
        if missing := [agent for agent in agents if agent not in actions]:
            raise UsageError(f"step() needs an action for each agent, and {missing[0]} has none")
        answers = [
            player.decide(request)
            if (player := episode.house.get(request.seat)) is not None
            else self._to_action(request.ask, actions[names[request.seat]])
            for request in episode.state.requests()
        ]
        events = episode.advance(answers)
        points, before = episode.points(episode.state), self._points
        self._points = points
        rewards = {agent: points[seat] - before[seat] for seat, agent in enumerate(names) if agent in agents}
        gone = {names[seat] for seat in episode.gone(events)}
        ending = (False, False) if episode.state.requests() else episode.ending()
        endings = {agent: (True, False) if agent in gone else ending for agent in agents}
        observations = self._observations(episode)
        self.agents = [agent for agent in agents if not any(endings[agent])]
        terminations = {agent: terminated for agent, (terminated, _) in endings.items()}
        truncations = {agent: truncated for agent, (_, truncated) in endings.items()}
        return observations, rewards, terminations, truncations, {agent: {} for agent in agents}

    def _observations(self, episode: Episode) -> dict[str, Observation]:
        """What every agent that is left sees."""
        return {
            agent: episode.seen(episode.request(episode.state, seat), episode.allowed(episode.state, seat))
            for seat, agent in enumerate(self.possible_agents)
            if agent in self.agents
        }


class OneByOne(parallel_to_aec_wrapper[str, Observation, Action]):
    """PettingZoo's converter: the agents of `Together` act one after the other. It has the attributes of `Environment`, too."""

    @override
    def __getattr__(self, name: str) -> Any:
        if name.startswith("_") or name == "env":  # a copy that is being made has no `env`
            raise AttributeError(name)
        return getattr(self.env, name)
