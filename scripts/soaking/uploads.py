"""Bots that authors of an arena upload: in several languages, each time with another content; some of them are broken."""

from __future__ import annotations

import io
import random
import zipfile
from dataclasses import dataclass
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).parents[2]
GAME: Final = "viper"
KITS: Final = ROOT / "sdk"
PROGRAMS: Final = ("newt", "adder", "krait", "taipan")
AUTHORS: Final = 7
CLEAN, UNBUILT, LOOPING, MOODY = "as it should be", "not compiled", "looping", "moody"
KINDS: Final = (*[CLEAN] * 10, *[UNBUILT] * 3, *[LOOPING] * 2, *[MOODY] * 5)
"""What becomes of twenty uploads, on average."""
_READS: Final = {
    "ruby": ("main.rb", """\
$stdout.sync = true
while (line = gets)
  if line == "getName\\n" then puts "ruby"
  elsif line == "getAction\\n"
    gets.to_i.times { gets }
    puts "ULDR"
  end
end
# NUMBER
"""),
    "javascript": ("main.js", """\
const lines = require("readline").createInterface({ input: process.stdin });
let rows = 0, sized = false;
lines.on("line", (line) => {
  if (rows > 0) { if (--rows === 0) console.log("ULDR"); }
  else if (sized) { rows = parseInt(line, 10); sized = false; }
  else if (line === "getName") console.log("javascript");
  else sized = true;
});
// NUMBER
"""),
    "c": ("main.c", """\
#include <stdio.h>
#include <string.h>

int main(void)
{
    char line[64];
    while (fgets(line, sizeof line, stdin)) {
        int rows = 0;
        if (!strcmp(line, "getName\\n"))
            puts("c");
        else if (fgets(line, sizeof line, stdin) && sscanf(line, "%d", &rows) == 1) {
            while (rows-- > 0 && fgets(line, sizeof line, stdin))
                ;
            puts("ULDR");
        }
        fflush(stdout);
    }
    return 0;
}
/* NUMBER */
"""),
}  # fmt: skip
_LOOPS: Final = "for line in iter(input, 'getAction'): print('loops', flush=True)\nwhile True: pass  # NUMBER\n"
_MOODY: Final = """\
import random
import sys

for line in sys.stdin:
    if line == "getName\\n":
        print("moody", flush=True)
    elif line == "getAction\\n":
        for _ in range(int(sys.stdin.readline())):
            sys.stdin.readline()
        if random.random() < 0.002:
            sys.exit("in a bad mood")
        print("ULDR", flush=True)
# NUMBER
"""
_UNBUILT: Final = "int main() { return NUMBER_of_nobody }\n"


@dataclass(frozen=True)
class Bot:
    """A bot of an author; `language` is that of its sources, or the name of a sample program of the game."""

    author: str
    name: str
    language: str


def bots(number: int) -> list[Bot]:
    """So many bots of `AUTHORS` authors, half of them drawn programs."""
    languages = ("python", "newt", "cpp", "adder", "ruby", "krait", "javascript", "taipan", "c", "newt")
    return [
        Bot(f"author{place % AUTHORS}", f"bot{place // AUTHORS}", languages[place % len(languages)])
        for place in range(number)
    ]


def content(bot: Bot, kind: str, number: int) -> tuple[str, bytes]:
    """The file and the bytes of an upload; another number gives other bytes."""
    match kind:
        case _ if kind == UNBUILT:
            file, text = "main.cpp", _UNBUILT
        case _ if kind == LOOPING:
            file, text = "main.py", _LOOPS
        case _ if kind == MOODY:
            file, text = "main.py", _MOODY
        case _:
            file, text = _source(bot.language)
    text = text.replace("NUMBER", str(number))
    return (file, text.encode()) if file.endswith(f".{GAME}") else ("bot.zip", _zipped(file, text))


def drawn_kind(rng: random.Random) -> str:
    """What becomes of an upload."""
    return rng.choice(KINDS)


def _source(language: str) -> tuple[str, str]:
    if language in PROGRAMS:
        text = (ROOT / "bots" / language / f"{language}.{GAME}").read_text(encoding="utf-8")
        return f"{language}.{GAME}", text.replace("description: ", "description: NUMBER ", 1)
    if language in _READS:
        return _READS[language]
    [source] = (KITS / language / "starter" / GAME).glob("main.*")
    mark = "#" if language == "python" else "//"
    return source.name, source.read_text(encoding="utf-8").replace("@NAME@", language) + f"{mark} NUMBER\n"


def _zipped(file: str, text: str) -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr(file, text)
    return packed.getvalue()
