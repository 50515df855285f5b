"""Games of other packages: how they are found, that every command takes them, and what is said of those that are wrong."""

import io
import json
import shutil
import sys
from pathlib import Path

import installing
import pytest
from cli.conftest import forget
from installing import describe

from referee import games
from referee.bots import find
from referee.errors import UsageError
from referee.files import assets, mapfiles, plugins
from referee.games.mistakes import mistake
from referee.studio.desk import serve
from referee.studio.questions import Questions
from referee.tournament.decisions import PACKAGE
from referee.tournament.jobs import JobRunner
from referee.tournament.ledger import Ledger
from referee.tournament.planning import make_plan
from referee.tournament.settings import settings_in

pytestmark = pytest.mark.machine


@pytest.mark.parametrize("turns", ["together", "sequential"])
def test_a_new_game_has_the_turns_that_its_author_chose(referee, install, turns) -> None:
    name = f"tron_{turns}"
    install(name, "--turns", turns)
    referee.ok("play", f"--game={name}", "-o", "a.jsonl", "--seed", "4")
    header, *steps = referee.saved("a.jsonl")
    assert (header["game"], header["rules"], header["package"]) == (name, 1, f"{name} 0.1.0")
    assert (steps[-3]["answers"][1:] == []) == (turns == "sequential")
    for words in (("verify", "--strict", "a.jsonl"), ("game", "check", name, "--matches", "4")):
        referee.ok(*words)


def test_a_new_game_plays_in_every_command(referee, install) -> None:
    name = "tron_commands"
    package = install(name)
    referee.ok("play", f"--game={name}", "-o", "a.jsonl", "--seed", "4")
    for words in (
        ("replay", "a.jsonl", "--step", "9", "--ascii"),
        ("explain", "a.jsonl"),
        ("export", "a.jsonl", "-o", "a.html"),
        ("export", "a.jsonl", "-o", "a.svg"),
        ("ask", "roomy", "a.jsonl", "--seat", "1", "--isolation", "none"),
        ("rules", name),
        ("map", "show", "--game", name),
        ("map", "check", "--game", name),
        ("new", "python", "mine", "--game", name),
        ("new", "--kit", name, "-o", "kit.zip"),
        ("game", "record", name),
        ("game", "check", name, "--matches", "0"),  # with the record
        ("check", "mine", "--game", name, "--matches", "1", "--isolation", "none"),
        ("tournament", "new", "cup", "ahead", "mine", "roomy", "--game", name),
        ("tournament", "run", "cup", "--jobs", "2"),
        ("tournament", "check", "cup", "--games"),
        ("tournament", "report", "cup"),
    ):
        referee.ok(*words)
    (referee.folder / "moment.json").write_text(referee("state", "a.jsonl", "--step", "9").out)
    words = ("play", "ahead", "roomy", "wanderer", "--game", name, "--setup", "moment.json", "--json")
    assert json.loads(referee(*words).out)["game"] == name
    assert f"({name} 0.1.0)" in referee("games").out
    listed = referee.json("games")[-1]
    assert (listed["name"], listed["distribution"], listed["version"]) == (name, name, "0.1.0")
    assert listed["folder"] == str(package)


def test_a_game_with_secrets_and_without_a_board_plays_and_keeps_the_contract(referee, tmp_path, monkeypatch) -> None:
    site = tmp_path / "site"
    installing.install(site, Path(__file__).parents[1] / "plugins" / "auction")
    monkeypatch.syspath_prepend(site)
    monkeypatch.setenv("PYTHONPATH", str(site))
    forget()
    for words in (
        ("game", "check", "auction", "--matches", "4"),
        ("play", "--game", "auction", "-o", "a.jsonl", "--isolation", "none"),
        ("verify", "--strict", "a.jsonl"),
        ("replay", "a.jsonl", "--step", "9", "--ascii"),
        *(("export", "a.jsonl", "-o", f"a.{kind}") for kind in ("html", "svg", "gif", "csv")),
    ):
        referee.ok(*words)
    assert "write one by hand" in referee("map", "new", "--game", "auction").err
    forget()


