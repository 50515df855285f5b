"""The players of this folder as bots: one for each language, in a folder with a manifest, built once per session."""

import shutil
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Final

import pytest

from referee import bots, building, languages
from referee.sandbox.limits import Level

pytestmark = pytest.mark.machine  # of every file here

HERE: Final = Path(__file__).parent
OWN: Final = {"c-static": 'language = "c"\nbuild = [["gcc", "-O1", "-static", "-o", "bot", "waits.c"]]\n'}
"""Manifests that need more than the language. For all other players, the name is the language."""


@pytest.fixture(scope="session")
def language(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Awaitable[bots.Bot]]:
    """A function that returns the built player of a language, by the name of the language."""
    built: dict[str, bots.Bot] = {}

    async def make(name: str) -> bots.Bot:
        if name not in built:
            folder = tmp_path_factory.mktemp(name)
            text = OWN.get(name, f'language = "{name}"\n')
            suffixes = languages.find(name.removesuffix("-static")).suffixes
            for source in HERE.glob("[wW]aits.*"):
                if source.suffix in suffixes:
                    shutil.copy(source, folder)
            (folder / "bot.toml").write_text(f'name = "{name}"\n{text}')

            cache = tmp_path_factory.getbasetemp() / "builds"
            (built[name],) = await building.ready([bots.find(str(folder))], level=Level.FULL, cache=cache)
        return built[name]

    return make
