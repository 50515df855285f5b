"""Keys, sessions, invitations: they end when they should, and nobody guesses them."""

import pytest
from arena.web.conftest import MakeLab
from arena.web.lab import START, Lab
from starlette.requests import HTTPConnection

from referee.arena.accounts import USER_SESSIONS

ME = "/api/v1/me"


async def test_an_invitation_is_used_once(lab: Lab) -> None:
    token = lab.site.accounts.invite("dan", "author", "3b", 60, "root")
    answer = await lab.ask("POST", "/api/v1/join", json_={"token": token})
    assert (answer.status, answer.json["name"], answer.json["role"]) == (201, "dan", "author")
    again = await lab.ask("POST", "/api/v1/join", json_={"token": token})
    assert (again.status, again.code) == (410, "not_found")
    lab.keys["dan"] = answer.json["key"]
    assert (await lab.ask("GET", ME, by="dan")).json["class"] == "3b"
    assert (await lab.ask("GET", ME, cookie=answer.session)).json["name"] == "dan"
    late = lab.site.accounts.invite("eve", "author", None, 60, "root")
    lab.now += 61
    assert (await lab.ask("POST", "/api/v1/join", json_={"token": late})).status == 410


async def test_no_invitation_of_who_has_joined_is_open(lab: Lab) -> None:
    accounts = lab.site.accounts
    first, second = [accounts.invite("dan", "author", None, 60, "root") for _ in range(2)]
    teacher = accounts.invite("dan", "teacher", None, 30, "root")
    open_ones = [("dan", "author", None, lab.now + 60), ("dan", "teacher", None, lab.now + 30)]
    assert accounts.invitations() == open_ones, "once, though a table was given twice"
    accounts.join(second)
    for token in (first, teacher):
        assert (await lab.ask("POST", "/api/v1/join", json_={"token": token})).status == 410
    assert accounts.invitations() == []


async def test_the_cookie_is_of_this_host_alone(lab: Lab) -> None:
    answer = await lab.ask("POST", "/api/v1/sign-in", json_={"name": "ANN", "key": lab.keys["ann"]})
    cookie = answer.headers["set-cookie"]
    assert cookie.startswith("__Host-arena=")
    assert {"Secure", "HttpOnly", "SameSite=lax", "Path=/"} <= {part.strip() for part in cookie.split(";")}
    assert "Domain" not in cookie


@pytest.mark.parametrize("how", ["sign-out", "key", "key by admin", "disabled", "deleted", "time"])
async def test_a_session_ends_and_a_stolen_cookie_with_it(lab: Lab, how: str) -> None:
    cookie = await lab.session("ann")
    assert (await lab.ask("GET", ME, cookie=cookie)).status == 200
    match how:
        case "sign-out":
            await lab.ask("POST", "/api/v1/sign-out", cookie=cookie)
        case "key":
            answer = await lab.ask("POST", "/api/v1/keys", cookie=cookie)
            assert (await lab.ask("GET", ME, cookie=answer.session)).status == 200, "this browser stays signed in"
            assert (await lab.ask("GET", ME, by="ann")).status == 401, "the old key is dead"
        case "key by admin":
            await lab.ask("POST", "/api/v1/users/ann/keys", by="root")
        case "disabled":
            await lab.ask("PUT", "/api/v1/users/ann", by="root", json_={"disabled": True})
            assert (await lab.ask("GET", ME, by="ann")).status == 401
        case "deleted":
            await lab.ask("DELETE", "/api/v1/users/ann", by="root")
        case "time":
            lab.now += 31 * 86_400
    assert (await lab.ask("GET", ME, cookie=cookie)).status == 401


async def test_a_session_that_was_planted_is_not_taken_over(lab: Lab) -> None:
    planted = await lab.session("bob")
    answer = await lab.ask("POST", "/api/v1/sign-in", cookie=planted, json_={"name": "ann", "key": lab.keys["ann"]})
    assert answer.session != planted
    assert (await lab.ask("GET", ME, cookie=planted)).status == 401
    assert (await lab.ask("GET", ME, cookie=answer.session)).json["name"] == "ann"


async def test_a_user_has_so_many_sessions(lab: Lab) -> None:
    first = await lab.session("ann")
    for _ in range(USER_SESSIONS):
        lab.now += 1
        last = await lab.session("ann")
    assert [(await lab.ask("GET", ME, cookie=cookie)).status for cookie in (first, last)] == [401, 200]


async def test_the_audit_log_has_the_keys_that_users_make_for_others(lab: Lab) -> None:
    lab.keys["ann"] = (await lab.ask("POST", "/api/v1/keys", by="ann")).json["key"]
    assert (await lab.ask("POST", "/api/v1/users/ann/keys", by="root")).status == 201
    made = [(who, what) for _, who, what in lab.site.accounts.audit() if "key" in what]
    assert made == [("root", "makes a new key for ann")]


@pytest.mark.parametrize("byte", [0xA0, 0x85])
async def test_a_neighbouring_site_plants_no_session_by_a_blank_before_the_name(lab: Lab, byte: int) -> None:
    blank = bytes([byte]).decode(errors="surrogateescape")
    own, planted = await lab.session("ann"), await lab.session("bob")
    assert (await lab.ask("GET", ME, cookie=f"{own}; {blank}{planted}")).json["name"] == "ann"
    assert (await lab.ask("GET", ME, cookie=f"{blank}{planted}")).status == 401