def test_a_package_in_a_zip_file_plays_from_a_folder(referee, install, tmp_path, monkeypatch) -> None:
    package = install("tron_zipped")
    zipped = shutil.make_archive(str(tmp_path / "zipped"), "zip", package.parent)
    monkeypatch.syspath_prepend(zipped)
    monkeypatch.setenv("PYTHONPATH", zipped)
    forget()
    assert plugins.find("tron_zipped").folder != package
    for words in (
        ("play", "--game", "tron_zipped", "-o", "a.jsonl", "--isolation", "none"),
        ("verify", "a.jsonl"),
        ("rules", "tron_zipped"),
    ):
        referee.ok(*words)


def test_its_samples_come_first_where_it_is_played_and_last_elsewhere(install, monkeypatch) -> None:
    package = install("tron_samples")
    (package / "bots" / "roomy").rename(package / "bots" / "oracle")
    assert find("oracle", "tron_samples").name == "Roomy"
    assert find("oracle", "snakecore").name == find("oracle").name == "Oracle"
    assert find("wanderer").name == "Wanderer"
    assert find("adder", "tron_samples").name == "Adder"


def test_players_must_not_see_its_package(install) -> None:
    package = install("tron_hidden")
    assert assets.hidden_paths("tron_hidden") == [assets.folder("bots"), package]
    assert assets.hidden_paths("snakecore") == assets.hidden_paths() == [assets.folder("bots")]


def test_what_its_code_prints_goes_to_stderr(install, capsys) -> None:
    printing = "print('drawn')\n    print('legend', end='.')\n    "
    install("tron_prints", changed={"view.py": ("lines = []", f"{printing}lines = []")})
    game = games.find("tron_prints")
    game.start(game.maps.setup(mapfiles.read(game, game.maps.default), seats=2, rng_seed=1), 1).draw()
    assert capsys.readouterr() == ("", "drawn\nlegend.")


def test_who_plays_one_of_our_games_does_not_look_at_what_is_installed(referee, install) -> None:
    install("tron_unseen", changed={"__init__.py": ("from", "[].pop()\nfrom")})
    referee.ok("play", "random", "oracle", "--map", "duel", "--rounds", "1", "-o", "a.jsonl", "--isolation", "none")
    referee.ok("verify", "a.jsonl")
    assert plugins.installed_games.cache_info().misses == 0


def test_a_saved_game_of_a_game_that_is_not_here_is_refused(referee, install) -> None:
    install("tron_gone")
    referee.ok("play", "--game", "tron_gone", "-o", "a.jsonl", "--isolation", "none")
    for folder in (referee.folder / "site").glob("*.dist-info"):
        (folder / "entry_points.txt").unlink()
    forget()
    for command in ("verify", "replay", "explain"):
        done = referee(command, "a.jsonl")
        assert done.code == 2, command
        assert "tron_gone is not installed here; these are: snakecore, ants, ava, egghunt, viper" in done.err


WRONG = {
    "that cannot be imported": (
        {"__init__.py": ("from", "[].pop()\nfrom")},
        "IndexError: pop from empty list (tron_wrong0/__init__.py, line 3))",
    ),
    "without GAME": ({"__init__.py": ("import GAME", "import wire as GAME")}, "its GAME is a module instead of a Game"),
    "of another name": ({"plugin.py": ('name="', 'name="x')}, "its GAME is called 'xtron_wrong"),
    "with two numbers as seats": (
        {"plugin.py": ("range(2, MOST_SEATS + 1)", "(2, 4)")}, "its seats are (2, 4), and not a range such as range(2, 5)",
    ),
    "with a number as limits": ({"plugin.py": ("time=TimeControl(", "time=dict(")}, "its time is {'first': 5.0, "),
    "with a start that takes less": (
        {"rules.py": (", _entrants: Sequence[Entrant] = (), /", ", /")}, "start does not take 3 arguments: too many positional",
    ),
    "of another contract": (
        {"plugin.py": ("contract=1", "contract=2")}, "it needs version 2 of the contract, and this referee has 1",
    ),
}  # fmt: skip


@pytest.mark.parametrize("kind", WRONG)
def test_a_game_that_cannot_be_used_is_one_line_and_stops_no_other(referee, install, kind) -> None:
    changed, why = WRONG[kind]
    name = f"tron_wrong{list(WRONG).index(kind)}"
    install(name, distribution="tron-game", version="2.5", changed=changed)
    listed = referee("games")
    assert (listed.code, len(listed.out.splitlines())) == (2, 5)
    asked = referee("play", "--game", name, code=2)
    for err in (listed.err, asked.err):
        [line] = err.splitlines()
        assert line.startswith(f"referee: the game {name} of tron-game 2.5 cannot be used ({why}")
        assert line.endswith("remove it with `pip uninstall tron-game`")
    referee.ok("rules", "ava")
    assert ("Traceback" in referee("games", "-v").err) == (kind == "that cannot be imported")


