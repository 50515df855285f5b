"""Players' names: bytes that a stranger chose, read once and made harmless wherever they are shown; and the other words of
strangers that messages show.

A name is at most 32 bytes, each at least 0x20; UTF-8, or cp1251 where it is not UTF-8 (protocol.md, getName).
"""

from __future__ import annotations

import re
from collections.abc import Container, Iterable
from typing import Final

from referee.errors import InvalidReply

MAX_NAME_BYTES: Final = 32

# C0, DEL and C1 move cursors and change colours; the bidirectional controls and line separators reorder what stands beside them.
_HARMFUL = re.compile("[\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff\ufeff]")
# What separates the columns of a table: upright bars, and two blanks or more. Some blanks count as letters, and characters that
# take no room could keep two blanks apart.
_BARS: Final = re.compile("[|\u01c0\u2223\u23d0\u2502\u2503\u2551\u2758\uff5c\uffe8]")
_BLANK: Final = r"\s\u115f\u1160\u2800\u3164\uffa0"
_NO_ROOM: Final = "\u00ad\u034f\u180e\u200b-\u200d\u2060-\u2064\ufe00-\ufe0f\U000e0000-\U000e01ef"
_BLANKS: Final = re.compile(f"[{_BLANK}][{_BLANK}{_NO_ROOM}]*")


def decode_name(line: bytes) -> str:
    """The name in one answer line (without its line feed; a carriage return at the end is dropped).

    Raises:
        InvalidReply: longer than 32 bytes, or with a byte below 0x20.
    """
    line = line.removesuffix(b"\r")
    if len(line) > MAX_NAME_BYTES:
        raise InvalidReply(f"a name of {len(line)} bytes, {MAX_NAME_BYTES} are allowed: {quote(line)}")
    if any(byte < 0x20 for byte in line):
        raise InvalidReply(f"a name with control characters: {quote(line)}")
    try:
        return line.decode()
    except UnicodeDecodeError:
        return line.decode("cp1251", "replace")


def recall_name(answer: str, told: object) -> str:
    """The name that a saved answer stands for. One in cp1251 cannot be told from the answer, which has U+FFFD for its bytes.

    Args:
        answer: as a saved game writes it.
        told: what the saved game's event says the name is; a stranger's word.

    Raises:
        InvalidReply: the answer is no name, or the name that is told cannot have been answered so.
    """
    if "\ufffd" in answer and isinstance(told, str) and told != answer:
        # The only byte that cp1251 has no character for is 0x98: it reads as U+FFFD.
        line = b"".join(b"\x98" if c == "\ufffd" else c.encode("cp1251", "replace") for c in told)
        if line.decode(errors="replace") != answer or decode_name(line) != told:
            raise InvalidReply(f"{told[:40]!a} cannot have been answered as {answer[:40]!a}")
        return told
    return decode_name(answer.encode(errors="replace"))


def shown_name(name: str, seat: int) -> str:
    """The name as it is ranked: an empty one becomes `player K`, K counted from 1."""
    return name or f"player {seat + 1}"


def numbered(name: str, taken: Container[str]) -> str:
    """The name, or if it is taken the first of `NAME#2`, `NAME#3`, … that is not."""
    told, number = name, 1
    while told in taken:
        number += 1
        told = f"{name}#{number}"
    return told


def is_line(text: str) -> bool:
    """Whether a text may stand where one line is shown: a map's name, or what it is about."""
    return text.isprintable() and text.strip() != ""


def counted(count: int, thing: str, things: str | None = None) -> str:
    """So many things, in words: `1 line`, `2 lines`; `things` where it takes more than an s: `2 matches`."""
    return f"{count} {thing if count == 1 else things or f'{thing}s'}"


def harmless(text: str) -> str:
    """Text of a stranger for a terminal or page: every control character becomes U+FFFD."""
    return _HARMFUL.sub("\ufffd", text)


def row_name(name: str) -> str:
    """A name for a row of a table: harmless, and without what separates columns, so that it cannot imitate other cells."""
    return _BLANKS.sub(" ", _BARS.sub("¦", harmless(name))).strip()


def harmless_json(text: str) -> str:
    """JSON text in which every such character stands as its escape: the same JSON, and a terminal does not see them."""
    return _HARMFUL.sub(lambda found: f"\\u{ord(found[0]):04x}" if found[0] >= " " else found[0], text)


def shorten(text: str, most: int = 200) -> str:
    """A stranger's text in a message: what no terminal should see is escaped, and both ends are kept."""
    half = most // 2
    ends = [text] if len(text) <= most else [text[:half], text[-half:]]
    shown = ["".join(c if c.isprintable() else ascii(c)[1:-1] for c in end) for end in ends]
    if len(ends) == 1 and len(shown[0]) <= most:
        return shown[0]
    return f"{shown[0][:half]} … {shown[-1][-half:]} ({len(text)} characters)"


def did_you_mean(given: str, known: Iterable[str]) -> str:
    """` (did you mean 'collector'?)` for an unknown name that is close to a known one; otherwise an empty text."""
    from difflib import get_close_matches

    near = get_close_matches(given.lower()[:100], known, 1, 0.7)
    return f" (did you mean {near[0]!r}?)" if near else ""


def quote(data: bytes, most: int = 60) -> str:
    """Bytes of a stranger for a message: printable ASCII in quotes, the rest escaped; both ends kept when shortened."""
    if len(data) > most:
        data_text = f"{_escaped(data[: most // 2])} … {_escaped(data[-most // 2 :])}"
        return f'"{data_text}" ({len(data)} bytes)'
    return f'"{_escaped(data)}"'


def _escaped(data: bytes) -> str:
    return data.decode("latin-1").encode("unicode_escape").decode().replace('"', '\\"')
