"""What the referee costs, measured: `scripts/bench`. The theory is in `__main__.py`."""
