"""Players that need no process: house players, and programs in a game's own language."""

from __future__ import annotations

import random
import tomllib
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest
from conformance.playing import lines_of, new, random_steps, vocabulary
from hypothesis import given, settings
from hypothesis import strategies as st

from referee import bots, games
from referee.bots.lineup import entrants, filled
from referee.bots.manifest import MANIFEST, manifest_of
from referee.contract.frame import Sheet
from referee.contract.game import Game, Policy, Programs, Request
from referee.errors import ProgramError
from referee.files import assets

MOST_STEPS = 250


def is_an_answer(game: Game[Any, Any], ask: str, action: Any) -> bool:
    """Whether a bot could have given this answer."""
    lines = lines_of(game.format(action))
    return len(lines) == game.reply_lines(ask) and game.decode(ask, lines) == action


# -- The house -----------------------------------------------------------------------------------------------------


def house_match(game: Game[Any, Any], rng_seed: int) -> list[str]:
    """Play a match with as few guests as possible, and return the answers of the house players."""
    path = assets.folder("maps") / game.name / f"{game.maps.default}.toml"
    document = tomllib.loads(path.read_text(encoding="utf-8"))
    setup = game.maps.setup(document, seats=game.seats.start, rng_seed=rng_seed)
    guests = [bots.Bot(f"guest {seat}", (), Path(), lifetime=game.lifetimes[0]) for seat in range(game.seats.start)]
    line_up = filled(guests, game, game.start(setup, rng_seed).seats, rng_seed)
    state = game.start(setup, rng_seed, entrants(line_up))
    assert state.seats == len(line_up)
    said: list[str] = []
    words, chance = vocabulary(game.name), random.Random(3)
    for _ in range(MOST_STEPS):
        actions = []
        for request in state.requests():
            policy = line_up[request.seat].policy
            if policy is None:
                actions.append(chance.choice(words[request.ask]))
                continue
            assert request.ask != "getName"
            action = policy.decide(request)
            assert is_an_answer(game, request.ask, action)
            actions.append(action)
            said.append(game.format(action))
        if not actions:
            break
        state.advance(actions)
    ranked = {line.seat for line in state.current_result().ranking}
    assert ranked == {seat for seat, bot in enumerate(line_up) if not bot.house}
    return said


def test_house_players_answer_every_request_the_same_for_the_same_seed(game: Game[Any, Any]) -> None:
    once = house_match(game, 11)
    assert bool(once) == (game.house is not None)
    assert house_match(game, 11) == once
    if game.house is not None:
        assert house_match(game, 12) != once
        names = [game.house(seat, 1).name for seat in range(7)]
        assert all(game.decode("getName", [name.encode()]) == name for name in names)


# -- Programs ------------------------------------------------------------------------------------------------------


def sample_programs(game: Game[Any, Any]) -> dict[str, bytes]:
    """The sample bots that are programs: the names and contents of their files."""
    found = {}
    for name in bots.samples(game.name):
        folder = assets.folder("bots") / name
        if (program := manifest_of(folder / MANIFEST).program) is not None:
            found[program] = (folder / program).read_bytes()
    return found


def language(game: Game[Any, Any]) -> Programs:
    """A game's own language."""
    assert game.programs is not None
    return game.programs


def requests(game: Game[Any, Any]) -> Iterator[Request[Any]]:
    """The requests of a random match. Each is valid only until the next."""
    state = new(game)
    yield from (request for request in state.requests() if request.ask != "getName")
    for _ in random_steps(game, state, random.Random(17), 60):
        yield from (request for request in state.requests() if request.ask != "getName")


def printable(sheets: Sequence[Sheet]) -> None:
    """Check that each cell has two printable ASCII characters, and that titles and notes are printable."""
    assert sheets
    for sheet in sheets:
        assert sheet.title.isprintable()
        assert all(len(patch.text) == 2 and patch.text.isascii() for row in sheet.rows for patch in row)
        assert all(patch.text.isprintable() for row in sheet.rows for patch in row)
        assert all(note.isprintable() for note in sheet.notes)


def test_only_a_game_with_a_language_has_sample_programs(game: Game[Any, Any]) -> None:
    assert len(sample_programs(game)) >= 4 if game.programs is not None else not sample_programs(game)


def test_sample_programs_compile_decide_and_are_shown(speaking: Game[Any, Any]) -> None:
    programs = language(speaking)
    for file, source in sample_programs(speaking).items():
        assert file.endswith(programs.suffix)
        policy = programs.compile(source, file)
        again = programs.compile(source, file)
        assert speaking.decode("getName", [policy.name.encode()]) == policy.name
        printable(programs.show(source, file))
        for number, request in enumerate(requests(speaking)):
            action = policy.decide(request)
            assert is_an_answer(speaking, request.ask, action)
            assert again.decide(request) == action
            if number % 10 == 0:
                printable(programs.explain(source, file, request))


@pytest.mark.parametrize("source", [b"", b"\xff\xfe\0", b"nonsense\n" * 3, b"name: x\n", b"\n" * 5])
def test_an_invalid_program_is_refused_with_a_line(speaking: Game[Any, Any], source: bytes) -> None:
    programs = language(speaking)
    for read in (programs.compile, programs.show):
        with pytest.raises(ProgramError) as refused:
            read(source, "mine" + programs.suffix)
        assert refused.value.file == "mine" + programs.suffix
        assert refused.value.line >= 1
        assert str(refused.value).isprintable()
    for convert in (programs.import_program, programs.export_program):
        with pytest.raises(ProgramError):
            convert(source, "mine.json")


@settings(max_examples=60)
@given(data=st.data())
def test_a_damaged_program_is_valid_or_refused_with_a_line(speaking: Game[Any, Any], data: st.DataObject) -> None:
    programs, samples = language(speaking), sample_programs(speaking)
    file = data.draw(st.sampled_from(sorted(samples)))
    source = samples[file]
    start, end = sorted(data.draw(st.lists(st.integers(0, len(source)), min_size=2, max_size=2)))
    damaged = source[:start] + data.draw(st.binary(max_size=6) | st.sampled_from([b"\n", b"  ", b"XX"])) + source[end:]
    wrong: ProgramError | None = None
    try:
        policy: Policy[Any, Any] = programs.compile(damaged, file)
        request = next(requests(speaking))
        assert is_an_answer(speaking, request.ask, policy.decide(request))
        printable(programs.show(damaged, file))
    except ProgramError as refused:
        wrong = refused
    if wrong is not None:
        assert 1 <= wrong.line <= len(damaged.splitlines()) + 1
        assert str(wrong).isprintable()


def test_no_other_game_has_the_same_suffix(speaking: Game[Any, Any]) -> None:
    suffix = language(speaking).suffix
    assert suffix.startswith(".")
    assert [game.name for game in games.every() if game.programs and game.programs.suffix == suffix] == [speaking.name]
