"""Programs of each runtime find what they need in a cell, under the memory limit. `tests/languages` plays matches with them."""

import os
import shutil
import subprocess
import sys
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest
import trio
from hostile.running import celled, read_to_end, status_of
from sandbox.probes import building

from referee import bots
from referee.bots import find
from referee.sandbox.limits import Level
from referee.sandbox.opening import open_sandbox
from referee.sandbox.program import Program
from referee.sandbox.runtimes import base_python, python
from referee.sandbox.uid_pool import UIDS, can_reach

pytestmark = [
    pytest.mark.machine,
    pytest.mark.skipif(shutil.which("bwrap") is None, reason="bubblewrap is not installed"),
]

SDK = Path(__file__).parents[2] / "sdk" / "python"
Bot = partial(Program, "kaa", env={"PYTHONPATH": str(SDK)}, trusted=True)


def play(bot: Program, text: str = "", level: Level = Level.FULL) -> str:
    """The output of a bot in a cell."""
    return trio.run(_play, bot, text, level)


async def _play(bot: Program, text: str, level: Level) -> str:
    with open_sandbox(level) as sandbox:
        async with celled(sandbox, bot) as cell:
            cell.stdin.write(text.encode())
            cell.stdin.close()
            output = (await read_to_end(cell)).decode()
            assert (await status_of(cell), cell.words(4096).decode()) == (0, ""), output
    return output


@pytest.mark.parametrize("level", [Level.FULL, Level.REDUCED])
@pytest.mark.parametrize("runtime", building.RUNTIMES)
def test_players_that_use_much_of_their_runtime(tmp_path, runtime, level):
    """Threads, workers, random numbers, files that they may read: see the programs in `probes`."""
    if runtime == "python" and level is Level.REDUCED and os.geteuid() == 0 and not can_reach(base_python(), UIDS[0]):
        pytest.skip("players cannot reach the interpreter")
    assert play(Bot(building.rich(runtime, tmp_path), tmp_path / runtime), "hello\n", level) == "played hello\n"


def test_a_library_in_the_bots_folder(tmp_path):
    (tmp_path / "deep.c").write_text("int deep(void) { return 42; }\n")
    text = '#include <stdio.h>\nint deep(void);\nint main(void) { printf("%d\\n", deep()); return 0; }\n'
    (tmp_path / "bot.c").write_text(text)
    (tmp_path / "lib").mkdir()
    for words in ("deep.c -shared -fPIC -o lib/libdeep.so", "bot.c -o bot -Llib -ldeep -Wl,-rpath,$ORIGIN/lib"):
        subprocess.run([building.tool("gcc"), *words.split()], cwd=tmp_path, check=True)
    assert play(Bot([str(tmp_path / "bot")], tmp_path, trusted=False)) == "42\n"


MODULES = """
import asyncio, bz2, concurrent.futures, ctypes, decimal, hashlib, json, locale, lzma, os, random, socket, sqlite3
import ssl, sys, threading
import uuid, zlib
import beside, snake
assert locale.setlocale(locale.LC_ALL, "") == "C.UTF-8"
assert snake.__file__.startswith("/sdk/python/"), snake.__file__
print(hashlib.sha256(b"x").hexdigest()[:4], sqlite3.connect(":memory:").execute("select 40 + 2").fetchone()[0])
print(list(concurrent.futures.ThreadPoolExecutor(4).map(abs, [-1])), asyncio.run(asyncio.sleep(0, 2)), beside.WORD)
print(ctypes.CDLL("libc.so.6").abs(-3), ssl.create_default_context().verify_mode == ssl.CERT_REQUIRED)
print(hash("x") == hash("x"), sys.dont_write_bytecode, sys.argv[1:], len(lzma.compress(b"x")) > 0, open(__file__).encoding)
"""
ANSWER = "2d71 42\n[1] 2 é\n3 True\nTrue True ['a b'] True utf-8\n"


@pytest.fixture
def python_bot(tmp_path) -> Path:
    folder = tmp_path / "bot"
    folder.mkdir()
    (folder / "bot.py").write_text(MODULES)
    (folder / "beside.py").write_text("WORD = 'é'\n", encoding="utf-8")
    return folder


def interpreters() -> list:
    """The Pythons of this machine, the referee's own first."""
    params = [pytest.param(Path(sys.executable), id="the referee's"), pytest.param(Path("/usr/bin/python3"), id="/usr")]
    home = Path.home() / ".pyenv" / "versions"
    for version in ("3.9", "3.13"):
        known = sorted(home.glob(f"{version}.*/bin/python{version}")) or [home / version]
        params.append(pytest.param(known[-1], id=f"pyenv {version}"))
    return params


