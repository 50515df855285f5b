"""JSON and TOML of strangers, read strictly: what could be read in two ways, or by no other reader, is refused in a sentence.

1. Text is UTF-8. A byte order mark at its beginning is passed over: some editors write one.
2. JSON: no key stands twice in one object, there is no NaN, no number is too large for a double, and no
   text has half of a surrogate pair. What is nested too deeply for this reader is refused as well.
3. TOML: whole numbers have 64 bits, as the language says, and numbers are finite. A key has few parts (`a.b.c`): the reader
   takes the square of their number, half a minute for the 64 KiB of a manifest.

Every refusal is a `Malformed`. The caller adds the name of the file.
"""

from __future__ import annotations

import json
import math
import re
import tomllib
from collections.abc import Sequence
from typing import Any, Final, NoReturn

from referee.names import shorten

BYTE_ORDER_MARK: Final = b"\xef\xbb\xbf"
_OTHER_MARKS: Final = (b"\xff\xfe", b"\xfe\xff")
_INT64: Final = range(-(2**63), 2**63)
_MOST_PARTS: Final = 16
"""Parts of a key in TOML; no document here has keys of more than two."""
_BASIC: Final = r'"(?>[^"\\\n]++|\\[^\n])*+'
"""A string in double quotes, up to the closing one."""
_LONG_KEYS: Final = re.compile(
    # What is no key may have as many dots as it likes: texts of several lines, and below of one, and comments.
    r"""'{3}(?>[^']++|'(?!''))*+(?:'{3})?|"{3}(?>[^"\\]++|\\.|"(?!""))*+(?:"{3})?|\#[^\n]*+"""
    rf"""|(?P<key>(?<![\w-])(?:(?:[\w-]++|'[^'\n]*+'|{_BASIC}")[ \t]*+\.[ \t]*+){{{_MOST_PARTS}}})"""
    rf"""|'[^'\n]*+'?|{_BASIC}"?""",
    re.DOTALL | re.ASCII,
)
_BLANKS: Final = re.compile(r"[ \t\n\r]*")


class Malformed(ValueError):
    """A text that is no such document; the text says why.

    Attributes:
        line, column: where, in characters and from 1; 0 where no place can be named.
    """

    def __init__(self, why: str, line: int = 0, column: int = 0) -> None:
        super().__init__(why)
        self.line, self.column = line, column

    def where(self) -> str:
        """`, line 3, column 8`; nothing where no place can be named."""
        return f", line {self.line}, column {self.column}" if self.line else ""


def text_of(data: bytes) -> str:
    """UTF-8 as text.

    Raises:
        Malformed: it is not UTF-8.
    """
    if data.startswith(_OTHER_MARKS):
        raise Malformed("this is UTF-16: save it as UTF-8")
    try:
        return data.removeprefix(BYTE_ORDER_MARK).decode()
    except UnicodeDecodeError as wrong:
        before = data[: wrong.start]
        line, column = before.count(b"\n") + 1, wrong.start - before.rfind(b"\n")
        raise Malformed(f"byte {column} of the line is not UTF-8: save the file as UTF-8", line, column) from None


def json_of(text: str) -> Any:
    """The value that a JSON text stands for.

    Raises:
        Malformed: it is not JSON, or breaks point 2 of this file's theory.
    """
    try:
        value = _from_json(text)
        if "\\u" in text:
            _to_json(value).encode()
    except json.JSONDecodeError as wrong:
        raise Malformed(wrong.msg, wrong.lineno, wrong.colno) from None
    except UnicodeEncodeError:
        raise Malformed("half of a surrogate pair, which is no character") from None
    except RecursionError:
        raise Malformed("nested too deeply") from None
    except Malformed:
        raise
    except ValueError:  # the digits of whole numbers are limited, since to read them takes the square of the time
        raise Malformed("a number of thousands of digits") from None
    return value


def toml_of(text: str) -> dict[str, Any]:
    """The table that a TOML text stands for.

    Raises:
        Malformed: it is not TOML, or breaks point 3 of this file's theory.
    """
    check_keys(text)
    try:
        table = tomllib.loads(text)
        _check_numbers(table)
    except tomllib.TOMLDecodeError as wrong:
        found = re.fullmatch(r"(.*) \(at (?:line (\d+), column (\d+)|end of document)\)", str(wrong), re.DOTALL)
        if found is None:
            raise Malformed(shorten(str(wrong))) from None
        if found[2] is None:
            raise Malformed(f"{shorten(found[1])} at its end") from None
        raise Malformed(shorten(found[1]), int(found[2]), int(found[3])) from None
    except RecursionError:
        raise Malformed("nested too deeply") from None
    except Malformed:
        raise
    except ValueError:
        raise Malformed("a number of thousands of digits") from None
    return table


def check_keys(text: str) -> None:
    """See that a TOML text can be read in time.

    Raises:
        Malformed: a key has more parts than any reader needs.
    """
    for found in _LONG_KEYS.finditer(text):
        if found["key"] is not None:
            line, column = text.count("\n", 0, found.start()) + 1, found.start() - text.rfind("\n", 0, found.start())
            raise Malformed(f"a key of more than {_MOST_PARTS} parts", line, column)


def place_of(text: str, path: Sequence[str | int]) -> tuple[int, int]:
    """The line and column, from 1, at which the value stands that a path of keys and indices leads to.

    Args:
        text: a JSON text that `json_of` has read.
        path: where it leads nowhere, the last value on the way is meant.
    """
    at = _skip(text, 0)
    for part in path:
        found = _inner(text, at, part)
        if found is None:
            break
        at = found
    return text.count("\n", 0, at) + 1, at - text.rfind("\n", 0, at)


def _inner(text: str, at: int, part: str | int) -> int | None:
    """Where the value begins that a key or an index of the object or list at `at` leads to."""
    opened = text[at]
    if opened != ("{" if isinstance(part, str) else "["):
        return None
    at, number = _skip(text, at + 1), 0
    while text[at] not in "]}":
        found: str | int = number
        if opened == "{":
            found, end = _DECODER.raw_decode(text, at)
            at = _skip(text, _skip(text, end) + 1)
        if found == part:
            return at
        _, end = _DECODER.raw_decode(text, at)
        at, number = _skip(text, end), number + 1
        if text[at] == ",":
            at = _skip(text, at + 1)
    return None


def _skip(text: str, at: int) -> int:
    found = _BLANKS.match(text, at)
    return at if found is None else found.end()


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) == len(pairs):
        return found
    seen: set[str] = set()
    for key, _ in pairs:
        if key in seen:
            raise Malformed(f"the key {shorten(repr(key), 40)} stands twice in one object")
        seen.add(key)
    return found


def _float(digits: str) -> float:
    number = float(digits)
    if math.isinf(number):
        raise Malformed(f"{shorten(digits, 40)} is too large a number")
    return number


def _no_constant(name: str) -> NoReturn:
    raise Malformed(f"{name} is no JSON")


def _check_numbers(value: Any) -> None:
    if isinstance(value, dict | list):
        for inner in value.values() if isinstance(value, dict) else value:
            _check_numbers(inner)
    elif isinstance(value, int) and value not in _INT64:
        raise Malformed("a whole number of more than 64 bits")
    elif isinstance(value, float) and not math.isfinite(value):
        raise Malformed("a number that is not finite")


_from_json: Final = json.JSONDecoder(object_pairs_hook=_object, parse_float=_float, parse_constant=_no_constant).decode
_to_json: Final = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode
_DECODER: Final = json.JSONDecoder()
