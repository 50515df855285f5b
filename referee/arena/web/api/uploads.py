"""The API of uploads and versions.

1. The body of an upload is the file itself. It goes to a temporary file in the inbox as it arrives, never whole into memory. It
   is synced before its row is committed. So an accepted upload is not lost, and a refused one leaves nothing.
2. The transaction that accepts an upload checks the limits, so concurrent uploads cannot exceed them together. It also checks
   what may have changed while the body arrived: whether the arena is open, and whether the user is still signed in.
   The same content again is not refused, whatever the limits: a client that lost our answer asks again. If its version failed, it
   is a new version: the cause may have been the machine's, such as a missing compiler.
3. A user sends one upload at a time.
"""

from __future__ import annotations

import hashlib
import os
import re
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import IO, Final

import anyio
from starlette.requests import Request
from starlette.responses import FileResponse, Response

from referee.arena.access import may_inspect
from referee.arena.rows import DAY, Sent, Upload, User, check_name, too_many_a_day
from referee.arena.settings import MIB
from referee.arena.uploads import ZIP, accepts, file_of, stored_name
from referee.arena.web.site import Site, signed_in_user, viewer
from referee.bots.zips import zipped
from referee.text.words import harmless
from referee.tournament.database import DiskError
from referee.web.answers import Refusal, answer, receive

SECONDS: Final = 120.0
"""The longest time of an upload."""
PARTIAL: Final = ".upload-"
"""Begins the names of incomplete uploads."""
MOST_CHARACTERS: Final = 200
"""Characters of a file's name and of a note."""


class Inbox:
    """Accepts uploads, as the theory says."""

    def __init__(self, site: Site) -> None:
        """Remove the uploads that a killed process left."""
        self.site = site
        self._sending: set[int] = set()
        self.site.files.inbox.mkdir(mode=0o700, exist_ok=True)
        for partial in self.site.files.inbox.glob(f"{PARTIAL}*"):
            partial.unlink(missing_ok=True)

    async def upload(self, request: Request) -> Response:
        """POST `/bots/BOT/versions?file=NAME&note=`."""
        user, bot = signed_in_user(request), request.path_params["bot"]
        file, note = self._file_and_note(request, bot)
        inbox = self.site.files.inbox
        with self._one_at_a_time(user), NamedTemporaryFile(prefix=PARTIAL, dir=inbox) as partial:
            sent = Sent(bot, file, note, *await self._receive(request, partial))
            check_content(Path(partial.name), file)
            upload, new = self._accept(request, sent, Path(partial.name))
        with suppress(DiskError):  # the upload is accepted all the same
            self.site.drafts.remove_submitted(user.id, bot, sent.sha256)
        version = self.site.version(upload)
        if new:
            self.site.events.publish("version", self.site.describe(upload, version))
        url = f"/versions/{upload.id}"
        return answer({"id": upload.id, "state": version.state, "url": url}, status=202 if new else 200)

    def _file_and_note(self, request: Request, bot: str) -> tuple[str, str]:
        """The name of the file and the note of an upload that may begin."""
        self._check_open()
        check_name(bot, "bot")
        # These separate folders on Windows, where a teacher may unpack a source.
        file = re.split(r"[/\\:]", harmless(request.query_params.get("file", "")))[-1][-MOST_CHARACTERS:]
        if not accepts(file):
            what = "a ZIP file of a bot's folder, a source in a known language, or a program of the game's own language"
            raise Refusal("unsupported", f"file: name what you send, with its suffix: {what}")
        return file, harmless(request.query_params.get("note", ""))[:MOST_CHARACTERS]

    async def _receive(self, request: Request, partial: IO[bytes]) -> tuple[str, int]:
        """Write a body to a file. Returns its SHA-256 and its length."""
        hashed, cap = hashlib.sha256(), self.site.settings.limits.upload * MIB

        def take(part: bytes) -> None:
            hashed.update(part)
            partial.write(part)

        await receive(request, cap, take, seconds=SECONDS)
        if not (size := partial.tell()):
            raise Refusal("unprocessable", "the body is empty: send the file itself as the body")
        partial.flush()
        await anyio.to_thread.run_sync(os.fsync, partial.fileno())
        return hashed.hexdigest(), size

    def _accept(self, request: Request, sent: Sent, partial: Path) -> tuple[Upload, bool]:
        """Commit an upload. Returns it, or the version with the same content; and whether it is new."""
        user, accounts = signed_in_user(request), self.site.accounts
        link: Path | None = None
        try:
            with accounts.transaction():
                if self.site.sessions.identify(request) is None:
                    why = "you were signed out while the file arrived: sign in, and upload it again"
                    raise Refusal("unauthorized", why)
                if (same := self._same(user, sent)) is not None:
                    return same, False
                self._check_open()
                upload = accounts.accept(user, sent)
                self._check_limits(user)
                link = self.site.files.inbox / stored_name(upload.id, sent.file)
                link.unlink(missing_ok=True)  # a site that was killed before the row was committed left it
                link.hardlink_to(partial)
                _sync(link.parent)
        except BaseException:
            if link is not None:
                link.unlink(missing_ok=True)
            raise
        return upload, True

    def _same(self, user: User, sent: Sent) -> Upload | None:
        """The last version of a bot if it has the same content, and neither failed nor was withdrawn."""
        last = self.site.accounts.last_upload(user, sent.bot)
        if last is None or last.deleted or last.sha256 != sent.sha256 or self.site.version(last).state == "failed":
            return None
        return last

    def _check_open(self) -> None:
        if self.site.state != "open":
            raise Refusal("closed", "this arena takes no more bots: its standings stay")

    def _check_limits(self, user: User) -> None:
        """Check the limits of a user, whose new upload is counted."""
        limits, accounts, now = self.site.settings.limits, self.site.accounts, self.site.now()
        count, size, first = accounts.usage(user, now - DAY)
        if len(accounts.bots(user)) > limits.bots:
            raise Refusal("conflict", f"you may have {limits.bots} bots: withdraw one, or give a new version of one")
        if count > limits.uploads:
            raise too_many_a_day(f"you may upload {limits.uploads} versions", first or now, now)
        if size > limits.disk * MIB:
            why = f"all your uploads may have {limits.disk} MiB together: ask the organiser for more"
            raise Refusal("too_large", why)

    @contextmanager
    def _one_at_a_time(self, user: User) -> Iterator[None]:
        if user.id in self._sending:
            raise Refusal("too_many", "you are sending another upload: wait until it has arrived", retry_after=5)
        self._sending.add(user.id)
        try:
            yield
        finally:
            self._sending.discard(user.id)


