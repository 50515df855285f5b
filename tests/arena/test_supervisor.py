"""Which user the site of a root arena runs as, and what it owns; what waits for space on the disk."""

import os
from datetime import UTC, datetime
from errno import EACCES, ENOSPC
from pathlib import Path

import pytest
import trio
from trio.testing import MockClock

from referee.arena import state as state_file
from referee.arena import supervisor
from referee.arena.settings import ArenaFiles
from referee.arena.state import read_state
from referee.arena.supervisor import UID, hand_over
from referee.errors import UsageError

as_root = pytest.mark.skipif(os.getuid() != 0, reason="only root can give files away")


@as_root
@pytest.mark.parametrize(("owner", "uid"), [(0, UID), (1000, 1000)])
def test_the_site_owns_its_folders_and_no_others(
    files: ArenaFiles, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, owner: int, uid: int
) -> None:
    monkeypatch.setattr(supervisor, "can_reach", lambda *_, **__: True)
    os.chown(files.root, owner, owner)
    for folder in (files.sources, files.seasons):
        folder.mkdir(parents=True)
    files.accounts.touch()
    (files.accounts.parent / "link").symlink_to(tmp_path)
    (files.root / "secret").touch()
    (files.accounts.parent / "second-name").hardlink_to(files.root / "secret")
    messages: list[str] = []
    assert hand_over(files, messages.append) == uid
    assert {path.stat().st_uid for path in (files.accounts, files.inbox, files.pages)} == {uid}
    roots = (files.sources, files.seasons, tmp_path, files.root / "secret")
    assert {path.stat().st_uid for path in roots} == {0}
    assert (files.root.stat().st_uid, files.root.stat().st_gid) == (owner, uid)
    assert owner or not files.root.stat().st_mode & 0o027  # the site's user enters it, and changes nothing in it
    assert messages == []


@as_root
def test_a_site_that_could_not_be_reached_stays_roots(files: ArenaFiles, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(supervisor, "can_reach", lambda *_, **__: False)
    messages: list[str] = []
    assert hand_over(files, messages.append) is None
    assert "runs as root" in messages[0]
    assert files.inbox.stat().st_uid == 0


async def test_a_part_waits_for_space_on_the_disk_and_says_so_once(
    files: ArenaFiles, monkeypatch: pytest.MonkeyPatch, autojump_clock: MockClock
):
    free, lines = [False, False, False], list[str]()
    monkeypatch.setattr(supervisor, "has_room", lambda _root: not free or free.pop())
    for _ in range(2):  # the second time, there is room
        await supervisor.until_room(files, "ladder", lines.append)
    assert (lines, free) == ([f"ladder waits until {files.root} has 64 MiB free"], [])


async def test_a_date_that_passes_while_the_disk_is_full_takes_effect_later(
    files: ArenaFiles, monkeypatch: pytest.MonkeyPatch, autojump_clock: MockClock
):
    failures, write = [ENOSPC, ENOSPC], state_file.write_whole

    def write_whole(path: Path, text: str) -> None:
        if failures:
            raise OSError(failures.pop(), "No space left on device")
        write(path, text)

    monkeypatch.setattr(state_file, "write_whole", write_whole)
    files.settings = files.settings.model_copy(update={"closes": datetime.fromtimestamp(1000, UTC)})
    with trio.move_on_after(10):
        await supervisor.follow_dates(files, print)
    assert read_state(files).state == "closed"
    failures.append(EACCES)
    files.state.unlink()
    with pytest.raises(UsageError, match="become a user who may"):
        await supervisor.follow_dates(files, print)


async def test_a_part_does_not_wait_in_a_folder_that_was_moved(files: ArenaFiles):
    files.root.rename(files.root.with_name("elsewhere"))
    with pytest.raises(UsageError, match="was moved or deleted: if it was moved, nothing is lost"):
        await supervisor.until_room(files, "ladder", print)
