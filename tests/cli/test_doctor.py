"""`referee doctor` on machines that lack something: programs on PATH fake the defects, the rest is real."""

import io
import json
import os
import shutil
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import replace
from errno import ENOENT
from pathlib import Path

import pytest
from raising import raising
from rich.console import Console

from referee.cli import doctor, machine
from referee.cli.machine import LanguageTool, LevelTest, MachineReport, Requirement
from referee.sandbox.limits import Level, Limits
from referee.sandbox.probing import canary
from referee.sandbox.probing.probe import Attempt

pytestmark = pytest.mark.machine

NAMES = [attack for attack, _ in canary.ATTACKS]
BWRAP = f'#!/bin/sh\nexec {shutil.which("bwrap")} "$@"\n'
needs_bubblewrap = pytest.mark.skipif(shutil.which("bwrap") is None, reason="bubblewrap is not installed")

CARELESS = """\
#!/usr/bin/python3
# Takes what bubblewrap takes, and isolates nothing.
import os, sys

if sys.argv[1:] == ["--version"]:
    sys.exit(print("bubblewrap 0.0.1"))
cut = sys.argv.index("--")
options, command = sys.argv[1:cut], sys.argv[cut + 1:]
folder, server = (options[options.index(name) - 1] for name in ("/bot", "/fork-server"))
environ = {options[at + 1]: options[at + 2] for at, word in enumerate(options) if word == "--setenv"}
init = os.fork()
if not init:
    os.chdir(folder)
    here = {"/bot": folder, "/python/bin/python3": sys.executable}
    os.execve(server, [here.get(word, word.replace("/bot", folder)) for word in command], environ)
os.waitpid(init, 0)
"""


@pytest.fixture
def bare(tmp_path) -> Iterator[Callable[..., dict[str, str]]]:
    """Makes the environment of a machine that has only these programs on PATH and an empty cache."""
    # Not pytest's folder: if the referee is root, its players are another user, who may not enter that folder.
    with tempfile.TemporaryDirectory() as folder:
        os.chmod(folder, 0o755)

        def make(**programs: str) -> dict[str, str]:
            for name, text in programs.items():
                path = Path(folder, name)
                path.write_text(text)
                path.chmod(0o755)
            return {"PATH": folder, "XDG_CACHE_HOME": str(tmp_path / "cache")}

        yield make


@needs_bubblewrap
def test_a_machine_that_isolates(referee):
    ran = referee("doctor", environ={"XDG_CACHE_HOME": str(referee.folder / "cache")}, code=0)
    assert ran.out.startswith(f"✓ isolation full: HOLDS  {len(NAMES)} of {len(NAMES)} attacks refused")
    assert "\x1b" not in ran.out
    for name in NAMES:
        assert name in ran.out
    assert "limits of a player  1024 MiB of memory" in ran.out
    assert " Python " in ran.out
    assert (referee.folder / "cache" / "referee" / "isolation-full.json").is_file()


@needs_bubblewrap
def test_the_report_as_json(referee, bare):
    ran = referee("doctor", "--json", environ=bare(bwrap=BWRAP))
    report = json.loads(ran.out)
    assert (ran.code, ran.err, report["holds"]) == (0, "", True)
    assert [attempt["attack"] for attempt in report["full"]["attempts"]] == NAMES
    assert report["full"]["parts"]["namespaces"] == "bubblewrap"
    assert report["limits"]["threads"] == 128
    assert {"bubblewrap", "kernel", "own limits"} <= {finding["name"] for finding in report["machine"]}
    assert "Ruby" in {entry["language"] for entry in report["languages"]}


def test_without_bubblewrap(referee, bare):
    ran = referee("doctor", environ=bare(), code=1)
    assert "isolation full: DOES NOT HOLD  Players cannot be isolated: bubblewrap is not installed." in ran.out
    assert "sudo apt install bubblewrap" in ran.out
    assert "Traceback" not in ran.err


def test_bubblewrap_without_permission(referee, bare):
    words = "bwrap: Creating new namespace failed: nesting depth or /proc/sys/user/max_*_namespaces exceeded (ENOSPC)"
    ran = referee("doctor", environ=bare(bwrap=f"#!/bin/sh\necho '{words}' >&2\nexit 1\n"), code=1)
    assert "check sysctl user.max_user_namespaces" in ran.out
    assert "does not say its version" in ran.out
    assert "Traceback" not in ran.err


@needs_bubblewrap
def test_cells_that_serve_one_program_only(referee, bare):
    """As under a security module that forbids namespaces inside of cells."""
    exchange = 'for word; do shift; [ "$word" = CAP_SYS_ADMIN ] && word=CAP_CHOWN; set -- "$@" "$word"; done'
    weaker = BWRAP.replace("exec", f"{exchange}\nexec")
    found = [json.loads(referee("doctor", "--json", environ=bare(bwrap=bwrap)).out) for bwrap in (BWRAP, weaker)]
    assert [report["holds"] for report in found] == [True, True]
    assert ["cells" in {finding["name"] for finding in report["machine"]} for report in found] == [False, True]


@needs_bubblewrap
def test_limits_of_the_referee_that_are_too_low(referee, bare):
    ran = referee.bash("ulimit -n 100; referee doctor --json", bare(bwrap=BWRAP))
    report = json.loads(ran.out)
    assert ran.code == 1
    assert "The limits of players cannot be set" in report["full"]["why"]
    own = next(finding for finding in report["machine"] if finding["name"] == "own limits")
    assert (own["ok"], own["text"]) == (False, "ulimit -Hn is 100")


