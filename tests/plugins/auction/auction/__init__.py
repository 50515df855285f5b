"""Auction: sealed bids for things whose value each player knows for itself alone. The rules are in README.md."""

from auction.plugin import GAME

__all__ = ["GAME"]
