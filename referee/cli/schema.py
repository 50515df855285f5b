"""`referee schema`: the JSON Schemas of documents that programs read and write.

1. What commands print with `--json` is described on a page of the manual, which tests compare with real output. Its schemas are
   printed as they stand there.
2. The schema of a file that the referee reads is made from its own strict model. What a schema cannot say (that an answer is
   null exactly when there is a fault) only the referee checks.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from importlib.resources import files
from typing import Annotated, Any, Final

from cyclopts import Parameter

from referee.errors import UsageError
from referee.text.words import did_you_mean, shorten

DIALECT: Final = "https://json-schema.org/draft/2020-12/schema"
FILES: Final = ("saved-game", "tournament.toml", "bot.toml")
_BLOCK: Final = re.compile(r"^```schema (\S+)\n(.*?)^```$", re.DOTALL | re.MULTILINE)


def schema(name: Annotated[str | None, Parameter(help="The document; without one, all are listed.")] = None, /) -> None:
    """Print the JSON Schema of a document: of what a command prints with `--json`, or of a file.

    `saved-game` describes a line of a saved game, `tournament.toml` and `bot.toml` what these files say, as JSON has it.
    """
    documents = schemas()
    names = [*documents, *FILES]
    if name is None:
        print(*names, sep="\n")
        return
    if name not in names:
        asked = f"{shorten(repr(name), 60)}{did_you_mean(name, names)}"
        raise UsageError(f"there is no schema {asked}; there are: {', '.join(names)}")
    document = documents[name] if name in documents else _of_file(name)
    print(json.dumps({"$schema": DIALECT, **document, "title": name}, indent=2, ensure_ascii=False))


def schemas() -> Mapping[str, Any]:
    """The schemas of what commands print, by name, as the manual has them."""
    page = (files("referee") / "docs" / "json.md").read_text(encoding="utf-8")
    return {name: json.loads(text) for name, text in _BLOCK.findall(page)}


def _of_file(name: str) -> dict[str, Any]:
    """The schema of a file, from its strict model."""
    if name == "tournament.toml":
        from referee.tournament.settings import Settings

        return Settings.model_json_schema()
    if name == "bot.toml":
        from referee.bots import Manifest

        return Manifest.model_json_schema()
    from pydantic import TypeAdapter

    from referee.saved.entries import Header, ResultEntry, StepEntry

    return TypeAdapter[Any](Header | StepEntry | ResultEntry).json_schema()
