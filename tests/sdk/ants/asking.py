"""Random requests for ants, and programs that answer them."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import NamedTuple

from sdk.programs import ROOT, TIME_LIMIT, Program

from referee import bots

SDK = ROOT / "sdk"
README = (SDK / "README.md").read_text(encoding="utf-8")
ANT_SECTION = README.partition("\n## Ants\n")[2]


class Cell(NamedTuple):
    """The senses of an ant in a cell, in the order of the request."""

    smell: int = 0
    intensity: int = 0
    friend: bool = False
    enemy: bool = False
    my_hill: bool = False
    enemy_hill: bool = False
    food: bool = False
    wall: bool = False


@dataclass(frozen=True)
class Asked:
    """A getAction request, with the cells row by row from the top left."""

    cells: Sequence[Cell] = (Cell(),) * 9
    food: bool = False
    memory: bytes = bytes(32)

    @property
    def text(self) -> str:
        rows = "".join(" ".join(str(int(number)) for number in cell) + "\n" for cell in self.cells)
        return f"getAction\n{self.food:d}\n{self.memory.hex()}\n{rows}"

    def cell(self, x: int, y: int) -> Cell:
        """The cell `x` to the right of the ant and `y` below it."""
        return self.cells[(y + 1) * 3 + x + 1]


def at_random(seed: int) -> Asked:
    """Any request that the protocol allows, even if it cannot occur in a match."""
    dice = Random(seed)

    def cell() -> Cell:
        smell = dice.choice([0, 1, -1, 7, 2**31 - 1, -(2**31), int(dice.random() * 1000)])
        return Cell(smell, int(dice.random() * 101), *(dice.random() < 0.4 for _ in range(6)))

    return Asked([cell() for _ in range(9)], dice.random() < 0.5, dice.randbytes(32))


def answers(program: Program, *asked: Asked | str) -> list[str]:
    """The answers of a program, which must end with status 0. A string is sent unchanged."""
    text = "".join(part if isinstance(part, str) else part.text for part in asked)
    done = program.run(text.encode())
    assert done.returncode == 0, done.stderr.decode(errors="replace")
    return done.stdout.decode().splitlines()


def cpp(folder: Path, source: str, *flags: str, more: Sequence[str] = ()) -> Program:
    """Build as the referee does, but without optimization or with other flags. `more` are further sources."""
    for number, text in enumerate([source, *more]):
        (folder / f"main{number or ''}.cpp").write_text(text, encoding="utf-8")
    names = sorted(path.name for path in folder.glob("*.cpp"))
    command = ["g++", *(flags or ["-std=c++20", "-O0"]), "-I", str(SDK / "cpp"), "-o", "bot", *names]
    return _built(folder, [command], "./bot")


def pascal(folder: Path, source: str, *flags: str) -> Program:
    """Build as the referee does."""
    (folder / "main.pas").write_text(source, encoding="utf-8")
    command = ["fpc", "-O2", "-gl", *flags, f"-Fu{SDK / 'pascal'}", "-FU.", "-obot", "main.pas"]
    return _built(folder, [command], "./bot")


def delphi(folder: Path, source: str) -> Program:
    """Build as the referee does with a Delphi project."""
    (folder / "Sample.dpr").write_text(source, encoding="utf-8")
    unbuilt = bots.find(str(folder / "Sample.dpr")).unbuilt
    return _built(folder, unbuilt.build, *unbuilt.run)


def python(folder: Path, source: str, *command: str) -> Program:
    """A program that starts as a manifest says, or with another command."""
    (folder / "GetAction.py").write_text(source, encoding="utf-8")
    words = command or ("-m", "PlayGetAction")
    return Program(
        [sys.executable, "-W", "error", *words], folder, _environment() | {"PYTHONPATH": str(SDK / "python")}
    )


def _built(folder: Path, commands: Sequence[Sequence[str]], *run: str) -> Program:
    for command in commands:
        done = subprocess.run(
            command, cwd=folder, capture_output=True, text=True, errors="replace", timeout=TIME_LIMIT, check=False
        )
        assert done.returncode == 0, f"{' '.join(command)}\n{done.stdout}{done.stderr}"
    return Program(run, folder, _environment())


def _environment() -> dict[str, str]:
    inherited = {name: os.environ[name] for name in ("PATH", "HOME") if name in os.environ}
    return inherited | {"LANG": "C.UTF-8", "PYTHONDONTWRITEBYTECODE": "1"}
