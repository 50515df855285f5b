"""Transcripts: the exact bytes; only logs are truncated."""

from contextlib import ExitStack

from referee.cli import transcript
from referee.cli.transcript import open_transcripts


def test_a_log_is_truncated_at_its_cap(tmp_path, monkeypatch):
    monkeypatch.setattr(transcript, "LOG_CAP", 10)
    with ExitStack() as stack:
        first, second = open_transcripts(tmp_path, 2, stack)
        for part in (b"12345", b"6789abc", b"def", b"ghi"):
            first.logged(part)
        second.logged(b"1234567890")
        first.received(b"0123456789abc")
    assert (tmp_path / "seat0.err").read_bytes() == b"123456789a\n[the rest of the log was left out]\n"
    assert (tmp_path / "seat0.out").read_bytes() == b"0123456789abc"
