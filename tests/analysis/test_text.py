"""The texts of an explanation and of a shortfall: each statement has its step, and nothing from a bot can harm a terminal."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

from analysis.duels import EACH_RECORD, LATE, RECORDS, duel

from referee.analysis import Commands, document, explain, explanation_lines
from referee.analysis.accounts import Account, Booking
from referee.analysis.seat_text import account_text
from referee.analysis.shortfall import shortfall
from referee.contract.game import Effect
from referee.saved.record import load
from referee.saved.replay import Replay

ONE_OF_MANY = re.compile(r"(?<![\d.,])1 (blocks|bites|points|turns|times|steps|answers|eggs)\b")
COMMANDS = Commands("duel.jsonl", ["oracle", None])

WHOLE = """\
SnakeCore: Anna wins with 3 points; Bob is next with 6 points (disqualified).
The match ended in round 6, step 13 (rounds): referee replay duel.jsonl --step 13

points after  25 %  50 %  75 %  100 %   led
1 Anna           0     3     3      3  38 %
2 Bob            0     0     6      6  15 %

points from  deliveries
1 Anna          +3 in 1
2 Bob           +6 in 1

The turning point: Anna led from round 5, step 12, to the end: referee replay duel.jsonl --step 12
  Bob is disqualified: timeout, no answer within 1 s
Before that, the lead was taken 2 times: referee replay duel.jsonl --step 7
  round 3, step 7: Anna leads: Anna delivers 2 for 3 points
  round 4, step 10: Bob leads: Bob delivers 3 for 6 points

Seat 2 Bob: rank 2 of 2, 6 points, disqualified: timeout; at the end: length 1, energy 0, shield 0
  failed in round 5, step 12: referee ask BOT duel.jsonl --seat 2 --step 12
    getAction, timeout after 1.00s: no answer within 1 s
    before that, it had rank 1 and 6 points; it was disqualified, and not asked again
  gains: deliveries +6 in 1 turn: referee replay duel.jsonl --step 10
      +6  round 4, step 10: Bob delivers 3 for 6 points
  time: reached a limit: referee ask BOT duel.jsonl --seat 2 --step 12
    slowest answers, of 1 s: 1.00s in round 5, step 12; 10ms in round 4, step 10; 8.00ms in round 3, step 8
    first answer 2.00ms of 15 s; all answers together 1.03s of 120 s

