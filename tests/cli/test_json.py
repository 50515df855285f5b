"""The output of `--json` matches the manual's schemas, for every command with that option."""

import json
import re
import shutil
from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from cli.conftest import Shell
from cli.test_help import EVERY

from referee.arena.accounts import Accounts

pytestmark = pytest.mark.machine

PAGE = (files("referee") / "docs" / "json.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"^```schema (\S+)\n(.*?)^```$", PAGE, re.DOTALL | re.MULTILINE)
SCHEMAS = {name: json.loads(text) for name, text in BLOCKS}
OPEN = [SCHEMAS["play"]["properties"]["isolation"], SCHEMAS["play"]["properties"]["players"]["items"]]
"""What enforces a level, and the columns of a game, have other keys too."""
HEADINGS = re.findall(r"^## `referee ([a-z ]+?)(?: MAP)?`$", PAGE, re.MULTILINE)
VIPER = ("--game=viper", "newt", "krait")


def printed(referee: Shell, schema: str, *words: str, code: int = 0) -> Any:
    """The document that a command prints, which fits its schema."""
    document = referee.json(*words, code=code)
    jsonschema.validate(document, SCHEMAS[schema])
    return document


def parts_of(schema: Any) -> Iterator[Any]:
    """A schema and all that are in it."""
    if isinstance(schema, dict):
        yield schema
        for part in schema.values():
            yield from parts_of(part)
    elif isinstance(schema, list):
        for part in schema:
            yield from parts_of(part)


@pytest.fixture
def saved(referee: Shell) -> str:
    """A saved game of viper."""
    referee.ok("play", *VIPER, "--rounds=3", "--seed=3", "-o", "v.jsonl", "-q")
    return "v.jsonl"


def test_every_command_with_json_is_on_the_page():
    with_json = {
        " ".join(words)
        for words, command in EVERY.items()
        if "--json" in {name for argument in command.assemble_argument_collection() for name in argument.names}
    }
    assert set(HEADINGS) == with_json
    assert PAGE.count("\n```schema ") == len(SCHEMAS), "a schema is there twice"


@pytest.mark.parametrize("name", SCHEMAS)
def test_a_schema_is_valid_and_allows_only_the_keys_that_it_names(name):
    jsonschema.Draft202012Validator.check_schema(SCHEMAS[name])
    assert SCHEMAS[name]["type"] in ("array", "object")
    objects = [part for part in parts_of(SCHEMAS[name]) if "properties" in part]
    assert objects
    assert [part for part in objects if part.get("additionalProperties") is not False and part not in OPEN] == []


def test_documents_of_read_only_commands(referee: Shell, saved: str):
    newt = str(Path(__file__).parents[2] / "bots" / "newt")
    for name, *words in (
        ("games", "games"),
        ("maps", "map", "show"),
        ("map", "map", "show", "rooms"),
        ("map", "map", "show", "nest", "--game=egghunt"),
        ("program-show", "program", "show", newt),
        ("program-test", "program", "test", newt, saved, "--step=5"),
        ("verify", "verify", saved),
        ("explain", "explain", saved),
        ("explain", "explain", saved, "--seat=2"),
    ):
        printed(referee, name, *words)
    printed(referee, "verify", "verify", saved, "missing.jsonl", code=1)
    mine = shutil.copy(Path(newt) / "newt.viper", referee.folder / "mine.viper").name
    pin = ("program", "test", mine, saved, "--step=5", "--pin=must=ULDR")
    printed(referee, "program-tests", *pin)
    printed(referee, "program-tests", "program", "test", mine)


def test_documents_of_matches(referee: Shell, walker: Any):
    good, bad = walker("Wanda", "RRDDLLUUN"), walker("W" * 40, "N")
    for words in ((*VIPER,), (str(good), str(bad), "--map=duel"), ("--game=egghunt", "naive", "house")):
        printed(referee, "play", "play", *words, "--rounds=3")
    printed(referee, "explain", "explain")
    assert len(printed(referee, "history", "history")) == 3


def test_documents_about_a_bot(referee: Shell, walker: Any):
    good, bad = walker("Wanda", "RRDDLLUUN"), walker("W" * 40, "N")
    match = ("play", str(good), "guard", "--map=duel", "--rounds=3", "-o", "a.jsonl", "-q", "--isolation=none")
    referee.ok(*match)
    ask = ("ask", str(good), "a.jsonl", "--isolation=none")
    for words, code in (((*ask, "--all"), 0), ((*ask, "--step=3"), 0), (("ask", str(bad), *ask[2:]), 1)):
        printed(referee, "ask", *words, code=code)
    failed = printed(referee, "check", "check", str(bad), "--isolation=none", code=1)
    (failure,) = [step["failure"] for step in failed["steps"] if step["verdict"] == "fail"]
    assert (failed["passed"], failure["fault"], failure["sent"]) == (False, "wrong-answer", ["getName"])
    assert failure["came"].startswith('"WWWW')
    several = referee.json("check", str(bad), "nosuch.py", "--isolation=none", code=4)
    assert [document["bot"] for document in several] == ["w" * 40, "nosuch"]
    for document in several:
        jsonschema.validate(document, SCHEMAS["check"])
    (referee.folder / "wrong.c").write_text("int main(void) { return nothing; }\n")
    referee("build", "wrong.c", str(good), "--json", code=4)
    jsonschema.validate(referee.json("build", "wrong.c", code=4), SCHEMAS["build"])
    printed(referee, "build", "build", str(good))


def test_document_of_a_game(referee: Shell):
    printed(referee, "game-check", "game", "check", "viper", "--matches=1")


def test_document_of_doctor(referee: Shell):
    jsonschema.validate(json.loads(referee("doctor", "--json").out), SCHEMAS["doctor"])


def test_documents_of_a_tournament(referee: Shell, walker: Any):
    names = [str(walker(name, path)) for name, path in (("Wanda", "RRDDLLUUN"), ("Bob", "N"), ("X", "UUUU"))]
    referee.ok("tournament", "new", "cup", *names)
    path = referee.folder / "cup" / "tournament.toml"
    short = path.read_text().replace("# rounds = 100", 'rounds = 2\nisolation = "none"').replace("crossroads", "duel")
    path.write_text(short.replace("# seats = 4", "seats = 2") + "rng_seed = 3\n")
    checked = printed(referee, "tournament-check", "tournament", "check", "cup")
    for document in checked["bots"]:
        jsonschema.validate(document, SCHEMAS["check"])
    printed(referee, "tournament-table", "tournament", "run", "cup")
    printed(referee, "tournament-table", "tournament", "table", "cup")
    printed(referee, "tournament-status", "tournament", "status", "cup")
    printed(referee, "tournament-check-games", "tournament", "check", "cup", "--games")
    referee.ok("tournament", "run", "cup", "--shard=1/1", "-o", "part.sqlite", "-q")
    printed(referee, "tournament-merge", "tournament", "merge", "cup", "part.sqlite")
    report = printed(referee, "tournament-report", "tournament", "report", "cup", "--student")
    assert len(report["students"]) == 3
    graded = printed(referee, "tournament-grade", "tournament", "grade", "cup", "--against=random", "--series=1")
    assert [grade["matches"] for grade in graded["grades"]] == [2, 2, 2]
    lines = referee("tournament", "matches", "cup", "--json").out.splitlines()
    assert len(lines) == 6
    for line in lines:
        jsonschema.validate(json.loads(line), SCHEMAS["tournament-matches"])


def test_documents_of_an_arena(referee: Shell):
    printed(referee, "arena-new", "arena", "new", "arena", "--game=viper")
    invited = printed(referee, "arena-invite", "arena", "invite", "arena", "ada", "--class=a")
    accounts = Accounts(referee.folder / "arena" / "web" / "arena.sqlite", now=lambda: 0.0)
    accounts.join(invited[0]["token"])
    accounts.close()
    printed(referee, "arena-user", "arena", "user", "arena", "ada", "--new-key")
    for word in ("close", "open", "final", "status"):
        printed(referee, "arena-status", "arena", word, "arena")
    printed(referee, "arena-backup", "arena", "backup", "arena", "-o", "a.tar")
    printed(referee, "arena-verify", "arena", "verify", "arena")


def test_documents_of_a_comparison(referee: Shell, walker: Any):
    bots = (str(walker("Wanda", "RRDDLLUUN")), str(walker("Bob", "N")))
    words = ("compare", *bots, "--map=duel", "--rounds=2", "--most=3", "--isolation=none")
    printed(referee, "compare", *words, code=1)
