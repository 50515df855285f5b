from collections.abc import Iterator
from pathlib import Path

import pytest
from arena.web.lab import Lab


@pytest.fixture
def lab(tmp_path: Path) -> Iterator[Lab]:
    """An arena with two authors and a teacher of class 3b, an author of no class, and an admin."""
    yield from with_people(Lab(tmp_path / "arena"))


@pytest.fixture
def drawing(tmp_path: Path) -> Iterator[Lab]:
    """The same with a game whose programs are drawn."""
    yield from with_people(Lab(tmp_path / "arena", game="viper"))


def with_people(lab: Lab) -> Iterator[Lab]:
    """An arena with these users, which is closed at the end."""
    for name in ("ann", "bob"):
        lab.user(name, group="3b")
    lab.user("cleo")
    lab.user("tom", "teacher", "3b")
    lab.user("root", "admin")
    yield lab
    lab.close()
