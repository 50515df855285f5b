"""The exchange of a map's cells that sends each start to the next one: symmetry `paths` (point 3 of symmetry.py).

1. The cells are taken twice, *before* the exchange and *after* it, and get colours: the same where nothing tells them apart
   so far. To begin with these are the content and the distances from all starts, after the exchange from the starts moved
   on by one. What has the same colour before and after may be exchanged; a colour that is rarer on one side than on the
   other says that there is no exchange.
2. Colours are *refined* by the neighbours' colours until they tell no more. If then several cells still share a colour, one
   pair is *guessed*: it gets a colour of its own, and the refinement goes on. Where that ends badly, the guess is taken
   back. When every colour has one cell on each side, these pairs are the exchange.
3. A round that looked at all cells again would cost rounds × cells, and both grow with the field. So only the neighbours of
   recoloured cells are looked at; and of the parts of a colour that falls apart, the largest keeps the colour: a cell that
   is recoloured has then lost half of its companions, which happens log2(cells) times at most. That the largest part is
   not recoloured hides nothing: the cells of one colour had equal neighbours before, so that those whose neighbours
   agree in all recoloured parts agree in the part that was not.
4. The cells of a colour stand side by side in one list (`_order`), the colour being the index of the first. A part that
   gets a colour of its own moves to the end of its stretch: to take a guess back is to give stretches back to those
   in front of them, in the opposite order.

Measured on open fields with two starts, where mirrors have to be guessed: 100 × 100 cells took 8.7 s by rounds over all
cells with copied colours and take 0.2 s, 300 × 300 took minutes and take 2 s.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from itertools import compress
from typing import Final

from referee.games.snakecore.ways import REACTOR, WALL, Ways

_TRIES: Final = 200
"""How often may be guessed. A map needs a guess for each mirror inside one region: a handful. The cap keeps a map that was
made to be hard from hanging the referee."""


def images(ways: Ways, steps: Sequence[Sequence[int]]) -> list[list[int]] | None:
    """The powers of an exchange that keeps neighbours and contents and sends each start to the next, the last to the first.

    Args:
        steps: the distances from each start, as `Ways.distances` gives them.

    Returns:
        as many as starts, the identity first: the number of the image of each cell, by number. None where there is no such
        exchange (or, on a map made for it, none within the tries).
    """
    found = _Colours(ways, steps).exchange()
    return None if found is None else powers(found, len(steps))


def powers(found: Sequence[int], count: int) -> list[list[int]] | None:
    """The group of `count` elements that an exchange makes, mended where it is longer than that.

    An exchange may come with a swap of its own (a mirror inside one region) that only its square undoes. A power of it
    that still sends each start to the next is free of that.
    """
    rings = _rings(found)
    lengths = {len(ring) for ring in rings}
    for power in range(1, 16 * count, count):
        if all(power * count % length == 0 for length in lengths):
            group = [list(range(len(found))) for _ in range(count)]
            for ring in rings:
                for times, element in enumerate(group):
                    on = power * times % len(ring)
                    for number, image in zip(ring, [*ring[on:], *ring[:on]], strict=True):
                        element[number] = image
            return group
    return None


def _rings(found: Sequence[int]) -> list[list[int]]:
    """The cells that an exchange moves, each ring in the order in which one becomes the next."""
    rings = []
    seen = bytearray(len(found))
    for number, image in enumerate(found):
        if image != number and not seen[number]:
            ring = [number]
            while image != number:
                seen[image] = True
                ring.append(image)
                image = found[image]
            rings.append(ring)
    return rings


class _Colours:
    """The colours of all cells before (their own numbers) and after (`_after` more) an exchange that is looked for."""

    def __init__(self, ways: Ways, steps: Sequence[Sequence[int]]) -> None:
        self._cells = ways.cells
        self._stride = ways.stride
        self._after = len(ways.kinds)
        self._tries = _TRIES
        kinds = ways.kinds
        self._reactors = {c + side for c in self._cells if kinds[c] == REACTOR for side in (0, self._after)}
        names: dict[tuple[str | int, ...], int] = {}
        inside = [kind != WALL for kind in kinds]
        self._colour = [-1] * (2 * self._after)
        for side, seen in ((0, steps), (self._after, [*steps[1:], *steps[:1]])):
            for cell, key in zip(self._cells, compress(zip(kinds, *seen, strict=True), inside), strict=True):
                self._colour[cell + side] = names.setdefault(key, len(names))
        nodes = [cell + side for side in (0, self._after) for cell in self._cells]
        self._order = sorted(nodes, key=self._colour.__getitem__)
        self._place = [-1] * len(self._colour)
        self._size = [0] * len(nodes)
        """By colour: how many cells, before and after together, have it."""
        self._splits: list[tuple[int, int]] = []
        """The colours that fell apart, and which colour came of each, in their order."""
        name = colour = -1
        for place, node in enumerate(self._order):
            if self._colour[node] != name:
                name, colour = self._colour[node], place
            self._colour[node] = colour
            self._place[node] = place
            self._size[colour] += 1

    def exchange(self) -> list[int] | None:
        """The image of every cell, by number; walls stay. None where there is no exchange."""
        at = 0
        while at < len(self._order):
            if not self._is_even(self._order[at : at + self._size[at]]):
                return None
            at += self._size[at]
        if not self._match(self._order, 0):
            return None
        found = list(range(self._after))
        for before, after in zip(self._order[::2], self._order[1::2], strict=True):
            found[min(before, after)] = max(before, after) - self._after
        return found

    def _match(self, looked_at: Collection[int], start: int) -> bool:
        """Whether an exchange agrees with the colours, which are made as fine as they can be.

        Args:
            looked_at: whose neighbours have changed.
            start: the cells before this place are known to have colours of their own.
        """
        self._tries -= 1
        if self._tries < 0 or not self._refine(looked_at):
            return False
        colour, size, cells = self._colour, self._size, self._cells
        while start < len(cells) and size[colour[cells[start]]] == 2:
            start += 1
        if start == len(cells):
            return True
        unsure, alike = cells[start], colour[cells[start]]
        twins = sorted(node for node in self._order[alike : alike + size[alike]] if node >= self._after)
        known = len(self._splits)
        for twin in twins:
            if self._tries <= 0:
                return False
            self._split(alike, [unsure, twin])
            if self._match(self._around([unsure, twin]), start):
                return True
            self._take_back(known)
        return False

    def _refine(self, looked_at: Collection[int]) -> bool:
        """Make the colours as fine as the neighbours' colours can; False when they cannot be matched."""
        while looked_at:
            changed: list[int] = []
            for old, parts in self._parts(looked_at).items():
                rest = self._size[old] - sum(map(len, parts))
                if len(parts) == 1 and not rest:
                    continue
                if not all(map(self._is_even, parts)):
                    return False
                largest = max(parts, key=len)
                if rest < len(largest):
                    parts.remove(largest)
                    if rest:
                        seen = {*largest, *(node for part in parts for node in part)}
                        parts.append([n for n in self._order[old : old + self._size[old]] if n not in seen])
                for part in parts:
                    self._split(old, part)
                    changed += part
            looked_at = self._around(changed)
        return True

    def _parts(self, looked_at: Collection[int]) -> dict[int, list[list[int]]]:
        """Those that are looked at, by their colours, and of one colour in parts by their neighbours' colours."""
        colour, stride, reactors = self._colour, self._stride, self._reactors
        alike: defaultdict[tuple[int, ...], list[int]] = defaultdict(list)
        for node in looked_at:
            if node in reactors:  # two reactors are no neighbours: no way leads from one to the other
                near = [-1 if n in reactors else colour[n] for n in self._four(node)]
            else:
                near = [colour[node - 1], colour[node + 1], colour[node - stride], colour[node + stride]]
            near.sort()
            alike[colour[node], *near].append(node)
        parts: defaultdict[int, list[list[int]]] = defaultdict(list)
        for key, nodes in alike.items():
            parts[key[0]].append(nodes)
        return parts

    def _around(self, nodes: Iterable[int]) -> set[int]:
        """All that have one of these as a neighbour."""
        stride, reactors = self._stride, self._reactors
        beside = {n for node in reactors.intersection(nodes) for n in self._four(node) if n not in reactors}
        others = (node for node in nodes if node not in reactors)
        near = {n for node in others for n in (node - 1, node + 1, node - stride, node + stride)}
        return {node for node in near | beside if self._colour[node] >= 0}

    def _four(self, node: int) -> tuple[int, int, int, int]:
        return node - 1, node + 1, node - self._stride, node + self._stride

    def _is_even(self, nodes: Sequence[int]) -> bool:
        """Whether there are as many before as after."""
        return 2 * sum(node < self._after for node in nodes) == len(nodes)

    def _split(self, old: int, nodes: Sequence[int]) -> None:
        """Give some of one colour a colour of their own."""
        order, place = self._order, self._place
        new = old + self._size[old]
        for node in nodes:
            new -= 1
            other, at = order[new], place[node]
            order[at], place[other] = other, at
            order[new], place[node] = node, new
        for node in nodes:
            self._colour[node] = new
        self._size[new] = len(nodes)
        self._size[old] -= len(nodes)
        self._splits.append((old, new))

    def _take_back(self, known: int) -> None:
        """Undo all splits but the first ones."""
        while len(self._splits) > known:
            old, new = self._splits.pop()
            for node in self._order[new : new + self._size[new]]:
                self._colour[node] = old
            self._size[old] += self._size[new]
            self._size[new] = 0
