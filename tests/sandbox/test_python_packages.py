"""What bots in Python can import beside the standard library."""

from __future__ import annotations

import subprocess
import sys

import pytest

from referee.cli import machine
from referee.sandbox.runtimes import base_python, packages


def test_the_packages_are_those_of_the_interpreter_that_runs_bots():
    done = subprocess.run(
        [base_python(), "-I", "-m", "pip", "list", "--format=freeze"], capture_output=True, text=True, check=False
    )
    if done.returncode:
        pytest.skip("this interpreter has no pip")
    assert {name.partition(" ")[0] for name in packages()} >= {line.partition("==")[0] for line in done.stdout.split()}


def test_packages_of_the_referees_own_environment_are_not_among_them():
    if sys.prefix == sys.base_prefix:
        pytest.skip("the referee is not in an environment of its own")
    assert not any(name.startswith("referee ") for name in packages())


@pytest.mark.parametrize(
    ("found", "told"),
    [
        (["numpy 2.4.6", "pip 23"], "bots can import numpy 2.4.6, pip 23"),
        ([], "bots can import the standard library alone"),
    ],
)
def test_doctor_says_what_bots_can_import(monkeypatch, found, told):
    monkeypatch.setattr(machine, "packages", lambda: found)
    finding = machine.python()
    assert finding.ok
    assert finding.text.endswith(f", {base_python()}; {told}")


async def test_check_says_it_too(monkeypatch):
    from referee import bots
    from referee.compliance import check

    monkeypatch.setattr(check, "packages", lambda: ["numpy 2.4.6"])
    assert check._python(bots.find("random")).endswith(" with 1 package to import (`referee doctor` lists them)")
    assert check._python(bots.find("cobra")) == ""
