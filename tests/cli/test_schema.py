"""`referee schema`: each schema is valid, and the files that the project has fit theirs."""

import json
import re
import tomllib
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from cli.conftest import Shell
from cli.test_json import SCHEMAS

ROOT = Path(__file__).parents[2]
RECORDS = sorted((ROOT / "tests" / "records").glob("*.jsonl"))
MANIFESTS = sorted([*ROOT.glob("bots/*/bot.toml"), *ROOT.glob("sdk/*/starter/*/bot.toml")])


def schema_of(referee: Shell, name: str) -> Any:
    """A schema as the command prints it."""
    return json.loads(referee.ok("schema", name, err="").out)


def test_all_schemas_are_listed_and_valid(referee: Shell):
    names = referee("schema").out.split()
    assert names == [*SCHEMAS, "saved-game", "tournament.toml", "bot.toml"]
    for name in names:
        schema = schema_of(referee, name)
        jsonschema.Draft202012Validator.check_schema(schema)
        assert schema["title"] == name
        assert SCHEMAS.get(name, {}).items() <= schema.items()


def test_an_unknown_name_is_refused(referee: Shell):
    assert "there is no schema 'saved-games' (did you mean 'saved-game'?)" in referee.refused("schema", "saved-games")


@pytest.mark.parametrize("path", RECORDS, ids=lambda path: path.stem)
def test_every_line_of_a_saved_game_fits(referee: Shell, path: Path):
    check = jsonschema.Draft202012Validator(schema_of(referee, "saved-game"))
    lines = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    for line in lines:
        check.validate(line)
    for wrong in ({**lines[0], "rules": "1"}, {**lines[1], "step": -1}, {"type": "banana"}):
        assert not check.is_valid(wrong)


def test_manifests_fit(referee: Shell):
    check = jsonschema.Draft202012Validator(schema_of(referee, "bot.toml"))
    for path in MANIFESTS:
        check.validate(tomllib.loads(path.read_text(encoding="utf-8")))
    assert not check.is_valid({"name": "x", "nmae": "y"})


def test_the_settings_of_tournaments_fit(referee: Shell):
    check = jsonschema.Draft202012Validator(schema_of(referee, "tournament.toml"))
    referee.ok("tournament", "new", "cup", "random", "guard")
    text = (referee.folder / "cup" / "tournament.toml").read_text(encoding="utf-8")
    check.validate(tomllib.loads(text))
    check.validate({"name": "x", "match": {"answer": "500ms", "total": "none", "memory": "64M", "first": 15}})
    pages = (ROOT / "referee" / "docs" / "tournaments.md").read_text(encoding="utf-8")
    for block in re.findall(r"^```toml\n(.*?)^```$", pages, re.MULTILINE | re.DOTALL):
        if "name =" in block and "[match]" in block:
            check.validate(tomllib.loads(block))
    assert not check.is_valid({"name": "x", "match": {"seats": "four"}})
