"""What `referee ask` prints: a line for each answer or one step in full, then a summary, and how to play on."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from referee import bots as bot_room
from referee.cli.again import command, play_words
from referee.cli.narrator import Replaying
from referee.cli.saved import bots_of
from referee.compliance.diagnosis import Circumstances
from referee.contract.game import Answer, Fault, Lifetime, Step
from referee.match.rerun import AnswerPair, is_same_bot, text_of
from referee.moments.columns import fit
from referee.moments.formatting import lapse
from referee.players.wire import encode_request
from referee.saved.replay import Replay
from referee.text.words import harmless, shorten, unnumbered

WIDTH: Final = 24
"""Columns of an answer in the list."""
WHOLE: Final = 4000
"""The most characters of an answer with --step."""
MOMENT: Final = "moment.json"
"""The file of the position in the commands that play on."""


class Answers:
    """Collects the answers, and prints those that the user asked for."""

    def __init__(
        self,
        replay: Replay,
        steps: Sequence[int],
        progress: Replaying,
        *,
        lifetime: Lifetime = "game",
        step: int | None,
        every: bool,
        show: bool,
    ) -> None:
        """Print nothing yet.

        Args:
            steps: the steps whose requests will be put to the bot.
            lifetime: the lifetime of the bot's processes, which decides how a request is encoded.
            step: the step to show; None for a list.
            every: whether to show all answers, not only those that differ.
            show: whether to print; otherwise the answers are kept for the report.
        """
        self._game, self._lifetime = replay.game, lifetime
        self._steps = [number for number in steps if step is None or number <= step]
        self._step, self._every, self._show = step, every, show
        self._progress = progress
        self._documents: list[dict[str, Any]] = []
        self._given: list[tuple[Step, Answer[Any]]] = []
        self._listed = self._differ = 0

    def tell(self, pair: AnswerPair) -> None:
        """Take an answer. `rerun.ask_again` calls this."""
        self._given.append((pair.step, pair.now))
        self._differ += pair.differs
        if self._step is not None:
            show, relevant = self._print_step, pair.step.number == self._step
        else:
            show, relevant = self._print_line, self._every or pair.differs
        if relevant and self._show:
            self._progress.close()
            show(pair)
        elif relevant:
            self._documents.append(self._as_json(pair))
        self._progress(pair.step.number, self._steps[-1])

    @property
    def fault(self) -> Fault | None:
        """The bot's last fault; None without one."""
        return next((now.action for _, now in reversed(self._given) if isinstance(now.action, Fault)), None)

    @property
    def name(self) -> str:
        """The bot's answer to getName; empty without one."""
        names = [now for step, now in self._given if step.round == 0 and not isinstance(now.action, Fault)]
        return text_of(self._game, names[-1]) if names else ""

    def circumstances(self, log: Sequence[str], memory: int | None) -> Circumstances:
        """What is known of the fault, with the last lines on stderr and the limit of memory."""
        number = max(number for number, (_, now) in enumerate(self._given) if isinstance(now.action, Fault))
        step, now = self._given[number]
        return Circumstances(step.ask, number, log, memory, None if now.cpu is None else now.cpu > now.elapsed / 2)

    def print_sum(self) -> None:
        """Print the summary, or with a step, why it was not reached."""
        count, every = len(self._given), len(self._steps)
        if self._step is not None:
            if self.fault is not None and count < every:
                print(f"step {self._step} was not reached: the bot failed in step {self._steps[count - 1]}")
            return
        step, seconds = self._slowest()
        print(f"asked {count} of {every}, {self._differ} differ, slowest {lapse(seconds)} in step {step}")

    def report(self) -> dict[str, Any]:
        """What `--json` prints."""
        step, seconds = self._slowest()
        return {
            "requests": len(self._steps),
            "asked": len(self._given),
            "differ": self._differ,
            "slowest": {"step": step, "seconds": round(seconds, 6)},
            "fault": None if self.fault is None else {"kind": self.fault.kind.value, "detail": self.fault.detail},
            "answers": self._documents,
        }

    def _slowest(self) -> tuple[int, float]:
        """The step and the seconds of the slowest move; without a move, of the answer to getName, which includes the start."""
        moves = [given for given in self._given if given[0].round > 0]
        step, now = max(moves or self._given, key=lambda given: given[1].elapsed)
        return step.number, now.elapsed

    def _print_line(self, pair: AnswerPair) -> None:
        if not self._listed:
            print(f"  step  round  {'recorded':<{WIDTH}}  {'now':<{WIDTH}}    time")
        self._listed += 1
        both = [fit(self._text(answer, WIDTH), WIDTH) for answer in (pair.recorded, pair.now)]
        mark = "  differs" if self._every and pair.differs else ""
        times = f"{lapse(pair.now.elapsed):>6}{mark}"
        print(f"{pair.step.number:>6}  {pair.step.round:>5}  {'  '.join(both)}  {times}", flush=True)

    def _print_step(self, pair: AnswerPair) -> None:
        step, data = pair.step, encode_request(self._game, pair.request, self._lifetime)
        print(f"step {step.number}, round {step.round}: {harmless(step.ask)}, {len(data)} bytes\n")
        for line in data.decode(errors="backslashreplace").removesuffix("\n").split("\n"):
            print(harmless(line))
        mark = "  differs" if pair.differs else ""
        print(f"\nrecorded: {self._text(pair.recorded, WHOLE)}  {lapse(pair.recorded.elapsed)}")
        print(f"now:      {self._text(pair.now, WHOLE)}  {lapse(pair.now.elapsed)}{mark}", flush=True)

    def _text(self, answer: Answer[Any], most: int) -> str:
        """An answer in one line, not empty."""
        return shorten(text_of(self._game, answer), most) or '""'

    def _as_json(self, pair: AnswerPair) -> dict[str, Any]:
        document: dict[str, Any] = {"step": pair.step.number, "round": pair.step.round, "ask": pair.step.ask}
        if self._step is not None:
            document["request"] = encode_request(self._game, pair.request, self._lifetime).decode(errors="replace")
        both = {"recorded": self._answer_json(pair.recorded), "now": self._answer_json(pair.now)}
        return document | both | {"differs": pair.differs}

    def _answer_json(self, answer: Answer[Any]) -> dict[str, Any]:
        fields: dict[str, Any] = {"answer": None, "seconds": round(answer.elapsed, 6)}
        if isinstance(answer.action, Fault):
            return {**fields, "fault": answer.action.kind.value, "detail": answer.action.detail}
        return {**fields, "answer": text_of(self._game, answer)}


