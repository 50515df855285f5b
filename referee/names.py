"""Players' names: bytes that a stranger chose, read once and made harmless wherever they are shown.

A name is at most 32 bytes, each at least 0x20; UTF-8, or cp1251 where it is not UTF-8 (protocol.md, getName).
"""

from __future__ import annotations

import re
from typing import Final

from referee.errors import InvalidReply

MAX_NAME_BYTES: Final = 32

# C0, DEL and C1 move cursors and change colours; the bidirectional controls and line separators reorder what stands beside them.
_HARMFUL = re.compile("[\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff\ufeff]")


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


def is_name_of(name: str, answer: str) -> bool:
    """Whether an answer, as a saved game writes it (not UTF-8 shown as U+FFFD), can have been this name."""
    if name == answer:
        return True
    # cp1251 leaves one byte without a character, 0x98; decode_name shows it as U+FFFD.
    try:
        raw = b"".join(b"\x98" if c == "\ufffd" else c.encode("cp1251") for c in name)
    except UnicodeEncodeError:
        return False
    return raw.decode(errors="replace") == answer


def shown_name(name: str, seat: int) -> str:
    """The name as it is ranked: an empty one becomes `player K`, K counted from 1."""
    return name or f"player {seat + 1}"


def harmless(text: str) -> str:
    """Text of a stranger for a terminal or page: every control character becomes U+FFFD."""
    return _HARMFUL.sub("\ufffd", text)


def quote(data: bytes, most: int = 60) -> str:
    """Bytes of a stranger for a message: printable ASCII in quotes, the rest escaped; both ends kept when shortened."""
    if len(data) > most:
        data_text = f"{_escaped(data[: most // 2])} … {_escaped(data[-most // 2 :])}"
        return f'"{data_text}" ({len(data)} bytes)'
    return f'"{_escaped(data)}"'


def _escaped(data: bytes) -> str:
    return repr(data)[2:-1].replace("\\'", "'")
