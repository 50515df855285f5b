"""Makes sure that isolation holds before an untrusted program starts: by a remembered verdict or a new one."""

from __future__ import annotations

from pathlib import Path

from referee.errors import BotError, IsolationError
from referee.sandbox.limits import Level
from referee.sandbox.opening import Sandbox
from referee.sandbox.probing import verdicts


async def demand(sandbox: Sandbox, *, folder: Path | None = None) -> None:
    """Make sure that a sandbox isolates as its level promises. Level none promises nothing.

    Args:
        folder: where verdicts are remembered; None for the user's cache folder.

    Raises:
        IsolationError: it does not. The message says what a player could do, or what is missing.
    """
    if sandbox.level is Level.NONE:
        return
    folder = verdicts.usual() if folder is None else folder
    depends = verdicts.dependencies(sandbox.level, sandbox.parts)
    if verdicts.recall(folder, sandbox.level) == depends:
        return
    from referee.sandbox.probing import probe  # not imported if the verdict is remembered

    try:
        attempts = await probe.canary(sandbox)
    except BotError as failed:
        raise IsolationError(f"Isolation cannot be tested: {failed}") from None
    probe.judge(attempts, sandbox.level)
    verdicts.remember(folder, sandbox.level, depends)
