"""Tournament folders of an arena: what their files say, and when a season ends."""

import stat
from collections import Counter
from pathlib import Path

import pytest
from arena.folders import KRAIT, NEWT, a_tournament, with_settings
from tournament.formats.rehearsal import groups, meetings_of_each, run

from referee import bots, games
from referee.arena import season
from referee.arena.settings import FILE, ArenaFiles, LimitSettings, template
from referee.arena.uploads import bot_of
from referee.bots.zips import zipped
from referee.errors import BotError, UsageError
from referee.tournament.copies import copy_bot, has_copy
from referee.tournament.formats import design
from referee.tournament.formats.round_robin import RoundRobin
from referee.tournament.ledger import Ledger
from referee.tournament.model import Competitor, Rules
from referee.tournament.settings import settings_in as tournament_in


@pytest.fixture
def files(files: ArenaFiles, tmp_path: Path) -> ArenaFiles:
    """An arena whose first season has a bot's content."""
    (tmp_path / "newt.viper").write_bytes(NEWT)
    copy_bot(files.season(1), bots.find(str(tmp_path / "newt.viper")), "")
    return files


def content(files: ArenaFiles) -> str:
    return next((files.season(1) / "entrants").glob("[0-9a-f]*")).name


def test_a_season_is_a_ladder_of_contents(files: ArenaFiles):
    entries = dict.fromkeys(("ada/one", "ada/two", "bob/one"), content(files))
    season.begin(files, files.season(1), entries)
    written = tournament_in(files.season(1))
    assert (written.format.kind, written.format.rest, written.run.keep) == ("ladder", [1_000_000, 6], 100_000)
    assert written.format.ahead == 0  # an upload has its predecessor's place in the queue
    assert (written.match.seats, written.match.rounds) == (2, 3)
    assert (written.match.clock, written.match.pondering) == ("cpu", False)
    assert [(bot.name, bot.content) for bot in written.bot] == [*entries.items()]
    assert season.owners(files.season(1)) == 2


def test_a_season_keeps_its_seed_and_a_file_that_says_the_same_is_left_alone(files: ArenaFiles):
    folder = files.season(1)
    season.write(files, folder, {})
    assert season.owners(folder) == 0
    one = {"ada/one": content(files)}
    season.write(files, folder, one)
    before, seed = (folder / "tournament.toml").stat(), tournament_in(folder).run.rng_seed
    assert seed is not None
    assert seed > 2**31, "nobody finds it by trying all seeds that fit the matches that were published"
    season.write(files, folder, one)
    assert (folder / "tournament.toml").stat().st_ino == before.st_ino
    season.write(files, folder, {**one, "bob/one": content(files)})
    assert tournament_in(folder).run.rng_seed == seed
    assert season.owners(folder) == 2
    season.write(files, folder, {})
    assert season.owners(folder) == 2  # a file without bots could not be read


def test_the_longest_names_of_an_author_and_a_bot_stop_nobody(files: ArenaFiles):
    longest = f"{'a' * 32}/{'b' * 32}"
    entries = dict.fromkeys((longest, f"{longest} v10000", "bob/one"), content(files))  # as in a season, and in a duel
    season.write(files, files.season(1), entries)
    assert [bot.name for bot in tournament_in(files.season(1)).bot] == [*entries]


def test_the_next_season_brings_its_contents(files: ArenaFiles):
    [program] = files.season(1).glob("entrants/*/files/newt.viper")
    program.chmod(0o755)
    season.begin(files, files.season(2), {"ada/one": content(files)})
    assert has_copy(files.season(2), content(files))
    copy = files.season(2) / program.relative_to(files.season(1))
    assert (copy.read_bytes(), stat.S_IMODE(copy.stat().st_mode)) == (NEWT, 0o755)
    with pytest.raises(UsageError, match="no copy"):
        season.begin(files, files.season(2), {"ada/one": "0" * 32})


