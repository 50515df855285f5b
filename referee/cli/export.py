"""`referee export`: a saved game in another form; the suffix of the file decides which."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

from cyclopts import Parameter

from referee.cli.options import Quiet
from referee.errors import UsageError
from referee.names import shorten

if TYPE_CHECKING:
    from referee.replay import Replay


def _page(saved: Replay) -> bytes:
    from referee import analysis
    from referee.cli.explain import bots_of
    from referee.export.page import match_page

    # Names only, so that the page does not depend on where it is made.
    commands = analysis.Commands(Path(saved.record.path).name, bots_of(saved))
    explanation = "\n".join(analysis.explained(analysis.explain(saved), commands))
    return match_page(saved, explanation=explanation).encode()


WRITERS: Final[dict[str, Callable[[Replay], bytes]]] = {".html": _page}
"""Makes the file from the saved game, by suffix."""


def export(
    file: Annotated[Path | None, Parameter(help="A saved game; default: the last match in the history.")] = None,
    /,
    *,
    output: Annotated[Path, Parameter(name=["--output", "-o"], help="The file to write; its suffix says the form.")],
    quiet: Quiet = False,
) -> int:
    """Write a saved game in another form.

    `.html` is one web page with the whole match: it needs no network and no other file, and has the keys of `referee replay`.
    A link to a step is the page with `#step=120` at its end. If the file exists already, it is renamed to `NAME~`.
    """
    from referee.cli import history
    from referee.cli.narrator import narrate
    from referee.cli.saved import open_saved
    from referee.files import Claim, check_place

    writer = WRITERS.get(output.suffix.lower())
    if writer is None:
        what = f"unknown suffix {shorten(repr(output.suffix))}" if output.suffix else "it has no suffix"
        raise UsageError(f"{shorten(str(output))}: {what}: name a file that ends in {', '.join(WRITERS)}")
    check_place(output)
    written = writer(open_saved(history.latest() if file is None else file))
    claim = Claim(output)
    try:
        with open(os.dup(claim.fd), "wb") as part:
            part.write(written)
        claim.publish()
    except OSError as failed:
        raise UsageError(f"{output} cannot be written ({failed.strerror}): choose another name or folder") from None
    finally:
        claim.close()
    for path, aside in claim.moved:
        narrate(f"{path} existed already: it was renamed to {aside}")
    if not quiet:
        narrate(f"{output} written, {len(written) / 1000:,.0f} kB")
    return 0
