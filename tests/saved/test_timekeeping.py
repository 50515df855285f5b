"""Times and verdicts agree: an answer beyond its limit is a fault, and a timeout was charged at least its limit."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee import games
from referee.contract.clock import LATE_END, Clock, TimeControl
from referee.contract.game import Answer, Entrant, Fault, FaultKind, Step
from referee.errors import SavedGameError
from referee.saved import replay
from referee.saved.entries import Header, StepEntry
from referee.saved.record import header_line, load, step_line
from referee.saved.timekeeping import check_times

RECORDS = Path(__file__).parents[1] / "records"
CPU = "the 2 s of CPU time for all answers together are used up"


LATE = f"it {LATE_END}"


def header(clock: str = "wall", *, first: float = 5.0, answer: float = 1.0, total: float | None = 2.0) -> Header:
    line = header_line(
        games.find("snakecore"), TimeControl(first, answer, total), [Entrant("one"), Entrant("two")],
        rng_seed=1, setup={}, created="2026-01-31T12:00:00Z", referee="0.1.0",
    )  # fmt: skip
    return Header.model_validate(line | {"clock": clock})


def took(ms: float, cpu: float | None = None, *, seat: int = 0, **more: Any) -> dict[str, Any]:
    """The entry of an answer."""
    return {"seat": seat, "answer": "U", "ms": ms, **({} if cpu is None else {"cpu": cpu}), **more}


def late(
    ms: float, cpu: float | None = None, *, seat: int = 0, detail: str = "too late", fault: str = "timeout"
) -> Any:
    """The entry of a fault."""
    return took(ms, cpu, seat=seat) | {"answer": None, "fault": fault, "detail": detail}


def steps_of(*answers: Any) -> list[StepEntry]:
    """A step for each answer, or for each list of them."""
    return [
        StepEntry.model_validate(
            {"type": "step", "step": number, "round": 1, "ask": "getAction", "events": [],
             "answers": answer if isinstance(answer, list) else [answer]}
        )
        for number, answer in enumerate(answers, start=1)
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("head", "answers"),
    [
        # The first answer of each seat has another limit.
        (header(total=None), [took(5000), took(5000, seat=1), took(1000), took(1000, seat=1)]),
        (header(total=None), [[took(5000), took(4999.9, seat=1)], [took(1000), took(0, seat=1)]]),
        (header(total=None), [took(1), late(1000), took(1, seat=1)]),
        # The rest of the total is a limit; each seat has its own total.
        (header(), [took(1000), took(600), took(400), took(1000, seat=1), took(1000, seat=1), took(0)]),
        (header(), [took(1000), took(700), late(300)]),
        (header(), [took(1000), took(700), late(1000)]),
        (header(), [took(1000), took(1000), late(0)]),
        # Other faults may take any time. A bot with one process per turn is asked again after a fault.
        (header(), [late(7000, fault="invalid"), late(0, seat=1, fault="exit")]),
        (header(total=None), [late(7000), late(1000.3), took(1000)]),
        (header(), [late(7000), late(0), late(0.02)]),
        # Half a unit of the last digit.
        (header(answer=0.0099996), [took(1), took(10.0)]),
        (header(answer=0.0099996), [took(1), took(10)]),
        (header(answer=0.0100004), [took(1), late(10.0)]),
        (header(answer=0.0012345), [took(1), took(1.235)]),
        (header(answer=0.0012344), [took(1), late(1.234)]),
        (header(total=0.001), [took(0.333), took(0.334), took(0.334)]),
        (header(total=0.001), [took(0.333), took(0.333), late(0.333)]),
        (header(total=1.0, first=1.0), [took(334), took(334), took(333)]),
        (header(total=0.1, first=1.0), [*[took(0.1)] * 1000, took(0.05), late(0)]),
        (header(answer=0.0003), [took(1), took(0.3)]),
        # The limits of single answers are wall time under either clock, the total is not.
        (header("cpu"), [took(5000, 1), took(1000, 1), took(1000, 1), took(1000, 1)]),
        (header("cpu"), [took(1, 1999.5), took(1, 0.5), took(5, 1000, seat=1)]),
        (header("cpu"), [took(5, 1), late(1000.1, 1)]),
        (header("cpu"), [took(5, 1500), late(1, 600, detail=CPU)]),
        (header("cpu"), [took(5, 2000), late(0, 0, detail=CPU)]),
        (header("cpu", total=None), [took(5, 9999), late(1000, 9999)]),
        # Without measured CPU time, wall time is charged, and the next answer finds the total used up.
        (header("cpu"), [took(900), took(900), took(900), late(0, detail=CPU)]),
        (header("cpu"), [took(5, 1500), late(3, detail=CPU)]),
        # With a wall clock, CPU time is not limited.
        (header(), [took(5, 9999), took(5, 9999)]),
    ],
)
def test_consistent_times(head: Header, answers: list[Any]) -> None:
    check_times("game.jsonl", head, steps_of(*answers))


@pytest.mark.parametrize(
    ("head", "answers", "why"),
    [
        (header(total=None), [took(1), took(5000)], "was charged 5000 ms, 1000 ms were allowed, and there is no fault"),
        (header(total=None), [took(5001)], "was charged 5001 ms, 5000 ms were allowed, and there is no fault"),
        (header(total=None), [took(1), took(1000.001)], "was charged 1000.001 ms, 1000 ms were allowed, and"),
        (header(total=None), [[took(1, seat=1), took(1)], [took(1, seat=1), took(1001)]], "was charged 1001 ms, 1000 ms"),
        (header(answer=1e-9), [took(1), took(0.41)], "was charged 0.41 ms, 1e-06 ms were allowed, and there is no fault"),
        (header(answer=0.0099994), [took(1), took(10.001)], "was charged 10.001 ms, 9.9994 ms were allowed"),
        (header(), [took(900), took(900), took(900)], "was charged 2700 ms in all, 2000 ms were allowed, and there is no"),
        (header(), [late(7000), took(1)], "was charged 7001 ms in all, 2000 ms were allowed, and there is no fault"),
        (header(), [late(1999.9, fault="invalid"), took(0.35)], "was charged 2000.25 ms in all, 2000 ms were allowed"),
        (header(total=1.0), [took(999.9), took(0.1), *[took(0.02)] * 7], "was charged 1000.14 ms in all, 1000 ms were"),
        (header(total=None), [took(1), late(0)], "timed out after 0 ms, 1000 ms were allowed"),
        (header(total=None), [late(4999)], "timed out after 4999 ms, 5000 ms were allowed"),
        (header(total=None), [took(1), late(999.999)], "timed out after 999.999 ms, 1000 ms were allowed"),
        (header(), [took(1000), took(700), late(298)], "timed out after 298 ms, 300 ms were allowed"),
        (header(), [took(1000), late(0, detail=CPU)], "timed out after 0 ms, 1000 ms were allowed"),
        (header("cpu"), [took(1, 1), took(1000.4, 1)], "was charged 1000.4 ms, 1000 ms were allowed, and there is no fault"),
        (header("cpu"), [took(1, 1900), took(1, 102)], "was charged 2002 ms of CPU time in all, 2000 ms were allowed, and"),
        (header("cpu"), [took(900), took(900), took(900), took(1)], "was charged 2700 ms of CPU time in all, 2000 ms were"),
        (header("cpu"), [took(900), took(900), took(900), took(0)], "was charged 2700 ms of CPU time in all, 2000 ms were"),
        # The rounding of an answer without measured CPU time does not count before the next answer.
        (header("cpu"), [took(999.9), took(999.9), took(0.35), took(1)], "was charged 2000.15 ms of CPU time in all, 2000"),
        (header("cpu"), [took(1, 1900), late(3, 50, detail=CPU)], "timed out by CPU time after 1950 ms of it, 2000 ms were"),
        (header("cpu"), [took(1, 1900), late(3, 500)], "timed out after 3 ms, 1000 ms were allowed"),
        (header("cpu", total=None), [took(1, 1), late(3, 500, detail=CPU)], "timed out after 3 ms, 1000 ms were allowed"),
    ],
)  # fmt: skip
def test_inconsistent_times(head: Header, answers: list[Any], why: str) -> None:
    with pytest.raises(SavedGameError) as caught:
        check_times("game.jsonl", head, steps_of(*answers))
    assert str(caught.value).startswith(f"game.jsonl, line {len(answers) + 1}: times: seat 0 {why}")
    assert caught.value.line == len(answers) + 1


def test_the_house_has_no_limits() -> None:
    head = header()
    players = [head.players[0], head.players[1].model_copy(update={"house": True})]
    head = head.model_copy(update={"players": players})
    check_times("game.jsonl", head, steps_of(took(9000, seat=1), took(9000, seat=1), took(1)))
    with pytest.raises(SavedGameError, match="line 2: times: seat 0 was charged 9000 ms"):
        check_times("game.jsonl", head, steps_of(took(9000), took(9000, seat=1)))


def test_an_end_that_is_too_late_is_a_timeout_whatever_its_answer_took() -> None:
    """Only a process that lives for one turn has to end; the total still counts its answer."""
    head = header()
    players = [head.players[0], head.players[1].model_copy(update={"lifetime": "turn"})]
    head = head.model_copy(update={"players": players})
    check_times("game.jsonl", head, steps_of(late(900, seat=1, detail=LATE), late(900, seat=1, detail=LATE)))
    with pytest.raises(SavedGameError, match="line 2: times: seat 0 timed out after 900 ms"):
        check_times("game.jsonl", head, steps_of(late(900, detail=LATE)))
    with pytest.raises(SavedGameError, match="line 2: times: seat 1 timed out after 900 ms"):
        check_times("game.jsonl", head, steps_of(late(900, seat=1)))
    with pytest.raises(SavedGameError, match="line 4: times: seat 1 was charged 2700 ms in all"):
        check_times("game.jsonl", head, steps_of(*[late(900, seat=1, detail=LATE)] * 2, took(900, seat=1)))


def test_verify_reports_a_timeout_with_a_forged_time(tmp_path: Path) -> None:
    """In the golden record, the timeout gets a time below its limit; `verify` names the line."""
    lines = [json.loads(line) for line in (RECORDS / "snakecore.jsonl").read_bytes().splitlines()]
    number = next(k for k, line in enumerate(lines) for answer in line.get("answers", ()) if "fault" in answer)
    lines[number]["answers"][0]["ms"] = 0
    path = tmp_path / "game.jsonl"
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    with pytest.raises(SavedGameError, match=f"line {number + 1}: times: seat . timed out after 0 ms, 1000 ms were"):
        replay.verify(load(path))


# -- Times that the referee writes ---------------------------------------------------------------------------------

seconds = st.one_of(
    st.floats(1e-9, 100), st.integers(1, 10**7).map(lambda µs: µs / 1e6), st.sampled_from([1e-9, 0.0003, 0.1, 1.0])
)
parts = st.one_of(st.floats(0, 1), st.sampled_from([0.0, 1.0, 0.5]))


def in_time(clock: Clock, part: float, used: float | None) -> Answer[str] | None:
    """An answer that took these parts of its limit and of the remaining CPU time; None if no time is left."""
    if clock.limit <= 0:
        return None
    cpu = None if used is None else min(clock.cpu_limit, 50.0) * used
    return Answer(0, "U", "U", clock.limit * part, cpu)


def timeout(clock: Clock, more: float, used: float | None) -> Answer[str]:
    """A timeout, by wall time or, if possible, by the total of CPU time."""
    if used is not None and clock.cpu_limit < float("inf"):
        fault = Fault(FaultKind.TIMEOUT, clock.why_total())
        return Answer(0, fault, None, clock.limit * used, clock.cpu_limit + more)
    return Answer(0, Fault(FaultKind.TIMEOUT, clock.why(clock.limit)), None, clock.limit + more, used)


@given(
    control=st.builds(TimeControl, seconds, seconds, st.none() | seconds, st.sampled_from(["wall", "cpu"])),
    data=st.data(),
)
def test_saved_times_agree_with_the_verdicts_of_the_clock(control: TimeControl, data: st.DataObject) -> None:
    """This holds although saved times are rounded."""
    clock, lines = Clock(control), []
    for number in range(1, data.draw(st.integers(2, 30))):
        kind = data.draw(st.sampled_from(["answer", "answer", "answer", "timeout", "exit"]))
        part, used = data.draw(parts), data.draw(st.none() | parts)
        answer = in_time(clock, part, used) if kind != "timeout" else None
        if answer is None:
            answer = timeout(clock, data.draw(st.sampled_from([0.0, 1e-6, 0.2])), used)
        elif kind == "exit":
            answer = answer._replace(action=Fault(FaultKind.EXIT, "exited with status 1"), text=None)
        clock.charge(answer.elapsed, answer.cpu)
        lines.append(step_line(Step(number, 1, "getAction", [answer], []), str))
    head = header(control.kind, first=control.first, answer=control.answer, total=control.total)
    check_times("game.jsonl", head, [StepEntry.model_validate(json.loads(json.dumps(line))) for line in lines])
