"""What a program needs in its cell. A bot's own file is a stranger's word: it shows it nothing but the system's libraries."""

import os
import struct
from dataclasses import dataclass
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sandbox.made_elf import made

from referee.sandbox.binaries import elf, libraries, system_libraries
from referee.sandbox.binaries.system_libraries import parse_cache

HOST = elf.of(Path("/proc/self/exe"))
"""The machine that the tests run on."""
SYSTEM = system_libraries.of_system("libc.so.6", HOST.bits, HOST.machine, system_libraries.cache_stamp())
LOADER = HOST.loader or ""

pytestmark = pytest.mark.skipif(SYSTEM is None or not LOADER, reason="needs a system with glibc")


def program(**fields) -> bytes:
    """A file for this machine."""
    return made(bits=HOST.bits, machine=HOST.machine, **fields)


@dataclass
class Folder:
    """A bot's own folder."""

    path: Path

    def file(self, name: str) -> Path | None:
        return self.path / name if (self.path / name).is_file() else None

    def inside(self, folder: str) -> str:
        return "/bot" if folder == "." else f"/bot/{folder}"

    def name(self, folder: str) -> str | None:
        path = Path(folder)
        return str(path.relative_to(self.path)) if path.is_relative_to(self.path) else None

    def put(self, name: str, **fields) -> None:
        (self.path / name).parent.mkdir(parents=True, exist_ok=True)
        (self.path / name).write_bytes(program(**fields))


@pytest.fixture
def bot(tmp_path) -> Folder:
    (tmp_path / "bot").mkdir()
    return Folder(tmp_path / "bot")


def names(found: libraries.Found) -> set[str]:
    return {Path(place).name for _, place in found.binds}


def outside(found: libraries.Found) -> list[str]:
    """Binds of what is no library of the system."""
    folders = ("/usr/lib", "/lib", "/usr/local/lib", "/usr/local/cuda")
    return [str(host) for host, _ in found.binds if not str(host).startswith(folders)]


def test_a_static_program_needs_nothing(bot):
    bot.put("bot")

    assert libraries.of_bot("bot", bot) == libraries.Found()


def test_a_program_of_c_needs_its_loader_the_c_library_and_what_that_opens_later(bot):
    bot.put("bot", needed=("libc.so.6",), loader=LOADER)

    found = libraries.of_bot("bot", bot)

    assert {Path(LOADER).name, "libc.so.6", "libgcc_s.so.1", "libpthread.so.0", "libdl.so.2"} >= names(found)
    assert {Path(LOADER).name, "libc.so.6", "libgcc_s.so.1"} <= names(found)
    assert (Path(LOADER).resolve(), LOADER) in found.binds
    assert all(host == host.resolve() and host.is_file() for host, _ in found.binds)
    assert (found.search, found.missing) == ((), ())


def test_what_its_libraries_need_is_needed_too(bot):
    bot.put("bot", needed=("libstdc++.so.6",), loader=LOADER)

    found = libraries.of_bot("bot", bot)

    if found.missing:
        pytest.skip("no libstdc++ here")
    assert {"libstdc++.so.6", "libm.so.6", "libc.so.6", "libgcc_s.so.1"} <= names(found)


def test_libraries_of_its_own_are_found_by_origin_and_told_to_the_loader(bot):
    bot.put("bin/bot", needed=("liba.so",), runpath="/nowhere:$ORIGIN/../lib", loader=LOADER)
    bot.put("lib/liba.so", needed=("libb.so", "libc.so.6"), runpath="${ORIGIN}/deep")
    bot.put("lib/deep/libb.so", needed=("libm.so.6",))

    found = libraries.of_bot("bin/bot", bot)

    assert found.search == ("/bot/lib", "/bot/lib/deep")
    assert {"libc.so.6", "libm.so.6"} <= names(found)
    assert not outside(found)
    assert found.missing == ()


def test_the_older_search_path_holds_for_libraries_too(bot):
    bot.put("bot", needed=("liba.so",), rpath="$ORIGIN/lib", loader=LOADER)
    bot.put("lib/liba.so", needed=("libb.so",))
    bot.put("lib/libb.so")

    assert libraries.of_bot("bot", bot).missing == ()

    bot.put("lib/liba.so", needed=("libb.so",), runpath="$ORIGIN/other")  # which takes the place of all older ones
    assert libraries.of_bot("bot", bot).missing == ("libb.so",)


def test_the_newer_search_path_holds_for_its_own_file_alone(bot):
    bot.put("bot", needed=("liba.so",), runpath="$ORIGIN/lib", loader=LOADER)
    bot.put("lib/liba.so", needed=("libb.so",))
    bot.put("lib/libb.so")

    assert libraries.of_bot("bot", bot).missing == ("libb.so",)


