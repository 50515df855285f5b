"""`python -m referee.games.GAME PROGRAM`: the same answers over the wire, with nothing but this package at hand."""

from __future__ import annotations

import io
import subprocess
import sys
from pathlib import Path
from random import Random

import pytest
from tailbite.sights import asked, program, with_options

from referee import games
from referee.tailbite.serving import CHOICES, main, serve
from referee.tailbite.sight import SIDE, Options, possible

ROOT = Path(__file__).parents[2]
LETTERS = {"ava": "VWSTXYZABCDvwstxyzabcd", "viper": "VWSTXYZvwstxyz"}
GROUPS = {"ava": "01234567", "viper": "-wybg"}
HEADINGS = {"ava": ["map:"], "viper": ["scheme and:", "scheme or:"]}
SETS = "\n".join(
    [
        "set A: empty own-tail enemy-tail",
        "set B: border own-body enemy-body",
        "set C: enemy-head",
        "set D: empty enemy-head",
    ]
)

every_game = pytest.mark.parametrize("game", ["ava", "viper"])


def pick(chance: Random, some: str | list[str]) -> str:
    return some[int(chance.random() * len(some))]


def windows(chance: Random, many: int) -> list[bytes]:
    """Random sights in which there is a choice of moves."""
    found: list[bytes] = []
    while len(found) < many:
        cells = [pick(chance, "........WSSTXYYYZ") for _ in range(SIDE * SIDE)]
        cells[84] = "H"
        seen = "".join(cells).encode()
        found += [seen] if len(possible(seen)) > 1 else []
    return found


def any_program(chance: Random, game: str) -> bytes:
    """Nine charts with about twelve patterns each: some of them decide, some are never come to."""
    found = []
    for _ in range(9):
        cells = [["--"] * 7 for _ in range(7)]
        for _ in range(6):
            cells[int(chance.random() * 7)][int(chance.random() * 7)] = pick(chance, LETTERS[game]) + pick(
                chance, GROUPS[game]
            )
        cells[3][3] = pick(chance, ["^^", ">>", "vv", "<<"])
        found.append("\n".join([pick(chance, HEADINGS[game]), *(" ".join(row) for row in cells)]))
    return program(*found, sets=SETS if game == "ava" else "", name="Äther")


def request(seen: bytes) -> bytes:
    rows = [seen[at : at + SIDE] for at in range(0, len(seen), SIDE)]
    return b"\n".join([b"getAction", b"13", *rows, b""])


def run(game: str, *words: str | Path, stdin: bytes = b"") -> subprocess.CompletedProcess[bytes]:
    """The program as a process that finds the standard library and the package, and no other package (-S)."""
    return subprocess.run(
        [sys.executable, "-S", "-m", f"referee.games.{game}", *map(str, words)],
        input=stdin, env={"PYTHONPATH": str(ROOT)}, capture_output=True, timeout=60, check=False,
    )  # fmt: skip


@pytest.mark.parametrize(
    ("game", "words", "options"),
    [
        ("ava", [], Options()),
        ("ava", ["--rating", "max", "--failed-and-groups=ignore"], with_options("max", failed_and_groups="ignore")),
        ("viper", [], Options()),
        ("viper", ["--or-groups", "any"], with_options(or_groups="any")),
    ],
)
def test_the_process_answers_as_the_referee_does(game, words, options, tmp_path):
    chance = Random(5)
    for number in range(3):
        source = any_program(chance, game)
        file = tmp_path / f"{number}.txt"
        file.write_bytes(source)
        seen = windows(chance, 100)
        ran = run(game, file, *words, stdin=b"getName\n" + b"".join(map(request, seen)))
        assert (ran.returncode, ran.stderr) == (0, b"")
        name, *answers = ran.stdout.decode().splitlines()
        assert name == "Äther"
        found = games.find(game)
        policy = found.programs.compile(source, "x")
        assert answers == [policy.decide(asked(window, options)) for window in seen]
        assert len(set(answers)) > 5
        for answer in answers:
            assert found.decode("getAction", [answer.encode()]) == answer