@pytest.mark.skipif(not Path("/usr/bin/python3").exists(), reason="the fake needs it")
def test_a_bubblewrap_that_isolates_nothing_is_detected(referee, bare):
    environ = bare(bwrap=CARELESS)
    remembered = referee.folder / "cache" / "referee" / "isolation-full.json"
    remembered.parent.mkdir(parents=True)
    remembered.write_text("{}")
    before = set(Path("/tmp").glob(".canary-*"))
    report = json.loads(referee("doctor", "--json", environ=environ).out)
    worked = {attempt["attack"] for attempt in report["full"]["attempts"] if attempt["refused"] is False}
    assert {"read a secret file", "list processes", "write in /tmp"} <= worked
    assert not report["holds"]
    assert "a player could read a secret file; " in report["full"]["why"]
    assert not remembered.exists()
    assert "WORKED" in referee("doctor", environ=environ, code=1).out
    for left in set(Path("/tmp").glob(".canary-*")) - before:  # the filter of calls lets no player remove a file
        left.unlink()


def test_languages_are_listed_by_the_programs_on_path(referee, bare):
    rustc = "#!/bin/sh\necho\necho 'rustc 1.95\x1b[31m' $1\necho more\n"
    environ = bare(rustc=rustc, ruby="#!/bin/sh\nexit 1\n")
    report = json.loads(referee("doctor", "--json", environ=environ).out)
    known = {entry["language"]: entry for entry in report["languages"]}
    rust = {"program": f"{environ['PATH']}/rustc", "version": "rustc 1.95\ufffd[31m --version"}
    assert known["Rust"] == {"language": "Rust", **rust, "package": "rustc"}
    assert known["Ruby"]["program"] == "", "it does not print its version"
    assert known["Go"] == {"language": "Go", "program": "", "version": "", "package": "golang-go"}


@pytest.mark.skipif(os.geteuid() != 0, reason="needs root")
def test_the_temporary_folder_of_a_root_referee_is_one_that_its_players_can_reach(tmp_path, monkeypatch):
    tmp_path.chmod(0o700)
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    assert machine.temporary().text.startswith("/tmp, ")


@pytest.mark.parametrize(
    ("owner", "name"), [(tempfile, "gettempdir"), (os, "statvfs")], ids=["none", "no /tmp for root"]
)
def test_without_a_folder_to_write_to_the_rest_is_still_examined(monkeypatch, owner, name):
    monkeypatch.setattr(owner, name, raising(FileNotFoundError(ENOENT, "No such file or directory")))
    assert machine.temporary() == Requirement(
        "temporary folder", False, "none can be written to", "TMPDIR=FOLDER referee …; in a container: --tmpfs /tmp"
    )


GOOD = [Attempt(name, True, "EPERM") for name in NAMES]
FINE = MachineReport(
    LevelTest(Level.FULL, "", {"namespaces": "bubblewrap"}, GOOD),
    LevelTest(Level.REDUCED, "", {"files": "landlock 7"}, GOOD),
    Limits(),
    [Requirement("kernel", True, "Linux 6.18")],
    [LanguageTool("C", "/usr/bin/gcc", "gcc 12", "gcc")],
)


def shown(report: MachineReport) -> str:
    out = io.StringIO()
    console = Console(file=out, width=40)
    for line in doctor.lines(report, ("ok", "no", "- ")):
        console.print(line, soft_wrap=True)
    return out.getvalue()


def test_a_report_without_faults_has_nothing_to_fix():
    assert FINE.fixes == []
    text = shown(FINE)
    assert "to fix" not in text
    assert "ok C                        gcc 12\n" in text


def test_a_long_list_of_packages_breaks_between_words():
    packages = ", ".join(f"typing-extensions-{number} 4.15.{number}" for number in range(40))
    text = shown(replace(FINE, machine=[Requirement("Python of bots", True, packages)]))
    lines = text.partition("machine\n")[2].partition("\n\n")[0].splitlines()
    assert max(map(len, lines)) <= 80
    assert " ".join(line[29:] for line in lines).lstrip() == packages


def test_a_cause_is_named_once_and_in_full():
    why = "Players cannot be isolated: " + "something " * 20
    trial = replace(FINE.full, why=why, attempts=[])
    lacks = Requirement("autogroup", False, "off", "sudo sysctl kernel.sched_autogroup_enabled=1")
    report = replace(FINE, full=trial, reduced=replace(trial, level=Level.REDUCED), machine=[lacks])
    assert report.fixes == [why, "autogroup: sudo sysctl kernel.sched_autogroup_enabled=1"]
    assert f"  {why.rstrip()}" in shown(report)
    assert "what a player tried" not in shown(report)


def test_an_attack_that_a_level_does_not_promise_to_refuse_raises_no_alarm():
    name = "start more threads than the limit"
    attempts = [replace(a, refused=False, by="") if a.attack == name else a for a in GOOD]
    in_full = shown(replace(FINE, full=replace(FINE.full, attempts=attempts)))
    in_reduced = shown(replace(FINE, reduced=replace(FINE.reduced, attempts=attempts)))
    assert "WORKED" in in_full
    assert "worked, not promised" in in_reduced
    assert "WORKED" not in in_reduced


def test_attacks_that_were_not_reached_are_listed():
    text = shown(replace(FINE, full=replace(FINE.full, why="It crashed.", attempts=GOOD[:5])))
    assert text.count("not reached") == len(NAMES) - 5


def test_a_missing_language_is_not_a_fault():
    report = replace(FINE, languages=[LanguageTool("Go", "", "", "golang-go")])
    assert report.fixes == []
    assert "-  Go                       not found: sudo apt install golang-go" in shown(report)
