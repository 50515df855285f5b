"""Compilers: which program a build command starts, and which programs of the machine a build can see."""

import os
import shutil
from pathlib import Path

import pytest

from referee import languages
from referee.building.tools import locate, toolchain
from referee.errors import BotError

ASIDE = Path("/usr/sbin/nologin")
"""A program in /usr that is not where builds look by name."""


def located(*command, jailed=True):
    """The command that is run, and the file of its program."""
    found, version = locate("kaa", command, jailed=jailed)
    return found, version[0]


def test_a_program_on_the_builds_path_is_started_by_name(monkeypatch):
    monkeypatch.setenv("PATH", "/usr/bin")
    assert located("env", "x") == (("env", "x"), os.path.realpath("/usr/bin/env"))


@pytest.mark.skipif(not ASIDE.exists(), reason=f"there is no {ASIDE}")
def test_a_program_elsewhere_in_usr_is_started_by_path(monkeypatch):
    monkeypatch.setenv("PATH", str(ASIDE.parent))
    real = str(ASIDE.resolve())
    assert located("nologin", "x") == ((real, "x"), real)
    assert located("nologin", "x", jailed=False) == (("nologin", "x"), real)


def test_a_program_outside_usr_is_not_seen(tmp_path, monkeypatch):
    (tmp_path / "frobnicate").write_text("#!/bin/sh\n")
    (tmp_path / "frobnicate").chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(
        BotError, match=r"bot kaa: frobnicate is .*, which builds cannot see: install it below /usr, or build"
    ):
        locate("kaa", ("frobnicate",), jailed=True)
    assert locate("kaa", ("frobnicate",), jailed=False)[0] == ("frobnicate",)


@pytest.mark.skipif(shutil.which("rustc") is None, reason="rustc is not installed")
def test_the_users_own_rust_is_seen():
    command, version = locate("kaa", ("rustc", "a.rs"), jailed=True)
    assert command == ("rustc", "a.rs")
    assert os.access(version[0], os.X_OK)
    assert "rustc" in version[-1]


def test_a_program_in_the_bots_folder_has_no_version():
    assert locate("kaa", ("./configure", "--fast"), jailed=True)[1] is None


def test_a_missing_program(monkeypatch, tmp_path):
    monkeypatch.setenv("PATH", str(tmp_path))
    for jailed in (True, False):
        with pytest.raises(BotError) as missing:
            locate("kaa\x1b", ("make", "all"), jailed=jailed)
        assert str(missing.value) == "bot kaa\\x1b: there is no program 'make' on PATH: sudo apt install make"


def test_the_compiler_of_a_language_is_among_the_tools(monkeypatch, tmp_path):
    """A script may call it."""
    for name in ("clang", "cc"):  # the first of them
        (tmp_path / name).write_text("#!/bin/sh\necho 7.0\n")
        (tmp_path / name).chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    commands, versions = toolchain("kaa", languages.find("c"), [("./configure",)], jailed=False)
    files = [version and version[0] for version in versions]
    assert (commands, files) == ([("./configure",)], [None, str(tmp_path / "clang")])