@pytest.mark.parametrize("interpreter", interpreters())
def test_python(python_bot, interpreter):
    if not interpreter.exists():
        pytest.skip(f"no {interpreter} here")
    try:
        output = play(Bot([str(interpreter), "bot.py", "a b"], python_bot))
    except AssertionError as failed:
        missing = "No module named '_" in str(failed)
        imports = "import ssl, lzma, bz2, sqlite3, ctypes"
        if missing and subprocess.run([interpreter, "-c", imports], check=False).returncode:
            pytest.skip("this Python was built without some of the modules")
        raise
    assert output.lower() == ANSWER.lower()


@pytest.fixture(scope="module")
def unpacked(tmp_path_factory) -> Path:
    """A Python unpacked into a home folder, as uv does it: it finds its library by $ORIGIN, and a link leads to its folder."""
    base = base_python()
    stdlib = Path(os.__file__).resolve().parent
    home = tmp_path_factory.mktemp("home") / ".local/share/uv/python"
    root = home / "cpython-full"
    (root / "bin").mkdir(parents=True)
    (root / "lib").mkdir()
    program = root / "bin" / base.name
    data = base.read_bytes()
    lib = base.parent.parent / "lib"
    for library in lib.glob("libpython3*.so*"):
        shutil.copy2(library, root / "lib", follow_symlinks=True)
        word = os.fsencode(lib)
        data = data.replace(word + b"\0", b"$ORIGIN/../lib".ljust(len(word), b"\0") + b"\0")
    program.write_bytes(data)
    program.chmod(0o755)
    leave = shutil.ignore_patterns(
        "test", "site-packages", "__pycache__", "idlelib", "config-*", "ensurepip", "lib2to3"
    )
    shutil.copytree(stdlib, root / "lib" / stdlib.name, ignore=leave, symlinks=False, ignore_dangling_symlinks=True)
    (home / "cpython").symlink_to("cpython-full")
    return home / "cpython" / "bin" / base.name


def test_a_python_in_a_home_folder(python_bot, unpacked):
    assert play(Bot([str(unpacked), "bot.py", "a b"], python_bot)).lower() == ANSWER.lower()


def test_a_virtual_environment_that_the_user_named(python_bot, unpacked, tmp_path):
    """Its links pass through a link to a folder, as uv makes them."""
    venv = tmp_path / "venv"
    (venv / "bin").mkdir(parents=True)
    packages = venv / "lib" / f"python{sys.version_info[0]}.{sys.version_info[1]}" / "site-packages"
    packages.mkdir(parents=True)
    (packages / "installed.py").write_text("WORD = 'installed'\n")
    (venv / "bin/python").symlink_to(unpacked)
    (venv / "bin/python3").symlink_to("python")
    (venv / "pyvenv.cfg").write_text(f"home = {unpacked.parent}\ninclude-system-site-packages = false\n")
    (python_bot / "more.py").write_text(
        "import installed, sys, ssl, bz2; print(installed.WORD, sys.prefix != sys.base_prefix)\n"
    )
    for name in ("python", "python3"):
        assert play(Bot([str(venv / "bin" / name), "more.py"], python_bot)) == "installed True\n"


@pytest.mark.parametrize("parent", [".", "bot"])
def test_a_virtual_environment_of_the_systems_python(python_bot, tmp_path, monkeypatch, parent):
    """Also one in the folder of the bot, as `cmd:'venv/bin/python more.py'` names it."""
    if not Path("/usr/bin/python3").exists():
        pytest.skip("no /usr/bin/python3 here")
    venv = tmp_path / parent / "venv"
    subprocess.run(["/usr/bin/python3", "-m", "venv", "--without-pip", venv], check=True, env={})
    (python_bot / "more.py").write_text("import sys; print(sys.prefix)\n")
    monkeypatch.chdir(python_bot)
    assert play(find(f"cmd:{venv}/bin/python more.py")) == f"{venv}\n"


def test_another_virtual_environment_of_the_referees_python(python_bot, tmp_path, monkeypatch):
    venv = tmp_path / "venv"
    (venv / "bin").mkdir(parents=True)
    (venv / "bin/python").symlink_to(base_python())
    (venv / "pyvenv.cfg").write_text(f"home = {base_python().parent}\n")
    (python_bot / "bot.py").write_text("import sys; print(sys.prefix)\n")
    shim = tmp_path / "shims" / "python3"
    shim.parent.mkdir()
    shim.write_text(f'#!/bin/sh\nexec {venv}/bin/python "$@"\n')
    shim.chmod(0o755)
    monkeypatch.setenv("PATH", str(shim.parent), prepend=os.pathsep)
    for interpreter in (venv / "bin/python", shim):
        assert play(Bot([str(interpreter), "bot.py"], python_bot)) == f"{venv}\n"


SAYS = """
import sys, snake, ssl
print(*(path for path in sys.path if "-packages" in path), sep=",")
print(sys.base_prefix, sys.flags.no_site)
"""


