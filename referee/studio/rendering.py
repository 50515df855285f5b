"""The job of a page: that of a saved match, with links to what the studio can do with it; or its film."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from referee.cli.export import WRITERS, Source
from referee.cli.narrator import Replaying
from referee.saved.record import load
from referee.saved.replay import Replay
from referee.studio.work import Channel
from referee.text.markup import el


async def work(request: dict[str, Any], channel: Channel) -> dict[str, Any]:
    """Write a form of a saved game.

    Args:
        request: the saved game (`saved`), the suffix of the `form`, the descriptor for the `output`, and the `links` of a page:
            address, words, and whether the step that is shown belongs to it.
    """
    links = [
        el("a", words, href=address, data_step="" if at_step else None) for address, words, at_step in request["links"]
    ]
    nav = el("nav", *links, id="links", aria_label="Studio")
    source = Source(Replay(load(Path(request["saved"]))), None, None, [], Replaying(quiet=True), nav)
    with open(request["output"], "wb") as output:  # noqa: ASYNC230 - nothing else runs in this process
        output.write(WRITERS[request["form"]](source))
    return {}
