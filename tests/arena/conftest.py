"""The command line in an empty folder, as tests of commands have it; an arena, its accounts and its versions."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TypeAlias

import pytest
from arena.folders import an_arena
from cli.conftest import cache, referee

from referee.arena.accounts import Accounts
from referee.arena.drafts import Drafts
from referee.arena.intake import Intake
from referee.arena.settings import ArenaFiles
from referee.arena.versions import Versions

__all__ = ["cache", "referee"]

Start: TypeAlias = Callable[..., Intake]


@pytest.fixture
def files(tmp_path: Path) -> ArenaFiles:
    return an_arena(tmp_path / "arena")


@pytest.fixture
def versions(files: ArenaFiles) -> Iterator[Versions]:
    with Versions(files.versions, writes=True) as opened:
        yield opened


@pytest.fixture
def accounts(files: ArenaFiles) -> Iterator[Accounts]:
    with Accounts(files.accounts, now=lambda: 0.0) as opened:
        yield opened


@pytest.fixture
def drafts(files: ArenaFiles) -> Iterator[Drafts]:
    with Drafts(files.drafts, writes=True) as opened:
        yield opened


@pytest.fixture
def start(files: ArenaFiles, accounts: Accounts, drafts: Drafts, versions: Versions) -> Start:
    """Starts intake, in the arena or in one with other settings."""

    def start(files: ArenaFiles = files) -> Intake:
        intake = Intake(files, accounts, drafts, versions)
        intake.clean()
        return intake

    return start
