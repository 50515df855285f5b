"""Which runtime a program has, what a stranger's folder may start, and how names of the host become names in the cell."""

import os
import sys
from contextlib import suppress
from dataclasses import replace
from errno import EMFILE
from functools import partial
from pathlib import Path, PurePosixPath

import pytest
from hypothesis import given
from hypothesis import strategies as st
from raising import raising

from referee.errors import BotError
from referee.sandbox.limits import Limits
from referee.sandbox.program import Program
from referee.sandbox.runtimes import Runtime, ask, base_python, describe, layout, system, without_packages
from referee.sandbox.runtimes import python as python_runtime
from referee.sandbox.runtimes.ask import answer
from referee.sandbox.runtimes.bot_files import BotFiles, head_of
from referee.sandbox.runtimes.describe import is_of_machine
from referee.sandbox.runtimes.profile import order_binds

HEAD = head_of(base_python())[:64]
"""The ELF header of a program for this machine."""
Bot = partial(Program, "kaa")
NOT_ON_PATH = (
    r"^bot kaa: it wants to run .*, which is neither in its folder nor on PATH: name the program on the command line "
    r"\(cmd:'PROGRAM ARGS'\) if you trust it, or add its folder to PATH$"
)


@pytest.fixture
def folder(tmp_path) -> Path:
    (tmp_path / "bot").mkdir()
    return tmp_path / "bot"


@pytest.fixture
def tools(tmp_path, monkeypatch) -> Path:
    """The only folder on PATH."""
    (tmp_path / "tools").mkdir()
    monkeypatch.setenv("PATH", f"{tmp_path / 'tools'}:.:relative")
    return tmp_path / "tools"


def put(path: Path, data: bytes | str) -> str:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data if isinstance(data, bytes) else data.encode())
    path.chmod(0o755)
    return str(path)


def program() -> bytes:
    return HEAD


def described(bot: Program, folder: str = "/bot", placed=None, memory: int = 1 << 30) -> Runtime:
    return describe(bot, folder, placed or {}, memory=memory)


def test_a_program_in_the_bots_folder_is_native_whatever_its_name(folder):
    put(folder / "python3", program())
    put(folder / "bin/java", program())
    assert described(Bot([str(folder / "python3"), "x"], folder)).kind == "native"
    runtime = described(Bot([str(folder / "bin/java")], folder))
    assert (runtime.kind, runtime.argv) == ("native", ("/bot/bin/java",))


TOPS = {f"/{name}" for name in ("bin", "sbin", "lib", "lib32", "lib64", "libx32")}
"""These are separate folders on machines that have not merged them into /usr."""


def test_native_programs_get_usr_and_their_memory_limit(folder):
    runtime = described(Bot([put(folder / "bot", program())], folder), memory=400 << 20)
    assert (runtime.binds, runtime.links) == system.of_players("native")
    assert {path for _, path in runtime.binds} <= {"/usr", "/etc/alternatives", "/etc/ld.so.cache"} | TOPS
    assert runtime.env["GOMEMLIMIT"] == str(300 << 20)
    assert runtime.env["HOME"] == "/bot"


def test_the_loader_gets_the_folder_of_the_program(folder):
    bot = Bot([put(folder / "bin/bot", program())], folder)
    assert described(bot).env["LD_ORIGIN_PATH"] == "/bot/bin"
    assert described(bot, "/tmp/staged").env["LD_ORIGIN_PATH"] == "/tmp/staged/bin"


@pytest.mark.parametrize(
    ("data", "why"),
    {
        "another machine": (HEAD[:18] + bytes([HEAD[18] + 1]) + HEAD[19:], "is built for"),
        "another width": (HEAD[:4] + bytes([3 - HEAD[4]]) + HEAD[5:], "is built for"),
        "a program for Windows": (b"MZ" + bytes(200), "neither a program for Linux nor a script"),
        "a source": (b"print(1)\n", "name its interpreter"),
        "a name that no file has": ("#!/bin/s\0h\n", "names no interpreter"),
        "more than the kernel reads": ("#!/bin/" + "x" * 300 + "\n", "names no interpreter"),
        "nothing": (b"", "neither a program for Linux nor a script"),
        "no interpreter": ("#!\nx\n", "names no interpreter"),
        "line ends of Windows": ("#!/bin/sh\r\necho\r\n", "CR LF"),
        "an interpreter that is not here": ("#!/usr/bin/nosuchthing\n", "needs 'nosuchthing', which is not on PATH"),
        "env with options": ("#!/usr/bin/env -i sh\n", "needs '-i sh', which is not on PATH"),
        "env alone": ("#!/usr/bin/env\n", "names no interpreter"),
    }.values(),
)
def test_a_program_that_cannot_run_is_a_one_line_error(folder, data, why):
    with pytest.raises(BotError, match=why) as failed:
        described(Bot([put(folder / "bot", data)], folder))
    assert str(failed.value).startswith("bot kaa: ")
    assert "\n" not in str(failed.value)


def test_a_stranger_may_start_programs_on_path(folder, tools, tmp_path):
    put(tools / "tool", program())
    put(tmp_path / "opt/real", program())
    (tools / "linked").symlink_to(tmp_path / "opt/real")
    (tmp_path / "alias").symlink_to(tools / "tool")
    for path in (tools / "tool", tools / "linked", tools / "../tools/tool", tmp_path / "alias"):
        assert described(Bot([str(path)], folder)).kind == "other"


