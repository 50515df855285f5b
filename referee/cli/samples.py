"""A trivial player in each language that this machine has, built and played in a cell: does the language play here?"""

from __future__ import annotations

import os
import platform
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

import trio

from referee import languages as known_languages
from referee.errors import RefereeError
from referee.languages import Recipe
from referee.names import harmless, shorten
from referee.sandbox.limits import Level
from referee.sandbox.opening import Sandbox, opened
from referee.sandbox.probing import probe
from referee.sandbox.runtimes.known import KNOWN, found
from referee.sandbox.workshop import workshop

OWN: Final = "Python (the referee's)"
"""The interpreter that this very program runs on, where it is not the one on PATH."""
BUILD: Final = 60.0
"""Seconds that a compiler gets for a program of one line."""


@dataclass(frozen=True, slots=True)
class Language:
    """A language, by the program that brings it.

    Attributes:
        program: its path, and version what it says of itself; both empty where it is missing.
        plays: under which level a program of it answered, None where none did or none was tried.
        milliseconds: from the start of its cell to its answer. why: what is missing, or came instead.
    """

    language: str
    program: str
    version: str
    plays: Level | None = None
    milliseconds: float | None = None
    why: str = ""


# What a player of each language would be: one that answers one line. {program} is the interpreter.
_C: Final = '#include <stdio.h>\nint main(void) { char l[9]; if (fgets(l, 9, stdin)) puts("pong"); return 0; }\n'
_CPP: Final = (
    '#include <iostream>\n#include <string>\nint main() { std::string l; std::cin >> l; std::cout << "pong\\n"; }\n'
)
_PASCAL: Final = "program bot; var l: string; begin readln(l); writeln('pong') end.\n"
_RUST: Final = (
    'fn main() { let mut l = String::new(); std::io::stdin().read_line(&mut l).unwrap(); println!("pong"); }\n'
)
_GO: Final = 'package main\nimport "fmt"\nfunc main() { var l string; fmt.Scanln(&l); fmt.Println("pong") }\n'
_JAVA: Final = (
    "public class Bot { public static void main(String[] a) throws Exception "
    '{ System.in.read(); System.out.println("pong"); } }\n'
)
_NODE: Final = 'process.stdin.once("data", () => { console.log("pong"); process.exit(0); });\n'


@dataclass(frozen=True, slots=True)
class _Sample:
    file: str
    source: str
    run: Sequence[str] = ()
    """Where no language of `referee.languages` says how it is run."""

    def recipe(self) -> Recipe:
        """How it is built and run."""
        language = known_languages.by_suffix(self.file)
        return (
            language.recipe({self.file: self.source}, None) if language is not None else Recipe((), tuple(self.run), {})
        )


_SAMPLES: Final[Mapping[str, _Sample]] = {
    "C": _Sample("bot.c", _C),
    "C++": _Sample("bot.cpp", _CPP),
    "Pascal": _Sample("bot.pas", _PASCAL),
    "Rust": _Sample("bot.rs", _RUST),
    "Go": _Sample("bot.go", _GO),
    "Python": _Sample("bot.py", "input()\nprint('pong')\n"),
    "Java": _Sample("Bot.java", _JAVA),
    "JavaScript": _Sample("bot.js", _NODE),
    "Perl": _Sample("bot.pl", '<STDIN>; print "pong\\n";\n', ("{program}", "bot.pl")),
    "Ruby": _Sample("bot.rb", "gets\nputs 'pong'\n", ("{program}", "bot.rb")),
    "Lua": _Sample("bot.lua", "io.read()\nprint('pong')\n", ("{program}", "bot.lua")),
    "PHP": _Sample("bot.php", '<?php fgets(STDIN); echo "pong\\n";\n', ("{program}", "bot.php")),
}


