"""Bots are built once, kept, and built again if something changed. Failures are reported, and nothing is left behind."""

from __future__ import annotations

import errno
import os
import shutil
import stat
from dataclasses import replace
from pathlib import Path

import pytest
import trio
import trio.testing
from building.conftest import output_of

from referee import bots, building
from referee.building import BuildFailed
from referee.building.making import Builder
from referee.errors import BotError, IsolationError, UsageError
from referee.languages import Tool
from referee.sandbox.builds.build import BuildLimits
from referee.sandbox.limits import Level

LEVELS = [Level.FULL, Level.NONE]
needs_bubblewrap = pytest.mark.skipif(shutil.which("bwrap") is None, reason="bubblewrap is not installed")
WRITABLE = (
    "builds is not a folder of yours that only you can write to, so its files are not started: remove it, or set XDG_CACHE_HOME "
    "to another folder$"
)


def names(cache: Path) -> list[str]:
    return sorted(path.name for path in cache.iterdir())


@needs_bubblewrap
@pytest.mark.parametrize("level", [*LEVELS, Level.REDUCED])
async def test_a_bot_is_built_in_a_copy_and_started_from_the_cache(make_bot, cache, level):
    bot = make_bot()
    lines = []
    (built,) = await building.ready([bot], level=level, cache=cache, say=lines.append)
    assert lines == ["building kaa …"]
    assert output_of(built) == "hello\n"
    assert built.unbuilt is None
    assert built.cwd.is_relative_to(cache)
    assert built.argv == [str(built.cwd / "bot")]
    assert (built.name, built.files, built.trusted) == ("kaa", None, False)
    assert sorted(path.name for path in bot.cwd.iterdir()) == ["bot.toml", "word"], "it stays as it was"
    modes = {path.name: stat.S_IMODE(path.stat().st_mode) for path in built.cwd.iterdir()}
    assert modes == {"bot": 0o555, "word": 0o444, "bot.toml": 0o444}
    assert (built.cwd.parent / "build.log").read_text().startswith("$ sh -c ")


async def test_a_cache_on_a_noexec_mount_is_an_error(make_bot, cache, monkeypatch):
    really = os.statvfs

    def noexec(path):
        cells = list(really(path))
        cells[8] = os.ST_NOEXEC if Path(path).is_relative_to(cache) else 0
        return os.statvfs_result(cells)

    monkeypatch.setattr(os, "statvfs", noexec)
    with pytest.raises(UsageError, match=r"builds is mounted noexec, .*: set XDG_CACHE_HOME to another folder"):
        await building.ready([make_bot()], level=Level.NONE, cache=cache)


async def test_a_bot_that_needs_no_build_stays_as_it_is(tmp_path, ready, each, cache):
    (tmp_path / "a.py").write_text("")
    bot = bots.find(str(tmp_path / "a.py"))
    assert await ready([bot, bot]) == [bot, bot]
    (outcome,) = await each([bot])
    assert (outcome.how, outcome.log, outcome.bot) == ("nothing", None, bot)
    assert not cache.exists()


async def test_the_second_time_nothing_is_built(make_bot, each):
    lines = []
    (first,) = await each([make_bot()], say=lines.append)
    (second,) = await each([make_bot()], say=lines.append)
    assert [first.how, second.how] == ["built", "kept"]
    assert (first.bot, first.log) == (second.bot, second.log)
    assert first.seconds > 0 == second.seconds
    assert lines == ["building kaa …"]


async def test_fresh_builds_again(make_bot, each, cache):
    lines = []
    (first,) = await each([make_bot()])
    (second,) = await each([make_bot()], fresh=True, say=lines.append)
    assert (second.how, lines) == ("built", ["building kaa …"])
    assert first.bot.cwd != second.bot.cwd
    assert output_of(first.bot) == output_of(second.bot) == "hello\n", "a match with the old product can continue"
    (third,) = await each([make_bot()])
    assert third.bot == second.bot