def test_the_options_make_a_difference():
    """Else the test above would say nothing of them."""
    for game, options in (
        ("ava", with_options("max")), ("ava", with_options(failed_and_groups="ignore")), ("viper", with_options(or_groups="any")),
    ):  # fmt: skip
        chance = Random(5)
        policies = [games.find(game).programs.compile(any_program(chance, game), "x") for _ in range(3)]
        seen = windows(chance, 100)
        assert any(p.decide(asked(w)) != p.decide(asked(w, options)) for p in policies for w in seen)


@every_game
def test_it_answers_at_once_and_ends_with_its_input(game, tmp_path):
    file = tmp_path / "x.txt"
    file.write_bytes(any_program(Random(1), game))
    with subprocess.Popen(
        [sys.executable, "-m", f"referee.games.{game}", file], cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(b"getName\n")
        process.stdin.flush()
        assert process.stdout.readline() == "Äther\n".encode()
        process.stdin.close()
        assert process.wait(timeout=60) == 0


@every_game
def test_it_imports_little(game):
    code = (
        f"import sys, referee.games.{game}.__main__;"
        "print({'pydantic', 'trio', 'rich', 'cyclopts', 'argparse', 'random', 'json'} & sys.modules.keys())"
    )
    ran = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert ran.stdout == "set()\n"


@every_game
def test_a_mistake_is_one_line_and_exit_code_2(game, tmp_path):
    file = tmp_path / "x.txt"
    file.write_text("name: x\n\nmop:\n")
    ran = run(game, file)
    assert (ran.returncode, ran.stdout) == (2, b"")
    assert ran.stderr.decode().startswith(f"{file}, line 3, column 1: ")
    assert ran.stderr.count(b"\n") == 1


@pytest.mark.parametrize(
    ("words", "says"),
    [
        ([], "one program is needed: PROGRAM.viper [--or-groups all|any]"),
        (["a", "b"], "one program is needed"),
        (["nowhere.viper"], "nowhere.viper: No such file"),
        (["a", "--rating", "max"], "--rating is no option"),
        (["a", "--or-groups", "some"], "--or-groups is all or any, not 'some'"),
        (["a", "--or-groups"], "--or-groups is all or any, not ''"),
    ],
)
def test_a_wrong_command_line_is_one_line_and_exit_code_2(words, says, capsys):
    assert main(games.find("viper").programs, ("or_groups",), words) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.count("\n") == 1
    assert says in err


def test_help_tells_the_options(capsys):
    assert main(games.find("ava").programs, ("rating", "failed_and_groups"), ["--help"]) == 0
    assert capsys.readouterr().out == "usage: PROGRAM.ava [--rating sum|max] [--failed-and-groups count|ignore]\n"


def test_the_options_are_those_of_positions():
    assert {name: values[0] for name, values in CHOICES.items()} == {
        "rating": Options().rating, "failed_and_groups": Options().failed_and_groups, "or_groups": Options().or_groups,
    }  # fmt: skip


@pytest.mark.parametrize(
    ("text", "code"),
    [
        (b"", 0),
        (b"getName\r\n", 0),
        (request(windows(Random(2), 1)[0]).replace(b"\n", b"\r\n"), 0),
        (request(windows(Random(2), 1)[0])[:60], 0),
        (b"getname\n", 1),
        (request(windows(Random(2), 1)[0]).replace(b"13\n", b"15\n"), 1),
        (request(windows(Random(2), 1)[0]).replace(b"H", b"h"), 1),
        (request(windows(Random(2), 1)[0]).replace(b"H", b"HH"), 1),
    ],
    ids=["nothing", "CRLF name", "CRLF", "cut off", "no request", "another size", "another letter", "a long row"],
)
def test_input_that_is_no_request_is_told_and_ends_it(text, code, capsys):
    policy = games.find("viper").programs.compile(any_program(Random(1), "viper"), "x")
    assert serve(policy, Options(), io.BytesIO(text), io.BytesIO()) == code
    err = capsys.readouterr().err
    assert err.count("\n") == bool(code)
