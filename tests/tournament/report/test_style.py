"""The style sheet of reports: it loads nothing, and all text has enough contrast."""

from __future__ import annotations

import re
from itertools import product

import pytest
from tournament.report.reports import STYLE

COLOUR = re.compile(r"--([\w-]+): (#[0-9a-f]{6}|\d+ \d+ \d+);")


def test_the_style_sheet_loads_nothing() -> None:
    assert not re.search(r"url\(|@import|</", STYLE)


def luminance(colour: tuple[float, ...]) -> float:
    """The relative luminance of a colour of sRGB (WCAG 2)."""
    linear = [part / 12.92 if part <= 0.03928 else ((part + 0.055) / 1.055) ** 2.4 for part in colour]
    return sum(weight * part for weight, part in zip((0.2126, 0.7152, 0.0722), linear, strict=True))


def contrast(one: tuple[float, ...], other: tuple[float, ...]) -> float:
    """The contrast of two colours, from 1 to 21."""
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


def colours(block: str) -> dict[str, tuple[float, ...]]:
    """The colours that a block of the style sheet names."""
    return {
        key: tuple(int(value[at : at + 2], 16) / 255 for at in (1, 3, 5))
        if value.startswith("#")
        else tuple(int(part) / 255 for part in value.split())
        for key, value in COLOUR.findall(block)
    }


@pytest.mark.parametrize("scheme", [0, 1], ids=["light", "dark"])
def test_all_text_has_enough_contrast(scheme: int) -> None:
    named = colours(re.findall(r":root \{(.*?)\}", STYLE, re.DOTALL)[scheme])
    grounds = [named["ground"], named["tint"]]
    for tone, part in re.findall(r"\.level-\d \{ background: rgb\(var\(--([\w-]+)\) / (\.\d+)\)", STYLE):
        mixed = zip(named[tone], named["ground"], strict=True)
        grounds.append(tuple(float(part) * over + (1 - float(part)) * under for over, under in mixed))
    assert len(grounds) == 12
    assert min(contrast(named["ink"], ground) for ground in grounds) >= 4.5
    texts = ("ink", "soft", "link", "bad", "one", "two", "three", "four")
    assert min(contrast(named[text], ground) for text, ground in product(texts, grounds[:2])) >= 4.5
    assert (luminance(named["ground"]) >= 0.5, luminance(named["ground"]) <= 0.1) == (scheme == 0, scheme == 1)
