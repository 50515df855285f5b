"""Names are untrusted bytes: which are valid, how they are decoded, and how they are shown safely."""

import ast
import io
import json
import os
import re
import subprocess
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.errors import InvalidReply
from referee.text import words


@pytest.mark.parametrize(
    ("line", "name"),
    [
        (b"bot", "bot"),
        (b"", ""),
        (b"\r", ""),
        (b"bot\r", "bot"),
        (b"  bot  ", "  bot  "),
        (b"a" * 32, "a" * 32),
        (b"a" * 32 + b"\r", "a" * 32),
        ("🐍".encode() * 32, "🐍" * 32),
        ("Я".encode("cp1251") * 32, "Я" * 32),
        ("Питон 🐍".encode(), "Питон 🐍"),
        ("Питон".encode("cp1251"), "Питон"),
        (b"[bold]x[/]", "[bold]x[/]"),
        (b"a\x7fb", "a\x7fb"),
        ("a\x9bb".encode(), "a\x9bb"),
    ],
)
def test_valid_names(line, name):
    assert words.decode_name(line) == name


@pytest.mark.parametrize(("name", "near"), [
    ("collectr", " (did you mean 'Collector'?)"),
    ("oracle", " (did you mean 'Oracle'?)"),
    ("ORACEL", " (did you mean 'Oracle'?)"),
    ("удаф", " (did you mean 'УДАВ'?)"),
    ("worm", ""),
])  # fmt: skip
def test_a_near_name_is_found_whatever_its_case(name: str, near: str) -> None:
    assert words.did_you_mean(name, ["Oracle", "Collector", "УДАВ"]) == near


@pytest.mark.parametrize(
    "line", [b"a" * 33, ("я" * 32 + "a").encode(), "Я".encode("cp1251") * 33, b"\x98" * 33, b"a" * 33 + b"\r"]
)
def test_a_name_of_more_than_32_characters_is_invalid(line):
    with pytest.raises(InvalidReply, match="a name of 33 characters, 32 are allowed"):
        words.decode_name(line)


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("Очень большой и очень длинный Удав", '"Очень большой и очень длинный Удав"'),
        ("Удав\x1b[2J\u202e" + "а" * 40, r'"Удав\x1b[2J\u202e' + "а" * 40 + '"'),
        ("я" * 1000, f'"{"я" * 30} … {"я" * 30} (1000 characters)"'),
    ],
)
@pytest.mark.parametrize("encoding", ["utf-8", "cp1251"])
def test_the_message_shows_a_refused_name_as_it_is_read(name, shown, encoding):
    if encoding == "cp1251":
        name, shown = name.replace("\u202e", "\xad"), shown.replace(r"\u202e", r"\xad")
    with pytest.raises(InvalidReply) as caught:
        words.decode_name(name.encode(encoding))
    assert str(caught.value) == f"a name of {len(name)} characters, 32 are allowed: {shown}"


@pytest.mark.parametrize("line", [*(b"a%cb" % byte for byte in range(0x20)), b"bot\r\r"])
def test_a_byte_below_0x20_is_invalid_in_a_name_but_for_one_carriage_return_at_its_end(line):
    with pytest.raises(InvalidReply, match="control characters"):
        words.decode_name(line)


@given(st.binary(max_size=40) | st.text(max_size=40).map(str.encode))
def test_any_bytes_are_a_name_or_an_invalid_reply(line):
    data = line.removesuffix(b"\r")
    try:
        length = len(data.decode())
    except UnicodeDecodeError:
        length = len(data)
    if length <= words.MAX_NAME and min(data, default=0x20) >= 0x20:
        name = words.decode_name(line)
        # A saved game has the answer as UTF-8, with U+FFFD for invalid bytes; recall_name accepts the name for it.
        assert words.recall_name(line.removesuffix(b"\r").decode(errors="replace"), name) == name
    else:
        with pytest.raises(InvalidReply):
            words.decode_name(line)


def test_recall_name_refuses_a_name_that_does_not_fit_the_answer():
    assert words.recall_name("bot", "Питон") == "bot"
    assert words.recall_name("\ufffd", "П") == "П"
    wrong = ("🐍", "\x1b", "П\r", "no single byte", "пїЅ")  # the last one's bytes are UTF-8, for U+FFFD itself
    pairs = [
        ("Питон", "\ufffd" * 2),
        ("Б" * 33, "\ufffd" * 33),
        *[(name, "\ufffd") for name in wrong],
        ("a\tb", "a\tb"),
        ("bot", "bot\r"),  # saved games have no line ends
        ("П", "\ufffd\r"),
    ]
    for saved, answer in pairs:
        with pytest.raises(InvalidReply):
            words.recall_name(answer, saved)


@pytest.mark.parametrize("saved", [None, 7, [], "\ufffd"])
def test_recall_name_reads_the_answer_if_no_name_is_given(saved):
    assert words.recall_name("\ufffd", saved) == "\ufffd"


def test_an_empty_name_is_shown_as_its_seat():
    assert words.shown_name("", 0) == "player 1"
    assert words.shown_name("bot", 0) == "bot"


@given(st.text())
def test_harmless_text_has_no_control_and_no_bidi_characters(text):
    shown = words.harmless(text)
    assert len(shown) == len(text)
    assert not any(unicodedata.category(letter) in ("Cc", "Cs", "Zl", "Zp") for letter in shown)
    assert not any(unicodedata.bidirectional(letter) in BIDI_CONTROLS for letter in shown)
    assert all(a == b for a, b in zip(text, shown, strict=True) if b != "\ufffd")


