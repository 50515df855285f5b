"""python-chess's SimpleEngine, which Python users know: the time per ply, compared with a bare loop with the same lines."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable
from functools import partial
from importlib import import_module
from pathlib import Path
from time import perf_counter
from typing import Any

from benchmarks.figures import compared, spread
from benchmarks.loops import PYTHON_LOOP, WrongError, pipes_of
from benchmarks.report import Findings, Table
from benchmarks.setting import Setting, UnavailableError, pinned
from benchmarks.subject import Subject

MOVES = ("g1f3", "g8f6", "f3g1", "f6g8")


def simple_engine(chess: Any, engines: Any, program: Path, plies: int) -> float:
    """A game of two engines with python-chess: seconds per ply."""
    with engines.SimpleEngine.popen_uci(str(program)) as white, engines.SimpleEngine.popen_uci(str(program)) as black:
        board, limit = chess.Board(), engines.Limit(nodes=1)
        for engine in (white, black):
            engine.ping()
        began = perf_counter()
        for ply in range(plies):
            result = (black if ply % 2 else white).play(board, limit)
            board.push(result.move)
        return (perf_counter() - began) / plies


def bare(program: Path, plies: int) -> float:
    """The same lines through a blocking loop, which does not know chess: seconds per ply."""
    engines = [subprocess.Popen([program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0) for _ in "wb"]
    try:
        pipes = [pipes_of(engine) for engine in engines]
        for to, back in pipes:
            asked(to, back, b"isready\n")
        line = b"position startpos"
        began = perf_counter()
        for ply in range(plies):
            answer = asked(*pipes[ply % 2], line + b"\ngo nodes 1\n")
            if answer.split() != [b"bestmove", MOVES[ply % 4].encode()]:
                raise WrongError(f"the engine answered {answer!r}")
            line += (b" " if ply else b" moves ") + answer.split()[1]
        return (perf_counter() - began) / plies
    finally:
        for engine in engines:
            engine.communicate()


def asked(to: int, back: int, data: bytes) -> bytes:
    """Write lines, read a line."""
    os.write(to, data)
    return os.read(back, 4096)


def measure(setting: Setting) -> Findings:
    """In turn, on one core and free.

    Raises:
        UnavailableError: python-chess or a C compiler is missing.
    """
    try:
        chess, engines = import_module("chess"), import_module("chess.engine")
    except ImportError:
        how = "`.venv/bin/python -m pip install chess`, and run this again"
        raise UnavailableError(f"python-chess is not installed: {how}") from None
    program = setting.built("uci")
    plies = setting.pick(400, 10)
    measures: dict[str, Callable[[], float]] = {
        PYTHON_LOOP: partial(bare, program, plies),
        "python-chess, `SimpleEngine.play`": partial(simple_engine, chess, engines, program, plies),
    }
    rows = []
    for place, cpus in setting.places.items():
        with pinned(cpus):
            taken = setting.rounds(10, measures)
        for name, seconds in taken.items():
            told = spread([second * 1e6 for second in seconds])
            rows.append((place, name, told, compared(seconds, taken[PYTHON_LOOP])))
    note = f"chess {chess.__version__}, {plies} plies per game. A request has all moves so far, so later plies take longer."
    return Findings([Table(("place", "what", "µs per ply", "÷ Python"), rows)], [note])


SUBJECT = Subject(
    "peers",
    "Comparison with python-chess",
    "A ply of python-chess's `SimpleEngine`, rules of chess included, with an engine in C that moves immediately; and the "
    "same lines through a blocking Python loop.",
    measure,
)
