"""Players' control groups: the choice of a place and the files, against a tree that stands for the kernel's.

With the kernel itself (the last part) only where REFEREE_TEST_CGROUPS names a folder of groups that is the test's to use, since a
test may not touch the groups of whoever runs it.
"""

import os
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

import pytest

import referee.sandbox.cgroups as module
from referee.errors import IsolationError
from referee.sandbox.cgroups import LEAF, ROOM, Cgroups, find, settings
from referee.sandbox.limits import MIB, Limits

LIMITS = Limits(memory=256 * MIB, threads=40)
KERNEL_FILES = {
    "memory.max": "max",
    "memory.swap.max": "max",
    "memory.oom.group": "0",
    "memory.events": "low 0\nhigh 0\nmax 7\noom 1\noom_kill 0\noom_group_kill 0\n",
    "pids.max": "max",
    "cgroup.procs": "",
    "cgroup.kill": "",
    "cgroup.controllers": "cpu memory pids\n",
    "cgroup.subtree_control": "\n",
}


class Tree:
    """Folders that behave like the kernel's: a new one has its files, one without processes and groups can be removed."""

    def __init__(self, top, monkeypatch):
        self.top, self.missing, self.busy = top, set(), set()
        self.proc = top / "proc"
        (self.proc / "self").mkdir(parents=True)
        mkdir, rmdir, write = Path.mkdir, Path.rmdir, module._write

        def made(path, *args, **kwargs):
            mkdir(path, *args, **kwargs)
            if path.is_relative_to(top):
                self._fill(path)

        def removed(path):
            if path.is_relative_to(top):
                if path in self.busy or any(inner.is_dir() for inner in path.iterdir()):
                    raise OSError(16, "Device or resource busy")
                for file in path.iterdir():
                    file.unlink()
            rmdir(path)

        def written(file, value):
            write(file, "")  # opens it
            if file.name == "cgroup.subtree_control":
                file.write_text(" ".join(word.removeprefix("+") for word in value.split()))
            elif file.name == "cgroup.procs":  # a process is in one group of a tree
                for other in self._tree(file).rglob("cgroup.procs"):
                    left = [pid for pid in other.read_text().split() if pid != value]
                    other.write_text("".join(pid + "\n" for pid in [*left, value] if other == file or pid != value))
            else:
                file.write_text(value)

        monkeypatch.setattr(Path, "mkdir", made)
        monkeypatch.setattr(Path, "rmdir", removed)
        monkeypatch.setattr(module, "_write", written)

    def _tree(self, path):
        return self.top / path.relative_to(self.top).parts[0]

    def _fill(self, path):
        if self._tree(path).name.startswith("unified"):
            for file, text in KERNEL_FILES.items():
                if file not in self.missing and not (path / file).exists():
                    (path / file).write_text(text)

    def mount(self, cgroup, *mounts):
        """What the kernel says about our groups, and what is mounted where: (type, options, root, tree)."""
        (self.proc / "self/cgroup").write_text(cgroup)
        lines = []
        for number, (kind, options, root, tree) in enumerate(mounts, 31):
            point = str(self.top / tree).replace(" ", "\\040")
            lines.append(f"{number} 22 0:{number} {root} {point} rw shared:1 - {kind} none rw,{options}\n")
        (self.proc / "self/mountinfo").write_text("22 1 0:21 / / rw - ext4 /dev/vda rw\n" + "".join(lines))

    def group(self, path, *pids):
        folder = self.top / path
        folder.mkdir(parents=True)
        (folder / "cgroup.procs").write_text("".join(f"{pid}\n" for pid in pids))
        return folder


@pytest.fixture(autouse=True)
def looked_for_anew():
    module._find.cache_clear()
    yield
    module._find.cache_clear()


@pytest.fixture
def tree(tmp_path, monkeypatch):
    return Tree(tmp_path, monkeypatch)


