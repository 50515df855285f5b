"""Manifests: valid keys, and errors that name the file, the key and the allowed values."""

import os
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
        'files = ["src/", "Makefile"]\nlifetime = "turn"\ngames = ["snakecore"]\nstrength = 3\nusr = true\n'
    )
    assert manifest_of(tmp_path / MANIFEST) == Manifest(
        name="Viper",
        language="cpp",
        build=[["make"], ["strip", "bot"]],
        run=["./bot", "--fast"],
        files=["src/", "Makefile"],
        lifetime="turn",
        games=["snakecore"],
        strength=3,
        usr=True,
    )


def test_a_name_and_a_language_are_enough(tmp_path):
    (tmp_path / MANIFEST).write_text('name = "Viper"\nlanguage = "java"\n')
    found = manifest_of(tmp_path / MANIFEST)
    assert (found.build, found.run, found.files, found.games, found.lifetime) == (None, None, None, [], None)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (RUN, 'name: missing: write a text of 1 to 60 characters in quotes: name = "My bot"'),
        ('name = ""\n' + RUN, 'name: write a text of 1 to 60 characters in quotes: name = "My bot"'),
        (f'name = "{"x" * 61}"\n{RUN}', "name: write a text of 1 to 60 characters in quotes"),
        ("name = 7\n" + RUN, "name: write a text of 1 to 60 characters in quotes"),
        ('name = "x"\n', "run: missing: write the command that starts the bot, or a language (c, cpp, "),
        ('name = "x"\nrun = []\n', 'run: write a list of words, none empty: ["./bot"]'),
        ('name = "x"\nrun = "python3 main.py"\n', 'run: write a list of words: ["python3", "main.py"]'),
        ('name = "x"\nrun = "sh -c \'a"\n', 'run: write a list of words: ["./bot"]'),
        ('name = "x"\nrun = "\\u001b[2J"\n', 'run: write a list of words: ["\\u001b[2J"]'),
        (f'name = "x"\nrun = ["{"x" * 1001}"]\n', "run: write a list of words, each of at most 1000 characters: "),
        ('name = "x"\nrun = ["a\\u0007"]\n', "run.0: control characters may not be in a command"),
        ('name = "x"\nrun = [""]\n', 'run: write a list of words, none empty: ["./bot"]'),
        (
            'name = "x"\nlanguage = "c++"\n',
            "language: there is no language 'c++': did you mean cpp? There are c, cpp, go, ",
        ),
        ('name = "x"\nlanguage = "cobol"\n', "language: there is no language 'cobol': there are c, cpp"),
        ('name = "x"\nlanguage = ["c"]\n', 'language: write a text in quotes: language = "python"'),
        (
            'name = "x"\nbuild = ["g++", "a.cpp"]\n' + RUN,
            'build: write a list of commands, each a list of words: [["g++", "a.cpp"]]',
        ),
        (
            'name = "x"\nbuild = "make it"\n' + RUN,
            'build: write a list of commands, each a list of words: [["make", "it"]]',
        ),
        (
            'name = "x"\nbuild = [[]]\n' + RUN,
            'build: write a list of commands, each a list of words, none empty: [["make", "bot"]]',
        ),
        ('name = "x"\nbuild = [["make", "a\\u0000b"]]\n' + RUN, "build.0.1: control characters may not be"),
        (
            f'name = "x"\nbuild = {[["make"]] * 21}\n{RUN}',
            "build: write a list of commands, each a list of words, 20 at the most: ",
        ),
        ('name = "x"\nfiles = []\n' + RUN, "files: write a list of patterns, none empty: "),
        ('name = "x"\nfiles = "main.py"\n' + RUN, 'files: write a list of patterns: ["main.py"]'),
        (
            'name = "x"\nfiles = ["a", "../b"]\n' + RUN,
            "files.1: '../b' is no name in the folder: write one such as main.py",
        ),
        ('name = "x"\nfiles = ["/etc/passwd"]\n' + RUN, "files.0: '/etc/passwd' is no name in the folder"),
        ('name = "x"\nlifetime = "match"\n' + RUN, 'lifetime: write "game" or "turn"'),
        ('name = "x"\ngames = "snakecore"\n' + RUN, 'games: write a list of names: ["snakecore"]'),
        ('name = "x"\nstrength = "3"\n' + RUN, "strength: write a whole number without quotes: strength = 3"),
        ('name = "x"\nprogram = 1\n', "program: write the file of a program in a game's own language, in quotes: "),
        ('name = "x"\nprogram = "../a"\n', "program: '../a' is not the name of a file in the bot's own folder"),
        ('name = "x"\nprogram = "a"\n' + RUN, "program: nothing is built or started for it: take run out"),
        (
            'name = "x"\nprogram = "a"\nlifetime = "turn"\n',
            "program: nothing is built or started for it: take lifetime",
        ),
        ('name = "x"\nusr = 1\n' + RUN, "usr: write true or false, without quotes"),
        ('name = "x"\nbiuld = [["make"]]\n' + RUN, "biuld: unknown key: did you mean 'build'?"),
        (
            'name = "x"\n"\\u001b[2J" = 1\n' + RUN,
            r"\x1b[2J: unknown key: there are name, language, build, run, files, program, lifetime, games, strength, usr",
        ),
        (
            "name = 7\nusr = 1\n" + RUN,
            'name: write a text of 1 to 60 characters in quotes: name = "My bot" (and 1 more)',
        ),
    ],
)
def test_what_it_may_not_say(told, text, message):
    assert told(text).startswith(message)


