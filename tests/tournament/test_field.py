"""Who is which entrant: an edited bot is a new one, an edited team is the same one."""

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.tournament.field import Candidate, Change, Unready, admit, changes, missing_entrants
from referee.tournament.formats.develobear import Develobear
from referee.tournament.formats.knockout import Knockout
from referee.tournament.formats.swiss import Swiss
from referee.tournament.model import Competitor


def bots(*words: str) -> list[Candidate]:
    """`source:name=content` for each; the name may be left out."""
    candidates = []
    for word in words:
        bot, _, content = word.partition("=")
        source, _, name = bot.partition(":")
        candidates.append(Candidate(name or source, content, None, source))
    return candidates


def entered(
    before: Sequence[Competitor], *words: str, teams: bool = True, unready: Sequence[Unready] = ()
) -> list[Competitor]:
    return list(admit(before, bots(*words), unready, teams=teams).entrants)


def drawn(entrants: Sequence[Competitor]) -> list[str]:
    """Each entrant as `name=content`, in brackets if it left."""
    texts = (f"{entrant.name}={entrant.content}" for entrant in entrants)
    return [text if entrant.present else f"({text})" for text, entrant in zip(texts, entrants, strict=True)]


def messages(before: Sequence[Competitor], after: Sequence[Competitor]) -> list[str]:
    return list(map(str, changes(before, after, 3, planned=3)))


FOUR = entered((), "a=1", "b=2", "c=3", "d=4")


# Teams: swiss, knockout, develobear.


@pytest.mark.parametrize(("file", "field", "says"), [
    ("a=1 b=22 c=3 d=4", "a=1 b=22 c=3 d=4", ["b was edited: its new version plays from tour 3 on"]),
    ("a=1 b:Bella=2 c=3 d=4", "a=1 Bella=2 c=3 d=4", ["b is called Bella from tour 3 on"]),
    ("a:b=1 b:a=2 c=3 d=4", "b=1 a=2 c=3 d=4", ["a is called b from tour 3 on", "b is called a from tour 3 on"]),
    ("a=1 aa=5 b=2 c=3 d=4", "a=1 b=2 c=3 d=4 aa=5", ["aa takes part from tour 3 on"]),
    # Another bot of the name of a team that is there: the file gives the newcomer another name.
    ("a=1 b=2 c=3 d=4 thief:b#2=9", "a=1 b=2 c=3 d=4 b#2=9", ["b#2 takes part from tour 3 on"]),
], ids=["edited", "renamed", "names swapped", "late", "thief"])  # fmt: skip
def test_teams_keep_their_numbers(file: str, field: str, says: list[str]) -> None:
    after = entered(FOUR, *file.split())
    assert (drawn(after), messages(FOUR, after)) == (field.split(), says)


def test_teams_of_one_source_are_known_by_their_names() -> None:
    before = entered((), "a:x=1", "a#2:y=1", "a#3:z=1")
    after = entered(before, "a:y=1", "a#2:z=1", "a#3:w=1")
    assert drawn(after) == ["(x=1)", "y=1", "z=1", "w=1"]


def test_a_team_that_moves_its_bot_is_known_by_its_name() -> None:
    """A ZIP file instead of a folder, say."""
    after = entered(FOUR, "a=1", "b.zip:b=2", "c=3", "d=4")
    assert drawn(after) == ["a=1", "b=2", "c=3", "d=4"]
    assert after[1].source == "b.zip"
    assert messages(FOUR, after) == []
    assert drawn(entered(after, "a=1", "b.zip:x=5", "c=3", "d=4"))[1] == "x=5"


def test_a_team_leaves_when_its_bot_leaves_the_file_and_comes_back_with_its_number() -> None:
    left = entered(FOUR, "a=1", "c=3", "d=4")
    assert drawn(left) == ["a=1", "(b=2)", "c=3", "d=4"]
    assert messages(FOUR, left) == ["b does not take part from tour 3 on"]
    assert messages(left, entered(left, "a=1", "c=3", "d=4")) == []
    back = entered(left, "a=1", "b=7", "c=3", "d=4")
    assert drawn(back) == ["a=1", "b=7", "c=3", "d=4"]
    assert messages(left, back) == ["b takes part from tour 3 on"]


