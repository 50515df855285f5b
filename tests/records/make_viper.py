"""Makes `viper.jsonl`, the golden record: `PYTHONPATH=tests python tests/records/make_viper.py`.

The players of `make_ava.py` play another match, with letters of double weight in their answers. Two snakes share a rank.
"""

from __future__ import annotations

from pathlib import Path

from records.make_ava import play

from referee import games


def make(path: Path) -> None:
    """Make the golden record of viper."""
    play(games.find("viper"), path, seed=140, sizes={"size": 11, "length": 4, "steps": 120}, repeats=2)


if __name__ == "__main__":
    make(Path(__file__).with_name("viper.jsonl"))
