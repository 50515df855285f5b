"""What is public: its list, its page, its documentation, and what `import referee` costs.

If `public.txt` no longer fits, the public interface has changed. A change that breaks programs needs a new major version
(a minor one before 1.0) and a line in CHANGELOG.md.
"""

import ast
import doctest
import inspect
import re
import subprocess
import sys
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules

import manual
import pytest
from installing import describe

import referee
from referee import gamekit, library
from referee.files import plugins

pytestmark = pytest.mark.machine

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
MODULES = [module.name for module in iter_modules(library.__path__)]
VALUES = [value for name in referee.__all__ if inspect.isclass(value := getattr(referee, name))]


def test_the_public_names_and_signatures_are_those_of_the_list() -> None:
    assert manual.public() == (HERE / "public.txt").read_text(encoding="utf-8").splitlines()


def test_what_games_import_is_the_list() -> None:
    """A change that breaks games of other packages also needs another `CONTRACT`."""
    assert manual.public(gamekit) == (HERE / "gamekit.txt").read_text(encoding="utf-8").splitlines()


def test_the_pages_of_the_manual_are_up_to_date() -> None:
    assert manual.PAGE.read_text(encoding="utf-8") == manual.page(), "run scripts/manual"
    assert manual.GAMES.read_text(encoding="utf-8") == manual.games_page(), "run scripts/manual"


def test_the_least_game_of_the_manual_plays_and_needs_two_files_and_120_lines(tmp_path, monkeypatch) -> None:
    _, package, rules = re.findall(
        r"^```python\n(.*?)^```$", manual.GAMES.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL
    )
    assert len(package.splitlines()) + len(rules.splitlines()) <= 120
    (tmp_path / "twenty").mkdir()
    (tmp_path / "twenty" / "__init__.py").write_text(package)
    (tmp_path / "twenty" / "rules.py").write_text(rules)
    describe(tmp_path, "twenty", "0.1.0", {"twenty": "twenty"})
    monkeypatch.syspath_prepend(tmp_path)
    plugins.installed_games.cache_clear()
    match = referee.play(
        [lambda _request: "1", lambda request: str((19 - int(request.split()[1])) % 4 or 1)], game="twenty"
    )
    assert [(line.seat, line.score) for line in match.ranking] == [(1, 1), (0, 0)]
    assert match.saved.verify()
    plugins.installed_games.cache_clear()


def test_every_public_name_is_on_the_page() -> None:
    on_page = [name for names in manual.CHAPTERS.values() for name in names]
    errors = [value.__name__ for value in VALUES if issubclass(value, Exception)]
    assert sorted([*on_page, *errors]) == referee.__all__


def test_type_checkers_see_the_names_that_are_imported_on_first_use() -> None:
    seen, *_ = [part for part in ast.parse(Path(referee.__file__).read_text()).body if isinstance(part, ast.If)]
    imports = [part for part in seen.body if isinstance(part, ast.ImportFrom)]
    names = {(part.module, name.name, name.asname) for part in imports for name in part.names}
    assert names == {("referee", "env", "env"), *((module, name, name) for name, module in referee._HOMES.items())}


def test_every_attribute_is_documented_or_private() -> None:
    match = referee.play([lambda _request: "N"], map="duel", seed=1, rounds=1)
    step = match.saved.step(2)
    for value in (match, match.board, match.game, match.saved, step, step.answers[0], step.requests[0]):
        there = vars(value) if hasattr(value, "__dict__") else value.__slots__
        documented = manual.attributes(type(value))
        assert sorted(name for name in there if not name.startswith("_") and name != "saved") == sorted(documented)


def test_no_public_name_is_that_of_a_module() -> None:
    """An import of a module `referee.match` anywhere would replace a function `referee.match`."""
    assert not set(referee.__all__) & {module.name for module in iter_modules(referee.__path__)}


@pytest.mark.parametrize("module", MODULES)
def test_the_examples_of_docstrings_run(module: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    if module == "saved":
        referee.play(["oracle", "hunter"], map="arena", seed=7, rounds=100, save="game.jsonl")
    outcome = doctest.testmod(
        import_module(f"referee.library.{module}"), extraglobs={"referee": referee}, optionflags=doctest.FAIL_FAST
    )
    assert outcome.failed == 0
    assert outcome.attempted > 0


def run(code: str) -> str:
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout


def test_import_referee_imports_nothing_else() -> None:
    code = "import sys; before = set(sys.modules); import referee; print(*set(sys.modules) - before)"
    assert run(code).split() == ["referee"]
    assert {"env", *referee.__all__} <= set(run("import referee; print(*dir(referee))").split())
    assert run("import referee; print(referee.env.aec.__name__)") == "aec\n"


def test_the_rules_of_a_game_need_no_processes() -> None:
    heavy = ("trio", "rich", "referee.match.session", "referee.games.ants.rules")
    code = f"import sys, referee; referee.Game('viper').start(seed=1); print(*sys.modules.keys() & {set(heavy)})"
    assert run(code).split() == []


def test_an_unknown_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="module 'referee' has no attribute 'nothing'"):
        referee.nothing  # noqa: B018


@pytest.mark.timeout(600)  # without its cache, mypy reads the whole package: 45 s of CPU time
def test_callers_see_the_types(tmp_path: Path) -> None:
    """With the configuration of `scripts/check`, whose cache spares reading the package again."""
    assert Path(referee.__file__).with_name("py.typed").is_file()
    (tmp_path / "mine.py").write_text(
        "import referee\n\n"
        "def waits(request: str) -> str:\n    return 'N'\n\n"
        "class Search:\n    name = 'Search'\n\n"
        "    def decide(self, board: referee.Board, seat: int) -> str:\n        return next(iter(board.legal_actions(seat)))\n\n"
        "policy: referee.Policy = Search()\n"
        "players: list[referee.Player] = ['oracle', waits, policy]\n"
        "match = referee.play(players, seed=7, isolation='none')\n"
        "points: float = match.ranking[0].score\n"
        "reveal_type(referee.rate([match]))\n"
        "reveal_type(referee.env.aec('ava').answers)\n"
        "referee.play(7)\n"
        "referee.plya\n"
    )
    done = subprocess.run(
        [sys.executable, "-m", "mypy", "--no-error-summary", str(tmp_path / "mine.py")],
        cwd=ROOT, capture_output=True, text=True, check=False,
    )  # fmt: skip
    revealed, answers, refused, misspelt = done.stdout.splitlines()
    assert 'Revealed type is "referee.library.standings.Standings"' in revealed
    assert 'Revealed type is "tuple[str, ...]"' in answers
    assert 'Argument 1 to "play" has incompatible type "int"' in refused
    assert 'Module has no attribute "plya"' in misspelt
