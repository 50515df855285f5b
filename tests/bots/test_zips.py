"""Bots in ZIP files: what is unpacked, and every reason to refuse one."""

import os
import re
import stat
import struct
import tracemalloc
import zipfile
from contextlib import suppress
from io import BytesIO
from pathlib import Path
from zipfile import ZIP_BZIP2, ZIP_DEFLATED, ZIP_LZMA, ZIP_STORED, ZipInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.bots import find, zips
from referee.bots.zips import unpack
from referee.errors import BotError, UsageError
from referee.sandbox.limits import Limits
from referee.sandbox.staging import DEPTH, NAME, PATH

MANIFEST = 'name = "Kaa"\nlanguage = "python"\n'


@pytest.fixture(autouse=True)
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))


def entry(name: str, mode: int = 0, *, method: int = ZIP_DEFLATED, year: int = 2026) -> ZipInfo:
    """An entry with the mode that Unix programs write."""
    info = ZipInfo(name, (year, 1, 1, 0, 0, 0))
    info.external_attr, info.compress_type = mode << 16, method
    return info


def zipped(*entries: str | ZipInfo | tuple[str | ZipInfo, str]) -> bytes:
    """A ZIP file of entries, which may have a text."""
    data = BytesIO()
    with zipfile.ZipFile(data, "w", ZIP_DEFLATED) as file:
        for item in entries:
            file.writestr(*(item if isinstance(item, tuple) else (item, "")))
    return data.getvalue()


def put(name: str, *entries: str | ZipInfo | tuple[str | ZipInfo, str]) -> str:
    Path(name).write_bytes(zipped(*entries))
    return name


def tree(folder: Path) -> set[str]:
    return {str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file()}


def refusal(data: bytes, **limits: int) -> str:
    """The message for a ZIP file, after a look at what it left behind."""
    before = set(Path().rglob("*"))
    with pytest.raises(BotError) as refused:
        unpack(data, Path("place"), "a.zip", Limits(**limits))
    outside = {path for path in Path().rglob("*") if path.parts[0] != "place"} - before
    assert outside == set(), "nothing is written anywhere else"
    assert "\n" not in str(refused.value)
    return str(refused.value)


def test_a_folder_with_a_manifest_is_the_bot_of_that_name():
    bot = find(put("ada.zip", ("bot.toml", MANIFEST), "main.py", "lib/board.py"))
    assert (bot.name, bot.argv[1:], bot.trusted) == ("Kaa", ["main.py"], False)
    assert tree(bot.cwd) == {"bot.toml", "main.py", "lib/board.py"}


def test_a_bot_without_a_manifest_has_the_name_of_the_file():
    assert find(put("Ada Lovelace.ZIP", "main.py", "board.py")).name == "Ada Lovelace"
    assert find(put("bob.zip", "solution/main.py")).name == "bob"
    assert find("Bea=bob.zip").name == "Bea"


def test_a_folder_around_everything_is_taken_off():
    left_out = ("__MACOSX/team/._main.py", ".DS_Store", "team/.git/x", "./")
    by_mode = entry("team/lib", stat.S_IFDIR | 0o755)  # a folder without a slash behind its name
    bot = find(put("ada.zip", "team/", "team/main.py", by_mode, "./team/lib/board.py", *left_out))
    assert tree(bot.cwd) == {"main.py", "lib/board.py"}
    assert tree(find(put("bob.zip", "main.py", "lib/board.py", "lib/.DS_Store")).cwd) == {"main.py", "lib/board.py"}


def test_execute_permissions_are_kept_and_no_others():
    manifest, program = (
        ("bot.toml", 'name = "Ada"\nrun = ["./bot"]\n'),
        (entry("bot", stat.S_IFREG | 0o4755), "#!/bin/sh\n"),
    )
    bot = find(put("ada.zip", manifest, program, entry("data", stat.S_IFREG | 0o666)))
    assert [stat.S_IMODE((bot.cwd / name).stat().st_mode) for name in ("bot", "data")] == [0o555, 0o444]


