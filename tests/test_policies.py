"""The headers of every response: nothing is cached, and no script or style stands inside a page."""

from __future__ import annotations

from contextlib import closing

import pytest
from django.http import HttpResponse
from django.urls import path

from scorekeeper.middleware import POLICY

OWN = {
    "Content-Security-Policy": "default-src 'self' 'wasm-unsafe-eval'",
    "Cache-Control": "public, max-age=60",
}

pytestmark = pytest.mark.usefixtures("these_pages")


def _break(request):
    raise RuntimeError("broken on purpose")


urlpatterns = [
    path("page/", lambda request: HttpResponse("page")),
    path("own/", lambda request: HttpResponse("own", headers=OWN)),
    path("broken/", _break),
]


@pytest.mark.parametrize(("address", "status"), [("/page/", 200), ("/no-such-page/", 404), ("/broken/", 500)])
def test_pages_and_failures_carry_the_policy_and_are_kept_nowhere(client, address, status):
    client.raise_request_exception = False
    response = client.get(address)
    assert (status, POLICY) == (response.status_code, response["Content-Security-Policy"])
    assert "private, no-store" == response["Cache-Control"]
    assert ("DENY", "same-origin", "nosniff") == tuple(
        response[name] for name in ("X-Frame-Options", "Referrer-Policy", "X-Content-Type-Options")
    )


def test_an_answer_with_headers_of_its_own_keeps_them(client):
    answer = client.get("/own/")
    assert OWN == {name: answer[name] for name in OWN}


def test_nothing_is_allowed_inside_a_page_or_from_elsewhere():
    directives = dict(directive.split(" ", 1) for directive in POLICY.split("; "))
    assert ("'none'", "'self'", "'self'") == tuple(
        directives[name] for name in ("default-src", "script-src", "style-src")
    )
    sources = {source for listed in directives.values() for source in listed.split()}
    assert {"'self'", "'none'", "data:"} == sources


@pytest.mark.django_db  # closing a response closes old database connections
def test_files_of_the_site_are_kept(client, settings):
    settings.WHITENOISE_USE_FINDERS = True  # static files are not collected
    with closing(client.get("/static/app.css")) as response:
        assert (200, True) == (response.status_code, "public" in response["Cache-Control"])
