"""A trivial player in each language that this machine has, built and played in a cell: does the language play here?"""

from __future__ import annotations

import os
import platform
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

import trio

from referee.errors import RefereeError
from referee.names import harmless, shorten
from referee.sandbox.limits import Level
from referee.sandbox.opening import Sandbox, opened
from referee.sandbox.probing import probe
from referee.sandbox.runtimes import KNOWN, found

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


# What a player of each language would be: one that answers one line. {program} is the compiler or interpreter, {folder}
# where it lies.
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
    run: Sequence[str]
    build: Sequence[str] = ()
    usr: bool = False


_BOT: Final = ("{folder}/bot",)
_SAMPLES: Final[Mapping[str, _Sample]] = {
    "C": _Sample("bot.c", _C, _BOT, ("{program}", "bot.c", "-o", "bot")),
    "C++": _Sample("bot.cpp", _CPP, _BOT, ("{program}", "bot.cpp", "-o", "bot")),
    "Pascal": _Sample("bot.pas", _PASCAL, _BOT, ("{program}", "-v0", "bot.pas")),
    "Rust": _Sample("bot.rs", _RUST, _BOT, ("{program}", "bot.rs", "-o", "bot")),
    "Go": _Sample("bot.go", _GO, _BOT, ("{program}", "build", "-o", "bot", "bot.go")),
    "Python": _Sample("bot.py", "input()\nprint('pong')\n", ("{program}", "bot.py")),
    "Java": _Sample("Bot.java", _JAVA, ("{program}", "-cp", ".", "Bot"), ("javac", "Bot.java")),
    "JavaScript": _Sample("bot.js", _NODE, ("{program}", "bot.js")),
    "Perl": _Sample("bot.pl", '<STDIN>; print "pong\\n";\n', ("{program}", "bot.pl"), usr=True),
    "Ruby": _Sample("bot.rb", "gets\nputs 'pong'\n", ("{program}", "bot.rb"), usr=True),
    "Lua": _Sample("bot.lua", "io.read()\nprint('pong')\n", ("{program}", "bot.lua"), usr=True),
    "PHP": _Sample("bot.php", '<?php fgets(STDIN); echo "pong\\n";\n', ("{program}", "bot.php"), usr=True),
}


async def languages(level: Level | None) -> list[Language]:
    """Which there are, and whether a program of each plays at this level; None tries none."""
    listed = [await trio.to_thread.run_sync(_look, known.language) for known in KNOWN]
    if not any(_is_own(entry.program) for entry in listed):
        listed.append(Language(OWN, sys.executable, f"Python {platform.python_version()}"))
    if level is None:
        return listed
    with tempfile.TemporaryDirectory(prefix="referee-doctor-") as place:
        folders = {entry.language: Path(place, str(number)) for number, entry in enumerate(listed)}
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
    if not sample.build:
        return
    command = [_filled(word, entry, folder) for word in sample.build]
    try:
        with trio.fail_after(BUILD):
            # What compilers keep for the next time is not to outlive this.
            done = await trio.run_process(
                command,
                cwd=folder,
                env={**os.environ, "GOCACHE": str(folder / ".cache")},
                stdin=subprocess.DEVNULL,
                capture_stdout=True,
                capture_stderr=True,
                check=False,
            )
    except (OSError, trio.TooSlowError) as failed:
        failures[entry.language] = f"{command[0]}: {getattr(failed, 'strerror', None) or f'no end after {BUILD:g} s'}"
        return
    if done.returncode:
        lines = (done.stderr + done.stdout).decode(errors="replace").splitlines() or ["it says nothing"]
        failures[entry.language] = harmless(f"{command[0]} fails: {shorten(lines[0])}")


async def _play(sandbox: Sandbox, entry: Language, folder: Path, failures: Mapping[str, str]) -> Language:
    sample = _sample(entry)
    if sample is None:
        return entry
    if entry.language in failures:
        return replace(entry, why=failures[entry.language])
    argv = [_filled(word, entry, folder) for word in sample.run]
    program = probe.Own(f"sample in {entry.language}", argv, folder, usr=sample.usr)
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


def _filled(word: str, entry: Language, folder: Path) -> str:
    return word.replace("{program}", entry.program).replace("{folder}", str(folder))
