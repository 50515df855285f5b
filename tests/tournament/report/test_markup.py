"""Markup: everything is escaped, and a page allows nothing but its own style sheet."""

from __future__ import annotations

import base64
import hashlib
import re
from itertools import product

import pytest
from tournament.report.reports import HOSTILE, STYLE, parsed

from referee.tournament.report.markup import LINES, REFRESH, WIDTH, el, name, page, pre, together

COLOUR = re.compile(r"--([\w-]+): (#[0-9a-f]{6}|\d+ \d+ \d+);")


def test_text_and_attributes_are_escaped() -> None:
    assert el("p", "<b>&", class_='"><i>') == '<p class="&quot;&gt;&lt;i&gt;">&lt;b&gt;&amp;</p>'
    assert el("td", data_number=3, title=None) == '<td data-number="3"></td>'


def test_markup_stays_markup_and_becomes_text_where_it_is_put_into_text() -> None:
    inner = el("b", "x")
    assert el("p", inner, None, 4) == "<p><b>x</b>4</p>"
    assert el("p", f"see {inner}") == "<p>see &lt;b&gt;x&lt;/b&gt;</p>"
    assert together("<", inner) == "&lt;<b>x</b>"


def test_a_name_is_isolated_and_has_no_control_characters() -> None:
    assert name("a\u202eb\nc") == "<bdi>a\ufffdb\ufffdc</bdi>"


def test_preformatted_text_keeps_its_lines_and_loses_its_middle() -> None:
    assert pre("\n\ta\r\nb\x07\n") == '<pre tabindex="0">\n\n    a\nb\ufffd</pre>'
    shown = pre("\n".join(map(str, range(3 * LINES)))).split("\n")
    assert len(shown) == LINES + 2
    assert shown[LINES // 2 + 1] == f"… ({2 * LINES} lines left out)"
    assert len(pre("x" * 10 * WIDTH)) < 2 * WIDTH


def test_a_page_allows_only_its_own_style_sheet() -> None:
    root = parsed(page(HOSTILE, [el("main", HOSTILE)], style=STYLE, refresh=False))
    head = root.one("html", lang="en").one("head")
    (style,) = head.all("style")
    digest = base64.b64encode(hashlib.sha256(style.text.encode()).digest()).decode()
    policy = head.one("meta", http_equiv="Content-Security-Policy")
    assert policy.attributes["content"] == (
        f"default-src 'none'; style-src 'sha256-{digest}'; img-src data:; base-uri 'none'; form-action 'none'"
    )
    order = [one.tag for one in head.children if not isinstance(one, str)]
    assert order.index("style") > order.index("meta")
    assert head.one("link").attributes == {"rel": "icon", "href": "data:,"}
    assert root.one("main").text == HOSTILE.replace("\u202e", "\ufffd").replace("\x1b", "\ufffd")
    assert not head.all("meta", http_equiv="refresh")


def test_browsers_load_a_page_of_a_running_tournament_again() -> None:
    root = parsed(page("t", [], style=STYLE, refresh=True))
    assert root.one("meta", http_equiv="refresh").attributes["content"] == str(REFRESH)


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
