"""Go: the sources at the top of the folder are one package. With a `go.mod` the folder is built as a module, else file by file.

There is no network in a build, so a module has its requirements in `vendor`.
"""

from __future__ import annotations

import re
from typing import Final

from referee.languages.language import OUTPUT, Command, Idioms, Language, Sources, Tool

_MODULE: Final = "go.mod"


def _builds(sources: Sources) -> tuple[Command, ...]:
    names = [name for name in sources.top() if not name.endswith("_test.go")]
    what = (".",) if _MODULE in sources.texts else tuple(names)
    return (("go", "build", "-o", OUTPUT, *what),)


LANGUAGE: Final = Language(
    name="go",
    title="Go",
    suffixes=(".go",),
    compiler=Tool(("go",), "golang-go", ("version",)),
    builds=_builds,
    marks=(_MODULE,),
    # A static program, without a C compiler; and the installed Go, whatever version go.mod asks for.
    env={"CGO_ENABLED": "0", "GOTOOLCHAIN": "local"},
    error=re.compile(r"\.go:\d+:\d+: |^go: "),
    idioms=Idioms(
        flush="fmt.Println(answer), or writer.Flush() after each answer",
        log="fmt.Fprintln(os.Stderr, ...)",
        read="scanner.Scan() for each line, not io.ReadAll",
    ),
)
