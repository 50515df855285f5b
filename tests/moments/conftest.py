"""The toy match of the views."""

from terminal.conftest import toy

__all__ = ["toy"]