async def test_the_same_bot_twice_is_built_once(make_bot, each):
    bot, lines = make_bot(), []
    outcomes = await each([bot, replace(bot, name="kaa#2")], say=lines.append)
    assert lines == ["building kaa …"]
    assert [outcome.bot.name for outcome in outcomes] == ["kaa", "kaa#2"]
    assert outcomes[0].bot.argv == outcomes[1].bot.argv


async def test_bots_are_built_concurrently(folder, ready, tmp_path):
    """Each build waits for the other, so both succeed only if they run at the same time."""
    if len(os.sched_getaffinity(0)) < 2:
        pytest.skip("one processor builds one at a time")
    script = "mkfifo {0}/{1} 2>/dev/null; mkfifo {0}/{2} 2>/dev/null; {3}; printf '#!/bin/sh\\n' > bot; chmod +x bot"
    one = folder(script.format(tmp_path, "a", "b", f"echo > {tmp_path}/a; read x < {tmp_path}/b"), name="one")
    other = folder(script.format(tmp_path, "a", "b", f"read x < {tmp_path}/a; echo > {tmp_path}/b"), name="other")
    assert len(await ready([bots.find(str(one)), bots.find(str(other))], limits=BuildLimits(seconds=30))) == 2


async def test_commands_run_one_after_the_other_until_one_fails(tmp_path, ready, cache):
    path = tmp_path / "kaa"
    path.mkdir()
    commands = '["sh", "-c", "echo one; touch a"], ["sh", "-c", "ls; exit 3"], ["touch", "never"]'
    (path / "bot.toml").write_text(f'name = "kaa"\nrun = ["./a"]\nbuild = [{commands}]\n')
    with pytest.raises(BuildFailed) as failed:
        await ready([bots.find(str(path))])
    assert "sh -c 'ls; exit 3' ended with exit status 3; its whole output is in " in str(failed.value)
    assert failed.value.output == "a\nbot.toml\n"
    log = failed.value.log.read_text()
    assert log == "$ sh -c 'echo one; touch a'\none\n$ sh -c 'ls; exit 3'\na\nbot.toml\n[ended with exit status 3]\n"
    assert failed.value.log.parent == cache
    assert names(cache) == [failed.value.log.name], "no product, no scratch folder"


# -- what a product depends on --


@pytest.fixture
def compiler(tmp_path, monkeypatch):
    """Installs a compiler of any version on PATH; it copies its input."""
    tools = tmp_path / "tools"
    tools.mkdir()
    monkeypatch.setenv("PATH", f"{tools}:{os.environ['PATH']}")

    def install(version: str) -> None:
        fresh = tools / "new"
        fresh.write_text(f'#!/bin/sh\n[ "$1" = --version ] && exec echo {version}\ncp word bot && chmod +x bot\n')
        fresh.chmod(0o755)
        os.utime(fresh, ns=(1, 1))
        fresh.replace(tools / "ccc")

    install("1.0")
    return install


@pytest.fixture
def built(tmp_path, compiler, each, monkeypatch):
    """A function that tells whether a bot with these parts is built again."""
    from referee import languages

    monkeypatch.setitem(languages._OTHERS, "ccc", Tool(("ccc",), "ccc"))
    path = tmp_path / "kaa"
    path.mkdir()
    (path / "word").write_text("#!/bin/sh\n")
    sdk = tmp_path / "sdk"
    (sdk / "starter").mkdir(parents=True)
    (sdk / "snake.h").write_text("1")

    async def again(command=("ccc",), env=None, sdk=sdk, level=Level.NONE, run=("./bot",)) -> bool:
        unbuilt = bots.Unbuilt((tuple(command),), run, env or {}, sdk)
        (outcome,) = await each([bots.Bot("kaa", run, path, unbuilt=unbuilt)], level=level)
        assert not isinstance(outcome, BotError), outcome
        return outcome.how == "built"

    return again