@pytest.mark.parametrize(
    ("name", "calls"), [("ruby", "ruby"), ("ruby3.1", "ruby"), ("rubyist", "players"), ("perl", "players")]
)
def test_ruby_has_its_own_list_of_system_calls(name, calls, folder, tools):
    assert described(Bot([put(tools / name, program()), "x.rb"], folder)).calls == calls


def test_unreadable_folders_on_path_are_skipped(folder, tools, monkeypatch):
    monkeypatch.setenv("PATH", f"/{'x' * 300}:/dev/null:{tools}")
    assert described(Bot([put(tools / "tool", program())], folder)).kind == "other"


def test_a_stranger_may_start_nothing_else(folder, tools, tmp_path, monkeypatch):
    put(tmp_path / "opt/real", program())
    put(tmp_path / "opt/tool", program())
    put(tools / "tool", program())
    put(folder / "relative/x", program())
    (folder / "link").symlink_to(tmp_path / "opt/real")
    put(tmp_path / "opt/relative/x", program())
    monkeypatch.chdir(tmp_path / "opt")  # PATH says `.` and `relative` too
    for path in (
        tmp_path / "opt/relative/x",
        tmp_path / "opt/real",
        tmp_path / "opt/tool",
        tools / "../opt/real",
        folder / "link",
        Path("/bin/sh"),
    ):
        with pytest.raises(BotError, match=NOT_ON_PATH):
            described(Bot([str(path)], folder))
    assert described(Bot([str(tmp_path / "opt/real")], folder, trusted=True)).kind == "other"


def test_a_stranger_may_start_the_referees_own_python(folder, tools):
    for path in (sys.executable, str(base_python())):
        runtime = described(Bot([path, "x.py"], folder))
        assert (runtime.kind, runtime.argv) == ("python", (str(base_python()), "-B", "x.py"))
    assert described(Bot([sys.executable, "x.py"], Path("/"))).kind == "python", "although that is in the folder"
    (tools / "python").symlink_to(base_python())
    script = put(folder / "bot", "#!/nowhere/python\n")
    assert described(Bot([script], Path("/"), trusted=True)).kind == "python", "although that is in the folder"


@pytest.mark.parametrize("writes", [True, False])
def test_the_sdk_is_compiled_before_bots_start(folder, tmp_path, monkeypatch, writes):
    monkeypatch.setattr(sys, "dont_write_bytecode", not writes)
    sdk = tmp_path / "sdk"
    put(sdk / "snake.py", "x = 1\n")
    put(sdk / "wrong.py", "x = \n")
    described(Bot([sys.executable, "x.py"], folder, env={"PYTHONPATH": str(sdk)}))
    assert [path.stem.partition(".")[0] for path in sdk.glob("*/*")] == ["snake"] * writes


def test_python3_is_the_environment_that_the_sandbox_made(folder, tmp_path):
    python = without_packages(tmp_path / "made")
    bot = Bot([str(base_python()), "x.py"], folder)
    full = describe(bot, "/bot", {}, memory=1 << 30, python3=python)
    reduced = describe(bot, "/staged", {}, memory=1 << 30, python3=python)
    assert (full.argv[0], reduced.argv[0]) == ("/python/bin/python3", str(python))
    assert (tmp_path / "made", "/python") in full.binds
    assert (tmp_path / "made", str(tmp_path / "made")) in reduced.binds
    assert full.env["LD_ORIGIN_PATH"] == reduced.env["LD_ORIGIN_PATH"] == str(base_python().parent)


def test_no_player_leaves_a_message_in_the_times_of_that_environment(tmp_path):
    python = without_packages(tmp_path / "made")
    if not os.statvfs(tmp_path).f_flag & (os.ST_NOATIME | os.ST_RELATIME):
        pytest.skip("the temporary folders are on a disk with strictatime")
    parts = [python, python.parent, tmp_path / "made", tmp_path / "made/pyvenv.cfg"]
    before = [part.lstat().st_atime_ns for part in parts]
    python.readlink()
    (tmp_path / "made/pyvenv.cfg").read_bytes()
    for folder in (python.parent, tmp_path / "made"):
        list(folder.iterdir())
    assert [part.lstat().st_atime_ns for part in parts] == before


def test_another_environment_of_its_interpreter_is_not_taken_for_that(folder, tmp_path):
    own = without_packages(folder / "venv")
    bot = Bot([str(own), "x.py"], folder, trusted=True)
    runtime = describe(bot, "/bot", {}, memory=1 << 30, python3=without_packages(tmp_path / "made"))
    assert runtime.argv[0] != "/python/bin/python3"
    assert "/python" not in {inside for _, inside in runtime.binds}


def test_a_copied_interpreter_that_runs_the_referee_is_its_own_python(folder, monkeypatch):
    monkeypatch.setattr(sys, "executable", "/venv/of/copies/bin/python")
    assert described(Bot(["/venv/of/copies/bin/python"], folder)).argv[0] == str(base_python())


@pytest.mark.parametrize("path", ["/nowhere/at/all", "/etc/passwd", "/etc"])
def test_a_path_without_a_program(folder, path):
    with pytest.raises(BotError, match=f"^bot kaa: there is no program {path}: install it, or correct the path$"):
        described(Bot([path], folder, trusted=True))