def test_two_packages_with_one_name_and_one_with_ours_are_refused(referee, install) -> None:
    install("tron_twice", distribution="one")
    install("tron_twice", distribution="two")
    install("ava_other")
    describe(referee.folder / "site", "objects", "1.0", {"tron_object": "ava_other : GAME"})
    describe(referee.folder / "site", "ava-mod", "0.2.0", {"ava": "ava_other", "Big-Name": "ava_other"})
    forget()
    listed = referee("games")
    assert (listed.code, len(listed.out.splitlines())) == (2, 6)
    assert [line for line in listed.err.splitlines() if "ava" in line and "own" in line] == [
        "referee: the game ava of ava-mod 0.2.0 cannot be used (ava is a game of the referee's own): correct it, install another "
        "version of it, or remove it with `pip uninstall ava-mod`"
    ]
    assert "referee: one 0.1.0 and two 0.1.0 both bring a game tron_twice: uninstall one of them" in listed.err
    wrong_name = "tron_object of objects 1.0 cannot be used (its GAME is called 'ava_other')"
    assert wrong_name in listed.err, "its package was found"
    assert "the game Big-Name of ava-mod 0.2.0 cannot be used (its name must be a lower-case word" in listed.err
    assert games.find("ava").title == "AVA"
    with pytest.raises(UsageError, match="both bring"):
        games.find("tron_twice")


MISTAKES = {
    "raises": ("self._pass()", "self._pass()\n            1 // (self.turn < 3)", "in step 5: ZeroDivisionError"),
    "hangs": ("self._pass()", "while self.turn > 2: 1\n            self._pass()", "TimeoutError: this takes longer than 0.2 s"),
    "exits": ("self._pass()", "raise SystemExit", "in step 4: SystemExit"),
    "is of nobody": ('"named", "seat": seat', '"named", "seat": 9', "'named' has the seat 9, and the seats are 0 to 2"),
    "is no JSON": ('"named", "seat": seat', '"named", "at": {1}, "seat": seat', "in step 1: its events cannot be saved as JSON"),
}  # fmt: skip


@pytest.mark.parametrize("kind", MISTAKES)
def test_a_mistake_of_the_rules_names_game_step_and_file_and_loses_nothing(referee, install, monkeypatch, kind) -> None:
    before, after, why = MISTAKES[kind]
    name = f"tron_{kind.replace(' ', '_').lower()}"
    install(name, changed={"rules.py": (before, after)})
    monkeypatch.setattr("referee.match.watchdog.SECONDS", 0.2)
    done = referee("play", "--game", name, "-o", "a.jsonl", "--isolation", "none", "--map", "desert", "--quiet", code=3)
    [line] = done.err.splitlines()
    assert line.startswith(f"referee: this is a mistake of the game {name} 0.1.0 in step ")
    assert why in line
    assert line.endswith("; the match up to there is in a.jsonl.part")
    steps = (referee.folder / "a.jsonl.part").read_text().splitlines()[1:]
    assert f"in step {len(steps) + 1}: " in line


def test_a_column_that_adds_no_number_is_a_mistake_of_the_game(referee, install) -> None:
    column = 'columns=[Column("crashes", lambda event: 1 if event["event"] == "crashed" else None)]'
    before = "GAME: Game[Match, str] = Game("
    install("tron_column", changed={"plugin.py": (before, f"from referee.gamekit import Column\n{before}{column}, ")})
    done = referee("play", "--game", "tron_column", "-o", "a.jsonl", "--isolation", "none", "--quiet", code=3)
    assert done.err.startswith(
        "referee: this is a mistake of the game tron_column 0.1.0: its column crashes has None instead"
    )
    assert done.err.endswith("; the match up to there is in a.jsonl\n")
    referee.ok("verify", "a.jsonl")


