"""The output of `--json` matches the manual's schemas, for every command with that option."""

from __future__ import annotations

import json
import re
import shutil
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
SCHEMAS = {
    name: json.loads(text) for name, text in re.findall(r"^```schema (\S+)\n(.*?)^```$", PAGE, re.DOTALL | re.MULTILINE)
}
HEADINGS = re.findall(r"^## `referee ([a-z ]+?)(?: MAP)?`$", PAGE, re.MULTILINE)
VIPER = ("--game=viper", "newt", "krait")


def printed(referee: Shell, *words: str, code: int = 0) -> Any:
    """The document that a command prints."""
    ran = referee(*words, "--json")
    assert ran.code == code, ran.err
    return json.loads(ran.out)


@pytest.fixture
def saved(referee: Shell) -> str:
    """A saved game of viper."""
    assert referee("play", *VIPER, "--rounds=3", "--seed=3", "-o", "v.jsonl", "-q").code == 0
    return "v.jsonl"


def test_every_command_with_json_is_on_the_page():
    with_json = {
        " ".join(words)
        for words, command in EVERY.items()
        if "--json" in {name for argument in command.assemble_argument_collection() for name in argument.names}
    }
    assert set(HEADINGS) == with_json


@pytest.mark.parametrize("name", SCHEMAS)
def test_a_schema_is_valid_and_allows_only_the_keys_that_it_names(name):
    jsonschema.Draft202012Validator.check_schema(SCHEMAS[name])
    jsonschema.validate([] if SCHEMAS[name]["type"] == "array" else {}, {"type": SCHEMAS[name]["type"]})
    assert '"additionalProperties": false' in json.dumps(SCHEMAS[name])


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
        jsonschema.validate(printed(referee, *words), SCHEMAS[name])
    jsonschema.validate(printed(referee, "verify", saved, "missing.jsonl", code=1), SCHEMAS["verify"])
    mine = shutil.copy(Path(newt) / "newt.viper", referee.folder / "mine.viper").name
    pin = ("program", "test", mine, saved, "--step=5", "--pin=must=ULDR")
    jsonschema.validate(printed(referee, *pin), SCHEMAS["program-tests"])
    jsonschema.validate(printed(referee, "program", "test", mine), SCHEMAS["program-tests"])


def test_documents_of_matches(referee: Shell, walker: Any):
    good, bad = walker("Wanda", "RRDDLLUUN"), walker("W" * 40, "N")
    for words in ((*VIPER,), (str(good), str(bad), "--map=duel"), ("--game=egghunt", "naive", "house")):
        jsonschema.validate(printed(referee, "play", *words, "--rounds=3"), SCHEMAS["play"])
    jsonschema.validate(printed(referee, "explain"), SCHEMAS["explain"])
    jsonschema.validate(printed(referee, "history"), SCHEMAS["history"])
    assert len(printed(referee, "history")) == 3


def test_documents_about_a_bot(referee: Shell, walker: Any):
    good, bad = walker("Wanda", "RRDDLLUUN"), walker("W" * 40, "N")
    match = ("play", str(good), "guard", "--map=duel", "--rounds=3", "-o", "a.jsonl", "-q", "--isolation=none")
    assert referee(*match).code == 0
    ask = ("ask", str(good), "a.jsonl", "--isolation=none")
    for words, code in (((*ask, "--all"), 0), ((*ask, "--step=3"), 0), (("ask", str(bad), *ask[2:]), 1)):
        jsonschema.validate(printed(referee, *words, code=code), SCHEMAS["ask"])
    failed = printed(referee, "check", str(bad), "--isolation=none", code=1)
    jsonschema.validate(failed, SCHEMAS["check"])
    (failure,) = [step["failure"] for step in failed["steps"] if step["verdict"] == "fail"]
    assert (failed["passed"], failure["fault"], failure["sent"]) == (False, "wrong-answer", ["getName"])
    assert failure["came"].startswith('"WWWW')
    several = printed(referee, "check", str(bad), "nosuch.py", "--isolation=none", code=4)
    assert [document["bot"] for document in several] == ["w" * 40, "nosuch"]
    for document in several:
        jsonschema.validate(document, SCHEMAS["check"])
    (referee.folder / "wrong.c").write_text("int main(void) { return nothing; }\n")
    assert referee("build", "wrong.c", str(good), "--json").code == 4
    jsonschema.validate(json.loads(referee("build", "wrong.c", "--json").out), SCHEMAS["build"])
    jsonschema.validate(printed(referee, "build", str(good)), SCHEMAS["build"])


