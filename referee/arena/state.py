"""The state of an arena: `state.json`. Commands, the supervisor (dates) and intake (seasons) change it under a lock.

1. `open`: uploads are accepted, and the ladder plays. `closed`: uploads are refused; the wave ends. `final`: a round robin of the
   active versions is played. Intake makes its folder once no upload is pending (`finals.py`).
2. A date of `arena.toml` takes effect once, when it passes. A later command overrides it until the next date.
"""

from __future__ import annotations

import fcntl
import json
import os
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

from pydantic import TypeAdapter, ValidationError

from referee.arena.settings import ArenaFiles, ArenaSettings, Stage
from referee.errors import UsageError
from referee.files.claims import write_whole


@dataclass(frozen=True, slots=True)
class ArenaState:
    """The state of an arena.

    Attributes:
        season: the number of the current season, from 1.
        final: the name of the current final's folder; None until it is made, and after the arena was opened again.
        seen: seconds since 1970. Earlier dates have taken effect.
    """

    state: Stage = "open"
    season: int = 1
    final: str | None = None
    seen: float | None = None

    def plays(self, final: str) -> bool:
        """Whether the arena plays a final, by its folder. It may be over."""
        return self.state == "final" and final == self.final


_STATE: Final = TypeAdapter(ArenaState)


def read_state(files: ArenaFiles) -> ArenaState:
    """The state of an arena. Without a file, it is open in its last season.

    Raises:
        UsageError: the file is damaged.
    """
    try:
        return _STATE.validate_json(files.state.read_bytes())
    except FileNotFoundError:
        seasons = (int(path.name) for path in files.seasons.glob("[1-9]*") if path.name.isdecimal())
        return ArenaState(season=max(seasons, default=1))
    except (OSError, ValidationError):
        raise UsageError(f"{files.state} cannot be read: remove it, then `referee arena open` or `close`") from None


def change_state(files: ArenaFiles, change: Callable[[ArenaState], ArenaState]) -> ArenaState:
    """Change the state under a lock, and return it.

    Raises:
        UsageError: it cannot be written.
    """
    try:
        lock = os.open(files.state.with_suffix(".lock"), os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600)
        try:
            fcntl.flock(lock, fcntl.LOCK_EX)
            before = read_state(files)
            after = change(before)
            if after != before:
                write_whole(files.state, _STATE.dump_json(after).decode() + "\n")
        finally:
            os.close(lock)
    except OSError as failed:
        why = f"({failed.strerror}): free space there, or become a user who may"
        raise UsageError(f"{files.state} cannot be written {why}") from failed
    return after


def to_stage(stage: Stage) -> Callable[[ArenaState], ArenaState]:
    """The change to another stage. An arena that is opened after a final can have another final."""
    return lambda state: replace(state, state=stage, final=None if stage == "open" else state.final)


def by_command(stage: Stage, settings: ArenaSettings, now: float) -> Callable[[ArenaState], ArenaState]:
    """The change that a command makes. It follows all dates that have passed, and holds until the next one."""
    return lambda state: replace(to_stage(stage)(after_dates(state, settings, now)), seen=now)


def after_dates(state: ArenaState, settings: ArenaSettings, now: float) -> ArenaState:
    """The state after all dates that have passed."""
    if state.seen is None and settings.opens is not None and now < settings.opens.timestamp():
        return replace(state, state="closed", seen=now)
    passed = [stage for _, stage, at in settings.dates() if (state.seen or 0.0) < at <= now]
    for stage in passed:
        state = to_stage(stage)(state)
    return replace(state, seen=now) if passed or state.seen is None else state


def now() -> float:
    """Seconds since 1970."""
    return datetime.now(UTC).timestamp()


def write_json(path: Path, document: Any) -> None:
    """Write a document for other parts of the arena. They see the old or the new one."""
    path.parent.mkdir(parents=True, exist_ok=True)
    write_whole(path, json.dumps(document))


def read_json(path: Path) -> dict[str, Any]:
    """A document of another part of the arena; empty if there is none yet."""
    try:
        value = json.loads(path.read_bytes())
    except (OSError, ValueError):
        return {}
    return value if isinstance(value, dict) else {}
