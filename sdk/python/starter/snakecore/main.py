"""@NAME@: a first bot for SnakeCore. It collects blocks, carries them home, and keeps its body out of rivals' reach.

The SDK (`snake`) talks to the referee and calls `choose` once a turn: start reading there. Printed output goes to the
bot's log, so `print(area)` shows what the bot sees. Rule numbers are those of `referee rules`.
"""

from snake import DIRECTIONS, AreaInfo, run  # by hand: PYTHONPATH=$(referee sdk path python)

ENOUGH = 10
"""It delivers with this many blocks. n blocks score n(n + 1)/2 (rule 13), so larger loads score more and risk more."""


def choose(area: AreaInfo) -> str:
    """The action of this turn: one of U L D R (move), N (wait), A (raise the shield)."""
    wish = errand(area)
    # The least dangerous action, the first one in a tie. Waiting is not an option, since two careful bots would wait
    # for each other.
    best = min([wish, *open_moves(area)], key=lambda action: danger(area, action))
    if danger(area, best) > 0 and area.me.energy > 0:
        return "A"  # no move is safe, but an energy block protects me for ten turns (rule 14)
    return best


def errand(area: AreaInfo) -> str:
    """Where I would go without rivals: to a reactor if I carry enough blocks or none are left, otherwise to the
    nearest block."""
    if len(area.me.body) >= ENOUGH:
        return area.first_step(area.reactors, area.free_blocks)
    if area.me.body:
        return area.first_step(area.free_blocks, area.reactors)
    return area.first_step(area.free_blocks)


def open_moves(area: AreaInfo) -> list[str]:
    """The directions that lead to an empty cell, to my own tail, which moves away in time (rule 12), or to a free
    block."""
    return [direction for direction in DIRECTIONS if area.outcome(direction).kind in ("move", "eat")]


def danger(area: AreaInfo, action: str) -> int:
    """How many blocks a rival could bite off me in its next turn if I did this now (rule 11)."""
    later = area.after(action)
    bites = [later.outcome(direction, rival.index) for rival in later.rivals for direction in DIRECTIONS]
    return max((bite.points for bite in bites if bite.victim == later.me.index), default=0)


if __name__ == "__main__":
    run("@NAME@", choose)
