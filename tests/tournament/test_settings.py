"""`tournament.toml`: what it may say. Every mistake is one line that names the file and the key."""

import json
import re
import shutil
import tomllib
from dataclasses import replace
from pathlib import Path

import pytest

from referee import games
from referee.errors import BotError, UsageError
from referee.files import assets, mapfiles
from referee.tournament.entering import list_bots
from referee.tournament.field import Unready
from referee.tournament.formats.gauntlet import Gauntlet
from referee.tournament.jobs import Opening
from referee.tournament.planning import make_plan
from referee.tournament.settings import format_of, seed_in, settings_in

LEAST = 'name = "Cup"\nbots = ["oracle"]\n'


def written(folder: Path, text: str) -> Path:
    (folder / "tournament.toml").write_text(text, encoding="utf-8")
    return folder


def test_the_defaults(tmp_path: Path) -> None:
    settings = settings_in(written(tmp_path, LEAST))
    assert (settings.game, settings.format.kind, settings.match.seatings) == ("snakecore", "round-robin", "rotations")
    assert (settings.match.repeat, settings.match.isolation, settings.run.keep) == (1, "full", "all")


@pytest.mark.parametrize(("format_", "order"), [
    ('kind = "round-robin"', ""),
    ('kind = "round-robin"\norder = "points"', "points a match"),
    ('kind = "ladder"', "rating"),
    ('kind = "knockout"', "the final, then who went out in a later round, then the place there"),
])  # fmt: skip
def test_a_table_that_is_not_by_percent_says_its_order(tmp_path: Path, format_: str, order: str) -> None:
    assert settings_in(written(tmp_path, f"{LEAST}[format]\n{format_}\n")).format.table_order == order


def test_limits_have_units_as_on_the_command_line(tmp_path: Path) -> None:
    text = '[match]\nfirst = "15s"\nanswer = "500ms"\ntotal = 120\nmemory = "512M"\n'
    match = settings_in(written(tmp_path, LEAST + text)).match
    assert (match.first, match.answer, match.total, match.memory) == (15.0, 0.5, 120.0, 512 << 20)


def test_a_total_of_none_is_no_limit_and_a_missing_one_is_the_games(tmp_path: Path) -> None:
    for text, total in (("", 120.0), ('total = "none"', None), ('total = "2m"', 120.0), ("total = 3", 3.0)):
        settings = settings_in(written(tmp_path, f"{LEAST}[match]\n{text}\n"))
        plan = make_plan(tmp_path, settings, games.find("snakecore"), 1, field=4)
        opening = Opening.model_validate_json(plan.opening().model_dump_json())
        assert opening.time.total == total
        assert json.loads(json.dumps(plan.decides()))["match"]["total"] == settings.match.total


