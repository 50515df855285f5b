"""Serves a site: the socket, the limits of connections, and an end within seconds.

1. The site's process opens the socket. A client that never reads is dropped by the kernel after `UNREAD` seconds
   (`TCP_USER_TIMEOUT`); Hypercorn closes connections that are idle or do not finish a header within `IDLE` seconds.
2. Hypercorn runs on asyncio: its trio worker ends at the first malformed request.
3. It speaks HTTP/1.1 alone: Hypercorn does not close idle connections of HTTP/2, nor those whose handshake for a WebSocket is
   malformed, and has no switch for either.
4. A certificate is tried before the site begins: by a handshake in memory, whose client trusts this certificate alone. That
   shows whether its key belongs to it and whether it has expired, and which names it is for.
5. A signal ends the site: its streams first, so that no connection holds the server, and then the server itself.
6. What Hypercorn refuses itself, before the site sees it, gets the same headers as every other response, and says why in JSON.
"""

from __future__ import annotations

import asyncio
import signal
import socket
import ssl
from collections.abc import Callable
from contextlib import suppress
from ipaddress import IPv6Address, ip_address, ip_network
from pathlib import Path
from typing import Any, Final, cast

import h11
import hypercorn.protocol
from hypercorn.asyncio import serve as hypercorn_serve
from hypercorn.config import Config, Sockets
from hypercorn.events import Closed, Event
from hypercorn.protocol.h11 import H11Protocol
from hypercorn.typing import H11SendableEvent
from typing_extensions import override

from referee.errors import UsageError
from referee.web.answers import Refusal, refused
from referee.web.guard import HEADERS

UNREAD: Final = 10_000
"""Milliseconds that a client may leave sent data unread."""
IDLE: Final = 5.0
GRACE: Final = 2.0
"""Seconds that open requests have at the end."""
CONNECTIONS: Final = 400
"""The most open connections, and how many the kernel holds before they are accepted."""
_HEADERS: Final = [(name.lower().encode(), value.encode()) for name, value in HEADERS.items()]
SIGNALS: Final = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


class Listener(socket.socket):
    """A socket that listens. Connections beyond its limits are closed immediately: files and processes need descriptors too."""

    def __init__(self, listening: socket.socket, most: int | None = None, each: int | None = None) -> None:
        """Take over a socket that listens.

        Args:
            most: open connections, `CONNECTIONS` by default. each: of an address, `most` by default.
        """
        super().__init__(fileno=listening.detach())
        self._most = most or CONNECTIONS
        self._each = each or self._most
        self._open = dict[socket.socket, str]()

    @override
    def accept(self) -> tuple[socket.socket, Any]:
        connection, address = super().accept()
        self._open = {other: host for other, host in self._open.items() if other.fileno() >= 0}
        host = network_of(address[0])
        if len(self._open) >= self._most or [*self._open.values()].count(host) >= self._each:
            connection.close()
            raise ConnectionAbortedError
        self._open[connection] = host
        return connection, address


def network_of(host: str) -> str:
    """What counts as one address: an IPv4 address, or an IPv6 network of 64 bits."""
    try:
        address = ip_address(host)
    except ValueError:
        return "unknown"
    address = getattr(address, "ipv4_mapped", None) or address
    return str(ip_network((address, 64), strict=False) if isinstance(address, IPv6Address) else address)


def listen(host: str, port: int) -> Listener:
    """A socket that listens.

    Args:
        host: an address. port: 0 for a free one.

    Raises:
        UsageError: it cannot be opened.
    """
    if not 0 <= port < 65536:
        raise UsageError(f"port {port}: a port is a number from 0 to 65535")
    try:
        v6 = ":" in host
        both = v6 and socket.has_dualstack_ipv6()
        family = socket.AF_INET6 if v6 else socket.AF_INET
        listener = socket.create_server((host, port), family=family, backlog=CONNECTIONS, dualstack_ipv6=both)
    except OSError as failed:
        why = str(failed.strerror).partition(" (")[0]  # the words of `create_server` have the address, too
        raise UsageError(f"port {port} of {host} cannot be opened ({why}): choose another one, or port 0") from None
    listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, UNREAD)
    return Listener(listener)


