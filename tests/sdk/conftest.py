from collections.abc import Callable
from functools import cache

import pytest
from sdk.programs import LANGUAGES, Program

pytestmark = pytest.mark.machine  # of every file here


@pytest.fixture(scope="session")
def built(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str, str], Program]:
    """`built(language, program)`: that language's driver or bot, built once a session. Skips if a compiler is missing."""

    @cache
    def make(language: str, program: str) -> Program:
        return LANGUAGES[language].make(program, tmp_path_factory.mktemp(f"{language}-{program}"))

    return make