def test_a_team_that_is_there_goes_before_one_that_left() -> None:
    """Its bot moves to a place, or has got a name, that a team had before it left."""
    moved = entered(FOUR, "a=1", "x:b=2", "c=3", "d=4")
    taken = entered(moved, "a=1", "x:b=2", "c=3", "d=4", "b:new=5")
    left = entered(taken, "a=1", "x:b=2", "c=3", "d=4")
    assert drawn(entered(left, "a=1", "b=2", "c=3", "d=4")) == ["a=1", "b=2", "c=3", "d=4", "(new=5)"]
    renamed = entered(left, "a=1", "x:new=2", "c=3", "d=4")
    assert drawn(entered(renamed, "a=1", "y:new=2", "c=3", "d=4")) == ["a=1", "new=2", "c=3", "d=4", "(new=5)"]


def test_a_file_that_is_no_bot_does_not_bring_a_team_back_by_its_name() -> None:
    left = entered(FOUR, "a=1", "c=3", "d=4")
    field = admit(left, bots("a=1", "c=3", "d=4"), [Unready("b", "other/b", "no bot", stray=True)], teams=True)
    assert drawn(field.entrants) == ["a=1", "(b=2)", "c=3", "d=4"]
    assert field.unready[0].stray


def test_a_team_that_is_too_late_for_a_knockout_or_a_play_off_does_not_take_part() -> None:
    after = entered(FOUR, "a=1", "b=2", "c=3", "d=4", "e=5")
    [late] = changes(FOUR, after, 3, planned=3, closed=Knockout.closed("t2"))
    assert str(late) == "e joined too late to play, and ranks last"
    left = entered(after, "a=1", "b=2", "c=3", "d=4")
    [back] = changes(left, entered(left, "a=1", "b=2", "c=3", "d=4", "e=5"), 3, planned=3, closed=True, late={4})
    assert str(back) == "e joined too late to play, and ranks last", "also when it left and comes back"
    assert [Develobear.closed(key) for key in ("t0", "t33", "p0")] == [False, False, True]
    assert not Swiss.closed("t2")


def test_in_a_tour_under_way_an_edited_team_plays_on_and_a_late_one_waits_for_the_next() -> None:
    after = entered(FOUR, "a=11", "c=3", "d=4", "e=5")
    assert [(change.name, change.change, change.tour) for change in changes(FOUR, after, 2, planned=3)] == [
        ("a", "edited", 2),
        ("e", "joined", 3),
        ("b", "left", 2),
    ]


@pytest.mark.parametrize(("file", "broken", "field", "number", "says"), [
    ("a=1 c=3 d=4", "b", "a=1 b=2 c=3 d=4", 1, "b plays on with its last version, because the new one cannot play"),
    ("a=1 b=2 c=3 d=4", "e", "a=1 b=2 c=3 d=4", None, "e takes no part"),
    # The team that stays does not share its name with the new one.
    ("a=1 new:b=9 c=3 d=4", "b", "a=1 b#2=2 c=3 d=4 b=9", 1, "b#2 plays on with its last version"),
])  # fmt: skip
def test_a_team_whose_new_version_cannot_play_stays_with_its_last_one(
    file: str, broken: str, field: str, number: int | None, says: str
) -> None:
    after, [unready] = admit(FOUR, bots(*file.split()), [Unready(broken, broken, "main.c:1: error")], teams=True)
    assert (drawn(after), unready.number) == (field.split(), number)
    assert str(unready).startswith(says)


# Other formats: a bot with another content is another entrant.


def test_an_edited_bot_is_a_new_entrant_and_that_is_said() -> None:
    after = entered(FOUR, "a=1", "b=22", "c=3", "d=4", teams=False)
    assert drawn(after) == ["a=1", "(b=2)", "c=3", "d=4", "b=22"]
    assert list(changes(FOUR, after, 3, planned=3)) == [Change(3, 4, "b", "edited", "2", 1)]
    old = "the matches of entrant 1 count for its rivals only"
    assert messages(FOUR, after) == [f"b was edited: it is entrant 4 from tour 3 on, and {old}"]


