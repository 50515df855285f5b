"""How the lines of the panel are divided among its parts."""

from referee.terminal.panel import Claim, allot


def test_lines_go_to_the_first_claims() -> None:
    claims = [Claim("turn", 2), Claim("keys", 1), Claim("events", 9)]
    assert [allot(lines, claims) for lines in (0, 1, 3, 5, 20)] == [
        {}, {"turn": 1}, {"turn": 2, "keys": 1}, {"turn": 2, "keys": 1, "events": 2}, {"turn": 2, "keys": 1, "events": 9},
    ]  # fmt: skip


def test_a_part_that_needs_more_than_is_left_leaves_it_to_the_next() -> None:
    claims = [Claim("legend", 4, least=4), Claim("blanks", 3)]
    assert allot(3, claims) == {"blanks": 3}
    assert allot(5, claims) == {"legend": 4, "blanks": 1}


def test_a_later_claim_includes_what_the_part_has() -> None:
    claims = [Claim("events", 3), Claim("keys", 1), Claim("events", 2), Claim("events", 5), Claim("keys", 4)]
    assert allot(7, claims) == {"events": 5, "keys": 2}
