"""The command line is documentation: every command and every option says what it does, and README knows the command."""

from __future__ import annotations

import inspect
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from cyclopts import App

from referee.cli import app, run

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")


def commands(parent: App, words: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], App]]:
    """Every command with the words that call it."""
    for name in parent:
        if name.startswith("-"):
            continue
        command = parent[name]
        inner = list(commands(command, (*words, name)))
        yield from inner or [((*words, name), command)]


EVERY = dict(commands(app))


def test_the_commands_are_those_that_are_promised():
    assert {" ".join(words) for words in EVERY} == {
        "play", "replay", "verify", "state", "rules", "games", "doctor", "map show", "map check", "map new",
        "program show", "program test", "program import",
        "new", "build", "check", "ask",
    }  # fmt: skip


@pytest.mark.parametrize("words", EVERY, ids=" ".join)
def test_every_command_has_help_and_stands_in_the_readme(words, capsys):
    command = EVERY[words]
    assert command.default_command is not None
    assert f"referee {' '.join(words)}" in README
    assert run([*words, "--help"]) == 0
    shown = capsys.readouterr().out
    assert shown.lstrip().startswith(f"Usage: referee {' '.join(words)}")
    told = inspect.getdoc(command.default_command)
    assert told, "a docstring, which is the command's help"
    assert " ".join(told.replace("`", "").split()) in " ".join(shown.split())


@pytest.mark.parametrize("words", EVERY, ids=" ".join)
def test_every_option_says_what_it_does(words):
    for argument in EVERY[words].assemble_argument_collection():
        assert argument.parameter.help, f"{words}: {argument.name}"


def test_help_needs_neither_trio_nor_pydantic():
    code = (
        "import sys, referee.cli; referee.cli.run(['--help']);"
        "assert not {'trio', 'pydantic'} & sys.modules.keys(), sys.modules.keys()"
    )
    subprocess.run([sys.executable, "-c", code], check=True, stdout=subprocess.DEVNULL)


def test_the_version_is_the_packages(capsys):
    from referee import __version__

    app(["--version"], exit_on_error=False, result_action="return_value")
    assert capsys.readouterr().out.strip() == __version__
