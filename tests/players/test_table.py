"""Players start together and end together. The fixture `nothing_left` checks every test here."""

from contextlib import suppress

import pytest
import trio
from raising import raising
from seating import Hears, Keeps, contenders

from referee.contract.clock import Clock
from referee.contract.game import Request
from referee.games.snakecore.plugin import GAME
from referee.players.base import Player
from referee.players.table import GRACE, end_players, seat_players
from referee.sandbox.cells.bare import BareSandbox


class Thrown(Exception):
    """An error of ours."""


async def throw():
    raise Thrown


class Fake(Player):
    """A player that records the grace of each end."""

    def __init__(self):
        self.ended = []

    async def ask(self, request, clock):
        raise AssertionError("nobody is asked here")

    async def end(self, *, grace):
        await trio.lowlevel.checkpoint()  # a real end waits: this shows that nothing cancels it
        self.ended.append(grace)


async def test_each_player_has_its_seat_its_tap_and_its_log_listener(bot):
    tap, heard = Keeps(), bytearray()
    launches = [bot("honest"), bot("says_goodbye")]
    async with seat_players(BareSandbox(), GAME, contenders(launches, taps=[tap, Hears(heard.extend)])) as players:
        for seat, player in enumerate(players):
            answer = await player.ask(Request(seat, "getName", None), Clock(GAME.time))
            assert (answer.seat, answer.action) == (seat, "bot")
        assert tap.passed == [("sent", b"getName\n"), ("received", b"bot\n")]
        await players[1].end(grace=30.0)
    assert heard == b"goodbye\n"
    assert players[1].last_words(1) == ["goodbye"]


async def test_a_single_error_is_raised_unchanged(bot):
    thrown = Thrown("inside")
    with pytest.raises(Thrown) as caught:
        async with seat_players(BareSandbox(), GAME, contenders([bot("honest")])):
            raise thrown
    assert caught.value is thrown


async def test_a_single_error_from_inner_nurseries_is_raised_unchanged(bot):
    async def fail():
        seats = contenders([bot("honest")])
        async with seat_players(BareSandbox(), GAME, seats), trio.open_nursery() as outer, trio.open_nursery() as inner:
            outer.start_soon(trio.sleep_forever)
            inner.start_soon(throw)

    with pytest.raises(Thrown):
        await fail()


async def test_an_error_of_a_log_listener_ends_the_match_and_is_raised_unchanged(bot):
    with pytest.raises(Thrown):
        async with seat_players(
            BareSandbox(), GAME, contenders([bot("ignores_sigterm")], taps=[Hears(raising(Thrown))])
        ):
            await trio.sleep_forever()


async def test_several_errors_are_raised_as_a_group(bot):
    with pytest.RaisesGroup(Thrown, ValueError, flatten_subgroups=True):
        async with seat_players(BareSandbox(), GAME, contenders([bot("honest")])):
            raise ExceptionGroup("both", [Thrown(), ValueError()])


@pytest.mark.parametrize("count", [0, 1, 2])
async def test_a_cancel_stays_a_cancel(bot, count):
    with trio.CancelScope() as scope:
        async with seat_players(BareSandbox(), GAME, contenders([bot("honest")] * count)):
            scope.cancel()
            await trio.sleep_forever()
    assert scope.cancelled_caught


@pytest.mark.parametrize(("after", "grace"), [("a match", GRACE), ("an error", 0.0), ("a cancel", 0.0)])
async def test_players_get_a_short_grace_after_a_match_and_none_after_an_error_or_a_cancel(after, grace):
    players = [Fake(), Fake()]
    with suppress(Thrown), trio.CancelScope() as scope:
        async with end_players(players):
            if after == "an error":
                raise Thrown
            if after == "a cancel":
                scope.cancel()
                await trio.sleep_forever()
    assert [player.ended for player in players] == [[grace]] * 2
