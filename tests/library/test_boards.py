"""The rules in-process, saved games step by step, and tables: for every game."""

import copy
import pickle
import xml.etree.ElementTree as ElementTree
from pathlib import Path
from typing import Any

import pytest

import referee
from referee import games
from referee.files import assets
from referee.saved.record import digest
from referee.saved.replay import Replay

RECORDS = Path(__file__).parents[1] / "records"
LEARNT = pytest.mark.parametrize("name", [game.name for game in games.every() if game.training is not None])
"""Every game whose answers can be listed."""
DUEL = referee.Game("snakecore").start("duel", seats=2, seed=7).position()


def first_of(name: str) -> str:
    """An answer that is always possible in this game."""
    saved = referee.load(RECORDS / f"{name}.jsonl")
    texts = (answer.text for step in saved if step.round for answer in step.answers)
    return next(text for text in texts if text is not None)


@pytest.mark.parametrize("name", games.names())
def test_a_match_played_by_hand_is_the_match_of_functions(name: str) -> None:
    answer = first_of(name)

    def repeats(request: str) -> str:
        return answer

    setup = referee.load(RECORDS / f"{name}.jsonl").board(0)
    match = referee.play([repeats] * setup.seats, setup=setup, seed=5)
    assert match.saved.verify()
    assert match.names[:2] == match.bots[:2] == ["repeats", "repeats#2"]
    board = referee.Game(name).board(match.saved.setup, seed=5, names=["repeats"] * setup.seats)
    for step in match.saved:
        if step.ask == "getName":
            continue
        assert (board.round, board.requests) == (step.round, step.requests)
        assert board.push(*[answer.text or "" for answer in step.answers]) == step.events
        assert board == step.board
    assert board.outcome() == match.board.outcome()
    assert board.requests == []
    assert board.turn is None


@pytest.mark.parametrize("name", games.names())
def test_a_saved_game_is_walked_from_its_first_position_to_its_last(name: str) -> None:
    saved = referee.load(RECORDS / f"{name}.jsonl")
    steps = list(saved)
    assert [step.number for step in steps] == list(range(1, len(saved) + 1))
    faults = [answer.fault for step in steps for answer in step.answers if answer.fault is not None]
    assert faults
    assert all(fault.detail for fault in faults)
    assert all([one.seat for one in step.answers] == [one.seat for one in step.requests] for step in steps[:20])
    assert any(step.words for step in steps)
    assert saved._record.result is not None
    assert digest(saved.board().position()) == saved._record.result.digest
    assert saved.board(0).position() == saved.setup
    assert [line.as_json() for line in saved.ranking] == [line.model_dump() for line in saved._record.result.ranking]


def test_the_text_of_a_request_has_one_line_more_than_a_process_for_one_turn_reads() -> None:
    saved = referee.load(RECORDS / "egghunt.jsonl")
    encode = games.find("egghunt").encode_turn
    assert encode is not None
    for number in (step.number for step in saved if step.ask == "getAction"):
        read = [encode(request).decode() for request in saved._replay.state_at(number - 1).requests()]
        assert [request.text for request in saved.step(number).requests] == ["getAction\n" + text for text in read]


def test_a_walk_plays_each_step_once(monkeypatch: pytest.MonkeyPatch) -> None:
    played, advance = [], Replay._advance
    monkeypatch.setattr(Replay, "_advance", lambda self, *step: (played.append(1), advance(self, *step)))
    saved = referee.load(RECORDS / "snakecore.jsonl")
    for step in saved:
        assert step.words is not None
        assert len(step.requests) == len(step.answers)
        assert step.board.scores
    assert len(played) == len(saved)


def test_a_saved_board_goes_on_without_changing_the_saved_game() -> None:
    saved = referee.load(RECORDS / "snakecore.jsonl")
    board, copied = saved.board(100), saved.board(100)
    before = copied.position()
    board.push("N")
    assert board.position() != before
    assert copied.position() == saved.board(100).position() == before


def test_a_saved_game_that_does_not_follow_from_the_rules_is_refused_at_its_first_wrong_step(tmp_path: Path) -> None:
    lines = (RECORDS / "snakecore.jsonl").read_text().splitlines()
    wrong = next(k for k, line in enumerate(lines) if '"event":"move"' in line)
    lines[wrong] = lines[wrong].replace('"event":"move"', '"event":"bite"')
    (tmp_path / "a.jsonl").write_text("\n".join(lines) + "\n")
    saved = referee.load(tmp_path / "a.jsonl")
    assert saved.step(wrong - 1).number == wrong - 1
    for broken in (lambda: saved.step(wrong), saved.verify, lambda: list(saved), saved.board):
        with pytest.raises(referee.SavedGameError) as caught:
            broken()
        assert caught.value.line == wrong + 1


