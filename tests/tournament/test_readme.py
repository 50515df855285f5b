"""The examples in the page of definitions are correct."""

from __future__ import annotations

import doctest
import re
from importlib.resources import files

import pytest

PAGE = (files("referee") / "tournament" / "README.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("block", re.findall(r"^```python\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL))
def test_the_examples_print_what_they_say(block: str) -> None:
    test = doctest.DocTestParser().get_doctest(block, {}, "README.md", None, None)
    runner = doctest.DocTestRunner(verbose=False)
    runner.run(test)
    assert runner.summarize(verbose=False).failed == 0
