"""The logs contain no name and no token of a link, so that no reader of them learns who plays or could use one.

An exception of a route has one entry a minute.
"""

from __future__ import annotations

import logging
import re
from datetime import UTC, date, datetime, timedelta
from io import StringIO
from urllib.parse import quote, urlencode

import pytest
from django.core.exceptions import BadRequest, PermissionDenied
from django.db import OperationalError
from django.test import Client
from django.urls import URLPattern

from games.api_urls import urlpatterns as api_urlpatterns
from games.common import days
from games.urls import urlpatterns
from scorekeeper.log_limit import MOST_KINDS, ExceptionLimit
from scorekeeper.logs import LogFormatter
from scorekeeper.rate_limit_middleware import RateLimitMiddleware
from tests.concurrency import run_concurrently
from tests.raw_http import exchange, serve_application

TOKEN = "jZ0TQv2hB4_xY-8kLmN5pR7sT9uW1aC3"


def capture_console(monkeypatch, name="django"):
    """Return a function that returns what the console has shown since now of the log with this name.

    What other tests have logged in this minute is forgotten.
    """
    console = StringIO()
    for handler in logging.getLogger(name).handlers:
        if isinstance(handler.formatter, LogFormatter):
            monkeypatch.setattr(handler, "stream", console)
            monkeypatch.setattr(handler, "filters", [ExceptionLimit() for _limit in handler.filters])
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

            assert re.search(r"Not Found: (\(no route\)|/\S+) 404$", written(), re.MULTILINE)
            assert re.search(r" 404 \d+\.\d ms$", accessed())
            assert not any(half in written() + accessed() for half in HALVES)


@pytest.mark.django_db
def test_a_form_without_its_token_is_logged_without_that_of_the_link(console_text):
    Client(enforce_csrf_checks=True).post(f"/i/{TOKEN}/")

    assert "): /i/<slug:token>/ 403" in console_text()
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
    assert 3 == written().count("Not Found: ")


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


# --- names ------------------------------------------------------------------------------------------------------------

NAME = "tio_raul"
NAMED_ROUTES = {
    str(route.name): f"{prefix}{route.pattern}"
    for prefix, routes in (("/", urlpatterns), ("/api/", api_urlpatterns))
    for route in routes
    if isinstance(route, URLPattern) and re.search("<(slug|str):", str(route.pattern))
}


def named_path(name):
    """Return a path of this route, with a name wherever one can be."""
    route = NAMED_ROUTES[name]
    return re.sub(r"<(\w+):\w+>", lambda part: {"int": "7", "version": "1-1"}.get(part[1], NAME), route)


@pytest.fixture
def both_logs(monkeypatch, settings):
    """`both_logs()` returns what both logs have shown since the test began."""
    settings.ACCESS_LOG = True
    written, accessed = capture_console(monkeypatch), capture_console(monkeypatch, "scorekeeper.access")
    return lambda: written() + accessed()


def fail(raised):
    def process_view(_middleware, request, *_arguments):
        raise raised(f"nobody is {NAME} at {request.path} nor at {request.path.strip('/')!r}")

    return process_view


@pytest.mark.django_db
@pytest.mark.parametrize("name", NAMED_ROUTES)
def test_no_line_of_a_route_has_the_name_in_its_path(client_for, both_logs, monkeypatch, name):
    path, strict = named_path(name), client_for(enforce_csrf_checks=True)
    statuses = [
        client_for().get(path).status_code,
        strict.post(path, {"name": NAME}).status_code,
        client_for().put(path).status_code,
    ]
    for raised in (RuntimeError, OperationalError, PermissionDenied, BadRequest):
        monkeypatch.setattr(RateLimitMiddleware, "process_view", fail(raised))
        statuses.append(client_for(raise_request_exception=False).get(path).status_code)

    lines = both_logs().splitlines()
    assert [500, 503, 403, 400] == statuses[3:]
    assert [] == [line for line in lines if NAME in line]
    for status in statuses:
        assert [] != [line for line in lines if f" {NAMED_ROUTES[name]} {status}" in line]


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("path", "route", "status"),
    [
        (f"/{NAME}/", "(no route)", 404),
        (f"/t/{NAME}/nowhere/", "(no route)", 404),
        (f"/api/{NAME}/", "/api/", 404),
        (f"/t/{NAME}/accounts/?{'a' * 3000}", "/t/<slug:table_code>/accounts/", 414),
        (f"/static/{NAME}.css", "/static/", 404),
        ("/healthz", "/healthz", 200),
    ],
)
def test_a_path_without_a_route_and_a_request_that_reached_none_have_no_name_either(
    client_for, both_logs, path, route, status
):
    assert status == client_for().get(path).status_code

    assert f" {route} {status}" in both_logs()
    assert NAME not in both_logs()


@pytest.mark.django_db
def test_a_form_from_another_page_is_refused_without_the_path_of_that_page(console_text):
    page = f"https://cards.example.org/t/abc/accounts/of/{NAME}/"
    Client(enforce_csrf_checks=True).post(
        "/new/", secure=True, headers={"Referer": page, "Cookie": f"csrftoken={'a' * 32}"}
    )

    assert "Referer checking failed - https://cards.example.org/… does not match" in console_text()
    assert NAME not in console_text()


