"""A command line that cannot be read: one plain line that names the word and the way out, and exit code 2."""

from __future__ import annotations

import re

import pytest
from cli.test_help import EVERY

from referee.cli.exits import run

NEEDS = {
    "check": "BOT",
    "state": "FILE",
    "ask": "BOT",
    "program show": "PROGRAM",
    "program test": "PROGRAM --step STEP",
    "program import": "FILE",
}
"""What a command cannot do without."""
TAKES = {"play": 99, "build": 99, "verify": 99, "map check": 99, "new": 2, "replay": 1, "ask": 2, "program test": 2,
         "check": 1, "state": 1, "rules": 1, "map show": 1, "program show": 1, "program import": 1}  # fmt: skip
"""How many words a command takes beside its options; others take none."""
FULL = {"program test": ["--step", "1"]}


@pytest.fixture
def misused(capsys, tmp_path, monkeypatch):
    """What is said of a command line that is refused, without the program's name."""
    monkeypatch.chdir(tmp_path)

    def call(*words: str) -> str:
        assert run(list(words)) == 2
        out, err = capsys.readouterr()
        assert out == ""
        assert err.count("\n") == 1
        assert not re.search(r"[^\n -~…]", err)
        assert len(err) < 500
        return err.removeprefix("referee: ").removesuffix("\n")

    return call


def help_of(words: str) -> str:
    return f" (see referee {words} --help)" if words else " (see referee --help)"


@pytest.mark.parametrize("words", NEEDS)
def test_what_a_command_needs_is_named_with_the_whole_of_it(words, misused):
    first = NEEDS[words].split()[0]
    assert misused(*words.split()) == f"{words} needs {first}: referee {words} {NEEDS[words]}{help_of(words)}"


def test_an_option_that_a_command_needs_is_named_too(misused):
    says = "program test needs --step STEP: referee program test PROGRAM --step STEP"
    assert misused("program", "test", "worm") == says + help_of("program test")


@pytest.mark.parametrize("words", [" ".join(words) for words in EVERY])
def test_each_command_refuses_words_that_it_does_not_know(words, misused):
    command = words.split()
    assert misused(*command, "--bogus") == f"there is no option --bogus{help_of(words)}"
    assert misused(*command, "--bogus=3") == f"there is no option --bogus{help_of(words)}"
    assert misused(*command, "-Z") == f"there is no option -Z{help_of(words)}"
    if (most := TAKES.get(words, 0)) < 99:
        many = [*["a"] * most, *FULL.get(words, [])]
        assert misused(*command, *many, "b") == f"unexpected argument 'b'{help_of(words)}"
        assert misused(*command, *many, "b", "c d") == f"unexpected arguments 'b' 'c d'{help_of(words)}"


OPTIONS = [
    (" ".join(words), argument)
    for words, command in EVERY.items()
    for argument in command.assemble_argument_collection()
    if argument.name.startswith("--")
]


@pytest.mark.parametrize(
    ("words", "argument"), OPTIONS, ids=lambda value: value if isinstance(value, str) else value.name
)
def test_each_option_refuses_what_it_cannot_take(words, argument, misused):
    command, name = [*words.split(), *["x"] * (words in NEEDS)], argument.name
    if argument.hint in (bool, bool | None) or argument.parameter.count:
        assert misused(*command, f"{name}=maybe") == f"{name} takes no value, and got 'maybe'{help_of(words)}"
    else:
        says = misused(*command, name)
        assert says.startswith(f"{name} needs a value: {name}=")
        assert says.endswith(help_of(words))


@pytest.mark.parametrize("option", ["--seed=1", "--json", "--isolation=none", "--game=ava"])
def test_an_option_is_given_once(option, misused):
    assert misused("check", "x", option, option) == f"{option.split('=')[0]} is given more than once" + help_of("check")


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("chekc", "there is no command 'chekc': did you mean check?"),
        ("map shwo", "map has no command 'shwo': did you mean show?"),
        ("program x", "program has no command 'x': there are show, test, import"),
        ("play worm --gmae viper", "there is no option --gmae: did you mean --game?"),
        ("check worm --isolation FULL", "--isolation is full, reduced or none, not 'FULL': did you mean full?"),
        ("check worm --isolation", "--isolation needs a value: --isolation=full|reduced|none"),
        ("play --clock sun", "--clock is wall or cpu, not 'sun'"),
        ("play --speed fast", "--speed: 'fast' is no number"),
        ("play -s x", "-s: 'x' is no whole number"),
        ("play -s", "-s needs a value: -s SEED"),
        ("check worm --memory", "--memory needs a value: --memory=SIZE"),
        ("play -v=x", "-v takes no value, and got 'x'"),
        ("play --first 5parsecs", "--first: '5parsecs' is no duration: write 500ms, 2s, 2m or bare seconds, above zero, at "
         "most a day"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_named_with_what_would_do(line, says, misused):
    words = line.split()
    command = next((known for known in map(" ".join, EVERY) if line.startswith(known)), "")
    assert misused(*words) == says + help_of(command or (words[0] if len(words) > 1 else ""))


def test_an_option_without_a_command_leads_to_the_commands(misused):
    says = misused("--bogus")
    assert says.startswith("there is no option --bogus without a command: there are play, build, check, ")
    assert says.endswith(help_of(""))


def test_a_file_whose_name_looks_like_an_option_is_told_how_to_be_named(misused, tmp_path):
    (tmp_path / "-x.py").touch()
    assert misused("play", "-x.py") == "there is no option -x.py; the file of that name is written ./-x.py" + help_of(
        "play"
    )


def test_words_of_any_kind_are_shown_harmless_and_short(misused):
    assert misused("a\x1b[31m\n") == (
        "there is no command 'a\\x1b[31m\\n': there are play, build, check, replay, verify, state, ask, new, rules, games, "
        "doctor, map, program" + help_of("")
    )
    assert "(5002 characters)" in misused("games", "x" * 5000)
    assert "(5002 characters)" in misused("--" + "x" * 5000)
