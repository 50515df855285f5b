"""The kit of a contest: one ZIP file with what its people need to write a bot for a game, on any system and without a network.

1. It has the rules, a starter in each language, two sample bots, and a README with commands to build and run by hand, which are
   those of the languages' recipes. It has the SDKs, unless another package brings the game: they are for the referee's own.
2. Pages keep the links between files of the kit. The text of other links remains.
"""

from __future__ import annotations

import posixpath
import re
import shlex
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

from referee import bots, languages
from referee.bots import starter
from referee.bots.sources import sources, top
from referee.bots.starting import sdk_for
from referee.bots.zips import zipped
from referee.building.key import COMPILED, NOT_SDK
from referee.cli.again import game_words
from referee.contract.game import Game
from referee.errors import UsageError
from referee.files import assets
from referee.games import plugin

SAMPLES: Final = 2
"""The number of sample bots in a kit, the weakest ones that need no compiler; more if the game needs more players."""
_OWN: Final = "python"
"""The language of the starter in the commands, which needs no compiler."""
_LINK: Final = re.compile(r"\[([^]]+)\]\((?!https?:)([^)#\s]+)(#[^)\s]*)?\)")
"""Matches a link to a file."""
_SDK: Final = """\
| [`sdk/`](sdk/README.md) | the SDKs: with one, a bot is one function. The README says which files are for which game |
"""
_README: Final = """\
# {title}: a kit

| folder | what is in it |
|---|---|
| [`rules/`](rules/{name}.md) | the rules of the game, and what a bot reads and writes |
{sdk}| `starters/` | a complete first bot in each language, with a README: copy it and change it |
| `samples/` | bots to play against |

## Build and run by hand

Each line is for the folder of a starter. A bot waits for requests: type `getName` and press Enter, and it answers with its
name.

| folder | commands |
|---|---|
{commands}

On Windows, write `bot` for `./bot`, `python` for `python3`, and `;` for the `:` between folders. There, `set NAME=VALUE` is a
command of its own.

## Play

With the referee, nothing has to be built or copied by hand:

```sh
{play}
{check}
```
"""


def pack(game: Game[Any, Any]) -> bytes:
    """The ZIP file of the kit for a game. Everything in it is in the folder `NAME-kit`.

    Raises:
        UsageError: the game has no starter kits.
    """
    if not starter.languages_for(game.name):
        raise UsageError(f"{game.name} has no starter kit in any language, and a contest's kit needs one")
    return zipped({f"{game.name}-kit/{name}": content for name, content in _contents(game).items()})


def _contents(game: Game[Any, Any]) -> dict[str, bytes]:
    """The files of the kit by name."""
    origins = _origins(game)
    contents = {"README.md": _readme(game).encode()}
    for name, path in origins.items():
        content = path.read_bytes()
        if name.startswith("starters/"):
            content = content.replace(starter.PLACEHOLDER, starter.UNNAMED.encode())
        contents[name] = _link_files(content.decode(), name, origins).encode() if path.suffix == ".md" else content
    return contents


def _origins(game: Game[Any, Any]) -> dict[str, Path]:
    """Where the files of the kit come from, by their names in it."""
    rules, sdks = assets.rules(game.name), assets.folder("sdk")
    origins = {f"rules/{game.name}{page.name.removeprefix('README')}": page for page in rules.glob("README*.md")}
    for _, target, _ in _LINK.findall((rules / "README.md").read_text(encoding="utf-8")):
        page = (rules / target).resolve()
        if page.is_file() and page not in origins.values():
            origins[f"rules/{page.name}"] = page
    has_sdks = plugin(game.name) is None
    if has_sdks:
        origins["sdk/README.md"] = sdks / "README.md"
    for language in starter.languages_for(game.name):
        if (files := assets.sdk(game.name, language)) is not None:
            origins |= _below(files, f"starters/{language}")  # where they are found without the referee, too
        origins |= _below(starter.kit(language, game.name), f"starters/{language}")
        if has_sdks and language in languages.names() and (sdk := languages.find(language).sdk) is not None:
            origins |= _below(sdks / sdk, f"sdk/{sdk}")
    for sample in _samples(game):
        if (folder := bots.sample(sample, game.name)) is not None:
            origins |= _below(folder, f"samples/{sample}")
    return origins


def _below(folder: Path, name: str) -> dict[str, Path]:
    paths = (path for path in folder.rglob("*") if path.is_file() and path.suffix not in COMPILED)
    files = {path.relative_to(folder): path for path in paths}
    return {f"{name}/{inside}": path for inside, path in files.items() if not NOT_SDK & set(inside.parts)}


def _samples(game: Game[Any, Any]) -> list[str]:
    return bots.samples(game.name, own_runtime=True)[-max(SAMPLES, game.seats.start - 1) :]


def _link_files(text: str, name: str, origins: Mapping[str, Path]) -> str:
    """A page with the links that lead to files of the kit (point 2)."""
    here = posixpath.dirname(name)
    names = {path.resolve(): other for other, path in origins.items()}

    def link(match: re.Match[str]) -> str:
        target = names.get((origins[name].parent / match[2]).resolve())
        return match[1] if target is None else f"[{match[1]}]({posixpath.relpath(target, here)}{match[3] or ''})"

    return _LINK.sub(link, text)


def _readme(game: Game[Any, Any]) -> str:
    kits = starter.languages_for(game.name)
    rows = [f"| `starters/{language}` | {_by_hand(language, game.name)} |" for language in kits]
    first = f"starters/{_OWN if _OWN in kits else kits[0]}"
    play = ["referee", "play", first, *(f"samples/{sample}" for sample in _samples(game)), *game_words(game)]
    check = ["referee", "check", first, *game_words(game)]
    return _README.format(
        title=game.title, name=game.name, sdk=_SDK if plugin(game.name) is None else "", commands="\n".join(rows),
        play=shlex.join(play), check=shlex.join(check),
    )  # fmt: skip


def _by_hand(name: str, game: str) -> str:
    """The commands that build and run a starter in its folder, for a table."""
    if name not in languages.names():
        return "nothing to build: the referee runs it"
    language = languages.find(name)
    sdk = sdk_for(language) if plugin(game) is None else None
    if sdk is not None:
        sdk = replace(sdk, folder=f"../../sdk/{language.sdk}")
    recipe = language.recipe(sources(language, top(starter.kit(name, game)), sdk), sdk)
    variable = f"{language.finds_sdk}={sdk.folder} " if sdk and language.finds_sdk else ""
    commands = [*map(shlex.join, recipe.build), variable + shlex.join(recipe.run)]
    return f"`{' && '.join(commands)}`"
