"""Reads untrusted JSON and TOML strictly: refuses what is ambiguous or what other readers cannot read.

1. Text is UTF-8. A byte order mark at its beginning is ignored: some editors write one.
2. JSON: no key occurs twice in one object, there is no NaN, no number is too large for a double, and no
   text has half of a surrogate pair. Nesting that is too deep for this reader is refused as well.
3. TOML: for each key, the reader goes through all parts of its name and of its table's (`a.b.c`). So a stranger's file is short:
   8 KiB with nothing but parts take it two seconds, and 64 KiB a minute.

Every refusal is a `Malformed`. The caller adds the name of the file.
"""

from __future__ import annotations

import json
import math
import re
import tomllib
from collections import Counter
from typing import Any, Final, NoReturn

from referee.text.words import shorten

BYTE_ORDER_MARK: Final = b"\xef\xbb\xbf"
_MANY_DIGITS: Final = re.compile(r"\d{309}")
"""Every text with a whole number that is too large for a double has this: the largest double has 309 digits."""


class Malformed(ValueError):
    """A text that is not a valid document. The message says why.

    Attributes:
        line, column: the place, in characters from 1; 0 if it is unknown.
    """

    def __init__(self, why: str, line: int = 0, column: int = 0) -> None:
        super().__init__(why)
        self.line, self.column = line, column

    def where(self) -> str:
        """`, line 3, column 8`; empty if the place is unknown."""
        return f", line {self.line}, column {self.column}" if self.line else ""


def text_of(data: bytes) -> str:
    """UTF-8 as text. Raises: Malformed: it is not UTF-8."""
    try:
        return data.removeprefix(BYTE_ORDER_MARK).decode()
    except UnicodeDecodeError as wrong:
        before = data[: wrong.start]
        line, column = before.count(b"\n") + 1, wrong.start - before.rfind(b"\n")
        raise Malformed(f"byte {column} of the line is not UTF-8: save the file as UTF-8", line, column) from None


def json_of(text: str) -> Any:
    """The value of a JSON text. Raises: Malformed: it is not JSON, or breaks point 2 of this file's theory."""
    try:
        # Calling `_int` for each whole number of each text would make reading slower by a tenth.
        value = _from_json(text) if _MANY_DIGITS.search(text) is None else _from_json_by_int(text)
        if "\\u" in text:
            _to_json(value).encode()
    except json.JSONDecodeError as wrong:
        raise Malformed(wrong.msg, wrong.lineno, wrong.colno) from None
    except UnicodeEncodeError:
        raise Malformed("half of a surrogate pair is not a character") from None
    except RecursionError:
        raise Malformed("nested too deeply") from None
    return value


def toml_of(text: str) -> dict[str, Any]:
    """The table of a TOML text.

    Raises:
        Malformed: it is not TOML, or has what this reader cannot take: deep nesting, huge numbers.
    """
    try:
        table = tomllib.loads(text)
        repr(table)  # a hexadecimal number can be so large that it cannot be shown
    except tomllib.TOMLDecodeError as wrong:
        match = re.fullmatch(r"(.*) \(at line (\d+), column (\d+)\)", str(wrong), re.DOTALL)
        if match is None:  # at the end of the document
            raise Malformed(shorten(str(wrong))) from None
        raise Malformed(shorten(match[1]), int(match[2]), int(match[3])) from None
    except RecursionError:
        raise Malformed("nested too deeply") from None
    except ValueError:  # Python limits the digits of whole numbers, because reading them takes quadratic time
        raise Malformed("a number of thousands of digits") from None
    return table


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    table = dict(pairs)
    if len(table) < len(pairs):
        key, _times = Counter(key for key, _ in pairs).most_common(1)[0]
        raise Malformed(f"the key {shorten(repr(key), 40)} occurs twice in one object")
    return table


def _float(digits: str) -> float:
    number = float(digits)
    if math.isinf(number):
        raise Malformed(f"{shorten(digits, 40)} is too large a number")
    return number


def _int(digits: str) -> int:
    _float(digits)
    return int(digits)


def _no_constant(name: str) -> NoReturn:
    raise Malformed(f"{name} is not allowed in JSON")


_from_json, _from_json_by_int = (
    json.JSONDecoder(
        object_pairs_hook=_object, parse_float=_float, parse_int=parse_int, parse_constant=_no_constant
    ).decode
    for parse_int in (int, _int)
)
_to_json: Final = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode
