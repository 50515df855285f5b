"""`referee games`, `rules` and `map`."""

import pytest

from referee import games
from referee.files import assets, mapfiles

pytestmark = pytest.mark.machine

DUEL = assets.folder("maps") / "snakecore" / "duel.toml"


def test_games_lists_the_main_game_first(referee):
    assert referee.ok("games").out.splitlines()[0].startswith("snakecore")
    listed = referee.json("games")
    assert listed[0]["main"] is True
    assert listed[0]["seats"] == [1, 8]


def test_rules_prints_the_games_own_readme(referee):
    ran = referee.ok("rules")
    assert "getAction" in ran.out
    assert referee("rules", "snakecore").out == ran.out
    referee("rules", "chess", code=2)


@pytest.mark.parametrize(("game", "lang", "chapter"), [
    ("snakecore", "ru", "Обмен с судьёй"),
    ("ava", "ru", "Обмен с судьёй"),
    ("viper", "ru", "Обмен с судьёй"),
    ("ants", "ru", "Обмен с судьёй"),
    ("egghunt", "fr", "Parler avec l'arbitre"),
])  # fmt: skip
def test_the_rules_of_each_game_are_written_in_the_language_of_its_contest(referee, game, lang, chapter):
    ran = referee.ok("rules", game, "--lang", lang, err="")
    assert f"\n## {chapter}\n" in ran.out
    assert referee("rules", game, "--lang", "en").out == referee("rules", game).out != ran.out


@pytest.mark.parametrize(("words", "says"), [
    (["viper", "--lang", "RU"], "the rules of viper are not written in 'RU' (did you mean 'ru'?); there are: en, ru\n"),
    (["egghunt", "--lang", "../ru\x1b"], "not written in '../ru\\x1b'; there are: en, fr\n"),
])  # fmt: skip
def test_an_unknown_language_is_an_error_that_lists_those_that_there_are(referee, words, says):
    ran = referee("rules", *words)
    assert (ran.code, ran.out) == (2, "")
    assert ran.err.endswith(says)
    assert ran.err.count("\n") == 1


def test_map_show_lists_maps_draws_one_and_names_its_seats(referee):
    assert "(default)" in referee("map", "show").out
    assert "11x11, 2 players" in referee("map", "show", "duel").out
    report = referee.json("map", "show", "duel")
    assert [seat["seat"] for seat in report["seats"]] == [0, 1]
    for number, seat in enumerate(report["seats"], start=1):
        x, y = seat["start"]
        assert report["field"][y][x] == str(number)
    referee("map", "show", "atlantis", code=2)


def test_every_shipped_map_passes_its_check(referee):
    maps = mapfiles.names(games.find())
    assert referee.ok("map", "check", err="").out.splitlines() == [f"{name}: ok" for name in maps]


def test_a_map_is_a_name_or_a_file_with_any_suffix_and_line_ends(referee):
    (referee.folder / "mine").write_bytes(b"\xef\xbb\xbf" + DUEL.read_bytes().replace(b"\n", b"\r\n"))
    ran = referee("map", "check", "duel", "./mine", DUEL)
    assert (ran.code, ran.out, ran.err) == (0, f"duel: ok\n./mine: ok\n{DUEL}: ok\n", "")


def test_each_unreadable_map_is_reported_once_and_the_others_are_checked(referee):
    (referee.folder / "odd.toml").write_text('name = "x"\nname = "y"\nsize = 3\n')
    (referee.folder / "part.toml").write_text('name = "x"\n')
    ran = referee("map", "check", "./", "odd.toml", "part.toml", "nowhere", "duel")
    assert (ran.code, ran.out) == (1, "duel: ok\n")
    folder, odd, part, nowhere = ran.err.splitlines()
    assert folder == ".: a folder, where a file is expected"
    assert odd == "odd.toml, line 2, column 11: not TOML: Cannot overwrite a value"
    assert part.startswith("part.toml: description: missing")
    assert nowhere.startswith("no map is called 'nowhere'; there ")


def test_an_unfair_map_fails_its_check(referee):
    text = 'name = "Tilted"\ndescription = "One reactor for one player."\nsymmetry = "half"\nfield = """\n'
    (referee.folder / "tilted.toml").write_text(text + '1R...\n.....\n.....\n.....\n....2\n"""\n')
    assert "tilted.toml: " in referee("map", "check", "tilted.toml", code=1).err


def test_a_new_map_is_fair_and_can_be_played_on(referee, pair):
    words = ["map", "new", "--size", "13", "--players", "2", "--seed", "9"]
    ran = referee.ok(*words, "-o", "my map.toml")
    assert ran.err == "my map.toml written with seed 9; look at it with: referee map show 'my map.toml'\n"
    referee.ok("map", "check", "my map.toml")
    referee.ok("play", *pair, "--map", "my map.toml", "--rounds", "2")
    first, second = (referee(*words, "--name", "my map").out for _ in range(2))
    assert first == second == (referee.folder / "my map.toml").read_text()
    again = referee.ok(*words, "-o", "my map.toml")
    assert "my map.toml existed already: it was renamed to my map.1.toml" in again.err
    referee("map", "new", "--size", "3", "--players", "9", code=2)


def test_a_language_without_an_sdk_is_refused(referee):
    assert referee.refused("sdk", "path", "c").startswith("there is no SDK for C, only for cpp, java, ")
