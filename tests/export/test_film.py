"""Films: the whole match in few pictures of the right length, small, and ending with its last step."""

from io import BytesIO
from itertools import pairwise
from pathlib import Path

import pytest
from export.conftest import games
from PIL import Image, ImageChops

from referee.contract.frame import Tone
from referee.export import film as films
from referee.export import pixels
from referee.export.film import FIRST, LARGEST_FILE, LAST, MOST, SHORT, film, shown_steps
from referee.moments.colours import channels, paint, seat_colour
from referee.saved.record import load
from referee.saved.replay import Replay


@pytest.fixture(scope="module")
def match() -> Replay:
    """A match of 300 rounds on the default map."""
    return Replay(load(Path(__file__).parents[1] / "records" / "crossroads.jsonl.gz"))


def opened(data: bytes) -> tuple[list[Image.Image], list[int]]:
    """The pictures of a film, and how long each is shown, in milliseconds."""
    shown, delays = [], []
    with Image.open(BytesIO(data)) as image:
        for number in range(image.n_frames):
            image.seek(number)
            shown.append(image.convert("RGB"))
            delays.append(image.info["duration"])
    return shown, delays


def test_a_match_of_300_rounds_is_a_small_film_of_all_rounds(match: Replay) -> None:
    data = film(match, "GIF")
    assert len(data) < LARGEST_FILE / 2
    shown, delays = opened(data)
    assert len(shown) == 302, "the setup, the names, and each round"
    assert (delays[0], delays[-1]) == (FIRST, LAST)
    assert 20_000 < sum(delays) < 60_000


def test_the_same_match_gives_the_same_bytes_and_both_formats_show_the_same_pictures() -> None:
    saved = games("ants")
    gif = film(saved, "GIF")
    assert gif == film(saved, "GIF")
    shown, _ = opened(gif)
    for one, other in zip(shown, opened(film(saved, "WEBP"))[0], strict=True):
        assert ImageChops.difference(one, other).getbbox() is None


def test_short_matches_have_each_step_and_long_ones_each_round(match: Replay) -> None:
    short = games("ava")
    assert len(short.steps) <= SHORT
    assert shown_steps(short, MOST) == list(range(len(short.steps) + 1))
    steps = shown_steps(match, MOST)
    assert steps[:3] == [0, 4, 8]
    assert {match.steps[at - 1].round for at in steps[1:]} == set(range(301))


def test_fewer_pictures_are_spread_over_the_match(match: Replay) -> None:
    steps = shown_steps(match, 50)
    assert (steps[0], steps[-1]) == (0, len(match.steps))
    assert len(steps) <= 52
    assert len({b - a for a, b in list(pairwise(steps))[1:-1]}) == 1
    assert shown_steps(match, 1) == [0, 4, len(match.steps)]


def test_a_film_that_is_too_large_leaves_more_out(monkeypatch: pytest.MonkeyPatch) -> None:
    saved = games("ants")
    whole = film(saved, "GIF")
    monkeypatch.setattr(films, "LARGEST_FILE", len(whole) // 2)
    data = film(saved, "GIF")
    assert len(data) <= len(whole) // 2
    assert len(opened(data)[0]) < len(opened(whole)[0])


def test_plain_colours_stay_beside_a_lot_of_text() -> None:
    saved = games("egghunt")
    frame = saved.state_at(0).draw()
    shown, _ = opened(film(saved, "GIF"))
    colours = [colour for _, colour in shown[0].getcolors(shown[0].width * shown[0].height) or ()]
    for wanted in [seat_colour(line.seat) for line in frame.seats] + [paint(Tone.ITEM, None).ink]:
        assert any(max(abs(a - b) for a, b in zip(channels(wanted), colour, strict=True)) < 4 for colour in colours), (
            wanted
        )


def test_a_film_needs_no_font_of_the_system(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pixels, "_FONTS", ())
    pixels._font.cache_clear()
    try:
        assert opened(film(games("ants"), "GIF"))[0]
    finally:
        pixels._font.cache_clear()