def test_a_newcomer_of_the_same_name_makes_no_new_entrants_of_the_others() -> None:
    """It comes first in the file, so that the others get other numbers behind their names."""
    before = entered((), "b:bot=2", "c:bot#2=3", "d:bot#3=3", teams=False)
    after = entered(before, "a:bot=1", "b:bot#2=2", "c:bot#3=3", "d:bot#4=3", teams=False)
    assert drawn(after) == ["bot#2=2", "bot#3=3", "bot#4=3", "bot=1"]
    assert messages(before, after) == [
        "bot is called bot#2 from tour 3 on",
        "bot#2 is called bot#3 from tour 3 on",
        "bot#3 is called bot#4 from tour 3 on",
        "bot takes part from tour 3 on",
    ]
    assert drawn(entered(after, "c:bot=3", "d:bot#2=3", teams=False)) == ["(bot#2=2)", "bot=3", "bot#2=3", "(bot=1)"]


def test_a_bot_that_moves_is_the_same_entrant_and_one_with_another_name_is_not() -> None:
    moved = entered(FOUR, "a=1", "x:b=2", "c=3", "d:dora=4", teams=False)
    assert drawn(moved) == ["a=1", "b=2", "c=3", "(d=4)", "dora=4"]


def test_the_old_version_comes_back_with_its_number() -> None:
    edited = entered(FOUR, "a=1", "b=22", "c=3", "d=4", teams=False)
    after = entered(edited, "a=1", "b=2", "c=3", "d=4", teams=False)
    assert drawn(after) == ["a=1", "b=2", "c=3", "d=4", "(b=22)"]
    assert list(changes(edited, after, 5, planned=5)) == [Change(5, 1, "b", "edited", "22", 4)]


def test_old_versions_are_not_looked_at_while_all_bots_are_known(monkeypatch: pytest.MonkeyPatch) -> None:
    """A ladder looks before each wave. After months, most of its entrants are old versions."""
    edited = FOUR
    for content in range(5, 9):
        edited = entered(edited, "a=1", f"b={content}", "c=3", "d=4", teams=False)
    compared: list[str] = []
    monkeypatch.setattr("referee.tournament.field.unnumbered", lambda name: compared.append(name) or name)
    after = entered(edited, "a=1", "b=8", "c=3", "d=4", teams=False)
    assert after == edited
    assert sorted(compared) == ["a", "a", "b", "b", "c", "c", "d", "d"], "each bot and its entrant"


def test_a_bot_that_cannot_play_any_more_leaves() -> None:
    field = admit(FOUR, bots("a=1", "c=3", "d=4"), [Unready("b", "b", "no")], teams=False)
    assert drawn(field.entrants) == ["a=1", "(b=2)", "c=3", "d=4"]
    assert field.unready[0].number is None


def test_only_the_series_of_a_bot_that_cannot_play_wait() -> None:
    """b cannot play; c was edited, d has left the file, and x, which cannot play either, never took part."""
    field = admit(FOUR, bots("a=1", "c=33"), [Unready("b", "b", "no"), Unready("x", "x", "no")], teams=False)
    assert missing_entrants(field) == {1}
    assert missing_entrants(admit(field.entrants, bots("a=1", "b=2", "c=33"), [], teams=False)) == set()


@pytest.mark.parametrize("teams", [True, False])
@given(data=st.data())
def test_nobody_is_lost_or_twice(teams: bool, data: st.DataObject) -> None:
    """Whatever is edited, renamed, moved or removed: numbers stay, and each bot of the file is one present entrant."""
    entrants: list[Competitor] = []
    for _ in range(data.draw(st.integers(1, 4))):
        files = data.draw(st.lists(st.sampled_from("abcdef"), unique=True, min_size=1))
        names = data.draw(st.permutations("abcdefgh"))
        words = [f"{file}:{name}={data.draw(st.integers(0, 2))}" for file, name in zip(files, names, strict=False)]
        before, entrants = entrants, entered(entrants, *words, teams=teams)
        assert [entrant.number for entrant in entrants] == list(range(len(entrants)))
        present = [entrant for entrant in entrants if entrant.present]
        assert sorted(f"{entrant.source}:{entrant.name}={entrant.content}" for entrant in present) == sorted(words)
        if teams:
            sources = {entrant.source: entrant.number for entrant in before if entrant.present}
            assert all(entrant.number == sources.get(entrant.source, entrant.number) for entrant in present)
