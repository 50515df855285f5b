"""Files that users name: reading and caps."""

import gzip
import os
import threading
from collections.abc import Callable
from pathlib import Path

import pytest
from files.test_claims import refusal

from referee.errors import UsageError
from referee.files import reading as module
from referee.files.reading import read, read_toml
from referee.saved.record import load


def all_of(path: Path) -> bytes:
    return read(path, 100)


@pytest.mark.parametrize("of", [all_of, read_toml, load])
def test_folders_devices_and_empty_pipes_are_refused_without_a_wait(tmp_path, of):
    os.mkfifo(tmp_path / "pipe")
    loop = tmp_path / "loop"
    loop.symlink_to(loop)
    assert refusal(of, tmp_path) == "FILE: a folder, where a file is expected"
    assert refusal(of, Path("/dev/zero")) == "FILE: neither a file nor a pipe"
    assert refusal(of, tmp_path / "nowhere") == "FILE: No such file or directory"
    assert refusal(of, loop) == "FILE: Too many levels of symbolic links"
    if of is load:
        assert "empty" in refusal(of, tmp_path / "pipe")
    else:
        assert not of(tmp_path / "pipe")


def test_links_are_followed(tmp_path: Path) -> None:
    (tmp_path / "a.toml").write_text("a = 1")
    (tmp_path / "b").symlink_to("a.toml")
    assert read_toml(tmp_path / "b") == {"a": 1}


def test_a_file_is_read_up_to_the_cap(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "a"
    path.write_bytes(b"x" * 100)
    assert all_of(path) == b"x" * 100
    path.write_bytes(b"x" * 101)
    assert refusal(all_of, path) == "FILE is longer than 0 KiB, the most that is allowed"
    os.truncate(path, 3 << 30)  # a sparse file, which takes no disk space
    assert refusal(read_toml, path) == "FILE is longer than 4 MiB, the most that is allowed"


def through_a_pipe(data: bytes, of: Callable[[Path], object]) -> object:
    """Call `of` with the path of a pipe that holds `data`, like `<(…)` in a shell."""
    ours, theirs = os.pipe()

    def write() -> None:
        with open(theirs, "wb") as file:
            file.write(data)

    writer = threading.Thread(target=write)
    writer.start()
    try:
        return of(Path(f"/dev/fd/{ours}"))
    finally:
        os.close(ours)
        writer.join()


def test_a_pipe_is_read_to_its_end(tmp_path: Path) -> None:
    assert through_a_pipe(b"a = " + b" " * 200_000 + b"1", read_toml) == {"a": 1}
    golden = Path(__file__).parents[1] / "records" / "snakecore.jsonl"
    for data in (golden.read_bytes(), gzip.compress(golden.read_bytes())):
        assert through_a_pipe(data, load).steps == load(golden).steps


def test_standard_input_is_a_hyphen(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "a.toml").write_text("b = x")
    with (tmp_path / "a.toml").open() as file:
        real = os.dup(0)
        os.dup2(file.fileno(), 0)
        try:
            with pytest.raises(UsageError, match=r"^standard input, line 1, column 5: not TOML: Invalid value$"):
                read_toml(Path("-"))
            os.lseek(0, 0, os.SEEK_SET)
            assert module.read(Path("-"), 100) == b"b = x"
            os.fstat(0)  # it is still open
        finally:
            os.dup2(real, 0)
            os.close(real)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("a = 1\nb = x", "FILE, line 2, column 5: not TOML: Invalid value"),
        ("a = 0x" + "f" * 5000, "FILE: not TOML: a number of thousands of digits"),
        ("\ufeffa = x", "FILE, line 1, column 5: not TOML: Invalid value"),
    ],
)
def test_errors_name_the_file(tmp_path: Path, text: str, why: str) -> None:
    (tmp_path / "a").write_text(text)
    assert refusal(read_toml, tmp_path / "a") == why