@pytest.mark.parametrize("text", ["name = ", "[", "\0", "x=" + "[" * 10**4])
def test_what_is_no_toml(tmp_path, text):
    (tmp_path / MANIFEST).write_text(text)
    with pytest.raises(BotError, match="cannot be read: "):
        manifest_of(tmp_path / MANIFEST)


def test_a_key_of_thousands_of_parts_is_refused_unread(tmp_path):
    (tmp_path / MANIFEST).write_text('name = "x"\n' + "a." * 30_000 + "a = 1\n")
    with pytest.raises(BotError, match=r"cannot be read: a key of more than 16 parts \(at line 2, column 1\)$"):
        manifest_of(tmp_path / MANIFEST)


def test_a_text_without_quotes_is_told(tmp_path):
    (tmp_path / MANIFEST).write_text("name = viper\n")
    with pytest.raises(
        BotError, match=r'Invalid value \(at line 1, column 8\); texts stand in quotes: name = "My bot"$'
    ):
        manifest_of(tmp_path / MANIFEST)


def test_a_byte_order_mark_is_no_matter(tmp_path):
    (tmp_path / MANIFEST).write_bytes(b'\xef\xbb\xbfname = "Viper"\r\nlanguage = "c"\r\n')
    assert manifest_of(tmp_path / MANIFEST).name == "Viper"
    (tmp_path / MANIFEST).write_text('name = "Viper"', encoding="utf-16")
    with pytest.raises(BotError, match="cannot be read: invalid start byte at byte 0: save it as UTF-8"):
        manifest_of(tmp_path / MANIFEST)


@pytest.mark.parametrize("make", ["fifo", "folder", "link", "long"])
def test_what_is_no_file_of_a_few_lines(tmp_path, make):
    path = tmp_path / MANIFEST
    match make:
        case "fifo":
            os.mkfifo(path)
        case "folder":
            path.mkdir()
        case "link":
            path.symlink_to("/dev/zero")
        case "long":
            path.write_text("#" * (1 << 17))
    words = {"link": "cannot be read: it is a symbolic link", "long": "is longer than 64 KiB"}.get(
        make, "is no regular file"
    )
    with pytest.raises(BotError, match=words):
        manifest_of(path)


@pytest.mark.parametrize(
    ("names", "part"),
    [
        (["main.cpp", "more.cpp", "notes.py"], '`name = "My bot"` and `language = "cpp"`'),
        (["Main.java"], '`language = "java"`'),
        (["notes.txt"], '`language = "python"`'),
        (["BOT.PAS"], "; BOT.PAS does not end as sources do: call it BOT.pas"),
    ],
)
def test_a_folder_without_one_is_told_the_language_of_its_sources(tmp_path, names, part):
    for name in names:
        (tmp_path / name).write_text("")
    with pytest.raises(BotError) as refused:
        manifest_of(tmp_path / MANIFEST)
    assert part in str(refused.value)


def test_a_folder_without_one_is_told_what_to_write(tmp_path):
    with pytest.raises(BotError) as refused:
        manifest_of(tmp_path / MANIFEST)
    text = str(refused.value).partition(": ")[2]
    assert "has no bot.toml" in str(refused.value)
    example = "\n".join(part for part in text.split("`") if "=" in part)
    assert Manifest.model_validate(tomllib.loads(example)).language == "python"