async def languages(level: Level | None) -> list[Language]:
    """Which there are, and whether a program of each plays at this level; None tries none."""
    listed = [await trio.to_thread.run_sync(_look, known.language) for known in KNOWN]
    if not any(_is_own(entry.program) for entry in listed):
        listed.append(Language(OWN, sys.executable, f"Python {platform.python_version()}"))
    if level is None:
        return listed
    with workshop("doctor") as place:
        folders = {entry.language: place / str(number) for number, entry in enumerate(listed)}
        failures: dict[str, str] = {}
        async with trio.open_nursery() as nursery:
            for entry in listed:
                nursery.start_soon(_build, entry, folders[entry.language], failures)
        with opened(level) as sandbox:
            return [await _play(sandbox, entry, folders[entry.language], failures) for entry in listed]


def _look(language: str) -> Language:
    known = next(known for known in KNOWN if known.language == language)
    there = found(known)
    if there is None:
        return Language(language, "", "", why=f"not found: sudo apt install {known.package}")
    return Language(language, str(there[0]), there[1])


async def _build(entry: Language, folder: Path, failures: dict[str, str]) -> None:
    """Write the sample and compile it; what the compiler says in vain goes to `failures`."""
    sample = _sample(entry)
    if sample is None:
        return
    _write(sample, folder)
    recipe = sample.recipe()
    for words in recipe.build:
        if (failed := await _compiled(_tool(words, entry), folder, recipe.env)) is not None:
            failures[entry.language] = failed
            return


async def _compiled(command: Sequence[str], folder: Path, env: Mapping[str, str]) -> str | None:
    """What a compiler says in vain; None when all is well."""
    try:
        with trio.fail_after(BUILD):
            # What compilers keep for the next time is not to outlive this.
            done = await trio.run_process(
                command,
                cwd=folder,
                env={**os.environ, **env, "GOCACHE": str(folder / ".cache")},
                stdin=subprocess.DEVNULL,
                capture_stdout=True,
                capture_stderr=True,
                check=False,
            )
    except (OSError, trio.TooSlowError) as failed:
        return f"{command[0]}: {getattr(failed, 'strerror', None) or f'no end after {BUILD:g} s'}"
    if done.returncode:
        lines = (done.stderr + done.stdout).decode(errors="replace").splitlines() or ["it says nothing"]
        return harmless(f"{command[0]} fails: {shorten(lines[0])}")
    return None


async def _play(sandbox: Sandbox, entry: Language, folder: Path, failures: Mapping[str, str]) -> Language:
    sample = _sample(entry)
    if sample is None:
        return entry
    if entry.language in failures:
        return replace(entry, why=failures[entry.language])
    start, *arguments = sample.recipe().run
    argv = [str(folder / start) if "/" in start else entry.program, *arguments]
    program = probe.Own(f"sample in {entry.language}", argv, folder)
    try:
        heard = await probe.hear(sandbox, program, b"ping\n")
    except RefereeError as failed:
        return replace(entry, why=str(failed))
    if heard.first is None or heard.said.strip() != b"pong":
        return replace(entry, why=f"does not answer in a cell: {heard.words or 'it says nothing'}")
    return replace(entry, plays=sandbox.level, milliseconds=round(heard.first * 1000, 1))


def _write(sample: _Sample, folder: Path) -> None:
    folder.mkdir()
    (folder / sample.file).write_text(sample.source, encoding="utf-8")


def _is_own(program: str) -> bool:
    return bool(program) and Path(program).resolve() == Path(sys.executable).resolve()


def _sample(entry: Language) -> _Sample | None:
    if not entry.program:
        return None
    return _SAMPLES.get("Python" if entry.language == OWN else entry.language)


def _tool(words: Sequence[str], entry: Language) -> list[str]:
    """A build command by the program that this machine has for the language; javac is not what its programs are run by."""
    tool = known_languages.tool(words[0])
    is_it = tool is not None and Path(entry.program).name in tool.programs
    return [entry.program if is_it else words[0], *words[1:]]
