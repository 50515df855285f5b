"""What a recipe knows about its language's SDK: its folder, and its hosts.

1. A contest's template may be a library, or a file with one function, which only the server of that contest can call. Such
   bots play here unchanged: a host is a file of the SDK that calls them. It names the file by which they are recognized.
2. An SDK lists its hosts in `hosts.toml`, so no host is named in this code. The recipe of the language decides how to use one.
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
    """Files of an SDK for the bots of one template. All attributes are file names.

    Attributes:
        serves: the file in the bot's folder by which such a bot is recognized: its own source, or an interface that it uses.
        program: the file of the SDK that becomes the program and calls the bot; None if such bots are programs themselves.
        along: the file of the SDK that is compiled into a bot that is a program; None without one.
    """

    serves: str
    program: str | None = None
    along: str | None = None

    @property
    def module(self) -> str:
        """The name of the served file without its suffix, as some languages name it."""
        return PurePath(self.serves).stem


@dataclass(frozen=True, slots=True)
class Sdk:
    """The SDK of a language, as a build sees it: the path, the hosts, and the names of all files at the top of the folder."""

    folder: str
    hosts: tuple[Host, ...] = ()
    files: tuple[str, ...] = ()

    def file(self, name: str) -> str:
        return f"{self.folder}/{name}"


def hosts_in(text: str) -> tuple[Host, ...]:
    """The hosts in the text of a `hosts.toml`, in order.

    Raises:
        ValueError: the text is not TOML. KeyError: it has no hosts. TypeError: a host has wrong keys.
    """
    return tuple(Host(**entry) for entry in tomllib.loads(text)["host"])
