"""Players' names and other untrusted text: decoded once, and escaped wherever it is shown.

1. A name has at most 32 characters and no byte below 0x20. It is in UTF-8, or else in cp1251 (protocol.md, getName).
2. Others choose the names of folders and files too, so any text can control a terminal. In the process of a command, stdout and
   stderr are `Escaping`: whatever is printed there has no control characters, so no command can forget it.
3. The referee's own codes (colours, cursors) go to `codes_of(stream)`, and only rich and the progress line write there.
"""

from __future__ import annotations

import os
import re
import shlex
from collections.abc import Container, Iterable, Sequence
from typing import IO, Any, Final

from referee.errors import InvalidReply

MAX_NAME: Final = 32
"""Characters: code points of UTF-8, or bytes of cp1251."""

# C0, DEL and C1 move cursors and change colours; bidirectional controls and line separators reorder the text around them.
# XML has no U+FFFE and U+FFFF.
_HARMFUL = re.compile("[\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff\ufeff\ufffe\uffff]")
# Ends of lines and tabs are no codes. This is tested last, because most characters are harmless.
_CODES: Final = re.compile(rf"{_HARMFUL.pattern}(?<![\n\t])(?<!\r(?=\n))")
# The separators of a table's columns: vertical bars, and two blanks or more. Some blanks count as letters, and characters without
# a width could separate two blanks.
_BARS: Final = re.compile("[|\u01c0\u2223\u23d0\u2502\u2503\u2551\u2758\uff5c\uffe8]")
_BLANK: Final = r"\s\u115f\u1160\u2800\u3164\uffa0"
_NO_ROOM: Final = "\u00ad\u034f\u180e\u200b-\u200d\u2060-\u2064\ufe00-\ufe0f\U000e0000-\U000e01ef"
_FORMULA: Final = ("=", "+", "-", "@", "\t", "\r")
"""The first characters of a cell that a spreadsheet would run."""
_FOLDERS: Final = re.compile(r"(?<![\w./~-])/(?!usr/|lib)(?:[^/\s:'\"]+/)+")
_BLANKS: Final = re.compile(f"[{_BLANK}][{_BLANK}{_NO_ROOM}]*")


def decode_name(line: bytes) -> str:
    """The name in one answer line (without its line feed; a carriage return at the end is dropped).

    Raises:
        InvalidReply: longer than 32 characters, or with a byte below 0x20.
    """
    line = line.removesuffix(b"\r")
    try:
        name = line.decode()
    except UnicodeDecodeError:
        name = line.decode("cp1251", "replace")
    if len(name) > MAX_NAME:
        raise InvalidReply(f"a name of {len(name)} characters, {MAX_NAME} are allowed: {_quote_name(name)}")
    if any(byte < 0x20 for byte in line):
        raise InvalidReply(f"a name with control characters: {_quote_name(name)}")
    return name


def recall_name(answer: str, name: object) -> str:
    """The name in a saved answer. A name in cp1251 is taken from the event, because the answer has U+FFFD for its bytes.

    Args:
        answer: the answer in the saved game, without its line end.
        name: the name in the saved game's event; untrusted.

    Raises:
        InvalidReply: the answer is not a name, or it cannot have been the answer for the name in the event.
    """
    if "\ufffd" in answer and isinstance(name, str) and name != answer:
        # 0x98 is the only byte without a character in cp1251: it is decoded as U+FFFD.
        line = b"".join(b"\x98" if c == "\ufffd" else c.encode("cp1251", "replace") for c in name)
        if line.decode(errors="replace") != answer or decode_name(line) != name:
            raise InvalidReply(f"{name[:40]!a} cannot have been answered as {answer[:40]!a}")
        return name
    if answer.endswith("\r"):  # `decode_name` would drop it
        raise InvalidReply(f"a name with a line end: {_quote_name(answer)}")
    return decode_name(answer.encode(errors="replace"))


def shown_name(name: str, seat: int) -> str:
    """The name in rankings: an empty one becomes `player K`, K counted from 1."""
    return name or f"player {seat + 1}"


def numbered(name: str, names: Container[str]) -> str:
    """The name, or the first of `NAME#2`, `NAME#3`, … that is free."""
    free, number = name, 1
    while free in names:
        number += 1
        free = f"{name}#{number}"
    return free


def unnumbered(name: str) -> str:
    """The name without the number that `numbered` added."""
    return re.sub(r"#\d+$", "", name)


def also_called(name: str, called: str | None) -> str:
    """A bot's name, and in brackets the name that its player answers if that is another: `fs (Питон №1)`."""
    return f"{name} ({called})" if called and called not in (name, unnumbered(name)) else name


def is_line(text: str) -> bool:
    """Whether a text is one printable line, as a map's name or description must be."""
    return text.isprintable() and text.strip() != ""


