"""The logs contain no token of an invitation or a sign-in link, so that no reader of them could use one."""

from __future__ import annotations

import logging
import re
from datetime import UTC, date, datetime
from io import StringIO
from urllib.parse import quote, urlencode

import pytest
from django.test import Client

from games.common import days
from scorekeeper.logs import LogFormatter

TOKEN = "jZ0TQv2hB4_xY-8kLmN5pR7sT9uW1aC3"


def capture_console(monkeypatch, name="django"):
    """Return a function that returns what the console has shown since now of the log with this name."""
    console = StringIO()
    for handler in logging.getLogger(name).handlers:
        if isinstance(handler.formatter, LogFormatter):
            monkeypatch.setattr(handler, "stream", console)
    return console.getvalue


@pytest.fixture
def console_text(monkeypatch):
    return capture_console(monkeypatch)


# Ways in which people, mail programs and messengers mangle an address.
MANGLED = (
    "/i/{}/",
    "/in/{}/",
    "/i//{}/",
    "//i/{}/",
    "/I/{}/",
    "/IN/{}/",
    "/i/ {}/",
    "/i /{}/",
    "/i/{} /",
    "/i/<{}>/",
    '/i/"{}"/',
    "/i/{}).",
    "/{}/",
    "/t/abc/{}/",
    "/https://cards.example.org/i/{}/",
    "/i/link:{}/",
    "/i/\u200b{}/",
    "/i/\n{}/",
    "/i\\{}/",
    "/i/?/{}/",
    "/i/.../{}/",
)
HALVES = (TOKEN[:16], TOKEN[16:])


def paths():
    """Return every mangled form of a link's path, also with its token broken by a line or encoded twice."""
    tokens = (TOKEN, "\n".join(HALVES), " ".join(HALVES), "=\n".join(HALVES), TOKEN.replace("-", "%2D"))
    return [*(path.format(TOKEN) for path in MANGLED), *(MANGLED[0].format(token) for token in tokens[1:])]


@pytest.mark.django_db
def test_a_link_that_lets_nobody_in_is_in_both_logs_without_its_token(
    subtests, fresh_cache, client, monkeypatch, settings
):
    settings.ACCESS_LOG = True
    for path in paths():
        with subtests.test(path):
            written, accessed = (
                capture_console(monkeypatch),
                capture_console(monkeypatch, "scorekeeper.access"),
            )
            client.get(quote(path), follow=True)

            assert "Not Found: /" in written()
            assert re.search(r" 404 \d+\.\d ms$", accessed())
            assert not any(half in written() + accessed() for half in HALVES)


@pytest.mark.django_db
def test_a_form_without_its_token_is_logged_without_that_of_the_link(console_text):
    Client(enforce_csrf_checks=True).post(f"/i/{TOKEN}/")

    assert "): /i/…/" in console_text()
    assert TOKEN not in console_text()


def test_an_error_with_its_traceback_is_logged_without_the_token(console_text):
    try:
        raise ValueError(f"http://testserver/i/{TOKEN}/?x=1")
    except ValueError:
        logging.getLogger("django.request").exception("Internal Server Error: %s", f"/i/{TOKEN}/")

    assert ("Internal Server Error: /i/…/" in console_text(), TOKEN in console_text()) == (True, False)
    assert "ValueError: http://testserver/i/…/?x=1" in console_text()


def test_a_refusal_takes_one_line_of_the_log(console_text):
    try:
        raise PermissionError("only for owners")
    except PermissionError as refusal:
        logging.getLogger("django.request").warning("Forbidden: %s", "/t/abc/links/", exc_info=refusal)

    assert console_text().endswith("WARNING django.request: Forbidden: /t/abc/links/\n")
    assert 1 == len(console_text().splitlines())


@pytest.mark.parametrize("mark", ["\n", "\r", "\x1b[2J", "\u2028", "\x85"])
def test_an_address_cannot_forge_a_line_of_the_log(mark):
    line = LogFormatter("%(message)s").format(
        logging.LogRecord("x", logging.WARNING, "", 0, "GET %s", (f"/{mark}forged",), None)
    )

    assert 1 == len(line.splitlines())
    assert mark not in line
    assert line.endswith("forged")


@pytest.mark.django_db
def test_a_form_with_thousands_of_fields_takes_one_line_of_the_log(client, console_text):
    body = urlencode({f"p{number}": "1" for number in range(4001)})
    response = client.post("/new/", body, content_type="application/x-www-form-urlencoded")

    assert 400 == response.status_code
    assert ["WARNING"] == re.findall(r"(WARNING|ERROR) django.security.TooManyFieldsSent", console_text())
    assert "Traceback" not in console_text()


@pytest.mark.django_db
@pytest.mark.parametrize("joint", ["\u200b", ".", "=\r\n", "/", "+", "~"])
def test_a_token_in_pieces_is_in_no_log(client, monkeypatch, settings, joint):
    settings.ACCESS_LOG = True
    written, accessed = capture_console(monkeypatch), capture_console(monkeypatch, "scorekeeper.access")
    pieces = [TOKEN[place : place + 8] for place in range(0, len(TOKEN), 8)]
    for before in ("/i/", "/", "/in/x/"):
        client.get(quote(before + joint.join(pieces)))

    assert [] == [piece for piece in pieces if piece in written() + accessed()]
    assert 3 == written().count("Not Found: /")


@pytest.mark.django_db
def test_a_host_is_not_logged(client, console_text):
    client.get("/", headers={"host": f"{TOKEN}.x"})

    assert "Asked for a host that is not in ALLOWED_HOSTS" in console_text()
    assert TOKEN[:16] not in console_text()


@pytest.mark.django_db
@pytest.mark.parametrize(
    "path", ["/" + "a" * 30_000, "/" + "%00" * 20_000, "/t/" + "-" * 20_000, "/i/" + "%F0%9F%98%80" * 490]
)
def test_a_line_of_the_log_has_an_end(client, monkeypatch, settings, path):
    settings.ACCESS_LOG = True
    written, accessed = capture_console(monkeypatch), capture_console(monkeypatch, "scorekeeper.access")
    client.get(path)

    assert 1000 >= max(map(len, (written() + accessed()).splitlines()))


@pytest.mark.parametrize(
    ("zone", "text"),
    [
        ("America/Argentina/Buenos_Aires", "2026-07-01 09:00:00-0300"),
        ("Europe/Madrid", "2026-07-01 14:00:00+0200"),
    ],
)
def test_a_line_has_the_time_of_the_sites_clock_with_its_offset(settings, zone, text):
    settings.TIME_ZONE = zone
    record = logging.makeLogRecord(
        {
            "name": "django",
            "levelno": logging.INFO,
            "msg": "",
            "created": datetime(2026, 7, 1, 12, tzinfo=UTC).timestamp(),
        }
    )

    assert text == LogFormatter("%(asctime)s", settings.LOGGED_AT).format(record)


def test_the_sites_clock_moves_no_night(settings, table):
    late = datetime(2026, 11, 28, 5, 0, tzinfo=UTC)  # 2:00 at the table
    settings.TIME_ZONE = "Asia/Tokyo"

    assert date(2026, 11, 27) == days.night_for(late, table)
