"""Bots that authors of an arena upload: starter kits and drawn programs, each time with another content; some are broken."""

from __future__ import annotations

import io
import zipfile
from dataclasses import dataclass
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).parents[2]
GAME: Final = "viper"
KITS: Final = ROOT / "sdk"
PROGRAMS: Final = ("newt", "adder", "krait", "taipan")
AUTHORS: Final = 7
CLEAN, UNBUILT, LOOPING = "as it should be", "not compiled", "looping"
KINDS: Final = (*[CLEAN] * 15, *[UNBUILT] * 3, *[LOOPING] * 2)
"""What becomes of twenty uploads, on average."""
_LOOPS: Final = "for line in iter(input, 'getAction'): print('loops', flush=True)\nwhile True: pass  # NUMBER\n"
_BROKEN: Final = {UNBUILT: ("main.cpp", "int main() { return NUMBER_of_nobody }\n"), LOOPING: ("main.py", _LOOPS)}


@dataclass(frozen=True)
class Bot:
    """A bot of an author; `language` is that of its sources, or the name of a sample program of the game."""

    author: str
    name: str
    language: str


def bots(number: int) -> list[Bot]:
    """So many bots of `AUTHORS` authors, half of them drawn programs."""
    languages = ("python", "newt", "cpp", "adder", "python", "krait", "cpp", "taipan")
    return [
        Bot(f"author{place % AUTHORS}", f"bot{place // AUTHORS}", languages[place % len(languages)])
        for place in range(number)
    ]


def content(bot: Bot, kind: str, number: int) -> tuple[str, bytes]:
    """The file and the bytes of an upload; another number gives other bytes."""
    file, text = _BROKEN[kind] if kind in _BROKEN else _source(bot.language)
    text = text.replace("NUMBER", str(number))
    return (file, text.encode()) if file.endswith(f".{GAME}") else ("bot.zip", _zipped(file, text))


def _source(language: str) -> tuple[str, str]:
    if language in PROGRAMS:
        text = (ROOT / "bots" / language / f"{language}.{GAME}").read_text(encoding="utf-8")
        return f"{language}.{GAME}", text.replace("description: ", "description: NUMBER ", 1)
    [source] = (KITS / language / "starter" / GAME).glob("main.*")
    mark = "#" if language == "python" else "//"
    return source.name, source.read_text(encoding="utf-8").replace("@NAME@", language) + f"{mark} NUMBER\n"


def _zipped(file: str, text: str) -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr(file, text)
    return packed.getvalue()