def test_document_of_a_game(referee: Shell):
    jsonschema.validate(printed(referee, "game", "check", "viper", "--matches=1"), SCHEMAS["game-check"])


def test_document_of_doctor(referee: Shell):
    ran = referee("doctor", "--json")
    jsonschema.validate(json.loads(ran.out), SCHEMAS["doctor"])


def test_documents_of_a_tournament(referee: Shell, walker: Any):
    names = [str(walker(name, path)) for name, path in (("Wanda", "RRDDLLUUN"), ("Bob", "N"), ("X", "UUUU"))]
    assert referee("tournament", "new", "cup", *names).code == 0
    path = referee.folder / "cup" / "tournament.toml"
    short = (
        path.read_text().replace("# rounds = 100", 'rounds = 2\nisolation = "none"').replace("# seats = 4", "seats = 2")
    )
    path.write_text(short.replace("crossroads", "duel") + "rng_seed = 3\n")
    checked = printed(referee, "tournament", "check", "cup")
    jsonschema.validate(checked, SCHEMAS["tournament-check"])
    for document in checked["bots"]:
        jsonschema.validate(document, SCHEMAS["check"])
    jsonschema.validate(printed(referee, "tournament", "run", "cup"), SCHEMAS["tournament-table"])
    jsonschema.validate(printed(referee, "tournament", "table", "cup"), SCHEMAS["tournament-table"])
    jsonschema.validate(printed(referee, "tournament", "status", "cup"), SCHEMAS["tournament-status"])
    jsonschema.validate(printed(referee, "tournament", "check", "cup", "--games"), SCHEMAS["tournament-check-games"])
    assert referee("tournament", "run", "cup", "--shard=1/1", "-o", "part.sqlite", "-q").code == 0
    jsonschema.validate(printed(referee, "tournament", "merge", "cup", "part.sqlite"), SCHEMAS["tournament-merge"])
    report = printed(referee, "tournament", "report", "cup", "--student")
    jsonschema.validate(report, SCHEMAS["tournament-report"])
    assert len(report["students"]) == 3
    graded = printed(referee, "tournament", "grade", "cup", "--against=random", "--series=1")
    jsonschema.validate(graded, SCHEMAS["tournament-grade"])
    assert [grade["matches"] for grade in graded["grades"]] == [2, 2, 2]
    lines = referee("tournament", "matches", "cup", "--json").out.splitlines()
    assert len(lines) == 6
    for line in lines:
        jsonschema.validate(json.loads(line), SCHEMAS["tournament-matches"])


def test_documents_of_an_arena(referee: Shell):
    document = printed(referee, "arena", "new", "arena", "--game=viper")
    jsonschema.validate(document, SCHEMAS["arena-new"])
    invited = printed(referee, "arena", "invite", "arena", "ada", "--class=a")
    jsonschema.validate(invited, SCHEMAS["arena-invite"])
    accounts = Accounts(referee.folder / "arena" / "web" / "arena.sqlite", now=lambda: 0.0)
    accounts.join(invited[0]["token"])
    accounts.close()
    jsonschema.validate(printed(referee, "arena", "user", "arena", "ada", "--new-key"), SCHEMAS["arena-user"])
    for word in ("close", "open", "final", "status"):
        jsonschema.validate(printed(referee, "arena", word, "arena"), SCHEMAS["arena-status"])
    jsonschema.validate(printed(referee, "arena", "backup", "arena", "-o", "a.tar"), SCHEMAS["arena-backup"])
    jsonschema.validate(printed(referee, "arena", "verify", "arena"), SCHEMAS["arena-verify"])


def test_documents_of_a_comparison(referee: Shell, walker: Any):
    bots = (str(walker("Wanda", "RRDDLLUUN")), str(walker("Bob", "N")))
    words = ("compare", *bots, "--map=duel", "--rounds=2", "--most=3", "--isolation=none")
    jsonschema.validate(printed(referee, *words, code=1), SCHEMAS["compare"])
