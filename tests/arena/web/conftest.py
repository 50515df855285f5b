from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from pathlib import Path
from typing import TypeAlias

import pytest
from arena.web.lab import Lab

MakeLab: TypeAlias = Callable[..., Lab]


@pytest.fixture
def make_lab(tmp_path: Path) -> Iterator[MakeLab]:
    """Makes arenas, which are closed at the end: with lines of settings, authors, and options of `Lab`."""
    with ExitStack() as stack:

        def make(settings: str = "", *authors: str, folder: str = "arena", **options: object) -> Lab:
            lab = stack.enter_context(closing(Lab(tmp_path / folder, settings, **options)))  # type: ignore[arg-type]
            for name in authors:
                lab.user(name)
            return lab

        yield make


@pytest.fixture
def lab(make_lab: MakeLab) -> Lab:
    """An arena with two authors and a teacher of class 3b, an author of no class, and an admin."""
    return with_people(make_lab())


@pytest.fixture
def drawing(make_lab: MakeLab) -> Lab:
    """The same with a game whose programs are drawn."""
    return with_people(make_lab(game="viper"))


def with_people(lab: Lab) -> Lab:
    """An arena with these users."""
    for name in ("ann", "bob"):
        lab.user(name, group="3b")
    lab.user("cleo")
    lab.user("tom", "teacher", "3b")
    lab.user("root", "admin")
    return lab
