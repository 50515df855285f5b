"""A wrong command line gives exit code 2 and one line with the library's message and the command that shows help."""

from __future__ import annotations

import re

import pytest

from referee.cli.exit_codes import run


@pytest.fixture
def misused(capsys):
    """Calls the command with a wrong command line and returns its error."""

    def call(*words: str) -> str:
        assert run(list(words)) == 2
        out, err = capsys.readouterr()
        assert out == ""
        assert err.count("\n") == 1
        assert not re.search(r"[^\n -~…]", err)
        assert len(err) < 500
        return err

    return call


@pytest.mark.parametrize(
    ("line", "says", "command"),
    [
        ("chekc", 'Did you mean "check"?', ""),
        ("map shwo", 'Did you mean "show"?', "map "),
        ("play worm --gmae viper", "Did you mean --game?", "play "),
        ("check worm --isolation FULL", '"full", "reduced", "none"', "check "),
        ("check worm --isolation", "--isolation requires an argument", "check "),
        ("check --json --json x", "--json specified multiple times", "check "),
        ("play --seed x", "--seed: 'x' is not a whole number", "play "),
        ("state", "FILE requires an argument", "state "),
        ("games ava viper", "Unexpected argument: 'ava' 'viper'.", "games "),
    ],
)
def test_the_error_names_the_wrong_word_and_the_help_command(line, says, command, misused):
    err = misused(*line.split())
    assert err.startswith("referee: ")
    assert says in err
    assert err.endswith(f" (see referee {command}--help)\n")


def test_wrong_words_are_escaped_and_shortened(misused):
    for words in (["a\x1b[31m\n"], ["games", "x\x1b" * 5000], ["--" + "x\x1b" * 5000], ["play", "--speed", "\x1b[2J"]):
        misused(*words)
