"""Shared test code explains its assertions as tests do."""

import pytest

pytest.register_assert_rewrite(*(f"games.{name}.drawing" for name in ("ants", "egghunt", "snakecore")))
