"""The first page of a table: its members, what was played, and what waits for an owner."""

from __future__ import annotations

import pytest
import time_machine
from django.urls import reverse
from django.utils.timezone import now

from games.models import Grant, Role
from games.people.access import role_at
from tests.reader import Walker, open_page, read_page
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


def test_everybody_has_a_colour_and_a_letter(ana, table):
    faces = [(face.attrs["data-colour"], face.text) for face in _page(ana, table).every("span", class_="av")]

    assert [("1", "A"), ("2", "B"), ("3", "C"), ("4", "D")] == faces


def test_a_witness_sees_the_people_and_nothing_to_change(waldo, table):
    page = _page(waldo, table)

    assert [("Ana", ""), ("Beto", ""), ("Caro", ""), ("Dani", "")] == people(page)
    assert [] == page.every("form")
    links = [link.attrs["href"] for link in page.only("main").every("a")]
    assert [
        "/",
        *(reverse(name, args=[table.code]) for name in ("games", "season", "claims", "table-settings")),
    ] == links


def test_the_books_are_one_tap_away_for_whoever_may_see_them(ana, waldo, table):
    def links(client):
        return {link.attrs["href"] for link in _page(client, table).only("main").every("a")}

    books = {reverse("accounts", args=[table.code])}
    assert (books, set()) == (books & links(ana), books & links(waldo))
    table.members.filter(slug="beto").update(user=waldo.session["_auth_user_id"], claimed_at=now())
    assert books <= links(waldo)


def test_who_keeps_the_score_may_begin_a_game_and_rename_nobody(phone_of, table):
    user = make_user("tito")
    Grant.objects.create(user=user, table=table, role=Role.SCORER)
    page = _page(phone_of(user), table)

    assert reverse("new-game", args=[table.code]) == page.link("New game")
    assert [] == page.every("form")
    assert "" == people(page)[0][1]


def test_who_plays_no_more_is_not_offered(ana, table):
    table.members.filter(slug="dani").update(retired_at=now())

    assert ["Ana", "Beto", "Caro"] == [name for name, _where in people(_page(ana, table))]


def test_the_first_page_leads_to_the_table(ana, table):
    page = read_page(ana.get("/"))

    assert reverse("table", args=[table.code]) == page.link("Mesa de los jueves")


def test_what_no_night_needs_is_on_another_page(ana, table):
    page = _page(ana, table)

    behind = ("erase-table", "leave-table", "invites", "export-table", "clock", "carry-over")
    led = {link.attrs["href"] for link in page.every("a")}
    assert reverse("table-settings", args=[table.code]) in led
    assert [] == [name for name in behind if reverse(name, args=[table.code]) in led]
    assert [] == page.every("p", id="fingerprint")


# --- members who came back --------------------------------------------------------------------------------


@pytest.fixture
def came_back(table, claims):
    """The grant of a user who is Beto, who had been locked out and came back."""
    user = claims(make_user("beto_himself"), "beto")
    return Grant.objects.create(user=user, table=table, role=Role.WITNESS, returned_at=now())


def test_an_owner_reads_who_came_back_and_removes_them_with_one_tap(ana, table, owner, came_back):
    walker = Walker(ana)
    page = walker.open(reverse("table", args=[table.code]))
    assert "Access restored Beto" in page.only("section", id="returned").text
    page = walker.press("Remove: Beto")

    assert "Without access now: A person without a name" in page.text
    assert role_at(came_back.user, table) is None
    assert [] == _page(ana, table).every("section", id="returned")


def test_who_an_owner_lets_stay_is_named_no_more(ana, table, came_back):
    walker = Walker(ana)
    walker.open(reverse("table", args=[table.code]))
    page = walker.press("Keep their access: Beto")

    assert [] == page.every("section", id="returned")
    assert "Mesa de los jueves" in page.only("h1").text
    assert Role.WITNESS == role_at(came_back.user, table)


def test_nobody_but_an_owner_reads_who_came_back(waldo, phone_of, table, came_back):
    for phone in (waldo, phone_of(came_back.user)):
        assert [] == _page(phone, table).every("section", id="returned")


# --- who owes ---------------------------------------------------------------------------------------------


def debtors(page):
    """Return each debtor's line, and the reminder to send or None."""
    boxes = page.every("div", id="debtors")
    return [
        (
            (row.every("summary") or [row])[0].text,
            next((area.text for area in row.every("textarea")), None),
        )
        for box in boxes
        for row in [*box.every("details"), *box.every("a", class_="tile")]
    ]


def test_an_owner_reads_who_owes_since_when_and_sends_a_reminder(ana, in_english, table, play, who):
    with time_machine.travel("2026-11-05T23:00Z", tick=False):
        play("ana", "beto")
    with time_machine.travel("2026-11-13T04:00Z", tick=False):  # still the night of the 12th
        play("ana", "caro")
    who["ana"].account = "ana.loba.mp"
    who["ana"].save()

    assert [
        ("B Beto since Thu 5 Nov $ 100", "Beto, you owe this at Mesa de los jueves: $ 100 to Ana (ana.loba.mp)"),
        ("C Caro since Thu 12 Nov $ 100", "Caro, you owe this at Mesa de los jueves: $ 100 to Ana (ana.loba.mp)"),
    ] == debtors(_page(ana, table))  # fmt: skip


def test_nobody_is_reminded_of_what_they_say_is_paid_nor_reminds_themselves(
    ana, owner, claims, phone_as, in_english, table, finished, pay
):
    """Beto owes 200 and says it is paid; Caro, who owns the table, owes 100, and Dani says that 40 are paid."""
    claims(owner, "caro")
    for slug, amount in (("beto", 200), ("dani", 40)):
        phone_as(slug)
        pay(slug, "ana", amount, by=table.members.get(slug=slug).user, is_claimed=True)
    rows = dict(debtors(_page(ana, table)))

    assert {
        "B Beto since": None,
        "C Caro since": None,
        "D Dani since": "Dani, you owe this at Mesa de los jueves: $ 60 to Ana",
    } == {text.split(" since")[0] + " since": reminder for text, reminder in rows.items()}
    assert any(text.endswith("reported a part as paid $ 100") for text in rows)


def test_a_creditor_is_never_among_who_owes(ana, table, finished):
    assert ["Beto", "Caro", "Dani"] == [text.split()[1] for text, _reminder in debtors(_page(ana, table))]


def test_nobody_but_an_owner_reads_who_owes(waldo, phone_of, phone_as, table, finished):
    sonia = make_user("sonia")
    Grant.objects.create(user=sonia, table=table, role=Role.SCORER)

    assert [[], [], []] == [
        debtors(_page(phone, table)) for phone in (waldo, phone_of(sonia), phone_as("beto"))
    ]


def test_where_everybody_is_even_nobody_owes(ana, table):
    assert [] == debtors(_page(ana, table))
