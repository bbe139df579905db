"""The Content-Security-Policy of every response: no script or style inside a page."""

from __future__ import annotations

import pytest
from django.http import HttpResponse
from django.urls import path

from scorekeeper.middleware import POLICY

OWN = "default-src 'self' 'wasm-unsafe-eval'"

pytestmark = pytest.mark.usefixtures("these_pages")


def _break(request):
    raise RuntimeError("broken on purpose")


urlpatterns = [
    path("page/", lambda request: HttpResponse("page")),
    path("own/", lambda request: HttpResponse("own", headers={"Content-Security-Policy": OWN})),
    path("broken/", _break),
]


@pytest.mark.parametrize(("address", "status"), [("/page/", 200), ("/no-such-page/", 404), ("/broken/", 500)])
def test_pages_and_failures_carry_the_policy(client, address, status):
    client.raise_request_exception = False
    response = client.get(address)
    assert status == response.status_code
    assert POLICY == response["Content-Security-Policy"]


def test_an_answer_with_a_policy_of_its_own_keeps_it(client):
    assert OWN == client.get("/own/")["Content-Security-Policy"]


def test_nothing_is_allowed_inside_a_page_or_from_elsewhere():
    directives = dict(directive.split(" ", 1) for directive in POLICY.split("; "))
    assert "'none'" == directives["default-src"]
    assert "'self'" == directives["script-src"]
    assert "'self'" == directives["style-src"]
    assert {"'self'", "'none'", "data:"} == {
        source for sources in directives.values() for source in sources.split()
    }


def test_pages_are_not_framed_and_tell_other_sites_nothing(client):
    response = client.get("/page/")
    assert "DENY" == response["X-Frame-Options"]
    assert "same-origin" == response["Referrer-Policy"]
    assert "nosniff" == response["X-Content-Type-Options"]
