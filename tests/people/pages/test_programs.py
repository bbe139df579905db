"""The page of API tokens: one is made and shown once; all are listed with their rights until they end."""

from __future__ import annotations

import re
from datetime import timedelta

import pytest
from django.urls import reverse
from django.utils.timezone import now

from games.models import Role, Token
from games.people.guests import make_guest
from games.people.tokens import LIVES, find_token, make_token
from tests.reader import Walker, read_page
from tests.tables import make_table

pytestmark = pytest.mark.django_db

ADDRESS = reverse("programs")


def make(phone, table, /, **changes):
    return phone.post(
        ADDRESS, {"name": "reloj", "table": table.code, "role": "scorer", "lasts": "month", **changes}
    )


def rows(page):
    return [row.text for card in page.every("ul", class_="card rows") for row in card.every("li")]


def test_a_user_makes_a_token_sees_its_secret_once_and_revokes_it(ana, owner, table, time_machine):
    """Ana comes from the home page, copies the token, sees it unused, and revokes it."""
    time_machine.move_to("2026-11-20T21:00Z", tick=False)
    walker = Walker(ana)
    walker.open("/")
    walker.follow("Your account Devices, other programs")
    walker.follow("Other programs What a program may do here for you")
    page = walker.press("Make the token", name="reloj", table=table.code, role="scorer", lasts="month")
    secret = page.only("textarea").text
    token = find_token(secret)

    assert token is not None
    assert (owner, table, Role.SCORER) == (token.user, token.table, token.role)
    assert now() + timedelta(days=30) == token.expires_at
    assert "It is shown only now." in page.only("main").text
    assert ["reloj recording · Mesa de los jueves until Sun 20 Dec · never used yet Revoke"] == rows(page)

    page = walker.open(ADDRESS)
    assert secret not in page.text
    walker.follow("Revoke")
    assert "Revoke the token? reloj" == walker.page.only("h1").text
    page = walker.press("Revoke")
    assert ([], None) == (rows(page), find_token(secret))


def test_the_form_preselects_neither_the_table_nor_the_role_of_a_token(ana, table):
    form, _button = read_page(ana.get(ADDRESS)).form_with("Make the token")

    assert [table.code, "all"] == form.allowed("table")
    assert ["witness", "scorer", "owner"] == form.allowed("role")
    assert list(LIVES) == form.allowed("lasts")
    assert {"name": "", "lasts": "month"} == {
        name: value for name, value in form.fields.items() if name not in ("csrfmiddlewaretoken", "key")
    }


def test_a_token_for_all_tables_is_bound_to_no_table(ana, table):
    page = read_page(make(ana, table, table="all", role="owner"))

    assert None is Token.objects.get().table
    assert "owner of the table · all my tables" in rows(page)[0]


def test_a_double_tap_makes_one_token_and_links_to_revoking_it(ana, table):
    """The browser shows only the second response, without the secret; Ana revokes the token for a new one."""
    walker = Walker(ana)
    form, _button = walker.open(ADDRESS).form_with("Make the token")
    made = make(ana, table, key=form.fields["key"])
    secret = read_page(made).only("textarea").text
    page = read_page(make(ana, table, key=form.fields["key"]))
    token = Token.objects.get()

    assert "This token was already made and shown." in page.only("main").text
    assert reverse("revoke-token", args=[token.pk]) == page.link("Revoke it")
    assert secret not in page.text
    other = make(ana, table, key=form.fields["key"], name="tablero")
    assert (
        409,
        ["The key belongs to an earlier entry with other content. Nothing was recorded; use a new key."],
    ) == (
        other.status_code,
        read_page(other).alerts,
    )
    form, _button = read_page(other).form_with("Make the token")
    make(ana, table, key=form.fields["key"], name="tablero")
    assert {"reloj", "tablero"} == set(Token.objects.values_list("name", flat=True))


def test_another_users_idempotency_key_does_not_prevent_making_a_token(ana, waldo, table):
    make(ana, table, key="k")

    assert 1 == len(read_page(make(waldo, table, key="k", role="witness")).every("textarea"))


WRONG: list[tuple[dict[str, str], str, str]] = [
    ({"name": " "}, "name", "Enter a name."),
    ({"name": "x" * 41}, "name", "At most 40 characters fit here."),
    ({"table": ""}, "table", "Choose a table, or all."),
    ({"table": "zzzzzzzzzzz"}, "table", "Choose a table, or all."),
    ({"role": "queen"}, "role", "Choose what the program may do."),
    ({"lasts": "ever"}, "lasts", "Choose how long it lasts."),
]


def test_an_invalid_field_is_refused_beside_it_and_the_other_values_are_kept(subtests, ana, table):
    for changes, field, sentence in WRONG:
        with subtests.test(**changes):
            response = make(ana, table, **changes)
            page = read_page(response)
            sent = {"name": "reloj", "table": table.code, "role": "scorer", "lasts": "month", **changes}
            form, _button = page.form_with("Make the token")
            kept = {name: value for name, value in form.fields.items() if name in sent.keys() - {field}}

            assert (422, 0) == (response.status_code, Token.objects.count())
            assert sentence == re.sub(r"\s+", " ", page.only("span", id=f"{field}-error").text)
            assert {name: value for name, value in sent.items() if name != field} == kept


def test_an_inaccessible_table_is_refused_exactly_like_an_unknown_one(stranger, table):
    form, _button = read_page(stranger.get(ADDRESS)).form_with("Make the token")
    answers = [read_page(make(stranger, table, table=code)).text for code in (table.code, "zzzzzzzzzzz")]

    assert table.code not in (form.allowed("table") or ())
    assert answers[0] == answers[1]
    assert 0 == Token.objects.count()


def test_a_guest_can_make_a_token(phone_of):
    guest = make_guest()
    make(phone_of(guest), make_table(guest))

    assert guest == Token.objects.get().user


def test_a_repeated_tap_revokes_a_token_once(ana, owner, table):
    token, _secret = make_token(owner, "reloj", Role.SCORER, lasts=LIVES["day"], table=table)
    where = reverse("revoke-token", args=[token.pk])
    first = (ana.post(where).url, Token.objects.get().revoked_at)

    assert first == (ana.post(where).url, Token.objects.get().revoked_at)
    assert ADDRESS == first[0]
