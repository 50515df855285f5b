"""Tests of a game against the contract, for its author. The whole test of a game is:

>>> from referee.testing import conformance
>>>
>>> test_conformance = conformance("snakecore")

`referee game check` runs the same checks without pytest.
"""

from __future__ import annotations

from collections.abc import Callable

from referee.testing.suite import BUILDS_ON, Check, check_name, suite_of

__all__ = ["conformance"]


def conformance(*games: str) -> Callable[..., None]:
    """A test for pytest, with one case for each check. A check of what a game leaves out is skipped, with the reason.

    The golden record of a game is `tests/records/GAME.jsonl` of the working folder, or of the game's project.
    """
    import pytest

    cases = [
        pytest.param(game, check, id=f"{game}-{check_name(check)}" if len(games) > 1 else check_name(check))
        for game in games
        for check in BUILDS_ON
    ]

    @pytest.mark.parametrize(("game", "check"), cases)
    def test_conformance(game: str, check: Check) -> None:
        verdict = suite_of(game).verdict(check)
        if verdict.outcome in ("left out", "not run"):
            pytest.skip(verdict.detail)
        if verdict.outcome == "failed":
            pytest.fail(f"{verdict.rule}\n{verdict.detail}", pytrace=False)

    return test_conformance
