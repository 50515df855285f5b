"""The limits of connections, against real sockets."""

import signal
import socket
from collections.abc import Iterator
from contextlib import ExitStack, suppress
from pathlib import Path

import pytest
from web.raw import PATIENCE, connect, exchange, parsed, rest
from web.serving import Served, served

from referee.errors import UsageError
from referee.web import server
from referee.web.guard import HEADERS

pytestmark = pytest.mark.machine
PEM = Path(__file__).parent / "certificates"


@pytest.fixture(scope="module")
def site() -> Iterator[Served]:
    """A site with the usual limits."""
    with served() as site:
        yield site


@pytest.fixture(scope="module")
def impatient() -> Iterator[Served]:
    """A site that closes a connection if no request comes quickly."""
    with served(idle=0.2) as site:
        yield site


def headers(port: int, *more: str) -> str:
    """The headers of a request of the user."""
    return "".join(f"{line}\r\n" for line in (f"Host: 127.0.0.1:{port}", "Authorization: mine", *more))


def get(port: int, path: str = "/things", *more: str) -> bytes:
    return f"GET {path} HTTP/1.1\r\n{headers(port, *more)}\r\n".encode()


def _send(connection: socket.socket, data: bytes) -> None:
    """Send the same again and again, until the server has had enough."""
    while True:
        connection.sendall(data)


def _drip(connection: socket.socket) -> None:
    """Send byte after byte, until the server closes the connection."""
    while True:
        connection.sendall(b"x")
        with suppress(TimeoutError):
            if connection.recv(1) == b"":
                raise ConnectionError


def test_a_certificate_says_for_which_hosts_it_is() -> None:
    assert server.certificate_names(PEM / "ours.pem", PEM / "key.pem") == [
        "arena.test", "*.arena.test", "127.0.0.1", "2001:db8::1"
    ]  # fmt: skip


@pytest.mark.parametrize(("certificate", "key", "why"), [
    ("key.pem", "ours.pem", r"ours\.pem is not the key of the certificate \S+key\.pem, or it needs a password"),
    ("ours.pem", "locked.pem", r"locked\.pem is not the key of the certificate .* or it needs a password"),
    ("expired.pem", "key.pem", r"expired\.pem cannot be used: certificate has expired"),
    ("ours.pem", "none.pem", r"none\.pem cannot be read: No such file"),
])  # fmt: skip
def test_a_certificate_that_no_client_could_use_is_refused(certificate: str, key: str, why: str) -> None:
    with pytest.raises(UsageError, match=why):
        server.certificate_names(PEM / certificate, PEM / key)


@pytest.mark.parametrize("begun", [b"", b"\r\n", b"GET / HT", b"GET / HTTP/1.1\r\nX: y", b"\x16\x03\x01\x02\x00"])
def test_a_connection_without_a_request_is_closed(impatient: Served, begun: bytes) -> None:
    with connect(impatient.port) as connection:
        connection.sendall(begun)
        rest(connection)  # it comes to an end


def test_a_header_that_drips_does_not_keep_a_connection(impatient: Served) -> None:
    with connect(impatient.port) as connection:
        connection.sendall(b"GET / HTTP/1.1\r\nX: ")
        connection.settimeout(0.05)
        with pytest.raises(ConnectionError):
            _drip(connection)


def test_a_connection_is_used_again(site: Served) -> None:
    with connect(site.port) as connection:
        connection.sendall(get(site.port) + get(site.port, "/things", "Connection: close"))
        assert rest(connection).count(b"HTTP/1.1 200") == 2


@pytest.mark.parametrize("asked", [
    b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\x00\x00\x00\x04\x00\x00\x00\x00\x00",
    b"GET /open HTTP/1.1\r\nHost: 127.0.0.1:%d\r\nConnection: Upgrade, HTTP2-Settings, close\r\n"
    b"Upgrade: h2c\r\nHTTP2-Settings: AAMAAABkAAQAAP__\r\n\r\n",
])  # fmt: skip
def test_no_connection_changes_to_http_2(site: Served, asked: bytes) -> None:
    data = exchange(site.port, asked.replace(b"%d", str(site.port).encode()))
    assert b"HTTP/1.1 101" not in data
    assert b"\x04\x00\x00\x00\x00\x00" not in data, "the frame in which a server of HTTP/2 says its settings"


@pytest.mark.parametrize("key", [[], ["Sec-WebSocket-Version: 13", "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA=="]])
def test_a_handshake_for_a_websocket_is_an_ordinary_request(site: Served, key: list[str]) -> None:
    asked = get(site.port, "/things", "Upgrade: websocket", "Connection: Upgrade", *key)
    for data in (asked, asked + b"\x81\x01x"):
        with connect(site.port) as connection:
            connection.sendall(data)
            assert connection.recv(12) == b"HTTP/1.1 200"


@pytest.mark.parametrize(("lines", "status"), [
    (["Content-Length: 5", "Content-Length: 6"], 400),
    (["Content-Length: -1"], 400),
    (["Transfer-Encoding: chunked, chunked"], 501),
    (["Host: evil"], 400),
])  # fmt: skip
def test_ambiguous_requests_are_refused(site: Served, lines: list[str], status: int) -> None:
    reply = parsed(exchange(site.port, get(site.port, "/things", *lines, "Connection: close")))
    assert (reply.status, reply.code) == (status, "bad_request")


