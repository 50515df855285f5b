"""The plug-in and its wire format."""

from __future__ import annotations

import re
from collections.abc import Sequence

from auction.rules import COINS, Auction, start
from referee.gamekit import Control, Event, Game, InvalidReply, Request, TimeControl, decode_name, quote

_BID = re.compile(rb"(\d{1,3})[ \t]*\r?")


def encode(request: Request[Auction]) -> bytes:
    """What a seat may know: its own value, and no other."""
    if request.ask == "getName":
        return b"getName\n"
    match, seat = request.observation, request.seat
    mine = f"{match.values[seat]} {match.coins[seat]} {match.points[seat]}"
    return f"getBid\n{match.turn} {match.rounds}\n{mine}\n{len(match.bidding) - 1}\n".encode()


def decode(ask: str, lines: Sequence[bytes]) -> int | str:
    """A name or a bid. Raises: InvalidReply."""
    if ask == "getName":
        return decode_name(lines[0])
    if (bid := _BID.fullmatch(lines[0])) is None or int(bid[1]) > COINS:
        raise InvalidReply(
            f"expected a whole number up to {COINS}, got {quote(lines[0]) if lines[0] else 'an empty line'}"
        )
    return int(bid[1])


def tell(event: Event, names: Sequence[str]) -> str | None:
    """A sale in words."""
    return f"{names[event['seat']]} buys for {event['price']}" if event["event"] == "sold" else None


def controls(state: Auction, seat: int, _names: Sequence[str]) -> list[Control]:
    """Four bids. Without `foresee`, which knows the values of others and of the next round."""
    value, coins = state.values[seat], state.coins[seat]
    bids = {"n": ("nothing", 0), "h": ("half", value // 2), "v": ("the value", value), "d": ("double", value * 2)}
    return [
        Control([key], f"bid {min(bid, coins)}, {words}", str(min(bid, coins))) for key, (words, bid) in bids.items()
    ]


GAME: Game[Auction, int | str] = Game(
    name="auction",
    title="Auction",
    summary="sealed bids for things whose value each player knows for itself alone",
    rules_version=1,
    seats=range(2, 7),
    start=start,
    encode=encode,
    decode=decode,
    time=TimeControl(first=15.0, answer=1.0, total=60.0),
    tell=tell,
    controls=controls,
    together=True,
)
