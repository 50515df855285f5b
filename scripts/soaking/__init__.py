"""The search for leaks: `scripts/soak`. The theory is in `__main__.py`."""
