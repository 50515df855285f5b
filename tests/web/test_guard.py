"""Who may ask what: hosts, origins, users, methods, and the headers of every response."""

import pytest
import trio
from starlette.requests import HTTPConnection
from web.sites import HOST, ORIGIN, OWN, Site, ask

from referee.web.answers import UPLOAD_TIME
from referee.web.guard import HEADERS, cookie

JSON = {"content-type": "application/json"}
THING = b'{"name": "x"}'


@pytest.mark.parametrize("hosts", [
    (),
    (f"{HOST}.",),
    ("127.0.0.1",),
    ("localhost:8000",),
    (HOST, "evil"),
])  # fmt: skip
async def test_a_host_that_is_not_ours_is_misdirected(hosts: tuple[str, ...]) -> None:
    headers = [*[("host", host) for host in hosts], ("authorization", "mine")]
    reply = await ask(Site(), "GET", "/things", headers=headers)
    assert (reply.status, reply.code) == (421, "bad_request")


async def test_an_address_that_is_too_long_is_refused_before_it_is_read() -> None:
    headers = {"host": HOST, "authorization": "mine"}
    assert (await ask(Site(), "GET", "/" + "9" * 1999, headers=headers)).status == 404
    reply = await ask(Site(), "GET", "/" + "9" * 2000, headers=headers)
    assert (reply.status, reply.code) == (414, "bad_request")


async def test_the_user_may_read() -> None:
    reply = await ask(Site(), "GET", "/things", headers={"host": HOST, "authorization": "mine"})
    assert (reply.status, reply.json) == (200, {"user": "me", "things": 0})


@pytest.mark.parametrize("path", ["/api/things", "/api/nothing"])
async def test_a_stranger_gets_no_answer_of_the_api(path: str) -> None:
    reply = await ask(Site(), "GET", path, headers={"host": HOST})
    assert (reply.status, reply.code) == (401, "unauthorized")


@pytest.mark.parametrize("path", ["/", "/things", "/nothing"])
async def test_a_stranger_gets_a_page_instead_of_any_page(path: str) -> None:
    reply = await ask(Site(), "GET", path, headers={"host": HOST})
    assert (reply.status, reply.body) == (401, b"who are you?")


async def test_a_stranger_may_ask_for_what_is_open_and_change_nothing_else() -> None:
    site = Site()
    assert (await ask(site, "GET", "/open", headers={"host": HOST})).status == 200
    assert (await ask(site, "POST", "/open", headers={"host": HOST, "origin": ORIGIN})).status == 200
    reply = await ask(site, "POST", "/things", body=THING, headers={"host": HOST, "origin": ORIGIN, **JSON})
    assert (reply.status, reply.code, site.things) == (401, "unauthorized", [])


@pytest.mark.parametrize(("extra", "status"), [
    ({"sec-fetch-site": "same-origin"}, 201),
    ({"sec-fetch-site": "same-origin", "origin": ORIGIN}, 201),
    ({"origin": ORIGIN}, 201),
    ({}, 403),
    ({"origin": "null"}, 403),
    ({"origin": f"{ORIGIN}/"}, 403),
    ({"sec-fetch-site": "same-site", "origin": ORIGIN}, 403),
    ({"sec-fetch-site": "cross-site", "origin": ORIGIN}, 403),
    ({"sec-fetch-site": "none", "origin": ORIGIN}, 403),
    ({"sec-fetch-site": "", "origin": ORIGIN}, 403),
])  # fmt: skip
async def test_only_our_own_pages_change_something(extra: dict[str, str], status: int) -> None:
    site = Site()
    reply = await ask(
        site, "POST", "/things", body=THING, headers={"host": HOST, "authorization": "mine", **JSON, **extra}
    )
    assert (reply.status, len(site.things)) == (status, status == 201)


@pytest.mark.parametrize("method", ["PUT", "DELETE"])
async def test_no_page_of_a_stranger_replaces_or_removes_something(method: str) -> None:
    headers = {"host": HOST, "authorization": "mine", "sec-fetch-site": "cross-site"}
    assert (await ask(Site(), method, "/things", headers=headers)).status == 403


async def test_a_request_with_two_kinds_of_length_is_refused_and_the_connection_ends() -> None:
    headers = {**OWN, **JSON, "content-length": "5", "transfer-encoding": "chunked"}
    with trio.fail_after(UPLOAD_TIME / 2):  # its body has no end that could be awaited
        reply = await ask(Site(), "POST", "/things", body=THING, headers=headers)
    assert (reply.status, reply.code, reply.headers["connection"]) == (400, "bad_request", "close")


@pytest.mark.parametrize("method", ["PATCH", "OPTIONS", "TRACE", "CONNECT", "BREW", "post", ""])
async def test_other_methods_are_refused(method: str) -> None:
    reply = await ask(Site(), method, "/things", headers={"host": HOST})
    assert (reply.status, reply.code) == (405, "bad_request")


@pytest.mark.parametrize("path", ["/", "/things", "/nothing", "/open"])
@pytest.mark.parametrize("headers", [OWN, {"host": HOST}, {"host": "evil"}])
async def test_every_response_has_the_headers(path: str, headers: dict[str, str]) -> None:
    reply = await ask(Site(), "GET", path, headers=headers)
    own = {"content-security-policy": "its own"} if reply.body == b"a page" else {}
    expected = {**{name.lower(): value for name, value in HEADERS.items()}, **own}
    assert {name: reply.headers.get(name) for name in expected} == expected


@pytest.mark.parametrize(("sent", "value"), [
    (["a=1; x=mine; b"], "mine"),
    (["a=1", "x=mine"], "mine"),
    (["X=1; xx=1; x; a=x=1"], ""),
    (['x="\\101"'], '"\\101"'),  # Python takes time that grows with the square of the length to unquote it
    ([], ""),
])  # fmt: skip
def test_a_cookie_is_what_was_sent(sent: list[str], value: str) -> None:
    headers = [(b"cookie", each.encode()) for each in sent]
    assert cookie(HTTPConnection({"type": "http", "headers": headers}), "x") == value
