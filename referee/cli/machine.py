"""What `referee doctor` finds out about this machine: isolation by attacks, the rest by reading settings. Prints nothing."""

from __future__ import annotations

import os
import platform
import resource
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import trio

from referee.errors import RefereeError, out_of
from referee.languages import Tool, every
from referee.sandbox import isolation_errors
from referee.sandbox.cells.full import FullSandbox
from referee.sandbox.limits import MIB, Level, Limits
from referee.sandbox.opening import open_sandbox
from referee.sandbox.probing import probe, verdicts
from referee.sandbox.probing.probe import Attempt
from referee.sandbox.runtimes import base_python
from referee.sandbox.runtimes.ask import answer, which
from referee.sandbox.tempdir import tempdir_base
from referee.text.words import counted, harmless, shorten


@dataclass(frozen=True, slots=True)
class LevelTest:
    """The result for one level.

    Attributes:
        why: why the level does not isolate as it promises, and how to fix it, in one line; empty if it does.
        parts: what enforces it. attempts: what the canary tried.
        reuses: whether its cells serve one program after the other.
    """

    level: Level
    why: str
    parts: Mapping[str, str]
    attempts: Sequence[Attempt]
    reuses: bool = True

    @property
    def holds(self) -> bool:
        """Whether the level isolates as it promises."""
        return not self.why


@dataclass(frozen=True, slots=True)
class Requirement:
    """One finding. `fix` says what to do if it is not `ok`."""

    name: str
    ok: bool
    text: str
    fix: str = ""


@dataclass(frozen=True, slots=True)
class LanguageTool:
    """An interpreter or a compiler.

    Attributes:
        language: the usual name of the language.
        program: the path of its first program on PATH; empty without one. version: its version in its own words, in one line.
        package: the package in Debian and Ubuntu.
    """

    language: str
    program: str
    version: str
    package: str


@dataclass(frozen=True, slots=True)
class MachineReport:
    """All findings."""

    full: LevelTest
    reduced: LevelTest
    limits: Limits
    machine: Sequence[Requirement]
    languages: Sequence[LanguageTool]

    @property
    def fixes(self) -> list[str]:
        """What to do, the most important first."""
        machine = [f"{finding.name}: {finding.fix}" for finding in self.machine if not finding.ok and finding.fix]
        reduced = f"level reduced: {self.reduced.why}" if self.reduced.why not in ("", self.full.why) else ""
        return [fix for fix in (self.full.why, *machine, reduced) if fix]


async def examine() -> MachineReport:
    """Test both levels and check the rest; takes a second or two."""
    limits = Limits()
    full = await trial(Level.FULL, limits)
    reduced = await trial(Level.REDUCED, limits)
    text = "serve one program each, because none may make namespaces in them: bots start a little later"
    cells = [] if full.reuses else [Requirement("cells", False, text)]
    machine = [bubblewrap(), *cells, kernel(), waiting_times(), autogroup(), own_limits(limits), temporary(), python()]
    return MachineReport(full, reduced, limits, machine, await trio.to_thread.run_sync(languages))


async def trial(level: Level, limits: Limits) -> LevelTest:
    """Let the canary attack. The verdict is remembered, or forgotten, for matches too."""
    parts: Mapping[str, str] = {}
    attempts: Sequence[Attempt] = []
    reuses, why = True, ""
    try:
        with open_sandbox(level, limits) as sandbox:
            parts = sandbox.parts
            attempts = await probe.canary(sandbox, limits)
            if isinstance(sandbox, FullSandbox):
                reuses = sandbox.give_way()
        probe.judge(attempts, level)
    except RefereeError as failed:
        why = str(failed)
    except PermissionError as failed:
        why = isolation_errors.low_limits(str(failed))
    except OSError as failed:
        why = out_of(failed) or f"It could not be tried: {failed.strerror}"
    if why:
        verdicts.forget(verdicts.usual(), level)
    else:
        verdicts.remember(verdicts.usual(), level, verdicts.dependencies(level, parts))
    return LevelTest(level, why, parts, attempts, reuses)


