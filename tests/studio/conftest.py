"""One studio for all tests, in a folder with programs, bots and a saved game."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from studio.studios import Studio, opened

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="session")
def studio(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Studio]:
    folder = tmp_path_factory.mktemp("studio") / "folder"
    folder.mkdir()
    for name in ("adder", "krait"):
        shutil.copytree(ROOT / "bots" / name, folder / "bots" / name)
    shutil.copy(ROOT / "tests" / "records" / "viper.jsonl", folder)
    with opened(folder, tmp_path_factory.mktemp("home")) as studio:
        yield studio
