"""Checks of what comes with a game: maps, trials, sample bots, and the examples in its README.md.

Marks on the fenced blocks of a README say what they contain:

    request ASK    the request that the referee sends in the README's first `position`
    answers ASK    valid answers, each with the number of lines that the game needs for ASK
    refused ASK    invalid answers
    position       a setup to start from, as JSON
    map            a map file without faults
    record         a saved game that verifies; a line that begins with a blank continues the line before
"""

from __future__ import annotations

import json
import re
import tempfile
import tomllib
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from random import Random
from typing import Any, Final

from referee import bots
from referee.contract.positions import Maps
from referee.errors import BotError, InvalidReply, SetupError
from referee.files import assets, mapfiles
from referee.saved.record import load
from referee.saved.replay import verify
from referee.testing.subject import MOST_STEPS, LeftOut, Subject

MARKS: Final = ("position", "request", "answers", "refused", "map", "record")
"""What a fenced block of a README can be marked with."""


def maps(subject: Subject) -> None:
    """Every map has a description and no defect, and makes a whole position for every number of players that it takes."""
    game = subject.game
    for name in mapfiles.names(game):
        document = mapfiles.read(game, name)
        with mapfiles.about(name):
            facts, defects = game.maps.facts(document), game.maps.check(document)
        is_whole = name in game.maps.built_in or (facts.rows and facts.rounds >= 1)
        has_all = facts.name and facts.description and is_whole
        subject.must(has_all, f"map {name} lacks its name, description, rows or rounds")
        subject.must(not defects, f"map {name}: {'; '.join(defects)}")
        subject.must(len(facts.starts) >= game.seats.start, f"map {name} has {len(facts.starts)} starting places")
        for seats in [seats for seats in game.seats if seats <= len(facts.starts)][:8]:
            setup = game.maps.setup(document, seats=seats, rng_seed=3)
            state = game.start(setup, 3)
            where = f"map {name} for {seats} players"
            subject.same_position(f"{where}: `setup` and the `position` of its start differ", state.position(), setup)
            subject.must(state.seats == seats or (state.seats > seats and game.house), f"{where}: {state.seats} seats")
            subject.must(game.steps(setup) >= 0, f"{where}: {game.steps(setup)} steps")
            same = game.maps.setup(document, seats=seats, rng_seed=3)
            subject.must(same == setup, f"{where}: the same seed makes another position")


def shorter_matches(subject: Subject) -> None:
    """A match has no more rounds than `Maps.setup` is asked for."""
    try:
        state = subject.game.start(subject.usual_setup(5, rounds=3), 5)
    except SetupError as refused:
        raise LeftOut(f"nobody can say how many rounds the matches have: {refused}") from None
    for step in subject.steps(state, Random(1), 1_000):
        subject.must(step.round <= 3, f"round {step.round} of 3")


def invalid_maps(subject: Subject) -> None:
    """An invalid map is refused by `facts`, `check` and `setup` with a `SetupError` of one line."""
    maps = subject.game.maps
    if maps.built_in:
        raise LeftOut("the game has no map files")
    for document in ({}, {"name": 3}, {"name": "x", "strange": 1}):
        for of in (maps.facts, maps.check, lambda it: maps.setup(it, seats=subject.game.seats.start, rng_seed=1)):
            message = subject.refusal(SetupError, f"{document}", of, document)
            subject.must("\n" not in message, f"{document} is refused in several lines")


def generated_maps(subject: Subject) -> None:
    """A generated map is fair, and the same for the same seed."""
    game = subject.game
    if type(game.maps).generate is Maps.generate:
        raise LeftOut("the game's maps are written by hand")
    players = min(4, game.seats.stop - 1)
    settings: Any = {"size": 21, "players": players, "symmetry": None, "rng_seed": 9, "name": "Mine"}
    once, again = game.maps.generate(**settings), game.maps.generate(**settings)
    document = tomllib.loads(once)
    subject.must(once == again, "the same seed makes another map")
    subject.must(game.maps.facts(document).name == "Mine", "it has another name")
    subject.must(not game.maps.check(document), f"it is unfair: {'; '.join(game.maps.check(document))}")
    game.start(game.maps.setup(document, seats=players, rng_seed=1), 1)


