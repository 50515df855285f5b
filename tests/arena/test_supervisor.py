"""Which user the site of a root arena runs as, and what it owns."""

import os
from pathlib import Path

import pytest

from referee.arena import supervisor
from referee.arena.settings import ArenaFiles
from referee.arena.supervisor import UID, hand_over

pytestmark = pytest.mark.skipif(os.getuid() != 0, reason="only root can give files away")


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


def test_a_site_that_could_not_be_reached_stays_roots(files: ArenaFiles, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(supervisor, "can_reach", lambda *_, **__: False)
    messages: list[str] = []
    assert hand_over(files, messages.append) is None
    assert "runs as root" in messages[0]
    assert files.inbox.stat().st_uid == 0
