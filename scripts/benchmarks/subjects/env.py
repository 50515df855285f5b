"""A step of each environment, beside the rules that it plays by.

1. A match is played once with random actions that are allowed. Then the same actions are played by the rules alone, by the rules
   with each request encoded, and in the environment, where each agent also takes its observation, mask and reward.
2. The rules with requests encoded do what a text observation needs. So *÷ rules* compares the environment with them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from random import Random
from time import perf_counter
from typing import Any, Final

from benchmarks.figures import compared, spread
from benchmarks.report import Cell, Findings, Subject, Table
from benchmarks.setting import Setting, UnavailableError
from referee import env, games
from referee.boards.chance import pick
from referee.contract.game import Game
from referee.errors import UsageError

SEED: Final = 7

Actions = Sequence[Mapping[str, int]]
"""The actions of each step, by agent."""


def drawn(environment: Any, most: int) -> Actions:
    """Random actions that are allowed, up to the end of the match or for this many steps."""
    rng = Random(SEED)
    actions: list[Mapping[str, int]] = []
    outcome = environment.reset(seed=SEED)
    while environment.agents and len(actions) < most:
        if outcome is None:
            observed, _, terminated, truncated, _ = environment.last()
            if terminated or truncated:
                break
            actions.append({environment.agent_selection: _any_of(observed, rng)})
            environment.step(*actions[-1].values())
        else:
            actions.append({agent: _any_of(observed, rng) for agent, observed in outcome[0].items()})
            outcome = environment.step(actions[-1])
    return actions


def _any_of(observed: Mapping[str, Any], rng: Random) -> int:
    allowed = [number for number, may in enumerate(observed["action_mask"]) if may]
    return allowed[pick(rng, len(allowed))]


def ruled(environment: Any, actions: Actions, encoded: bool) -> float:
    """The match by the rules: seconds per step."""
    state, encode = environment._new_episode(SEED).state, environment._game.encode
    ask = state.requests()[0].ask
    steps = [[environment._to_action(ask, action) for action in step.values()] for step in actions]
    began = perf_counter()
    for step in steps:
        for request in state.requests():
            if encoded:
                encode(request)
        state.advance(step)
    return (perf_counter() - began) / len(steps)


def one_by_one(environment: Any, actions: Actions) -> float:
    """The match in an environment, agent by agent: seconds per step."""
    steps = [action for step in actions for action in step.values()]
    environment.reset(seed=SEED)
    last, act = environment.last, environment.step
    began = perf_counter()
    for action in steps:
        last()
        act(action)
    return (perf_counter() - began) / len(steps)


def at_once(environment: Any, actions: Actions) -> float:
    """The match in an environment, all agents at once: seconds per step."""
    environment.reset(seed=SEED)
    act = environment.step
    began = perf_counter()
    for step in actions:
        act(step)
    return (perf_counter() - began) / len(actions)


def measure(setting: Setting) -> Findings:
    """Every game that can be learnt.

    Raises:
        UnavailableError: the extra is missing.
    """
    try:
        env.with_extra()
    except UsageError as lacking:
        raise UnavailableError(str(lacking)) from None
    most = setting.pick(2_000, 60)
    rows = [_row(setting, game, most) for game in games.every() if game.training is not None]
    head = ("game", "steps", "rules alone, µs", "requests encoded, µs", "text, µs", "÷ rules", "planes, µs", "÷ rules")
    return Findings([Table(head, rows)])


def _row(setting: Setting, game: Game[Any, Any], most: int) -> list[Cell]:
    make: Callable[..., Any] = env.parallel if game.together else env.aec
    text, planes = (make(game.name, observe=observe) for observe in ("text", "planes"))
    actions = drawn(text, most)
    play = at_once if game.together else one_by_one
    measures: dict[str, Callable[[], float]] = {
        "alone": partial(ruled, text, actions, False),
        "encoded": partial(ruled, text, actions, True),
        "text": partial(play, text, actions),
        "planes": partial(play, planes, actions),
    }
    figures = setting.rounds(15, measures)
    title = f"{game.title}, all agents at once" if game.together else game.title
    row: list[Cell] = [title, len(actions), spread(figures["alone"], 1e6), spread(figures["encoded"], 1e6)]
    for what in ("text", "planes"):
        row += [spread(figures[what], 1e6), compared(figures[what], figures["encoded"])]
    return row


SUBJECT = Subject(
    "env",
    "A step of an environment",
    "A step of `referee.env` with observation, mask and reward for the agents that act, beside the same match by the rules "
    "alone, and by the rules with each request encoded, which a text observation needs too. *÷ rules* compares with the latter.",
    measure,
)