@pytest.fixture
def place(tree):
    """A scope with nobody but this process."""
    tree.mount("1:cpu:/\n0::/user.slice/kaa.scope\n", ("cgroup2", "nsdelegate", "/", "unified"))
    return tree.group("unified/user.slice/kaa.scope", os.getpid())


def procs(folder):
    return (folder / "cgroup.procs").read_text().split()


def cells(folder):
    return [path.name for path in folder.iterdir() if path.is_dir() and path.name != LEAF]


def descriptors():
    return sorted(os.listdir("/proc/self/fd"))


# Where the place is.


def test_it_makes_way_for_players(place, tree):
    assert find(tree.proc).folder == place
    assert procs(place) == []
    assert procs(place / LEAF) == [str(os.getpid())]
    assert set((place / "cgroup.subtree_control").read_text().split()) == {"memory", "pids"}


def test_it_is_looked_for_once(place, tree):
    assert find(tree.proc) is find(tree.proc)


def test_version_1_is_left_alone(tree):
    tree.mount(
        "8:pids:/kaa\n4:cpu,memory:/kaa\n", ("cgroup", "cpu,memory", "/", "memory"), ("cgroup", "pids", "/", "pids")
    )
    for name in ("memory/kaa", "pids/kaa"):
        assert procs(tree.group(name, os.getpid())) == [str(os.getpid())]
    assert find(tree.proc) is None


def test_a_group_that_others_are_in_is_not_ours(place, tree):
    (place / "cgroup.procs").write_text(f"{os.getpid()}\n1\n")
    assert find(tree.proc) is None
    assert procs(place) == [str(os.getpid()), "1"]
    assert not (place / LEAF).exists()


@pytest.mark.parametrize("mark", ["user.delegate", "trusted.delegate"])
def test_unless_its_writer_handed_it_over(mark, place, tree, monkeypatch):
    (place / "cgroup.procs").write_text(f"{os.getpid()}\n1\n")

    def marked(path, name):
        if name != mark:
            raise OSError(61, "No data available")
        assert path == place
        return b"1"

    monkeypatch.setattr(os, "getxattr", marked)
    assert find(tree.proc).folder == place
    assert sorted(procs(place / LEAF)) == sorted([str(os.getpid()), "1"])
    assert procs(place) == []


def test_a_mark_that_says_no(place, tree, monkeypatch):
    (place / "cgroup.procs").write_text("1\n")
    monkeypatch.setattr(os, "getxattr", lambda *_: b"0")
    assert find(tree.proc) is None


def test_who_finds_itself_in_the_leaf_uses_the_group_around_it(place, tree):
    find(tree.proc)
    (place / LEAF / "cgroup.procs").write_text(f"{os.getpid()}\n1\n")  # the shell that started both
    tree.mount(f"0::/user.slice/kaa.scope/{LEAF}\n", ("cgroup2", "", "/", "unified"))
    module._find.cache_clear()
    assert find(tree.proc).folder == place
    assert not (place / LEAF / LEAF).exists()


def test_unless_that_is_somebody_else_s(place, tree, monkeypatch):
    find(tree.proc)
    tree.mount(f"0::/user.slice/kaa.scope/{LEAF}\n", ("cgroup2", "", "/", "unified"))
    module._find.cache_clear()
    access = os.access
    monkeypatch.setattr(os, "access", lambda path, *a, **k: path != place and access(path, *a, **k))
    assert find(tree.proc) is None


@pytest.mark.parametrize("file", ["", "cgroup.procs"])
def test_what_cannot_be_written_is_not_ours(file, place, tree, monkeypatch):
    access = os.access
    monkeypatch.setattr(os, "access", lambda path, *a, **k: path != place / file and access(path, *a, **k))
    assert find(tree.proc) is None
    assert not (place / LEAF).exists()


