"""Pages of reports in a real browser."""

from export.conftest import chromium

__all__ = ["chromium"]