def trials(subject: Subject) -> None:
    """Every trial has a title of its own, asks seat 0 for an action, and has the answers of the other seats."""
    game = subject.game
    if not (trials := game.trials()):
        raise LeftOut("the game has no trials, so bots are tested in matches only")
    subject.must(len({trial.title for trial in trials}) == len(trials), "two trials have the same title")
    for trial in trials:
        others = trial.bystanders.items()
        wrong = [text for _, text in others if type(text) is not bytes]
        subject.must(not wrong, f"trial {trial.title!r}: an answer of the bystanders is {wrong[:1]} instead of bytes")
        replies = {ask: game.decode(ask, text.split(b"\n")) for ask, text in others}
        state, chance, asks_us = game.start(trial.setup, 1), Random(1), False
        for _ in range(MOST_STEPS):
            if not (due := state.requests()):
                break
            asks_us = asks_us or (due[0].ask != "getName" and any(request.seat == 0 for request in due))
            ours = {answer.seat: answer.action for answer in subject.answers(state, chance)}
            state.advance([ours[0] if request.seat == 0 else replies[request.ask] for request in due])
        subject.must(asks_us, f"{trial.title!r} does not ask seat 0")


def sample_bots(subject: Subject) -> None:
    """Every sample bot plays this game, with a lifetime that the game allows."""
    game = subject.game
    names = bots.samples(game.name)
    if not names:
        raise LeftOut("the game has no sample bots")
    for name in names:
        with suppress(BotError):  # its language is not installed
            bot = bots.find(name, game.name)
            subject.must(bot.lifetime in (None, *game.lifetimes), f"{name} has the lifetime {bot.lifetime}")


def readme_of(name: str) -> str:
    """The README.md of a game. Raises: LeftOut: it has none."""
    path = assets.rules(name) / "README.md"
    if not path.is_file():
        raise LeftOut("the game has no README.md in its package")
    return path.read_text(encoding="utf-8")


def blocks(name: str, kind: str) -> list[tuple[str, str]]:
    """The marked blocks of one kind in a game's README: request and text of each."""
    examples = re.findall(r"^```(\w+)(?: (\w+))?\n(.*?)^```$", readme_of(name), re.DOTALL | re.MULTILINE)
    return [(ask, text) for marked, ask, text in examples if marked == kind]


def _replies(subject: Subject, kind: str) -> Iterator[tuple[str, list[bytes]]]:
    for ask, text in blocks(subject.game.name, kind):
        lines, count = text.encode().splitlines(), subject.game.reply_lines(ask)
        subject.must(len(lines) % count == 0, f"the {kind} to {ask} are not {count} lines each")
        yield from ((ask, lines[k : k + count]) for k in range(0, len(lines), count))


def readme_examples(subject: Subject) -> None:
    """The examples of the README are true: answers, refused answers, requests, positions, maps and saved games."""
    game, words = subject.game, dict[str, Any]()
    if not any(blocks(game.name, kind) for kind in MARKS):
        raise LeftOut("its README has no marked examples; in `referee help games`, The project lists the marks")
    for ask, lines in _replies(subject, "answers"):
        action = game.decode(ask, lines)
        words.setdefault(ask, action)
        subject.must(game.format(action) == b"\n".join(lines).decode(), f"{ask}: {lines} is {game.format(action)!r}")
    for ask, lines in _replies(subject, "refused"):
        subject.refusal(InvalidReply, f"{ask}: {lines}", game.decode, ask, lines)
    positions = [json.loads(text) for _, text in blocks(game.name, "position")]
    states = [game.start(position, 1) for position in positions]
    for ask, text in blocks(game.name, "request"):
        subject.must(states, "there is a request without a position")
        state = game.start(positions[0], 1)
        while (due := state.requests()) and due[0].ask != ask:
            lacking = next((request.ask for request in due if request.ask not in words), None)
            subject.must(lacking is None, f"to reach {ask}, the README lacks a block `answers {lacking}`")
            state.advance([words[request.ask] for request in due])
        subject.must(due, f"{ask} is never asked")
        asked = game.encode(due[0]).decode()
        subject.must(asked == text, f"in its position, {ask} is {asked!r}, and the README has another text")
    for _, text in blocks(game.name, "map"):
        document = tomllib.loads(text)
        subject.must(not game.maps.check(document), f"a map has defects: {'; '.join(game.maps.check(document))}")
        game.start(game.maps.setup(document, seats=game.seats.start, rng_seed=1), 1)
    for _, text in blocks(game.name, "record"):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "readme.jsonl"
            path.write_text(re.sub(r"\n +", "", text), encoding="utf-8")
            subject.must(verify(load(path)), "a saved game does not follow from its seed")


def readme_events(subject: Subject) -> None:
    """The README names every event and every reason of the golden record in backticks."""
    text, record = readme_of(subject.game.name), subject.golden()
    words = {event["event"] for step in record.steps for event in step.events}
    words |= {record.result.reason} if record.result else set()
    missing = sorted(word for word in words if f"`{word}`" not in text)
    subject.must(not missing, f"it does not name {', '.join(missing)}")
