"""Saved games: one JSON object a line, written while the match runs, read by whoever wants to (SAVED_GAMES.md).

1. A `Recorder` writes plain lines to `NAME.part`, unbuffered and appended, so that whatever stops the referee leaves whole
   lines behind. At the end the file is compressed if its name ends in `.gz`, synced, and moved to its own name.
2. `load` never trusts a file. What cannot be read is a `SavedGameError` with the file and line; a file that was cut off is
   read up to its last whole line, and `Record.cut_off` says so.
3. A step costs the match it is taken from 0.5 µs for the write and 0.3 for its JSON by orjson (4.3 by the standard library's
   encoder, which writes the few lines with numbers of more than 64 bits).
4. Whether the lines follow from the rules is not this file's business but `replay`'s.
"""

from __future__ import annotations

import errno
import fcntl
import gzip
import hashlib
import json
import os
import shutil
import zlib
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO, Final

import orjson
from pydantic import ValidationError

from referee.clock import Kind
from referee.entries import Header, ResultEntry, StepEntry
from referee.errors import SavedGameError
from referee.game import Entrant, Fault, Outcome, Position, Step
from referee.names import shorten
from referee.strict import explain

FORMAT: Final = "referee/1"
PART: Final = ".part"
VOID: Final = "void"
"""The reason of a match that this machine spoiled: broken off, and nobody's fault."""
MAX_LINE: Final = 16 * 2**20
"""Bytes of one line: a position on the largest field, many times over."""
MAX_FILE: Final = 2**27
"""Bytes of a whole file, unpacked: a small compressed file can hold a very large one."""

to_json = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode


def _no_constant(name: str) -> None:
    raise ValueError(f"{name} is no JSON")


_from_json: Final = json.JSONDecoder(parse_constant=_no_constant).decode

