"""The table: what is in a row, and the order of the rows."""

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from tournament.figures.played import A, B, C, D, E, duels, field, series, tournaments, void

from referee.tournament.figures.rating import Rating
from referee.tournament.figures.sums import Sums, cross_rows
from referee.tournament.figures.table import connected_groups, notes, order, table
from referee.tournament.figures.times import Histogram
from referee.tournament.model import Competitor, SeriesResult, lot

COLUMNS = (
    *(
        "rank", "number", "name", "called", "source", "twins", "entrant", "matches", "series", "score", "possible",
        "percent",
    ),
    *("points", "mean", "wins"),
    *("faults", "rating", "rating_low", "rating_high", "p50_ms", "p99_ms"),
)  # fmt: skip


def test_a_table_of_three() -> None:
    results = [
        series("0-1-2/arena/0", "A1*30 B2*20 C2*20", "B1*25 C3*5!timeout A2*10", "C2*15 A1*40 B3*9!exit"),
        series("0-1-2/cross/0", "B1*8 A2*7 C3*0!timeout", "A1*3 C1*3 B3*2", "C1*9 B2*4 A3*1"),
        void("0-1-2/cross/1", "B1*8 A2*7 C3*0", "A1*3 C1*3 B3*2", "C1*9 B2*4 A3*1"),
    ]
    #   A: 2 + 1 + 2 and 1 + 1.5 + 0    B: 0.5 + 2 + 0 and 2 + 0 + 1    C: 0.5 + 0 + 1 and 0 + 1.5 + 2
    rated = {A: Rating(55.5, 10.0, 101.0), B: Rating(-20.0)}
    rows = table(field(3), Sums.of(results, rng_seed=1), ratings=rated)
    assert [tuple(row.values()) for row in rows] == [
        (1, A, "a", None, "", [], "a!", 6, 2, 7.5, 12, 62.5, 91.0, 91 / 6, 2, {}, 55.5, 10.0, 101.0, None, None),
        (2, B, "b", None, "", [], "b!", 6, 2, 5.5, 12, 550 / 12, 68.0,
         68 / 6, 2, {"exit": 1}, -20.0, None, None, None, None),
        (3, C, "c", None, "", [], "c!", 6, 2, 5.0, 12, 500 / 12, 52.0,
         52 / 6, 1, {"timeout": 2}, None, None, None, None, None),
    ]  # fmt: skip
    assert {tuple(row) for row in rows} == {COLUMNS}


def test_answer_times_are_those_that_are_passed() -> None:
    times = Histogram()
    for milliseconds in range(1, 101):
        times.add(milliseconds / 1000)
    sums = Sums.of(duels("A", "B", "0-1/arena/0"), rng_seed=1)
    sums.entrants[A].times = times
    a, b = table(field(2), sums, ratings={})
    assert (a["p50_ms"], a["p99_ms"]) == pytest.approx((50, 99), rel=0.05)
    assert (b["p50_ms"], b["p99_ms"]) == (None, None)


def test_copies_add_up_and_their_match_counts_once() -> None:
    #   A sits in two seats: 3 + 1.5 of 3 + 3; both of its copies time out, which is one match with this fault
    (a, b) = table(
        field(2), Sums.of([series("0/arena/0", "A1*4!timeout A2*2!timeout B2 B4!exit")], rng_seed=1), ratings={}
    )
    assert (a["matches"], a["series"], a["score"], a["possible"], a["percent"]) == (1, 1, 4.5, 6, 75)
    assert (a["points"], a["wins"], a["faults"]) == (6, 1, {"timeout": 1})
    assert (b["matches"], b["score"], b["wins"], b["faults"]) == (1, 1.5, 0, {"exit": 1})


def test_who_left_is_in_no_table_but_its_matches_count_for_its_rivals() -> None:
    results = [*duels("A", "B", "0-1/arena/0"), *duels("C", "A", "0-2/arena/0")]
    rows = table(field(3, left=[A]), Sums.of(results, rng_seed=1), ratings={})
    assert [(row["number"], row["percent"]) for row in rows] == [(C, 100), (B, 0)]


def test_who_has_not_played_is_last_without_a_percentage() -> None:
    results = [series("0-1/arena/0", "A1 B2!exit", "B2*-5!timeout A1")]
    rows = table(field(3), Sums.of(results, rng_seed=1), ratings={})
    assert [(row["number"], row["percent"], row["matches"]) for row in rows] == [(A, 100, 2), (B, 0, 2), (C, None, 0)]


