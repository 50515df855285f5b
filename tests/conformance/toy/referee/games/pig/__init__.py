"""Pig: roll a die as often as you dare, but a 1 loses the points of the turn. The rules are in README.md."""
