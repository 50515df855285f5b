"""Checks and comparisons by the API: the documents of the commands."""

import json
import re
from itertools import islice
from typing import Any

import pytest
from studio.studios import OVER, Studio

pytestmark = pytest.mark.machine


def timeless(value: Any) -> Any:
    """A document without times."""
    if isinstance(value, dict):
        return {key: timeless(each) for key, each in value.items() if key not in ("times", "memory_peak")}
    if isinstance(value, list):
        return [*map(timeless, value)]
    return re.sub(r"[\d.]+ (ms|s)\b", "TIME", value) if isinstance(value, str) else value


def test_a_check_says_what_the_command_says(studio: Studio) -> None:
    with studio.following() as events:
        check = studio.start("checks", {"bot": "./bots/adder", "game": "viper"})
        steps = []
        for event in events:
            if event.get("id") == check["id"] and event["kind"] == "check":
                if event.get("state") in OVER:
                    break
                steps += [event["number"]] if "verdict" in event else []
    over = studio.get(check["url"]).json
    expected = json.loads(studio.command("check", "./bots/adder", "--game=viper", "--json").stdout)
    assert over.pop("state") == "done", over
    assert over.pop("id") == check["id"]
    assert timeless(over) == timeless(expected)
    assert len(steps) == len(expected["steps"])


@pytest.mark.parametrize(("kind", "order", "says"), [
    ("checks", {"bot": "./nothing"}, "there is no bot"),
    ("comparisons", {"game": "viper", "new": "./bots/adder", "old": "./nothing"}, "there is no bot './nothing'"),
])  # fmt: skip
def test_a_job_of_no_bot_fails(studio: Studio, kind: str, order: dict[str, str], says: str) -> None:
    over = studio.until(studio.start(kind, order)["url"], lambda state: state["state"] in OVER)
    assert over["state"] == "failed"
    assert kind != "checks" or over.keys() == {"id", "state", "error"}
    assert says in over["error"]


def test_a_comparison_is_reported_as_it_goes(studio: Studio) -> None:
    with studio.following() as events:
        comparison = studio.start("comparisons", {"game": "viper", "new": "./bots/adder", "old": "./bots/krait"})
        reports = (event for event in events if event.get("id") == comparison["id"] and "llr" in event)
        series = [event["series"] for event in islice(reports, 4)]
    assert series == sorted(series)
    assert studio.get(comparison["url"]).json["state"] == "playing"
    assert studio.post(f"{comparison['url']}/leave", {}).status == 200
    over = studio.until(comparison["url"], lambda state: state["state"] in OVER)
    assert (over["state"], over["error"]) == ("failed", "it was stopped")
    assert over["series"] >= series[-1], "what it had found stays"
