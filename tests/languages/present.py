"""Which languages this machine has, for tests that build and play programs of them."""

import os
import shutil
from typing import Final

import pytest

from referee import languages

PROMISED: Final = {"c", "cpp", "pascal", "java", "javascript", "python", "ruby"}
"""What continuous integration has to have: there a missing compiler is a failure, and nothing is skipped."""


def missing(name: str) -> str:
    """What the machine lacks of a language, and what brings it; empty when all is there."""
    for tool in languages.find(name).tools:
        if not any(shutil.which(program) for program in tool.programs):
            return f"{tool.program} is not installed: sudo apt install {tool.package}"
    return ""


def needs(*names: str) -> pytest.MarkDecorator:
    """Skips a test where one of these languages is missing, and says which and what to do."""
    lacks = [(name, why) for name in names if (why := missing(name))]
    skipped = [why for name, why in lacks if not (os.environ.get("CI") and name in PROMISED)]
    return pytest.mark.skipif(bool(skipped) and len(skipped) == len(lacks), reason="; ".join(skipped) or "all is there")
