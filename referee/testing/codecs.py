"""Checks of the codec: it reads what it writes, and any bytes from a bot are an action or raise `InvalidReply`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain
from random import Random
from typing import Any, Final

from referee.errors import InvalidReply
from referee.testing.subject import LeftOut, Subject
from referee.text.words import shorten

AWKWARD: Final = (
    *[b"", b"\r", b"\0", b"\xff", b" ", b"\t", b"-", b"9" * 400, b"-" * 400, b"1e999", b"\x1b[2J", b"x" * 1024],
    *["٣".encode(), "\u2028".encode(), "€".encode() * 1500, b"\xed\xa0\x80"],
)
"""Lines that often break parsers: empty, blank, invalid UTF-8, non-ASCII digits, very long."""
DAMAGED: Final = 300
"""Damaged answers for each request."""


def _known_answers(subject: Subject) -> Iterator[tuple[str, Any, list[bytes]]]:
    """Every known answer: its request, the action and its lines."""
    if not set(subject.vocabulary) - {"getName"}:
        raise LeftOut("no valid answer is known: write a sample bot, then `referee game record` writes a golden record")
    for ask, actions in subject.vocabulary.items():
        for action in actions:
            yield ask, action, subject.game.format(action).encode().split(b"\n")


def answers(subject: Subject) -> None:
    """`decode` and `recall` read what `format` writes, in as many lines as `reply_lines` says, also with Windows line ends."""
    game = subject.game
    for ask, action, lines in _known_answers(subject):
        count = game.reply_lines(ask)
        subject.must(len(lines) == count, f"{ask}: {lines} are not {count} lines")
        subject.must(game.decode(ask, lines) == action, f"{ask}: decode reads {lines} as another action")
        recalled = game.recall(ask, game.format(action), [])
        subject.must(recalled == action, f"{ask}: recall reads {lines} as another action")
        with_returns = [line + b"\r" for line in lines]
        subject.must(game.decode(ask, with_returns) == action, f"{ask}: {with_returns} is another action")


def name_answers(subject: Subject) -> None:
    """A name is decoded with `decode_name`: UTF-8 or cp1251, and at most 32 characters."""
    game, name = subject.game, "Питон"
    decoded = game.decode("getName", [name.encode("cp1251") + b"\r"])
    subject.must(decoded == game.format(name) == name, "cp1251 is not read")
    event = {"event": "named", "seat": 0, "name": name}
    subject.must(game.recall("getName", "\ufffd" * 5, [event]) == name, "a name in cp1251 is not recalled")
    refusal = subject.refusal(InvalidReply, "a name of 33 characters", game.decode, "getName", [b"x" * 33])
    subject.must("a name of 33 characters" in refusal, f"a long name is refused with: {refusal}")


def any_bytes(subject: Subject) -> None:
    """Any bytes are an action that can be saved, or an `InvalidReply` with a printable message."""
    game, chance = subject.game, Random(19)
    good: dict[str, list[list[bytes]]] = {}
    for ask, _, lines in _known_answers(subject):
        good.setdefault(ask, []).append(lines)
    for ask, samples in good.items():
        count = game.reply_lines(ask)
        free = "turn" in game.lifetimes and ask != "getName"  # a one-turn player may write any number of lines
        for _ in range(DAMAGED):
            lines = list(chance.choice(samples))
            number = chance.randrange(len(lines))
            cut = chance.randrange(len(lines[number]) + 1)
            lines[number] = lines[number][:cut] + _noise(chance) + lines[number][cut + chance.randrange(2) :]
            if chance.random() < 0.3:
                lines = [_noise(chance) for _ in range(chance.randint(1, count + 3) if free else count)]
            _read(subject, ask, lines)
        for lines in _awkward(samples[0], game.reply_cap):
            _read(subject, ask, lines)


def _awkward(good: Sequence[bytes], cap: int) -> Iterator[list[bytes]]:
    """A good answer with an awkward line, of up to `cap` bytes, in place of all its lines, or of one."""
    for line in AWKWARD:
        if len(line) <= cap:
            yield [line] * len(good)
            yield from ([*good[:k], line, *good[k + 1 :]] for k in range(len(good)))


def _noise(chance: Random) -> bytes:
    return chance.choice([chance.randbytes(chance.randrange(12)), *AWKWARD]).replace(b"\n", b"")[:1000]


def _read(subject: Subject, ask: str, lines: Sequence[bytes]) -> None:
    game, shown = subject.game, shorten(repr(lines), 80)
    try:
        action = game.decode(ask, lines)
    except InvalidReply as refused:
        output = str(refused)
        subject.must(output.isprintable(), f"the message for {shown} is not printable: {output!r}")
    except Exception as wrong:
        wrong.add_note(f": decode({ask!r}, {shown})")
        raise
    else:
        output = game.format(action)
        if ask != "getName":  # a name in cp1251 may be too long in UTF-8
            subject.must(subject.is_answer(ask, action), f"{ask}: {shown} is {output!r}, which is another action")
            saved = b"\n".join(lines[: game.reply_lines(ask)]).decode(errors="replace")
            for text in (output, saved):
                subject.must(game.recall(ask, text, []) == action, f"{ask}: recall reads {text!r} as another action")
    subject.must(len(output) < 10 * game.reply_cap, f"{ask}: {shown} becomes {len(output)} characters")


def any_action(subject: Subject) -> None:
    """The rules take every action that the codec accepts; one that they refuse is an event, not an exception."""
    game = subject.game
    for ask, actions in subject.vocabulary.items():
        good = game.format(actions[0]).encode().split(b"\n")
        for lines in _awkward(good, game.reply_cap):
            try:
                action = game.decode(ask, lines)
            except Exception:
                continue
            state, chance = subject.new(1), Random(1)
            while (due := state.requests()) and due[0].ask != ask:
                subject.played(state, chance, 1)
            if due:
                state.advance([action] * len(due))
                subject.restarted(state)


def request_lines(subject: Subject) -> None:
    """A request is whole lines, the first of them its name; a one-turn player gets it without its name."""
    game = subject.game
    for_a_turn = game.encode_turn is not None
    subject.must(("turn" in game.lifetimes) == for_a_turn, "encode_turn belongs to the lifetime `turn`")
    for line_up in subject.line_ups:
        state = subject.new(15, line_up)
        for _ in chain([None], subject.steps(state, Random(15), 100)):
            for request in state.requests():
                data = game.encode(request)
                subject.must(isinstance(data, bytes), f"{request.ask} is {data!r:.80} instead of bytes")
                subject.must(data.startswith(request.ask.encode() + b"\n"), f"{request.ask} begins with {data[:40]!r}")
                subject.must(data.endswith(b"\n") and b"\r" not in data, f"{request.ask} is not whole lines")
                if game.encode_turn is not None and request.ask != "getName":
                    whole = request.ask.encode() + b"\n" + game.encode_turn(request)
                    subject.must(whole == data, f"{request.ask} is another request for a one-turn player")
