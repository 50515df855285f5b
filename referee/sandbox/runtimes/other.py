"""Every other program of the machine: Ruby, Perl, a shell, whatever PATH leads to."""

from __future__ import annotations

from pathlib import Path

from referee.sandbox.runtimes.profile import Runtime, environment
from referee.sandbox.runtimes.profile import program as bound
from referee.sandbox.runtimes.profile import runtime as with_usr
from referee.sandbox.runtimes.python import SDK, variables
from referee.sandbox.runtimes.sdk import sdk_binds
from referee.sandbox.runtimes.view import View


def runtime(program: Path, arguments: tuple[str, ...], view: View) -> Runtime:
    """How a program of the machine is started that nobody described."""
    real = program.resolve()
    sdk, path = sdk_binds(view, *SDK)
    env = environment(view.folder, str(real.parent), **variables(), **path)
    return with_usr("other", (str(program), *arguments), env, [*bound(real), (real, str(program)), *sdk])
