"""Error pages show a request id in the reader's language; the log names the cause under it."""

from __future__ import annotations

import re

import pytest
from django.http import HttpResponse
from django.test import Client
from django.urls import path

from scorekeeper.urls import handler500 as handler500  # of the pages below too
from tests.reader import read_page
from tests.test_logs import console_of

pytestmark = pytest.mark.usefixtures("these_pages")


def _break(request):
    raise RuntimeError("broken on purpose")


urlpatterns = [
    path("page/", lambda request: HttpResponse("page")),
    path("broken/", _break),
]


@pytest.fixture
def written(monkeypatch):
    return console_of(monkeypatch)


def ask(address, language="en"):
    return Client(raise_request_exception=False, headers={"accept-language": language}).get(address)


def test_what_somebody_reads_from_the_page_is_found_in_the_log(written):
    answer = ask("/broken/")
    number = answer["X-Request-ID"]

    assert re.fullmatch(r"[0-9a-f]{8}", number)
    assert (
        f"For the site's operator: this error is number {number} in the log."
        in read_page(answer).only("main").text
    )
    (line,) = [line for line in written().splitlines() if f" {number} ERROR " in line]
    assert "Internal Server Error: /broken/" in line


def test_it_is_said_so_too_where_it_broke_before_anybody_asked_for_the_language(monkeypatch):
    ask("/page/", "es-AR")  # leaves Spanish active in this thread
    monkeypatch.setattr("scorekeeper.middleware.LanguageMiddleware.process_request", _break_here)

    assert "For the site's operator: this error is number" in read_page(ask("/broken/")).only("main").text


def _break_here(middleware, request):
    raise RuntimeError("broken on purpose")


def test_a_refusal_is_found_as_well(written):
    number = ask("/no-such-page/")["X-Request-ID"]

    assert f" {number} WARNING django.request: Not Found: /no-such-page/" in written()
