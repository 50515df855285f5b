"""Markup: everything is escaped, and a page allows nothing but its own style sheet and its own script."""

import base64
import hashlib
import re

import pytest
from tournament.report.reports import HOSTILE, parsed

from referee.text.markup import LINES, REFRESH, WIDTH, data, el, fill, name, page, pre, together

STYLE = "p { margin: 0 }"


def test_text_and_attributes_are_escaped() -> None:
    assert el("p", "<b>&", class_='"><i>') == '<p class="&quot;&gt;&lt;i&gt;">&lt;b&gt;&amp;</p>'
    assert el("td", data_number=3, title=None) == '<td data-number="3"></td>'


def test_markup_stays_markup_and_becomes_text_where_it_is_put_into_text() -> None:
    inner = el("b", "x")
    assert el("p", inner, None, 4) == "<p><b>x</b>4</p>"
    assert el("p", f"see {inner}") == "<p>see &lt;b&gt;x&lt;/b&gt;</p>"
    assert together("<", inner) == "&lt;<b>x</b>"


def test_a_template_is_filled_with_children_which_are_escaped() -> None:
    template = '<p class="a">\n<slot name="who"></slot>, <slot name="what"></slot>\n</p>\n'
    slot = '<slot name="what"></slot>'
    assert fill(template, who=slot, what=el("b", "<")) == (
        '<p class="a">&lt;slot name="what"&gt;&lt;/slot&gt;, <b>&lt;</b></p>'
    )
    for parts in ({"who": "x"}, {"who": "x", "what": "y", "more": "z"}):
        with pytest.raises(AssertionError):
            fill(template, **parts)


def test_a_name_is_isolated_and_has_no_control_characters() -> None:
    assert name("a\u202eb\nc") == "<bdi>a\ufffdb\ufffdc</bdi>"


def test_preformatted_text_keeps_its_lines_and_loses_its_middle() -> None:
    assert pre("\n\ta\r\nb\x07\n") == '<pre tabindex="0">\n\n    a\nb\ufffd</pre>'
    shown = pre("\n".join(map(str, range(3 * LINES)))).split("\n")
    assert len(shown) == LINES + 2
    assert shown[LINES // 2 + 1] == f"… ({2 * LINES} lines left out)"
    assert len(pre("x" * 10 * WIDTH)) < 2 * WIDTH


def test_a_page_allows_only_its_own_style_sheet() -> None:
    root = parsed(page(HOSTILE, [el("main", HOSTILE)], generator="tests", style=STYLE, refresh=False))
    head = root.one("html", lang="en").one("head")
    (style,) = head.all("style")
    digest = base64.b64encode(hashlib.sha256(style.text.encode()).digest()).decode()
    policy = head.one("meta", http_equiv="Content-Security-Policy")
    assert policy.attributes["content"] == (
        f"default-src 'none'; style-src 'sha256-{digest}'; img-src data:; base-uri 'none'; form-action 'none'"
    )
    order = [child.tag for child in head.children if not isinstance(child, str)]
    assert order.index("style") > order.index("meta")
    assert head.one("link").attributes == {"rel": "icon", "href": "data:,"}
    assert root.one("main").text == HOSTILE.replace("\u202e", "\ufffd").replace("\x1b", "\ufffd")
    assert not head.all("meta", http_equiv="refresh")


def test_browsers_load_a_page_of_a_running_tournament_again() -> None:
    root = parsed(page("t", [], generator="tests", style=STYLE, refresh=True))
    assert root.one("meta", http_equiv="refresh").attributes["content"] == str(REFRESH)


def test_a_page_runs_only_its_own_script() -> None:
    html = page("t", [data("QQ==", id="d")], generator="tests", style=STYLE, script="let x = 1 < 2;", data_step=0)
    assert '<html lang="en" data-step="0">' in html
    assert '<script type="text/plain" id="d">QQ==</script>' in html
    (run,) = re.findall(r"<script>(.*?)</script>", html, re.DOTALL)
    assert run == "\nlet x = 1 < 2;"
    digest = base64.b64encode(hashlib.sha256(run.encode()).digest()).decode()
    assert f"; script-src 'sha256-{digest}'; style-src" in html
