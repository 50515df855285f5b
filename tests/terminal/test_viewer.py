import re

import pytest
import trio
from terminal.scripted import Pages, Script, press

from referee.contract.game import Answer, Fault, FaultKind
from referee.errors import SavedGameError
from referee.moments.timeline import Timeline
from referee.terminal import keys as k
from referee.terminal.palette import Look
from referee.terminal.screen import run_view
from referee.terminal.viewer import VIEWER_KEYS, Viewer

LOOK = Look()


@pytest.fixture
def viewer(toy):
    """A saved match of 100 steps, shown from its beginning."""
    return Viewer(toy.SavedWalk(), LOOK)


def steps_at(viewer, *times):
    """The step that is shown at each of these times."""
    steps = []
    for time in times:
        viewer.tick(time)
        steps.append(viewer.at)
    return steps


def test_a_replay_begins_at_step_0_and_plays_at_the_speed(toy):
    viewer = Viewer(toy.SavedWalk(), LOOK, speed=8.0)
    assert steps_at(viewer, 100.0, 101.0, 101.99) == [0, 8, 15]
    assert viewer.playing


def test_a_replay_stops_at_the_end_and_space_starts_it_again(toy):
    viewer = Viewer(toy.SavedWalk(), LOOK, speed=8.0)
    assert steps_at(viewer, 0.0, 1000.0) == [0, 100]
    assert not viewer.playing
    assert viewer.scene().over == "rounds"
    press(viewer, k.SPACE)
    assert (viewer.at, viewer.playing) == (0, True)
    assert steps_at(viewer, 2000.0, 2000.5) == [0, 4]


def test_a_new_speed_continues_from_the_same_step(toy):
    viewer = Viewer(toy.SavedWalk(), LOOK, speed=8.0)
    assert steps_at(viewer, 0.0, 1.0) == [0, 8]
    press(viewer, "+")
    assert steps_at(viewer, 1.0, 2.0) == [8, 24]
    assert viewer.speed == 16.0
    press(viewer, "1", "-")
    assert viewer.speed == 0.5


def test_full_speed_shows_a_long_match_in_seconds(toy):
    viewer = Viewer(toy.SavedWalk(length=20_000), LOOK, speed=0.0)
    assert steps_at(viewer, 0.0, 2.5) == [0, 10_000]


def test_single_steps_pause_and_jumps_do_not(viewer):
    assert press(viewer, k.PAGE_DOWN, k.PAGE_DOWN, k.PAGE_UP) == 10
    assert viewer.playing
    assert press(viewer, k.RIGHT, k.RIGHT, k.LEFT) == 11
    assert not viewer.playing
    assert press(viewer, k.END) == 100
    assert press(viewer, k.RIGHT) == 100
    assert press(viewer, k.HOME, k.LEFT) == 0


def test_a_jump_to_the_end_stops_the_replay(viewer):
    assert press(viewer, k.END) == 100
    assert not viewer.playing


def test_brackets_jump_a_twentieth_of_the_match_and_at_least_ten_steps(toy):
    viewer = Viewer(toy.SavedWalk(length=5000), LOOK)
    assert press(viewer, "]", "]", "]", "[") == 500
    assert viewer.playing
    assert press(viewer, k.END, "[") == 4750
    assert press(viewer, "]", "]") == 5000
    assert press(Viewer(toy.SavedWalk(length=100), LOOK), "]") == 10


def test_up_and_down_go_to_the_starts_of_rounds(toy):
    viewer = Viewer(toy.SavedWalk(seats=3, length=10), LOOK)
    assert [press(viewer, k.DOWN) for _ in range(5)] == [3, 6, 9, 10, 10]
    assert not viewer.playing
    assert [press(viewer, k.UP) for _ in range(5)] == [9, 6, 3, 0, 0]
    assert press(viewer, k.DOWN, k.RIGHT, k.UP) == 3
    assert viewer.scene().frame.title == "round 2"
    assert press(viewer, k.LEFT, k.DOWN) == 3