def counted(count: int, thing: str, things: str | None = None) -> str:
    """A number and its noun: `1 line`, `2 lines`; `things` for other plurals than with an s: `2 matches`."""
    return f"{count} {thing if count == 1 else things or f'{thing}s'}"


def listed(texts: Sequence[str], most: int, between: str = ", ") -> str:
    """The first `most` texts, then the number of the others: `a.py, b.py, 30 more`."""
    more = len(texts) - most
    return between.join(texts[:most]) + (f"{between}{more} more" if more > 0 else "")


def one_of(things: str) -> str:
    """A plural with an s, as the first word of a phrase, for one thing: `block bitten off` of `blocks bitten off`."""
    first, blank, rest = things.partition(" ")
    return first.removesuffix("s") + blank + rest


def harmless(text: str) -> str:
    """Untrusted text for a terminal or page: every control character becomes U+FFFD."""
    return _HARMFUL.sub("\ufffd", text)


def in_spreadsheet(line: str) -> str:
    """Untrusted text for a cell: harmless, and with a `'` before what a spreadsheet would take for a formula."""
    return ("'" if line.startswith(_FORMULA) else "") + harmless(line)


def without_folders(text: str) -> str:
    """Text for strangers: folders from the root become `…/`, but for those of the system."""
    return _FOLDERS.sub("…/", text)


def row_name(name: str) -> str:
    """A name for a row of a table: harmless, and without separators of columns, so that it cannot imitate other cells."""
    return _BLANKS.sub(" ", _BARS.sub("¦", harmless(name))).strip()


def escaped(text: str) -> str:
    """Text for a terminal, with lines and tabs: every other control character becomes its escape, `\\u001b`.

    That is the escape of JSON, so a JSON document keeps its value.
    """
    return _CODES.sub(lambda code: f"\\u{ord(code[0]):04x}", text)


class Escaping:
    """A stream on which all text is `escaped` (point 2).

    Attributes:
        codes: the stream itself.
    """

    def __init__(self, codes: IO[str]) -> None:
        self.codes = codes

    def write(self, text: str) -> int:
        """Write a text, escaped."""
        self.codes.write(escaped(text))
        return len(text)

    def writelines(self, lines: Iterable[str]) -> None:
        """Write texts, escaped."""
        for line in lines:
            self.write(line)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.codes, name)


def codes_of(stream: IO[str]) -> IO[str]:
    """The stream for the referee's own codes. What is written there must be `escaped` first, except the codes."""
    codes: IO[str] = getattr(stream, "codes", stream)
    return codes


def shell_line(*words: str) -> str:
    """A command, quoted for a shell. Control characters are escapes that shells know: `$'a\\x1b'`."""
    return " ".join(shlex.quote(word) if harmless(word) == word else _ansi_c_quoted(word) for word in words)


def shorten(text: str, most: int = 200) -> str:
    """Untrusted text for a message: escaped, and with its middle cut out if it is too long."""
    half = most // 2
    ends = [text] if len(text) <= most else [text[:half], text[-half:]]
    printable = ["".join(c if c.isprintable() else ascii(c)[1:-1] for c in end) for end in ends]
    if len(ends) == 1 and len(printable[0]) <= most:
        return printable[0]
    return f"{printable[0][:half]} … {printable[-1][-half:]} ({len(text)} characters)"


def did_you_mean(name: str, candidates: Iterable[str]) -> str:
    """` (did you mean 'collector'?)` for an unknown name that is close to a known one in any case; otherwise an empty text."""
    from difflib import get_close_matches

    by_lower = {candidate.lower(): candidate for candidate in candidates}
    near = get_close_matches(name.lower()[:100], by_lower, 1, 0.7)
    return f" (did you mean {by_lower[near[0]]!r}?)" if near else ""


def quote(data: bytes, most: int = 60) -> str:
    """Untrusted bytes for a message: in quotes, escaped unless printable ASCII, with the middle cut out if too long."""
    if len(data) > most:
        data_text = f"{_escape_bytes(data[: most // 2])} … {_escape_bytes(data[-most // 2 :])}"
        return f'"{data_text}" ({len(data)} bytes)'
    return f'"{_escape_bytes(data)}"'


def _ansi_c_quoted(word: str) -> str:
    characters = (
        "".join(f"\\x{byte:02x}" for byte in os.fsencode(c)) if harmless(c) != c else f"\\{c}" if c in "\\'" else c
        for c in word
    )
    return f"$'{''.join(characters)}'"


def _quote_name(name: str) -> str:
    return f'"{shorten(name, 60)}"'


def _escape_bytes(data: bytes) -> str:
    return data.decode("latin-1").encode("unicode_escape").decode().replace('"', '\\"')
