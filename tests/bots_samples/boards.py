"""Awkward boards, which are rare in matches. Each is a request without its first line."""

from random import Random


def scattered(size: int, seats: int, seed: int, reactors: int = 3) -> str:
    """A field with walls, blocks, reactors and heads in random cells, determined by the seed."""
    dice = Random(seed)
    cells = [(x, y) for x in range(size) for y in range(size)]
    dice.shuffle(cells)
    rows = [["."] * size for _ in range(size)]
    heads = [cells.pop() for _ in range(seats)]
    for x, y in heads:
        rows[y][x] = "p"
    for what, count in [("R", reactors), ("W", size * size // 20), ("b", size * size // 10), ("e", size * size // 40)]:
        for _ in range(count):
            x, y = cells.pop()
            rows[y][x] = what
    lines = [str(size), *("".join(row) for row in rows), *(f"0 1 {x} {y}" for x, y in heads)]
    return "\n".join(lines)


def drawn(rows: str, *pythons: str) -> str:
    return "\n".join([str(len(rows.split())), *rows.split(), *pythons])


def coil(size: int, blocks: str) -> str:
    """A python that lies row by row from the head at the top right, and turns at the end of each row."""
    cells = [(x if y % 2 else size - 1 - x, y) for y in range(size) for x in range(size)][: len(blocks) + 1]
    rows = [["."] * size for _ in range(size)]
    for (x, y), what in zip(cells, "p" + blocks, strict=True):
        rows[y][x] = what
    line = " ".join(f"{x} {y}" for x, y in cells)
    return "\n".join([str(size), *("".join(row) for row in rows), f"0 {len(cells)} {line}"])


OPEN = "." * 11
AWKWARD = {
    "nothing but its head": drawn(f"p.......... {' '.join([OPEN] * 10)}", "0 1 0 0"),
    "a field of one cell": drawn("p", "0 1 0 0"),
    "enclosed by walls": drawn("pW. W.. ..b", "0 1 0 0"),
    "blocks out of reach": drawn("p.W.. ..W.b WWW.. ..... ....R", "0 1 0 0"),
    "no reactor": drawn("p..b. ..... .e... ..... ....b", "0 1 0 0"),
    "a long body and no reactor": coil(11, "bbbbe" * 8),
    "no block, a body, a reactor": drawn("pb... ..... ....R ..... .....", "0 2 0 0 1 0"),
    "an unreachable reactor": drawn("pbb.W ....W ..WWW ..W.R WWWW.", "0 3 0 0 1 0 2 0"),
    "boxed in by its own body": drawn("bbb.. bpb.. bbb.. ..... ....R", "0 9 1 1 2 1 2 2 1 2 0 2 0 1 0 0 1 0 2 0"),
    "boxed in by its own shield": drawn("bbb.. bpe.. bbe.. ..... ....R", "9 9 1 1 2 1 2 2 1 2 0 2 0 1 0 0 1 0 2 0"),
    "boxed in by rivals": drawn(".p. ppp .p.", "0 1 1 1", "0 1 1 0", "0 1 0 1", "0 1 1 2", "0 1 2 1"),
    "only its own tail is free": drawn("pbW bbW WWW", "0 4 0 0 1 0 1 1 0 1"),
    "a rival's tail in the only way": drawn("pbb WWp ..b", "0 1 0 0", "0 3 2 1 2 0 1 0"),
    "a rival's head beside its body": drawn("pbbeb ...p. ..... ..R.. .....", "0 5 0 0 1 0 2 0 3 0 4 0", "0 1 3 1"),
} | {
    f"scattered: {size} x {size}, {seats} pythons": scattered(size, seats, size + seats, reactors)
    for size, seats, reactors in [(11, 1, 0), (11, 2, 1), (11, 8, 1), (15, 4, 2), (21, 4, 3), (31, 4, 4), (41, 4, 4)]
}