def test_the_order_of_points_is_by_the_mean_then_as_always() -> None:
    """A wins its matches, B has more points in them; C and D have the same points, and C is ahead; E has not played."""
    results = [
        series("0-1/arena/0", "A1*6 B2*5", "B2*7 A1*8"),
        series("1-0/arena/0", "A1*3 B2*20", "B2*2 A1*3"),
        series("2-3/arena/0", "C1*2 D2*2", "D2*2 C1*2"),
    ]
    rows = table(field(5), Sums.of(results, rng_seed=1), ratings={}, by="points")
    assert [(row["number"], row["mean"]) for row in rows] == [(B, 8.5), (A, 5.0), (C, 2.0), (D, 2.0), (E, None)]
    usual = table(field(5), Sums.of(results, rng_seed=1), ratings={})
    assert [row["number"] for row in usual] == [A, C, B, D, E]


def test_bots_of_the_same_content_are_twins() -> None:
    entrants = [replace(bot, content="x" if bot.number in (A, C, D) else bot.content) for bot in field(4, left=[D])]
    rows = table(entrants, Sums.of([], rng_seed=1), ratings={})
    assert {row["number"]: row["twins"] for row in rows} == {A: [C], B: [], C: [A]}


def test_the_last_name_that_a_player_answered_stands_beside_its_own() -> None:
    sums = Sums(rng_seed=1)
    sums.entrants[A].called = "Питон №1"
    rows = table(field(2), sums, ratings={})
    assert {row["number"]: row["called"] for row in rows} == {A: "Питон №1", B: None}


def test_a_format_has_its_own_order_and_columns() -> None:
    rows = table(
        field(3),
        Sums.of(duels("A", "B", "0-1/arena/0"), rng_seed=1),
        ratings={},
        ranked=lambda order: [order[1], order[0], order[2]],
        columns={B: {"byes": 2}},
    )
    assert [(row["rank"], row["number"], row.get("byes")) for row in rows] == [(1, B, 2), (2, A, None), (3, C, None)]


# The order


@pytest.mark.parametrize(
    ("results", "expected"),
    [
        #   A: 3 of 4; B: 2 of 2
        pytest.param(
            [*duels("A", "C", "0-2/arena/0"), series("0-3/arena/0", "A1 D2", "D1 A2"), *duels("B", "D", "1-3/arena/0")],
            [B, A, D, C],
            id="percent",
        ),
        #   A has 2 of 4, B 3 of 6, C 1 of 2. Among themselves A has 2 of 2, B 1 of 4, C 1 of 2
        pytest.param(
            [
                *duels("A", "B", "0-1/arena/0"),
                series("1-2/arena/0", "B1 C2", "C1 B2"),
                *duels("D", "A", "0-3/arena/0"),
                *duels("B", "D", "1-3/arena/0"),
                *duels("E", "D", "3-4/arena/0"),
            ],
            [E, A, C, B, D],
            id="games with those of the same percent",
        ),
        #   A, B and C have 2 of 4. A beat B, and C met neither; D has 2 of 6, E has 2 of 2
        pytest.param(
            [
                *duels("A", "B", "0-1/arena/0"),
                *duels("E", "A", "0-4/arena/0"),
                *duels("B", "D", "1-3/arena/0"),
                *duels("D", "C", "2-3/arena/0"),
                *duels("C", "D", "2-3/arena/1"),
            ],
            [E, A, C, B, D],
            id="between winner and loser without such games",
        ),
        pytest.param([series("0-1/arena/0", "A1*3 B1*4", "B1*4 A1*3")], [B, A], id="points a match"),
        pytest.param(
            [series("0-1/arena/0", "A1*3!exit B1*3", "B1*3 A1*3.0000004")], [B, A], id="points that agree to 1e-6"
        ),
        pytest.param([series("0-1/arena/0", "A1*3!exit B1*3", "B1*3!exit A1*3!timeout")], [B, A], id="fewer faults"),
        pytest.param(
            [series("0-1/arena/0", "A1*3.00001 B1*3!exit", "B1*3 A1*3!exit")], [A, B], id="points before faults"
        ),
        #   A and B have 1/2 everywhere; A has 10 points in four matches, B 8 in two
        pytest.param(
            [
                series("0-2/arena/0", "A1*2 C1*0", "C1*0 A1*3"),
                series("0-2/arena/1", "A1*2 C1*0", "C1*0 A1*3"),
                series("1-2/arena/0", "B1*4 C1*0", "C1*0 B1*4"),
            ],
            [B, A, C],
            id="the mean of points",
        ),
        #   A has 3 of 5, B 9 of 15. As floats 3 · (1/5) is more than 9 · (1/15); B's points decide
        pytest.param(
            [
                series("0-2/arena/0", "A1 C2", "A1 C2", "A1 C2", "C1 A2", "C1 A2"),
                series("1-2/arena/0", "B1*9 C2", "B1 C2", "B1 C2", "C1 B2", "C1 B2"),
                series("1-2/arena/1", "B1 C2", "B1 C2", "B1 C2", "C1 B2", "C1 B2"),
                series("1-2/arena/2", "B1 C2", "B1 C2", "B1 C2", "C1 B2", "C1 B2"),
            ],
            [B, A, C],
            id="fifths as fractions",
        ),
    ],
)
def test_the_order(results: list[SeriesResult], expected: list[int]) -> None:
    assert order(field(len(expected)), Sums.of(results, rng_seed=1)) == expected


