"""What intake serves next, which duels are due, when dates hold, and what a bot's page adds up."""

from dataclasses import replace
from datetime import UTC, datetime

import pytest
from arena.folders import a_submission
from pydantic import ValidationError

from referee.arena.duels import Duel, of_versions
from referee.arena.intake import next_upload, to_withdraw
from referee.arena.pages import TALLY, Tally, with_point
from referee.arena.settings import ArenaFiles, ArenaSettings
from referee.arena.state import ArenaState, after_dates, by_command, change_state, read_state, to_stage
from referee.errors import UsageError

DAY = 86_400.0


def test_users_are_served_in_turn():
    authors = {1: "ada", 2: "ada", 3: "ada", 4: "bob", 5: "cyd"}
    submissions = {number: a_submission(number, author=author) for number, author in authors.items()}
    order = []
    while (submission := next_upload(submissions.values())) is not None:
        order.append(number := submission.upload.id)
        submissions[number] = a_submission(number, "active", author=authors[number], changed=float(len(order)))
    assert order == [1, 4, 5, 2, 3]


@pytest.mark.parametrize("over", ["active", "replaced", "withdrawn", "failed"])
@pytest.mark.parametrize("under_way", ["waiting", "building", "checking", "ready"])
def test_what_was_under_way_is_taken_up_again_and_what_is_over_is_not(under_way: str, over: str):
    assert next_upload([a_submission(1, over), a_submission(2, under_way)]) == a_submission(2, under_way)
    assert next_upload([a_submission(1, over)]) is None


def test_a_version_that_is_ready_comes_before_all_others():
    ready = a_submission(2, "ready", changed=9.0)
    assert next_upload([a_submission(1, author="bob"), ready]) == ready


def test_deleted_bots_are_withdrawn_and_not_built():
    submissions = [
        a_submission(number, state, deleted=True) for number, state in enumerate(("replaced", "active", "waiting"))
    ]
    assert [version.state for version in to_withdraw(submissions)] == ["active", "waiting"]
    assert next_upload(submissions) is None


def test_a_version_meets_the_last_one_before_it_that_could_play():
    submissions = [
        a_submission(1, content="a"), a_submission(2), a_submission(3, content="c"), a_submission(4, author="bob", content="d"),
        a_submission(5, content="e"),
    ]  # fmt: skip
    assert of_versions(submissions) == [Duel("v3", 3, 1), Duel("v5", 5, 3)]


def settings(**dates: float) -> ArenaSettings:
    moments = {name: datetime.fromtimestamp(at, UTC) for name, at in dates.items()}
    return ArenaSettings(name="Test", game="viper", **moments)  # type: ignore[arg-type]


def test_dates_hold_once_and_commands_until_the_next_date():
    chosen = settings(opens=1 * DAY, closes=2 * DAY, final=3 * DAY)
    state = after_dates(ArenaState(), chosen, 0.5 * DAY)
    assert state.state == "closed"
    state = after_dates(state, chosen, 1.5 * DAY)
    assert state.state == "open"
    state = to_stage("closed")(state)
    assert after_dates(state, chosen, 1.6 * DAY).state == "closed"
    assert after_dates(state, chosen, 2.5 * DAY).state == "closed"
    assert after_dates(state, chosen, 9 * DAY).state == "final"


def test_a_command_comes_after_the_dates_that_passed_while_nothing_ran():
    chosen = settings(opens=1 * DAY, closes=2 * DAY, final=3 * DAY)
    for state in (ArenaState(), after_dates(ArenaState(), chosen, 0.5 * DAY), ArenaState(seen=400 * DAY)):
        state = by_command("open", chosen, 2.5 * DAY)(state)
        assert after_dates(state, chosen, 2.6 * DAY).state == "open"
        assert after_dates(state, chosen, 3.5 * DAY).state == "final"
    assert after_dates(by_command("open", chosen, 0.5 * DAY)(ArenaState()), chosen, 0.6 * DAY).state == "open"


@pytest.mark.parametrize(("dates", "why"), [
    ({"opens": 2, "closes": 1}, "closes: must not be before opens"),
    ({"closes": 2, "final": 1}, "final: must not be before closes"),
    ({"opens": 2, "final": 1}, "final: must not be before opens"),
])  # fmt: skip
def test_dates_are_in_the_order_of_a_contest(dates: dict[str, float], why: str):
    with pytest.raises(ValidationError, match=why):
        settings(**dates)
    settings(**dict.fromkeys(dates, 1.0))


def test_a_final_can_be_played_again_once_the_arena_was_opened():
    state = replace(ArenaState(), state="final", final="final")
    assert to_stage("final")(to_stage("closed")(state)) == state
    assert to_stage("final")(to_stage("open")(state)).final is None


def test_the_state_is_a_file(files: ArenaFiles):
    assert read_state(files) == ArenaState()
    change_state(files, lambda state: replace(state, season=7))
    assert read_state(files).season == 7
    files.state.write_text('{"state": "ajar"}')
    with pytest.raises(UsageError, match="cannot be read: remove it"):
        read_state(files)
    files.state.unlink()
    for season in ("2", "10"):
        (files.seasons / season).mkdir(parents=True)
    assert read_state(files) == ArenaState(season=10)


def row(*seats: tuple[int, float | None], fault: int | None = None) -> dict[str, object]:
    """A match of two, by number and place."""
    played = [
        {"seat": seat, "number": number, "place": place, "score": None if place is None else 2.0 - place}
        for seat, (number, place) in enumerate(seats)
    ]
    return {"seats": played, "faults": [] if fault is None else [{"seat": fault, "kind": "timeout"}]}


def test_a_tally_counts_rivals_maps_and_faults():
    tally = Tally()
    tally.add("m1", "duel", row((0, 1.0), (1, 2.0), fault=1))
    tally.add("m2", "duel", row((1, 1.5), (0, 1.5)))
    tally.add("m3", "duel", row((0, None), (1, None)))  # void
    pairs = {(1, 0): (0.5, 2)}
    assert tally.document(1, {0: "ada/one"}, pairs) == {
        "rivals": [{"name": "ada/one", "score": 0.5, "possible": 2, "matches": ["m2", "m1"]}],
        "maps": [{"map": "duel", "matches": 2, "score": 0.5, "possible": 2, "faults": {"timeout": 1}}],
    }
    assert tally.document(1, {}, pairs)["rivals"] == tally.document(0, {1: "ann/two"}, {})["rivals"] == []
    assert TALLY.validate_json(TALLY.dump_json(tally)) == tally
    for at in range(4, 9):
        tally.add(f"m{at}", "duel", row((0, 1.0), (1, 2.0)))
    assert tally.entrants[1].rivals[0] == ["m8", "m7", "m6", "m5", "m4"]


def test_a_rating_over_time_keeps_points_apart_and_each_version():
    points: list[list[object]] = []
    for at in range(0, 2500, 250):
        points = with_point(points, [at, 1000 + at, None, None, 1 if at < 1250 else 2])
    assert [(point[0], point[4]) for point in points] == [(0, 1), (750, 1), (1000, 1), (1750, 2), (2250, 2)]
    for at in range(10_000, 2_000_000, 1000):
        points = with_point(points, [at, 1, None, None, 2])
    assert len(points) <= 501