@pytest.mark.parametrize("path", ["/bot\0", "/" + "x" * 5000, "loop"])
def test_a_path_that_cannot_be_examined(folder, path):
    (folder / "loop").symlink_to("loop")
    # Since Python 3.13, the resolved path of a loop is a path: a file without content.
    refused = "cannot be examined: |there is no program |neither a program for Linux nor a script"
    with pytest.raises(BotError, match=f"^bot kaa: .*({refused})"):
        described(Bot([str(folder / path)], folder, trusted=True))


@pytest.mark.parametrize("trusted", [False, True])
@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("#! /anywhere/at/all/speak  -a b ", ["-a b"]),
        ("#!speak\t-u\t", ["-u"]),
        ("#!/usr/bin/env speak", []),
        ("#!/usr/bin/env -S speak -a b", ["-a", "b"]),
        ("#!{other}", []),
        ("#!/usr/bin/env {other}", []),
    ],
)
def test_the_interpreter_of_a_script_is_looked_up_on_path_by_its_name(
    folder, tools, tmp_path, monkeypatch, line, words, trusted
):
    """Neither the file that the line names nor one in the current folder is started, which PATH names too."""
    speak, other = put(tools / "speak", program()), put(tmp_path / "opt/speak", program())
    put(folder / "speak", program())
    monkeypatch.chdir(folder)
    monkeypatch.setenv("PATH", f".:{tools}")
    script = put(folder / "bot", f"{line.format(other=other)}\nx")
    runtime = described(Bot([script, "one", "two"], folder, trusted=trusted))
    assert (runtime.kind, runtime.argv) == ("other", (speak, *words, "/bot/bot", "one", "two"))


@pytest.mark.parametrize(("beside", "of_machine"), [("pyvenv.cfg", True), ("lib/python3.11/os.py", False)])
def test_an_interpreter_in_the_bots_folder_is_its_file_unless_it_is_that_of_a_virtual_environment(
    folder, beside, of_machine
):
    start = Path(put(folder / "venv/bin/python", program()))
    put(folder / "venv" / beside, "")
    assert is_of_machine(start, folder) == of_machine
    for trusted in (False, True):
        bot = Bot([str(start)], folder, files={"venv/bin/python": start}, trusted=trusted)
        assert described(bot, placed={start.resolve(): "venv/bin/python"}).kind == "native"


def test_an_interpreter_in_the_bots_folder_is_used_only_if_it_is_on_path(folder, tools, monkeypatch):
    put(folder / "speak", program())
    put(folder / "bot", f"#!{folder}/speak\nx")
    for trusted in (False, True):
        with pytest.raises(BotError, match=r"^bot kaa: bot needs 'speak', which is not on PATH: install it$"):
            described(Bot([str(folder / "bot")], folder, trusted=trusted))
    monkeypatch.setenv("PATH", str(folder))
    runtime = described(Bot([str(folder / "bot")], folder, trusted=True))
    assert (runtime.kind, runtime.argv) == ("native", ("/bot/speak", "/bot/bot")), "no interpreter"
    put(folder / "bot", f"#!{folder}/bot\nx")
    with pytest.raises(BotError, match=r"^bot kaa: bot is run by bot, which is not a program: name its interpreter$"):
        described(Bot([str(folder / "bot")], folder, trusted=True))


def test_a_program_on_the_command_line_is_a_file_of_the_bot_unless_it_is_on_path(folder, tools, tmp_path):
    speak, other = Path(put(tools / "speak", program())), Path(put(tmp_path / "opt/other", program()))
    source = put(folder / "x.src", "x")
    assert [is_of_machine(path, folder) for path in (speak, other, base_python())] == [True, False, True]
    files = {"other": other, "x.src": folder / "x.src"}
    placed = {path.resolve(): name for name, path in files.items()}
    bot = Bot([str(speak), source], folder, files=files, trusted=True)
    assert described(bot, placed=placed).argv == (str(speak), "/bot/x.src")
    assert described(Bot([str(other)], folder, files=files, trusted=True), placed=placed).argv == ("/bot/other",)
    assert described(Bot([str(speak)], tools)).kind == "native", "all of that folder is the bot"


def test_arguments_that_name_files_of_the_bot(folder):
    """Each argument, and how it is called in the cell."""
    put(folder / "lib/a.jar", "x")
    jar, long = str(folder / "lib/a.jar"), "/" + "y" * 5000
    inside = {
        jar: "/bot/lib/a.jar", "lib/a.jar": "lib/a.jar", "./lib/a.jar": "./lib/a.jar", str(folder): "/bot", "": "",
        f"{folder}:{jar}:lib": "/bot:/bot/lib/a.jar:lib", f"{jar}:{folder}": "/bot/lib/a.jar:/bot", "a:b": "a:b",
        f"{folder}/../x": f"{folder}/../x", "/etc/passwd": "/etc/passwd", "x\0": "x\0", "/x\0": "/x\0", long: long,
    }  # fmt: skip
    bot = Bot([put(folder / "bot", program()), *inside], folder)
    assert described(bot).argv[1:] == tuple(inside.values())
    assert described(bot, placed={Path(jar).resolve(): "lib/a.jar"}).argv[1:] == tuple(inside.values())


