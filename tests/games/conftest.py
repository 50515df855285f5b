"""Shared test code explains its assertions as tests do."""

import pytest

pytest.register_assert_rewrite("games.ants.drawing", "games.egghunt.drawing", "games.snakecore.drawing")