BIDI_CONTROLS = {"LRE", "RLE", "LRO", "RLO", "PDF", "LRI", "RLI", "FSI", "PDI"}


def test_control_characters_are_replaced_and_letters_are_not():
    controls = [*map(chr, range(0x20)), *map(chr, range(0x7F, 0xA0)), "\u202e", "\u2066", "\ufeff", "\uffff"]
    assert words.harmless("".join(controls)) == "\ufffd" * len(controls)
    assert words.harmless("Питон 🐍 [bold] <b> é") == "Питон 🐍 [bold] <b> é"


@pytest.mark.parametrize(
    ("text", "cell"),
    [
        ("=1+1", "'=1+1"), ("+x", "'+x"), ("-x", "'-x"), ("@SUM(A1)", "'@SUM(A1)"), ("\tx", "'\ufffdx"), ("\rx", "'\ufffdx"),
        (" =1\x1b", " =1\ufffd"), ("", ""),
    ],
)  # fmt: skip
def test_what_a_spreadsheet_would_take_for_a_formula_gets_an_apostrophe(text: str, cell: str) -> None:
    assert words.in_spreadsheet(text) == cell


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("Питон 🐍 #2", "Питон 🐍 #2"),
        ("1 bot  | winner", "1 bot ¦ winner"),
        ("a  12\u3000\u2800 0", "a 12 0"),
        ("a \u200b\ufe0f \u00a0b", "a b"),
        ("a\u200db", "a\u200db"),
        ("a \u2502\uff5c\u2551 b", "a ¦¦¦ b"),
        ("  bot\x7f ", "bot\ufffd"),
        ("   ", ""),
    ],
)
def test_a_name_in_a_row_cannot_imitate_cells(name, shown):
    assert words.row_name(name) == shown


@given(st.text(st.sampled_from("ab|\u2502 \u00a0\u2800\u200b\u00ad\x9b") | st.characters()))
def test_a_name_in_a_row_has_no_bar_and_no_gap(name):
    shown = words.row_name(name)
    assert "|" not in shown
    assert all(len(gap) == 1 for gap in re.findall(r"\s+", shown.replace("\u200b", "").replace("\u00ad", "")))
    assert words.row_name(shown) == shown


@given(st.binary(max_size=60))
def test_quoted_bytes_are_printable_ascii_and_can_be_parsed(data):
    quoted = words.quote(data)
    assert quoted.isascii()
    assert quoted.isprintable()
    assert ast.literal_eval(f"b{quoted}") == data


def test_long_bytes_are_quoted_with_both_ends_and_the_length():
    assert words.quote(b"a" * 50 + b"b" * 50) == f'"{"a" * 30} … {"b" * 30}" (100 bytes)'


def test_escaped_json_has_the_same_value() -> None:
    data = {"memory": "a\x9b\u202e\x7f\u2028\ufeff é 🐍\t\x00\n", "field": ["#  #"]}
    text = json.dumps(data, ensure_ascii=False, indent=1)
    shown = words.escaped(text)
    assert json.loads(shown) == data
    assert words.harmless(shown.replace("\n", "")) == shown.replace("\n", "") != text.replace("\n", "")


def test_escaped_text_keeps_its_lines_and_tabs() -> None:
    assert words.escaped("a\tb\r\nc\n") == "a\tb\r\nc\n"
    assert words.escaped("a\rb\x1b[2J\x9b\udcff") == "a\\u000db\\u001b[2J\\u009b\\udcff"


def test_what_is_printed_to_an_escaping_stream_is_escaped_and_the_referees_own_codes_are_not() -> None:
    beneath = io.StringIO()
    stream = words.Escaping(beneath)
    print("a\x1b[2J", file=stream)
    stream.writelines(["b\x07\n"])
    words.codes_of(stream).write("\x1b[K")
    assert beneath.getvalue() == "a\\u001b[2J\nb\\u0007\n\x1b[K"
    assert words.codes_of(beneath) is beneath


@pytest.mark.parametrize("word", ["plain", "two words", "it's", "a\x1b]0;x\x07", "\x9b31m'\\", "\udcff\n", "é\u202e"])
def test_a_command_for_a_shell_has_no_control_characters_and_can_be_pasted(word) -> None:
    line = words.shell_line("printf", "%s", word)
    assert words.harmless(line) == line
    assert subprocess.run(["bash", "-c", line], capture_output=True, check=True).stdout == os.fsencode(word)


def test_a_line_is_a_printable_text_with_more_than_blanks():
    assert words.is_line("Питон 🐍, by night")
    assert not any(map(words.is_line, ["", "  ", "a\nb", "a\tb", "a\x1bb", "a\u202eb", "a\x9bb", "\ud800"]))


def test_the_first_word_of_a_phrase_loses_its_s():
    assert words.one_of("blocks bitten off by rivals") == "block bitten off by rivals"
    assert words.one_of("mg of food") == "mg of food"
    assert words.one_of("bites") == "bite"


def test_counted_uses_singular_and_plural():
    assert [words.counted(number, "line") for number in (0, 1, 2)] == ["0 lines", "1 line", "2 lines"]
    assert [words.counted(number, "match", "matches") for number in (1, 2)] == ["1 match", "2 matches"]