@pytest.mark.parametrize(("file", "before", "after"), [
    ("rules.py", "return Match(", "return None and Match("),
    ("maps.py", "return MapFacts(", "return None and MapFacts("),
])  # fmt: skip
def test_a_wrong_value_that_only_the_referee_notices_is_said_to_be_perhaps_the_game_s(
    referee, install, file, before, after
) -> None:
    name = f"tron_none_{file[:-3]}"
    install(name, changed={file: (before, after)})
    done = referee("play", "--game", name, "--isolation", "none", code=3)
    assert done.err.splitlines()[-2:] == [
        f"referee: the game {name} may have returned something wrong: see `referee game check {name}`; otherwise",
        "referee: this is a bug of the referee's own: please report it with the lines above",
    ]


def test_the_check_of_a_game_ends_a_call_that_hangs(referee, install, monkeypatch) -> None:
    install("tron_endless", changed={"rules.py": ("self._pass()", "while self.turn > 2: 1\n            self._pass()")})
    monkeypatch.setattr("referee.match.watchdog.SECONDS", 0.2)
    done = referee("game", "check", "tron_endless", "--matches", "0", "--quiet", code=1)
    assert "FAILED    plays: " in done.out
    assert "TimeoutError: this takes longer than 0.2 s (tron_endless/rules.py, line " in done.out


def change_rules(package, instead) -> None:
    """Let the rules of an installed game do something else at the end of a turn, also if they are imported already."""
    rules = package / "rules.py"
    rules.write_text(rules.read_text().replace("self._pass()", instead))
    for name in [name for name in sys.modules if name.startswith(package.name)]:
        del sys.modules[name]
    forget()


def test_a_file_that_makes_the_rules_raise_is_no_proof(referee, install) -> None:
    package = install("tron_verify")
    referee.ok("play", "--game", "tron_verify", "-o", "a.jsonl", "--isolation", "none")
    change_rules(package, "self._pass()\n            1 // (self.turn < 3)")
    done = referee("verify", "a.jsonl")
    assert (done.code, len(done.err.splitlines())) == (1, 1)
    assert "this is a mistake of the game tron_verify 0.1.0: ZeroDivisionError" in done.err


def test_a_game_that_exits_is_no_success_of_a_command(referee, install) -> None:
    package = install("tron_leaves")
    referee.ok("play", "--game", "tron_leaves", "-o", "a.jsonl", "--isolation", "none")
    change_rules(package, "raise SystemExit(0)")
    for command, code in (("verify", 1), ("replay", 3)):
        done = referee(command, "a.jsonl")
        assert done.code == code
        assert "this is a mistake of the game tron_leaves 0.1.0: SystemExit: 0 (tron_leaves/rules.py, line " in done.err


def test_a_mistake_of_a_view_is_an_answer_of_the_studios_desk(referee, install) -> None:
    package = install("tron_drawn")
    referee.ok("play", "--game", "tron_drawn", "-o", "a.jsonl", "--isolation", "none", "--quiet")
    view = package / "view.py"
    view.write_text(view.read_text().replace("return Frame(", "return 1 // 0 or Frame("))
    change_rules(package, "self._pass()")
    question = json.dumps(["film", {"saved": str(referee.folder / "a.jsonl")}]).encode() + b"\n"
    answers = io.BytesIO()
    serve(Questions(referee.folder), io.BytesIO(question * 2), answers)
    lines = [json.loads(line) for line in answers.getvalue().splitlines()]
    assert len(lines) == 2
    for line in lines:
        assert line["is_mistake"]
        why = line["refused"]["message"]
        assert why.startswith("this is a mistake of the game tron_drawn 0.1.0: ZeroDivisionError: "), why
    with pytest.raises(TypeError):  # a mistake of our own has its traceback
        serve(Questions(referee.folder), io.BytesIO(b'["film", {}]\n'), answers)


@pytest.mark.parametrize("raised", ["SystemExit", "KeyboardInterrupt"])
def test_an_interrupt_while_code_of_a_game_runs_is_no_mistake_of_it(install, raised) -> None:
    install("tron_interrupted")
    code = compile(f"raise {raised}", f"{plugins.find('tron_interrupted').folder}/rules.py", "exec")
    with pytest.raises(BaseException) as caught:
        exec(code)
    group = BaseExceptionGroup("players", [caught.value])
    assert (mistake(group) is None) == (raised == "KeyboardInterrupt")


def test_a_game_that_exits_while_it_is_measured_does_not_pass_its_check(referee, install, monkeypatch) -> None:
    install("tron_figures", changed={"view.py": ("return Frame(", "return None and Frame(")})

    def leave(*_given: object) -> None:
        raise SystemExit(0)

    monkeypatch.setattr("referee.testing.figures.measure", leave)
    done = referee("game", "check", "tron_figures", "--quiet", code=1)
    assert "tron_figures cannot be measured: SystemExit: 0" in done.err