@pytest.mark.parametrize("path", ["lib", "./lib", "{folder}/lib", "$ORIGIN/lib"])
def test_every_way_to_name_a_folder_of_its_own(bot, path):
    bot.put("bot", needed=("liba.so",), runpath=path.format(folder=bot.path), loader=LOADER)
    bot.put("lib/liba.so")

    found = libraries.of_bot("bot", bot)

    assert (found.search, found.missing) == (("/bot/lib",), ())


@pytest.mark.parametrize(
    ("needed", "path"),
    {
        "a secret by its folder": ("id_rsa", "{secret}"),
        "a library of the user's": ("libsecret.so", "{secret}"),
        "by the older path": ("libsecret.so", "{secret}"),
        "by way of its own folder": ("libsecret.so", "$ORIGIN/../secret"),
        "by its own folder's path": ("libsecret.so", "{folder}/../secret"),
        "by a relative path": ("libsecret.so", "../secret"),
        "a name with a path": ("{secret}/libsecret.so", "$ORIGIN"),
        "a name with a path from here": ("../secret/libsecret.so", "$ORIGIN"),
        "a folder": ("..", "$ORIGIN"),
        "nothing": ("", "$ORIGIN"),
        "what is in a library folder and no library": ("ldconfig-is-not-here", "/etc"),
        "a list of users": ("passwd", "/etc"),
        "words that the loader replaces": ("libsecret.so", "$LIB:$PLATFORM/x"),
    }.values(),
)
@pytest.mark.parametrize("kind", ["rpath", "runpath"])
def test_a_search_path_into_the_host_leads_nowhere(bot, needed, path, kind):
    secret = bot.path.parent / "secret"
    secret.mkdir()
    (secret / "id_rsa").write_text("key")
    (secret / "libsecret.so").write_bytes(program())
    words = {"secret": secret, "folder": bot.path}
    bot.put("bot", needed=(needed.format(**words), "libc.so.6"), loader=LOADER, **{kind: path.format(**words)})

    found = libraries.of_bot("bot", bot)

    assert not outside(found)
    assert not {"id_rsa", "libsecret.so", "passwd"} & names(found)
    assert found.search == ()
    assert found.missing == (needed.format(**words),)


def test_a_library_of_its_own_is_no_better_judge(bot):
    secret = bot.path.parent / "secret"
    secret.mkdir()
    (secret / "libsecret.so").write_bytes(program())
    bot.put("bot", needed=("liba.so",), runpath="$ORIGIN", loader=LOADER)
    bot.put("liba.so", needed=("libsecret.so",), runpath=str(secret))

    assert not outside(libraries.of_bot("bot", bot))


def test_its_search_path_does_not_reach_into_the_systems_libraries(bot):
    """The older search path would: a file of its own in the place of one that the C++ library needs."""
    secret = bot.path.parent / "secret"
    secret.mkdir()
    (secret / "libm.so.6").write_bytes(program())
    bot.put("bot", needed=("libstdc++.so.6",), rpath=str(secret), loader=LOADER)

    assert not outside(libraries.of_bot("bot", bot))


@pytest.mark.parametrize(
    "loader",
    ["/etc/shadow", "/etc/passwd", "/bin/sh", "/lib64/../etc/ld-linux.so.2", "ld-linux-x86-64.so.2", "", f"{LOADER}/"],
)
def test_a_loader_that_is_none_is_refused(bot, loader):
    bot.put("bot", needed=("libc.so.6",), loader=loader)

    with pytest.raises(ValueError, match="asks for the loader"):
        libraries.of_bot("bot", bot)


def test_a_loader_that_is_not_here_is_refused(bot):
    bot.put("bot", needed=("libc.so.6",), loader="/lib/ld-musl-none.so.1")

    with pytest.raises(ValueError, match="which this machine does not have"):
        libraries.of_bot("bot", bot)


def test_libraries_for_another_machine_are_passed_over(bot):
    bot.put("bot", needed=("liba.so",), runpath="$ORIGIN/other:$ORIGIN/lib", loader=LOADER)
    (bot.path / "other").mkdir()
    (bot.path / "other/liba.so").write_bytes(made(machine=HOST.machine + 1, bits=HOST.bits))
    bot.put("lib/liba.so")

    assert libraries.of_bot("bot", bot).search == ("/bot/lib",)


def test_the_systems_libraries_for_another_machine_are_passed_over():
    stamp = system_libraries.cache_stamp()

    assert system_libraries.of_system("libc.so.6", HOST.bits, HOST.machine + 1, stamp) is None


def test_words_that_the_loader_replaces_are_no_names_of_folders(bot):
    bot.put("bot", needed=("liba.so",), runpath="$LIB:a;b", loader=LOADER)
    bot.put("$LIB/liba.so")
    bot.put("a;b/liba.so")

    assert libraries.of_bot("bot", bot).missing == ("liba.so",)


def test_a_loader_that_is_needed_too_is_there_once(bot):
    bot.put("bot", needed=("libc.so.6", Path(LOADER).name), loader=LOADER)

    assert [Path(place).name for _, place in libraries.of_bot("bot", bot).binds].count(Path(LOADER).name) == 1


