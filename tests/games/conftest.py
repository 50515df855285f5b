"""Shared test code explains its assertions as tests do."""

import pytest

pytest.register_assert_rewrite(
    *(f"games.{name}" for name in ("playing", "ants.drawing", "egghunt.drawing", "snakecore.drawing"))
)
