"""Every command and every option has help, and the manual lists every command."""

import inspect
import io
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from cyclopts import App, Argument
from rich.console import Console

from referee.cli.commands import COMMANDS
from referee.cli.exit_codes import run
from referee.cli.parser import app

pytestmark = pytest.mark.machine

ROOT = Path(__file__).parents[2]
COMMANDS_PAGE = (ROOT / "referee" / "docs" / "commands.md").read_text(encoding="utf-8")


def commands(parent: App, words: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], App]]:
    """Every command, by the words that call it."""
    for name in parent:
        if name.startswith("-"):
            continue
        command = parent[name]
        inner = list(commands(command, (*words, name)))
        yield from inner or [((*words, name), command)]


EVERY = dict(commands(app))


def arguments(words: tuple[str, ...]) -> list[Argument]:
    """The arguments and options of a command; `*` is a group of options, which follow it."""
    return [argument for argument in EVERY[words].assemble_argument_collection() if argument.name != "*"]


@pytest.mark.parametrize("words", EVERY, ids=" ".join)
def test_every_command_has_help_and_is_in_the_manual(words, capsys):
    command = EVERY[words]
    assert command.default_command is not None
    assert f"`referee {' '.join(words)}`" in COMMANDS_PAGE
    assert run([*words, "--help"]) == 0
    shown = capsys.readouterr().out
    assert shown.lstrip().startswith(f"Usage: referee {' '.join(words)}")
    assert "--empty-" not in shown, "the option of cyclopts that makes a list empty"
    assert "[default: False]" not in shown
    docstring = inspect.getdoc(command.default_command)
    assert docstring, "a docstring, which is the command's help"
    assert " ".join(docstring.split()) in " ".join(shown.split())


@pytest.mark.parametrize("words", [[], ["--help"], ["--version"], ["map"], ["play", "--help"], ["plya"]], ids=" ".join)
def test_help_needs_only_the_libraries_that_print_it(words):
    code = f"""if True:
        import sys
        from referee.cli.exit_codes import run
        run({words})
        heavy = {{"trio", "pydantic", "referee.sandbox.opening"}}
        print(*heavy & sys.modules.keys(), file=sys.stderr)
    """
    done = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    assert done.stderr.splitlines()[-1:] == [""]


@pytest.mark.parametrize("words", [[], ["--help"], ["-h"]], ids=" ".join)
def test_the_overview_does_not_import_the_parser(words):
    code = f"import sys; from referee.cli.exit_codes import run; sys.exit(run({words}) or 'cyclopts' in sys.modules)"
    shown = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True).stdout
    assert all(f"│ {command.name} " in shown for command in COMMANDS)


@pytest.mark.parametrize("columns", [60, 80, 200])
@pytest.mark.parametrize("colours", [{}, {"FORCE_COLOR": "1", "TERM": "xterm-256color"}], ids=["plain", "colours"])
def test_the_overview_looks_like_the_help_of_the_parser(columns, colours):
    asked = {
        "ours": "from referee.cli.overview import show; show()",
        "parser's": "from referee.cli.parser import app; app.register_install_completion_command(); app.help_print([])",
    }
    shown = {
        whose: subprocess.run(
            [sys.executable, "-c", code],
            env={"COLUMNS": str(columns), **colours}, check=True, capture_output=True, text=True,
        ).stdout
        for whose, code in asked.items()
    }  # fmt: skip
    parsers = [line.rstrip() for line in shown["parser's"].replace("Usage: \x1b[0m\x1b[1m", "Usage: ").splitlines()]
    assert [line.rstrip() for line in shown["ours"].splitlines()] == parsers


@pytest.mark.parametrize("words", EVERY, ids=" ".join)
def test_every_option_has_help_which_is_shown_completely(words):
    out = io.StringIO()
    app.help_print(words, console=Console(file=out, width=500))
    shown = out.getvalue()
    for argument in arguments(words):
        assert argument.parameter.help, argument.name
        assert argument.parameter.help in shown


def test_no_garbage_collection_runs_while_the_referee_starts():
    code = (
        "import gc, sys; from referee.cli import COLLECT_AFTER, main\n"
        "rounds = []; gc.callbacks.append(lambda phase, told: rounds.append(told))\n"
        "sys.argv[1:] = ['--help']\n"
        "try: main()\n"
        "except SystemExit: assert not rounds and gc.get_threshold()[0] == COLLECT_AFTER"
    )
    subprocess.run([sys.executable, "-c", code], check=True, stdout=subprocess.DEVNULL)


def test_version_prints_the_version_of_the_package(capsys):
    from referee import __version__

    app(["--version"], exit_on_error=False, result_action="return_value")
    assert capsys.readouterr().out.strip() == __version__


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion_knows_every_command(shell, tmp_path):
    done = subprocess.run(
        [sys.executable, "-m", "referee", "--install-completion", "--shell", shell, "--output", str(tmp_path / "script")],
        env={"HOME": str(tmp_path), "PATH": "/usr/bin:/bin"}, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    script = (tmp_path / "script").read_text()
    assert all(command.name in script for command in COMMANDS)


def test_help_lists_the_pages_of_the_manual(capsys):
    assert run(["help"]) == 0
    listed = [line.split()[2] for line in capsys.readouterr().out.splitlines()]
    assert listed == sorted(page.stem for page in (ROOT / "referee" / "docs").glob("*.md"))


def test_a_misspelt_name_gets_a_suggestion(capsys):
    for words, meant in (
        (["play", "colector"], "collector"),
        (["rules", "egghnt"], "egghunt"),
        (["help", "botts"], "bots"),
    ):
        assert run(words) != 0
        assert f"(did you mean '{meant}'?)" in capsys.readouterr().err
