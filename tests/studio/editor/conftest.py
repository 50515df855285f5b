"""A studio with two programs and their saved games, for all tests here."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from studio.studios import Studio, opened

pytestmark = pytest.mark.machine
HERE = Path(__file__).parents[3]
SAMPLES = sorted([*HERE.glob("bots/*/*.viper"), *HERE.glob("bots/*/*.ava")])


@pytest.fixture(scope="session")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the studio, which each test finds as it was."""
    return tmp_path_factory.mktemp("studio") / "folder"


@pytest.fixture
def folder(root: Path) -> Path:
    """The folder of the studio: it has the sample programs, and a saved game of each of their games."""
    shutil.rmtree(root.parent)
    root.mkdir(parents=True)
    for file in (*SAMPLES, *(HERE / "tests" / "records" / f"{game}.jsonl" for game in ("viper", "ava"))):
        shutil.copy(file, root)
    return root


@pytest.fixture(scope="session")
def running(tmp_path_factory: pytest.TempPathFactory, root: Path) -> Iterator[Studio]:
    """One studio for all tests: it looks at its folder at each request."""
    root.mkdir(exist_ok=True)  # a test that needs no studio may have made it
    with opened(root, tmp_path_factory.mktemp("home")) as running:
        yield running


@pytest.fixture
def studio(running: Studio, folder: Path) -> Studio:
    """The studio of that folder."""
    assert running.process.poll() is None
    return running