CHANGES = {
    "a source": lambda path: (path / "kaa" / "word").write_text("#!/bin/sh\nexit\n"),
    "one more": lambda path: (path / "kaa" / "more").write_text(""),
    "its name": lambda path: (path / "kaa" / "other").rename(path / "kaa" / "another"),
    "its mode": lambda path: (path / "kaa" / "other").chmod(0o755),
    "the SDK": lambda path: (path / "sdk" / "snake.h").write_text("2"),
    "more of it": lambda path: (path / "sdk" / "more.h").write_text(""),
    "the compiler's file": lambda path: os.utime(path / "tools" / "ccc", ns=(5, 5)),
}


@pytest.mark.parametrize("change", CHANGES)
async def test_each_change_causes_a_build(built, tmp_path, change):
    (tmp_path / "kaa" / "other").write_text("")
    assert await built()
    assert not await built()
    CHANGES[change](tmp_path)
    assert await built()
    assert not await built()


async def test_a_change_in_a_starter_kit_causes_no_build(built, tmp_path):
    assert await built()
    (tmp_path / "sdk" / "starter" / "main.c").write_text("")
    assert not await built()


@pytest.mark.parametrize("name", ["Snake.o", "Snake.ppu", "JBot.class", "snake.pyc"])
async def test_files_that_compilers_leave_in_an_sdk_cause_no_build(built, tmp_path, name):
    assert await built()
    (tmp_path / "sdk" / name).write_text("")
    assert not await built()
    (tmp_path / "kaa" / name).write_text("")
    assert await built(), "among the bot's own files it counts"


async def test_the_compilers_version_counts_even_if_its_file_looks_unchanged(built, compiler, tmp_path):
    assert await built()
    before = (tmp_path / "tools" / "ccc").stat()
    compiler("2.0")
    after = (tmp_path / "tools" / "ccc").stat()
    assert (before.st_size, before.st_mtime_ns) == (after.st_size, after.st_mtime_ns)
    assert await built()
    assert not await built()


async def test_commands_variables_and_sdk_count(built, tmp_path):
    assert await built()
    assert await built(("ccc", "-O3"))
    assert await built(env={"CGO_ENABLED": "0"})
    assert await built(sdk=None)
    assert not await built(run=("./bot", "--fast")), "the run command is not part of the product"
    assert not await built()


@needs_bubblewrap
async def test_builds_with_and_without_a_jail_have_separate_products(make_bot, each):
    assert [outcome.how for outcome in await each([make_bot()])] == ["built"]
    assert [outcome.how for outcome in await each([make_bot()], level=Level.FULL)] == ["built"]
    assert [outcome.how for outcome in await each([make_bot()], level=Level.REDUCED)] == ["kept"]


# -- failures --


async def test_a_failure_shows_the_first_errors_and_where_the_rest_is(make_bot, ready):
    script = "echo fine; for i in 1 2 3 4 5 6 7 8 9; do echo a.c:$i: error: no; echo; echo; echo; done; exit 1"
    with pytest.raises(BuildFailed) as failed:
        await ready([make_bot(script)])
    assert failed.value.exit_code == 4
    assert failed.value.excerpt[0] == "a.c:1: error: no"
    assert len(failed.value.excerpt) == 21
    assert failed.value.excerpt[-1] == f"… 14 more lines in {failed.value.log}"
    assert failed.value.bot == "kaa"
    assert str(failed.value).isprintable()
    assert len(str(failed.value).splitlines()) == 1


async def test_a_failed_build_is_repeated_and_its_log_is_kept(folder, ready, cache):
    path = folder("exit 1")
    with pytest.raises(BuildFailed) as failed:
        await ready([bots.find(str(path))])
    with pytest.raises(BuildFailed):  # a failure is not a product
        await ready([bots.find(str(path))])
    assert names(cache) == [failed.value.log.name]