def certificate_names(certificate: Path, key: Path) -> list[str]:
    """The names and addresses that a certificate is for, such as `arena.example` or `*.example`.

    Raises:
        UsageError: no client can use it.
    """
    ours, client = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER), ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    client.check_hostname = False
    client.verify_flags |= ssl.VERIFY_X509_PARTIAL_CHAIN
    to_us, to_client = ssl.MemoryBIO(), ssl.MemoryBIO()
    try:
        ours.load_cert_chain(certificate, key, password="")  # without one, a terminal would be asked
        client.load_verify_locations(certificate)
        sides = [client.wrap_bio(to_client, to_us), ours.wrap_bio(to_us, to_client, server_side=True)]
        for side in sides * 4:  # no handshake takes more turns
            with suppress(ssl.SSLWantReadError):
                side.do_handshake()
        names = cast(tuple[tuple[str, str], ...], (sides[0].getpeercert() or {}).get("subjectAltName", ()))
    except ssl.SSLCertVerificationError as wrong:
        raise UsageError(f"the certificate {certificate} cannot be used: {wrong.verify_message}") from None
    except ssl.SSLError:
        raise UsageError(f"{key} is not the key of the certificate {certificate}, or it needs a password") from None
    except OSError as failed:
        raise UsageError(f"{certificate} or {key} cannot be read: {failed.strerror}") from None
    return [name if kind == "DNS" else str(ip_address(name)) for kind, name in names if kind in ("DNS", "IP Address")]


async def serve(
    site: Any,
    listener: Listener,
    *,
    ending: Callable[[], None],
    begun: Callable[[], None] = lambda: None,
    tls: tuple[str, str] | None = None,
) -> int:
    """Serve a site until a signal comes, and return the signal.

    Args:
        ending: a function that ends the site's streams. begun: is called once a signal can end the site.
        tls: the files of the certificate and of its key.
    """
    loop = asyncio.get_running_loop()
    received: asyncio.Future[int] = loop.create_future()

    def receive(number: int) -> None:
        if not received.done():
            received.set_result(number)
            ending()

    loop.set_exception_handler(_note)
    for number in SIGNALS:
        loop.add_signal_handler(number, receive, number)
    begun()
    hypercorn.protocol.H11Protocol = Protocol  # type: ignore[attr-defined]
    config = Config()
    config.alpn_protocols = ["http/1.1"]
    if tls is not None:
        config.certfile, config.keyfile = tls
    sockets: list[socket.socket] = [listener]
    config.create_sockets = lambda: Sockets(sockets, [], []) if tls else Sockets([], sockets, [])  # type: ignore[method-assign]
    config.backlog = CONNECTIONS
    config.keep_alive_timeout = IDLE
    config.graceful_timeout = GRACE
    config.include_server_header = False
    config.accesslog = config.errorlog = None
    await hypercorn_serve(site, config, shutdown_trigger=lambda: received)
    return received.result()


class Protocol(H11Protocol):
    """A connection (theory, points 1, 3 and 6)."""

    _lost = False

    @override
    async def handle(self, event: Event) -> None:
        self._lost |= isinstance(event, Closed)
        await super().handle(event)

    @override
    async def _check_protocol(self, event: h11.Request) -> None:
        """Change to no other protocol, whatever a request asks for."""

    @override
    async def _create_stream(self, request: h11.Request) -> None:
        if self._lost:  # nobody reads the answers to requests that were sent at once with the last one
            return
        await super()._create_stream(
            h11.Request(
                method=request.method,
                target=request.target,
                headers=[(name, value) for name, value in request.headers if name != b"upgrade"],
                http_version=request.http_version,
            )
        )

    @override
    async def _send_h11_event(self, event: H11SendableEvent) -> None:
        if isinstance(event, h11.Response):
            known = {name for name, _ in event.headers}
            more = [(name, value) for name, value in _HEADERS if name not in known]
            event = h11.Response(status_code=event.status_code, headers=[*event.headers, *more])
        try:
            await super()._send_h11_event(event)
        except OSError:  # the kernel has dropped the client (point 1); Hypercorn expects only a ConnectionError
            await self.handle(Closed())

    @override
    async def _send_error_response(self, status_code: int) -> None:
        why = "its headers are too large" if status_code == 431 else "it is not valid HTTP/1.1"
        answer = refused(Refusal("bad_request", f"this request cannot be read: {why}", status=status_code))
        await self._send_h11_event(h11.Response(status_code=status_code, headers=answer.raw_headers))
        await self._send_h11_event(h11.Data(data=bytes(answer.body)))
        await self._send_h11_event(h11.EndOfMessage())


def _note(loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
    """Report what went wrong in a task of Hypercorn's, unless a client was lost or the server ends."""
    if not isinstance(context.get("exception"), OSError | asyncio.CancelledError):
        loop.default_exception_handler(context)
