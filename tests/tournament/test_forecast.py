"""How long a tournament takes, roughly, and which settings make it shorter."""

import os
from pathlib import Path

import pytest
from tournament.conftest import row_of

from referee import games
from referee.bots import Bot
from referee.errors import UsageError
from referee.tournament.entering import Listed
from referee.tournament.field import Candidate, admit
from referee.tournament.forecast import (
    EACH,
    LONG,
    Forecast,
    Speed,
    Upcoming,
    forecast,
    match_seconds,
    outlook,
    plan_for,
    to_the_end,
    upcoming_tours,
)
from referee.tournament.ledger import Ledger
from referee.tournament.match_tables import MatchTables
from referee.tournament.model import Series, Standing, Tour
from referee.tournament.planning import Plan
from referee.tournament.schedule_tables import ScheduleTables
from referee.tournament.settings import settings_in

SPEEDS = [Speed(0.1, 0.01), Speed(0.3, 0.03)]
EVEN = {"place": 1, "score": 0.5, "points": 0}
SLOW = [Speed(2.0, 0.1)]


def planned(folder: Path, text: str, bots: int, game: str = "snakecore") -> tuple[Plan, list[Listed]]:
    """The plan of these settings, and that many bots."""
    run = "[run]\nrng_seed = 3\njobs = 1\n"
    (folder / "tournament.toml").write_text(f'name = "Cup"\ngame = "{game}"\nbots = ["x"]\n{run}{text}')
    field = [Listed("x", Bot(f"bot {number}", (), Path()), None, Path()) for number in range(bots)]
    return plan_for(folder, settings_in(folder), games.find(game), bots), field


def test_a_match_takes_its_steps_times_an_answer_and_the_rest_of_a_step(tmp_path: Path) -> None:
    plan, _ = planned(tmp_path, '[match]\nseats = 2\nmaps = ["duel"]\nrounds = 50\n', 2)
    assert match_seconds(plan, SPEEDS) == pytest.approx(2 * 50 * (0.2 + 0.02), rel=0.05), "names are asked too"
    assert match_seconds(plan, []) is None


@pytest.mark.parametrize(("cores", "share"), [(2, 8 / 2), (16, 1)])
def test_where_all_answer_at_the_same_moment_they_share_the_processors(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, cores: int, share: float
) -> None:
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: range(cores))
    plan, _ = planned(tmp_path, '[match]\nseats = 8\nmaps = ["single"]\nrounds = 50\n', 8, "egghunt")
    assert match_seconds(plan, SPEEDS) == pytest.approx(50 * (share * 0.2 + 0.02))


def test_several_maps_count_by_their_mean(tmp_path: Path) -> None:
    times = []
    for maps in ('"easter"', '"single"', '"easter", "single"'):
        plan, _ = planned(tmp_path, f"[match]\nseats = 4\nmaps = [{maps}]\n", 4, "egghunt")
        times.append(match_seconds(plan, SPEEDS) or 0.0)
    assert times[2] == pytest.approx((times[0] + times[1]) / 2)


@pytest.mark.parametrize(("text", "bots", "tours"), [
    ("", 5, [5 * 4]),
    ("each = 4", 8, [2 * 4 * 4]),
    ("kind = 'swiss'", 8, [8] * 5),
    ("kind = 'swiss'\ntours = 2", 9, [8] * 2),
    ("kind = 'knockout'", 16, [16, 8, 4]),
    ("kind = 'gauntlet'\nchampions = ['bot 0']", 5, [4 * 4]),
    ("kind = 'ladder'\nseries = 7", 9, [7 * 4]),
    ("kind = 'ladder'", 9, None),
])  # fmt: skip
def test_the_matches_of_all_tours_are_counted(tmp_path: Path, text: str, bots: int, tours: list[int] | None) -> None:
    text = f'[match]\nseats = 4\nmaps = ["crossroads"]\n[format]\n{text}\n'
    plan, field = planned(tmp_path, text, bots)
    assert to_the_end(plan, field) == tours
    plan, field = planned(tmp_path, text.replace("maps", 'seatings = "all"\nmaps'), bots)
    assert to_the_end(plan, field) == (tours and [6 * count for count in tours]), "24 orders instead of 4 rotations"


