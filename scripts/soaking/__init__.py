"""The search for leaks and losses: `scripts/soak`. The theory is in `__main__.py`."""
