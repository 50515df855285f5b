"""Sample bots to test: as a module of this process, or built."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from types import ModuleType

import trio
from languages.present import require

from referee import bots, building
from referee.files import assets
from referee.sandbox.limits import Level


def loaded(name: str, file: str = "main.py") -> ModuleType:
    """The program of a bot as a new module, without state from another game."""
    spec = importlib.util.spec_from_file_location(f"bot_{name}", assets.folder("bots") / name / file)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def ready(name: str, cache: Path) -> bots.Bot:
    """A bot to start, built if need be. Skips if its compiler or its runtime is missing."""
    sample = bots.find(name)
    require(sample.language.name)

    async def build() -> bots.Bot:
        return (await building.ready([sample], level=Level.NONE, cache=cache))[0]

    return trio.run(build)