@pytest.mark.parametrize("controllers", ["", "cpu", "memory", "pids cpu"])
def test_both_controllers_are_needed(controllers, place, tree):
    (place / "cgroup.controllers").write_text(controllers)
    assert find(tree.proc) is None


def test_controllers_that_cannot_be_handed_down(place, tree, monkeypatch):
    write = module._write

    def busy(file, value):
        if file.name == "cgroup.subtree_control":
            raise OSError(16, "Device or resource busy")
        write(file, value)

    monkeypatch.setattr(module, "_write", busy)
    assert find(tree.proc) is None


def test_who_forked_in_the_meantime_is_moved_too(place, tree, monkeypatch):
    write, late = module._write, ["77", "78"]

    def forking(file, value):
        if file.name == "cgroup.subtree_control" and procs(place):
            raise OSError(16, "Device or resource busy")
        write(file, value)
        if file.parent.name == LEAF and late:
            (place / "cgroup.procs").write_text(late.pop() + "\n")

    monkeypatch.setattr(module, "_write", forking)
    assert find(tree.proc) is not None
    assert procs(place) == []
    assert procs(place / LEAF) == [str(os.getpid()), "78", "77"]


@pytest.mark.parametrize(
    ("path", "root", "found"),
    [
        ("/a/b", "/", "a/b"),
        ("/a/b", "/a", "b"),
        ("/a/b", "/a/b", "."),
        ("/a/bc", "/a/b", None),
        ("/", "/a", None),
        ("/../unified x", "/", None),
        ("/a/nowhere", "/", None),
    ],
)
def test_what_is_mounted_may_be_a_part(path, root, found, tree):
    for name in ("unified", "unified x", "unified/a", "unified/a/b", "unified/b"):
        tree.group(name, os.getpid())
    tree.mount(f"0::{path}\n", ("cgroup2", "", root, "unified"))
    place = find(tree.proc)
    assert (place and place.folder) == (found and tree.top / "unified" / found)


def test_a_place_with_a_blank_in_its_name(tree):
    place = tree.group("unified and so on/x/a b", os.getpid())
    tree.mount("0::/x/a b\n", ("cgroup2", "", "/", "unified and so on"))
    assert find(tree.proc).folder == place


def test_of_several_mounts_one_that_holds_it(tree):
    place = tree.group("unified/x", os.getpid())
    tree.mount("0::/x\n", ("cgroup2", "", "/", "unified elsewhere"), ("cgroup2", "", "/", "unified"))
    assert find(tree.proc).folder == place


def test_no_groups_at_all(tree):
    assert find(tree.proc) is None  # no /proc/self/cgroup
    tree.mount("")
    module._find.cache_clear()
    assert find(tree.proc) is None
    (tree.proc / "self/mountinfo").write_text("garbage\n")
    (tree.proc / "self/cgroup").write_text("garbage\n")
    module._find.cache_clear()
    assert find(tree.proc) is None


# A player's group.


def test_what_a_group_says(place, tree):
    group = find(tree.proc).cell(LIMITS)
    [name] = cells(place)
    said = {file: (place / name / file).read_text() for file in KERNEL_FILES}
    assert said["memory.max"] == str(256 * MIB + ROOM)
    assert said["memory.swap.max"] == "0"
    assert said["memory.oom.group"] == "1"
    assert said["pids.max"] == "41"
    group.remove()


def test_a_player_moves_into_its_group(place, tree):
    group = find(tree.proc).cell(LIMITS)
    group.add(4711)
    [name] = cells(place)
    assert procs(place / name) == ["4711"]
    group.remove()


def test_two_players_have_two(place, tree):
    found = find(tree.proc)
    one, two = found.cell(LIMITS), found.cell(LIMITS)
    assert len(cells(place)) == 2
    one.remove()
    two.remove()
    assert not cells(place)


def test_what_not_every_kernel_has(place, tree):
    tree.missing |= {"memory.swap.max", "memory.oom.group", "cgroup.kill"}
    find(tree.proc).cell(LIMITS).remove()
    assert not cells(place)