@pytest.mark.parametrize("rng_seed", range(5))
def test_at_last_the_lot(rng_seed: int) -> None:
    assert order(field(4), Sums.of([], rng_seed=rng_seed)) == lot(rng_seed, "table", [A, B, C, D])


# Properties


@given(tournaments())
def test_scores_add_up(tournament: tuple[list[Competitor], list[SeriesResult]]) -> None:
    entrants, results = tournament
    everybody = [Competitor(bot.number, bot.name, bot.content) for bot in entrants]
    rows = table(everybody, Sums.of(results, rng_seed=1), ratings={})
    matches = [match for result in results for match in result.matches]
    assert sum(row["score"] for row in rows) == sum(len(match) * (len(match) - 1) / 2 for match in matches)
    assert sum(row["possible"] for row in rows) == sum(len(match) * (len(match) - 1) for match in matches)
    assert sum(row["matches"] for row in rows) == sum(map(len, matches))
    met = sum(pair["possible"] for pair in cross_rows(Sums.of(results, rng_seed=1).pairs))
    assert 2 * met == sum(row["possible"] for row in rows)
    percents = [row["percent"] for row in rows if row["percent"] is not None]
    assert percents == sorted(percents, reverse=True)


def test_the_order_of_ratings_and_those_without_come_last() -> None:
    results = [*duels("A", "B", "0-1/arena/0"), *duels("C", "D", "2-3/arena/0")]
    rated = {A: Rating(10.0), B: Rating(40.0), C: Rating(20.0)}
    rows = table(field(4), Sums.of(results, rng_seed=1), ratings=rated, by="rating")
    assert [row["number"] for row in rows] == [B, C, A, D]


# Notes: bots of the same content, and ratings that compare strangers


def document(names: str, met: str, twins: dict[int, list[int]] | None = None) -> dict[str, Any]:
    """A table of bots with one-letter names, and the pairs that met, such as `ab cd`."""
    rows = [
        {"number": number, "name": name, "twins": (twins or {}).get(number, []), "matches": 2}
        for number, name in enumerate(names)
    ]
    return {"over": False, "table": rows, "cross": [{"a": names.index(a), "b": names.index(b)} for a, b in met.split()]}


def test_bots_that_all_met_need_no_note() -> None:
    assert list(notes(document("abc", "ab bc"))) == []


def test_pairs_that_nothing_links() -> None:
    strangers = "groups of bots, so ratings compare strangers"
    assert list(notes(document("abcd", "ac bd"))) == [f"No matches link these 2 {strangers}: a, c | b, d."]
    [note] = notes(document("abcdefghijkl", "ab cd ef gh ij kl"))
    assert note == f"No matches link these 6 {strangers}: a, b | c, d | e, f | g, h | 2 more."


def test_at_the_end_the_note_says_what_links_them() -> None:
    [note] = notes({**document("abcd", "ac bd"), "over": True})
    assert note.endswith(": a, c | b, d. More series of each bot link them: a new tournament with a larger `each`.")


def test_a_bot_that_left_links_its_rivals() -> None:
    left = document("abc", "ab bc")
    del left["table"][1]
    assert list(notes(left)) == []


def test_bots_of_the_same_content_are_named_once() -> None:
    assert list(notes(document("abc", "ab bc", {0: [2], 2: [0]}))) == ["Same content: a, c."]


def test_groups_are_linked_by_chains() -> None:
    assert connected_groups([(0, 5), (2, 3), (5, 3), (1, 4)]) == [{0, 2, 3, 5}, {1, 4}]
