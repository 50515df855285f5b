"""The benchmarks of the referee: `scripts/bench`. The theory is in `__main__.py`."""
