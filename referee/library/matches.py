"""Plays a match, from players to a result."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final, Literal

import trio
from trio import lowlevel
from typing_extensions import override

from referee.bots import Bot
from referee.contract import game as contract
from referee.contract.game import Fault
from referee.contract.ranking import Ranked
from referee.errors import UsageError, ungrouped
from referee.library.board import Board, Game, seed_of
from referee.library.policies import Player, PolicySeat, bot_of
from referee.library.saved import SavedGame
from referee.match.config import MatchConfig
from referee.match.line_up import Options, Start, build_bots, make_config
from referee.match.session import MatchResult, Session
from referee.moments.formatting import numeral, places
from referee.sandbox.limits import Level
from referee.saved.record import load as load_record
from referee.text.amounts import LARGEST, SMALLEST, whole
from referee.text.markup import el, lines

COLUMNS: Final = 120
"""The width of a table as text."""


@dataclass(frozen=True, repr=False, eq=False)
class Match:
    """A match that was played. `str(match)` is the closing table; a notebook shows it too.

    Attributes:
        game: the `Game`.
        seed: the seed of everything random.
        reason: why the match ended; the game's rules list the reasons.
        rounds: how many rounds were played.
        ranking: the players, best first: `seat`, `name`, `rank`, `score` and `disqualified`.
        bots: the names of the bots, one for each seat.
        names: the names to show, one for each seat: what the bot answered, if that is usable.
        faults: the last fault of each seat that had one, by seat: `kind` and `detail`.
        last_words: the last lines that each seat wrote to stderr.
        table: a row for each player, best first, with the keys of `players` in `referee play --json`.
        board: the last position.
        path: the saved game's file; None if the match was not saved.
    """

    game: Game
    seed: int
    reason: str
    rounds: int
    ranking: list[Ranked]
    bots: list[str]
    names: list[str]
    faults: dict[int, Fault]
    last_words: list[list[str]]
    table: list[dict[str, Any]]
    board: Board
    path: Path | None
    _result: MatchResult
    _bytes: bytes

    @cached_property
    def saved(self) -> SavedGame:
        """The match as a saved game, also if it was not saved in a file: its steps, requests, answers and boards."""
        return SavedGame(load_record(self.path or "the match", self._bytes), self.path)

    @override
    def __str__(self) -> str:
        from referee.terminal.closing_table import print_closing_table
        from referee.terminal.console import as_text

        ranking = [replace(line, name=self.names[line.seat]) for line in self.ranking]
        titles = [column.title for column in self._result.game.columns]
        return as_text(lambda console: print_closing_table(ranking, self._result.seats, titles, console), COLUMNS)

    @override
    def __repr__(self) -> str:
        ranked = zip(places([line.rank for line in self.ranking]), self.ranking, strict=True)
        ranks = ", ".join(f"{numeral(place)} {self.names[line.seat]} {line.score:g}" for place, line in ranked)
        return f"<referee.Match of {self.game.name}: {ranks}>"

    def _repr_html_(self) -> str:
        return el("pre", lines(str(self).splitlines()))


def play(
    players: Sequence[Player],
    *,
    game: str | Game | None = None,
    map: str | Path | None = None,  # noqa: A002
    setup: Mapping[str, Any] | Board | None = None,
    seed: int | None = None,
    rounds: int | None = None,
    rotate: int = 0,
    save: str | Path | None = None,
    first: float | None = None,
    answer: float | None = None,
    total: float | Literal["none"] | None = None,
    pondering: bool = True,
    isolation: Literal["full", "reduced", "none"] = "full",
    memory: int | None = None,
) -> Match:
    """Play one match and return its result.

    >>> def waits(request):
    ...     return "N"
    >>> match = referee.play(["hunter", waits], map="duel", seed=7, rounds=50)
    >>> [(line.rank, line.name, line.score) for line in match.ranking]
    [(1, 'Hunter', 45), (2, 'waits', 0)]

    A player is one of these:

    - a bot as `referee play` takes it: the name of a sample bot, a source file, a folder, a ZIP file, `cmd:PROGRAM ARGS`, or
      `NAME=BOT`. It plays in a process of its own, isolated, and is compiled first if necessary;
    - a function from the text of a request to the text of the answer;
    - an object with a `name` and `decide(board, seat)`: see `Policy`.

    Functions and objects run in the caller's process, so no limit stops them, and what they raise ends the match and reaches the
    caller. They are not asked for a name: an object has its `name`, or that of its class, and a function its `__name__`. The
    saved game has their answers and times like those of other players, and lists their seats (`isolation.in_process`).

    In code that runs under trio, call `play` in a thread. To play several matches at once, call it in processes of your own
    (`concurrent.futures`): a `Match` can be pickled. A player can put the thread that reads its answer to sleep, for 10 s or so.
    That is charged to this player, and nothing else waits, because the thread plays one match.

    Args:
        players: a player for each seat. The house takes the remaining seats, in games that have one.
        game: a `Game` or its name. None is the game of `setup` if that is a board, and SnakeCore otherwise.
        map: see `Game.start`.
        setup: the position to start from, instead of a map's. Its seed and names are not used: a match has its own.
        seed: the seed of everything random. None is a random seed; `Match.seed` tells which.
        rounds: the number of rounds; None is the map's.
        rotate: how many starting places each seat moves on.
        save: the file for the saved game, `.jsonl` or `.jsonl.gz`. A file that exists is kept as `NAME.1.jsonl`.
        first: the limit for the first answer, in seconds. In all three limits, None is the game's.
        answer: the limit for each later answer.
        total: the limit for all answers of a player together; "none" is no limit.
        pondering: whether bots may compute during the turns of others.
        isolation: how bots that are processes are isolated: the levels of `referee play --isolation`.
        memory: the most bytes that a process may use; None is the default limit.

    Raises:
        UsageError: the match cannot be played like this.
        SetupError: the position breaks a rule of the game.
        BotError: a bot cannot be found, built or started.
        IsolationError: this machine cannot isolate bots.
        InvalidReply: a function or an object did not give an answer of the game.
        RefereeError: the machine was too busy, and the match is void.
        OSError: the match cannot be saved.
    """
    if isinstance(players, str) or not isinstance(players, Sequence) or not players:
        raise UsageError("players must be a list with a bot or a function for each seat")
    if lowlevel.in_trio_run():
        raise UsageError("play cannot run inside a trio loop, or in a policy of another match: call it in a thread")
    if game is None and isinstance(setup, Board):
        game = setup.game
    chosen = game if isinstance(game, Game) else Game(game)
    if isolation not in [level.value for level in Level]:
        raise UsageError(f'isolation must be "full", "reduced" or "none", not {isolation!r:.80}')
    memory = None if memory is None else whole("memory", memory)
    if memory is not None and not SMALLEST <= memory >> 20 <= LARGEST:
        limits = f"from {SMALLEST << 20} ({SMALLEST} MiB) to {LARGEST << 20}"
        raise UsageError(f"memory must be a number of bytes, {limits}, not {memory}")
    start = Start(
        seed=seed_of(seed),
        map=None if map is None else str(map),
        rounds=None if rounds is None else whole("rounds", rounds),
        rotate=whole("rotate", rotate),
        setup=None if setup is None else _position(setup, chosen),
    )
    options = Options(
        first=first, answer=answer, total=total, pondering=pondering, isolation=Level(isolation), memory=memory
    )
    words = [_word_or_bot(player, chosen._game, seat) for seat, player in enumerate(players)]
    config = make_config(chosen._game, start, words, options, lambda _line: None)
    with TemporaryDirectory(prefix="referee-saved-") as folder:
        if save is None:
            config = replace(config, saved=Path(folder) / "match.jsonl.gz", synced=False)
        else:
            config = replace(config, saved=Path(save))
        with _without_signals_of_other_loops(), ungrouped():
            return trio.run(_play, chosen, config, save is not None)


def _position(setup: Mapping[str, Any] | Board, game: Game) -> dict[str, Any]:
    if isinstance(setup, Board):
        if setup.game != game:
            raise UsageError(f"setup is a board of {setup.game.title}, not of {game.title}: leave out game")
        return setup.position()
    if not isinstance(setup, Mapping):
        raise UsageError(f"setup must be a board or a position, a dictionary, not {type(setup).__name__}")
    return dict(setup)


@contextmanager
def _without_signals_of_other_loops() -> Iterator[None]:
    """Take the wakeup of signals from a loop that runs in this thread, such as asyncio's, until the match is over."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    wakeup = signal.set_wakeup_fd(-1)
    try:
        yield
    finally:
        signal.set_wakeup_fd(wakeup)


