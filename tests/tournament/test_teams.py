"""A Develobear contest of nine teams while their authors go on working: nobody loses a point by an edit."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import pytest
import trio
from tournament.rehearsals import Season

from referee.tournament.tournament import Tournament

SETTINGS = """\
name = "Develobear"
game = "viper"
bots = ["teams/*"]

[format]
kind = "develobear"
runs = 2
out = -6
deduct_after = 5

[match]
maps = ["quick"]
isolation = "none"

[run]
rng_seed = 5
jobs = 1
"""
TEAM = """\
name: {name}
scheme and: {ahead} cells ahead
-- -- -- -- -- -- --
-- -- -- -- -- -- --
-- -- -- -- -- -- --
-- -- -- V- -- -- --
-- -- -- ^^ -- -- --
-- -- -- -- -- -- --
-- -- -- -- -- -- --
"""


@dataclass
class Contest(Season):
    def team(self, number: int, name: str | None = None, text: str = "") -> None:
        """Write the program of a team, and its `bot.toml`."""
        folder = self.folder / "teams" / f"t{number}"
        folder.mkdir(parents=True, exist_ok=True)
        name = name or f"t{number}"
        text_of_manifest = f'name = "{name}"\nprogram = "team.viper"\ngames = ["viper"]\n'
        (folder / "bot.toml").write_text(text_of_manifest, encoding="utf-8")
        (folder / "team.viper").write_text(text or TEAM.format(name=name, ahead=number), encoding="utf-8")

    def edit(self, *numbers: int) -> None:
        """Add a line feed to the programs of teams."""
        for number in numbers:
            path = self.folder / "teams" / f"t{number}" / "team.viper"
            path.write_bytes(path.read_bytes() + b"\n")

    def play(self, tours: Mapping[str, Callable[[], object]] | None = None) -> Contest:
        """Play it to its end, or until it is broken off.

        Args:
            tours: what happens while a tour is played, by its key.
        """
        self.before = lambda tour: (tours or {}).get(tour, lambda: None)()
        trio.run(self.played)
        return self

    def table(self) -> dict[int, dict[str, Any]]:
        """The rows of the table by number."""
        with Tournament(self.folder) as tournament:
            return {row["number"]: row for row in tournament.table()["table"]}

    def status(self) -> dict[str, Any]:
        """What `referee tournament status --json` prints."""
        with Tournament(self.folder) as tournament:
            return tournament.status()

    def seats(self, number: int) -> list[dict[str, Any]]:
        """The seats of a team in all its matches, each with the id of its match."""
        with Tournament(self.folder) as tournament:
            rows = list(tournament.matches())
        return [{"match": row["id"], **seat} for row in rows for seat in row["seats"] if seat["number"] == number]


def drawn_up(folder: Path) -> Contest:
    """Nine teams."""
    contest = Contest(folder)
    for number in range(9):
        contest.team(number)
    (folder / "tournament.toml").write_text(SETTINGS, encoding="utf-8")
    return contest


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory: pytest.TempPathFactory) -> Contest:
    return drawn_up(tmp_path_factory.mktemp("undisturbed")).play()


def without_content(row: Mapping[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in row.items() if key not in ("entrant", "p50_ms", "p99_ms")}


def test_the_plan_is_said_and_a_small_contest_has_its_tours(undisturbed: Contest) -> None:
    assert undisturbed.said == ["plan: tours until 4 of 9 teams are left, then a play-off of 4"]
    assert all(row["matches"] > 0 for row in undisturbed.table().values())


def test_teams_are_edited_renamed_late_and_broken(tmp_path: Path) -> None:
    contest = drawn_up(tmp_path)
    contest.play(
        {
            "t0": partial(contest.edit, 7),
            "t1": partial(contest.team, 9),
            "t2": partial(contest.team, 3, "Третий"),
            "t3": partial(contest.team, 5, text="name: t5\nscheme nor: ?\n"),
        }
    )
    table, status = contest.table(), contest.status()
    assert set(table) == set(range(10)), "ten teams, none twice"
    [broken] = status["unready"]
    assert contest.said[1:] == [
        "t7 was edited: its new version plays from tour 1 on",
        "t9 takes part from tour 2 on",
        "t3 is called Третий from tour 3 on",
        "Третий was edited: its new version plays from tour 3 on",
        "t5 plays on with its last version, because the new one cannot play: " + broken["why"],
    ]
    assert table[3]["name"] == "Третий"
    assert (broken["name"], broken["number"], broken["bot"]) == ("t5", 5, "teams/t5")
    # The edited team played with two contents, and all its matches are its own.
    versions = {seat["entrant"] for seat in contest.seats(7)}
    assert len(versions) == 2
    assert {seat["entrant"] for seat in contest.seats(7) if seat["match"].startswith("t0-")} != versions
    assert table[7]["matches"] == len(contest.seats(7))
    # The late team's first match is in tour 2, the broken one's go on after tour 3 with its only content.
    assert min(seat["match"] for seat in contest.seats(9)).startswith("t2-")
    assert {seat["entrant"] for seat in contest.seats(5)} == {table[5]["entrant"]}
    assert any(seat["match"].startswith(("t4-", "t5-", "p")) for seat in contest.seats(5))
    assert not any(seat["disqualified"] for number in range(10) for seat in contest.seats(number))


def test_an_edit_in_the_middle_of_a_tour_voids_nothing(undisturbed: Contest, tmp_path: Path) -> None:
    """The contest is broken off in tour 0, all teams add a line feed, and it goes on: no match is void, no point is lost."""
    contest = drawn_up(tmp_path)
    contest.matches = 1
    contest.play()
    assert contest.status()["matches"] == {"scheduled": 4, "played": 1, "void": 0}
    contest.edit(*range(9))
    again = Contest(tmp_path).play()
    assert again.status()["matches"]["void"] == 0
    assert len(again.status()["changes"]) == 9
    before, after = undisturbed.table(), again.table()
    assert [without_content(row) for row in after.values()] == [without_content(row) for row in before.values()]


def test_settings_that_must_not_change_stay_in_force_when_the_file_is_edited_during_a_run(tmp_path: Path) -> None:
    """The file names a round robin for a tour, whose bots are not looked at again."""
    contest = drawn_up(tmp_path)
    kind = 'kind = "develobear"\nruns = 2\nout = -6\ndeduct_after = 5'
    changed = SETTINGS.replace(kind, 'kind = "round-robin"')
    assert changed != SETTINGS

    def mend() -> None:
        (tmp_path / "tournament.toml").write_text(SETTINGS, encoding="utf-8")
        contest.edit(3)

    contest.play({"t0": lambda: (tmp_path / "tournament.toml").write_text(changed, encoding="utf-8"), "t1": mend})
    _, refused, edited = contest.said
    assert refused.startswith("the field stays as it is: ")
    assert "format.kind has changed since the first match: change it back" in refused
    assert edited == "t3 was edited: its new version plays from tour 2 on"
    assert contest.status()["over"]
