"""Whether a machine isolates as it has to before a stranger's program starts: by a remembered verdict, or a new one."""

from __future__ import annotations

from pathlib import Path

from referee.errors import BotError, IsolationError
from referee.sandbox.limits import Level, Limits
from referee.sandbox.opening import Sandbox
from referee.sandbox.probing import verdicts


async def demand(sandbox: Sandbox, limits: Limits | None = None, *, folder: Path | None = None) -> None:
    """Make sure that a sandbox isolates as its level says, by a verdict that is remembered or by trying; level none says nothing.

    Args:
        folder: where verdicts are remembered; None for the user's cache folder.

    Raises:
        IsolationError: it does not; what could be done by a player, or what is missing.
    """
    if sandbox.level is Level.NONE:
        return
    folder = verdicts.usual() if folder is None else folder
    depends = verdicts.dependencies(sandbox.level, sandbox.parts)
    if verdicts.recall(folder, sandbox.level) == depends:
        return
    from referee.sandbox.probing import probe  # a verdict that is remembered pays for no canary, not even its import

    try:
        attempts = await probe.canary(sandbox, limits)
    except BotError as failed:
        raise IsolationError(f"Isolation cannot be tried out: {failed}") from None
    probe.judge(attempts, sandbox.level)
    verdicts.remember(folder, sandbox.level, depends)
