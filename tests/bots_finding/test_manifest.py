"""Manifests: what they may say, and what is said when they say something else: the file, the key, what is allowed."""

import tomllib

import pytest

from referee.bots import MANIFEST, Manifest, manifest_of
from referee.errors import BotError

RUN = 'run = ["./bot"]\n'


@pytest.fixture
def told(tmp_path):
    """The message that a manifest's text gets, without its file's name."""

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


def test_all_that_it_may_say(tmp_path):
    (tmp_path / MANIFEST).write_text(
        'name = "Viper"\nlanguage = "cpp"\nbuild = [["make"], ["strip", "bot"]]\nrun = ["./bot", "--fast"]\n'
        'files = ["src/", "Makefile"]\nlifetime = "match"\ngames = ["snakecore"]\nstrength = 3\nusr = true\n'
    )
    assert manifest_of(tmp_path / MANIFEST) == Manifest(
        name="Viper",
        language="cpp",
        build=[["make"], ["strip", "bot"]],
        run=["./bot", "--fast"],
        files=["src/", "Makefile"],
        games=["snakecore"],
        strength=3,
        usr=True,
    )


def test_a_name_and_a_language_are_enough(tmp_path):
    (tmp_path / MANIFEST).write_text('name = "Viper"\nlanguage = "java"\n')
    found = manifest_of(tmp_path / MANIFEST)
    assert (found.build, found.run, found.files, found.games, found.lifetime) == (None, None, None, [], "match")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (RUN, "name: missing"),
        ('name = ""\n' + RUN, "name: String should have at least 1 character"),
        (f'name = "{"x" * 61}"\n{RUN}', "name: String should have at most 60 characters"),
        ("name = 7\n" + RUN, "name: Input should be a valid string"),
        ('name = "x"\n', "run: missing: write the command that starts the bot, or a language (c, cpp, "),
        ('name = "x"\nrun = []\n', "run: List should have at least 1 item"),
        ('name = "x"\nrun = "./bot"\n', "run: Input should be a valid list"),
        ('name = "x"\nrun = ["a\\u0007"]\n', "run.0: control characters may not be in a command"),
        ('name = "x"\nrun = [""]\n', "run.0: String should have at least 1 character"),
        (
            'name = "x"\nlanguage = "c++"\n',
            "language: there is no language 'c++': did you mean cpp? There are c, cpp, go, ",
        ),
        ('name = "x"\nlanguage = "cobol"\n', "language: there is no language 'cobol': There are c, cpp"),
        ('name = "x"\nlanguage = ["c"]\n', "language: Input should be a valid string"),
        ('name = "x"\nbuild = ["make"]\n' + RUN, "build.0: Input should be a valid list"),
        ('name = "x"\nbuild = [[]]\n' + RUN, "build.0: List should have at least 1 item"),
        ('name = "x"\nbuild = [["make", "a\\u0000b"]]\n' + RUN, "build.0.1: control characters may not be"),
        (f'name = "x"\nbuild = {[["make"]] * 21}\n{RUN}', "build: List should have at most 20 items"),
        ('name = "x"\nfiles = []\n' + RUN, "files: List should have at least 1 item"),
        (
            'name = "x"\nfiles = ["a", "../b"]\n' + RUN,
            "files.1: '../b' is no name in the folder: write one such as main.py",
        ),
        ('name = "x"\nfiles = ["/etc/passwd"]\n' + RUN, "files.0: '/etc/passwd' is no name in the folder"),
        ('name = "x"\nlifetime = "game"\n' + RUN, "lifetime: Input should be 'match' or 'turn'"),
        ('name = "x"\ngames = "snakecore"\n' + RUN, "games: Input should be a valid list"),
        ('name = "x"\nstrength = "3"\n' + RUN, "strength: Input should be a valid integer"),
        ('name = "x"\nusr = 1\n' + RUN, "usr: Input should be a valid boolean"),
        ('name = "x"\nbiuld = [["make"]]\n' + RUN, "biuld: unknown key: did you mean 'build'?"),
        (
            'name = "x"\n"\\u001b[2J" = 1\n' + RUN,
            r"\x1b[2J: unknown key: there are name, language, build, run, files, lifetime, games, strength, usr",
        ),
        ("name = 7\nusr = 1\n" + RUN, "name: Input should be a valid string (and 1 more)"),
    ],
)
def test_what_it_may_not_say(told, text, message):
    assert told(text).startswith(message)


@pytest.mark.parametrize("text", ["name = ", "[", "\0", "x=" + "[" * 10**4])
def test_what_is_no_toml(tmp_path, text):
    (tmp_path / MANIFEST).write_text(text)
    with pytest.raises(BotError, match="cannot be read: "):
        manifest_of(tmp_path / MANIFEST)


def test_a_folder_without_one_is_told_what_to_write(tmp_path):
    with pytest.raises(BotError) as refused:
        manifest_of(tmp_path / MANIFEST)
    text = str(refused.value).partition(": ")[2]
    assert "has no bot.toml" in str(refused.value)
    example = "\n".join(part for part in text.split("`") if "=" in part)
    assert Manifest.model_validate(tomllib.loads(example)).language == "python"