@pytest.mark.parametrize(("request_", "status"), [
    (b"GET / HTTP/1.1\r\nX: " + b"x" * 70_000, 431),
    (b"\x00\x01 nonsense\r\n\r\n", 400),
    (b"GET / HTTP/1.1\r\nTransfer-Encoding: gzip\r\nHost: x\r\n\r\n", 501),
], ids=["headers", "bytes", "coding"])  # fmt: skip
def test_what_the_site_never_sees_is_refused_with_the_headers_of_every_response(
    site: Served, request_: bytes, status: int
) -> None:
    reply = parsed(exchange(site.port, request_))
    assert reply.status == status
    assert {name: reply.headers.get(name.lower()) for name in HEADERS} == HEADERS


def test_a_body_without_an_end_is_cut_off(site: Served) -> None:
    post = f"POST /things HTTP/1.1\r\n{headers(site.port, f'Origin: http://127.0.0.1:{site.port}')}"
    chunks = b"Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n" + b"10\r\n" + b" " * 16 + b"\r\n"
    with connect(site.port) as connection:
        connection.sendall(post.encode() + chunks)
        with pytest.raises(ConnectionError):
            _send(connection, b"4000\r\n" + b" " * 16384 + b"\r\n")
    assert parsed(exchange(site.port, get(site.port, "/things", "Connection: close"))).status == 200


def test_a_client_that_sends_too_much_before_it_reads_is_told_why(site: Served) -> None:
    body = b" " * (32 << 20)  # more than the buffers of a connection hold
    head = headers(site.port, f"Origin: http://127.0.0.1:{site.port}", f"Content-Length: {len(body)}")
    with connect(site.port) as connection:
        connection.sendall(f"POST /things HTTP/1.1\r\n{head}Content-Type: application/json\r\n\r\n".encode() + body)
        reply = parsed(rest(connection))
    assert (reply.status, reply.code) == (413, "too_large")


def test_a_connection_too_many_is_closed_at_once() -> None:
    with served(idle=PATIENCE, connections=3) as site:
        held = [connect(site.port) for _ in range(3)]
        for connection in held:
            connection.sendall(get(site.port))
            assert connection.recv(12) == b"HTTP/1.1 200"
        assert exchange(site.port, get(site.port)) == b""
        for connection in held:
            connection.close()
        while not (data := exchange(site.port, get(site.port, "/things", "Connection: close"))):
            pass  # the server has not yet noticed that they are closed
        assert parsed(data).status == 200


def test_no_address_takes_all_connections() -> None:
    with ExitStack() as stack:
        listening = stack.enter_context(server.Listener(server.listen("127.0.0.1", 0), 4, each=2))

        def connected(host: str) -> None:
            stack.enter_context(socket.create_connection(listening.getsockname(), source_address=(host, 0)))
            stack.enter_context(listening.accept()[0])

        for _ in range(2):
            connected("127.0.0.1")
        with pytest.raises(ConnectionAbortedError):
            connected("127.0.0.1")
        connected("127.0.0.2")


@pytest.mark.parametrize(
    ("host", "network"),
    [("192.0.2.1", "192.0.2.1"), ("::ffff:192.0.2.1", "192.0.2.1"), ("2001:db8::7", "2001:db8::/64"), ("x", "unknown")],
)
def test_a_network_of_ipv6_is_one_address(host: str, network: str) -> None:
    assert server.network_of(host) == network


@pytest.mark.parametrize(("host", "clients"), [("::1", ["::1"]), ("::", ["::1", "127.0.0.1"])])
def test_a_site_is_reached_by_ipv6(host: str, clients: list[str]) -> None:
    addresses = Path("/proc/net/if_inet6")
    if not addresses.exists() or not addresses.read_text():
        pytest.skip("this machine has no IPv6")
    with server.listen(host, 0) as listening:
        for client in clients:
            with socket.create_connection((client, listening.getsockname()[1])):
                listening.accept()[0].close()


def test_a_client_that_never_reads_is_dropped_by_the_kernel() -> None:
    with served(unread=500) as site:
        with socket.socket() as connection:
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2048)
            connection.settimeout(PATIENCE)
            connection.connect(("127.0.0.1", site.port))
            with pytest.raises(ConnectionError):
                _send(connection, get(site.port) * 100)
        assert parsed(exchange(site.port, get(site.port, "/things", "Connection: close"))).status == 200
        site.terminate()
        _, err = site.communicate(timeout=PATIENCE)
        assert err == "", "a lost client is no news"


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_a_signal_ends_a_site_whose_streams_are_open(number: signal.Signals) -> None:
    with served() as site, connect(site.port) as stream, connect(site.port) as half:
        stream.sendall(get(site.port, "/events"))
        assert stream.recv(12) == b"HTTP/1.1 200"
        half.sendall(b"GET / HTTP/1.1\r\n")
        site.send_signal(number)
        rest(stream)
        _, err = site.communicate(timeout=PATIENCE)
        assert (site.returncode, err) == (number, "")


def test_a_port_that_is_taken_or_impossible_is_refused() -> None:
    with server.listen("127.0.0.1", 0) as listener:
        port = listener.getsockname()[1]
        with pytest.raises(
            UsageError, match=rf"port {port} of 127.0.0.1 cannot be opened \(Address already in use\): choose"
        ):
            server.listen("127.0.0.1", port)
    for host in ("192.0.2.1", "2001:db8::1", "arena.invalid"):
        with pytest.raises(UsageError, match=f"port 0 of {host} cannot be opened"):
            server.listen(host, 0)
    with pytest.raises(UsageError, match="from 0 to 65535"):
        server.listen("127.0.0.1", 65536)
