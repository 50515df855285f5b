"""Files of a game's package for bots: found when a bot is built, when it plays, and in a contest's kit."""

import json
import shutil
import zipfile
from pathlib import Path

import pytest
from languages.present import needs

pytestmark = pytest.mark.machine

WAITING = {
    "python": (
        "riding.py", "NAME = 'Imported'\n", "my.py",
        "import riding, sys\n"
        "for line in sys.stdin:\n"
        "    if line == 'getName\\n':\n"
        "        print(riding.NAME, flush=True)\n"
        "    else:\n"
        "        [next(sys.stdin) for _ in range(int(next(sys.stdin)))]\n"
        "        print('N', flush=True)\n",
    ),
    "javascript": (
        "riding.js", "exports.NAME = 'Imported'\n", "my.js",
        "const { NAME } = require('riding')\n"
        "const lines = []\n"
        "require('readline').createInterface({ input: process.stdin }).on('line', line => {\n"
        "    lines.push(line)\n"
        "    const named = lines[0] === 'getName'\n"
        "    if (!named && !(lines.length >= 2 + Number(lines[1]))) return\n"
        "    console.log(named ? NAME : 'N')\n"
        "    lines.length = 0\n"
        "})\n",
    ),
    "ruby": (
        "riding.rb", "NAME = 'Imported'\n", "my.rb",
        "require 'riding'\n"
        "$stdout.sync = true\n"
        "while line = gets\n"
        "  if line == \"getName\\n\"\n"
        "    puts NAME\n"
        "  else\n"
        "    gets.to_i.times { gets }\n"
        "    puts 'N'\n"
        "  end\n"
        "end\n",
    ),
    "c": (
        "lib/riding.h", '#define NAME "Imported"\n', "my.c",
        "#include <stdio.h>\n"
        '#include "LIB/Riding.h"\n'
        "static char line[999];\n"
        "int main(void) {\n"
        "    while (fgets(line, sizeof line, stdin)) {\n"
        "        int lines = 0;\n"
        "        if (line[3] == 'N') { puts(NAME); fflush(stdout); continue; }\n"
        '        scanf("%d\\n", &lines);\n'
        "        while (lines--) fgets(line, sizeof line, stdin);\n"
        "        puts(\"N\"); fflush(stdout);\n"
        "    }\n"
        "}\n",
    ),
}  # fmt: skip
"""Bots that wait, and take their names from a file of the game's package: by language, that file and the bot's."""


@pytest.mark.parametrize("language", [pytest.param(name, marks=needs(name)) for name in WAITING])
def test_bots_import_the_sdk_of_the_game_and_only_there(referee, install, language) -> None:
    imported, text, file, source = WAITING[language]
    sdk = install(f"tron_sdk_{language}") / "sdk" / language
    (sdk / imported).parent.mkdir(parents=True)
    (sdk / imported).write_text(text)
    (referee.folder / file).write_text(source)

    def name(*words: str) -> tuple[str, str | None]:
        done = referee("play", file, *words, "--rounds", "2", "-o", "a.jsonl", "--forfeit", "--json")
        [mine] = [player for player in json.loads(done.out)["players"] if player["bot"] == "my"]
        return mine["name"], mine["disqualified"]

    assert name("roomy", "--game", f"tron_sdk_{language}") == ("Imported", None)
    assert name("random", "--map", "duel")[1] == "exit"
    (sdk / imported).write_text(text.replace("Imported", "Changed"))
    assert name("roomy", "--game", f"tron_sdk_{language}") == ("Changed", None)


@needs("c")
def test_a_build_finds_the_sdk_of_the_game_that_the_bot_names(referee, install) -> None:
    sdk = install("tron_built") / "sdk" / "c"
    sdk.mkdir(parents=True)
    header, text, file, source = WAITING["c"]
    mine = referee.folder / "mine"
    for path, content in {
        sdk / Path(header).name: text,
        mine / file: source.replace("LIB/", ""),
        mine / "bot.toml": 'name = "mine"\nlanguage = "c"\ngames = ["tron_built"]\n',
    }.items():
        path.parent.mkdir(exist_ok=True)
        path.write_text(content)
    referee.ok("play", "mine", "roomy", "--game", "tron_built", "-o", "a.jsonl")
    assert "mine: already built" in referee("build", "mine").out
    (mine / Path(header).name).write_text("int main(void) { return NAME; }")
    assert referee("build", "mine").code == 4  # the bot's own file comes first


def test_a_game_without_starters_has_no_kit(referee, install) -> None:
    shutil.rmtree(install("tron_bare") / "starter")
    refusal = referee.refused("new", "--kit", "tron_bare", "-o", "kit.zip")
    assert refusal == "tron_bare has no starter kit in any language, and a contest's kit needs one"


def test_a_kit_has_the_sdk_of_the_game_beside_the_starters(referee, install) -> None:
    sdk = install("tron_kit") / "sdk" / "python"
    sdk.mkdir(parents=True)
    for name in ("riding.py", "main.py"):
        (sdk / name).write_text("NAME = 'Imported'\n")
    referee.ok("new", "--kit", "tron_kit", "-o", "kit.zip")
    with zipfile.ZipFile(referee.folder / "kit.zip") as kit:
        assert kit.read("tron_kit-kit/starters/python/riding.py") == b"NAME = 'Imported'\n"
        assert b"Imported" not in kit.read("tron_kit-kit/starters/python/main.py")
        assert not [name for name in kit.namelist() if "/sdk/" in name], "the SDKs of the referee are for other games"
        assert b"sdk" not in kit.read("tron_kit-kit/README.md")