def test_arguments_that_name_single_files(folder, tmp_path):
    far = put(tmp_path / "far/x.py", "x")
    put(folder / "src/y.py", "y")
    colon = put(tmp_path / "far/a:b.py", "z")
    placed = {Path(far).resolve(): "x.py", (folder / "src/y.py").resolve(): "y.py", Path(colon).resolve(): "a:b.py"}
    inside = {
        far: "/staged/x.py", "src/y.py": "y.py", "../far/x.py": "x.py", "7": "7", str(folder): "/staged", "x\0": "x\0",
        f"{folder}/z": f"{folder}/z", colon: "/staged/a:b.py", f"{far}:src/y.py": "/staged/x.py:y.py",
    }  # fmt: skip
    bot = Bot([sys.executable, *inside], folder, files={name: path for path, name in placed.items()})
    assert described(bot, "/staged", placed).argv[2:] == tuple(inside.values())


def test_python_and_the_sdk(folder, tmp_path):
    (tmp_path / "sdk").mkdir()
    (tmp_path / "more").mkdir()
    sdk, more = tmp_path / "sdk", tmp_path / "more"
    bot = Bot([sys.executable, "x.py"], folder, env={"PYTHONPATH": f"{sdk}:{more}:/nowhere:relative:", "SECRET": "x"})
    full, reduced = described(bot), described(bot, "/staged")
    assert full.env["PYTHONPATH"] == "/sdk/python:/sdk/python2"
    assert {(sdk, "/sdk/python"), (more, "/sdk/python2")} <= set(full.binds)
    assert reduced.env["PYTHONPATH"] == f"{sdk}:{more}"
    assert (sdk, str(sdk)) in reduced.binds
    variables = {"PYTHONHASHSEED": "0", "PYTHONDONTWRITEBYTECODE": "1", "PYTHONIOENCODING": "utf-8"}
    assert (variables | {"PYTHONNOUSERSITE": "1", "OPENSSL_CONF": "/dev/null"}).items() <= full.env.items()
    assert "SECRET" not in full.env
    assert str(sdk) not in full.env.values()


@pytest.mark.parametrize(
    ("name", "text", "why"),
    [
        ("python3", "#!/bin/sh\necho no such thing >&2\nexit 3\n", "no such thing"),
        ("python3", "#!/bin/sh\n", "not an interpreter"),
        ("python3", "#!/bin/sh\necho python3\n", "not an interpreter"),
        ("python3", "#!/bin/sh\necho $0\n", "which is not an interpreter"),
        ("node", "#!/bin/sh\necho node\n", "no answer that makes sense"),
        ("java", "#!/bin/sh\nexit 1\n", "exit status 1"),
        ("java", "#!/bin/sh\n", "not in the bin folder of a JDK"),
        ("../lone/java", program(), "PATH does not lead to"),
    ],
)
def test_an_interpreter_that_does_not_say_where_its_files_are(folder, tools, name, text, why):
    with pytest.raises(BotError, match=f"cannot be asked where its files are: .*{why}"):
        described(Bot([put(tools / name, text), "x"], folder, trusted=True))


def test_a_machine_without_descriptors_is_not_the_bots_fault(folder, tools, monkeypatch):
    shim = put(tools / "python3", "#!/bin/sh\n")
    monkeypatch.setattr("referee.sandbox.runtimes.ask.subprocess.run", raising(OSError(EMFILE, "Too many open files")))
    with pytest.raises(OSError, match="Too many open files"):
        described(Bot([shim], folder, trusted=True))


def test_shims_of_version_managers(folder, tools, tmp_path):
    node = put(tmp_path / "real/node", program())
    shim = put(tools / "node", f"#!/bin/sh\n[ $1 = -p ] && echo {node}\n")
    runtime = described(Bot([shim, "x.js"], folder, trusted=True))
    assert (runtime.kind, runtime.argv) == ("node", (node, "--max-old-space-size=640", "x.js"))
    assert runtime.env["OPENSSL_CONF"] == "/dev/null"
    java = put(tmp_path / "jdk/bin/java", program())
    put(tmp_path / "jdk/lib/server/libjvm.so", program())
    shim = put(tools / "java", f"#!/bin/sh\necho '    java.home = {tmp_path}/jdk' >&2\n")
    runtime = described(Bot([shim, "-cp", ".", "Bot"], folder, trusted=True))
    assert (runtime.kind, runtime.argv[0], runtime.argv[-3:]) == ("java", java, ("-cp", ".", "Bot"))
    assert (tmp_path / "jdk/lib", f"{tmp_path}/jdk/lib") in runtime.binds
    assert runtime.env["LD_LIBRARY_PATH"] == f"{tmp_path}/jdk/lib:{tmp_path}/jdk/lib/server"


def test_the_runtime_follows_from_the_name_of_the_target_or_else_of_the_link(folder, tools, tmp_path):
    node = put(tmp_path / "real/node", program())
    (tmp_path / "js").symlink_to(node)
    assert described(Bot([str(tmp_path / "js"), "x.js"], folder, trusted=True)).argv[0] == node
    put(tools / "manager", f"#!/bin/sh\n[ $0 = {tools}/node ] && echo {node}\n")
    (tools / "node").symlink_to("manager")
    assert described(Bot([str(tools / "node"), "x.js"], folder, trusted=True)).argv[0] == node
    (tmp_path / "node").symlink_to(tools / "node")
    assert described(Bot([str(tmp_path / "node"), "x.js"], folder, trusted=True)).argv[0] == node, "by its name on PATH"
    (tmp_path / "java").symlink_to(node)
    assert described(Bot([str(tmp_path / "java"), "x.js"], folder, trusted=True)).argv[0] == node, (
        "the target's name counts"
    )