def test_a_zip_file_is_unpacked_once_and_again_if_its_folder_was_changed():
    name = put("ada.zip", ("main.py", "print()"))
    first = find(name).cwd
    assert find(name).cwd == first
    (first / "main.py").chmod(0o644)
    (first / "main.py").write_text("")
    assert find(name).cwd != first
    assert (find(name).cwd / "main.py").read_text() == "print()"


def test_an_error_names_the_zip_file_and_not_where_it_was_unpacked():
    for name, entries, message in (
        ("a.zip", ["notes.txt"], "the folder a.zip has no bot.toml: "),
        ("b.zip", [("bot.toml", "nmae = 1")], "b.zip/bot.toml: name: missing"),
        ("c.zip", [("newt.viper", "?")], "c.zip"),
    ):
        with pytest.raises(BotError) as refused:
            find(put(name, *entries))
        assert str(refused.value).startswith(message)
        assert "cache" not in str(refused.value)


@pytest.mark.parametrize(
    "name",
    ["/etc/passwd", "../up", "a/../../up", "a/./b", "a//b", "", "..", "C:/bot.py", "a\0b", "a\nb", "a\x7fb", "//x"],
)
def test_names_that_lead_elsewhere_are_refused(name):
    info = entry("x")
    info.filename = name  # as a hostile program writes it
    assert "is not a name in the bot's folder" in refusal(zipped("main.py", info))


@pytest.mark.parametrize(
    ("item", "message"),
    [
        (entry("main.py", stat.S_IFLNK | 0o777), "is a symbolic link: put a copy of the file in its place"),
        (entry("main.py", stat.S_IFIFO | 0o777), "is a FIFO"),
        (entry("main.py", stat.S_IFSOCK | 0o777), "is a socket"),
        (entry("main.py", stat.S_IFCHR | 0o777), "is a device"),
        (entry("main.py", stat.S_IFBLK | 0o777), "is a device"),
        (entry("main.py", 0o170777), "is of an unknown kind"),
        (entry("main.py", method=ZIP_BZIP2), "is compressed by method 12: zip the folder with deflate, the usual method"),
        (entry("main.py", method=ZIP_LZMA), "is compressed by method 14: zip the folder with deflate, the usual method"),
        ("a\\main.py", "has a backslash in its name: zip the folder with another program"),
    ],
)  # fmt: skip
def test_only_usual_files_and_folders_are_unpacked(item, message):
    assert f"main.py' {message}" in refusal(zipped((item, "print()")))


@pytest.mark.filterwarnings("ignore:Duplicate name")
@pytest.mark.parametrize(
    "names", [["a", "a"], ["a/", "a/"], ["a", "a/"], ["a/", "a"], ["a/b", "a"], ["a", "a/b"], ["a/b", "a/b"]]
)
def test_a_name_twice_is_refused(names):
    assert "is there twice: zip the folder again" in refusal(zipped("main.py", *names))


