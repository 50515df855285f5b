"""The command line in an empty folder, as tests of commands have it."""

from cli.conftest import cache, referee

__all__ = ["cache", "referee"]
