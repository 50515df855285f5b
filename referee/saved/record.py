"""Saved games: one JSON object in each line, written during the match (saved-games.md).

1. A `Recorder` appends plain lines to `NAME.part`, unbuffered, so that the file has whole lines even if the referee is killed.
   At the end the file is compressed if its name ends in `.gz`, synced, and renamed to `NAME`. `claims.Claim` keeps other
   referees away from these names.
2. Every written file can be read again. Long answers are written in their shortest form, so that no player can inflate a
   file, and games limit their matches. Steps beyond `MAX_FILE` and the result are left out (`Recorder.left_off`).
3. `load` never trusts a file. Unreadable files raise a `SavedGameError` with the file and line. A file that was cut off is
   read up to its last whole line, and `Record.cut_off` says so.
4. Steps that come together are written by one call, which takes 0.5 µs. A step takes 0.3 µs to encode with orjson. Only steps
   with numbers above 64 bits, which orjson refuses, are encoded by the standard library, which takes 4.3 µs.
5. A line ends with a line feed and has no other line end: those that JSON allows in a text are escaped (`LINE_ENDS`).
6. `replay` checks that the lines follow from the rules.
"""

from __future__ import annotations

import errno
import gzip
import hashlib
import json
import os
import shutil
import zlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from io import BufferedReader, BytesIO
from pathlib import Path
from typing import Any, BinaryIO, Final, cast

import orjson

from referee import games
from referee.contract.clock import TimeControl
from referee.contract.game import Entrant, Fault, Game, Step
from referee.contract.positions import Position
from referee.contract.ranking import Outcome
from referee.errors import SavedGameError
from referee.files.claims import Claim
from referee.files.reading import open_file
from referee.saved.entries import FORMAT, Header, ResultEntry, StepEntry, entry_of, without_collection

VOID: Final = "void"
"""The reason of a match that ended because the machine was too busy."""
MAX_LINE: Final = 16 * 2**20
"""The most bytes of a line, many times a position on the largest field."""
MAX_FILE: Final = 2**27
"""The most bytes of a whole file, unpacked: a small compressed file can expand to a very large one."""
MAX_EVENTS: Final = MAX_FILE // len('{"event":"x"},')
"""The most events of a file. `MAX_FILE` has no room for more real ones; empty ones would fill the reader's memory."""
MAX_RESULT: Final = 2**20
"""Bytes that stay free for the last line."""
AS_IT_CAME: Final = 128
"""Characters of the longest answer that is written as it came, with meaningless blanks and zeros."""
GZIP_LEVEL: Final = 6
"""The highest, 9, takes three times as long, for files that are a tenth shorter."""

LINE_ENDS: Final[Mapping[bytes, bytes]] = {
    end.encode(): f"\\u{ord(end):04x}".encode() for end in ("\x85", "\u2028", "\u2029")
}
"""Characters that end a line for some readers (Python's `str.splitlines`, JavaScript), with their escapes in JSON."""

to_json = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode


@dataclass(frozen=True, slots=True)
class Record:
    """A saved game as it was read: line 1 of the file is `header`, the others are steps and the result.

    `cut_off` says why there is no result, or what is damaged after it; None for a whole file.
    """

    path: str
    header: Header
    steps: Sequence[StepEntry]
    result: ResultEntry | None
    cut_off: str | None

    def line_of(self, step: int) -> int:
        """The line of this step in the file; steps count from 1."""
        return step + 1


