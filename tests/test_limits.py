"""Rate limits: a flood is refused, a table at the same address plays on, and nothing typed is lost.

`api/test_limits.py` has the limits of the API; `browser/test_limits.py` has what a phone keeps over a limit.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from datetime import timedelta

import pytest
import time_machine
from django.conf import settings as site
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection
from django.test import Client, override_settings
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from games.common import rate_limits
from games.common.rate_limits import RateLimit
from games.tables.api.permissions import AnonymousAddressThrottle
from games.tables.services import tokens
from tests.factories import new_key
from tests.queued_entries import build_entry, entry_answers, send_entries
from tests.reader import PollingClient, fields, read_page

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("rate_limited")]

EVENING = "2026-11-20T21:00:15Z"  # 45 seconds before the next window
TOO_MANY = 429
HANDS = {"hand-beto": "23", "hand-caro": "40", "hand-dani": "9"}
GONE = {"BACKEND": "django.core.cache.backends.redis.RedisCache", "LOCATION": "redis://127.0.0.1:9/0"}


@pytest.fixture
def clock():
    with time_machine.travel(EVENING, tick=False) as clock:
        yield clock


@pytest.fixture
def set_limit(monkeypatch, clock):
    """`set_limit("FORMS", 2)` sets this limit to two requests a minute."""
    return lambda name, most: monkeypatch.setattr(
        rate_limits, name, replace(getattr(rate_limits, name), most=most)
    )


def round_fields(game, **changes):
    data = {"after": len(game.log()), "key": new_key(), "closer": "ana", "closing": "out"}
    return fields(**{**data, **HANDS, **changes})


def collect_statuses(count, ask):
    return [ask().status_code for _time in range(count)]


# --- a script floods the site, a table plays on ----------------------------------------------------------------------


def test_while_a_script_floods_their_address_ana_and_her_friends_play_on(
    set_limit, ana, waldo, owner, client_for, game, monkeypatch
):
    """A script on the same Wi-Fi requests pages and posts passwords. Nobody is signed in on it."""
    set_limit("ANONYMOUS_PAGES", 20)
    set_limit("ANONYMOUS_FORMS", 5)
    monkeypatch.setattr(AnonymousAddressThrottle, "limit", replace(AnonymousAddressThrottle.limit, most=3))
    _token, secret = tokens.create(owner, "Casa")
    program, script = Client(headers={"authorization": f"Bearer {secret}"}), client_for()

    assert [200] * 20 + [429] * 30 == collect_statuses(50, lambda: script.get("/login/"))
    statuses = collect_statuses(30, lambda: script.post("/login/", fields(username="ana", password="x")))
    assert ({422}, {429}) == ({*statuses[:5]}, {*statuses[5:]})
    assert [200] * 3 + [429] * 2 == collect_statuses(5, lambda: script.get("/api/v1/variants/"))
    assert 200 == program.get(f"/api/v1/games/{game.code}/").status_code
    sheet = reverse("sheet", args=[game.code])
    assert [200, 200] == [ana.get(sheet).status_code, waldo.get(sheet).status_code]
    assert 302 == ana.post(reverse("play-round", args=[game.code]), round_fields(game)).status_code
    assert 200 == client_for(REMOTE_ADDR="203.0.113.10").get("/login/").status_code


def test_a_user_has_one_count_on_all_their_phones_and_refuses_nobody_else(
    set_limit, client_for, owner, waldo, nobody
):
    set_limit("PAGES", 2)
    phones = [client_for(owner, REMOTE_ADDR=f"203.0.113.{number}") for number in range(3)]
    assert [200, 200, 429] == [phone.get("/").status_code for phone in phones]
    assert [200, 200] == [waldo.get("/").status_code, nobody.get("/").status_code]


def test_a_refusal_says_how_long_to_wait(set_limit, nobody):
    set_limit("ANONYMOUS_PAGES", 1)
    nobody.get("/login/")
    response = nobody.get("/login/")

    assert "45" == response.headers["Retry-After"]
    page = read_page(response)
    assert "Too many requests" == page.only("h1").text
    assert "Wait 45 seconds, then try again." in page.only("main").text
    assert ("", "/") == (page.link("Try again"), page.link("My tables"))
    assert "no-store" in response.headers["Cache-Control"]


# --- nothing typed is lost -------------------------------------------------------------------------------------------


def test_a_round_over_the_limit_is_sent_again_from_the_page_that_refused_it(set_limit, ana, game, clock):
    """On a phone without scripts, the page that asks to wait holds the round, and its button records it."""
    set_limit("FORMS", 0)
    address, data = reverse("play-round", args=[game.code]), round_fields(game)
    response = ana.post(address, data)
    page = read_page(response)
    form, _button = page.form_with("Try again")

    assert (TOO_MANY, 1) == (response.status_code, game.records.count())
    assert "What you entered is still here." in page.only("main").text
    assert (address, "post") == (form.attrs["action"], form.attrs["method"])
    again = {name: text for name, text in form.fields.items() if name != "csrfmiddlewaretoken"}
    assert data == again
    set_limit("FORMS", 10)
    assert [302, 302] == collect_statuses(2, lambda: ana.post(address, form.fields))
    assert 2 == game.records.count()  # the key came along


def test_what_was_typed_comes_back_as_it_was_but_no_password(set_limit, nobody):
    set_limit("ANONYMOUS_FORMS", 0)
    data = {"username": 'Łukasz "<b>"\n2', "password": "tres lobas negras", "next": "/new/"}
    response = nobody.post("/login/?next=/new/", fields(**data))
    form, _button = read_page(response).form_with("Try again")

    assert (data["username"], "/new/", "/login/?next=/new/") == (
        *(form.fields[name] for name in ("username", "next")), form.attrs["action"],
    )  # fmt: skip
    assert "tres lobas" not in response.content.decode()
    assert "What you entered is still here, except the password." in read_page(response).only("main").text


def test_a_file_has_to_be_chosen_again_and_nothing_else(set_limit, ana):
    set_limit("FORMS", 0)
    file, key = SimpleUploadedFile("mesa.json", b"{}"), new_key()
    response = ana.post("/import/", {"file": file, "key": key})
    page = read_page(response)
    form, _button = page.form_with("Try again")
    choice = page.only("input", type="file")

    assert TOO_MANY == response.status_code
    assert "Choose the file again: everything else is still here." in page.only("main").text
    assert ("/import/", "multipart/form-data", key) == (
        *(form.attrs[name] for name in ("action", "enctype")), form.fields["key"],
    )  # fmt: skip
    assert ("file", form.attrs["id"]) == (choice.attrs["name"], choice.attrs["form"])


def test_a_form_of_another_site_is_not_shown_here_to_be_sent(set_limit, owner):
    set_limit("FORMS", 0)
    strict = Client(enforce_csrf_checks=True)
    strict.force_login(owner)
    response = strict.post("/new/", fields(name="Mesa robada"))

    assert (TOO_MANY, False) == (response.status_code, "Mesa robada" in response.content.decode())


def test_htmx_leaves_the_form_on_its_page(set_limit, ana, game):
    set_limit("FORMS", 0)
    response = ana.post(
        reverse("play-round", args=[game.code]), round_fields(game), headers={"HX-Request": "true"}
    )

    assert (TOO_MANY, "none") == (response.status_code, response.headers["HX-Reswap"])
    assert "Nothing was recorded. Wait 45 seconds, then try again." == response.content.decode()


def test_entries_over_the_limit_wait_on_their_phone_and_are_recorded_later(set_limit, ana, game):
    """The outbox treats any status but 200 and 500 as no connection, and resends the entries with their keys."""
    hands = {"closer": "ana", "closing": "out", "hand_beto": "23", "hand_caro": "40", "hand_dani": "9"}
    entry = build_entry("round", game=game.code, after=1, **hands)

    set_limit("FORMS", 0)
    assert (TOO_MANY, 1) == (send_entries(ana, entry).status_code, game.records.count())
    set_limit("FORMS", 10)
    statuses = [entry_answers(send_entries(ana, entry))[0]["status"] for _time in range(2)]
    assert (["done", "done"], 2) == (statuses, game.records.count())


# --- polls -----------------------------------------------------------------------------------------------------------


def test_polls_by_ticket_have_a_limit_by_session_and_take_one_query(
    set_limit, ana, client_for, owner, game, monkeypatch
):
    monkeypatch.setattr("games.common.rate_limits.POLLS", replace(rate_limits.POLLS, most=3))
    sheet = reverse("sheet", args=[game.code])
    watching, other, forging = (
        PollingClient(ana, sheet),
        PollingClient(client_for(owner), sheet),
        client_for(),
    )
    forging.cookies = ana.cookies
    for _time in range(5):  # a forged ticket uses up no session's polls
        forging.get(watching.live, headers={"X-Ticket": "9999999999:00"})
    with CaptureQueriesContext(connection) as queries:
        assert [204] * 3 + [429] * 2 == [watching.poll_status() for _time in range(5)]

    assert 3 == len(queries)  # a refused poll makes no queries
    assert 204 == other.poll_status()
    response = ana.get(watching.live, headers={"X-Ticket": watching.ticket})
    assert (b"", "45") == (response.content, response.headers["Retry-After"])
    assert 200 == ana.get(sheet).status_code


# --- the numbers are generous ----------------------------------------------------------------------------------------


def test_eight_phones_that_poll_each_second_are_within_the_limits(clock):
    """At one address, each phone also opens a page and sends a form every ten seconds."""
    for second in range(5 * 60):
        for phone in range(8):
            user, address = f"user-{phone}", "203.0.113.9"
            polled = [
                rate_limits.POLLS.hit(user),
                rate_limits.PAGES.hit(user),
                rate_limits.ANONYMOUS_PAGES.hit(address),
            ]
            user_requests = [] if second % 10 else [rate_limits.PAGES.hit(user), rate_limits.FORMS.hit(user)]
            address_requests = [] if second % 10 else [rate_limits.ANONYMOUS_FORMS.hit(address)]
            assert all([*polled, *user_requests, *address_requests]), (second, phone)
        clock.shift(timedelta(seconds=1))


# --- what it costs, and where it counts ------------------------------------------------------------------------------


def test_while_the_shared_cache_is_gone_pages_go_on_and_do_not_wait_for_it(
    set_limit, nobody, ana, game, monkeypatch
):
    counts, take = Counter[str](), RateLimit.hit

    def take_and_note(limit, who):
        counts[limit.kind] += 1
        return take(limit, who)

    monkeypatch.setattr(RateLimit, "hit", take_and_note)
    nobody.raise_request_exception = False
    with override_settings(CACHES={**site.CACHES, "throttles": GONE}):
        statuses = collect_statuses(5, lambda: nobody.get("/login/"))
        recorded = ana.post(reverse("play-round", args=[game.code]), round_fields(game)).status_code
        api = nobody.get("/api/v1/variants/")

    assert ([200] * 5, 302) == (statuses, recorded)
    assert (503, "5") == (api.status_code, api.headers["Retry-After"])
    assert {"pages-here": 1, "address": 1} == counts  # after the first, pages are not counted for a while
