"""Go: the sources at the top of the folder are one package. With a `go.mod` the folder is built as a module, else file by file.

There is no network in a build, so a module has its requirements in `vendor`.
"""

from __future__ import annotations

import re
from typing import Final

from referee.languages.language import OUTPUT, Command, Idioms, Language, Sources, Tool, itself, top_sources
from referee.languages.sdk import Sdk

_MODULE: Final = "go.mod"
_SUFFIXES: Final = (".go",)


def _builds(sources: Sources, _sdk: Sdk | None) -> tuple[Command, ...]:
    names = [name for name in top_sources(sources, _SUFFIXES, "Go") if not name.endswith("_test.go")]
    what = (".",) if _MODULE in sources else tuple(names)
    return (("go", "build", "-o", OUTPUT, *what),)


LANGUAGE: Final = Language(
    name="go",
    title="Go",
    suffixes=_SUFFIXES,
    compiler=Tool(("go",), "golang-go", ("version",)),
    runner=None,
    sdk=None,
    builds=_builds,
    runs=itself,
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
