"""Writes a first `tournament.toml`, and finds the folder of a tournament."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from glob import escape
from math import comb
from pathlib import Path
from typing import Any, Final

from referee import games
from referee.bots import refuse_person, samples
from referee.contract.game import Game
from referee.errors import UsageError
from referee.files import mapfiles
from referee.files.claims import write_whole
from referee.text.words import did_you_mean, harmless, shorten
from referee.tournament.entering import list_bots
from referee.tournament.hits import holds_bots, is_bot
from referee.tournament.settings import FILE, INSIDE, LEAST_SEATS, MOST_LETTERS, USUAL_SEATS, Settings, settings_in

FEW: Final = 200
"""A field whose groups are no more than these all meet."""
EACH: Final = 10
"""Series of each bot otherwise."""


def tournament_folder(folder: Path) -> Path:
    """The folder of an old tournament: the one that was named, or `tournament` in it."""
    inside = folder / INSIDE
    return inside if not (folder / FILE).is_file() and (inside / FILE).is_file() else folder


def home(folder: Path, *, game: str | None, say: Callable[[str], None]) -> Path:
    """The folder of a tournament: the one that was named, or `tournament` in a folder of bots, made if it is missing.

    Args:
        game: for a new one.

    Raises:
        UsageError: there is neither a tournament nor two bots, or another game was named for an old tournament.
    """
    root = tournament_folder(folder)
    if (root / FILE).is_file():
        if game is not None and games.find(game).name != (named := settings_in(root).game):
            raise UsageError(f"--game is for a new tournament: the game of {root / FILE} is {named}: change it there")
        return root
    if not folder.is_dir():
        raise UsageError(f"there is no folder {folder}: name one that holds bots, or a {FILE}")
    if sum(map(is_bot, folder.iterdir())) < 2:
        raise UsageError(f"{folder} has no {FILE}, and fewer than two bots: `referee tournament new` writes one")
    path = write(folder / INSIDE, [str(folder / "*")], game=game, name=folder.resolve().name)
    say(f"{path} says how they play: change it before the first match as you like")
    return path.parent


def write(folder: Path, bots: Sequence[str], *, game: str | None, name: str | None) -> Path:
    """Write a first `tournament.toml` in a folder, which is made if it is missing.

    Args:
        bots: words for bots and folders of bots, with paths from the current folder; empty for the bots in the folder, or in
            folders in it.

    Raises:
        UsageError: there is one already, there are no bots, a sample bot does not play the game, all bots play other games, or it
            cannot be written.
    """
    path = folder / FILE
    words = [word_for(folder, f"{escape(word)}/*" if holds_bots(Path(word)) else word) for word in bots]
    words = words or _patterns(folder)
    if not words:
        raise UsageError(f"{folder} holds no bots: name some after it, such as 'teams/*' or sample bots")
    title = harmless(name or folder.resolve().name or "Tournament")[:MOST_LETTERS]
    kind, is_new = games.find(game), not folder.exists()
    strangers = set(samples()) - set(samples(kind.name))
    for word in bots:
        if word in strangers and not Path(word).exists():
            flags = " or ".join(f"--game={it.name}" for it in games.every() if word in samples(it.name))
            raise UsageError(f"{word} does not play {kind.name}: choose another sample bot, or {flags}")
    try:
        folder.mkdir(parents=True, exist_ok=True)
        count = _count(folder, words, kind)
        if not count and (others := [it.name for it in games.every() if _count(folder, words, it)]):
            if is_new:
                folder.rmdir()
            raise UsageError(f"no bot there plays {kind.name}: name the game, as in `--game={others[0]}`")
        with path.open("x", encoding="utf-8") as file:
            file.write(draft(title, kind, words, count))
    except FileExistsError:
        raise UsageError(f"{path} is there already: edit it, or choose another folder") from None
    except OSError as failed:
        raise UsageError(f"{path} cannot be written ({failed.strerror}): choose another folder") from None
    return path


def keep(
    folder: Path,
    document: Mapping[str, Any],
    bots: Iterable[tuple[str | None, str]],
    *,
    made_by: str,
    instead: str = "choose another folder",
) -> None:
    """Write the `tournament.toml` of a command that plays many matches. An old one must say the same.

    Args:
        folder: made if it is missing.
        document: the tables and keys; those whose value is None are left out. `match.maps` and `bots` have paths from the
            current folder.
        bots: those with a `[[bot]]` of their own: a name or None, and a path from the current folder or a sample bot.
        made_by: the command. instead: what to do if the folder has another tournament.

    Raises:
        UsageError: the folder has another tournament, a bot does not exist, or the file cannot be written.
    """
    path = folder / FILE
    match = dict(document["match"])
    if match.get("maps") is not None:
        match["maps"] = [_writable(mapfiles.word_for(folder, word)) for word in match["maps"]]
    tables = {**document, "match": match}
    if "bots" in tables:
        tables["bots"] = [word_for(folder, word) for word in tables["bots"]]
    run_lines = toml_lines(tables.pop("run", {}))
    lines = [f"# Made by `{made_by}`: the same command goes on."]
    lines += toml_lines({key: value for key, value in tables.items() if not isinstance(value, Mapping)})
    for name, rest in bots:
        lines += ["", "[[bot]]", *toml_lines({"path": word_for(folder, rest), "name": name})]
    lines += toml_lines({key: value for key, value in tables.items() if isinstance(value, Mapping)})
    text = "\n".join(lines) + "\n"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        before = path.read_text(encoding="utf-8") if path.exists() else None
        if before is None:
            write_whole(path, "\n".join([text, "[run]", *run_lines]) + "\n")
        elif not before.startswith(text) or not set(run_lines) <= set(before.splitlines()):
            raise UsageError(f"{path} is of another tournament: {instead}")
    except OSError as failed:
        raise UsageError(f"{path} cannot be written ({failed.strerror}): choose another folder") from None


def toml_lines(document: Mapping[str, Any]) -> list[str]:
    """The keys and values of a document as TOML, without those that are None; then its tables."""
    tables = {key: value for key, value in document.items() if isinstance(value, Mapping)}
    keys = {key: value for key, value in document.items() if value is not None and key not in tables}
    lines = [f"{key} = {json.dumps(value, ensure_ascii=False)}" for key, value in keys.items()]
    return [*lines, *(line for key, table in tables.items() for line in ("", f"[{key}]", *toml_lines(table)))]


def word_for(folder: Path, word: str) -> str:
    """A word for a bot, with its path from this folder."""
    if word.startswith("cmd:"):
        raise UsageError(f"{word} cannot play many matches: put it into a folder with a bot.toml")
    if not Path(word).exists():
        if word in samples():
            return word
        refuse_person(word)
        plain = re.split(r"[*?[]", word, maxsplit=1)[0]  # what a pattern begins with
        if plain == word or not (Path(plain or ".").exists() or Path(plain).parent.exists()):
            raise UsageError(f"there is no {word}, and no sample bot of that name{did_you_mean(word, samples())}")
    return _writable(os.path.relpath(word, folder))


def _writable(path: str) -> str:
    """A path that a `tournament.toml` can have."""
    if harmless(path) != path:  # the settings would refuse it, and half of a surrogate pair cannot be written
        raise UsageError(f"{shorten(path)} cannot be in a {FILE}: its name must be UTF-8 without control characters")
    return path


def _patterns(folder: Path) -> list[str]:
    if not folder.is_dir():
        return []
    inside = sorted(path for path in folder.iterdir() if holds_bots(path) and not (path / FILE).exists())
    patterns = ["*"] if any(map(is_bot, folder.iterdir())) else []
    return patterns + [_writable(f"{escape(path.name)}/*") for path in inside]


def _count(folder: Path, words: Sequence[str], game: Game[Any, Any]) -> int:
    """How many bots of a game there are now."""
    try:
        return len(list_bots(folder, Settings(name=INSIDE, game=game.name, bots=list(words), bot=[]), game)[0])
    except UsageError:
        return 0  # they may come later


def draft(name: str, game: Game[Any, Any], bots: Sequence[str], count: int) -> str:
    """The text of a first `tournament.toml`; the `count` of bots decides whether all groups meet."""
    contest, most = game.contest, game.seats.stop - 1
    together = contest.everyone and count >= LEAST_SEATS
    group = min(count if together else USUAL_SEATS, most)
    seats = f"seats = {group}" if together else f"# seats = {group}"
    rest = ", all of them" if group == count else f"; default: {USUAL_SEATS}, or as many as the maps and the bots allow"
    each = f"each = {EACH}" if comb(count, group) > FEW else f"# each = {EACH}"
    maps = f"maps = [{json.dumps(game.maps.default)}]"
    order = 'order = "points"' if contest.order == "points" else '# order = "points"'
    seatings = f'seatings = "{contest.seatings}"'
    words = ", ".join(json.dumps(word, ensure_ascii=False) for word in bots)
    return f"""# A tournament: `referee tournament run` plays it. `referee help tournaments` describes every key.
name = {json.dumps(name, ensure_ascii=False)}
game = {json.dumps(game.name)}
bots = [{words}]              # folders, files, ZIP files, patterns, from this folder; or sample bots such as "oracle"

[format]
kind = "round-robin"         # or swiss, gauntlet, knockout, develobear, ladder
{each:<28} # series of each bot; without it, every group of bots meets
{order:<28} # the table by the game's own points a match; without it, by places

[match]
{seats:<28} # bots in a match{rest}
{maps:<28} # `referee map show --game={game.name}` lists them
# rounds = 100               # default: the map's
# first = "15s"              # limits, as options of `referee play`: also answer, total, clock, pondering, memory, isolation
{seatings:<28} # a group plays from: "rotations" of its seats, "all" orders of them, or "one"

[run]
# jobs = 2                   # matches at a time; default: as many as keep every bot on a processor of its own
keep = "all"                 # saved games: all, faults (only those with a disqualified bot), none
"""
