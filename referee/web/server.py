"""Serves a site: the socket, the limits of connections, and an end within seconds.

1. The site's process opens the socket. A client that never reads is dropped by the kernel after `UNREAD` seconds
   (`TCP_USER_TIMEOUT`); Hypercorn closes connections that are idle or do not finish a header within `IDLE` seconds.
2. Hypercorn runs on asyncio: its trio worker ends at the first malformed request.
3. The site speaks HTTP/1.1 only. Hypercorn also offers HTTP/2, but never closes a connection that is silent after an upgrade.
4. A signal ends the site: its streams first, so that no connection holds the server, and then the server itself.
"""

from __future__ import annotations

import asyncio
import resource
import signal
import socket
from collections.abc import Callable
from typing import Any, Final

from hypercorn.asyncio import serve as hypercorn_serve
from hypercorn.config import Config
from hypercorn.protocol.h11 import H11Protocol

from referee.errors import UsageError

UNREAD: Final = 10_000
"""Milliseconds that a client may leave sent data unread."""
IDLE: Final = 5.0
GRACE: Final = 2.0
"""Seconds that open requests have at the end."""
CONNECTIONS: Final = 512
"""Descriptors of the process, and so its most connections, and how many the kernel holds before they are accepted."""
SIGNALS: Final = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


def listen(host: str, port: int) -> socket.socket:
    """A socket that listens.

    Args:
        host: an address. port: 0 for a free one.

    Raises:
        UsageError: it cannot be opened.
    """
    try:
        listener = socket.create_server((host, port), backlog=CONNECTIONS)
    except OSError as failed:
        raise UsageError(f"port {port} cannot be opened ({failed.strerror}): choose another one, or 0") from None
    except OverflowError:
        raise UsageError(f"port {port}: a port is a number from 0 to 65535") from None
    listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, UNREAD)
    return listener


def limit_connections(most: int = CONNECTIONS) -> None:
    """Let this process have at most `most` descriptors. Processes that it starts may raise their limit again."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    most = most if hard == resource.RLIM_INFINITY else min(most, hard)
    if soft == resource.RLIM_INFINITY or soft != most:
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))


async def serve(
    site: Any, listener: socket.socket, *, ending: Callable[[], None], tls: tuple[str, str] | None = None
) -> int:
    """Serve a site until a signal comes, and return the signal.

    Args:
        ending: a function that ends the site's streams. tls: the files of the certificate and of its key.
    """
    received: asyncio.Future[int] = asyncio.get_running_loop().create_future()

    def receive(number: int) -> None:
        if not received.done():
            received.set_result(number)
            ending()

    for number in SIGNALS:
        asyncio.get_running_loop().add_signal_handler(number, receive, number)
    H11Protocol._check_protocol = _no_upgrade  # type: ignore[method-assign, assignment]
    config = Config()
    config.alpn_protocols = ["http/1.1"]
    config.bind = [f"fd://{listener.fileno()}"]
    if tls is not None:
        config.certfile, config.keyfile = tls
    config.keep_alive_timeout = IDLE
    config.graceful_timeout = GRACE
    config.include_server_header = False
    config.accesslog = config.errorlog = None
    await hypercorn_serve(site, config, shutdown_trigger=lambda: received)
    return received.result()


async def _no_upgrade(_self: H11Protocol, _request: object) -> None:
    """Takes the place of Hypercorn's look for HTTP/2 (point 3); it has no setting for that."""