def test_nobody_looks_further_ahead_than_so_many_tours(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("referee.tournament.forecast._TOURS", 2)
    swiss = '[format]\nkind = "swiss"\ntours = 2\n[match]\nseats = 2\nmaps = ["duel"]\n'
    assert to_the_end(*planned(tmp_path, swiss, 4)) is None


def test_a_ladder_that_has_begun_goes_on_to_its_last_series(tmp_path: Path) -> None:
    plan, field = planned(tmp_path, '[format]\nkind = "ladder"\nseries = 5\n[match]\nseats = 2\nmaps = ["duel"]\n', 2)
    candidates = [Candidate(name, name, None, name) for name in "ab"]
    with Ledger(tmp_path, writes=True) as ledger:
        ledger.enter(admit((), candidates, (), teams=False))
        ledger.add_tour(Tour("t0", (Series("t0-g0", "duel", 0, ((0, 1), (1, 0))),)))
    assert to_the_end(plan, field) == [2, 8], "what is left of the tour, then four series"


def with_a_wave(folder: Path, format_: str, **standing: bool) -> tuple[Plan, list[Listed]]:
    """A ladder of two that has played its first wave."""
    plan, field = planned(folder, f'[format]\nkind = "ladder"\n{format_}\n[match]\nseats = 2\nmaps = ["duel"]\n', 2)
    series = Series("t0-g0", "duel", 0, ((0, 1), (1, 0)))
    standings = {number: Standing(1, **standing) for number in range(2)}
    with Ledger(folder, writes=True) as ledger:
        ledger.enter(admit((), [Candidate(name, name, None, name) for name in "ab"], (), teams=False))
        ledger.add_tour(Tour("t0", (series,), standings=standings))
        everyone = [{"number": number, "entrant": name, "name": name, **EVEN} for number, name in enumerate("ab")]
        with ledger.transaction():
            for seating, seats in enumerate((everyone, everyone[::-1])):
                ledger.record(1, seating, row_of(*seats))
            ledger.add_up(3)
    return plan, field


def test_what_a_ladder_plays_next_is_told_without_reading_what_it_has_played(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    plan, field = with_a_wave(tmp_path, "series = 5")
    monkeypatch.setattr(MatchTables, "rows", None)
    monkeypatch.setattr(ScheduleTables, "series", None)
    assert outlook(plan, field, []).coming == Upcoming("t1", 2)
    assert to_the_end(plan, field) == [8]


def test_a_ladder_in_which_all_rest_is_over(tmp_path: Path) -> None:
    plan, field = with_a_wave(tmp_path, "rest = [25, 2]", known=True)
    assert outlook(plan, field, []).coming is None


def test_the_time_of_a_tour_is_that_of_its_matches_at_a_time(tmp_path: Path) -> None:
    plan, field = planned(tmp_path, '[format]\nkind = "knockout"\n[match]\nseats = 4\nmaps = ["crossroads"]\n', 8)
    once = match_seconds(plan, SPEEDS) or 0.0
    assert forecast(plan, field, SPEEDS, jobs=1) == Forecast(12, pytest.approx(once * 12))
    assert forecast(plan, field, SPEEDS, jobs=8) == Forecast(12, pytest.approx(once * (8 / 8 + 4 / 4)))
    assert forecast(plan, field, [], jobs=1) == Forecast(12, None)
    outlines = [tour.outline for tour in upcoming_tours(plan, field)]
    assert outlines == ["rounds of 8, 4 teams", None], "the plan is said once"


def test_each_mistake_of_a_format_is_named_with_its_file(tmp_path: Path) -> None:
    form = '[match]\nseats = 3\nmaps = ["crossroads"]\n[format]\nkind = "knockout"\nadvance = 2\nthird = true\n'
    with pytest.raises(UsageError, match=r"tournament\.toml: format\.advance: ") as caught:
        to_the_end(*planned(tmp_path, form, 9))
    [other] = caught.value.others
    assert other.startswith(f"{tmp_path}/tournament.toml: format.third: ")


def test_a_long_tournament_is_told_what_is_shorter(tmp_path: Path) -> None:
    text = '[match]\nseats = 8\nseatings = "one"\nmaps = ["easter"]\n'
    plan, field = planned(tmp_path, text, 8, "egghunt")
    whole = forecast(plan, field, SLOW, jobs=1)
    assert whole is not None
    assert (whole.seconds or 0.0) > LONG
    hints = outlook(plan, field, SLOW).shorter
    assert [hint.setting for hint in hints] == ["match.rounds = 43", 'match.maps = ["single"]']
    changed, _ = planned(tmp_path, f"{text}rounds = 43\n", 8, "egghunt")
    assert forecast(changed, field, SLOW, jobs=1) == Forecast(1, pytest.approx(hints[0].seconds))
    assert outlook(plan, field, [Speed(0.001, 0.0001)]).shorter == [], "it is short enough"


def test_fewer_series_and_fewer_rounds_of_a_develobear_are_shorter(tmp_path: Path) -> None:
    match = '[match]\nseats = 4\nmaps = ["crossroads"]\n'
    hints = outlook(*planned(tmp_path, match, 16), SLOW).shorter
    assert f"format.each = {EACH}" in [hint.setting for hint in hints]
    hints = outlook(*planned(tmp_path, f"[format]\neach = {EACH}\n{match}", 16), SLOW).shorter
    assert "each" not in str(hints)
    hints = outlook(*planned(tmp_path, f'[format]\nkind = "develobear"\n{match}', 8), SLOW).shorter
    assert "format.runs = 10" in [hint.setting for hint in hints]


def test_what_saves_little_is_not_offered(tmp_path: Path) -> None:
    plan, field = planned(tmp_path, '[match]\nseats = 4\nmaps = ["single"]\nrounds = 3\n', 16, "egghunt")
    assert [hint.setting for hint in outlook(plan, field, [Speed(100.0, 0.0)]).shorter] == [f"format.each = {EACH}"]
