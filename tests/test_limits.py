"""Rate limits of requests: a flood is refused, a table at the same address plays on, and nothing typed is lost."""

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
from tests.reader import Watching, fields, read_page
from tests.waiting import an_entry, answers_of, sent
from tests.worlds import a_key

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("limited")]

EVENING = "2026-11-20T21:00:15Z"  # 45 seconds before the next window
TOO_MANY = 429
HANDS = {"hand-beto": "23", "hand-caro": "40", "hand-dani": "9"}
GONE = {"BACKEND": "django.core.cache.backends.redis.RedisCache", "LOCATION": "redis://127.0.0.1:9/0"}


@pytest.fixture
def clock():
    with time_machine.travel(EVENING, tick=False) as clock:
        yield clock


@pytest.fixture
def few(monkeypatch, clock):
    """`few("FORMS", 2)` sets a limit to so many requests a minute."""
    return lambda name, most: monkeypatch.setattr(
        rate_limits, name, replace(getattr(rate_limits, name), most=most)
    )


def a_round_of(game, **changes):
    sent = {"after": len(game.log()), "key": a_key(), "closer": "ana", "closing": "out"}
    return fields(**{**sent, **HANDS, **changes})


def statuses_of(count, ask):
    return [ask().status_code for _time in range(count)]


# --- a script floods the site, a table plays on ----------------------------------------------------------------------


def test_while_a_script_floods_their_address_ana_and_her_friends_play_on(
    few, ana, waldo, owner, phone_of, game, monkeypatch
):
    """The script at the same Wi-Fi asks for pages and posts passwords; nobody is signed in on it."""
    few("ANONYMOUS_PAGES", 20)
    few("ANONYMOUS_FORMS", 5)
    monkeypatch.setattr(AnonymousAddressThrottle, "limit", replace(AnonymousAddressThrottle.limit, most=3))
    _token, secret = tokens.create(owner, "Casa")
    program, script = Client(headers={"authorization": f"Bearer {secret}"}), phone_of()

    assert [200] * 20 + [429] * 30 == statuses_of(50, lambda: script.get("/login/"))
    posted = statuses_of(30, lambda: script.post("/login/", fields(username="ana", password="x")))
    assert ({422}, {429}) == ({*posted[:5]}, {*posted[5:]})
    assert [200] * 3 + [429] * 2 == statuses_of(5, lambda: script.get("/api/v1/variants/"))
    assert 200 == program.get(f"/api/v1/games/{game.code}/").status_code
    sheet = reverse("sheet", args=[game.code])
    assert [200, 200] == [ana.get(sheet).status_code, waldo.get(sheet).status_code]
    assert 302 == ana.post(reverse("play-round", args=[game.code]), a_round_of(game)).status_code
    assert 200 == phone_of(REMOTE_ADDR="203.0.113.10").get("/login/").status_code


def test_a_user_has_one_count_on_all_their_phones_and_refuses_nobody_else(
    few, phone_of, owner, waldo, nobody
):
    few("PAGES", 2)
    phones = [phone_of(owner, REMOTE_ADDR=f"203.0.113.{number}") for number in range(3)]
    assert [200, 200, 429] == [phone.get("/").status_code for phone in phones]
    assert [200, 200] == [waldo.get("/").status_code, nobody.get("/").status_code]


def test_a_refusal_says_how_long_to_wait(few, nobody):
    few("ANONYMOUS_PAGES", 1)
    nobody.get("/login/")
    refused = nobody.get("/login/")

    assert "45" == refused.headers["Retry-After"]
    page = read_page(refused)
    assert "Too many requests at once" == page.only("h1").text
    assert "Wait 45 seconds, then try again." in page.only("main").text
    assert ("", "/") == (page.link("Try again"), page.link("To my tables"))
    assert "no-store" in refused.headers["Cache-Control"]


# --- nothing typed is lost -------------------------------------------------------------------------------------------


def test_a_round_over_the_limit_is_sent_again_from_the_page_that_refused_it(few, ana, game, clock):
    """A phone without scripts: the page that asks to wait holds the round, and its button records it."""
    few("FORMS", 0)
    address, sent = reverse("play-round", args=[game.code]), a_round_of(game)
    refused = ana.post(address, sent)
    page = read_page(refused)
    form, _button = page.form_with("Try again")

    assert (TOO_MANY, 1) == (refused.status_code, game.records.count())
    assert "What you entered is still here." in page.only("main").text
    assert (address, "post") == (form.attrs["action"], form.attrs["method"])
    again = {name: text for name, text in form.fields.items() if name != "csrfmiddlewaretoken"}
    assert sent == again
    few("FORMS", 10)
    assert [302, 302] == statuses_of(2, lambda: ana.post(address, form.fields))
    assert 2 == game.records.count()  # the key came along


