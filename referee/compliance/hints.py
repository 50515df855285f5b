"""How to flush, log and read in each language. For a bot in an unknown language, the hint names several."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterable, Mapping
from enum import StrEnum
from itertools import islice
from pathlib import Path
from typing import Final

from referee.bots import Bot
from referee.languages import by_suffix


class Topic(StrEnum):
    """What a hint is about."""

    FLUSH = "flush"
    LOG = "log"
    READ = "read"


_LOOKED_AT: Final = 500
"""The most files of a folder that are looked at."""

_HINTS: Final[Mapping[str, Mapping[Topic, str]]] = {
    "python": {
        Topic.FLUSH: "print(answer, flush=True)",
        Topic.LOG: "print(..., file=sys.stderr)",
        Topic.READ: "sys.stdin.readline(), or input(), once a line; not sys.stdin.read()",
    },
    "c": {
        Topic.FLUSH: "fflush(stdout) after each printf, or once at the start setvbuf(stdout, NULL, _IOLBF, 0)",
        Topic.LOG: "fprintf(stderr, ...)",
        Topic.READ: "fgets(line, sizeof line, stdin); scanf with a blank or \\n at its end waits for the next request",
    },
    "cpp": {
        Topic.FLUSH: "std::cout << answer << std::endl",
        Topic.LOG: "std::cerr << text << std::endl",
        Topic.READ: "std::getline(std::cin, line) once a line, or std::cin >> value",
    },
    "pascal": {
        Topic.FLUSH: "writeln(answer); flush(output)",
        Topic.LOG: "writeln(stderr, ...)",
        Topic.READ: "readln(line) once a line; read and seekeof wait for what comes next",
    },
    "java": {
        Topic.FLUSH: "System.out.println(answer); System.out.flush(); a writer of your own needs flush() too",
        Topic.LOG: "System.err.println(...)",
        Topic.READ: "BufferedReader.readLine() once a line",
    },
    "javascript": {
        Topic.FLUSH: 'process.stdout.write(answer + "\\n") as soon as a request is whole',
        Topic.LOG: "console.error(...)",
        Topic.READ: "collect what comes in 'data' events and act on whole lines; do not wait for 'end'",
    },
    "rust": {
        Topic.FLUSH: 'println!("{answer}") and std::io::stdout().flush()',
        Topic.LOG: "eprintln!(...)",
        Topic.READ: "stdin().read_line(&mut line) once a line; not read_to_string",
    },
    "go": {
        Topic.FLUSH: "fmt.Println(answer), or writer.Flush() after each answer",
        Topic.LOG: "fmt.Fprintln(os.Stderr, ...)",
        Topic.READ: "scanner.Scan() once a line; not io.ReadAll",
    },
}
_SEVERAL: Final[Mapping[Topic, str]] = {
    Topic.FLUSH: "Python print(..., flush=True), C fflush(stdout), C++ std::endl, Pascal flush(output), Java System.out.flush()",
    Topic.LOG: "Python print(..., file=sys.stderr), C++ std::cerr, Pascal writeln(stderr, ...), Java System.err",
    Topic.READ: "Python input(), C fgets, C++ std::getline, Pascal readln, Java readLine()",
}


def hint(language: str | None, topic: Topic) -> str:
    """How to do it in this language; None for an unknown one."""
    return _HINTS.get(language or "", _SEVERAL)[topic]


def language_of(bot: Bot) -> str | None:
    """The language that a bot is most likely written in: by its manifest, or by the suffixes of its files. None if unknown."""
    if bot.language is not None:
        return bot.language.name
    named = [*bot.argv, *(bot.files or ())]
    return _commonest(named) or (_commonest(_in_folder(bot.cwd)) if bot.files is None else None)


def _commonest(names: Iterable[str]) -> str | None:
    found = Counter(language.name for name in names if (language := by_suffix(name)) is not None)
    return found.most_common(1)[0][0] if found else None


def _in_folder(folder: Path) -> list[str]:
    try:
        with os.scandir(folder) as entries:
            return [entry.name for entry in islice(entries, _LOOKED_AT)]
    except OSError:
        return []