def test_other_settings_need_another_season_once_a_tour_is_planned(files: ArenaFiles):
    folder = files.season(1)
    season.write(files, folder, {"ada/one": content(files)})
    changed = with_settings(files, "rounds = 3", "rounds = 4")
    Ledger(folder, writes=True).close()
    assert season.fits(changed, folder)
    a_tournament(files, "1", "ladder", [(0, 1)])
    assert not season.fits(changed, folder)
    assert season.fits(files, folder)


@pytest.mark.parametrize("form", ["ladder", "compare"])
def test_a_map_that_is_edited_needs_another_season_and_another_duel(files: ArenaFiles, form: season.Form):
    own = files.root / "own.toml"
    own.write_text('name = "Own"\ndescription = "-"\nsize = 21\nlength = 8\nsteps = 500\n', encoding="utf-8")
    files = with_settings(with_settings(files, "# maps = []", 'maps = ["own.toml"]'), "seats = 2", "seats = 4")
    a_tournament(files, "2", form, [(0, 1)])
    assert season.fits(files, files.season(2), form)
    own.write_text(own.read_text(encoding="utf-8").replace("500", "400"), encoding="utf-8")
    assert not season.fits(files, files.season(2), form)


def test_a_season_whose_first_run_was_killed_goes_on(files: ArenaFiles):
    season.write(files, folder := files.season(1), {"ada/one": content(files)})
    (folder / "ledger.sqlite").touch()
    assert (season.is_full(files, folder), season.fits(files, folder)) == (False, True)


def test_a_final_is_a_round_robin_and_a_duel_a_comparison(files: ArenaFiles):
    entries = dict.fromkeys(("ada/one", "bob/one"), content(files))
    season.begin(files, files.seasons / "final", entries, "round-robin")
    season.begin(files, files.root / "intake" / "duels" / "v2", entries, "compare")
    final = tournament_in(files.seasons / "final")
    assert (final.format.kind, final.format.order, final.run.keep) == ("round-robin", "rating", "all")
    assert final.format.each == 100  # of two matches each
    duel = tournament_in(files.root / "intake" / "duels" / "v2")
    assert (duel.format.kind, duel.format.most, duel.match.seats, duel.match.rounds) == ("compare", 60, None, 3)
    seeds = {tournament_in(folder).run.rng_seed for folder in (files.seasons / "final", files.root / "intake/duels/v2")}
    assert len(seeds) == 2


def test_a_final_needs_two_owners(files: ArenaFiles):
    with pytest.raises(UsageError, match="needs bots of 2 authors that play"):
        season.head(files, files.season(1), 1, "round-robin", ["ada/a", "ada/b"])


def test_a_final_has_no_more_seats_than_owners(files: ArenaFiles):
    names = ("ada/a", "ada/b", "ada/c", "bob/a", "cyd/a")
    four = with_settings(files, "seats = 2", "seats = 4")
    assert "seats = 3" in season.head(four, files.season(1), 1, "round-robin", names)
    assert "seats = 2" in season.head(four, files.season(1), 1, "round-robin", names[:4])
    assert "seats = 4" in season.head(four, files.season(1), 1, "ladder")


OF_ANTS = b'name = "x"\nlanguage = "python"\ngames = ["ants"]'


def bot_from(tmp_path: Path, file: str, data: bytes, **limits: int) -> bots.Bot:
    (tmp_path / "1").write_bytes(data)
    return bot_of(tmp_path / "1", file, tmp_path / "work" / "1", "viper", LimitSettings(**limits))


def test_a_bot_is_a_folder(tmp_path: Path):
    program = bot_from(tmp_path, "krait.viper", KRAIT)
    source = bot_from(tmp_path, "../sly bot.py", b"print()")
    packed = bot_from(tmp_path, "team.zip", zipped({"team/krait.viper": KRAIT}))
    assert program.policy is not None
    assert packed.policy is not None
    assert sorted(path.name for path in (tmp_path / "work").rglob("*.py")) == []  # each is made anew
    assert not source.trusted


