"""Requests that are not carried out. This file needs no package of the extra `web`, so commands can use what raises refusals."""

from __future__ import annotations

from typing import Any, Final, Literal, TypeAlias

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
