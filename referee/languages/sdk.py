"""What a recipe knows of its language's SDK: where it lies, and which of its files make programs of bots that are none.

1. A contest's template may be a library, or one function in a file, with an interface beside it that only the contest's server
   can call. Its bots are to play as they are. A host is a file of an SDK that calls them; it tells which file they are known by.
2. Hosts are told by the SDK itself, in its `hosts.toml`, so nothing here knows any of them. What is done with one is for the
   language's recipe to say.
"""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from pathlib import PurePath
from typing import Final

HOSTS: Final = "hosts.toml"
"""The file in an SDK's folder that names its hosts."""


@dataclass(frozen=True, slots=True)
class Host:
    """What an SDK has for bots of one template. All are names of files.

    Attributes:
        serves: in the bot's folder, what it is known by: its own source, or an interface that it uses or brings along.
        program: in the SDK's, the program that takes the bot in, which is no program; None where bots always are.
        along: in the SDK's, what is built into a bot that is a program; None where nothing is.
    """

    serves: str
    program: str | None = None
    along: str | None = None

    @property
    def module(self) -> str:
        """What the served file is called where its language names it without its suffix."""
        return PurePath(self.serves).stem


@dataclass(frozen=True, slots=True)
class Sdk:
    """The SDK of a language, as a build sees it.

    Attributes:
        folder: its path.
        hosts: what it has for bots that are no programs.
    """

    folder: str
    hosts: tuple[Host, ...] = ()

    def file(self, name: str) -> str:
        """The path of one of its files."""
        return f"{self.folder}/{name}"


def hosts_in(text: str) -> tuple[Host, ...]:
    """The hosts that a `hosts.toml` names, in their order.

    Raises:
        ValueError: it is no TOML. KeyError: it has no hosts. TypeError: one of them has other keys than a host.
    """
    return tuple(Host(**entry) for entry in tomllib.loads(text)["host"])