def test_m_goes_to_the_moves_of_the_followed_seat(toy):
    viewer = Viewer(toy.SavedWalk(seats=3, length=10), LOOK)
    press(viewer, k.TAB, k.TAB)
    assert [press(viewer, "m") for _ in range(4)] == [2, 5, 8, 8]
    assert not viewer.playing
    assert [press(viewer, "M") for _ in range(3)] == [5, 2, 2]
    assert viewer.scene().times[1].last == pytest.approx(0.002)  # the position after that move is shown


def test_m_follows_the_seat_to_move_if_none_is_followed(toy):
    viewer = Viewer(toy.SavedWalk(seats=3, length=10), LOOK, at=4)
    assert press(viewer, "m") == 5
    assert viewer.follow == 1
    assert press(viewer, "m", k.TAB, "m") == 9
    assert viewer.follow == 2
    moved = Viewer(toy.SavedWalk(seats=3, length=10), LOOK)
    assert press(moved, k.RIGHT, "m") == 2  # the seat to move at step 1, not that of the last scene
    over = Viewer(toy.SavedWalk(seats=3, length=10), LOOK, at=10)
    assert press(over, "m", "M") == 10
    assert over.follow is None


def test_a_seat_that_is_never_asked_has_no_moves(toy):
    viewer = Viewer(toy.SavedWalk(seats=3, length=2), LOOK)
    viewer.follow = 2
    assert press(viewer, "m", "M") == 0
    assert viewer.playing


@pytest.mark.parametrize(
    ("at", "kind", "key", "says"),
    [
        (100, None, "n", "there is no later event"),
        (0, "jump", "N", "there is no earlier jump"),
        (100, None, "m", "seat 1 has no later move"),
        (0, None, "M", "seat 1 has no earlier move"),
    ],
)
def test_a_search_without_a_result_says_so(at, kind, key, says, toy):
    viewer = Viewer(toy.SavedWalk(), LOOK, at=at)
    viewer.kind, viewer.follow = kind, 0
    assert press(viewer, key) == at
    assert viewer.page(80, 24)[-1].plain.strip() == says
    press(viewer, "x")
    assert viewer.page(80, 24)[-1].plain.strip() != says


def test_n_goes_to_faults_without_an_event(toy):
    saved = toy.SavedWalk()
    late = Fault(FaultKind.TIMEOUT, "no answer within 1 s")
    for number in (3, 12):
        seat = saved.steps[number - 1].answers[0].seat
        saved.steps[number - 1] = saved.steps[number - 1]._replace(answers=[Answer(seat, late, None, 1.0)], events=[])
    viewer = Viewer(saved, LOOK)
    assert press(viewer, "n") == 3
    assert viewer.scene().events[-1].text == "bot 1 fails: timeout, no answer within 1 s"
    assert press(viewer, "n") == 5
    viewer.kind = "fault"
    assert press(viewer, "n") == 12
    assert press(viewer, "N") == 3


def test_n_goes_to_any_event_and_k_chooses_one_kind(viewer):
    assert press(viewer, "n") == 5
    assert (viewer.kind, viewer.playing, viewer.scene().mark) == (None, False, 5)
    assert press(viewer, "n", "n") == 10
    assert press(viewer, "N") == 7
    press(viewer, "k")
    assert viewer.kind == "jump"
    assert press(viewer, "n", "n") == 15
    press(viewer, "k")
    assert viewer.page(80, 24)[-1].plain == "n and N go to events of the kind 'sing'"
    assert press(viewer, "n", "n", "N") == 21
    assert press(viewer, "k", "n") == 25  # after the last kind: events of any kind
    press(viewer, "k", k.ESCAPE)
    assert viewer.kind is None


