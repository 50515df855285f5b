"""What `referee compare` prints besides its verdict."""

from typing import Any

from referee.cli.compare import failures


def fault(name: str, match: str, detail: str) -> dict[str, Any]:
    return {"name": name, "match": match, "kind": "exit", "request": "getAction", "detail": detail}


def test_a_line_about_each_bot_that_failed():
    faults = [
        fault("new", "0/duel/0#0", "exited with status 1"),
        fault("new", "0/duel/0#1", "exited with status 3"),
        fault("new", "1/duel/0#0", "exited with status 3"),
        fault("old", "0/duel/0#1", "killed by SIGSEGV\x1b"),
        fault("old", "0/duel/0#1", "killed by SIGSEGV\x1b"),
    ]
    assert [*failures({"faults": faults, "matches": {"played": 4}})] == [
        "new failed in 3 of 4 matches: exit at getAction: exited with status 3",
        "old failed in 1 of 4 matches: exit at getAction: killed by SIGSEGV\ufffd",
    ]
    assert not [*failures({"faults": [], "matches": {"played": 4}})]
