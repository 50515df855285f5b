"""Random: takes any action that the rules allow. It is the weakest sample bot: a bot that loses to it has a bug."""

from random import Random

from snake import ACTIONS, AreaInfo, run


def choose(area: AreaInfo) -> str:
    # The random seed is the board, so a game can be repeated move by move.
    dice = Random(f"{area.turn} {area.me.head} {area}")
    sensible = [action for action in ACTIONS if worth_doing(area, action)]
    return dice.choice(sensible or ["N"])


def worth_doing(area: AreaInfo, action: str) -> bool:
    """Whether the action is not a wait, a wasted turn or a useless shield."""
    outcome = area.outcome(action)
    if outcome.kind == "deliver":
        return outcome.points > 0
    return outcome.kind in ("move", "eat", "bite")


if __name__ == "__main__":
    run("Random", choose)
