"""Shared test code explains its assertions as tests do."""

import pytest

pytest.register_assert_rewrite("games.egghunt.drawing")
