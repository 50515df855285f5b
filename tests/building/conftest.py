"""Bots to build, a cache for the test, and a check for leftovers."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import pytest

from referee import bots, building
from referee.bots import Bot
from referee.sandbox.limits import Level

pytestmark = pytest.mark.machine  # of every file here

SCRIPT = 'printf "#!/bin/sh\\necho %s\\n" "$(cat word)" > bot && chmod +x bot'
"""A build that needs no compiler. Its program prints the word in the file `word`."""


@pytest.fixture(autouse=True)
def nothing_left(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[None]:
    """No build leaves a scratch folder behind, however it ends."""
    with tempfile.TemporaryDirectory() as temporary:
        Path(temporary).chmod(0o711)  # lets a pooled uid pass
        monkeypatch.setattr(tempfile, "tempdir", temporary)
        yield
        assert list(Path(temporary).iterdir()) == []


@pytest.fixture
def cache(tmp_path: Path) -> Path:
    return tmp_path / "builds"


@pytest.fixture
def folder(tmp_path: Path) -> Callable[..., Path]:
    """Makes a bot's folder: a build script and files by name."""

    def make(script: str = SCRIPT, *, name: str = "kaa", more: str = "", **files: str) -> Path:
        path = tmp_path / name
        path.mkdir(exist_ok=True)
        (path / "bot.toml").write_text(
            f'name = "{name}"\nrun = ["./bot"]\nbuild = [["sh", "-c", \'\'\'{script}\'\'\']]\n{more}'
        )
        for file, text in {"word": "hello", **files}.items():
            (path / file).write_text(text)
        return path

    return make


@pytest.fixture
def make_bot(folder: Callable[..., Path]) -> Callable[..., Bot]:
    """Makes such a folder; returns it as a bot that is not built yet."""
    return lambda *arguments, **files: bots.find(str(folder(*arguments, **files)))


@pytest.fixture
def ready(cache: Path) -> partial:
    """`building.ready` with the test's cache and without a jail: these builds are harmless."""
    return partial(building.ready, level=Level.NONE, cache=cache)


@pytest.fixture
def each(cache: Path) -> partial:
    """`building.build_each`, likewise."""
    return partial(building.build_each, level=Level.NONE, cache=cache)


def output_of(bot: Bot) -> str:
    """The output of a built bot."""
    import subprocess

    return subprocess.run(bot.argv, cwd=bot.cwd, env=dict(bot.env), capture_output=True, text=True, check=True).stdout