@pytest.mark.parametrize("controller", ["memory", "pids"])
def test_a_limit_that_cannot_be_set_is_an_error(controller, place, tree):
    found = find(tree.proc)
    tree.missing |= {s.file for s in settings(LIMITS) if s.file.startswith(controller)}
    before = descriptors()
    with pytest.raises(
        IsolationError, match=r"no control group can be made in .*: start the referee in a group of its own"
    ):
        found.cell(LIMITS)
    assert not cells(place)
    assert descriptors() == before


def test_no_group_can_be_made(place, tree, monkeypatch):
    found = find(tree.proc)

    def full(path, *_, **__):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "mkdir", full)
    with pytest.raises(IsolationError, match="No space left on device"):
        found.cell(LIMITS)


def test_who_cannot_be_moved(place, tree, monkeypatch):
    group = find(tree.proc).cell(LIMITS)

    def fails(error):
        def write(*_):
            raise error

        monkeypatch.setattr(module, "_write", write)

    fails(ProcessLookupError(3, "No such process"))
    with pytest.raises(ProcessLookupError):
        group.add(4711)
    fails(OSError(22, "Invalid argument"))
    with pytest.raises(IsolationError, match=r"cannot be moved into the control group .*Invalid argument"):
        group.add(4711)
    group.remove()


@pytest.mark.parametrize("asked_before", [True, False])
@pytest.mark.parametrize("count", [0, 1, 10])
def test_whether_memory_was_its_end(count, asked_before, place, tree):
    group = find(tree.proc).cell(LIMITS)
    [name] = cells(place)
    (place / name / "memory.events").write_text(f"oom 3\noom_kill {count}\noom_group_kill 5\n")
    if asked_before:
        assert group.oom_killed() is (count > 0)
    group.remove()
    assert not cells(place)
    assert group.oom_killed() is (count > 0)  # it is asked for the reason afterwards too


def test_removed_once_is_enough(place, tree):
    found = find(tree.proc)
    before = descriptors()
    group = found.cell(LIMITS)
    assert len(descriptors()) == len(before) + 1
    group.remove()
    group.remove()
    assert descriptors() == before


def test_what_is_left_in_it_is_ended_where_the_kernel_can(place, tree):
    group = find(tree.proc).cell(LIMITS)
    [name] = cells(place)
    tree.busy.add(place / name)
    group.remove()
    assert (place / name / "cgroup.kill").read_text() == "1"


def test_what_is_too_early_to_remove_goes_with_the_next(place, tree):
    found = find(tree.proc)
    one = found.cell(LIMITS)
    [name] = cells(place)
    tree.busy = {place / name}
    one.remove()
    assert cells(place) == [name]
    tree.busy.clear()
    two = found.cell(LIMITS)
    assert name not in cells(place)
    two.remove()


def test_groups_of_the_dead_are_removed_and_those_of_the_living_stay(place, tree):
    living = Cgroups(place).cell(LIMITS)
    [name] = cells(place)
    for other in ("referee-cell-0123456789abcdef", "referee-cell-mine", "mine"):
        (place / other).mkdir()
    before = descriptors()
    assert find(tree.proc) is not None
    assert descriptors() == before
    assert sorted(cells(place)) == sorted([name, "mine", "referee-cell-mine"])
    living.remove()


@pytest.mark.parametrize("removed", [True, False])
def test_a_new_group_that_is_taken_for_a_dead_one_s_is_made_again(removed, place, tree, monkeypatch):
    found, hold = find(tree.proc), module.hold
    seen, theirs = [], []

    def late(path):
        seen.append(path)
        if len(seen) == 1:
            if removed:
                path.rmdir()
            else:
                theirs.append(hold(path))
        return hold(path)

    before = descriptors()
    monkeypatch.setattr(module, "hold", late)
    group = found.cell(LIMITS)
    assert seen[0].name != seen[-1].name
    assert cells(place) == [seen[-1].name]
    group.remove()
    for lock in theirs:
        os.close(lock)
    assert descriptors() == before


