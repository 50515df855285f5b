"""Which languages this machine has, for tests that build and play programs of them."""

import os
import shutil
from typing import Final

import pytest

from referee import languages

PROMISED: Final = {"c", "cpp", "pascal", "java", "javascript", "python", "ruby"}
"""Languages that continuous integration must have: a missing compiler is a failure there, and nothing is skipped."""


def missing(name: str) -> str:
    """The first missing tool of a language and how to install it; empty if none is missing."""
    for tool in languages.find(name).tools:
        if not any(shutil.which(program) for program in tool.programs):
            return f"{tool.program} is not installed: sudo apt install {tool.package}"
    return ""


def require(name: str) -> None:
    """Skip the running test if a language is missing, under the same conditions as `needs`."""
    if (why := missing(name)) and not (os.environ.get("CI") and name in PROMISED):
        pytest.skip(why)


def needs(*names: str) -> pytest.MarkDecorator:
    """Skips a test if one of these languages is missing. The reason says what to install."""
    lacks = [(name, why) for name in names if (why := missing(name))]
    skipped = [why for name, why in lacks if not (os.environ.get("CI") and name in PROMISED)]
    return pytest.mark.skipif(
        bool(skipped) and len(skipped) == len(lacks), reason="; ".join(skipped) or "nothing is missing"
    )