@pytest.mark.parametrize(("file", "data", "limits", "why"), [
    ("bot", b"\x7fELF", {}, "neither a ZIP file nor a source"),
    ("bot", b"#!/bin/sh\n", {}, "neither a ZIP file nor a source"),
    ("a.zip", zipped({str(number): b"" for number in range(9)}), {"files": 3}, "more than 3 files"),
    ("a.zip", zipped({"a": b"x" * 2**21}), {"unpacked": 1}, "more than 1 MiB"),
    ("a.py", bytes(2**20 + 1), {"upload": 1}, "more than 1 MiB"),
    ("a.zip", zipped({"bot.toml": OF_ANTS, "main.py": b""}), {}, "not viper"),
    ("a.zip", zipped({"x.txt": b""}), {}, "the bot has no bot.toml"),
    ("a.zip", zipped({"bot.toml": b"run = 1"}), {}, "^bot.toml: "),
])  # fmt: skip
def test_what_is_no_bot_is_refused_with_words_for_its_author(
    tmp_path: Path, file: str, data: bytes, limits: dict[str, int], why: str
):
    with pytest.raises(BotError, match=why) as refused:
        bot_from(tmp_path, file, data, **limits)
    assert str(tmp_path) not in str(refused.value)


def test_a_link_in_the_inbox_is_not_followed(tmp_path: Path):
    (tmp_path / "secret.viper").write_bytes(KRAIT)
    (tmp_path / "1").symlink_to(tmp_path / "secret.viper")
    with pytest.raises(OSError, match="symbolic"):
        bot_of(tmp_path / "1", "a.viper", tmp_path / "work", "viper", LimitSettings())


@pytest.mark.parametrize("game", [game.name for game in games.every()])
@pytest.mark.parametrize("form", ["ladder", "round-robin", "compare"])
def test_every_game_has_tournaments_of_each_form(tmp_path: Path, game: str, form: season.Form):
    (tmp_path / FILE).write_text(template("Test", game, [], None), encoding="utf-8")
    files = ArenaFiles(tmp_path)
    entries = {f"{author}/one": "0" * 32 for author in ("ada", "bob", "cyd", "dan")}
    season.write(files, files.season(1), entries, form)
    written = tournament_in(files.season(1))
    assert (written.game, written.format.kind) == (game, form)
    assert (written.format.order == "points") == (games.find(game).contest.order == "points" and form != "compare")


def owned(*bots: int) -> list[Competitor]:
    """So many bots of each owner."""
    names = [f"owner{owner}/bot{bot}" for owner, count in enumerate(bots) for bot in range(count)]
    return [Competitor(number, name, name) for number, name in enumerate(names)]


@pytest.mark.parametrize(("bots", "rules", "whole"), [
    ([1, 1], Rules(1, 2, ("a",)), True),
    ([2, 2, 1], Rules(1, 2, ("a",)), True),  # 528 matches, as the manual says
    ([2, 2, 1], Rules(1, 2, ("a", "b", "c"), "one", repeat=2), True),
    ([1] * 9, Rules(1, 4, ("a",)), True),
    ([3] * 12, Rules(1, 4, ("a", "b")), False),
    ([3] * 30, Rules(1, 2, ("a", "b", "c")), False),
    ([1] * 9, Rules(1, 4, ("a",), "all"), False),
])  # fmt: skip
def test_each_bot_plays_about_200_matches_and_the_number_of_all_is_known(bots: list[int], rules: Rules, whole: bool):
    field = owned(*bots)
    plan = season.final_plan([entrant.owner for entrant in field], rules)
    (tour,) = run(RoundRobin(rules, each=plan.each), field)
    assert tour.matches == plan.matches
    each = meetings_of_each(groups([tour]), range(len(field)))
    least = min(each) * len(tour.series[0].seatings)
    assert 2 / 3 * season.FINAL_MATCHES <= least <= season.MOST_MATCHES
    met = Counter(tuple(sorted(group)) for group in groups([tour]))
    all_meet = len(met) == design.groups([entrant.owner for entrant in field], plan.seats)
    assert (all_meet and len(set(met.values())) == 1) == whole  # whole rounds: all groups meet equally often