_MODELS: Final[Mapping[str, type[Header | StepEntry | ResultEntry]]] = {
    "header": Header, "step": StepEntry, "result": ResultEntry,
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Record:
    """A saved game as it was read: line k of the file is `header` (1), a step (from 2 on) or the result.

    `cut_off` tells why there is no result, or what is damaged behind it; None for a whole file.
    """

    path: str
    header: Header
    steps: Sequence[StepEntry]
    result: ResultEntry | None
    cut_off: str | None

    def line_of(self, step: int) -> int:
        """The file's line that holds this step (steps count from 1)."""
        return step + 1


def digest(position: Position) -> str:
    """SHA-256 of a position's JSON: UTF-8, keys sorted, no blanks, non-ASCII as it is."""
    text = json.dumps(position, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return hashlib.sha256(text.encode()).hexdigest()


def header_line(
    *, game: str, rules: int, rng_seed: int, setup: Position, bots: Sequence[str | Entrant], limits: Mapping[str, float | None],
    created: str, referee: str, clock: Kind = "wall", isolation: Mapping[str, Any] | None = None,
) -> dict[str, Any]:  # fmt: skip
    """The header as JSON, its keys in the format's order.

    Args:
        bots: their names, a seat each; entrants where the game lets players live in more ways than one.
        created: ISO 8601.
        clock: which time the total of the limits counts.
        isolation: the level and its parts, None where nobody knows them.
    """
    return {
        "type": "header",
        "format": FORMAT,
        "game": game,
        "rules": rules,
        "rng_seed": rng_seed,
        "setup": setup,
        "players": [{"seat": seat, **_player(bot)} for seat, bot in enumerate(bots)],
        "limits": dict(limits),
        "clock": clock,
        **({} if isolation is None else {"isolation": dict(isolation)}),
        "created": created,
        "referee": referee,
    }


def _player(bot: str | Entrant) -> dict[str, Any]:
    return {"bot": bot} if isinstance(bot, str) else {"bot": bot.name, "lifetime": bot.lifetime, "house": bot.house}


def step_line(step: Step) -> dict[str, Any]:
    """A step as JSON."""
    number, round_, ask, answers, events = step
    return {
        "type": "step",
        "step": number,
        "round": round_,
        "ask": ask,
        "answers": [_answer(*answer) for answer in answers],
        "events": events,
    }


def result_line(outcome: Outcome, final: Position) -> dict[str, Any]:
    """The result as JSON."""
    return {
        "type": "result",
        "reason": outcome.reason,
        "rounds": outcome.rounds,
        "ranking": [line.as_json() for line in outcome.ranking],
        "digest": digest(final),
    }


def _answer(
    seat: int, action: object, text: str | None, elapsed: float, cpu: float | None, late: float
) -> dict[str, Any]:
    line: dict[str, Any] = {"seat": seat, "answer": text, "ms": int(elapsed * 1e6 + 0.5) / 1000}  # as `_ms` has it
    if cpu is not None:
        line["cpu"] = _ms(cpu)
    if late:
        line["late"] = _ms(late)
    if isinstance(action, Fault):
        line["fault"] = action.kind.value
        line["detail"] = action.detail
    return line


def _ms(seconds: float) -> float:
    """Milliseconds to three digits; a third of what `round` takes."""
    return int(seconds * 1e6 + 0.5) / 1000


class Recorder:
    """Observes a match and writes it to `path`. Make one with the header; the match does the rest."""

    def __init__(self, path: Path, header: Mapping[str, Any]) -> None:
        self.path = path
        self._part = part_of(path)
        # Exclusive: a `.part` that is there may be all that is left of another match, or be written to right now.
        flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_APPEND | os.O_CLOEXEC
        self._fd: int | None = os.open(self._part, flags, 0o644)
        fcntl.flock(self._fd, fcntl.LOCK_EX)  # tells a match under way from what a crash left behind
        self._write(_packed(header))

    def step(self, step: Step) -> None:
        """Append one step."""
        self._write(_packed(step_line(step)))

    def end(self, outcome: Outcome, final: Position) -> None:
        """Append the result and give the file its name."""
        self._write(_packed(result_line(outcome, final)))
        self.close()
        if self.path.suffix == ".gz":
            packed = self._part.with_name(self._part.name + ".gz")
            _pack(self._part, packed)
            _sync(packed)
            os.replace(packed, self.path)
            self._part.unlink()
        else:
            os.replace(self._part, self.path)

    def close(self) -> None:
        """Stop writing; what is not ended stays behind as `.part`."""
        fd, self._fd = self._fd, None
        if fd is not None:
            try:
                os.fsync(fd)
            finally:
                os.close(fd)

    def _write(self, line: bytes) -> None:
        fd = self._fd
        if fd is None:
            raise OSError(errno.EIO, "an earlier line could not be written", str(self._part))
        try:
            while (written := os.write(fd, line)) < len(line):  # a disk that is nearly full takes a part of a line
                line = line[written:]
        except OSError as failed:
            # Nothing may stand behind a torn line: the file stays behind as `.part`.
            with suppress(OSError):
                self.close()
            raise OSError(failed.errno, failed.strerror, str(self._part)) from None


def _packed(line: Mapping[str, Any]) -> bytes:
    """A line of the file."""
    try:
        return orjson.dumps(line, option=orjson.OPT_APPEND_NEWLINE)
    except TypeError:  # a number of more than 64 bits, which is JSON all the same
        return (to_json(line) + "\n").encode()


def part_of(path: Path) -> Path:
    """Where a game that will be `path` is written while it is played."""
    return path.with_name(path.name + PART)


def being_written(path: Path) -> bool:
    """Whether a match that will be `path` is being played right now."""
    try:
        with part_of(path).open("rb") as file:
            fcntl.flock(file.fileno(), fcntl.LOCK_SH | fcntl.LOCK_NB)
    except FileNotFoundError:
        return False
    except BlockingIOError:
        return True
    return False


def load(path: str | Path) -> Record:
    """Read a saved game.

    Raises:
        SavedGameError: it cannot be read; file, line and reason.
    """
    name = str(path)
    entries: list[Header | StepEntry | ResultEntry] = []
    cut_off: str | None = None
    try:
        with _open(Path(path)) as file:
            for number, line in enumerate(_lines(file, name), start=1):
                try:
                    data = _parse(name, number, line)
                except SavedGameError:
                    if number == 1 or line.endswith(b"\n"):
                        raise
                    cut_off = f"line {number} is cut off"
                    break
                entries.append(_entry(name, number, data, entries))
    except (EOFError, zlib.error, gzip.BadGzipFile) as failed:
        if not entries:
            raise SavedGameError(name, 0, f"not a whole gzip file: {failed}") from None
        cut_off = "the compressed file is cut off or damaged"
    except OSError as failed:
        raise SavedGameError(name, 0, failed.strerror or str(failed)) from None
    if not entries:
        raise SavedGameError(name, 0, "the file is empty")
    header, *rest = entries
    assert isinstance(header, Header)
    result = rest.pop() if rest and isinstance(rest[-1], ResultEntry) else None
    if result is None and cut_off is None:
        cut_off = "the last line, the result, is missing"
    assert result is None or isinstance(result, ResultEntry)
    return Record(name, header, [step for step in rest if isinstance(step, StepEntry)], result, cut_off)


def _entry(name: str, number: int, data: Any, before: Sequence[object]) -> Header | StepEntry | ResultEntry:
    """One line's JSON, checked for itself and for its place in the frame."""
    kind = data.get("type") if isinstance(data, dict) else None
    model = _MODELS.get(kind) if isinstance(kind, str) else None
    if model is None:
        raise SavedGameError(name, number, "not an object with a `type` of header, step or result")
    if (number == 1) != (model is Header):
        raise SavedGameError(name, number, "the header is missing" if number == 1 else "a second header")
    if before and isinstance(before[-1], ResultEntry):
        raise SavedGameError(name, number, "something stands behind the result")
    if model is Header and data.get("format") != FORMAT:
        told = shorten(repr(data.get("format")), 40)
        raise SavedGameError(name, number, f"format {told} is unknown here, only {FORMAT!r} is known")
    try:
        entry = model.model_validate(data)
    except ValidationError as failed:
        raise SavedGameError(name, number, explain(failed)) from None
    if isinstance(entry, StepEntry) and entry.step != number - 1:
        raise SavedGameError(name, number, f"step {entry.step} stands where step {number - 1} should")
    return entry


def _parse(name: str, number: int, line: bytes) -> Any:
    """The JSON of one line, in UTF-8 and nothing else (`json.loads` would guess at bytes)."""
    try:
        text = line.decode()
        data = _from_json(text)
        if "\\u" in text:
            to_json(data).encode()
    except UnicodeDecodeError as failed:
        raise SavedGameError(name, number, f"not UTF-8: byte {failed.start + 1} of the line") from None
    except UnicodeEncodeError:
        raise SavedGameError(name, number, "half of a surrogate pair, which is no character") from None
    except json.JSONDecodeError as failed:
        why = f"not JSON: {failed.msg} at character {failed.pos + 1}" if text.strip() else "an empty line"
        raise SavedGameError(name, number, why) from None
    except RecursionError:
        raise SavedGameError(name, number, "not JSON that can be read: nested too deeply") from None
    except ValueError as failed:  # NaN, or a number of thousands of digits
        raise SavedGameError(name, number, f"not JSON: {str(failed).partition(';')[0]}") from None
    return data


def _open(path: Path) -> BinaryIO:
    raw = open(path, "rb")  # noqa: SIM115
    if raw.read(2) == b"\x1f\x8b":  # by content: `.part` files and renamed ones are read too
        raw.close()
        return gzip.open(path, "rb")  # type: ignore[return-value]
    raw.seek(0)
    return raw


def _lines(file: BinaryIO, name: str) -> Iterator[bytes]:
    size = 0
    number = 0
    while line := file.readline(MAX_LINE + 1):
        number += 1
        size += len(line)
        if len(line) > MAX_LINE or size > MAX_FILE:
            raise SavedGameError(name, number, f"too long: {MAX_LINE} bytes a line and {MAX_FILE} in all are read")
        yield line


def _pack(path: Path, packed: Path) -> None:
    """Compress a file, a piece at a time: it may be longer than memory."""
    # No name and no date inside: the same match gives the same bytes.
    with path.open("rb") as plain, packed.open("wb") as file, gzip.GzipFile("", "wb", fileobj=file, mtime=0) as stream:
        shutil.copyfileobj(plain, stream, 1 << 20)


def _sync(path: Path) -> None:
    with path.open("rb") as file:
        os.fsync(file.fileno())