def test_a_game_that_cannot_play_a_match_is_not_measured(referee, install) -> None:
    install("tron_stuck", changed={"rules.py": ("self._pass()", "1 // 0")})
    done = referee("game", "check", "tron_stuck", "--quiet", code=1)
    assert "tron_stuck: " in done.out
    assert "cannot be measured" not in done.err


def test_a_tournament_stops_at_the_third_mistake_of_one_kind(referee, install) -> None:
    install("tron_cup", changed={"rules.py": ("self._pass()", "self._pass()\n            1 // (self.turn < 3)")})
    words = ("ahead", "roomy", "wanderer", "--game", "tron_cup")
    referee.ok("tournament", "new", "cup", *words)
    done = referee.apart("tournament", "run", "cup", "--jobs", "1")
    assert done.code == 1, done.err
    assert done.err.count(": void: this is a mistake of the game tron_cup 0.1.0 in step ") == 3
    assert "this is the third match that is void for it; mend the game, then begin a new tournament" in done.err
    assert referee("tournament", "status", "cup").out.count("this is a mistake of the game") == 3


def test_a_tournament_knows_the_version_and_a_worker_with_another_plays_nothing(referee, install) -> None:
    install("tron_old")
    referee.ok("tournament", "new", "cup", "ahead", "roomy", "--game", "tron_old")
    referee.ok("tournament", "run", "cup", "--jobs", "1")
    with Ledger(referee.folder / "cup", writes=False) as ledger:
        assert ledger.fact(PACKAGE) == "tron_old 0.1.0"
    settings = settings_in(referee.folder / "cup")
    opening = make_plan(referee.folder / "cup", settings, games.find("tron_old"), 1, field=2).opening()
    JobRunner(opening, None)
    for package in ("tron_old 0.2.0", None):
        with pytest.raises(UsageError, match=f"tron_old is of tron_old 0.1.0 here, and of {package} in the tournament"):
            JobRunner(opening.model_copy(update={"package": package}), None)


def test_shards_of_another_version_are_refused(referee, install) -> None:
    install("tron_part")
    referee.ok("tournament", "new", "cup", "ahead", "roomy", "--game", "tron_part")
    settings = referee.folder / "cup" / "tournament.toml"
    settings.write_text(settings.read_text().replace("[run]", "[run]\nrng_seed = 7"))
    shard = ("tournament", "run", "cup", "--jobs=1", "--shard")
    referee.ok(*shard, "1/2", "-o", "old.sqlite")
    metadata = referee.folder / "site" / "tron_part-0.1.0.dist-info" / "METADATA"

    def upgrade(version: str) -> None:
        metadata.write_text(f"Metadata-Version: 2.1\nName: tron_part\nVersion: {version}\n")
        forget()

    def refused(*words: str, old: str, new: str) -> bool:
        done = referee(*words)
        why = f" was played with tron_part {old}, not with tron_part {new}: install the same on all machines"
        return (done.code, len(done.err.splitlines()), why in done.err) == (2, 1, True)

    upgrade("0.2.0")
    referee.ok(*shard, "2/2", "-o", "new.sqlite")
    assert refused("tournament", "merge", "cup", "old.sqlite", old="0.1.0", new="0.2.0")
    assert refused(*shard, "1/2", "-o", "old.sqlite", old="0.1.0", new="0.2.0")
    upgrade("0.1.0")
    assert refused("tournament", "merge", "cup", "new.sqlite", old="0.2.0", new="0.1.0")
    referee.ok("tournament", "merge", "cup", "old.sqlite")
    upgrade("0.2.0")  # the tournament stays of the version that it was played with
    assert refused("tournament", "merge", "cup", "new.sqlite", old="0.2.0", new="0.1.0")
    assert refused(*shard, "2/2", "-o", "late.sqlite", old="0.1.0", new="0.2.0")
    referee.ok("tournament", "merge", "cup", "old.sqlite")


def test_nothing_is_found_in_the_working_folder(referee, install, monkeypatch) -> None:
    install("tron_here")
    monkeypatch.chdir(referee.folder / "site")
    monkeypatch.setenv("PYTHONPATH", "")
    forget()
    assert plugins.installed_games() == {}
