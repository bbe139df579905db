"""The log: it contains no invitation's token, so that nobody who reads it could use one."""

from __future__ import annotations

import json
import logging
import re
import runpy
from io import StringIO

import pytest
from django.conf import settings
from django.test import Client

from scorekeeper.logs import Json, Line

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
def test_a_link_that_lets_nobody_in_is_logged_without_its_token(client, written):
    client.get(f"/i/{TOKEN}/")

    assert "Not Found: /i/…/" in written()
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
def test_an_address_with_a_thousand_parameters_takes_one_line_of_the_log(client, written):
    response = client.get("/?" + "&".join(f"p{number}=1" for number in range(1001)))

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
