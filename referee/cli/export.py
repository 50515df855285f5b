"""`referee export`: a saved game in another form; the suffix of the file decides which."""

from __future__ import annotations

import os
import shlex
import sys
from collections.abc import Callable, Sequence
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final, Literal, NamedTuple

from cyclopts import Parameter

from referee.cli.options import Output, Programs, Quiet, SavedGame, Whole
from referee.errors import UsageError
from referee.text.words import shorten

if TYPE_CHECKING:
    from referee.cli.narrator import Replaying
    from referee.moments.evidence import Logs
    from referee.saved.replay import Replay
    from referee.text.markup import Html


class Source(NamedTuple):
    """What a file is made from.

    Attributes:
        step: the step that the user named. logs: what players wrote to stderr. programs: the programs as the user named them.
        progress: a function that gets the steps that are played again.
        links: of a page; see `match_page`.
    """

    saved: Replay
    step: int | None
    logs: Logs | None
    programs: Sequence[str]
    progress: Replaying
    links: Html | None = None


def page_of(source: Source) -> bytes:
    """The page of a match, with its explanation."""
    from referee import analysis
    from referee.cli.saved import bots_of, explainers_of
    from referee.export.page import match_page
    from referee.moments.evidence import reasons

    # The same match gives the same page, wherever its saved game is and whatever it is called.
    source.progress.doing = "explaining"
    commands = analysis.Commands(SAVED, bots_of(source.saved))
    lines = analysis.explanation_lines(analysis.explain(source.saved), commands)
    explanation = "\n".join([*lines, f"{SAVED} stands for the saved game of this page."])
    explainers = explainers_of(source.saved, source.programs)
    why = partial(reasons, explainers) if explainers else None
    source.progress.doing = "writing"
    page = match_page(source.saved, logs=source.logs, reasons=why, explanation=explanation, links=source.links)
    return page.encode()


def _picture(source: Source) -> bytes:
    from referee.export.svg import picture
    from referee.terminal.text import frame_at

    return picture(*frame_at(source.saved, source.step)).encode()


def _film(kind: Literal["GIF", "WEBP"], source: Source) -> bytes:
    try:
        from referee.export.film import film
    except ModuleNotFoundError as missing:
        if missing.name != "PIL":
            raise
        command = shlex.join((sys.executable, "-m", "pip", "install", "referee[pictures]"))
        raise UsageError(f"films need Pillow, which is not installed: {command}") from None
    return film(source.saved, kind)


def _table(source: Source) -> bytes:
    from referee.export.answers import table

    return table(source.saved).encode()


SAVED: Final = "GAME.jsonl"
"""Stands for the saved game in the commands of a page."""
PAGE: Final = ".html"
PICTURE: Final = ".svg"
WRITERS: Final[dict[str, Callable[[Source], bytes]]] = {
    PAGE: page_of,
    PICTURE: _picture,
    ".gif": partial(_film, "GIF"),
    ".webp": partial(_film, "WEBP"),
    ".csv": _table,
}
"""Makes the file, by suffix."""


def export(
    file: SavedGame = None,
    /,
    *,
    output: Annotated[Output, Parameter(help="The file to write; its suffix says the form.")],
    step: Annotated[Whole | None, Parameter(help="The step that a .svg shows; default: the last.")] = None,
    transcript: Annotated[
        Path | None, Parameter(help="The folder that `play --transcript` wrote: a .html shows each answer's stderr.")
    ] = None,
    program: Programs = None,
    quiet: Quiet = False,
) -> None:
    """Write a saved game in another form.

    `.html` is one web page with the whole match: it needs no network and no other file, and has the keys of `referee replay`.
    A link to a step is the page with `#step=120` at its end; `#step=120&play&bare` is for embedding it in another page.
    `.svg` is a picture of one step. `.gif` and `.webp` are films of the whole match, which need Pillow. `.csv` is a table with
    a row for each answer. If the file exists already, it is renamed to `NAME.1.html`, and so on.
    """
    from referee.cli.narrator import Replaying, narrate, narrate_renamed
    from referee.cli.saved import open_saved
    from referee.files.claims import Claim, check_place
    from referee.saved.transcripts.reading import Transcript

    suffix = output.suffix.lower()
    writer = WRITERS.get(suffix)
    if writer is None:
        raise UsageError(f"{shorten(str(output))}: name a file that ends in {', '.join(WRITERS)}")
    for option, value, only in (
        ("--step", step, PICTURE),
        ("--transcript", transcript, PAGE),
        ("--program", program, PAGE),
    ):
        if value is not None and suffix != only:
            raise UsageError(f"{option} is only for {only} files")
    check_place(output)
    with closing(Replaying(quiet=quiet)) as progress:
        saved = open_saved(file, progress)
        logs = None if transcript is None else Transcript(transcript, saved.record.header).log
        progress.doing = "writing"
        content = writer(Source(saved, step, logs, program or [], progress))
    claim = Claim(output)
    try:
        with open(os.dup(claim.fd), "wb") as part:
            part.write(content)
        claim.publish()
    except OSError as failed:
        os.ftruncate(claim.fd, 0)  # an empty part is removed
        raise UsageError(f"{output} cannot be written ({failed.strerror}): choose another name or folder") from None
    finally:
        claim.close()
    narrate_renamed(claim.moved)
    if not quiet:
        narrate(f"{output} written, {len(content) / 1000:,.0f} kB")