# With the kernel itself.

MINE = os.environ.get("REFEREE_TEST_CGROUPS", "")
WITH_THE_KERNEL = pytest.mark.skipif(not MINE, reason="REFEREE_TEST_CGROUPS names no folder of control groups to use")

BOMBS = {
    "private": "held = []\nwhile len(held) < 300: held.append(bytearray(b'x' * (1 << 20)))",
    "shared": "import mmap\nheld = mmap.mmap(-1, 300 << 20)\nfor _ in range(300): held.write(b'x' * (1 << 20))",
}
REFEREE = """
import os, signal, subprocess, sys, time
from pathlib import Path
from referee.sandbox.cgroups import LEAF, find
place = Path(sys.argv.pop(1))
if (place / LEAF).exists():  # a group that a referee had before holds no processes itself
    place /= LEAF
(place / "cgroup.procs").write_text(str(os.getpid()))
from referee.sandbox.limits import Limits
found = find()
if found is None:
    sys.exit("no place")
group = found.cell(Limits(memory=32 << 20, threads=9))
player = subprocess.Popen([sys.executable, "-S", "-c", "input()\\n" + sys.argv[1]], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
began = time.perf_counter()
group.add(player.pid)
took = time.perf_counter() - began
if len(sys.argv) > 2:
    print(group.folder.name, flush=True)
    signal.pause()
out, _ = player.communicate(b"\\n")
print(player.returncode, group.oom_killed(), out.decode().strip() or "-", round(took * 1e3, 2))
group.remove()
print([path for path in os.listdir(found.folder) if path.startswith("referee-cell")])
"""


@pytest.fixture
def kernel():
    """Starts a referee in a group of its own, in the folder that the variable names; its process."""
    place = Path(MINE) / "referee-test"
    running = []

    def start(*args):
        place.mkdir(exist_ok=True)
        env = {"PYTHONPATH": str(Path(module.__file__).parents[2])}
        argv = [sys.executable, "-c", REFEREE, str(place), *args]
        process = subprocess.Popen(argv, stdout=subprocess.PIPE, text=True, env=env)
        running.append(process)
        return process

    yield start
    for process in running:
        process.kill()
        process.wait()
    for inner in (*place.glob("*/"), place):
        with suppress(FileNotFoundError, NotADirectoryError):
            inner.rmdir()


@WITH_THE_KERNEL
@pytest.mark.parametrize("bomb", sorted(BOMBS))
def test_the_kernel_stops_memory(bomb, kernel):
    out, _ = kernel(BOMBS[bomb]).communicate()
    assert out.split()[:2] == ["-9", "True"]
    assert out.splitlines()[1] == "[]"


@WITH_THE_KERNEL
def test_the_kernel_stops_threads(kernel):
    bomb = (
        "import _thread, time, os\nn = 1\ntry:\n while n < 99: _thread.start_new_thread(time.sleep, (99,)); n += 1\n"
        "except RuntimeError: print(n, flush=True)\nos._exit(0)"
    )
    out, _ = kernel(bomb).communicate()
    assert out.split()[:2] == ["0", "False"]
    assert out.split()[2] == "10"
    assert out.splitlines()[1] == "[]"


@WITH_THE_KERNEL
def test_the_kernel_s_groups_of_the_dead_are_removed(kernel):
    dead = kernel("input()", "stay")
    name = dead.stdout.readline().strip()
    dead.kill()  # its player ends by itself: nobody writes to it any more
    dead.wait()
    out = kernel("print('fine')").communicate()[0]
    while name in out:  # the player may have needed a moment for its end
        out = kernel("print('fine')").communicate()[0]
    assert out.split()[:2] == ["0", "False"]
    assert out.splitlines()[1] == "[]"