@pytest.mark.parametrize(
    "text",
    [
        f"Reverse for 'account' with arguments '('abc', '{NAME}')' not found. 1 pattern(s) tried: ['t/']",
        f"duplicate key\nDETAIL:  Key (table_id, slug)=(1, {NAME}) already exists.",
    ],
)
def test_the_message_of_an_exception_has_no_value_of_a_row(console_text, text):
    try:
        raise ValueError(text)
    except ValueError:
        logging.getLogger("django.request").exception("An entry could not be recorded")

    assert f"ValueError: {text[:13]}" in console_text()
    assert NAME not in console_text()


def test_an_answer_that_breaks_off_is_logged_by_the_server_without_its_path(monkeypatch):
    written = capture_console(monkeypatch, "")

    def application(_environ, start_response):
        start_response("200 OK", [])
        yield b"Ana"
        raise OSError("broken on purpose")

    with serve_application(application) as port:
        exchange(port, f"GET /t/abc/accounts/of/{NAME}/ HTTP/1.1\r\nHost: a\r\n\r\n".encode())

    assert "Exception while serving /t/<slug:table_code>/accounts/of/<slug:member>/\n" in written()
    assert "OSError: broken on purpose" in written()
    assert NAME not in written()


# --- one entry a minute -----------------------------------------------------------------------------------------------

BEGIN = datetime(2026, 11, 28, 21, 0, tzinfo=UTC)


@pytest.fixture
def at(time_machine):
    """`at(30)` moves the clock to half a minute after the test began."""

    def move(seconds):
        time_machine.move_to(BEGIN + timedelta(seconds=seconds), tick=False)

    move(0)
    return move


@pytest.fixture
def full_disk(client_for, monkeypatch, db):
    """`full_disk(path)` requests a page while the disk is full. It returns the id of the request."""
    monkeypatch.setattr(RateLimitMiddleware, "process_view", fail(OperationalError))
    return lambda path: client_for(raise_request_exception=False).get(path)["X-Request-ID"]


def test_a_lasting_fault_has_one_traceback_a_minute_and_then_how_many_were_left_out(
    full_disk, console_text, at
):
    ids = []
    for second in range(0, 30):
        at(second)
        ids += [full_disk(f"/t/{code}/accounts/") for code in ("abc", "def", "ghi")]
    at(31)
    other = full_disk("/t/abc/season/")
    entries = re.findall(r"(\w+) ERROR django.request: (.*)", console_text())

    assert [
        (ids[0], "Service Unavailable: /t/<slug:table_code>/accounts/ 503"),
        (other, "Service Unavailable: /t/<slug:table_code>/season/ 503"),
    ] == entries
    assert 2 == console_text().count("Traceback (most recent call last)")
    assert "Left out" not in console_text()

    at(61)
    logging.getLogger("django.request").warning("Something else")
    *_traceback, left_out, something = console_text().splitlines()
    shown = ", ".join(ids[1:51])
    assert left_out.endswith(
        f" WARNING scorekeeper.log_limit: Left out within a minute: 89 more of "
        f"django.db.utils.OperationalError: /t/<slug:table_code>/accounts/ ({shown}, …)"
    )
    assert something.endswith("Something else")

    again = full_disk("/t/abc/accounts/")
    assert [again] == re.findall(r"(\w+) ERROR django.request: ", console_text())[2:]
    assert 1 == console_text().count("Left out")


def test_another_exception_of_the_route_has_its_own_entry(full_disk, console_text, at, monkeypatch):
    full_disk("/new/")
    monkeypatch.setattr(RateLimitMiddleware, "process_view", fail(ValueError))
    full_disk("/new/")

    assert ["django.db.utils.OperationalError", "ValueError"] == re.findall(
        r"^([\w.]+): nobody", console_text(), re.MULTILINE
    )


def test_refusals_without_an_exception_are_all_written(client_for, console_text, at, db):
    for _time in range(3):
        client_for().get("/nowhere/")

    assert 3 == console_text().count("Not Found: (no route) 404")


def test_a_clock_that_is_put_back_silences_nothing(full_disk, console_text, at):
    full_disk("/new/")
    at(-3600)
    full_disk("/new/")

    assert 2 == console_text().count("Service Unavailable: /new/ 503")


def error_record(raised=OSError, text="broken", at=0.0):
    record = logging.LogRecord("x", logging.ERROR, "", 0, text, (), (raised, raised(), None))
    record.created = at
    return record


def test_of_many_threads_one_passes_and_all_others_are_counted():
    limit, passed = ExceptionLimit(), []

    def log_fifty():
        for _time in range(50):
            if limit.filter(error_record()):
                passed.append(1)

    run_concurrently(*[log_fifty] * 8)
    after = error_record(at=60.0)

    assert ([1], True) == (passed, limit.filter(after))
    assert "Left out within a minute: 399 more of builtins.OSError: broken" in after.before[0].getMessage()


def test_what_is_remembered_has_an_end():
    limit = ExceptionLimit()
    told = []
    for number in range(2 * MOST_KINDS):
        for _time in range(2):
            record = error_record(text=str(number))
            if limit.filter(record):
                told += record.before

    assert MOST_KINDS == len(limit._repeats)
    assert MOST_KINDS == len(told)  # of the kinds that were forgotten
