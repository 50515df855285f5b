"""Players without a process: asked inside the referee, together with processes of both kinds."""

from dataclasses import dataclass, field, replace
from typing import Any

import pytest
from contests import setup
from seating import Keeps, contenders

from referee.contract.clock import Clock, TimeControl
from referee.contract.game import Answer, Fault, Request
from referee.errors import BotError
from referee.games.snakecore.plugin import GAME
from referee.players.oneshot import OneShotPlayer
from referee.players.policy import PolicyPlayer
from referee.players.process_player import ProcessPlayer
from referee.players.table import seat_players
from referee.sandbox.cells.bare import BareSandbox

BOTH = replace(GAME, lifetimes=("game", "turn"), encode_turn=GAME.encode)


@dataclass
class Goes:
    """A policy that always goes the same way."""

    name: str = "Goes"
    letter: str = "R"
    asked: list[str] = field(default_factory=list)

    def decide(self, request: Request[Any]) -> str:
        self.asked.append(request.ask)
        return self.letter


def action_request() -> Request[Any]:
    """The first request of a match that asks for an action."""
    state = GAME.start(setup(8), 1)
    for _ in range(3):
        state.advance(["bot"])
    return state.requests()[0]


async def test_the_answer_of_a_policy_is_formatted_by_the_game():
    answer = await PolicyPlayer(GAME, 2, Goes(letter="U")).ask(action_request(), Clock(GAME.time))
    assert answer._replace(elapsed=0.0) == Answer(2, "U", "U", 0.0, None)
    assert 0 < answer.elapsed < 1


@pytest.mark.parametrize("kind", ["wall", "cpu"])
async def test_a_policy_is_never_charged_more_than_a_limit(kind):
    """Otherwise the saved game would contain a late answer that is not a fault."""
    player, request = PolicyPlayer(GAME, 2, Goes()), action_request()
    for control in (TimeControl(1e-9, 1e-9, None, kind), TimeControl(1.0, 1.0, 2e-9, kind)):
        clock = Clock(control)
        for _ in range(3):
            answer = await player.ask(request, clock)
            assert answer.elapsed <= clock.limit
            clock.charge(answer.elapsed, answer.cpu)
        assert clock.used < 4e-9
        assert not isinstance(answer.action, Fault)


async def test_the_game_cuts_the_name_of_a_policy_and_the_policy_decides_nothing():
    for name, shown in (("Удав", "Удав"), ("п" * 40, "п" * 32), ("a\tb\x1b[1m", "a?b?[1m"), ("", "")):
        policy = Goes(name)
        answer = await PolicyPlayer(GAME, 1, policy).ask(Request(1, "getName", None), Clock(GAME.time))
        assert answer == Answer(1, shown, shown, 0.0)
        assert policy.asked == []


async def test_an_error_of_a_policy_is_our_bug_and_not_a_fault():
    class Fails(Goes):
        def decide(self, request):
            raise ZeroDivisionError

    player = PolicyPlayer(GAME, 0, Fails())
    with pytest.raises(ZeroDivisionError):
        await player.ask(action_request(), Clock(GAME.time))


async def test_a_tap_gets_what_a_process_of_the_seats_lifetime_would_have_exchanged():
    """A process that lives for a turn is not asked for its name. Without programs, no sandbox is needed."""
    taps, request = [Keeps(), Keeps()], action_request()
    turns = replace(BOTH, encode_turn=lambda request: b"look at this\n")
    async with seat_players(
        None, turns, contenders([Goes(), Goes()], lifetimes=["game", "turn"], taps=taps)
    ) as players:
        for player in players:
            assert (await player.ask(Request(0, "getName", None), Clock(GAME.time))).text == "Goes"
            await player.ask(request, Clock(GAME.time))
    name, answer = [("sent", b"getName\n"), ("received", b"Goes\n")], ("received", b"R\n")
    assert taps[0].passed == [*name, ("sent", GAME.encode(request)), answer]
    assert taps[1].passed == [("sent", b"look at this\n"), answer]


async def test_players_of_all_kinds_can_play_in_one_match(bot):
    who = [bot("honest"), Goes(), bot("honest")]
    async with seat_players(BareSandbox(), BOTH, contenders(who, lifetimes=["turn", "game", "game"])) as players:
        assert [type(player) for player in players] == [OneShotPlayer, PolicyPlayer, ProcessPlayer]
        assert [player.lifetime for player in players] == ["turn", "turn", "game"]
        names = [await player.ask(Request(k, "getName", None), Clock(GAME.time)) for k, player in enumerate(players)]
        assert [(answer.seat, answer.action) for answer in names] == [(0, "honest"), (1, "Goes"), (2, "bot")]
        request = action_request()
        answers = [await player.ask(request, Clock(GAME.time)) for player in players]
        assert [answer.action for answer in answers] == ["N", "R", "N"]
        assert [player.last_words(1) for player in players] == [[], [], []]


@pytest.mark.parametrize(("usual", "kind"), [("game", ProcessPlayer), ("turn", OneShotPlayer)])
async def test_the_default_lifetime_is_that_of_the_game(bot, usual, kind):
    game = replace(BOTH, lifetimes=(usual,))
    async with seat_players(BareSandbox(), game, contenders([bot("honest")])) as (player,):
        assert isinstance(player, kind)


async def test_all_are_started_or_none_whatever_their_kind(bot):
    absent = replace(bot("x"), argv=["./absent"])
    for lifetime in ("game", "turn"):
        with pytest.raises(BotError, match=r"^bot x cannot be started"):
            async with seat_players(
                BareSandbox(), BOTH, contenders([Goes(), bot("honest"), absent], lifetimes=["game", "game", lifetime])
            ):
                pytest.fail("the match begins anyway")