@pytest.mark.parametrize("wrong", ["3", 1.5, True])
def test_a_step_is_a_whole_number_and_may_be_numpys(wrong: Any) -> None:
    numpy = pytest.importorskip("numpy")
    saved = referee.load(RECORDS / "snakecore.jsonl")
    assert type(saved.step(numpy.int64(7)).number) is int
    assert saved.board(numpy.int64(7)).position() == saved.board(7).position()
    for asked in (saved.step, saved.board):
        with pytest.raises(referee.UsageError, match=f"must be a whole number, not {wrong!r}"):
            asked(wrong)


@pytest.mark.parametrize("number", [0, -1, 470])
def test_there_is_no_such_step(number: int) -> None:
    with pytest.raises(referee.UsageError, match=f"there is no step {number}"):
        referee.load(RECORDS / "snakecore.jsonl").step(number)


@pytest.mark.parametrize("name", games.names())
def test_scores_are_the_points_that_are_shown(name: str) -> None:
    for step in referee.load(RECORDS / f"{name}.jsonl"):
        if step.number % 20 == 0:
            board = step.board
            assert board.scores == pytest.approx([line.score for line in board._frame().seats])


@LEARNT
def test_a_board_that_was_pickled_plays_on_alike(name: str) -> None:
    board = referee.Game(name).start(seed=1)
    other = pickle.loads(pickle.dumps(board))
    for _ in range(20):
        answers = [board.legal_actions(request.seat)[-1] for request in board.requests]
        assert board.requests == other.requests
        assert board.push(*answers) == other.push(*answers)


@pytest.mark.parametrize("copied", [referee.Board.copy, copy.copy, copy.deepcopy])
def test_a_copy_has_a_position_of_its_own(copied: Any) -> None:
    board = referee.Game("snakecore").board(DUEL, seed=1)
    other = copied(board)
    assert other == board
    assert other.push("D")
    assert other != board
    assert board.position() == DUEL


def test_only_a_seat_that_acts_now_has_actions() -> None:
    board = referee.Game("snakecore").board(DUEL)
    with pytest.raises(referee.UsageError, match=r"the seats that act now are \[0\]: name one of them"):
        board.legal_actions(1)
    with pytest.raises(referee.UsageError, match="no seat acts now"):
        referee.load(RECORDS / "snakecore.jsonl").board(0).legal_actions()


def test_a_map_can_be_a_path(tmp_path: Path) -> None:
    (tmp_path / "mine.toml").write_bytes((assets.folder("maps") / "snakecore" / "duel.toml").read_bytes())
    assert referee.Game("snakecore").start(tmp_path / "mine.toml", seats=2, seed=7).position() == DUEL


@pytest.mark.parametrize("name", ["seats", "seed", "rounds", "rotate"])
def test_numbers_are_whole_and_may_be_numpys(name: str) -> None:
    numpy = pytest.importorskip("numpy")
    game, numbers = referee.Game("snakecore"), {"seats": 2, "seed": 7, "rounds": 5, "rotate": 1}
    same = game.start("duel", **{**numbers, name: numpy.int64(numbers[name])})  # type: ignore[arg-type]
    assert same.position() == game.start("duel", **numbers).position()  # type: ignore[arg-type]
    with pytest.raises(referee.UsageError, match=f"{name} must be a whole number, not '2'"):
        game.start("duel", **{**numbers, name: "2"})  # type: ignore[arg-type]


@pytest.mark.parametrize("wrong", [None, 3, b"N"])
def test_an_answer_is_a_text(wrong: Any) -> None:
    with pytest.raises(referee.UsageError, match="an answer must be a text"):
        referee.Game("snakecore").board(DUEL).push(wrong)


def test_times_have_the_digits_of_the_saved_game(tmp_path: Path) -> None:
    text = (RECORDS / "snakecore.jsonl").read_text(encoding="utf-8")
    (tmp_path / "a.jsonl").write_text(text.replace('"ms":0.5', '"ms":0.139'), encoding="utf-8")
    assert referee.load(tmp_path / "a.jsonl").step(1).answers[0].seconds == 0.000139


def test_a_match_that_is_over_takes_no_answers() -> None:
    with pytest.raises(referee.UsageError, match="the match is over"):
        referee.load(RECORDS / "snakecore.jsonl").board().push("N")


