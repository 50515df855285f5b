"""Results as tests write them.

A match is a line such as `A1 B2*30 C2 D4!timeout`: by seat, the entrant (A is number 0), its place, its points after a `*`
(0 if left out), and its fault after a `!`.
"""

import re
from collections.abc import Sequence
from random import Random
from typing import Final

from hypothesis import strategies as st

from referee.tournament.model import Competitor, SeatScore, Series, SeriesResult, scores, seatings

LETTERS: Final = "ABCDEFGH"
A, B, C, D, E = range(5)
_SEAT: Final = re.compile(r"([A-H])([\d.]+)(?:\*(-?[\d.]+))?(?:!(\w+))?")


def field(count: int, *, left: Sequence[int] = ()) -> list[Competitor]:
    """Entrants named a, b, c, …, with contents a!, b!, …"""
    return [
        Competitor(number, letter.lower(), f"{letter.lower()}!", present=number not in left)
        for number, letter in enumerate(LETTERS[:count])
    ]


def match(line: str) -> tuple[SeatScore, ...]:
    """A match from its line."""
    parts = [_SEAT.fullmatch(seat) for seat in line.split()]
    seats = [seat for seat in parts if seat is not None]
    assert len(seats) == len(parts), line
    places = [float(seat[2]) for seat in seats]
    return tuple(
        SeatScore(LETTERS.index(seat[1]), place, score, float(seat[3] or 0), seat[4])
        for seat, place, score in zip(seats, places, scores(places), strict=True)
    )


def series(key: str, *lines: str) -> SeriesResult:
    """A series from its key and a line for each match."""
    meeting, map_, turn = key.split("/")
    matches = tuple(match(line) for line in lines)
    seatings = tuple(tuple(seat.number for seat in seats) for seats in matches)
    return SeriesResult(Series(meeting, map_, int(turn), seatings), matches)


def void(key: str, *lines: str) -> SeriesResult:
    """A series that counts in no table."""
    return SeriesResult(series(key, *lines).series, ())


def duels(winner: str, loser: str, *keys: str) -> list[SeriesResult]:
    """Series of two matches, one from each seat, that the same entrant wins."""
    return [series(key, f"{winner}1 {loser}2", f"{loser}2 {winner}1") for key in keys]


def drawn_by(rng: Random, entrants: int, seats: int, count: int) -> list[SeriesResult]:
    """Series of random groups with random places, points and faults, on two maps."""
    results = []
    for number in range(count):
        base = rng.sample(range(entrants), seats)
        lines = []
        for seating in seatings(base, "rotations"):
            places = [rng.randint(1, seats) for _ in seating]
            lines.append(
                " ".join(
                    f"{LETTERS[number]}{place}*{rng.randint(0, 9) / 10}{rng.choice(['', '', '!timeout', '!exit'])}"
                    for number, place in zip(seating, places, strict=True)
                )
            )
        key = f"{number}/{rng.choice(['arena', 'cross'])}/0"
        results.append(series(key, *lines) if rng.randint(0, 9) else void(key, *lines))
    return results


@st.composite
def tournaments(draw: st.DrawFn, most: int = 12) -> tuple[list[Competitor], list[SeriesResult]]:
    """Fields of two to five, of whom some left, with random results."""
    entrants = draw(st.integers(2, 5))
    seats = draw(st.integers(2, min(3, entrants)))
    left = draw(st.sets(st.integers(0, entrants - 1), max_size=1))
    count = draw(st.integers(0, most))
    return field(entrants, left=sorted(left)), drawn_by(Random(draw(st.integers(0, 10**9))), entrants, seats, count)
