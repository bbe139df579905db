"""No cache may store a response: it has content for one user only, and the next round changes it."""

from __future__ import annotations

from contextlib import closing

import pytest
from django.http import HttpResponse
from django.urls import path

OWN = "public, max-age=60"

pytestmark = pytest.mark.usefixtures("these_pages")


def _break(request):
    raise RuntimeError("broken on purpose")


urlpatterns = [
    path("page/", lambda request: HttpResponse("page")),
    path("own/", lambda request: HttpResponse("own", headers={"Cache-Control": OWN})),
    path("broken/", _break),
]


@pytest.mark.parametrize(("address", "status"), [("/page/", 200), ("/no-such-page/", 404), ("/broken/", 500)])
def test_pages_and_failures_are_kept_nowhere(client, address, status):
    client.raise_request_exception = False
    response = client.get(address)

    assert (status, "private, no-store") == (response.status_code, response["Cache-Control"])


def test_an_answer_that_says_how_long_it_holds_is_believed(client):
    assert OWN == client.get("/own/")["Cache-Control"]


@pytest.mark.django_db  # closing a response closes old database connections
def test_files_of_the_site_are_kept(client, settings):
    settings.WHITENOISE_USE_FINDERS = True  # static files are not collected
    with closing(client.get("/static/app.css")) as response:
        assert 200 == response.status_code
        assert "public" in response["Cache-Control"]