def test_files_of_a_bot(folder, tmp_path):
    put(tmp_path / "x", "x")
    put(folder / "y", "y")
    (folder / "link").symlink_to("y")
    os.mkfifo(folder / "fifo")
    bot = BotFiles(Bot([], folder), "/bot", {}, 0)
    assert bot.file("y") == folder / "y"
    for name in ("../x", "..", str(tmp_path / "x"), "link", "fifo", "gone", "y\0", "."):
        assert bot.file(name) is None
    assert [bot.head(name) for name in ("y", "link", "fifo")] == [b"y", b"", b""]


def test_a_jdk_is_bound_part_by_part_and_no_link_leads_out_of_it(folder, tmp_path):
    put(tmp_path / "jdk/bin/java", program())
    put(tmp_path / "jdk/lib/server/libjvm.so", program())
    put(tmp_path / "jdk/release", "x")
    put(tmp_path / "jdk/diary", "x")
    put(tmp_path / "elsewhere/x", "x")
    (tmp_path / "jdk/conf").symlink_to(tmp_path / "elsewhere")
    binds = described(Bot([str(tmp_path / "jdk/bin/java")], folder, trusted=True)).binds
    home = {path for _, path in binds if path.startswith(str(tmp_path))}
    assert home == {f"{tmp_path}/jdk/{part}" for part in ("bin", "lib", "release")}


@pytest.mark.parametrize(("mib", "node", "java"), [(0, 16, 16), (64, 40, 32), (256, 160, 128), (1024, 640, 512)])
def test_the_memory_flags_of_runtimes(folder, tmp_path, mib, node, java):
    """A runtime gets at least the memory that it needs to start."""
    put(tmp_path / "lib/server/libjvm.so", program())
    of_node, of_java = (
        described(Bot([put(tmp_path / path, program()), "x"], folder, trusted=True), memory=mib << 20).argv
        for path in ("node", "bin/java")
    )
    assert of_node[1] == f"--max-old-space-size={node}"
    assert {f"-Xmx{java}m", f"-XX:MaxDirectMemorySize={max(java // 4, 8)}m"} <= set(of_java)
    assert of_java[-1] == "x"


HEADER = "/* a licence */\n" * 100 + "#ifndef X\n#define NODE_MAJOR_VERSION {}\n#define NODE_MINOR_VERSION 3\n"
ROOM = 5 * 512 << 20


@pytest.mark.parametrize(
    ("header", "reserved"), [("22", 0), ("23", ROOM), ("26", ROOM), ("", ROOM), ("1e9", ROOM), ("99999999", ROOM)]
)
def test_a_node_that_reserves_memory_for_code_has_room_for_it(folder, tmp_path, header, reserved):
    put(tmp_path / "include/node/node_version.h", HEADER.format(header))
    runtime = described(Bot([put(tmp_path / "bin/node", program()), "x"], folder, trusted=True))
    assert runtime.reserved == reserved
    assert runtime.room(Limits(memory=1 << 30)) == Limits(memory=(1 << 30) + reserved)


@pytest.mark.parametrize(
    ("version", "reserved"), [("24.1", ROOM), ("20.2", 0), ("v20", ROOM), ("²0.1", ROOM), ("", ROOM)]
)
def test_a_node_without_a_version_header_is_asked_if_it_is_on_path(folder, tools, version, reserved):
    real = put(tools.parent / "real/node", program())
    shim = put(tools / "node", f"#!/bin/sh\n[ $2 = process.execPath ] && echo {real} || echo {version}\n")
    assert described(Bot([shim, "x"], folder, trusted=True)).reserved == reserved
    assert described(Bot([real, "x"], folder, trusted=True)).reserved == ROOM, "not on PATH: not asked"


@pytest.mark.parametrize(
    ("release", "stays"),
    [
        ('IMPLEMENTOR="X"\nJAVA_VERSION="17.0.15"\n', True),
        ('JAVA_VERSION="25"\n', True),
        ('JAVA_VERSION="16.0.2"\n', False),
        ('JAVA_VERSION=""\nX_JAVA_VERSION="17"\n', False),
        ("", False),
        (None, False),
    ],
)
def test_java_maps_its_class_archive_at_a_fixed_address_from_version_17_on(folder, tmp_path, release, stays):
    put(tmp_path / "lib/server/libjvm.so", program())
    if release is not None:
        put(tmp_path / "release", release)
    java = described(Bot([put(tmp_path / "bin/java", program()), "x"], folder, trusted=True)).argv
    assert ("-XX:ArchiveRelocationMode=0" in java) == ("-XX:+UnlockDiagnosticVMOptions" in java) == stays


def test_a_fifo_in_place_of_the_release_file_does_not_block(folder, tmp_path):
    put(tmp_path / "lib/server/libjvm.so", program())
    os.mkfifo(tmp_path / "release")
    java = described(Bot([put(tmp_path / "bin/java", program()), "x"], folder, trusted=True)).argv
    assert "-XX:ArchiveRelocationMode=0" not in java


