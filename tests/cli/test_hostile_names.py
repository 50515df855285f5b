"""Names that others chose never control the terminal: every command is run with folders, files, answers and stderr that try."""

import re
import shutil
import sqlite3
import subprocess
import unicodedata
from collections.abc import Iterator, Sequence
from contextlib import closing
from pathlib import Path
from typing import Final

import pytest
from cli.conftest import WALKER, Shell

from referee.cli.commands import COMMANDS, Command
from referee.files import assets

pytestmark = pytest.mark.machine

HOSTILE = "a\x1b]0;owned\x07\x9b31m\x7f\u202e"
"""A title for the window, red letters and a change of direction, as a name of a file or folder."""
OWN: Final = re.compile(r"\x1b\[[?0-9;]*[A-Za-z]")
"""What the referee itself writes on a terminal: colours, and moves of the cursor."""
QUITTER = f"""\
import sys

print("Quit\\x9b32m", flush=True)
for turn in range(2):
    print({HOSTILE!r}, file=sys.stderr, flush=True)
"""
MATCH = ("--map", "duel", "--rounds", "3", "--isolation", "none", "--seed", "1")
SETTINGS = """\
name = "Cup"
bots = ["bots/*"]

[match]
seats = 2
maps = ["duel"]
rounds = 2
isolation = "none"

[run]
rng_seed = 1
jobs = 1
"""
GAME, MAP, BOT, OTHER, CUP = (f"{HOSTILE}{end}" for end in (".jsonl", ".toml", ".py", "-2", "-cup"))
PROGRAM = "ava"
ARGUMENTS: dict[str, Sequence[str]] = {
    "play": (BOT, OTHER, *MATCH),
    "build": (BOT, OTHER),
    "check": (BOT, OTHER, "--matches", "1", "--isolation", "none"),
    "tournament new": (f"{HOSTILE}-new",),
    **{f"tournament {name}": (CUP,) for name in ("check", "run", "status", "table", "matches", "grade", "report")},
    "tournament merge": (CUP, f"{HOSTILE}.sqlite"),
    "compare": (BOT, OTHER, "--most", "1", "--isolation", "none", "--rounds", "1"),
    "submit": (GAME, "--to", HOSTILE, "--bot", HOSTILE),
    "arena new": (f"{HOSTILE}-arena", "--game", "viper"),
    "arena invite": (HOSTILE, HOSTILE),
    "arena user": (HOSTILE, HOSTILE),
    "arena backup": (HOSTILE, "-o", f"{HOSTILE}.tar"),
    "arena export": (HOSTILE, "-o", f"{HOSTILE}-site"),
    **dict.fromkeys(("replay", "explain", "verify"), (GAME,)),
    "export": (GAME, "-o", f"{HOSTILE}.html"),
    "history": (),
    "state": (GAME, "--step", "2"),
    "ask": (BOT, GAME, "--seat", "1", "--isolation", "none"),
    "new": ("python", f"{HOSTILE}-bot"),
    "game new": ("hostile", f"{HOSTILE}-game"),
    "map show": (f"./{MAP}",),
    "map check": (f"./{MAP}",),
    "map new": ("--seed", "1", "-o", f"{HOSTILE}-new.toml"),
    "program show": (f"./{HOSTILE}.ava",),
    "program test": (f"./{HOSTILE}.ava", GAME),
    "program edit": (f"{HOSTILE}-nothing/x.ava",),
    "program export": (f"./{HOSTILE}.ava", "-o", f"{HOSTILE}.json"),
}
"""Of commands; the others get a hostile word."""
SLOW: Final = frozenset({"check", "tournament check"})
"""Commands that take seconds; what they print with `--json` goes the same way."""


def every(table: Sequence[Command], *before: str) -> Iterator[str]:
    """The names of all commands."""
    for command in table:
        if command.commands:
            yield from every(command.commands, *before, command.name)
        else:
            yield " ".join((*before, command.name))