def test_a_chain_of_too_many_libraries_ends(bot):
    bot.put("bot", needed=("lib0-0.so",), runpath="$ORIGIN", loader=LOADER)
    for number in range(4):
        more = tuple(f"lib{number + 1}-{index}.so" for index in range(200))
        bot.put(f"lib{number}-0.so", needed=more, runpath="$ORIGIN")

    with pytest.raises(ValueError, match="more than 512"):
        libraries.of_bot("bot", bot)


def test_libraries_that_need_each_other_are_met_once(bot):
    bot.put("bot", needed=("liba.so",), rpath="$ORIGIN", loader=LOADER)
    bot.put("liba.so", needed=("libb.so",))
    bot.put("libb.so", needed=("liba.so",))

    assert libraries.of_bot("bot", bot).missing == ()


def test_a_program_of_the_machine_may_search_where_it_says(tmp_path):
    home = tmp_path / "home"
    for folder in ("bin", "lib", "far"):
        (home / folder).mkdir(parents=True)
    (home / "bin/tool").write_bytes(
        program(needed=("liba.so", "libb.so"), runpath=f"$ORIGIN/../lib:{home}/far", loader=LOADER)
    )
    (home / "lib/liba.so").write_bytes(program(needed=("libc.so.6",)))
    (home / "far/libb.so").write_bytes(program())

    found = libraries.of_machine([home / "bin/tool"])

    assert {str(home / "lib/liba.so"), str(home / "far/libb.so")} == set(outside(found))
    assert found.search == (str(home / "lib"),), "only $ORIGIN is lost without /proc"
    assert "libc.so.6" in names(found)


def test_what_is_asked_for_beside_comes_along_where_it_is(tmp_path):
    (tmp_path / "tool").write_bytes(program(needed=("libc.so.6",), loader=LOADER))

    found = libraries.of_machine([tmp_path / "tool", tmp_path / "gone"], also=("libm.so.6", "libnowhere.so"))

    assert "libm.so.6" in names(found)
    assert found.missing == ()


def test_folders_that_the_loader_does_not_search_are_told(tmp_path, monkeypatch):
    (tmp_path / "liba.so").write_bytes(program())
    monkeypatch.setattr(system_libraries, "system_folders", lambda: (tmp_path,))
    system_libraries.of_system.cache_clear()
    (tmp_path / "tool").write_bytes(program(needed=("liba.so", "libc.so.6"), loader=LOADER))

    found = libraries.of_machine([tmp_path / "tool"])

    system_libraries.of_system.cache_clear()
    assert found.search == (str(tmp_path),)


def test_a_loader_searches_its_own_folder_with_and_without_usr():
    assert libraries.default_folders(Path("/usr/lib64/ld.so")) == ("/usr/lib64", "/lib64")
    assert libraries.default_folders(Path("/lib/x/ld.so")) == ("/lib/x", "/usr/lib/x")


def listed(entries, *, before=b"", magic=b"glibc-ld.so.cache1.1"):
    """A list of libraries as ldconfig writes it."""
    strings, rows = b"", b""
    start = 48 + 24 * len(entries)
    for name, path, features in entries:
        rows += struct.pack("<iIIIQ", 0x303, start + len(strings), start + len(strings) + len(name) + 1, 0, features)
        strings += name.encode() + b"\0" + path.encode() + b"\0"
    return before + magic + struct.pack("<IIB3xIIII", len(entries), len(strings), 2, 0, 0, 0, 0) + rows + strings


ENTRIES = [
    ("liba.so", "/lib/liba.so", 0),
    ("liba.so", "/lib/hwcaps/liba.so", 1 << 62),
    ("liba.so", "/lib32/liba.so", 0),
    ("libr.so", "lib/libr.so", 0),
]


def test_the_list_of_libraries():
    expected = {"liba.so": ("/lib/liba.so", "/lib32/liba.so")}

    assert parse_cache(listed(ENTRIES)) == expected
    assert parse_cache(listed(ENTRIES, before=b"ld.so-1.7.0\0" + bytes(500))) == expected


def test_the_list_of_this_machine_names_files():
    if not system_libraries.LD_SO_CACHE.exists():
        pytest.skip("no /etc/ld.so.cache here")
    paths = parse_cache(system_libraries.LD_SO_CACHE.read_bytes())

    assert any(os.path.exists(path) for path in paths["libc.so.6"])


@pytest.mark.parametrize("data", [b"", b"x" * 100, listed(ENTRIES)[:-30], listed(ENTRIES)[:22], listed(ENTRIES, magic=b"glibc-ld.so.cache9.9")])  # fmt: skip  # noqa: E501
def test_a_list_that_is_broken_is_a_clean_error(data):
    with pytest.raises(ValueError):
        parse_cache(data)


@given(st.binary(max_size=200))
def test_random_lists_are_read_or_refused(data):
    try:
        parse_cache(b"glibc-ld.so.cache1.1" + data)
    except ValueError:
        return