def test_names_and_nesting_have_caps():
    nested = "/".join("d" * DEPTH)
    assert f"is in more than {DEPTH} nested folders" in refusal(zipped(f"{nested}/x"))
    assert f"has a name longer than {NAME} bytes" in refusal(zipped("ä" * (NAME // 2 + 1)))
    assert f"{PATH} with its folders" in refusal(zipped("/".join(["d" * 200] * (PATH // 200 + 1))))
    unpack(zipped(f"{nested[2:]}/{'x' * NAME}"), Path("place"), "a.zip")


def test_a_name_is_not_taken_apart_beyond_the_cap_of_its_depth():
    """The parts of all names that a ZIP file has room for would take gigabytes."""
    assert len(zips._parts(ZipInfo("ab/" * 20_000 + "x"))) == DEPTH + 2


def test_the_number_of_entries_has_a_cap_before_any_is_read(monkeypatch):
    monkeypatch.setattr(zips, "ENTRIES", 3)
    assert "a.zip has more than 3 entries" in refusal(zipped("a", "b", "c", ".git/d"))


def test_the_number_of_files_and_of_folders_that_no_entry_names_has_a_cap():
    for names in ("abcd", ["a/b/c/d"]):
        assert "a.zip has more than 3 files and folders" in refusal(zipped(*names), folder_files=3)
    unpack(zipped("a", "b", "c"), Path("place"), "a.zip", Limits(folder_files=3))


def test_the_folders_that_no_entry_names_are_counted_before_all_of_them_are_known() -> None:
    """Those of a file of 12 MiB would take 1.2 GB."""
    data = zipped(*(f"{number}{'/a' * (DEPTH - 1)}" for number in range(1500)))
    tracemalloc.start()
    try:
        assert "a.zip has more than 50 files and folders" in refusal(data, folder_files=50)
        assert tracemalloc.get_traced_memory()[1] < 10 * len(data)
    finally:
        tracemalloc.stop()


def test_the_bytes_that_the_directory_promises_have_a_cap_before_any_is_unpacked(monkeypatch):
    bomb = zipped(("a", "0" * 600), ("b", "0" * 401))
    with monkeypatch.context() as patch:
        patch.setattr(zips._Zip, "_file", None)
        assert "'b' makes its files more than" in refusal(bomb, folder=1000)
    assert not Path("place").exists()
    unpack(bomb, Path("whole"), "a.zip", Limits(folder=1001))


@pytest.mark.parametrize("size", [0, 10, 5000])
def test_a_size_in_the_header_that_is_not_true_is_refused(size):
    data = zipped(("a", "0" * 1000))
    directory = data.rindex(b"PK\x01\x02")
    lie = data[: directory + 24] + struct.pack("<L", size) + data[directory + 28 :]
    assert "is damaged" in refusal(lie)


def test_entries_that_share_bytes_are_refused():
    data = BytesIO()
    with zipfile.ZipFile(data, "w", ZIP_STORED) as file:
        file.writestr("a", b"0" * 400)
        for name in "bcd":
            twin = entry(name, method=ZIP_STORED)
            twin.header_offset, twin.file_size, twin.compress_size = 0, 400, 400
            twin.CRC = file.getinfo("a").CRC
            file.filelist.append(twin)
    assert "its entries overlap" in refusal(data.getvalue())


@pytest.mark.parametrize("bit", [0x1, 0x40, 0x2000])
def test_encrypted_entries_are_refused(bit):
    data = bytearray(zipped("main.py"))
    at = data.rindex(b"PK\x01\x02") + 8
    data[at : at + 2] = struct.pack("<H", bit)
    assert "'main.py' is encrypted: zip the folder without a password" in refusal(bytes(data))


@pytest.mark.parametrize(
    "data", [b"", b"no ZIP file", zipped("a")[:-1], zipped(("a", "0" * 99))[40:]], ids=["empty", "text", "cut", "tail"]
)  # The bytes of a ZIP file have the time in them, and ids must be the same in all processes.
def test_a_file_that_is_no_zip_file_or_is_cut_says_so(data):
    assert refusal(data).endswith("): zip the bot's folder again")


def test_a_damaged_entry_is_refused():
    data = bytearray(zipped((entry("a", method=ZIP_STORED), "print()")))
    data[data.index(b"print")] ^= 1
    assert "Bad CRC-32" in refusal(bytes(data))


def test_a_zip_file_has_a_cap_of_its_own(monkeypatch):
    monkeypatch.setattr(zips, "CAP", 100)
    with pytest.raises(BotError, match=re.escape("a.zip has more than 0 MiB: take out what")):
        find(put("a.zip", ("main.py", "print()")))


def test_a_cache_that_cannot_be_written_is_not_the_bots_fault(monkeypatch):
    Path("file").touch()
    monkeypatch.setenv("XDG_CACHE_HOME", str(Path("file").absolute()))
    with pytest.raises(UsageError, match="XDG_CACHE_HOME"):
        find(put("a.zip", "main.py"))


WHOLE = zipped("team/main.py", ("team/data", "0123456789" * 9), (entry("team/bot", 0o755, method=ZIP_STORED), "#!"))


@given(st.lists(st.tuples(st.integers(0, len(WHOLE) - 1), st.integers(0, 255)), min_size=1, max_size=8))
def test_no_damage_causes_anything_but_a_refusal(tmp_path_factory, changes):
    data = bytearray(WHOLE)
    for index, value in changes:
        data[index] = value
    folder = tmp_path_factory.mktemp("damaged")
    with suppress(BotError):
        unpack(bytes(data), folder / "place", "a.zip")
    assert set(os.listdir(folder)) <= {"place"}