def test_a_program_outside_usr_sees_usr_and_the_libraries_beside_it(folder, tools, tmp_path):
    sdk = tmp_path / "sdk"
    sdk.mkdir()
    real = put(tmp_path / "opt/bin/real", program())
    near = put(tmp_path / "opt/lib/libnear.so.1", program())
    put(tmp_path / "opt/lib/notes", "x")
    (tmp_path / "opt/lib/real5").mkdir()
    (tmp_path / "opt/lib/bots").mkdir()
    put(tmp_path / "secret.so", "x")
    (tmp_path / "opt/lib/libfar.so").symlink_to(tmp_path / "secret.so")
    (tools / "linked").symlink_to(real)
    runtime = described(Bot([str(tools / "linked")], folder, env={"PYTHONPATH": str(sdk)}))
    assert (runtime.kind, runtime.argv) == ("other", (str(tools / "linked"),))
    assert runtime.env["PYTHONPATH"] == "/sdk/python"
    assert runtime.env["LD_ORIGIN_PATH"] == f"{tmp_path}/opt/bin"
    shown, links = system.of_players("other")
    assert set(runtime.binds) - set(shown) == {
        (Path(real), real), (Path(real), str(tools / "linked")), (Path(near), near), (sdk, "/sdk/python"),
        (tmp_path / "opt/lib/real5", f"{tmp_path}/opt/lib/real5"),
    }  # fmt: skip
    assert (runtime.binds[: len(shown)], runtime.links) == (shown, links)


def test_a_cell_shows_usr_links_into_it_and_some_of_etc(tmp_path):
    for name in ("usr/lib", "etc/java-17-openjdk", "etc/alternatives", "etc/ssh", "home", "lib32"):
        (tmp_path / name).mkdir(parents=True)
    (tmp_path / "lib").symlink_to("usr/lib")
    binds, links = system.system_binds(root=tmp_path)
    assert [path for _, path in binds] == ["/usr", "/lib32", "/etc/alternatives", "/etc/java-17-openjdk"]
    assert links == (("usr/lib", "/lib"),)


def test_a_hidden_folder_is_covered_wherever_it_would_show(tmp_path):
    for name in ("usr/share/bots/mine", "venv/lib"):
        (tmp_path / name).mkdir(parents=True)
    usr, venv, bot = tmp_path / "usr", tmp_path / "venv", tmp_path / "usr/share/bots/mine"
    places = [*system.hidden_places([(usr, "/usr"), (venv, "/venv"), (usr, "/other")], [bot, venv / "lib"])]
    assert places == [(bot, "/usr/share/bots/mine"), (bot, "/other/share/bots/mine"), (venv / "lib", "/venv/lib")]
    assert [*system.hidden_places([(bot, "/bot")], [bot])] == [(bot, "/bot")]
    assert [*system.hidden_places([(usr, "/usr")], [tmp_path / "home"])] == []


def test_a_folder_with_a_hidden_entry_is_replaced_by_its_other_entries(tmp_path):
    for name in ("usr/bin", "usr/share/bots/mine", "usr/share/bots/other", "usr/share/doc"):
        (tmp_path / name).mkdir(parents=True)
    usr = tmp_path / "usr"
    (usr / "share/link").symlink_to(usr / "share/bots")
    assert system.visible_in(usr, [tmp_path / "home"]) == [usr]
    assert system.visible_in(usr, [usr / "share/bots/mine"]) == [
        usr / "bin",
        usr / "share/bots/other",
        usr / "share/doc",
    ]
    assert system.visible_in(usr / "share/bots/mine", [usr / "share/bots/mine"]) == []


def test_what_is_removed_while_folders_are_read_is_not_visible(tmp_path, monkeypatch):
    for name in ("usr/bin", "usr/share/bots/mine"):
        (tmp_path / name).mkdir(parents=True)
    usr = tmp_path / "usr"

    def iterdir(folder):
        if folder == usr / "share":
            raise FileNotFoundError(folder)
        return (folder / name for name in os.listdir(folder))

    monkeypatch.setattr(Path, "iterdir", iterdir)
    assert system.visible_in(usr, [usr / "share/bots/mine"]) == [usr / "bin"]


def test_only_what_a_users_python_needs_is_bound(folder):
    binds = described(Bot([sys.executable, "x.py"], folder)).binds
    for host, path in binds[len(system.of_players("python")[0]) :]:
        assert not base_python().is_relative_to(host) or host == base_python(), path


def test_parents_come_before_their_contents(tmp_path):
    for name in ("a/x", "b/x", "c"):
        put(tmp_path / name, name)
    a, b = tmp_path / "a", tmp_path / "b"
    assert order_binds([(a / "x", "/p/x"), (a, "/p"), (a, "/p"), (b, "/q")]) == ((a, "/p"), (b, "/q"))
    assert order_binds([(a, "/p"), (b, "/p")]) == ((a, "/p"),)
    assert order_binds([(b / "x", "/p/x"), (a, "/p")]) == ((a, "/p"), (b / "x", "/p/x")), "another file is shown there"
    assert order_binds([(tmp_path / "c", "/p/x/y"), (b, "/p/x")]) == ((b, "/p/x"), (tmp_path / "c", "/p/x/y"))


@given(st.lists(st.lists(st.sampled_from("abc"), min_size=1, max_size=4), max_size=8))
def test_every_place_occurs_once_and_after_its_parents(paths):
    binds = [(Path("/nowhere", str(number)), "/" + "/".join(path)) for number, path in enumerate(paths)]
    places = [path for _, path in order_binds(binds)]
    assert sorted(places) == sorted({path for _, path in binds})
    for number, name in enumerate(places):
        assert not any(str(parent) in places[number:] for parent in PurePosixPath(name).parents)