def test_kinds_are_those_that_have_words_in_steps_that_follow_from_the_rules(toy):
    late = Fault(FaultKind.TIMEOUT, "no answer within 1 s")
    saved = toy.SavedWalk(broken_at=6)
    saved.steps[1] = saved.steps[1]._replace(answers=[Answer(1, late, None, 1.0)])
    names = ["A", "B"]
    assert Timeline(saved).kinds(names) == ["fault", "jump"]  # the first song comes after the broken step
    assert Timeline(toy.SavedWalk(length=0)).kinds(names) == []


def test_steps_that_were_played_before_are_not_played_again_for_their_events(toy):
    saved = toy.SavedWalk(proven=100)
    timeline, names = Timeline(saved), ["A", "B"]
    saved.asked.clear()
    for kind in [None, *timeline.kinds(names)]:
        assert timeline.seek(0, names, kind, forward=True) is not None
    assert saved.asked == []


def test_a_colon_and_a_number_go_to_a_step(viewer):
    press(viewer, ":", "4", "2")
    assert viewer.page(80, 24)[-1].plain.startswith(":42_  a step from 0 to 100; Enter goes there")
    assert (viewer.at, viewer.playing) == (0, True)
    assert press(viewer, k.ENTER) == 42
    assert not viewer.playing
    assert press(viewer, ":", "9", "9", k.BACKSPACE, k.ENTER) == 9


def test_the_prompt_takes_all_keys_until_it_is_closed(viewer):
    press(viewer, ":", "q", k.SPACE, k.RIGHT, k.TAB, "?", *"x" * 50)
    assert (viewer.done, viewer.at, viewer.follow) == (False, 0, None)
    assert all(line.cell_len <= 30 for line in viewer.page(30, 10))
    press(viewer, k.ESCAPE, k.RIGHT)
    assert viewer.at == 1
    press(viewer, ":", k.BACKSPACE, "q")
    assert viewer.done


@pytest.mark.parametrize("wrong", ["101", "-1", "x", "1.5", "\u00b2", "9" * 20])
def test_an_input_that_is_no_step_is_told_until_the_next_key(toy, wrong):
    viewer = Viewer(toy.SavedWalk(), LOOK, at=7)
    assert press(viewer, ":", *wrong, k.ENTER) == 7
    assert viewer.page(80, 24)[-1].plain == f"there is no step {wrong}: the steps are 0 to 100"
    press(viewer, k.SPACE)
    assert "there is no step" not in viewer.page(80, 24)[-1].plain


def test_nothing_typed_goes_nowhere(toy):
    viewer = Viewer(toy.SavedWalk(), LOOK, at=7)
    assert press(viewer, ":", k.ENTER) == 7
    assert "there is no step" not in viewer.page(80, 24)[-1].plain


@pytest.mark.parametrize("forged", [{"x": 1}, {"event": "jump"}, {"event": "jump", "seat": 99}, {"event": ["jump"]}])
@pytest.mark.parametrize("kind", [None, "jump"])
def test_no_event_is_shown_before_its_step_was_played(toy, forged, kind):
    saved = toy.SavedWalk(broken_at=10)
    saved.steps[9] = saved.steps[9]._replace(events=[forged])
    viewer = Viewer(saved, LOOK)
    viewer.kind = kind
    assert press(viewer, "n") == 5
    assert press(viewer, *([k.ESCAPE, "n"] if kind is None else [])) == (7 if kind is None else 5)
    viewer.kind = kind
    with pytest.raises(SavedGameError, match="broken"):
        press(viewer, "n")


def test_no_event_is_shown_backwards_before_its_step_was_played(toy):
    saved = toy.SavedWalk(broken_at=10)
    saved.steps[9] = saved.steps[9]._replace(events=[{"x": 1}])
    with pytest.raises(SavedGameError, match="broken"):
        press(Viewer(saved, LOOK), k.END, "N")


def test_an_answer_of_an_unknown_seat_fails_at_its_step_and_not_before(toy):
    saved = toy.SavedWalk(broken_at=10)
    saved.steps[9] = saved.steps[9]._replace(answers=[Answer(99, "R", "R", 0.1)])
    viewer = Viewer(saved, LOOK, at=9)
    assert viewer.page(80, 24)
    press(viewer, k.RIGHT)
    with pytest.raises(SavedGameError, match="broken"):
        viewer.page(80, 24)


