"""C++: all sources at the top of the folder become one program; headers may lie anywhere below it.

If a bot has its own copy of a header, which hides the SDK's header with its `main`, the SDK's host is compiled too. Such bots
were written as libraries for Windows: the keywords that export a function there are defined as empty.
"""

from __future__ import annotations

import re
from pathlib import PurePath
from typing import Final

from referee.languages.c import INCLUDES
from referee.languages.language import OUTPUT, Command, Idioms, Language, Sources, Tool
from referee.languages.sdk import Host

_SUFFIXES: Final = (".cpp", ".cc", ".cxx")
_EXPORTS: Final = ("-D__declspec(x)=", "-D__stdcall=", "-D__cdecl=")


def _builds(sources: Sources) -> tuple[Command, ...]:
    own, sdk = sources.top(), sources.sdk
    # g++ knows a language by suffixes in small letters.
    odd = ("-x", "c++") if any(PurePath(name).suffix not in _SUFFIXES for name in own) else ()
    include = ("-I", sdk.folder) if sdk is not None else ()
    along = [sdk.file(host.along) for host in sources.hosts if sdk and host.along and _brings(sources, own, host)]
    exports = _EXPORTS if along or any("__declspec" in text for text in sources.texts.values()) else ()
    return (("g++", "-std=c++20", "-O2", "-pipe", *exports, *include, *odd, "-o", OUTPUT, *own, *along),)


def _brings(sources: Sources, own: list[str], host: Host) -> bool:
    """Whether a header that hides the SDK's lies beside the sources, or in a folder that one of them names."""
    elsewhere = re.compile(rf'(?im)^[ \t]*#[ \t]*include[ \t]*["<][^">\n]*[/\\]{re.escape(host.serves)}[">]')
    return sources.has(host.serves) or any(elsewhere.search(sources.texts[name]) for name in own)


LANGUAGE: Final = Language(
    name="cpp",
    title="C++",
    suffixes=_SUFFIXES,
    compiler=Tool(("g++", "clang++", "c++"), "g++"),
    sdk="cpp",
    builds=_builds,
    any_case=True,
    spelling=INCLUDES,
    idioms=Idioms(
        flush="std::cout << answer << std::endl",
        log="std::cerr << text << std::endl",
        read="std::getline(std::cin, line) for each line, or std::cin >> value",
    ),
)
