"""What the server answers as JSON: results, and refusals with a code and one line that says what to do.

A handler raises a `Refusal`, or another error that `error_handlers` lists.
"""

from __future__ import annotations

import json
import sys
import traceback
from collections.abc import Awaitable, Callable
from contextlib import aclosing
from typing import Any, Final, TypeVar

import anyio
from pydantic import BaseModel, ValidationError
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response

from referee.errors import ProgramError, RefereeError
from referee.text.documents import Malformed, json_of, text_of
from referee.text.strict import explain
from referee.text.words import harmless
from referee.web.refusals import Refusal as Refusal

UPLOAD_TIME: Final = 30.0
"""Seconds in which the body of a request must have come."""

Model = TypeVar("Model", bound=BaseModel)


def answer(document: Any, *, status: int = 200, headers: dict[str, str] | None = None) -> Response:
    """A JSON document."""
    text = json.dumps(document, ensure_ascii=False, separators=(",", ":")).encode(errors="replace")
    return Response(text, status, headers, "application/json")


def whole(text: str) -> int | None:
    """A whole number of an address or a header, of 15 ASCII digits at most; None if it is none."""
    return int(text) if text.isascii() and text.isdecimal() and len(text) < 16 else None


def refusal_of(failed: Exception) -> Refusal:
    """The refusal that tells the client of an error of a handler, one of those that `error_handlers` lists."""
    match failed:
        case Refusal():
            return failed
        case HTTPException(status_code=405):
            return Refusal("bad_request", "this address does not take this method", status=405)
        case HTTPException():
            return Refusal("not_found", "there is nothing at this address")
        case ProgramError():
            position = {"line": failed.line, "column": failed.column} if failed.line else {}
            return Refusal("unprocessable", str(failed), **position)
        case OSError():
            return Refusal("unprocessable", f"{failed.filename or 'this machine'}: {failed.strerror or failed}")
        case ClientDisconnect():
            return Refusal("bad_request", "the client left before the end of its request")
        case _:
            return Refusal("unprocessable", str(failed))


def refused(refusal: Refusal) -> Response:
    """The answer to a request that is not carried out."""
    error = {"code": refusal.code, "message": harmless(str(refusal)), **refusal.details}
    headers = {"Connection": "close"} if refusal.code in ("too_large", "bad_request") else {}
    if refusal.retry_after is not None:
        headers["Retry-After"] = str(refusal.retry_after)
    return answer({"error": error}, status=refusal.status, headers=headers)


def error_handlers(
    page: Callable[[Request, Refusal], Response], log: str, meant: Callable[[Exception], Refusal] = refusal_of
) -> dict[type[Exception], Callable[[Request, Exception], Awaitable[Response]]]:
    """What a site does with the errors of its handlers, as Starlette takes it.

    Args:
        page: makes the page for a browser whose request is refused; the API answers in JSON. log: where bugs are reported.
        meant: as `refusal_of`.
    """

    async def refuse(request: Request, failed: Exception) -> Response:
        refusal = meant(failed)
        return refused(refusal) if request.url.path.startswith("/api/") else page(request, refusal)

    async def report(_request: Request, bug: Exception) -> Response:
        traceback.print_exception(bug)  # without what the request held
        print("referee: this is a bug of the referee's own: please report it with the lines above", file=sys.stderr)
        return refused(Refusal("unprocessable", f"this is a bug of the referee: its {log} says more", status=500))

    no_bugs = Refusal, HTTPException, RefereeError, ClientDisconnect, OSError
    return {**dict.fromkeys(no_bugs, refuse), Exception: report}


async def receive(request: Request, cap: int, take: Callable[[bytes], object], *, seconds: float = UPLOAD_TIME) -> None:
    """Take the body of a request in parts, and not more than `cap` bytes.

    Args:
        seconds: in which it must have come.

    Raises:
        Refusal: it is larger, or does not come in time.
    """
    most = f"{cap:,} bytes" if cap % 2**20 else f"{cap >> 20} MiB"
    too_large = Refusal("too_large", f"the body of this request may have {most} at most")
    length = whole(request.headers.get("content-length", "0"))
    if length is None or length > cap:
        raise too_large
    left = cap
    try:
        with anyio.fail_after(seconds):
            async with aclosing(request.stream()) as parts:
                async for part in parts:
                    left -= len(part)
                    if left < 0:
                        raise too_large
                    take(part)
    except TimeoutError:
        why = f"the body did not come within {seconds:g} seconds: send it again"
        raise Refusal("bad_request", why, status=408) from None


async def document(request: Request, model: type[Model], cap: int = 64 * 1024) -> Model:
    """The JSON body of a request, read strictly.

    Raises:
        Refusal: it is too large, no JSON, or does not have the keys and types of the model.
    """
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind != "application/json":
        raise Refusal("unsupported", "send the body as application/json")
    body = bytearray()
    try:
        await receive(request, cap, body.extend)
        return model.model_validate(json_of(text_of(bytes(body))))
    except Malformed as wrong:
        raise Refusal("bad_request", f"the body is not valid JSON: {wrong}{wrong.where()}") from None
    except ValidationError as wrong:
        raise Refusal("bad_request", explain(wrong)) from None