def test_what_a_caller_changes_does_not_change_the_saved_game() -> None:
    saved = referee.load(RECORDS / "snakecore.jsonl")
    saved.setup["size"] = 99
    for step in saved:
        for event in step.events:
            event["event"] = "changed"
    assert saved.verify()


def test_a_wrong_push_changes_nothing() -> None:
    board = referee.Game("snakecore").board(DUEL, seed=1)
    before = board.position()
    for answers, error in ((["X"], referee.InvalidReply), (["N", "N"], referee.UsageError), ([], referee.UsageError)):
        with pytest.raises(error):
            board.push(*answers)
    assert board.position() == before
    assert board.push("N\n")  # a line feed at the end, as a process writes it


@pytest.mark.parametrize(("make", "error", "message"), [
    (lambda: referee.Game("chess"), referee.UsageError, "no game is called 'chess'"),
    (lambda: referee.Game(5), referee.UsageError, "a game is found by its name, not by 5"),
    (lambda: referee.Game().start("nowhere"), referee.UsageError, "no map is called 'nowhere'"),
    (lambda: referee.Game().start(seats=9), referee.UsageError, "SnakeCore is for 1 to 8 players, not 9"),
    (lambda: referee.Game().start("duel", seats=4), referee.SetupError, "duel: "),
    (lambda: referee.Game().board({}), referee.SetupError, "size"),
    (lambda: referee.load("nowhere.jsonl"), referee.SavedGameError, "nowhere.jsonl: No such file"),
    (lambda: referee.rate("nowhere"), referee.UsageError, "nowhere"),
])  # fmt: skip
def test_mistakes_are_errors_of_one_line(make: Any, error: type[Exception], message: str) -> None:
    with pytest.raises(error) as caught:
        make()
    assert str(caught.value).startswith(message)


def test_a_map_for_as_many_seats_is_chosen() -> None:
    game = referee.Game("snakecore")
    assert (game.start(seed=1).seats, game.start(seats=8, seed=1).seats) == (4, 8)
    assert game.start(seed=3).position() == game.start(seed=3).position() != game.start(seed=4).position()


def test_a_board_is_text_and_a_picture() -> None:
    board = referee.Game("snakecore").board(DUEL, names=["Ann", "<b>Ben</b>"])
    assert str(board).startswith("round 1 of ")
    assert "<b>Ben</b>" in str(board)
    html = board._repr_html_()
    assert ElementTree.fromstring(html).tag.endswith("svg")
    assert "<b>" not in html


def win(request: str) -> str:
    return "R"


def lose(request: str) -> str:
    return "N"


SETUP = {
    "size": 4, "rounds": 1, "field": ["....", "...R", "....", "...."],
    "pythons": [{"cells": [[2, 1], [1, 1]], "blocks": "b"}, {"cells": [[0, 3]]}],
}  # fmt: skip


def test_a_table_of_matches_and_of_their_saved_games() -> None:
    matches = [referee.play([win, lose], setup=SETUP, seed=seed) for seed in range(9)]
    table = referee.rate(matches)
    rows = [(row["name"], row["rank"], row["matches"], row["wins"]) for row in table]
    assert rows == [("win", 1, 9, 9), ("lose", 2, 9, 0)]
    assert table == referee.rate(match.saved for match in matches)
    assert str(table).splitlines()[1].split()[:4] == ["1", "win", "9", "100.0"]
    assert "<pre>rank" in table._repr_html_()


def test_matches_with_the_same_bots_and_seed_are_one_series() -> None:
    matches = [referee.play(players, setup=SETUP, seed=1) for players in ([win, lose], [lose, win])]
    assert [(row["series"], row["matches"]) for row in referee.rate(matches)] == [(1, 2), (1, 2)]


def test_matches_of_several_games_or_without_a_result_are_not_rated(tmp_path: Path) -> None:
    both = [referee.load(RECORDS / "snakecore.jsonl"), referee.load(RECORDS / "viper.jsonl")]
    with pytest.raises(referee.UsageError, match="these are matches of snakecore and viper: rate those of one game"):
        referee.rate(both)
    whole = (RECORDS / "snakecore.jsonl").read_text().splitlines()
    (tmp_path / "cut.jsonl").write_text("\n".join(whole[:50]) + "\n")
    with pytest.raises(referee.UsageError, match="has no result: leave it out"):
        referee.rate([referee.load(tmp_path / "cut.jsonl")])


def test_no_matches_give_an_empty_table() -> None:
    assert referee.rate([]) == []
