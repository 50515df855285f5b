"""The first `tournament.toml`: what it says for each game and number of bots, and that it can be played as it is."""

import os
import shutil
import tomllib
from pathlib import Path
from typing import Any

import pytest
from tournament.conftest import next_run

from referee.errors import UsageError
from referee.tournament.drafting import home, keep, write
from referee.tournament.forecast import upcoming_tours
from referee.tournament.settings import settings_in

BOTS = Path(__file__).parents[2] / "bots"


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def teams(sample: str, count: int) -> None:
    """So many copies of a sample bot."""
    for number in range(count):
        shutil.copytree(BOTS / sample, Path("teams", f"t{number}"))


def drafted(game: str | None = None) -> dict[str, Any]:
    """The file for the bots in `teams`."""
    return tomllib.loads(write(Path("cup"), ["teams/*"], game=game, name=None).read_text(encoding="utf-8"))


def matches() -> int:
    """The matches of the first tour of `cup`."""
    return next(upcoming_tours(*next_run(Path("cup")))).matches


@pytest.mark.parametrize("count", [2, 5, 64])
def test_an_egg_hunt_is_one_match_of_all_bots_by_points(count: int) -> None:
    teams("bunny", count)
    shutil.copy(BOTS / "newt" / "newt.viper", "teams")  # plays another game
    text = drafted("egghunt")
    assert text["format"] == {"kind": "round-robin", "order": "points"}
    assert (text["match"]["seats"], text["match"]["seatings"], matches()) == (count, "one", 1)


def test_more_bots_than_an_egg_hunt_has_seats_have_ten_matches_each() -> None:
    teams("bunny", 70)
    text = drafted("egghunt")
    assert (text["format"]["each"], text["match"]["seats"]) == (10, 64)
    assert matches() == -(-70 * 10 // 64)


@pytest.mark.parametrize(("count", "keys"), [(9, {}), (10, {"each": 10})])
def test_a_field_of_many_groups_has_ten_series_each_and_a_small_one_meets_in_all(
    count: int, keys: dict[str, int]
) -> None:
    teams("krait", count)
    assert drafted("viper")["format"] == {"kind": "round-robin", **keys}


def test_bots_of_another_game_than_the_usual_one_need_its_name(tmp_path: Path) -> None:
    teams("krait", 2)
    for game, usual in ((None, "snakecore"), ("ants", "ants")):
        with pytest.raises(UsageError, match=f"no bot there plays {usual}: name the game, as in `--game=viper`"):
            home(Path("teams"), game=game, say=lambda _: None)
    assert sorted(path.name for path in Path("teams").iterdir()) == ["t0", "t1"], "nothing is left behind"
    for _ in range(2):  # the same command goes on
        assert home(Path("teams"), game="viper", say=lambda _: None) == Path("teams", "tournament")


@pytest.mark.parametrize("name", ["teams", "teams/", "Klasse [9b]"])
def test_a_folder_of_bots_is_all_bots_in_it(name: str) -> None:
    teams("oracle", 3)
    Path("teams").rename(name)
    write(Path("cup"), [name], game=None, name=None)
    assert [bot.bot.name for bot in next_run(Path("cup"))[1]] == ["Oracle", "Oracle#2", "Oracle#3"]


def test_a_command_is_refused_however_long_it_is() -> None:
    with pytest.raises(UsageError, match="cannot play many matches: put it into a folder"):
        write(Path("cup"), [f"cmd:{'x' * 300}"], game=None, name=None)


def test_a_bot_that_is_not_there_is_refused_before_the_file_is_written(tmp_path: Path) -> None:
    why = r"there is no colector, and no sample bot of that name \(did you mean 'collector'\?\)"
    with pytest.raises(UsageError, match=why):
        write(tmp_path / "cup", ["guard", "colector"], game="snakecore", name=None)
    assert not (tmp_path / "cup").exists()


def test_a_sample_bot_of_another_game_is_refused(tmp_path: Path) -> None:
    for words, game, why in (
        (["guard", "worm"], None, "worm does not play snakecore: choose another sample bot, or --game=ava"),
        (["worm", "guard"], "ava", "guard does not play ava: choose another sample bot, or --game=snakecore"),
    ):
        with pytest.raises(UsageError, match=why):
            write(tmp_path / "cup", words, game=game, name=None)
    assert not (tmp_path / "cup").exists()
    (tmp_path / "worm").mkdir()  # is meant instead
    write(tmp_path / "cup", ["guard", "worm"], game=None, name=None)


def test_what_cannot_be_a_new_tournament_is_refused() -> None:
    folder = Path("teams")
    folder.mkdir()
    with pytest.raises(UsageError, match=r"teams has no tournament.toml, and fewer than two bots"):
        home(folder, game=None, say=lambda _: None)
    with pytest.raises(UsageError, match="teams holds no bots: name some after it"):
        write(folder, [], game=None, name=None)
    write(folder, ["oracle", "hunter"], game=None, name="Cup")
    assert settings_in(folder).name == "Cup"
    with pytest.raises(UsageError, match=r"teams/tournament.toml is there already: edit it"):
        write(folder, ["oracle", "hunter"], game=None, name=None)


def test_the_name_of_a_folder_becomes_a_name_that_the_file_can_have() -> None:
    for name, called in (("n" * 100, "n" * 60), (os.fsdecode(b"\xc0\x7f"), "\ufffd\ufffd")):
        folder = Path(name)
        write(folder, ["oracle", "hunter"], game=None, name=None)
        assert settings_in(folder).name == called


@pytest.mark.parametrize("name", [b"\xc0", b"x\x7fy"])
def test_a_path_that_the_file_cannot_have_is_refused(name: bytes) -> None:
    folder = Path(os.fsdecode(name))
    shutil.copytree(BOTS / "oracle", folder / "team")
    refused = pytest.raises(UsageError, match=r"its name must be UTF-8 without control characters$")
    with refused:
        write(Path("cup"), [str(folder / "*")], game=None, name=None)
    with refused:
        write(Path(), [], game=None, name=None)
    with refused:
        keep(Path("cup"), {"match": {}}, [(None, str(folder / "team"))], made_by="referee compare")
    with refused:
        keep(Path("cup"), {"match": {"maps": [f"{folder}/map.toml"]}}, [], made_by="referee compare")
    assert not Path("cup").exists()
    assert not Path("tournament.toml").exists()


@pytest.mark.parametrize(
    ("word", "kept"),
    [("maps/own", "../maps/own"), ("own.toml", "../own.toml"), ("arena", "arena"), ("cup/own", "./own")],
)
def test_the_path_of_a_map_is_kept_from_the_folder_of_the_tournament(word: str, kept: str) -> None:
    keep(Path("cup"), {"match": {"maps": [word]}}, [], made_by="referee compare")
    assert tomllib.loads(Path("cup/tournament.toml").read_text(encoding="utf-8"))["match"]["maps"] == [kept]


def test_the_same_command_goes_on_and_one_with_another_seed_does_not() -> None:
    def kept(seed: int) -> None:
        keep(Path("cup"), {"name": "Cup", "match": {}, "run": {"rng_seed": seed}}, [], made_by="referee compare")

    kept(3)
    file = Path("cup/tournament.toml")
    file.write_text(file.read_text(encoding="utf-8") + "jobs = 2\n", encoding="utf-8")
    kept(3)
    with pytest.raises(UsageError, match=r"^cup/tournament\.toml is of another tournament: choose another folder$"):
        kept(4)