async def test_a_successful_build_removes_the_log_of_an_earlier_failure(tmp_path, make_bot, ready, cache):
    flag = tmp_path / "flag"
    bot = make_bot(f"test -e {flag} && touch bot && chmod +x bot")
    with pytest.raises(BuildFailed):
        await ready([bot])
    flag.touch()
    (built,) = await ready([bot])
    assert not list(cache.glob("*.log"))
    assert built.cwd.is_dir()


@pytest.mark.parametrize(
    ("script", "how"),
    [
        ("exit 7", "ended with exit status 7"),
        ("kill -9 $$", "ended by signal 9"),
        ("sleep 300", "was ended: it took longer than 0.5 s"),
        ("true", "the build did not create ./bot: create it, or correct `run` (after its build)"),
        ("mkdir bot", "the build did not create ./bot"),
        ("touch bot", "./bot may not be executed: run chmod +x on it"),
    ],
)
async def test_the_error_says_how_a_build_ended(make_bot, ready, script, how):
    with pytest.raises(BuildFailed) as failed:
        await ready([make_bot(script)], limits=BuildLimits(seconds=0.5))
    assert how in str(failed.value)


async def test_a_build_that_leaves_no_program_shows_its_output(make_bot, ready):
    with pytest.raises(BuildFailed) as failed:
        await ready([make_bot("echo wrote it to elsewhere/bot")])
    assert failed.value.excerpt[-1:] == ("wrote it to elsewhere/bot",)
    assert f"; the whole output of the build is in {failed.value.log}" in str(failed.value)


@needs_bubblewrap
async def test_what_a_build_leaves_is_staged_which_refuses_dangerous_files(make_bot, cache):
    with pytest.raises(BuildFailed, match="a/b is a FIFO"):
        await building.ready([make_bot("mkdir -p a && mkfifo a/b; touch bot")], level=Level.FULL, cache=cache)
    assert [path.suffix for path in cache.iterdir()] == [".log"]


async def test_a_folder_that_could_not_play_is_not_built(make_bot, ready, cache):
    bot = make_bot()
    (bot.cwd / "link").symlink_to("/etc/passwd")
    lines = []
    with pytest.raises(BotError, match=r"^bot .*link is a symbolic link: "):
        await ready([bot], say=lines.append)
    assert lines == names(cache) == []


async def test_a_compiler_that_the_jail_does_not_show_is_an_error(tmp_path, built, compiler, monkeypatch):
    with pytest.raises(AssertionError, match=r"ccc is .*/tools/ccc, which builds cannot see: sudo apt install ccc"):
        await built(level=Level.FULL)
    assert await built(level=Level.NONE)


async def test_an_alternative_compiler_is_used(tmp_path, monkeypatch, cache):
    for tool in ("sh", "touch", "chmod"):
        (tmp_path / tool).symlink_to(str(shutil.which(tool)))
    (tmp_path / "clang++").write_text("#!/bin/sh\ntouch bot; chmod +x bot\n")
    (tmp_path / "clang++").chmod(0o755)
    (tmp_path / "kaa.cpp").write_text("")
    monkeypatch.setenv("PATH", str(tmp_path))
    (built,) = await building.ready([bots.find(str(tmp_path / "kaa.cpp"))], level=Level.NONE, cache=cache)
    assert "$ clang++ -std=c++20" in (built.cwd.parent / "build.log").read_text()


async def test_in_each_one_failure_does_not_stop_the_other_builds(make_bot, each):
    bad, good = make_bot("exit 1", name="bad"), make_bot(name="good")
    failed, built = await each([bad, good])
    assert isinstance(failed, BuildFailed)
    assert built.how == "built"


async def test_a_machine_without_resources_explains_why_bots_failed(make_bot, each, monkeypatch):
    async def product(_self: Builder, bot: bots.Bot, _unbuilt: bots.Unbuilt) -> None:
        if bot.name == "bad":
            raise BotError("no")
        await trio.testing.wait_all_tasks_blocked()
        raise OSError(errno.EMFILE, "Too many open files")

    monkeypatch.setattr(Builder, "product", product)
    with pytest.raises(OSError, match="Too many open files"):
        await each([make_bot(name="bad"), make_bot(name="good")])


