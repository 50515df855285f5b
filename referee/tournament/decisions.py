"""What the first run decided: who plays whom, and how. A fact of the ledger, which stays once the first tour is planned."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Annotated, Any, Final

from pydantic import BaseModel, ConfigDict, Field

from referee.text.documents import Malformed, json_of
from referee.text.strict import read
from referee.tournament.ledger import Ledger
from referee.tournament.model import Rules, Seatings
from referee.tournament.settings import MOST_SEATS, Count, Word

DECIDES: Final = "decides"
"""The fact of the ledger that has `Plan.decides`."""
PACKAGE: Final = "package"
"""The fact of the ledger that names the distribution of the game, and its version; only for games of other packages."""


class _Match(BaseModel):
    """What must be in `match` of `Plan.decides`. Other keys are only compared."""

    model_config = ConfigDict(strict=True, hide_input_in_errors=True)
    seats: Annotated[int, Field(ge=1, le=MOST_SEATS)]
    maps: Annotated[dict[Word, str], Field(min_length=1)]
    seatings: Seatings
    repeat: Count
    isolation: str


class _Decided(BaseModel):
    """What must be in `Plan.decides`."""

    model_config = ConfigDict(strict=True, hide_input_in_errors=True)
    match: _Match
    rng_seed: Annotated[int, Field(ge=0, lt=2**63)]


def decisions(ledger: Ledger) -> dict[str, Any] | None:
    """`Plan.decides`, as a ledger has it; None before the first tour: settings that no tour can be planned with may change.

    Raises:
        LedgerError: it is damaged.
    """
    if (fact := ledger.fact(DECIDES)) is None or not ledger.begun:
        return None
    try:
        document: dict[str, Any] = json_of(fact)
        read(_Decided, document, lambda why: ledger.damage_error(f"facts, {DECIDES}: {why}"))
    except Malformed as wrong:
        raise ledger.damage_error(f"facts, {DECIDES}: {wrong}") from None
    return document


def decide(ledger: Ledger, decided: Mapping[str, Any], package: str | None) -> None:
    """Write what was decided, and the distribution that brings the game."""
    ledger.keep(DECIDES, json.dumps(decided))
    if package is not None:
        ledger.keep(PACKAGE, package)


def rules_of(decided: Mapping[str, Any]) -> Rules:
    """The rules for the formats in what was decided."""
    match = decided["match"]
    return Rules(decided["rng_seed"], match["seats"], tuple(match["maps"]), match["seatings"], match["repeat"])


def first_difference(before: Mapping[str, Any], now: Mapping[str, Any], path: str = "") -> str | None:
    """The first key in which two `Plan.decides` differ; None if they are the same."""
    for key in [*before, *(key for key in now if key not in before)]:
        full_key = f"{path}{key}"
        old, new = before.get(key), now.get(key)
        if isinstance(old, dict) and isinstance(new, dict):
            if (inner := first_difference(old, new, f"{full_key}.")) is not None:
                return inner
        elif old != new:
            return full_key
    return None
