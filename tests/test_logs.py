"""The log: it contains no token of an invitation or a sign-in link, so that nobody who reads it could use one."""

from __future__ import annotations

import json
import logging
import re
import runpy
from io import StringIO
from typing import Any

import pytest
from django.conf import settings
from django.test import Client

from games.tickets import BY_TICKET_ALONE
from scorekeeper.logs import Access, Json, Line
from scorekeeper.requests import LONGEST, access_log, note_refused

TOKEN = "jZ0TQv2hB4_xY-8kLmN5pR7sT9uW1aC3"


def console_of(monkeypatch):
    """Return a function that returns what a server's console shows from now on."""
    console = StringIO()
    for handler in logging.getLogger("django").handlers:
        if isinstance(handler.formatter, Line):
            monkeypatch.setattr(handler, "stream", console)
    return console.getvalue


@pytest.fixture
def written(monkeypatch):
    return console_of(monkeypatch)


@pytest.mark.django_db
@pytest.mark.parametrize("kind", ["i", "in", "address"])
def test_a_link_that_lets_nobody_in_is_logged_without_its_token(fresh_cache, client, written, kind):
    client.get(f"/{kind}/{TOKEN}/")

    assert f"Not Found: /{kind}/…/" in written()
    assert TOKEN not in written()


@pytest.mark.django_db
def test_a_form_without_its_token_is_logged_without_that_of_the_link(written):
    Client(enforce_csrf_checks=True).post(f"/i/{TOKEN}/")

    assert "): /i/…/" in written()
    assert TOKEN not in written()


def test_an_error_with_its_traceback_is_logged_without_the_token(written):
    try:
        raise ValueError(f"http://testserver/i/{TOKEN}/?x=1")
    except ValueError:
        logging.getLogger("django.request").exception("Internal Server Error: %s", f"/i/{TOKEN}/")

    assert ("Internal Server Error: /i/…/" in written(), TOKEN in written()) == (True, False)
    assert "ValueError: http://testserver/i/…/?x=1" in written()


def test_a_refusal_takes_one_line_of_the_log(written):
    try:
        raise PermissionError("only for owners")
    except PermissionError as refusal:
        logging.getLogger("django.request").warning("Forbidden: %s", "/t/abc/invites/", exc_info=refusal)

    assert written().endswith("WARNING django.request: Forbidden: /t/abc/invites/\n")
    assert 1 == len(written().splitlines())


@pytest.mark.parametrize("mark", ["\n", "\r", "\x1b[2J", "\u2028", "\x85"])
def test_an_address_cannot_forge_a_line_of_the_log(mark):
    line = Line("%(message)s").format(
        logging.LogRecord("x", logging.WARNING, "", 0, "GET %s", (f"/{mark}forged",), None)
    )

    assert 1 == len(line.splitlines())
    assert mark not in line
    assert line.endswith("forged")


@pytest.mark.django_db
def test_an_address_with_thousands_of_parameters_takes_one_line_of_the_log(client, written):
    response = client.get("/?" + "&".join(f"p{number}=1" for number in range(4001)))

    assert 400 == response.status_code
    assert ["WARNING"] == re.findall(r"(WARNING|ERROR) django.security.TooManyFieldsSent", written())
    assert "Traceback" not in written()


def test_every_other_address_is_logged_as_it_is(written):
    logging.getLogger("django.request").warning("Not Found: %s", "/g/abc/i/")

    assert "Not Found: /g/abc/i/" in written()


def test_whatever_the_server_logs_is_written_so():
    described = runpy.run_path(str(settings.BASE_DIR / "scorekeeper" / "settings.py"))["LOGGING"]

    assert {"line"} == {handler["formatter"] for handler in described["handlers"].values()}
    assert {"scorekeeper.logs.Line", "scorekeeper.logs.Json"} == {
        formatter["class"] for formatter in described["formatters"].values()
    }


def test_a_program_that_reads_logs_gets_an_object_a_line_and_no_token_either(monkeypatch):
    console = StringIO()
    handler = logging.StreamHandler(console)
    handler.setFormatter(Json())
    log = logging.getLogger("django.request")
    monkeypatch.setattr(log, "handlers", [handler])
    try:
        raise ValueError(f"/i/{TOKEN}/")
    except ValueError:
        log.exception("Internal Server Error: %s", f"/i/{TOKEN}/")
    log.warning("Forbidden: %s", "/t/año/", exc_info=True)
    broken, refused = map(json.loads, console.getvalue().splitlines())

    assert ("ERROR", "django.request", "Internal Server Error: /i/…/") == tuple(
        broken[name] for name in ("level", "logger", "said")
    )
    assert broken["trace"].endswith("ValueError: /i/…/")
    assert ("Forbidden: /t/año/", False) == (refused["said"], "trace" in refused)


@pytest.fixture
def accesses(monkeypatch):
    """`accesses()` returns the lines of the access log, which is on, as objects."""
    stream = StringIO()
    handler = logging.StreamHandler(stream)
    handler.setFormatter(Access())
    monkeypatch.setattr(access_log, "handlers", [handler])
    monkeypatch.setattr(access_log, "propagate", False)
    access_log.setLevel(logging.INFO)
    yield lambda: [json.loads(line) for line in stream.getvalue().splitlines()]
    access_log.setLevel(logging.NOTSET)


@pytest.mark.django_db
def test_the_access_log_has_a_line_for_each_request_without_what_was_typed(client, accesses):
    response = client.get("/login/?next=/t/secret/")
    (line,) = accesses()

    assert {"method": "GET", "path": "/login/", "view": "login", "status": 200} == {
        name: line[name] for name in ("method", "path", "view", "status")
    }
    assert response["X-Request-ID"] == line["request"]
    assert 0 < line["seconds"] < 60
    assert ["at", "request", "method", "path", "view", "status", "seconds"] == list(line)


@pytest.mark.django_db
def test_the_access_log_masks_and_escapes_an_address_as_the_other_log_does(client, accesses):
    client.get(f"/i/{TOKEN}/")
    client.get("/a%0A%E2%80%A8forged/")
    client.get("/" + "a" * 2 * LONGEST)
    client.get(f"/{'a' * (LONGEST - 10)}/i/{TOKEN}/")
    link, forged, long, cut = [line["path"] for line in accesses()]

    assert ("/i/…/", r"/a\n\u2028forged/", LONGEST) == (link, forged, len(long))
    assert cut.endswith("/i/…")


@pytest.mark.django_db
def test_a_poll_is_one_line_although_it_is_asked_twice(accesses):
    alone: dict[str, Any] = {BY_TICKET_ALONE: True}
    answers = [
        Client().get("/g/abc/sheet/1/", headers={"x-ticket": "old"}, **extra).status_code
        for extra in (alone, {})
    ]

    assert [202, 404] == answers
    assert [("live-sheet", 404)] == [(line["view"], line["status"]) for line in accesses()]


def test_a_request_refused_because_of_its_body_is_a_line_too(accesses):
    note_refused("POST", f"/i/{TOKEN}/", 413)

    assert [("/i/…/", 413, "none")] == [(line["path"], line["status"], line["view"]) for line in accesses()]


@pytest.mark.django_db
def test_without_the_setting_there_is_no_access_log(client, caplog):
    client.get("/login/")

    assert [] == [record for record in caplog.records if record.name == access_log.name]