@pytest.mark.parametrize(("text", "message"), [
    ('bots = ["oracle"]', "name: missing"),
    ('name = "Cup"', r'bots: missing: name the bots, as in bots = \["oracle", "teams/\*"\]'),
    (LEAST + "games = 3", "games: unknown key"),
    ('name = "C\\u001b]0;up"\nbots = ["oracle"]', "name: must have no control characters"),
    ('name = "Cup"\nbots = ["a\\u009b31m"]', "bots.0: must have no control characters"),
    (LEAST + '[[bot]]\npath = "oracle"\nname = "O\\u0007"', "bot.0.name: must have no control characters"),
    (LEAST + '[match]\nmaps = ["a\\u202e.toml"]', "match.maps.0: must have no control characters"),
    (LEAST + 'game = "chess"', "game: .*chess"),
    (LEAST + "[format]\nkind = 'cup'", "format.kind: must be 'round-robin', "),
    (LEAST + "[format]\nkind = 'swiss'\neach = 3", "format.each: swiss has no such key; it has tours"),
    (LEAST + "[format]\neach = 0", "format.each: must be 1 or more"),
    (LEAST + "[match]\nseats = '4'", "match.seats: must be a whole number"),
    (LEAST + "[match]\nanswer = 'soon'", "match.answer: 'soon' is not a duration"),
    (LEAST + "[match]\ntotal = 'never'", "match.total: 'never' is not a duration: .*; none for no limit"),
    (LEAST + "[match]\nfirst = 'none'", "match.first: 'none' is not a duration"),
    (LEAST + "[match]\nmemory = '1G'\nisolation = 'none'", 'match.memory: isolation = "none" cannot limit memory'),
    (LEAST + "[run]\nrng_seed = -1", "run.rng_seed: must be 0 or more"),
    (LEAST + "[run]\nkeep = 0", 'run.keep: must be "all", "faults", "none" or a number of saved games, 1 to 1000000$'),
    (LEAST + "[[bot]]\nname = 'x'", "bot.0.path: missing"),
    (LEAST + f"[[bot]]\ncontent = '{32 * 'a'}'", "bot.0.name: missing: a content says no name"),
    (LEAST + f"[[bot]]\ncontent = '{32 * 'a'}'\npath = 'oracle'\nname = 'O'", "bot.0.content: not with path"),
    (LEAST + f"[[bot]]\ncontent = '../{29 * 'a'}'\nname = 'O'", "bot.0.content: must be .* 32 digits of 0-9 and a-f"),
    (LEAST + "[format]\nkind = 'gauntlet'", r'format\.champions: missing: name them, as in champions = \["Oracle"\]'),
    (LEAST + "[format]\nkind = 'gauntlet'\nchampions = ['a']\nagainst = ['b']",
     r"format\.champions: not with against: leave out one of them"),
    ("name = ", "not TOML"),
])  # fmt: skip
def test_a_mistake_is_one_line_with_file_and_key(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(UsageError) as caught:
        settings_in(written(tmp_path, text))
    error = str(caught.value)
    assert "\n" not in error
    assert error.startswith(str(tmp_path / "tournament.toml"))
    assert re.search(message, error), error


@pytest.mark.parametrize(("text", "mistakes"), [
    ("[format]\nkind = 'swiss'\neach = 3\n[match]\nmemory = '1G'\nisolation = 'none'", ["format.each", "match.memory"]),
    ("games = 3\n[match]\nseats = '4'\n[run]\nrng_seed = -1", ["match.seats", "run.rng_seed", "games"]),
])  # fmt: skip
def test_each_mistake_is_named(tmp_path: Path, text: str, mistakes: list[str]) -> None:
    with pytest.raises(UsageError) as caught:
        settings_in(written(tmp_path, LEAST + text))
    lines = [str(caught.value), *caught.value.others]
    assert [line.split(": ")[:2] for line in lines] == [[f"{tmp_path}/tournament.toml", key] for key in mistakes]


def test_of_many_mistakes_twenty_are_named(tmp_path: Path) -> None:
    with pytest.raises(UsageError) as caught:
        settings_in(written(tmp_path, LEAST + "[[bot]]\n" * 22))
    assert caught.value.others[18:] == [
        f"{tmp_path}/tournament.toml: bot.19.path: missing",
        f"{tmp_path}/tournament.toml: 2 more",
    ]


def test_each_map_that_cannot_be_used_is_named(tmp_path: Path) -> None:
    settings = settings_in(written(tmp_path, LEAST + '[match]\nseats = 4\nmaps = ["nowhere", "duel", "duel"]\n'))
    with pytest.raises(UsageError, match=r"tournament\.toml: match\.maps\.0: ") as caught:
        make_plan(tmp_path, settings, games.find("snakecore"), 1, field=4)
    [other] = caught.value.others
    assert other == f"{tmp_path}/tournament.toml: match.maps.2: two maps are called duel: rename a file"


def test_a_folder_without_settings_names_the_command_that_writes_them(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"has no tournament.toml: `referee tournament"):
        settings_in(tmp_path)


@pytest.mark.parametrize("more", ["", "[run]\njobs = 2\n", "[run] # here\n", "[match]\nrounds = 3\n[run]\n[format]\n"])
def test_a_missing_seed_is_drawn_and_written_back(tmp_path: Path, more: str) -> None:
    written(tmp_path, LEAST + more)
    before = settings_in(tmp_path)
    seed = seed_in(tmp_path, before)
    after = settings_in(tmp_path)
    assert after.run.rng_seed == seed
    assert after.run.jobs == before.run.jobs
    assert seed_in(tmp_path, after) == seed
    assert tomllib.loads((tmp_path / "tournament.toml").read_text())["name"] == "Cup"


def test_a_map_with_too_few_places_names_those_that_fit(tmp_path: Path) -> None:
    settings = settings_in(written(tmp_path, LEAST + "[match]\nseats = 6\n"))
    with pytest.raises(UsageError, match=r"match.maps: crossroads: .* maps for 6 bots: compass, citadel$"):
        make_plan(tmp_path, settings, games.find("snakecore"), 1, field=6)


def test_a_map_beside_the_file_may_have_any_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shutil.copy(assets.maps("snakecore") / "duel.toml", tmp_path / "own")
    monkeypatch.chdir(written(tmp_path, LEAST + '[match]\nmaps = ["./own"]\n'))
    assert list(make_plan(Path(), settings_in(Path()), games.find("snakecore"), 1, field=2).maps) == ["own"]


def test_a_map_may_be_in_the_users_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    (tmp_path / "home").mkdir()
    shutil.copy(assets.maps("snakecore") / "duel.toml", tmp_path / "home" / "own.toml")
    settings = settings_in(written(tmp_path, LEAST + '[match]\nmaps = ["~/own.toml"]\n'))
    assert list(make_plan(tmp_path, settings, games.find("snakecore"), 1, field=2).maps) == ["own"]
    assert mapfiles.word_for(tmp_path / "cup", "~/own.toml", Path("/elsewhere")) == "../home/own.toml"


def test_a_user_of_another_machine_is_a_mistake_of_the_file(tmp_path: Path) -> None:
    settings = settings_in(written(tmp_path, 'name = "Cup"\nbots = ["~nobody-here/a"]\n'))
    with pytest.raises(UsageError, match=r"bots\.0: there is no "):
        list_bots(tmp_path, settings, games.find("snakecore"))


@pytest.mark.parametrize(("most", "starts", "more"), [(1, 8, ""), (1, 8, "[match]\nseats = 2\n"), (8, 1, "")])
def test_a_game_for_one_player_has_no_tournaments(
    tmp_path: Path, most: int, starts: int, more: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = replace(games.find("snakecore"), seats=range(1, most + 1))
    facts = replace(game.maps.facts(mapfiles.read(game, game.maps.default)), starts=[(0, 0)] * starts)
    monkeypatch.setattr(type(game.maps), "facts", lambda *_: facts)
    with pytest.raises(UsageError, match="a tournament needs rivals: SnakeCore, or one of its maps, is for one player"):
        make_plan(tmp_path, settings_in(written(tmp_path, LEAST + more)), game, 1, field=3)


def test_a_field_that_is_too_small_says_why_others_cannot_play(tmp_path: Path) -> None:
    settings = settings_in(written(tmp_path, LEAST + "[match]\nseats = 2\n"))
    others = [
        Unready("newt", "t/newt.viper", "it plays viper, not snakecore", stray=True),
        Unready("ada", "t/ada", "no"),
    ]
    others_why = r"\(newt: it plays viper, not snakecore; 1 more\)"
    with pytest.raises(UsageError, match=rf"2 seats, and 1 bot can play {others_why}: name more, or set match.seats$"):
        make_plan(tmp_path, settings, games.find("snakecore"), 1, field=1, unready=others)
    with pytest.raises(UsageError, match=r"and 0 bots can play: name more"):
        make_plan(tmp_path, settings, games.find("snakecore"), 1, field=0)


def test_a_comparison_says_why_one_of_its_bots_cannot_play(tmp_path: Path) -> None:
    settings = settings_in(written(tmp_path, LEAST + '[format]\nkind = "compare"\n'))
    broken = Unready("new", "new.cpp", "bot new cannot be built: g++ ended with exit status 1\nnew.cpp:3: error")
    with pytest.raises(BotError, match=r"^new cannot play: bot new cannot be built: g\+\+ ended with exit status 1$"):
        make_plan(tmp_path, settings, games.find("snakecore"), 1, field=1, unready=[broken])


def test_the_seed_is_written_through_a_link_and_nothing_else_changes(tmp_path: Path) -> None:
    target = tmp_path / "kept.toml"
    target.write_text(LEAST)
    target.chmod(0o640)
    folder = tmp_path / "cup"
    folder.mkdir()
    (folder / "tournament.toml").symlink_to(target)
    seed = seed_in(folder, settings_in(folder))
    assert f"rng_seed = {seed}" in target.read_text()
    assert target.stat().st_mode & 0o777 == 0o640
    assert sorted(path.name for path in tmp_path.rglob("*")) == ["cup", "kept.toml", "tournament.toml"]


@pytest.mark.parametrize(("against", "seats"), [(1, 2), (2, 3), (7, 4)])
def test_a_gauntlet_against_a_few_has_a_seat_for_each_of_them(tmp_path: Path, against: int, seats: int) -> None:
    names = [f"bot {number}" for number in range(against)]
    settings = settings_in(written(tmp_path, LEAST + f'[format]\nkind = "gauntlet"\nagainst = {names}\n'))
    plan = make_plan(tmp_path, settings, games.find("snakecore"), 1, field=20)
    assert plan.rules.seats == seats
    assert format_of(settings, plan.rules, []) == Gauntlet(plan.rules, against=tuple(names))
