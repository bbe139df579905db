"""The page of a table: its members, the number of people with access, and an owner's links to manage them."""

from __future__ import annotations

import pytest
from django.urls import reverse
from django.utils.timezone import now

from games.models import Grant, Role
from tests.reader import open_page, read_page
from tests.tables import make_user

pytestmark = pytest.mark.django_db


def _page(client, table):
    return open_page(client, reverse("table", args=[table.code]))


def people(page):
    """Return the name and the link of each member shown."""
    box = page.only("div", id="people")
    return [
        (tile.only("b").text, tile.attrs.get("href", "")) for tile in box.every("a", "div", class_="tile")
    ]


def test_an_owner_finds_everybody_a_tap_away(ana, table):
    assert [
        ("Ana", f"/t/{table.code}/members/ana/"),
        ("Beto", f"/t/{table.code}/members/beto/"),
        ("Caro", f"/t/{table.code}/members/caro/"),
        ("Dani", f"/t/{table.code}/members/dani/"),
    ] == people(_page(ana, table))


def test_everybody_has_his_colour_and_his_letter(ana, table):
    faces = [(face.attrs["data-colour"], face.text) for face in _page(ana, table).every("span", class_="av")]

    assert [("1", "A"), ("2", "B"), ("3", "C"), ("4", "D")] == faces


def test_who_is_let_in_is_counted_by_what_they_may_do(ana, waldo, table):
    rows = [row.text for row in _page(ana, table).only("dl").every("div")]

    assert ["owner of the table 1", "watching 1"] == rows


def test_the_invitations_are_a_tap_away(ana, table):
    assert reverse("invites", args=[table.code]) == _page(ana, table).link("Invite somebody")


def test_an_owner_is_told_that_only_this_phone_opens_the_table_until_there_is_another(ana, table, owner):
    notice = "Only this phone opens the table as its owner."
    assert notice in _page(ana, table).only("main").text
    Grant.objects.create(user=make_user("olga"), table=table, role=Role.OWNER)

    assert notice not in _page(ana, table).only("main").text


def test_who_owns_nothing_is_told_nothing_of_losing_it(phone_of, waldo, table):
    tito = make_user("tito")
    Grant.objects.create(user=tito, table=table, role=Role.SCORER)

    assert [] == [
        phone
        for phone in (waldo, phone_of(tito))
        if "Only this phone" in _page(phone, table).only("main").text
    ]


def test_a_witness_sees_the_people_and_nothing_to_change(waldo, table):
    page = _page(waldo, table)

    assert [("Ana", ""), ("Beto", ""), ("Caro", ""), ("Dani", "")] == people(page)
    assert [reverse("archive-table", args=[table.code])] == [
        form.attrs["action"] for form in page.every("form")
    ]
    links = [link.attrs["href"] for link in page.only("main").every("a")]
    assert [
        "/",
        *(reverse(name, args=[table.code]) for name in ("games", "season", "claims", "leave-table")),
    ] == links


def test_the_books_are_one_tap_away_for_whoever_may_see_them(ana, waldo, table):
    def links(client):
        return {link.attrs["href"] for link in _page(client, table).only("main").every("a")}

    books = {reverse(name, args=[table.code]) for name in ("accounts", "export-table")}
    assert (books, set()) == (books & links(ana), books & links(waldo))
    table.members.filter(slug="beto").update(user=waldo.session["_auth_user_id"], claimed_at=now())
    assert books <= links(waldo)


def test_who_keeps_the_score_may_begin_a_game_and_rename_nobody(phone_of, table):
    user = make_user("tito")
    Grant.objects.create(user=user, table=table, role=Role.SCORER)
    page = _page(phone_of(user), table)

    assert reverse("new-game", args=[table.code]) == page.link("New game")
    assert [reverse("archive-table", args=[table.code])] == [
        form.attrs["action"] for form in page.every("form")
    ]
    assert "" == people(page)[0][1]


def test_who_plays_no_more_is_not_offered(ana, table):
    table.members.filter(slug="dani").update(retired_at=now())

    assert ["Ana", "Beto", "Caro"] == [name for name, _where in people(_page(ana, table))]


def test_the_first_page_leads_to_the_table(ana, table):
    page = read_page(ana.get("/"))

    assert reverse("table", args=[table.code]) == page.link("Mesa de los jueves")