@pytest.mark.parametrize("route", ["sign-in", "join", "bearer"])
async def test_ten_wrong_guesses_a_minute(lab: Lab, route: str) -> None:
    async def guess(address: str = "192.0.2.1") -> int:
        if route == "sign-in":
            asked = await lab.ask("POST", "/api/v1/sign-in", json_={"name": "ann", "key": "x"}, address=address)
        elif route == "join":
            asked = await lab.ask("POST", "/api/v1/join", json_={"token": "x"}, address=address)
        else:
            asked = await lab.ask("GET", ME, headers={"authorization": "Bearer x"}, address=address)
        if asked.status == 429:
            assert 1 <= int(asked.headers["retry-after"]) <= 61
        return asked.status

    wrong = {"sign-in": 401, "join": 410, "bearer": 401}[route]
    assert [await guess() for _ in range(11)] == [wrong] * 10 + [429]
    # A class may have one address, and keys and invitations are too long to be guessed.
    right = await lab.ask("POST", "/api/v1/sign-in", json_={"name": "ann", "key": lab.keys["ann"]})
    assert right.status == 200
    assert (await lab.ask("GET", ME, by="ann")).status == 200
    token = lab.site.accounts.invite("dan", "author", "3b", 60, "root")
    assert (await lab.ask("POST", "/api/v1/join", json_={"token": token})).status == 201
    assert await guess() == 429
    assert await guess("192.0.2.2") == wrong
    lab.now += 61
    assert await guess() == wrong
    assert [await guess() for _ in range(10)][-1] == 429
    lab.now -= 3600  # the clock is put back
    assert await guess() == wrong


async def test_the_clients_address_is_what_the_proxy_says_and_only_then(lab: Lab, make_lab: MakeLab) -> None:
    async def guess(where: Lab, address: str) -> int:
        return (await where.ask("GET", ME, headers={"authorization": "Bearer x", "x-forwarded-for": address})).status

    assert [await guess(lab, f"198.51.100.{at}") for at in range(11)][-1] == 429
    behind = make_lab(folder="behind", behind_proxy=True)
    assert [await guess(behind, f"198.51.100.{at}, 203.0.113.9") for at in range(11)][-1] == 429
    assert await guess(behind, "203.0.113.9, 198.51.100.1") == 401
    assert [await guess(behind, f"2001:db8::{at}") for at in range(11)][-1] == 429, "a network is one address"
    assert await guess(behind, "2001:db8:0:3::2") == 401
    # the header that the proxy adds is the last
    both = [(b"x-forwarded-for", b"203.0.113.9"), (b"x-forwarded-for", b"198.51.100.2")]
    scope = {"type": "http", "headers": both, "client": ("::1", 1)}
    behind.site.sessions.count_guess(HTTPConnection(scope))


async def test_a_request_with_a_key_has_nothing_of_its_cookie(lab: Lab) -> None:
    cookie = await lab.session("root")
    assert (await lab.ask("GET", ME, by="ann", cookie=cookie)).json["name"] == "ann"
    wrong = await lab.ask("GET", ME, cookie=cookie, headers={"authorization": "Bearer wrong"})
    assert (wrong.status, "no user has this key" in wrong.text) == (401, True)


async def test_a_program_needs_no_origin_but_must_not_have_a_strangers(lab: Lab) -> None:
    assert (await lab.ask("POST", "/api/v1/sign-out", by="ann")).status == 200
    assert (await lab.ask("POST", "/api/v1/sign-out", by="ann", headers={"origin": "https://evil.test"})).status == 403
    body = {"name": "ann", "key": lab.keys["ann"]}
    evil = await lab.ask("POST", "/api/v1/sign-in", json_=body, headers={"origin": "https://evil.test"})
    assert evil.status == 403, "nobody signs a browser in as somebody else"


async def test_no_page_makes_the_first_admin_and_none_loses_the_last(lab: Lab) -> None:
    assert (await lab.ask("POST", "/api/v1/users", json_={"name": "x", "role": "admin"})).status == 401
    for method, body in (("PUT", {"disabled": True}), ("DELETE", None)):
        assert (await lab.ask(method, "/api/v1/users/root", by="root", json_=body)).status == 409


async def test_no_secret_is_in_a_file_or_on_the_log(lab: Lab, capfd: pytest.CaptureFixture[str]) -> None:
    token = lab.site.accounts.invite("dan", "author", None, 60, "root")
    cookie = (await lab.session("ann")).partition("=")[2]
    await lab.ask("GET", ME, by="ann")
    await lab.ask("POST", "/api/v1/join", json_={"token": token, "more": 1})
    secrets = [token, cookie, *lab.keys.values()]
    stored = b"".join(path.read_bytes() for path in lab.files.root.rglob("*") if path.is_file())
    assert b"ann" in stored
    assert not [secret for secret in secrets if secret.encode() in stored]
    out, err = capfd.readouterr()
    assert not [secret for secret in secrets if secret in out + err]
    assert lab.now == START