async def _withdraw(site: Site, request: Request) -> Response:
    user = signed_in_user(request)
    site.accounts.withdraw(user, request.path_params["bot"], user.name)
    return Response(status_code=204)


async def _version(site: Site, request: Request) -> Response:
    upload = site.upload(request)
    version = site.version(upload)
    document = site.describe(upload, version)
    if may_inspect(viewer(request), upload):
        document |= {"file": upload.file, "note": upload.note, "bytes": upload.bytes}
        document |= {**site.evidence(version), "duel": site.versions.game(f"v{upload.id}")}
    return answer(document)


async def _source(site: Site, request: Request) -> Response:
    upload = site.upload(request, inspect=True)
    named = f"{upload.bot}-{upload.number}.zip"
    if (path := file_of(site.files, upload)) is None:
        raise Refusal("not_found", "the source of this version is not kept", status=410)
    if path.suffix == ZIP:
        return FileResponse(path, media_type="application/zip", filename=named)
    return await site.in_thread(lambda: zip_response({upload.file: path.read_bytes()}, named))


def check_content(path: Path, file: str) -> None:
    """Check that a ZIP file is one, and that no file is a compiled program.

    Raises:
        Refusal: it is wrong.
    """
    with path.open("rb") as opened:
        first = opened.read(4)
    if first == b"\x7fELF":
        raise Refusal("unprocessable", "this is a compiled program: send its sources, which are built here")
    if file.lower().endswith(ZIP) and not _is_zip(path):
        raise Refusal("unsupported", f"{file} is not a ZIP file, or is damaged: zip the folder of the bot again")


def _is_zip(path: Path) -> bool:
    """Whether a file ends as a ZIP file does. An incomplete one does not."""
    try:
        return zipfile.is_zipfile(path)
    except zipfile.BadZipFile:
        return False


def zip_response(files: dict[str, bytes], named: str) -> Response:
    """A ZIP file to download."""
    headers = {"Content-Disposition": f'attachment; filename="{named}"'}
    return Response(zipped(files), headers=headers, media_type="application/zip")


def _sync(folder: Path) -> None:
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


ROUTES: Final = (
    ("DELETE", "/bots/{bot}", _withdraw),
    ("GET", "/versions/{id}", _version),
    ("GET", "/versions/{id}/source", _source),
)
"""The handlers by their addresses below `/api/v1`, besides that of uploads."""
