"""The style sheet of reports: it loads nothing, and all text has enough contrast."""

import re
from itertools import product

import pytest
from moments.test_colours import contrast
from tournament.report.reports import STYLE

from referee.moments.colours import luminance, mix

COLOUR = re.compile(r"--([\w-]+): (#[0-9a-f]{6}|\d+ \d+ \d+);")


def test_the_style_sheet_loads_nothing() -> None:
    assert not re.search(r"url\(|@import|</", STYLE)


def colours(block: str) -> dict[str, str]:
    """The colours that a block of the style sheet names, with hexadecimal digits."""
    pairs = COLOUR.findall(block)
    return {key: value if value[0] == "#" else f"#{bytes(map(int, value.split())).hex()}" for key, value in pairs}


@pytest.mark.parametrize("scheme", [0, 1], ids=["light", "dark"])
def test_all_text_has_enough_contrast(scheme: int) -> None:
    named = colours(re.findall(r":root \{(.*?)\}", STYLE, re.DOTALL)[scheme])
    grounds = [named["ground"], named["tint"]]
    for tone, part in re.findall(r"\.level-\d \{ background: rgb\(var\(--([\w-]+)\) / (\.\d+)\)", STYLE):
        grounds.append(mix(named["ground"], named[tone], float(part)))
    assert len(grounds) == 12
    assert min(contrast(named["ink"], ground) for ground in grounds) >= 4.5
    texts = ("ink", "soft", "link", "bad", "one", "two", "three", "four")
    assert min(contrast(named[text], ground) for text, ground in product(texts, grounds[:2])) >= 4.5
    assert (luminance(named["ground"]) >= 0.5, luminance(named["ground"]) <= 0.1) == (scheme == 0, scheme == 1)
