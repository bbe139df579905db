"""Who gets into what: every page of a table is nothing to a stranger, and a witness only reads."""

from __future__ import annotations

import re

import pytest
from django.urls import URLPattern, reverse

from games.models import Grant, Record
from games.urls import urlpatterns
from tests.pages.reader import read_page
from tests.tables import a_key

pytestmark = pytest.mark.django_db

OPEN = {"home", "set-theme", "login", "logout", "new-table", "import-table"}
READ_ONLY = {
    "sheet",
    "settlement",
    "money",
    "rules",
    "export",
    "export-game",
    *("totals", "season", "player", "head-to-head", "duel", "seasons"),
}
UNKNOWN = "zzzzzzzzzzz"

PAGES = [page for page in urlpatterns if isinstance(page, URLPattern) and page.pattern.converters]
NAMES = [page.name for page in PAGES]


def address(name, *, game, table, code=None):
    """The address of this page for the game, or for a code that there is not."""
    (page,) = [page for page in PAGES if page.name == name]
    known = {"code": code or game.code, "table_code": code or table.code, "number": 2}
    known |= {"member": "ana", "other": "beto", "day": "2026-11-19", "what": "results"}
    return reverse(name, kwargs={key: known[key] for key in page.pattern.converters})


def seen(response, code):
    """An answer without what differs from one request to the next: the address, the token against forgery."""
    body = response.content.decode().replace(code, "CODE")
    tokens = r'(?<=csrfmiddlewaretoken" value=")\w+|(?<="X-CSRFToken": ")\w+'
    headers = {
        name: value for name, value in response.headers.items() if name not in ("Content-Length", "Location")
    }
    location = response.headers.get("Location", "").replace(code, "CODE")
    return response.status_code, headers, location, re.sub(tokens, "TOKEN", body)


def test_every_page_belongs_to_a_table_or_is_known_to_be_open():
    assert OPEN == {page.name for page in urlpatterns} - set(NAMES)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("method", ["get", "post"])
@pytest.mark.parametrize("who", ["stranger", "nobody"])
def test_a_page_of_others_is_like_one_that_there_is_not(request, finished, table, who, method, name):
    client = request.getfixturevalue(who)
    payload = {"after": "6", "key": a_key(), "change": "strike 6", "answer": "reenter", "player": "ana"}
    answers = [
        seen(getattr(client, method)(address(name, game=finished, table=table, code=code), payload), shown)
        for code, shown in (
            (None, table.code if "table_code" in str(name) else finished.code),
            (UNKNOWN, UNKNOWN),
        )
    ]

    assert answers[1] == answers[0]
    assert answers[0][0] in (404, 405)
    assert table.name not in answers[0][-1]
    assert 6 == finished.records.count()


@pytest.mark.parametrize("name", NAMES)
def test_one_of_the_methods_reaches_a_page(stranger, finished, table, name):
    where = address(name, game=finished, table=table)

    assert 404 in (stranger.get(where).status_code, stranger.post(where).status_code)


@pytest.mark.parametrize("name", [name for name in NAMES if name != "old-night"])
def test_a_witness_reads_and_does_not_write(waldo, finished, table, name):
    where = address(name, game=finished, table=table)
    answers = {waldo.get(where).status_code, waldo.post(where, {"after": "6", "key": a_key()}).status_code}

    assert answers - {405} == ({200} if name in READ_ONLY else {403})
    assert 6 == Record.objects.count()


@pytest.mark.parametrize("name", NAMES)
def test_who_had_a_grant_that_ended_is_a_stranger(ana, finished, table, name):
    Grant.objects.update(expires_at="2026-01-01T00:00Z")
    where = address(name, game=finished, table=table)

    assert {ana.get(where).status_code, ana.post(where).status_code} <= {404, 405}


@pytest.mark.parametrize("name", NAMES)
def test_an_erased_table_is_not_there_for_anybody(ana, finished, table, name):
    type(table).objects.update(erased_at="2026-01-01T00:00Z")
    where = address(name, game=finished, table=table)

    assert {ana.get(where).status_code, ana.post(where).status_code} <= {404, 405}


def test_a_witness_is_offered_nothing_to_write_with(waldo, finished):
    for name in ("sheet", "settlement", "rules"):
        page = read_page(waldo.get(reverse(name, args=[finished.code])))
        assert [] == page.every("form")
        assert [] == [link for link in page.every("a") if "/correct/" in link.attrs["href"]]


def test_a_witness_is_told_in_words_that_he_only_watches(waldo, game):
    response = waldo.get(reverse("play-round", args=[game.code]))

    assert 403 == response.status_code
    assert "You can watch this table, but not write" == read_page(response).only("h1").text


def test_a_stranger_is_told_how_to_get_in(stranger, game):
    page = read_page(stranger.get(reverse("sheet", args=[game.code])))

    assert "Nothing under this address" == page.only("h1").text
    assert "opens on the phone that started it" in page.only("main").text


@pytest.mark.parametrize("name", NAMES)
def test_a_form_without_its_token_is_refused_and_writes_nothing(phone_of, owner, finished, table, name):
    client = phone_of(owner, enforce_csrf_checks=True)
    response = client.post(address(name, game=finished, table=table), {"after": "6", "key": a_key()})

    assert 403 == response.status_code
    assert "This page had been open too long" == read_page(response).only("h1").text
    assert 6 == Record.objects.count()
