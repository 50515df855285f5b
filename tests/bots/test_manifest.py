"""Manifests: valid keys, and errors that name the file, the key and the allowed values."""

import os
import tomllib

import pytest

from referee.bots import MANIFEST, Manifest, manifest_of
from referee.bots.manifest import EXAMPLES
from referee.errors import BotError

RUN = 'run = ["./bot"]\n'


@pytest.fixture
def refusal(tmp_path):
    """The error about a manifest with this text, without the name of the file."""

    def tell(text: str) -> str:
        path = tmp_path / MANIFEST
        path.write_text(text)
        with pytest.raises(BotError) as refused:
            manifest_of(path)
        message = str(refused.value)
        assert message.startswith(f"{path}: ")
        assert message.isprintable()
        return message.removeprefix(f"{path}: ")

    return tell


def test_all_keys_of_a_manifest(tmp_path):
    (tmp_path / MANIFEST).write_text(
        'name = "Viper"\nlanguage = "cpp"\nbuild = [["make"], ["strip", "bot"]]\nrun = ["./bot", "--fast"]\n'
        'files = ["src/", "Makefile"]\nlifetime = "turn"\ngames = ["snakecore"]\nstrength = 3\n'
    )
    assert manifest_of(tmp_path / MANIFEST) == Manifest(
        name="Viper", language="cpp", build=[["make"], ["strip", "bot"]], run=["./bot", "--fast"], files=["src/", "Makefile"],
        lifetime="turn", games=["snakecore"], strength=3,
    )  # fmt: skip


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (RUN, 'name: missing; write it like this: name = "My bot"'),
        ('name = ""\n' + RUN, "name: must have 1 character or more; write it like this: name ="),
        (f'name = "{"x" * 61}"\n{RUN}', "name: must have at most 60 characters; write it like this: name ="),
        ('name = "x"\n', "run: missing: write the command that starts the bot, or a language (c, cpp, "),
        ('name = "x"\nrun = []\n', 'run: must have 1 entry or more; write it like this: run = ["./bot", "--fast"]'),
        (f'name = "x"\nrun = ["{"x" * 1001}"]\n', "run.0: must have at most 1000 characters; write it"),
        ('name = "x\\u001b]0;y"\n' + RUN, "name: must have no control characters"),
        ('name = "x"\nrun = ["a\\u0007"]\n', "run.0: a command may not have control characters"),
        ('name = "x"\nrun = [""]\n', "run.0: must have 1 character or more; write it like this: run ="),
        ('name = "x"\nlanguage = "c++"\n', "language: there is no language 'c++': did you mean cpp? There are c, cpp, go, "),
        ('name = "x"\nlanguage = "cobol"\n', "language: there is no language 'cobol': there are c, cpp"),
        ('name = "x"\nbuild = [[]]\n' + RUN, "build.0: must have 1 entry or more; write it like this: build ="),
        ('name = "x"\nbuild = [["make", "a\\u0000b"]]\n' + RUN, "build.0.1: a command may not have control characters"),
        (f'name = "x"\nbuild = {[["make"]] * 21}\n{RUN}', "build: must have at most 20 entries; write it like this: "),
        (
            'name = "x"\nfiles = []\n' + RUN,
            'files: must have 1 entry or more; write it like this: files = ["main.py", "data/"]',
        ),
        *(
            (
                f'name = "x"\nfiles = ["a", "{pattern}"]\n{RUN}',
                f"files.1: '{pattern}' is not a name in the folder: write one",
            )
            for pattern in ("", "/", "/etc/passwd", "a//b", "./a", "a/../b", "..", "../b")
        ),
        (f'name = "x"\nfiles = ["{"x" * 201}"]\n{RUN}', "files.0: must have at most 200 characters; write it"),
        ('name = "x"\nlifetime = "match"\n' + RUN, "lifetime: must be 'game' or 'turn'; write it like this: lifetime ="),
        ('name = "x"\nprogram = "../a"\n', "program: '../a' is not the name of a file in the bot's own folder"),
        ('name = "x"\nprogram = "a"\n' + RUN, "program: nothing is built or started for it: take run out"),
        ('name = "x"\nprogram = "a"\nlifetime = "turn"\n', "program: nothing is built or started for it: take lifetime"),
        ('name = "x"\nbiuld = [["make"]]\n' + RUN, "biuld: unknown key"),
        ('name = "x"\n"\\u001b[2J" = 1\n' + RUN, r"\x1b[2J: unknown key"),
        ("name = 7\nusr = 1\n" + RUN, "name: must be a text in quotes (and 1 more); write it like this: name ="),
    ],
)  # fmt: skip
def test_invalid_values_are_errors(refusal, text, message):
    assert refusal(text).startswith(message)


@pytest.mark.parametrize("key", EXAMPLES)
def test_a_value_of_a_wrong_type_gets_an_example_which_is_valid(refusal, key):
    message = refusal(f"{key} = {{}}\n" + ("" if key == "name" else 'name = "x"\n'))
    assert message.startswith(f"{key}: must be ")
    assert message.endswith(f"; write it like this: {EXAMPLES[key]}")
    start = {} if key == "program" else {"run": ["x"]}
    Manifest.model_validate({"name": "x", **start, **tomllib.loads(EXAMPLES[key])})


def test_invalid_toml_is_an_error(tmp_path):
    (tmp_path / MANIFEST).write_text("name = viper")
    with pytest.raises(BotError, match=r"bot\.toml, line 1, column 8: not TOML: "):
        manifest_of(tmp_path / MANIFEST)


@pytest.mark.parametrize("make", ["fifo", "link", "long"])
def test_a_manifest_must_be_a_small_regular_file(tmp_path, make):
    path = tmp_path / MANIFEST
    if make == "fifo":
        os.mkfifo(path)
    elif make == "link":
        path.symlink_to("/dev/zero")
    else:
        path.write_text("#" * (1 << 17))
    says = {
        "fifo": "is not a regular file",
        "link": "cannot be read: it is a symbolic link",
        "long": "is longer than 8 KiB",
    }
    with pytest.raises(BotError, match=says[make]):
        manifest_of(path)