def test_what_was_typed_comes_back_as_it_was_but_no_password(few, nobody):
    few("ANONYMOUS_FORMS", 0)
    typed = {"username": 'Łukasz "<b>"\n2', "password": "tres lobas negras", "next": "/new/"}
    refused = nobody.post("/login/?next=/new/", fields(**typed))
    form, _button = read_page(refused).form_with("Try again")

    assert (typed["username"], "/new/", "/login/?next=/new/") == (
        *(form.fields[name] for name in ("username", "next")), form.attrs["action"],
    )  # fmt: skip
    assert "tres lobas" not in refused.content.decode()
    assert "What you entered is still here, except the password." in read_page(refused).only("main").text


def test_a_file_has_to_be_chosen_again(few, ana):
    few("FORMS", 0)
    file = SimpleUploadedFile("mesa.json", b"{}")
    refused = ana.post("/import/", {"file": file, "key": a_key()})

    assert (TOO_MANY, "") == (refused.status_code, read_page(refused).link("Try again"))


def test_a_form_of_another_site_is_not_shown_here_to_be_sent(few, owner):
    few("FORMS", 0)
    strict = Client(enforce_csrf_checks=True)
    strict.force_login(owner)
    refused = strict.post("/new/", fields(name="Mesa robada"))

    assert (TOO_MANY, False) == (refused.status_code, "Mesa robada" in refused.content.decode())


def test_htmx_leaves_the_form_on_its_page(few, ana, game):
    few("FORMS", 0)
    refused = ana.post(
        reverse("play-round", args=[game.code]), a_round_of(game), headers={"HX-Request": "true"}
    )

    assert (TOO_MANY, "none") == (refused.status_code, refused.headers["HX-Reswap"])
    assert "Nothing was recorded. Wait 45 seconds, then try again." == refused.content.decode()


def test_entries_over_the_limit_wait_on_their_phone_and_are_recorded_later(few, ana, game):
    """The outbox takes any answer but 200 and 500 as no connection; the entries are sent again under their keys."""
    hands = {"closer": "ana", "closing": "out", "hand_beto": "23", "hand_caro": "40", "hand_dani": "9"}
    entry = an_entry("round", game=game.code, after=1, **hands)

    few("FORMS", 0)
    assert (TOO_MANY, 1) == (sent(ana, entry).status_code, game.records.count())
    few("FORMS", 10)
    statuses = [answers_of(sent(ana, entry))[0]["status"] for _time in range(2)]
    assert (["done", "done"], 2) == (statuses, game.records.count())


# --- polls -----------------------------------------------------------------------------------------------------------


def test_polls_by_ticket_have_a_limit_by_session_and_take_one_query(
    few, ana, phone_of, owner, game, monkeypatch
):
    monkeypatch.setattr("games.common.rate_limits.POLLS", replace(rate_limits.POLLS, most=3))
    sheet = reverse("sheet", args=[game.code])
    watching, other, forging = Watching(ana, sheet), Watching(phone_of(owner), sheet), phone_of()
    forging.cookies = ana.cookies
    for _time in range(5):  # a forged ticket uses up no session's polls
        forging.get(watching.live, headers={"X-Ticket": "9999999999:00"})
    with CaptureQueriesContext(connection) as queries:
        assert [204] * 3 + [429] * 2 == [watching.look() for _time in range(5)]

    assert 3 == len(queries)  # a refused poll takes none
    assert 204 == other.look()
    refused = ana.get(watching.live, headers={"X-Ticket": watching.ticket})
    assert (b"", "45") == (refused.content, refused.headers["Retry-After"])
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
            sent = [] if second % 10 else [rate_limits.PAGES.hit(user), rate_limits.FORMS.hit(user)]
            joined = [] if second % 10 else [rate_limits.ANONYMOUS_FORMS.hit(address)]
            assert all([*polled, *sent, *joined]), (second, phone)
        clock.shift(timedelta(seconds=1))


# --- what it costs, and where it counts ------------------------------------------------------------------------------


def test_while_the_shared_cache_is_gone_pages_go_on_and_do_not_wait_for_it(
    few, nobody, ana, game, monkeypatch
):
    taken, take = Counter[str](), RateLimit.hit

    def take_and_note(limit, who):
        taken[limit.kind] += 1
        return take(limit, who)

    monkeypatch.setattr(RateLimit, "hit", take_and_note)
    nobody.raise_request_exception = False
    with override_settings(CACHES={**site.CACHES, "throttles": GONE}):
        statuses = statuses_of(5, lambda: nobody.get("/login/"))
        recorded = ana.post(reverse("play-round", args=[game.code]), a_round_of(game)).status_code
        api = nobody.get("/api/v1/variants/")

    assert ([200] * 5, 302) == (statuses, recorded)
    assert (503, "5") == (api.status_code, api.headers["Retry-After"])
    assert {"pages-here": 1, "address": 1} == taken  # after the first, pages are not counted for a while