def test_an_answer_is_cached_until_the_program_changes(tools, tmp_path):
    tool = tools / "tool"
    put(tool, f"#!/bin/sh\necho x >>{tmp_path}/log; echo answer $1\n")
    assert [answer(tool, "a"), answer(tool, "a"), answer(tool, "b")] == ["answer a\n", "answer a\n", "answer b\n"]
    assert (tmp_path / "log").read_text() == "x\nx\n"
    put(tool, "#!/bin/sh\necho another answer\n")
    assert answer(tool, "a") == "another answer\n"


def test_an_answer_is_limited_in_time_and_length(tools, monkeypatch):
    long = Path(put(tools / "long", "#!/bin/sh\nPATH=/usr/bin:/bin\nhead -c 200000 /dev/zero\n"))
    assert len(answer(long)) == 1 << 16
    monkeypatch.setattr(ask, "_SECONDS", 0.01)
    with pytest.raises(ValueError, match="no answer in"):
        answer(Path(put(tools / "slow", "#!/bin/sh\nPATH=/usr/bin:/bin\nexec sleep 100\n")))


def test_a_shim_is_asked_in_the_root_folder_with_a_clean_environment(tools, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PYTHONSTARTUP", "x")
    assert answer(Path(put(tools / "tool", "#!/bin/sh\npwd; echo $PYTHONSTARTUP\n"))) == "/\n\n"


@pytest.fixture
def evil(tmp_path) -> Path:
    """A stranger's folder; a file appears next to it if anything in it runs outside of a cell."""
    return tmp_path / "evil"


@pytest.fixture
def marks(evil, tmp_path) -> str:
    """A script of the stranger's that answers like an interpreter. The test fails if it runs outside of a cell."""
    marker = tmp_path / "it ran"
    yield f"#!/bin/sh\necho >'{marker}'\necho /bin/sh\n"
    assert not marker.exists(), "a stranger's program ran outside of a cell"


def started_as(path: Path, here: Path) -> Program:
    """The bot that `cmd:PATH` names on a command line in the folder `here`."""
    name = str(path.relative_to(here)) if path.is_relative_to(here) else path.name
    files = {} if is_of_machine(path, here) else {name: path.resolve()}
    return Bot([str(path)], here, files=files, trusted=True)


def folder_elsewhere(tmp_path: Path) -> Path:
    (tmp_path / "elsewhere").mkdir(exist_ok=True)
    return tmp_path / "elsewhere"


def described_or_refused(bot: Program) -> Runtime | None:
    with suppress(BotError):
        return described(bot, placed={path: name for name, path in (bot.files or {}).items()})
    return None


NAMES = ["python3", "python", "python3.11", "pypy3", "pythonbot", "python3-bot", "node", "nodejs", "java"]


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("trusted", [False, True])
def test_the_first_line_of_a_strangers_script_runs_nothing(evil, marks, tmp_path, name, trusted):
    put(evil / name, marks)
    for line in (f"#!{evil}/{name}", f"#!/usr/bin/env {evil}/{name}", f"#!/usr/bin/env -S {evil}/{name} -x"):
        run = Path(put(evil / "run", f"{line}\n"))
        for here in (tmp_path, evil, Path("/")):
            bot = started_as(run, here)
            bot = replace(bot, trusted=trusted)
            described_or_refused(bot)
            described_or_refused(Bot([str(run)], here, trusted=trusted))


@pytest.mark.parametrize("name", NAMES)
def test_a_strangers_program_is_not_run_for_its_name(evil, marks, tmp_path, name):
    """An interpreter's name and library do not make a stranger's script, or a link to it, run outside of a cell."""
    script = Path(put(evil / "bin" / name, marks))
    (evil / "bin/link").mkdir()
    (evil / "bin/link" / name).symlink_to(script)
    put(evil / "lib/python3.11/os.py", "x")
    put(evil / "lib/server/libjvm.so", program())
    for path in (script, evil / "bin/link" / name):
        for here in (tmp_path, evil, folder_elsewhere(tmp_path)):
            described_or_refused(started_as(path, here))
            for trusted in (False, True):
                described_or_refused(Bot([str(path)], here, trusted=trusted))


@pytest.mark.parametrize("name", [*NAMES, "python3-config"])
def test_an_own_program_with_the_name_of_an_interpreter_is_native(evil, tmp_path, name):
    """It is an ELF program without an interpreter's library. It is not run outside of a cell to find that library."""
    bare = Path(put(evil / name, program()))
    bot = started_as(bare, folder_elsewhere(tmp_path))
    runtime = described(bot, placed={path: name for name, path in bot.files.items()})
    assert runtime.argv[0] == (str(bare) if name in {"node", "nodejs"} else f"/bot/{name}")


def test_a_virtual_environment_is_not_run_to_be_asked(evil, marks, tmp_path, tools, monkeypatch):
    """Its link leads to an interpreter on PATH, which would load code from the folder that `home` names."""
    (tools / "python3").symlink_to(base_python())
    monkeypatch.setattr(python_runtime, "base_python", lambda: Path("/nowhere"))
    monkeypatch.setattr(sys, "executable", "/nowhere")
    library = f"lib/python3.{sys.version_info[1]}"
    put(evil / "home" / library / "os.py", "x")
    mark = f"import posix; posix.open({str(tmp_path / 'it ran')!r}, posix.O_CREAT)\n"
    put(evil / "home" / library / "encodings/__init__.py", mark)
    put(evil / "home/bin/python3", marks)
    put(evil / "pyvenv.cfg", f"home = {evil}/home/bin\n")
    (evil / "bin").mkdir()
    link = evil / "bin/python3"
    link.symlink_to(tools / "python3")
    for trusted in (False, True):
        runtime = described(Bot([str(link), "x.py"], folder_elsewhere(tmp_path), trusted=trusted))
        shown = [host for host, path in runtime.binds if path.startswith(str(evil))]
        assert set(shown) <= {evil / "pyvenv.cfg", evil / "bin", base_python()}, "the interpreter's library"
        described_or_refused(Bot([str(link), "x.py"], evil, trusted=trusted))


def test_a_strangers_python_exposes_only_itself(evil, folder, tmp_path):
    secret = tmp_path / "secret"
    put(secret / "key", "x")
    interpreter = evil / "bin/python3.11"
    put(interpreter, program())
    put(evil / "lib/python3.11/os.py", "x")
    (evil / "lib/python3.11/sitecustomize.py").symlink_to(secret / "key")
    (evil / "lib/python3.11/lib-dynload").symlink_to(secret)
    binds = described(Bot([str(interpreter), "x.py"], folder, trusted=True)).binds
    assert {path for _, path in binds if path.startswith(str(tmp_path))} == {str(interpreter), f"{evil}/lib/python3.11"}
    (evil / "lib").rename(secret / "lib")
    (evil / "lib").mkdir()
    (evil / "lib/python3.11").symlink_to(secret / "lib/python3.11")
    with pytest.raises(BotError, match=r"there is no .*/lib/python3\.N; "):
        described(Bot([str(interpreter), "x.py"], folder, trusted=True))


def test_a_python_in_usr_needs_no_known_layout(folder, monkeypatch):
    """All of /usr is shown anyway, so its library is found however a distribution has arranged it."""
    interpreter = Path("/usr/bin/python3")
    if not interpreter.exists():
        pytest.skip("no /usr/bin/python3 here")
    monkeypatch.setattr(layout, "library", lambda _program: [])
    assert described(Bot([str(interpreter), "x.py"], folder, trusted=True)).argv[-1] == "x.py"


def test_a_strangers_node_exposes_only_itself(evil, folder, tmp_path):
    put(tmp_path / "secret/libsecret.so", program())
    put(evil / "lib/libown.so", program())
    (evil / "lib/libsecret.so").symlink_to(tmp_path / "secret/libsecret.so")
    (evil / "lib64").symlink_to(tmp_path / "secret")
    bot = Bot([put(evil / "bin/node", program()), "x.js"], folder, trusted=True)
    shown = {path for _, path in described(bot).binds if path.startswith(str(tmp_path))}
    assert shown == {f"{evil}/bin/node", f"{evil}/lib/libown.so"}


@pytest.mark.parametrize(
    ("name", "folders", "expected"),
    [
        ("python3.12", ["lib/python3.12", "lib/python3.11"], ["lib/python3.12"]),
        ("python3.13t", ["lib/python3.13t", "lib/python3.13"], ["lib/python3.13t"]),
        ("python3.13d", *[["lib/python3.13", "lib/python3.13/lib-dynload"]] * 2),
        ("python3.7m", ["lib/python3.7"], ["lib/python3.7"]),
        ("python3", ["lib64/python3.12"], ["lib64/python3.12"]),
        ("python3", ["lib/python3.12", "lib/python3.11"], []),
        ("pypy3", ["lib/pypy3.10", "lib/python3.11"], ["lib/pypy3.10"]),
        ("python3.12", [], []),
    ],
)
def test_where_a_python_has_its_library(tmp_path, name, folders, expected):
    for folder in folders:
        put(tmp_path / folder / "os.py", "x")
    assert layout.library(tmp_path / "bin" / name) == [tmp_path / folder for folder in expected]
    assert layout.library(tmp_path / "elsewhere" / name) == []


@pytest.mark.parametrize(
    ("name", "is_one"),
    {
        **dict.fromkeys(["python", "python3", "python3.9", "python3.13td", "python3.6m", "pypy", "pypy3.10"], True),
        **dict.fromkeys(["python2", "python3bot", "python3.11-config", "python3.", "xpython", "python3\n"], False),
    }.items(),
)
def test_names_of_python_interpreters(name, is_one):
    assert python_runtime.is_python(name) == is_one


def test_only_programs_on_path_are_asked(tools, tmp_path):
    marker = tmp_path / "ran"
    elsewhere = Path(put(tmp_path / "elsewhere/tool", f"#!/bin/sh\necho >{marker}\n"))
    put(tools / "tool", "#!/bin/sh\necho $0\n")
    with pytest.raises(
        ValueError, match=r"PATH does not lead to .*/elsewhere/tool: add its folder to PATH if you trust it$"
    ):
        answer(elsewhere)
    assert not marker.exists()
    (tmp_path / "tool").symlink_to(tools / "tool")
    assert answer(tmp_path / "tool") == f"{tools}/tool\n", "by its name on PATH"
