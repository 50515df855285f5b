"""The test program of the Python SDK: commands on stdin, one answer a line. sdk/vectors/README.md defines the commands."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable
from typing import BinaryIO

from snake import AreaInfo, Cell, neighbour

Words = list[str]


def main(commands: BinaryIO) -> None:
    """Answer commands. Latin-1 makes each byte a character, as in the protocol."""
    area = None
    for line in commands:
        name, *words = line.decode("latin-1").split()
        answer = "ok"
        try:
            if name == "area":
                request = [commands.readline().decode("latin-1").removesuffix("\n") for _ in range(int(words[0]))]
                area = AreaInfo.parse(request)
            elif area is None:
                raise LookupError("there is no board yet: the first command must be `area`")
            elif name == "after":
                area = area.after(words[0], int(words[1]))
            else:
                answer = CALLS[name](area, words)
        except ValueError:
            answer = "error"
        print(answer or "-")


def cell(x: str, y: str) -> Cell:
    return int(x), int(y)


def cells(words: Words) -> list[Cell]:
    return [cell(x, y) for x, y in zip(words[::2], words[1::2], strict=True)]


def groups(words: Words) -> list[list[Cell]]:
    """The goals of `first_step`. k single slashes separate k + 1 groups, and no words mean no group."""
    if not words:
        return []
    return [cells(part.split()) for part in " ".join(words).split("/")]


def shown(places: Iterable[Cell]) -> str:
    return " ".join(f"{x},{y}" for x, y in places)


def truth(value: bool) -> str:
    return "true" if value else "false"


def outcome(area: AreaInfo, words: Words) -> str:
    done = area.outcome(words[0], int(words[1]))
    victim = "-" if done.victim is None else done.victim
    return f"{done.kind} {shown([done.target])} {done.points} {done.why or '-'} {victim}"


def owner(area: AreaInfo, words: Words) -> str:
    snake = area.owner(cell(*words))
    return "" if snake is None else str(snake.index)


def distances(area: AreaInfo, words: Words) -> str:
    reached = area.distances(cell(*words))
    return " ".join(f"{x},{y}={reached[x, y]}" for x, y in sorted(reached, key=lambda cell: cell[::-1]))


def path(area: AreaInfo, words: Words) -> str:
    to, *start = cells(words)
    return shown(area.path(to, *start))


CALLS: dict[str, Callable[[AreaInfo, Words], str]] = {
    "size": lambda area, _: str(area.size),
    "turn": lambda area, _: str(area.turn),
    "text": lambda area, _: str(area).replace("\n", "/"),
    "pythons": lambda area, _: " ".join(str(python.index) for python in area.pythons),
    "me": lambda area, _: str(area.me.index),
    "rivals": lambda area, _: " ".join(str(python.index) for python in area.rivals),
    "reactors": lambda area, _: shown(area.reactors),
    "free_blocks": lambda area, _: shown(area.free_blocks),
    "free_energy": lambda area, _: shown(area.free_energy),
    "any_move": lambda area, _: area.any_move(),
    "index": lambda area, words: str(area.pythons[int(words[0])].index),
    "shield": lambda area, words: str(area.pythons[int(words[0])].shield),
    "cells": lambda area, words: shown(area.pythons[int(words[0])].cells),
    "blocks": lambda area, words: area.pythons[int(words[0])].blocks,
    "head": lambda area, words: shown([area.pythons[int(words[0])].head]),
    "tail": lambda area, words: shown([area.pythons[int(words[0])].tail]),
    "body": lambda area, words: shown(area.pythons[int(words[0])].body),
    "length": lambda area, words: str(area.pythons[int(words[0])].length),
    "energy": lambda area, words: str(area.pythons[int(words[0])].energy),
    "value": lambda area, words: str(area.pythons[int(words[0])].value),
    "owner": owner,
    "is_inside": lambda area, words: truth(area.is_inside(cell(*words))),
    "is_wall": lambda area, words: truth(area.is_wall(cell(*words))),
    "is_reactor": lambda area, words: truth(area.is_reactor(cell(*words))),
    "is_empty": lambda area, words: truth(area.is_empty(cell(*words))),
    "is_head": lambda area, words: truth(area.is_head(cell(*words))),
    "is_block": lambda area, words: truth(area.is_block(cell(*words))),
    "is_energy": lambda area, words: truth(area.is_energy(cell(*words))),
    "is_linked": lambda area, words: truth(area.is_linked(cell(*words))),
    "is_free_block": lambda area, words: truth(area.is_free_block(cell(*words))),
    "outcome": outcome,
    "can_move": lambda area, words: truth(area.can_move(words[0], int(words[1]))),
    "neighbour": lambda _, words: shown([neighbour(cell(*words[:2]), words[2])]),
    "distances": distances,
    "path": path,
    "step_towards": lambda area, words: area.step_towards(cells(words)),
    "first_step": lambda area, words: area.first_step(*groups(words)),
}


if __name__ == "__main__":
    main(sys.stdin.buffer)
