"""Sessions live 400 days from the last day a page was opened; requests for parts of pages do not renew them.

The CSRF cookie comes with the first page, so that two pages opened at once share it.
"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from django.conf import settings
from django.db import connection
from django.test.utils import CaptureQueriesContext

from games.common import site_header
from tests.factories import make_table, make_user, start

pytestmark = pytest.mark.django_db

BEGIN = datetime(2026, 11, 19, 21, 0, tzinfo=UTC)
PART = {"HX-Request": "true"}
BOOSTED = {**PART, "HX-Boosted": "true", **dict([site_header.field()])}


@pytest.fixture
def phone(client, time_machine):
    """The phone of a user who signed in and opened a page."""
    time_machine.move_to(BEGIN, tick=False)
    client.force_login(make_user())
    client.get("/")
    return client


def is_renewed(phone, **headers):
    """Return whether opening the home page saves the session and sends its cookie again."""
    with CaptureQueriesContext(connection) as queries:
        response = phone.get("/", headers=headers)
    written = [
        query["sql"]
        for query in queries
        if "django_session" in query["sql"] and not query["sql"].startswith("SELECT")
    ]
    assert bool(written) == (settings.SESSION_COOKIE_NAME in response.cookies)
    return bool(written)


def test_who_comes_back_within_400_days_of_the_last_time_is_still_known_and_nobody_later(phone, time_machine):
    for days in (390, 780, 1170):
        time_machine.move_to(BEGIN + timedelta(days=days), tick=False)
        response = phone.get("/")

        assert response.wsgi_request.user.is_authenticated
        assert settings.SESSION_COOKIE_AGE == response.cookies[settings.SESSION_COOKIE_NAME]["max-age"]
    time_machine.move_to(BEGIN + timedelta(days=1170 + 401), tick=False)
    assert not phone.get("/").wsgi_request.user.is_authenticated


@pytest.mark.parametrize(
    ("headers", "hours", "renewed"),
    [({}, 23, False), ({}, 25, True), (BOOSTED, 25, True), (PART, 25, False)],
    ids=["a page on the same day", "a page on the next", "a page by htmx", "a part of a page"],
)
def test_pages_renew_it_once_a_day(phone, time_machine, headers, hours, renewed):
    time_machine.move_to(BEGIN + timedelta(hours=hours), tick=False)

    assert [renewed, False] == [is_renewed(phone, **headers) for _time in range(2)]


def test_an_answer_to_a_request_of_an_ended_session_does_not_take_the_next_ones_cookie_away(client):
    """Two requests of one phone are in progress. The later one signs somebody else in, and is answered first."""
    client.force_login(make_user())
    before = client.cookies[settings.SESSION_COOKIE_NAME].value
    client.force_login(make_user("beto"))
    client.cookies[settings.SESSION_COOKIE_NAME] = before

    late = [client.get("/"), client.get("/token/"), client.post("/token/")]

    assert [False] * 3 == [settings.SESSION_COOKIE_NAME in answer.cookies for answer in late]


def test_the_cookie_of_forms_comes_with_the_first_page_even_if_it_has_no_form(client):
    owner = make_user()
    night = start(make_table(owner), owner)
    client.force_login(owner)

    sheet = client.get(f"/g/{night.code}/rules/")

    assert "csrfmiddlewaretoken" not in sheet.content.decode()
    assert settings.CSRF_COOKIE_NAME in sheet.cookies
    assert settings.CSRF_COOKIE_NAME not in client.get(f"/g/{night.code}/rules/").cookies
