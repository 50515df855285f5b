"""Compiles the programs in this folder, and runs each kind of player."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).parent
PYTHON = str(Path(getattr(sys, "_base_executable", sys.executable)).resolve())
RUNTIMES = ("c++", "pascal", "java", "javascript", "python")


def tool(name):
    path = shutil.which(name)
    if path is None:
        pytest.skip(f"{name} is not installed")
    return path


def tempdir(tmp_path_factory):
    """One folder for the whole test run, so each program is compiled once."""
    folder = tmp_path_factory.getbasetemp() / "probes"
    folder.mkdir(exist_ok=True)
    return folder


def compiled(name, folder):
    """The path of the C program `name`, compiled in `folder`."""
    target = folder / name
    if not target.exists():
        source = str(HERE / f"{name}.c")
        subprocess.run([tool("gcc"), "-O1", "-Wall", "-Wextra", "-Werror", "-o", str(target), source], check=True)
    return str(target)


def rich(runtime, folder):
    """Builds the `rich` player of this runtime in `folder`, with all files that it reads; returns its command."""
    output = folder / runtime
    output.mkdir(exist_ok=True)
    target = output / "rich"
    match runtime:
        case "c++":
            source = str(HERE / "rich.cpp")
            subprocess.run([tool("g++"), "-O1", "-std=c++17", "-pthread", "-o", str(target), source], check=True)
            return [str(target)]
        case "pascal":
            call = [tool("fpc"), "-v0", f"-FU{output}", f"-o{target}", str(HERE / "rich.pas")]
            subprocess.run(call, check=True, stdout=subprocess.DEVNULL)
            return [str(target), str(shutil.copy(HERE / "rich.pas", output))]
        case "java":
            subprocess.run([tool("javac"), "-d", str(output), str(HERE / "Rich.java")], check=True)
            return [tool("java"), "-cp", str(output), "Rich", str(output / "Rich.class")]
        case "javascript":
            return [tool("node"), str(shutil.copy(HERE / "rich.js", output))]
        case _:
            return [PYTHON, str(shutil.copy(HERE / "rich.py", output))]
