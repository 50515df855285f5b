"""The players of this folder as bots: one a language, built once a session by the compilers of the machine."""

import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Final

import pytest

from referee import bots

HERE: Final = Path(__file__).parent
BUILT: Final = {
    "c": (["gcc", "-O1", "-o", "waits", "waits.c"], "./waits"),
    "c-static": (["gcc", "-O1", "-static", "-o", "waits", "waits.c"], "./waits"),
    "cpp": (["g++", "-O1", "-pthread", "-o", "waits", "waits.cpp"], "./waits"),
    "pascal": (["fpc", "-v0", "-owaits", "waits.pas"], "./waits"),
    "java": (["javac", "Waits.java"], "java Waits"),
    "javascript": (None, "node waits.js"),
    "python": (None, "python3 waits.py"),
}


@pytest.fixture(scope="session")
def language(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], bots.Bot]:
    """A language's player as a bot in a folder of its own; skips where the machine lacks the language."""
    made: dict[str, bots.Bot] = {}

    def make(name: str) -> bots.Bot:
        if name not in made:
            command, run = BUILT[name]
            for program in filter(None, (command and command[0], run.split()[0])):
                if not program.startswith("./") and shutil.which(program) is None:
                    pytest.skip(f"{program} is not installed")
            folder = tmp_path_factory.mktemp(name)
            for source in HERE.glob("[wW]aits.*"):
                shutil.copy(source, folder)
            if command is not None:
                subprocess.run(command, cwd=folder, check=True, capture_output=True, timeout=120)
            words = ", ".join(f'"{word}"' for word in run.split())
            (folder / "bot.toml").write_text(f'name = "{name}"\nrun = [{words}]\n')
            made[name] = bots.find(str(folder))
        return made[name]

    return make
