"""Reads the vectors of sdk/vectors, and makes a batch of commands with the expected answers."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final

from sdk.programs import ROOT

FOLDER: Final = ROOT / "sdk" / "vectors"


@dataclass(frozen=True)
class Vector:
    """A position and calls with their answers. `refused`: the request is invalid."""

    file: str
    name: str
    about: str
    request: list[str]
    calls: list[tuple[str, str]]
    refused: bool = False


@dataclass(frozen=True)
class Line:
    """A command of a batch that has an answer: its vector, the command and the expected answer."""

    where: str
    command: str
    answer: str


def read_all() -> list[Vector]:
    """Every vector, in the order of the files' names."""
    return [
        Vector(
            path.stem,
            vector["name"],
            vector["about"],
            vector["request"],
            list(map(tuple, vector.get("calls", []))),
            "refused" in vector,
        )
        for path in sorted(FOLDER.glob("*.json"))
        for vector in json.loads(path.read_text(encoding="utf-8"))
    ]


def batch(vectors: Iterable[Vector]) -> tuple[list[str], list[Line]]:
    """The lines to send for these vectors, and the expected answers."""
    commands: list[str] = []
    wanted: list[Line] = []
    for vector in vectors:
        where = f"{vector.file}: {vector.name}"
        asked = f"area {len(vector.request)}"
        commands += [asked, *vector.request]
        wanted.append(Line(where, asked, "error" if vector.refused else "ok"))
        for call, answer in vector.calls:
            commands.append(call)
            wanted.append(Line(where, call, answer))
    return commands, wanted


def differences(wanted: list[Line], actual: list[str]) -> Iterator[str]:
    """A sentence for each wrong answer, and one for a wrong number of answers."""
    for line, answer in zip(wanted, actual, strict=False):
        if answer != line.answer:
            yield f"{line.where}: `{line.command}` must give `{line.answer}`, it gave `{answer}`"
    if len(actual) != len(wanted):
        yield f"{len(wanted)} commands, {len(actual)} answers"
