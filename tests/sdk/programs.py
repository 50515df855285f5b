"""The test programs of every SDK: how to build them, with all warnings as errors, and how to start them.

A folder of `tests/sdk/drivers` has a language's two programs: `driver`, which answers the commands that
sdk/vectors/README.md describes, and `bot`, the smallest bot on the SDK.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

import pytest
from languages.present import require

ROOT: Final = Path(__file__).parents[2]
DRIVERS: Final = ROOT / "tests" / "sdk" / "drivers"
TIME_LIMIT: Final = 120
"""The time limit of one compilation or one batch, in seconds. It stops endless loops."""
GOOD_NAMES: Final = {"32 characters": "я" * 31 + "🐍", "signs": "[b]<i>&\u00a0%s"}
BAD_NAMES: Final = {"33 characters": "я" * 33, "a tab": "a\tb", "a control character": "a\u009bb"}
NAMES: Final = ("Tell Tale", *GOOD_NAMES.values(), *BAD_NAMES.values())
"""The names that `bot` can give. None needs an escape in a string literal of any language."""


@dataclass(frozen=True)
class Program:
    """A program that can be started any number of times, and its working folder."""

    command: Sequence[str]
    folder: Path
    environment: dict[str, str]

    def named(self, name: str) -> Program:
        """The bot with another of its `NAMES`."""
        return replace(self, environment=self.environment | {"NAME": str(NAMES.index(name))})

    def run(self, stdin: bytes) -> subprocess.CompletedProcess[bytes]:
        return subprocess.run(
            self.command, input=stdin, capture_output=True, cwd=self.folder, env=self.environment, timeout=TIME_LIMIT,
            check=False,
        )  # fmt: skip

    def answers(self, commands: Sequence[str]) -> list[str]:
        """The lines that it prints for a batch of commands, in Latin-1. It must end with status 0 and log nothing."""
        done = self.run("".join(line + "\n" for line in commands).encode("latin-1"))
        assert (done.returncode, done.stderr.decode(errors="replace")) == (0, ""), done.stdout[-200:]
        return done.stdout.decode("latin-1").splitlines()


@dataclass(frozen=True)
class Language:
    """A language and its test programs.

    name: the name of its folder.
    names: the sources of driver and bot.
    build: the command that builds a source with the SDK's folder, or None if the language needs no build.
    start: the command that starts it.
    path: the variable for the SDK's folder at run time.
    """

    name: str
    names: dict[str, str]
    build: Callable[[str, Path], list[str]] | None
    start: Callable[[str], list[str]]
    path: str = ""

    @property
    def sdk(self) -> Path:
        return ROOT / "sdk" / self.name

    def source(self, program: str) -> str:
        """The text of a program. The bot's list of names, which has one name in its file, gets all `NAMES`."""
        text = (DRIVERS / self.name / self.names[program]).read_text(encoding="utf-8")
        return re.sub(
            r"(['\"])Tell Tale\1", lambda quoted: ", ".join(f"{quoted[1]}{name}{quoted[1]}" for name in NAMES), text
        )

    def make(self, program: str, folder: Path, source: str | None = None) -> Program:
        """Build `driver` or `bot` in an empty folder; `source` replaces the text of the file. Warnings are failures."""
        require(self.name)
        shutil.copytree(DRIVERS / self.name, folder, dirs_exist_ok=True)
        name = self.names[program]
        (folder / name).write_text(self.source(program) if source is None else source, encoding="utf-8")
        if self.build is not None:
            command = self.build(name, self.sdk)
            done = subprocess.run(
                command, cwd=folder, capture_output=True, text=True, errors="replace", timeout=TIME_LIMIT, check=False
            )
            if done.returncode:
                pytest.fail(f"{' '.join(command)}\n{done.stdout}{done.stderr}", pytrace=False)
        environment = {name: os.environ[name] for name in ("PATH", "HOME", "LANG") if name in os.environ}
        if self.path:
            environment |= {self.path: str(self.sdk), "PYTHONDONTWRITEBYTECODE": "1"}
        return Program(self.start(name), folder, environment)


LANGUAGES: Final = {
    language.name: language
    for language in [
        Language(
            "cpp",
            {"driver": "driver.cpp", "bot": "bot.cpp"},
            lambda name, sdk: [
                *["g++", "-std=c++17", "-O1", "-pedantic", "-Wall", "-Wextra", "-Wshadow", "-Werror"],
                *["-I", str(sdk), "-o", "program", name],
            ],
            lambda name: ["./program"],
        ),
        Language(
            "pascal",
            {"driver": "driver.pas", "bot": "bot.pas"},
            lambda name, sdk: ["fpc", "-O1", "-vw", "-Sew", f"-Fu{sdk}", "-FU.", "-oprogram", name],
            lambda name: ["./program"],
        ),
        Language(
            "java",
            {"driver": "Driver.java", "bot": "DialogueBot.java"},
            lambda name, sdk: [
                *["javac", "-J-XX:TieredStopAtLevel=1", "-J-XX:+UseSerialGC"],  # its own machine runs for a second only
                *["--release", "11", "-Xlint:all", "-Werror", "-encoding", "UTF-8"],
                *["-d", ".", "-sourcepath", f"{sdk}:.", name],
            ],
            lambda name: ["java", "-Xshare:auto", "-XX:TieredStopAtLevel=1", Path(name).stem],
        ),
        Language(
            "javascript",
            {"driver": "driver.js", "bot": "bot.js"},
            None,
            lambda name: ["node", name],
            path="NODE_PATH",
        ),
        Language(
            "python",
            {"driver": "driver.py", "bot": "bot.py"},
            None,
            lambda name: [sys.executable, "-W", "error", name],
            path="PYTHONPATH",
        ),
    ]
}
