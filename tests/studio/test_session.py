"""Whose studio it is: a token that works once in a browser, and a cookie that only this machine's pages send."""

from pathlib import Path

import pytest
from starlette.requests import HTTPConnection

from referee.studio import session as studio_session
from referee.studio.session import Session, is_of_another
from referee.web.answers import Refusal


def request(**headers: str) -> HTTPConnection:
    coded = [(name.encode(), value.encode("latin-1")) for name, value in headers.items()]
    return HTTPConnection({"type": "http", "headers": coded})


def cookie(session: Session) -> str:
    """The cookie of a browser that shows the token."""
    return session.begin(request(), session.token).headers["set-cookie"]


def test_the_token_becomes_a_cookie_once() -> None:
    session = Session(8000)
    text = cookie(session)
    assert "HttpOnly" in text
    assert "SameSite=strict" in text
    assert session.token not in text
    with pytest.raises(Refusal, match="has been used"):
        session.begin(request(), session.token)
    assert session.identify(request(cookie=text.partition(";")[0])) is True


def test_a_wrong_token_does_not_use_it_up() -> None:
    session = Session(8000)
    for wrong in ("", "0" * 32, f"{session.token} ", "\udcff", "é"):
        with pytest.raises(Refusal):
            session.begin(request(), wrong)
    assert cookie(session)


def test_other_programs_send_the_token_itself() -> None:
    session = Session(8000)
    assert session.identify(request(authorization=f"Bearer {session.token}")) is True
    for wrong in ("", "Bearer", f"Basic {session.token}", "Bearer 0", f"Bearer {session.token}x", "Bearer \xff"):
        assert session.identify(request(authorization=wrong)) is None


def test_cookies_of_others_mean_nothing() -> None:
    session, other = Session(8000), Session(8000)
    for text in (cookie(other).partition(";")[0], "studio-8000", "studio-8000=", "=", ";" * 5000, "studio-8000=\xff"):
        assert session.identify(request(cookie=text)) is None


def test_studios_have_different_tokens_and_cookies() -> None:
    assert len({Session(8000).token for _ in range(10)}) == 10
    assert cookie(Session(8000)).partition("=")[0] != cookie(Session(8001)).partition("=")[0]


CLIENT = ("127.0.0.1", 0xD431)
LISTENS = ["0:", "0100007F:1F40", "00000000:0000", "0A", "0:0", "0:0", "0", "1000", "0", "1"]


@pytest.mark.parametrize(("rows", "is_another"), [
    (["1: 0100007F:D431 0100007F:1F40 01 0:0 0:0 0 1000 0 2"], False),
    (["1: 0100007F:D431 0100007F:1F40 01 0:0 0:0 0 0 0 2"], False),  # root
    (["1: 0100007F:D431 0100007F:1F40 01 0:0 0:0 0 1001 0 2"], True),
    (["1: 0000000000000000FFFF00000100007F:D431 0000000000000000FFFF00000100007F:1F40 01 0:0 0:0 0 1001 0 2"], True),
    (["1: 0100007F:D431 0100007F:1F40 05 0:0 0:0 0 0 0 0"], True),  # who has closed it is not known
    (["1: 0100007F:D431 0100007F:1F40 01 0:0 0:0 0 1000 0 2", "2: 0200007F:D431 0100007F:1F40 01 0:0 0:0 0 1001 0 3",
      "3: 0100007F:D431 0300007F:1F40 01 0:0 0:0 0 1001 0 4"], False),  # other addresses with the same ports
    (["1: 0100007F:D431 0100007F:1F41 01 0:0 0:0 0 1000 0 2"], True),  # another connection
    ([], True),
])  # fmt: skip
def test_the_token_counts_only_on_a_connection_of_our_own_user(rows: list[str], is_another: bool) -> None:
    table = [LISTENS, *(row.split() for row in rows)]
    assert is_of_another(table, CLIENT, 8000, 1000) is is_another
    assert not is_of_another(table[1:], CLIENT, 8000, 1000), "a table without our own socket says nothing"


@pytest.mark.parametrize(("owner", "is_user"), [(1000, True), (0, True), (1001, None)])
def test_a_cookie_or_token_that_another_user_has_got_counts_for_nothing(
    owner: int, is_user: bool | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    connected = f"1: 0100007F:D431 0100007F:1F40 01 0:0 0:0 0 {owner} 0 2"
    (tmp_path / "tcp").write_text("\n".join(["", " ".join(LISTENS), connected]))
    monkeypatch.setattr(studio_session, "_SOCKETS", [tmp_path / "tcp"])
    monkeypatch.setattr("os.getuid", lambda: 1000)
    session = Session(8000)
    known = cookie(session).partition(";")[0]
    for name, value in (("cookie", known), ("authorization", f"Bearer {session.token}")):
        scope = {"type": "http", "client": CLIENT, "headers": [(name.encode(), value.encode())]}
        assert session.identify(HTTPConnection(scope)) is is_user
