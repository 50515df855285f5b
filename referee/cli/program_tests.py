"""`referee program test` without a step, and `--pin`: the test positions of a program."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from referee.analysis.program_tests import MOST_BYTES, SUFFIX, Demand, outcomes, read_tests, with_test
from referee.analysis.programs import Script
from referee.cli.options import print_json
from referee.errors import UsageError
from referee.files import assets
from referee.files.claims import write_whole
from referee.files.reading import read
from referee.saved.replay import Replay
from referee.text.strict import read as read_strictly
from referee.text.words import counted, shorten


def run(script: Script, *, json: bool) -> int:
    """Run the tests and print a line for each. Returns the exit code.

    Raises:
        UsageError: there are none, or their file cannot be read.
    """
    file = _file(script)
    if not file.exists():
        pin = "referee program test PROGRAM GAME.jsonl --step N --pin must=L"
        raise UsageError(f"there is no {file}, so {script.file} has no test positions: keep one with {pin}")
    results = outcomes(script, read_tests(read(file, MOST_BYTES), str(file)))
    passed = sum(result["verdict"] == "pass" for result in results)
    if json:
        print_json(_document(script, file, results))
    else:
        print(*(_line(result, script.programs.part) for result in results), sep="\n")
        print(f"{passed} of {counted(len(results), 'test')} passed")
    return 0 if passed == len(results) else 1


def pin(script: Script, replay: Replay, step: int, seat: int | None, words: Sequence[str], *, json: bool) -> int:
    """Keep a step of a saved game as a test position, and print how the program does there now.

    Raises:
        UsageError: the words are no demand, the step did not ask this seat, or the file cannot be written there.
    """
    file = _file(script)
    if any(file.resolve().is_relative_to(home.resolve()) for home in assets.samples(script.game.name)):
        raise UsageError(f"{script.file} is a sample of the referee: copy it, and keep test positions of the copy")
    demand = _demand(words)
    text = with_test(read(file, MOST_BYTES) if file.exists() else b"", str(file), script, replay, step, seat, demand)
    try:
        write_whole(file, text)
    except OSError as failed:
        raise UsageError(f"{file}: {failed.strerror}") from None
    result = outcomes(script, read_tests(text.encode(), str(file)))[-1]
    if json:
        print_json(_document(script, file, [result]))
    else:
        print(f"{file}: added a test, which now gives", _line(result, script.programs.part), sep="\n")
    return 0


def _document(script: Script, file: Path, results: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    return {"game": script.game.name, "program": script.file, "file": str(file), "tests": results}


def _line(result: Mapping[str, Any], part: str) -> str:
    """The outcome of a test in one line."""
    if result["verdict"] == "wrong":
        outcome = result["why"]
    else:
        by = f"by {part} {result['chart']}" if result["chart"] else f"no {part} fits"
        outcome = f"goes {' or '.join(dict.fromkeys(result['answer']))}, {by}"
        outcome += f" ({result['why']})" if result["verdict"] == "fail" and result["why"] else ""
    origin = f" [{result['origin']}]" if result["origin"] else ""
    return shorten(f"{result['verdict']:<5} {result['test']}: {result['demand']}: {outcome}{origin}", 400)


def _file(script: Script) -> Path:
    return Path(script.file).with_suffix(SUFFIX)


def _demand(words: Sequence[str]) -> Demand:
    fields: dict[str, object] = {}
    for word in words:
        key, equals, value = word.partition("=")
        if key not in Demand.model_fields or not equals or key in fields:
            raise UsageError(f"--pin {shorten(word, 60)}: write must=LU, must_not=L or chart=2, each once")
        fields[key] = int(value) if key == "chart" and value.isascii() and value.isdecimal() else value
    return read_strictly(Demand, fields, lambda why: UsageError(f"--pin: {why}"))