@pytest.mark.parametrize("level", Level)
def test_a_bot_sees_no_packages_beside_the_referees_interpreter(tmp_path, monkeypatch, level):
    (tmp_path / "bot.py").write_text(SAYS)
    bot = bots.find(str(tmp_path / "bot.py"))
    if level is Level.REDUCED and os.geteuid() == 0 and not can_reach(base_python(), UIDS[0]):
        debian = Path("/usr/bin/python3").resolve()
        if not debian.exists():
            pytest.skip("players cannot reach the interpreter")
        monkeypatch.setattr(python, "base_python", lambda: debian)
        monkeypatch.setattr(python, "_base_library", list)
        bot = replace(bot, argv=[str(debian), *bot.argv[1:]])
    assert play(bot, level=level) == f"\n{Path(bot.argv[0]).parent.parent} 0\n"


async def test_the_environment_of_bots_in_python_is_removed_at_the_end(python_bot):
    with open_sandbox(Level.NONE) as sandbox:
        async with celled(sandbox, Bot([str(base_python()), "bot.py"], python_bot)) as cell:
            program = cell.popen.args[0]
            assert leads_to(program) == str(base_python())
    assert leads_to(program) == program


def leads_to(path: str) -> str:
    return os.path.realpath(path)


JAVA = """
import java.security.SecureRandom;
import java.util.stream.IntStream;
public class Bot {
    public static void main(String[] words) throws Exception {
        new SecureRandom().nextInt();
        Thread thread = new Thread(() -> System.out.print(System.getProperty("user.dir") + " "));
        thread.start();
        thread.join();
        System.out.println(IntStream.range(0, 1000).parallel().sum() + " é " + words[0]);
    }
}
"""


@pytest.fixture(scope="module")
def java_bot(tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("java")
    if shutil.which("javac") is None:
        pytest.skip("no javac here")
    (folder / "Bot.java").write_text(JAVA, encoding="utf-8")
    command = ["javac", "-encoding", "UTF-8", "--release", "11", "Bot.java"]
    subprocess.run(command, cwd=folder, check=True, capture_output=True)
    return folder


def jdks() -> list[Path]:
    """The `java` on PATH, and every other JDK."""
    paths = [Path(shutil.which("java") or "/usr/bin/java")]
    met = {paths[0].resolve()}
    for path in sorted(Path("/usr/lib/jvm").glob("*/bin/java")):
        if path.resolve() not in met:
            met.add(path.resolve())
            paths.append(path)
    return paths


@pytest.mark.parametrize("java", jdks(), ids=str)
def test_java(java_bot, java):
    if not java.exists():
        pytest.skip("no java here")
    for where in (".", str(java_bot)):
        assert play(Bot([str(java), "-cp", where, "Bot", "x:y"], java_bot)) == "/bot 499500 é x:y\n"


def test_java_stays_within_its_memory(java_bot):
    """Half of it is heap. The rest is enough for the stacks of a hundred threads and the largest direct buffers."""
    java = jdks()[0]
    if not java.exists():
        pytest.skip("no java here")
    text = """
import java.nio.ByteBuffer;
import java.util.ArrayList;
public class Full {
    public static void main(String[] words) throws Exception {
        for (int n = 0; n < 100; n++) {
            Thread thread = new Thread(() -> { try { Thread.sleep(100000); } catch (InterruptedException e) { } });
            thread.setDaemon(true);
            thread.start();
        }
        ArrayList<Object> kept = new ArrayList<>();
        try { while (true) kept.add(ByteBuffer.allocateDirect(1 << 20)); } catch (OutOfMemoryError e) { }
        System.out.print(kept.size() + " ");
        int heap = 0;
        try { while (true) { kept.add(new byte[1 << 20]); heap++; } } catch (OutOfMemoryError e) { kept = null; }
        System.out.println(heap > 400);
    }
}
"""
    (java_bot / "Full.java").write_text(text)
    subprocess.run(["javac", "Full.java"], cwd=java_bot, check=True)
    assert play(Bot([str(java), "-cp", ".", "Full"], java_bot)) == "128 true\n"


def test_a_script_in_the_bots_folder(tmp_path):
    script = tmp_path / "bot"
    script.write_text("#!/bin/sh -u\necho $0 $1\n")
    script.chmod(0o755)
    assert play(Bot([str(script), "word"], tmp_path, trusted=False)) == "/bot/bot word\n"


def test_a_python_script_can_import_modules_beside_it(python_bot):
    script = python_bot / "bot"
    if shutil.which("python3") is None:
        pytest.skip("no python3 on PATH")
    script.write_text("#!/usr/bin/env python3\nimport beside, sys; print(beside.WORD, sys.argv)\n")
    script.chmod(0o755)
    assert play(Bot([str(script), "word"], python_bot)) == "é ['/bot/bot', 'word']\n"