async def test_otherwise_one_failure_aborts_the_other_builds(make_bot, ready):
    if len(os.sched_getaffinity(0)) < 2:
        pytest.skip("one processor builds one at a time")
    bad, endless = make_bot("exit 1", name="bad"), make_bot("sleep 300", name="endless")
    with pytest.raises(BuildFailed, match="bot bad cannot be built"):
        await ready([bad, endless])


async def test_level_reduced_is_refused_if_the_jail_does_not_work(make_bot, cache, tmp_path, monkeypatch):
    bot = make_bot()
    (tmp_path / "sh").symlink_to("/bin/sh")
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(IsolationError, match="which --isolation reduced does not use"):
        await building.ready([bot], level=Level.REDUCED, cache=cache)
    with pytest.raises(IsolationError, match="bubblewrap"):
        await building.ready([bot], level=Level.FULL, cache=cache)


# -- concurrent and interrupted builds --


async def test_concurrent_builds_of_one_bot_leave_one_product(make_bot, ready, cache):
    bot, built = make_bot(), []

    async def build() -> None:
        built.extend(await ready([bot]))

    async with trio.open_nursery() as nursery:
        nursery.start_soon(build)
        nursery.start_soon(build)
    assert [output_of(bot) for bot in built] == ["hello\n"] * 2
    (again,) = await ready([bot])
    assert again in built
    assert len(list(cache.glob("*.json"))) == 1


@needs_bubblewrap
async def test_an_interrupted_build_leaves_nothing(make_bot, cache):
    bot = make_bot("sleep 300")
    with trio.CancelScope() as scope:
        await building.ready([bot], level=Level.FULL, cache=cache, say=lambda _text: scope.cancel())
    assert scope.cancelled_caught
    assert names(cache) == []


async def test_a_build_interrupted_in_the_middle_leaves_nothing(make_bot, ready, cache, tmp_path):
    os.mkfifo(tmp_path / "begun")
    bot = make_bot(f"touch bot; chmod +x bot; echo $$ > {tmp_path}/begun; exec sleep 300")
    async with trio.open_nursery() as nursery:
        nursery.start_soon(ready, [bot])
        pid = int(await trio.to_thread.run_sync((tmp_path / "begun").read_text))
        nursery.cancel_scope.cancel()
    assert names(cache) == []
    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)


async def test_a_cache_that_others_can_write_to_is_refused(make_bot, ready, cache):
    cache.mkdir()
    cache.chmod(0o777)
    with pytest.raises(UsageError, match=WRITABLE):
        await ready([make_bot()])


async def test_a_cache_that_cannot_be_made_is_an_error(make_bot, tmp_path):
    (tmp_path / "file").touch()
    with pytest.raises(
        UsageError,
        match=r"^bots cannot be kept in .*file/builds \(Not a directory\): set XDG_CACHE_HOME to another folder$",
    ):
        await building.ready([make_bot()], level=Level.NONE, cache=tmp_path / "file" / "builds")


async def test_a_build_can_read_the_sdk(tmp_path, cache):
    path, sdk = tmp_path / "kaa", tmp_path / "sdk"
    path.mkdir()
    sdk.mkdir()
    (sdk / "word").write_text("from the SDK")
    command = ("sh", "-c", 'printf "#!/bin/sh\\necho %s\\n" "$(cat $SDK/word)" > bot && chmod +x bot')
    bot = bots.Bot("kaa", ["./bot"], path, unbuilt=bots.Unbuilt((command,), ("./bot",), {}, sdk))
    for level in LEVELS:
        (built,) = await building.ready([bot], level=level, cache=cache)
        assert output_of(built) == "from the SDK\n"
