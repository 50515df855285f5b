"""Sample bots play real matches."""

import pytest

pytestmark = pytest.mark.machine  # of every file here