def _word_or_bot(player: Player, game: contract.Game[Any, Any], seat: int) -> str | Bot:
    """A player as `make_config` takes it."""
    if isinstance(player, (str, Path)):
        return str(player)
    if not isinstance(player, type) and (callable(player) or hasattr(player, "decide")):
        return bot_of(player, game)
    raise UsageError(f"players[{seat}] is neither a bot, a function nor an object with decide: {player!r:.80}")


async def _play(game: Game, config: MatchConfig, keeps: bool) -> Match:
    """Build the bots, play, and read the saved game again before it is deleted."""
    config = await build_bots(config, lambda _line: None)
    with closing(Session(config)) as session:
        board = Board(game, session.state, config.seed, session.entrants)
        for bot in config.bots:
            if isinstance(bot.policy, PolicySeat):
                bot.policy.board = board
        result = await session.play()
    assert result.saved is not None
    outcome = result.outcome
    return Match(
        game=game,
        seed=config.seed,
        reason=outcome.reason,
        rounds=outcome.rounds,
        ranking=list(outcome.ranking),
        bots=[bot.name for bot in config.bots],
        names=board.names,
        faults={number: seat.fault for number, seat in enumerate(result.seats) if seat.fault is not None},
        last_words=[list(seat.last_words) for seat in result.seats],
        table=result.players_of(config.bots),
        board=board,
        path=result.saved if keeps else None,
        _result=result,
        _bytes=result.saved.read_bytes(),
    )