def bubblewrap() -> Requirement:
    """The version of bubblewrap. If it is missing, the level says what to do."""
    path = which("bwrap")
    if path is None:
        return Requirement("bubblewrap", False, "not installed")
    try:
        version = harmless(shorten(answer(path, "--version").strip().removeprefix("bubblewrap "), 40))
    except (OSError, ValueError):
        version = ""
    return Requirement("bubblewrap", bool(version), f"{version or 'does not say its version'}, {path}")


def kernel() -> Requirement:
    """The kernel and the processors."""
    processors = counted(len(os.sched_getaffinity(0)), "processor")
    return Requirement("kernel", True, f"{platform.system()} {platform.release()}, {platform.machine()}, {processors}")


def waiting_times() -> Requirement:
    """Whether the kernel reports how long a program waits for a processor."""
    waited = isolation_errors.setting(Path(f"/proc/self/task/{os.getpid()}/schedstat"))
    text = "measured by schedstat" if waited else "not measured: players are charged for the delays of a busy machine"
    ok = waited.split()[:1] not in ([], ["0"])
    return Requirement("waiting for a processor", ok, text, "a kernel with CONFIG_SCHEDSTATS")


def autogroup() -> Requirement:
    """Whether busy processors are shared by player, not by thread."""
    value = isolation_errors.setting(Path("/proc/sys/kernel/sched_autogroup_enabled"))
    text = "on: players share busy processors evenly" if value == "1" else "off: a player with more threads gets more"
    return Requirement("autogroup", value == "1", text, "sudo sysctl kernel.sched_autogroup_enabled=1")


def own_limits(limits: Limits) -> Requirement:
    """The referee's own limits: players cannot have higher ones."""
    needs = {
        "n": (resource.RLIMIT_NOFILE, limits.files),
        "u": (resource.RLIMIT_NPROC, limits.threads),
        "s": (resource.RLIMIT_STACK, limits.stack),
        "d": (resource.RLIMIT_DATA, limits.memory),
        "v": (resource.RLIMIT_AS, limits.address_space),
    }
    low = []
    for letter, (limit, need) in needs.items():
        most = resource.getrlimit(limit)[1]
        if most != resource.RLIM_INFINITY and most < need:
            low.append(f"ulimit -H{letter} is {most if letter in 'nu' else most // 1024}")
    fix = "log in as a user with higher limits; in a container: --ulimit"
    return Requirement("own limits", not low, ", ".join(low) or "leave room for players", fix)


def temporary() -> Requirement:
    """The folder for copies of bots."""
    name = "temporary folder"
    try:
        folder = tempdir_base()
        status = os.statvfs(folder)
    except FileNotFoundError:
        return Requirement(
            name, False, "none can be written to", "TMPDIR=FOLDER referee …; in a container: --tmpfs /tmp"
        )
    free = status.f_bavail * status.f_frsize // MIB
    noexec = bool(status.f_flag & os.ST_NOEXEC)
    text = f"{folder}, {free} MiB free{', but programs may not run there (noexec)' if noexec else ''}"
    return Requirement(name, free >= 1024 and not noexec, text, "TMPDIR=/var/tmp referee …")


def python() -> Requirement:
    """The interpreter of `python3` for bots."""
    text = f"{platform.python_version()}, {base_python()}; its standard library alone"
    return Requirement("Python of bots", True, text)


def languages() -> list[LanguageTool]:
    """The interpreter of each language, and the compiler if that is another program."""
    tools: list[LanguageTool] = []
    for language in every():
        titles = [language.title] if len(language.tools) == 1 else [f"{language.title} compiler", language.title]
        tools += [_tool_requirement(*pair) for pair in zip(titles, language.tools, strict=True)][::-1]
    return tools


def _tool_requirement(title: str, tool: Tool) -> LanguageTool:
    for name in tool.programs:
        if (program := which(name)) is not None:
            try:
                version_text = answer(program, *tool.version)
            except (OSError, ValueError):
                continue
            version = version_text.strip().partition("\n")[0]
            return LanguageTool(title, str(program), shorten(harmless(version.strip()), 120), tool.package)
    return LanguageTool(title, "", "", tool.package)
