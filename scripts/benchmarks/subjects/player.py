"""The player layer by itself: prepared requests through `Dialogue.exchange` and `ProcessPlayer.ask`."""

from __future__ import annotations

import os
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import replace
from functools import partial
from time import perf_counter

import trio

from benchmarks.figures import compared, spread
from benchmarks.loops import C_LOOP, PYTHON_LOOP, WrongError, check, loops, pipes_of, started
from benchmarks.plays import PATIENT, patient
from benchmarks.report import Findings, Table
from benchmarks.setting import Setting, pinned
from benchmarks.subject import Subject
from benchmarks.work import Message, Work, standard
from referee import games
from referee.clock import Clock
from referee.game import Fault, Request
from referee.players.stream import Dialogue
from referee.players.table import Contender, seated
from referee.sandbox.cells.bare import BareSandbox


async def exchanged(work: Work, messages: Sequence[Message]) -> float:
    """A work's messages through dialogues: seconds."""
    game = work.game
    with ExitStack() as stack:
        programs = [stack.enter_context(started(work.folder, work.player, seat)) for seat in range(work.seats)]
        dialogues = []
        for program in programs:
            to, back = pipes_of(program)
            os.set_blocking(to, False)
            os.set_blocking(back, False)
            dialogues.append(Dialogue(to, back, cap=game.reply_cap))
        for dialogue in dialogues:
            await dialogue.exchange(b"getName\n", 1, Clock(PATIENT))
        clocks = [Clock(patient(game.time)) for _ in programs]
        lines = {message.ask: game.reply_lines(message.ask) for message in messages}
        began = perf_counter()
        for seat, ask, data, _answer in messages:
            found = await dialogues[seat].exchange(data, lines[ask], clocks[seat])
            clocks[seat].charge(found.elapsed, found.cpu)
            if isinstance(found.reply, Fault):
                raise WrongError(f"a fault: {found.reply.detail}")
        took = perf_counter() - began
        check(programs)
    return took


async def asked(work: Work, messages: Sequence[Message]) -> float:
    """A work's messages through players, which decode the answers of prepared requests: seconds."""
    ready = replace(work.game, encode=lambda request: request.observation)
    requests = [Request(message.seat, message.ask, message.request) for message in messages]
    async with seated(BareSandbox(), ready, list(map(Contender, work.contenders()))) as players:
        for seat, player in enumerate(players):
            await player.ask(Request(seat, "getName", b"getName\n"), Clock(PATIENT))
        clocks = [Clock(patient(ready.time)) for _ in players]
        began = perf_counter()
        for request in requests:
            seat = request.seat
            answer = await players[seat].ask(request, clocks[seat])
            clocks[seat].charge(answer.elapsed, answer.cpu)
            if isinstance(answer.action, Fault):
                raise WrongError(f"a fault: {answer.action.detail}")
        return perf_counter() - began


def measure(setting: Setting) -> Findings:
    """Loops and layers in turn, on one core and free."""
    work = standard(setting, games.find("snakecore"), setting.pick(1_200, 100))
    messages = work.messages()
    measures = loops(setting, work)
    measures["`Dialogue.exchange`"] = partial(trio.run, exchanged, work, messages)
    measures["`ProcessPlayer.ask`"] = partial(trio.run, asked, work, messages)
    rows = []
    for place, cpus in setting.places.items():
        with pinned(cpus):
            taken = setting.rounds(15, measures)
        for name, seconds in taken.items():
            micros = spread([second / len(messages) * 1e6 for second in seconds])
            rows.append(
                (place, name, micros, compared(seconds, taken.get(C_LOOP)), compared(seconds, taken[PYTHON_LOOP]))
            )
    head = ("place", "what", "µs per request", "÷ C", "÷ Python")
    return Findings(
        [Table(head, rows)], [f"SnakeCore's messages, {work.asked:,} of {work.size:,} bytes, {work.seats} players."]
    )


SUBJECT = Subject(
    "player",
    "The player layer",
    "The same messages through the layer that keeps deadlines and caps. `Dialogue.exchange` writes and reads under one "
    "absolute deadline; `ProcessPlayer.ask` also watches the process, decodes the answer and prepares it for the record.",
    measure,
)
