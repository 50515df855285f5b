"""An ordinary user, whom modes of files concern, in tests that root runs."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

UID: Final = 60_999


@contextmanager
def ordinary_user() -> Iterator[None]:
    """Within the context, a root process has the rights of this uid."""
    if os.geteuid() != 0:
        yield
        return
    os.seteuid(UID)
    try:
        yield
    finally:
        os.seteuid(0)