@pytest.fixture(scope="module")
def there(tmp_path_factory: pytest.TempPathFactory, cache: Path) -> Shell:
    """A folder with bots, a saved game, a map and a tournament whose names are hostile."""
    referee = Shell(tmp_path_factory.mktemp("hostile"), cache)
    folder = referee.folder
    (folder / BOT).write_text(QUITTER)
    (folder / OTHER).mkdir()
    (folder / OTHER / "main.py").write_text(WALKER.replace("NAME", "W\x9b31m").replace("PATH", "RDLU"))
    shutil.copy(assets.folder("maps") / "snakecore" / "duel.toml", folder / MAP)
    shutil.copy(next(assets.folder("bots").glob(f"*/*.{PROGRAM}")), folder / f"{HOSTILE}.{PROGRAM}")
    (folder / CUP / "bots").mkdir(parents=True)
    shutil.copy(folder / BOT, folder / CUP / "bots")
    shutil.copytree(folder / OTHER, folder / CUP / "bots" / OTHER)
    (folder / CUP / "bots" / f"{HOSTILE}.broken").mkdir()
    (folder / CUP / "tournament.toml").write_text(SETTINGS)
    referee.ok("play", BOT, OTHER, *MATCH, "-o", GAME)
    referee.ok("tournament", "run", CUP)
    return referee


def test_every_line_is_that_of_a_command() -> None:
    assert set(ARGUMENTS) < set(every(COMMANDS))


@pytest.mark.parametrize("name", list(every(COMMANDS)))
def test_no_command_prints_a_control_character(there: Shell, name: str) -> None:
    line = (*name.split(), *ARGUMENTS.get(name, [HOSTILE]))
    for words in (line, (*line, "--json"))[: 1 if name in SLOW else 2]:
        ran = there(*words)
        assert ran.code != 3, ran.err
        assert codes(ran.out + ran.err) == [], ascii(ran.out + ran.err)


@pytest.mark.parametrize("name", ["status", "table", "matches", "report", "check"])
def test_a_ledger_of_strangers_prints_no_control_character(there: Shell, tmp_path: Path, name: str) -> None:
    folder = tmp_path / HOSTILE
    shutil.copytree(there.folder / CUP, folder)
    with closing(sqlite3.connect(folder / "ledger.sqlite")) as ledger, ledger:
        ledger.execute("UPDATE matches SET reason = :told, saved = :told, machine = :told", {"told": HOSTILE})
        ledger.execute("UPDATE series SET map = ?", (HOSTILE,))
        ledger.execute("UPDATE entrants SET name = :told, source = :told", {"told": HOSTILE})
        ledger.execute("UPDATE unready SET name = :told, source = :told, why = :told", {"told": HOSTILE})
        ledger.execute("INSERT INTO failures VALUES (1, 0, :told, :told, :told)", {"told": HOSTILE})
    for more in ((), ("--json",)):
        ran = there("tournament", name, folder, *(["--games"] if name == "check" else []), *more)
        assert codes(ran.out + ran.err) == [], ascii(ran.out + ran.err)


@pytest.mark.parametrize(
    "name",
    ["play", "check", "build", "tournament run", "tournament table", "replay", "map show", "program show", "ask"],
)
def test_on_a_terminal_all_codes_are_the_referees_own(there: Shell, name: str) -> None:
    words = [*name.split(), *ARGUMENTS[name], *(["--no-watch"] if name in ("play", "replay") else [])]
    shown = there.at_terminal(*words, with_stderr=True).out
    assert codes(OWN.sub("", shown).replace("\r", "")) == [], ascii(shown)


@pytest.mark.parametrize("words", [("--help",), ("play", "--help"), ("tournament",), ("replay", GAME, "--no-watch")])
def test_the_referees_own_colours_stay(there: Shell, words: Sequence[str]) -> None:
    shown = there.at_terminal(*words, with_stderr=True).out
    assert "\x1b[" in shown
    assert codes(OWN.sub("", shown).replace("\r", "")) == []


def test_the_command_that_asks_again_can_be_pasted(there: Shell) -> None:
    ran = there("play", BOT, OTHER, *MATCH, "-o", f"again-{GAME}")
    [line] = [line for line in ran.out.splitlines() if "ask it again:" in line]
    words = f"set -- {line.partition('ask it again: ')[2]}; printf '%s\\0' \"$@\""
    pasted = subprocess.run(["bash", "-c", words], capture_output=True, check=True).stdout.decode().split("\0")
    assert pasted[1:4] == ["ask", BOT, f"again-{GAME}"]


def codes(printed: str) -> list[str]:
    """The characters that control a terminal, besides the ends of lines and tabs."""
    return [c for c in printed if unicodedata.category(c) in ("Cc", "Cf", "Cs") and c not in "\n\t"]