BOT stands for the bot of that seat: a saved game does not say where its bots are."""


def test_the_text_for_one_seat(tmp_path: Path) -> None:
    explanation = explain(duel(tmp_path, "RRRNNN", "LLLL" + LATE, rounds=6))
    assert "\n".join(explanation_lines(explanation, COMMANDS, 1)) == WHOLE


def test_the_place_before_a_fault_may_be_shared(tmp_path: Path) -> None:
    lines = explanation_lines(explain(duel(tmp_path, "RRR", LATE, rounds=3)), COMMANDS, 1)
    assert "    before that, it had rank 1= and 0 points; it was disqualified, and not asked again" in lines


def test_changes_that_say_the_same_are_one_line_with_their_sum() -> None:
    (ava,) = [path for path in RECORDS if path.stem == "ava"]
    lines = explanation_lines(explain(Replay(load(ava))), COMMANDS, 1)
    at = next(at for at, line in enumerate(lines) if line.startswith("  gains: bites +5"))
    assert lines[at + 1 : at + 3] == [
        "      +1  round 29, step 110: Питон bites Biter",
        "      +4  round 53, step 180, to round 58, step 194: Питон bites nameless, 4 times",
    ]


def test_turns_that_came_to_nothing_have_the_command_of_the_first(tmp_path: Path) -> None:
    explanation = explain(duel(tmp_path, "RRRNNUNNNU", "LLLLUUUUUN", rounds=10))
    lines = explanation_lines(explanation, COMMANDS, 0)
    at = lines.index("  turns that came to nothing: 7: referee ask oracle duel.jsonl --seat 1 --step 9")
    assert lines[at + 1 : at + 3] == [
        "    waited 5 times: first in round 4, step 9",
        "    skipped (the edge of the field) 2 times: first in round 6, step 13",
    ]


def test_a_turn_in_which_the_seat_was_not_asked_is_shown_on_the_board() -> None:
    """The snake skipped, or another one bit it."""
    explanation = explain(Replay(load(RECORDS[0].with_name("ava.jsonl"))))
    lines = explanation_lines(explanation, Commands("a.jsonl"))
    asked = {story.seat: story.times.was_asked for story in explanation.seats}
    asks = [words for line in lines if (words := re.search(r"ask BOT a.jsonl --seat (\d) --step (\d+)$", line))]
    assert asks
    assert all(asked[int(words[1]) - 1](int(words[2])) for words in asks)
    assert any("skipped without a possible move" in line and ": referee replay" in line for line in lines)


def test_one_thing_that_was_lost_is_singular() -> None:
    def lost(amount: int) -> str:
        booking = Booking(2, Effect(0, "loss", "blocks bitten off by rivals", amount))
        return account_text(
            explanation, Account("loss", "blocks bitten off by rivals", points=False, bookings=[booking])
        )

    explanation = explain(Replay(load(RECORDS[0].with_name("snakecore.jsonl"))))
    assert lost(1) == "1 block bitten off by rivals"
    assert lost(3) == "3 blocks bitten off by rivals in 1 turn"


def test_a_shared_first_place_has_no_turning_point(tmp_path: Path) -> None:
    lines = explanation_lines(explain(duel(tmp_path, "NN", "NN", rounds=2)), COMMANDS)
    assert lines[0] == "SnakeCore: Anna and Bob share the first place with 0 points."
    assert "At the end, nobody was in the lead." in lines
    assert not any(line.startswith("points from") for line in lines)


@EACH_RECORD
def test_a_match_of_four_seats_fits_on_a_page(path: Path) -> None:
    saved = Replay(load(path))
    explanation = explain(saved)
    whole = explanation_lines(explanation, Commands("x.jsonl"))
    assert len(whole) <= 70
    assert all(line.isprintable() for line in whole)
    for story in explanation.seats:
        lines = explanation_lines(explanation, Commands("x.jsonl"), story.seat)
        assert len(lines) <= 60
        assert not any(ONE_OF_MANY.search(line) for line in [*whole, *lines])
        assert [seat["seat"] for seat in document(explanation, story.seat)["seats"]] == [story.seat]


def test_a_name_cannot_harm_a_terminal(tmp_path: Path) -> None:
    saved = duel(tmp_path, "RRRN", "LLLL", rounds=4, name="\u202eA  |\x7f")
    lines = explanation_lines(explain(saved), COMMANDS)
    assert all(line.isprintable() for line in lines)
    assert any("\ufffdA ¦\ufffd" in line for line in lines)
    assert all(line.isascii() for line in explanation_lines(explain(saved), COMMANDS, ascii_only=True))


def test_a_disqualified_seat_is_never_just_the_winner_or_the_next(tmp_path: Path) -> None:
    lines = explanation_lines(explain(duel(tmp_path, LATE, LATE, rounds=2)), COMMANDS)
    assert lines[0] == "SnakeCore: Anna and Bob share the first place with 0 points (disqualified)."
    alone = explanation_lines(explain(duel(tmp_path, "RRR" + LATE, "NNNN" + LATE, rounds=6)), COMMANDS)
    assert alone[0] == ("SnakeCore: Anna wins with 3 points (disqualified); Bob is next with 0 points (disqualified).")


def test_nobody_wins_a_void_match(tmp_path: Path) -> None:
    record = duel(tmp_path, "RRRN", "NNNN", rounds=4).record
    void = replace(record, result=record.result.model_copy(update={"reason": "void"}))
    lines = explanation_lines(explain(Replay(void)), COMMANDS)
    assert lines[0].startswith("SnakeCore: Anna leads with 3 points;")
    assert lines[1].startswith("The match was broken off in round 4, step 10 (void): ")


def test_while_names_are_asked_a_step_has_only_its_number(tmp_path: Path) -> None:
    whole = duel(tmp_path, "NN", "NN", rounds=2)
    record = replace(whole.record, steps=whole.record.steps[:1])
    assert explanation_lines(explain(Replay(record)), COMMANDS)[1].startswith(
        "The match was broken off in step 1 (interrupted)"
    )
    none = replace(whole.record, steps=[])
    assert explanation_lines(explain(Replay(none)), COMMANDS)[1].startswith(
        "The match was broken off before the first step ("
    )


def test_the_loser_is_told_its_points_those_of_the_winner_and_its_turns_for_nothing(tmp_path: Path) -> None:
    explanation = explain(duel(tmp_path, "RRRNNUNNNU", "LLLLUUUUUN", rounds=10))
    result = shortfall(explanation, 0)
    assert result.lines == [
        "It had rank 2 of 2, with 3 points: deliveries +3 in 1 turn.",
        "Bob won with 6 points: deliveries +6 in 1 turn.",
        "Turns that came to nothing: waited 5 times, skipped (the edge of the field) 2 times; the first in round 4, step 9.",
        "Bob led from round 4, step 10, to the end: Bob delivers 3 for 6 points.",
    ]
    assert result.step == 10, "without a loss, the turning point"
    assert shortfall(explanation, 1) is None, "the winner"


@EACH_RECORD
def test_every_seat_of_every_game_but_the_winner_is_told_something(path: Path) -> None:
    explanation = explain(Replay(load(path)))
    for story in explanation.seats:
        result = shortfall(explanation, story.seat)
        alone = [other.rank for other in explanation.seats].count(1) == 1
        assert (result is None) == (story.rank == 1 and alone)
        if result is not None:
            assert len(result.lines) >= 2
            assert all(line.endswith(".") for line in result.lines)
            assert "referee " not in " ".join(result.lines)
            assert result.step is None or 0 <= result.step <= explanation.steps


def test_a_seat_that_is_not_ranked_is_told_nothing(tmp_path: Path) -> None:
    assert shortfall(explain(duel(tmp_path, "N", "N", rounds=1)), 7) is None
