"""Random: any action that the rules let it do. The floor of the scale: whoever loses to it has a bug."""

from random import Random

from snake import ACTIONS, AreaInfo, run


def choose(area: AreaInfo) -> str:
    # The dice are thrown anew for each board, from the board itself: the same game can be played again move by move.
    dice = Random(f"{area.turn} {area.me.head} {area}")
    sensible = [action for action in ACTIONS if worth_doing(area, action)]
    return dice.choice(sensible or ["N"])


def worth_doing(area: AreaInfo, action: str) -> bool:
    """Neither a wait, nor a wasted turn, nor a shield over nothing."""
    outcome = area.outcome(action)
    if outcome.kind == "deliver":
        return outcome.points > 0
    return outcome.kind in ("move", "eat", "bite")


if __name__ == "__main__":
    run("Random", choose)
