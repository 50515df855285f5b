"""Files that users name: regular ones and pipes are read up to a cap, everything else is refused at once."""

from __future__ import annotations

import gzip
import os
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from referee import files
from referee.errors import UsageError
from referee.files import read, read_json, read_toml
from referee.record import load


def refusal(of: Callable[[Path], object], path: Path) -> str:
    with pytest.raises(UsageError) as caught:
        of(path)
    text = str(caught.value)
    assert text.isprintable()
    assert str(path) in text
    return text.replace(str(path), "FILE")


def all_of(path: Path) -> bytes:
    return read(path, 100)


@pytest.mark.parametrize("of", [all_of, read_json, read_toml, load])
def test_what_is_no_file_is_refused_and_never_waited_for(tmp_path: Path, of: Callable[[Path], object]) -> None:
    os.mkfifo(tmp_path / "pipe")
    loop = tmp_path / "loop"
    loop.symlink_to(loop)
    assert refusal(of, tmp_path) == "FILE: a folder, where a file is expected"
    assert refusal(of, Path("/dev/zero")) == "FILE: neither a file nor a pipe"
    assert refusal(of, tmp_path / "nowhere") == "FILE: No such file or directory"
    assert refusal(of, loop) == "FILE: Too many levels of symbolic links"
    if of is read_json or of is load:
        assert "empty" in refusal(of, tmp_path / "pipe")
    else:
        assert not of(tmp_path / "pipe")


def test_a_link_leads_to_its_file(tmp_path: Path) -> None:
    (tmp_path / "a.json").write_text("[1]")
    (tmp_path / "b").symlink_to("a.json")
    assert read_json(tmp_path / "b") == [1]


def test_a_file_is_read_up_to_the_cap(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "a"
    path.write_bytes(b"x" * 100)
    assert all_of(path) == b"x" * 100
    path.write_bytes(b"x" * 101)
    assert refusal(all_of, path) == "FILE is longer than 0 KiB, more than is read of such a file"
    os.truncate(path, 3 << 30)  # nothing of it is on the disk
    assert refusal(read_json, path) == "FILE is longer than 32 MiB, more than is read of such a file"
    assert refusal(read_toml, path) == "FILE is longer than 4 MiB, more than is read of such a file"


def through_a_pipe(data: bytes, of: Callable[[Path], object]) -> object:
    """As a shell does with `<(…)`: the file is a pipe's end under a number."""
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
    assert through_a_pipe(b'{"a": ' + b" " * 200_000 + b"1}", read_json) == {"a": 1}
    golden = Path(__file__).parent / "records" / "snakecore.jsonl"
    for data in (golden.read_bytes(), gzip.compress(golden.read_bytes())):
        found = through_a_pipe(data, load)
        assert found.steps == load(golden).steps


def test_standard_input_is_a_hyphen(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "a.json").write_text("[1,")
    with (tmp_path / "a.json").open() as file:
        real = os.dup(0)
        os.dup2(file.fileno(), 0)
        try:
            with pytest.raises(UsageError, match=r"^standard input, line 1, column 4: no JSON: Expecting value$"):
                read_json(Path("-"))
            os.lseek(0, 0, os.SEEK_SET)
            assert files.read(Path("-"), 100) == b"[1,"
            os.fstat(0)  # it is still open
        finally:
            os.dup2(real, 0)
            os.close(real)


@pytest.mark.parametrize(
    ("of", "text", "why"),
    [
        (read_json, "", "FILE is empty"),
        (read_json, " \n", "FILE is empty"),
        (read_json, '{"a": 1,\n "a": 2}', "FILE: no JSON: the key 'a' stands twice in one object"),
        (read_json, '{\n"a" 1}', "FILE, line 2, column 5: no JSON: Expecting ':' delimiter"),
        (read_toml, "a = 1\nb = x", "FILE, line 2, column 5: no TOML: Invalid value"),
        (read_toml, "a = 0x" + "f" * 5000, "FILE: no TOML: a whole number of more than 64 bits"),
    ],
)
def test_what_is_wrong_is_told_with_its_file(tmp_path: Path, of: Callable[[Path], object], text: str, why: str) -> None:
    path = tmp_path / "a"
    path.write_text(text)
    assert refusal(of, path) == why
    path.write_bytes(b"\xef\xbb\xbf" + text.encode())
    if text:
        assert refusal(of, path).startswith("FILE")