def play_on(
    replay: Replay, seat: int, step: int, bot: str, options: Sequence[str]
) -> tuple[Sequence[str], Sequence[str]]:
    """The commands that cut out the position before a step and play on from it, and notes about them.

    A saved game does not say where its bots are. So a sample bot replaces each bot that is not a sample bot. A bot in another
    bot's seat does not get that bot's memory.

    Args:
        seat: the seat of the bot, from 0. step: the step that asked it.
        bot: the bot as the user named it.
        options: the options of `play`, from `again.option_words`.
    """
    game, name = replay.game, bot_room.find(bot, replay.game.name).name
    samples = bots_of(replay)
    moment = replay.state_at(step - 1).position()
    notes, words, forget = [], [], []
    for player in replay.record.header.players:
        stranger = False
        if player.seat == seat or unnumbered(player.bot) == name:
            word, stranger = bot, not is_same_bot(name, player.bot)
        elif player.house:
            word = f"{player.bot}={bot_room.HOUSE}" if player.given else bot_room.HOUSE
        elif (sample := samples[player.seat]) is not None:
            word = sample
        else:
            word, stranger = next(iter(bot_room.samples(game.name, own_runtime=True)), "BOT"), True
            who = f"{shorten(player.bot, 60)} in seat {player.seat + 1}"
            notes.append(f"({word} replaces {who}: the saved game does not say where that bot is)")
        words.append(word)
        if stranger and game.forgotten(moment, player.seat) != moment:
            forget += ["--forget", str(player.seat + 1)]
    header = replay.record.header
    cut_command = command("state", replay.record.path, "--step", str(step - 1), *forget)
    play_command = command(*play_words(game, words, start=["--setup", MOMENT], seed=header.rng_seed, options=options))
    return [f"{cut_command} > {MOMENT}", play_command], notes