def test_seeking_plays_only_steps_that_have_the_kind(toy):
    saved = toy.SavedWalk()
    viewer = Viewer(saved, LOOK)
    viewer.kind = "sing"
    press(viewer, "n", "n", "N")
    assert saved.asked == [0, 0, 7, 7, 14, 14]


def test_tab_follows_a_seat(viewer):
    seen = []
    for key in (k.TAB, k.TAB, k.TAB, k.BACK_TAB):
        press(viewer, key)
        seen.append(viewer.scene().follow)
    assert seen == [0, 1, None, 1]


@pytest.mark.parametrize("key", ["?", "q", k.ESCAPE])
def test_help_opens_and_closes(viewer, key):
    press(viewer, "?")
    assert viewer.page(80, 24)[0].plain == "Keys"
    press(viewer, key)
    assert viewer.page(80, 24)[0].plain != "Keys"
    assert not viewer.done


def test_a_match_without_steps_can_be_viewed(toy):
    viewer = Viewer(toy.SavedWalk(length=0), LOOK)
    viewer.tick(0.0)
    assert press(viewer, k.SPACE, "n", "N", "m", "M", "[", "]", k.UP, k.DOWN, k.RIGHT, k.END, k.PAGE_UP) == 0
    assert viewer.page(80, 24)


def test_only_states_that_are_shown_are_computed(toy):
    saved = toy.SavedWalk()
    viewer = Viewer(saved, LOOK, at=10)
    press(viewer, k.END, k.HOME, k.PAGE_DOWN, k.PAGE_DOWN)
    viewer.page(80, 24)
    viewer.page(80, 24)
    assert saved.asked == [0, 19, 20]  # the request of step 20 comes from step 19


def test_a_replay_with_a_step_opens_there_and_waits(toy):
    for step in (0, 40):
        viewer = Viewer(toy.SavedWalk(), LOOK, at=step)
        assert (viewer.at, viewer.playing) == (step, False)


@pytest.mark.parametrize("key", [key for row in VIEWER_KEYS for key in row.actions])
def test_every_key_of_the_help_page_does_something(toy, key):
    viewer = Viewer(toy.SavedWalk(length=1000), LOOK, at=503, speed=3.0)
    viewer.kind = "jump"
    before = viewer.version(), viewer.done
    press(viewer, key)
    assert (viewer.version(), viewer.done) != before


async def test_a_replay_with_scripted_keys(toy, autojump_clock):
    saved, pages = toy.SavedWalk(), Pages()
    script = Script((1.01, k.SPACE), (2.0, k.RIGHT), (3.0, "n"), (5.0, "q"))
    await run_view(Viewer(saved, LOOK, speed=8.0), pages, script)
    assert trio.current_time() == 5.0
    shown = [match[1] for page in pages.pages if (match := re.search(r"step (\d+)/100", "\n".join(page)))]
    assert list(dict.fromkeys(shown)) == ["0", "1", "2", "3", "4", "5", "6", "7", "8", "9", "10"]
    assert any("step 10/100 · paused" in line for line in pages.pages[-1])


async def test_the_end_of_input_ends_the_replay(toy, autojump_clock):
    await run_view(Viewer(toy.SavedWalk(), LOOK), Pages(), Script((1.0, None)))
    assert trio.current_time() == 1.0


async def test_a_new_size_of_the_terminal_draws_a_new_page(toy, autojump_clock):
    pages = Pages()
    async with trio.open_nursery() as nursery:
        nursery.start_soon(run_view, Viewer(toy.SavedWalk(length=0), LOOK), pages, Script((2.0, "q")))
        await trio.sleep(1.0)
        assert len(pages.pages) == 1
        pages.size = (60, 20)
    assert len(pages.pages[1]) == 20
