"""What the server answers as JSON: results, and refusals with a code and one line that says what to do.

A handler raises a `Refusal`, or another of `REFUSALS`.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from contextlib import aclosing
from typing import Any, Final, Literal, TypeAlias, TypeVar

import anyio
from pydantic import BaseModel, ValidationError
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response

from referee.errors import ProgramError, RefereeError
from referee.text.documents import Malformed, json_of, text_of
from referee.text.strict import explain
from referee.text.words import harmless

Code: TypeAlias = Literal[
    "bad_request", "unauthorized", "forbidden", "not_found", "conflict", "too_large", "unsupported", "unprocessable",
    "too_many", "closed",
]  # fmt: skip

STATUS: Final[dict[Code, int]] = {
    "bad_request": 400,
    "unauthorized": 401,
    "forbidden": 403,
    "not_found": 404,
    "conflict": 409,
    "too_large": 413,
    "unsupported": 415,
    "unprocessable": 422,
    "too_many": 429,
    "closed": 403,
}
"""The usual status of each code. A refusal may have a more exact one."""
UPLOAD: Final = 30.0
"""Seconds in which the body of a request must have come."""

Model = TypeVar("Model", bound=BaseModel)


class Refusal(Exception):
    """A request that is not carried out.

    Attributes:
        status: of the answer. details: keys beside `code` and `message`, such as `line` and `column`.
        retry_after: seconds until the same request may be carried out; None if that does not depend on time.
    """

    def __init__(
        self, code: Code, message: str, *, status: int | None = None, retry_after: int | None = None, **details: Any
    ) -> None:
        super().__init__(message)
        self.code, self.status, self.details = code, status or STATUS[code], details
        self.retry_after = retry_after


def answer(document: Any, *, status: int = 200, headers: dict[str, str] | None = None) -> Response:
    """A JSON document."""
    text = json.dumps(document, ensure_ascii=False, separators=(",", ":")).encode(errors="replace")
    return Response(text, status, headers, "application/json")


def refusal_of(failed: Exception) -> Refusal:
    """What an error of a handler means for who sent the request; `failed` is one of `REFUSALS`."""
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


def refused(failed: Exception) -> Response:
    """The answer to a request that failed."""
    refusal = refusal_of(failed)
    error = {"code": refusal.code, "message": harmless(str(refusal)), **refusal.details}
    headers = {"Connection": "close"} if refusal.code == "too_large" else {}
    if refusal.retry_after is not None:
        headers["Retry-After"] = str(refusal.retry_after)
    return answer({"error": error}, status=refusal.status, headers=headers)


REFUSALS: Final = (Refusal, HTTPException, RefereeError, ClientDisconnect, OSError)
"""The errors of handlers that are no bugs of the referee."""


async def body(request: Request, cap: int) -> bytes:
    """The body of a request; see `receive`."""
    data = bytearray()
    await receive(request, cap, data.extend)
    return bytes(data)


async def receive(request: Request, cap: int, take: Callable[[bytes], object], *, seconds: float = UPLOAD) -> None:
    """Take the body of a request in parts, and not more than `cap` bytes.

    Args:
        seconds: in which it must have come.

    Raises:
        Refusal: it is larger, or does not come in time.
    """
    too_large = Refusal("too_large", f"the body of this request may have {cap:,} bytes at most")
    length = request.headers.get("content-length", "0")
    if not length.isdecimal() or len(length) > 15 or int(length) > cap:
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
        raise Refusal(
            "bad_request", f"the body did not come within {seconds:g} seconds: send it again", status=408
        ) from None


async def document(request: Request, model: type[Model], cap: int = 64 * 1024) -> Model:
    """The JSON body of a request, read strictly.

    Raises:
        Refusal: it is too large, no JSON, or does not have the keys and types of the model.
    """
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind != "application/json":
        raise Refusal("unsupported", "send the body as application/json")
    try:
        value = json_of(text_of(await body(request, cap)))
        return model.model_validate(value)
    except Malformed as wrong:
        raise Refusal("bad_request", f"the body is not valid JSON: {wrong}{wrong.where()}") from None
    except ValidationError as wrong:
        raise Refusal("bad_request", explain(wrong)) from None