def digest(position: Position) -> str:
    """SHA-256 of a position's JSON: UTF-8, keys sorted, no blanks, non-ASCII as it is."""
    text = json.dumps(position, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return hashlib.sha256(text.encode()).hexdigest()


def header_line(
    game: Game[Any, Any], time: TimeControl, entrants: Sequence[Entrant], *, rng_seed: int, setup: Position, created: str,
    referee: str, isolation: Mapping[str, Any] | None = None, package: str | None = None,
) -> dict[str, Any]:  # fmt: skip
    """The header as JSON, its keys in the format's order.

    Args:
        created: when the match began, in ISO 8601.
        isolation: the level and its parts; None if unknown.
        package: the distribution that brings the game, and its version; None for the referee's own games.
    """
    plain = list(game.lifetimes) == ["game"] and game.house is None
    return {
        "type": "header",
        "format": FORMAT,
        "game": game.name,
        "rules": game.rules_version,
        **({} if package is None else {"package": package}),
        "rng_seed": rng_seed,
        "setup": setup,
        "players": [
            {
                "seat": seat,
                "bot": entrant.name,
                **({} if plain else {"lifetime": entrant.lifetime, "house": entrant.house}),
                **({"given": True} if entrant.given else {}),
            }
            for seat, entrant in enumerate(entrants)
        ],
        "limits": time.as_json(),
        "clock": time.kind,
        **({} if isolation is None else {"isolation": dict(isolation)}),
        "created": created,
        "referee": referee,
    }


def step_line(step: Step, brief: Callable[[Any], str]) -> dict[str, Any]:
    """A step as JSON; `brief` is the game's `format`, for answers of more than `AS_IT_CAME` characters."""
    number, round_, ask, answers, events = step
    lines = []
    for seat, action, text, elapsed, cpu, late in answers:
        if text is not None and len(text) > AS_IT_CAME:
            text = min(brief(action), text, key=len)
        # Milliseconds to three digits, four times as fast as `round`.
        line: dict[str, Any] = {"seat": seat, "answer": text, "ms": (elapsed * 1e6 + 0.5) // 1.0 / 1e3}
        if cpu is not None:
            line["cpu"] = (cpu * 1e6 + 0.5) // 1.0 / 1e3
        if late:
            line["late"] = (late * 1e6 + 0.5) // 1.0 / 1e3
        if text is None and isinstance(action, Fault):
            line["fault"] = action.kind.value
            line["detail"] = action.detail
        lines.append(line)
    return {"type": "step", "step": number, "round": round_, "ask": ask, "answers": lines, "events": events}


def result_line(outcome: Outcome, final: Position) -> dict[str, Any]:
    """The result as JSON."""
    return {
        "type": "result",
        "reason": outcome.reason,
        "rounds": outcome.rounds,
        "ranking": [line.as_json() for line in outcome.ranking],
        "digest": digest(final),
    }


class Recorder:
    """Observes a match and writes it to a file.

    Attributes:
        path: the name that the file gets at the end.
        left_off: the first step that is not saved because the file would be too long to read; None if all are.
    """

    def __init__(self, file: Path | Claim, header: Mapping[str, Any]) -> None:
        """Write the header.

        Args:
            file: the file, or an existing claim on it. The recorder ends the claim.

        Raises:
            UsageError: the file cannot be claimed, see `Claim`. OSError: the header cannot be written.
        """
        self._claim = file if isinstance(file, Claim) else Claim(file)
        self.path = self._claim.path
        self.left_off: int | None = None
        self._brief = games.find(header["game"]).format
        self._room = MAX_FILE - MAX_RESULT
        line = _line(header)
        if len(line) > MAX_LINE:
            why = f"the position is longer than the {MAX_LINE >> 20} MiB of a line"
            self.close()
            raise OSError(errno.EFBIG, why, str(self.path))
        self._write(line)

    def record(self, steps: Sequence[Step]) -> None:
        """Append steps, as many as there is room for."""
        lines: list[bytes] = []
        room = self._room
        for step in steps if self.left_off is None else ():
            line = _line(step_line(step, self._brief))
            room -= len(line)
            if room < 0 or len(line) > MAX_LINE:
                self.left_off = step.number
                break
            lines.append(line)
        self._write(b"".join(lines))

    def end(self, outcome: Outcome, final: Position) -> None:
        """Append the result and give the file its name. If steps were left out, the result is too."""
        if self.left_off is None:
            self._write(_line(result_line(outcome, final)))
        claim = self._claim
        try:
            if self.path.suffix == ".gz":
                packed = claim.part.with_name(claim.part.name + ".gz")
                file = claim.create(packed)
                try:
                    _pack(claim.fd, file, claim.sync)
                    claim.publish(packed)
                except OSError:
                    packed.unlink(missing_ok=True)  # `part` is whole
                    raise
            else:
                claim.sync(claim.fd)
                claim.publish()
        except OSError as failed:
            with suppress(OSError):
                claim.close()
            raise OSError(failed.errno, failed.strerror, str(claim.part)) from None

    def close(self) -> None:
        """Stop writing. A match that has not ended stays as `.part`."""
        self._claim.close()

    def _write(self, line: bytes) -> None:
        fd = self._claim.fd
        self._room -= len(line)
        try:
            while (written := os.write(fd, line)) < len(line):  # a nearly full disk takes a part of a line
                line = line[written:]
        except OSError as failed:
            # Nothing may follow a torn line: the file stays as `.part`.
            with suppress(OSError):
                self.close()
            raise OSError(failed.errno, failed.strerror, str(self._claim.part)) from None


def _line(entry: Mapping[str, Any]) -> bytes:
    """A line of the file, without other line ends."""
    try:
        line = orjson.dumps(entry, None, orjson.OPT_APPEND_NEWLINE)
    except TypeError:  # a number of more than 64 bits
        line = (to_json(entry) + "\n").encode()
    if not line.isascii():
        for raw, escaped in LINE_ENDS.items():
            line = line.replace(raw, escaped)
    return line


@without_collection()
def load(path: str | Path, data: bytes | None = None) -> Record:
    """Read a saved game.

    Args:
        data: the content of the file, if the caller has it.

    Raises:
        SavedGameError: it cannot be read; with file, line and reason.
    """
    name = str(path)
    header: Header | None = None
    steps: list[StepEntry] = []
    result: ResultEntry | None = None
    cut_off: str | None = None
    events = 0
    try:
        with _open(Path(path), data) as file:
            for number, line in enumerate(_lines(file, name), start=1):
                entry = entry_of(name, number, line, over=result is not None)
                match entry:
                    case None:
                        cut_off = "the last line is cut off"
                    case Header():
                        header = entry
                    case ResultEntry():
                        result = entry
                    case StepEntry():
                        steps.append(entry)
                        events += len(entry.events)
                if events > MAX_EVENTS:
                    raise SavedGameError(name, number, f"too long: {MAX_EVENTS} events in all are read")
    except (EOFError, zlib.error, gzip.BadGzipFile) as failed:
        if header is None:
            raise SavedGameError(name, 0, f"not a whole gzip file: {failed}") from None
        cut_off = "the compressed file is cut off or damaged"
    except OSError as failed:
        raise SavedGameError(name, 0, failed.strerror or str(failed)) from None
    if header is None:
        raise SavedGameError(name, 0, "the file is empty")
    if result is None and cut_off is None:
        cut_off = "the last line, the result, is missing"
    return Record(name, header, steps, result, cut_off)


def ends(path: str | Path) -> tuple[Header, ResultEntry | None]:
    """The first and the last line of a saved game; None for a match without a result.

    Raises:
        SavedGameError: it cannot be read; file, line and reason.
    """
    name, first, last, number = str(path), b"", b"", 0
    try:
        with _open(Path(path)) as file:
            for line in _lines(file, name):
                first, last, number = first or line, line, number + 1
    except (OSError, EOFError, zlib.error) as failed:
        raise SavedGameError(name, 0, str(failed)) from None
    header = cast(Header, entry_of(name, 1, first))
    entry = entry_of(name, number, last)
    return header, entry if isinstance(entry, ResultEntry) else None


@contextmanager
def _open(path: Path, data: bytes | None = None) -> Iterator[BinaryIO]:
    with open_file(path) if data is None else BufferedReader(BytesIO(data)) as raw:
        # By content, for `.part` files and renamed ones. `peek`, because a pipe cannot be read again.
        if isinstance(raw, BufferedReader) and raw.peek(1)[:1] == b"\x1f":  # gzip; no JSON begins like this
            with gzip.GzipFile(fileobj=raw) as packed:
                yield cast(BinaryIO, packed)
        else:
            yield raw


def _lines(file: BinaryIO, name: str) -> Iterator[bytes]:
    size = 0
    number = 0
    while line := file.readline(MAX_LINE + 1):
        number += 1
        size += len(line)
        if len(line) > MAX_LINE or size > MAX_FILE:
            raise SavedGameError(name, number, f"too long: {MAX_LINE} bytes a line and {MAX_FILE} in all are read")
        yield line


def _pack(plain: int, packed: int, sync: Callable[[int], None]) -> None:
    """Compress an open file into another in pieces, because it may not fit into memory. Closes `packed`, not `plain`."""
    # Without a name and a date, the same match gives the same bytes.
    with open(packed, "wb") as file, open(plain, "rb", closefd=False) as source:
        source.seek(0)
        with gzip.GzipFile("", "wb", GZIP_LEVEL, fileobj=file, mtime=0) as stream:
            shutil.copyfileobj(source, stream, 1 << 20)
        file.flush()
        sync(file.fileno())
