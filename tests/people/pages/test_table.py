"""The first page of a table: its members, its links, and an owner's tasks."""

from __future__ import annotations

import pytest
import time_machine
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


def test_an_owner_sees_each_member_with_a_link_to_their_page(ana, table):
    assert [
        ("Ana", f"/t/{table.code}/members/ana/"),
        ("Beto", f"/t/{table.code}/members/beto/"),
        ("Caro", f"/t/{table.code}/members/caro/"),
        ("Dani", f"/t/{table.code}/members/dani/"),
    ] == people(_page(ana, table))


def test_each_member_has_a_colour_and_an_initial(ana, table):
    faces = [(face.attrs["data-colour"], face.text) for face in _page(ana, table).every("span", class_="av")]

    assert [("1", "A"), ("2", "B"), ("3", "C"), ("4", "D")] == faces


def test_a_witness_sees_the_members_without_forms_or_links_to_change_them(waldo, table):
    page = _page(waldo, table)

    assert [("Ana", ""), ("Beto", ""), ("Caro", ""), ("Dani", "")] == people(page)
    assert [] == page.every("form")
    links = [link.attrs["href"] for link in page.only("main").every("a")]
    assert [
        "/",
        *(reverse(name, args=[table.code]) for name in ("games", "season", "claims", "table-settings")),
    ] == links


def test_the_page_links_to_the_accounts_for_owners_and_confirmed_members(ana, waldo, table):
    def links(client):
        return {link.attrs["href"] for link in _page(client, table).only("main").every("a")}

    books = {reverse("accounts", args=[table.code])}
    assert (books, set()) == (books & links(ana), books & links(waldo))
    table.members.filter(slug="beto").update(user=waldo.session["_auth_user_id"], claimed_at=now())
    assert books <= links(waldo)


def test_a_scorer_can_start_a_game_but_not_rename_members(phone_of, table):
    user = make_user("tito")
    Grant.objects.create(user=user, table=table, role=Role.SCORER)
    page = _page(phone_of(user), table)

    assert reverse("new-game", args=[table.code]) == page.link("New game")
    assert [] == page.every("form")
    assert "" == people(page)[0][1]


def test_a_retired_member_is_not_listed(ana, table):
    table.members.filter(slug="dani").update(retired_at=now())

    assert ["Ana", "Beto", "Caro"] == [name for name, _where in people(_page(ana, table))]


def test_the_home_page_links_to_the_table(ana, table):
    page = read_page(ana.get("/"))

    assert reverse("table", args=[table.code]) == page.link("Mesa de los jueves")


def test_links_to_manage_the_table_are_on_the_settings_page_only(ana, table):
    page = _page(ana, table)

    behind = ("erase-table", "leave-table", "invites")
    led = {link.attrs["href"] for link in page.every("a")}
    assert reverse("table-settings", args=[table.code]) in led
    assert [] == [name for name in behind if reverse(name, args=[table.code]) in led]


# --- debtors ----------------------------------------------------------------------------------------------


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


@pytest.mark.usefixtures("in_2026")
def test_an_owner_sees_each_debtor_with_the_day_and_a_reminder_to_send(ana, in_english, table, play, who):
    with time_machine.travel("2026-11-05T23:00Z", tick=False):
        play("ana", "beto")
    with time_machine.travel("2026-11-13T04:00Z", tick=False):  # still the night of the 12th
        play("ana", "caro")
    who["ana"].account = "ana.loba.mp"
    who["ana"].save()

    with time_machine.travel("2026-11-25T15:00Z", tick=False):
        shown = debtors(_page(ana, table))
    rest = "you owe this at Mesa de los jueves (Wed 25 Nov, 12:00): $ 100 to Ana (ana.loba.mp)"
    assert [
        ("B Beto since Thu 5 Nov $ 100", f"Beto, {rest}"),
        ("C Caro since Thu 12 Nov $ 100", f"Caro, {rest}"),
    ] == shown


def test_reminders_leave_out_claimed_payments_and_the_owner_themselves(
    ana, owner, claims, phone_as, in_english, table, finished, pay
):
    """Beto owes 200 and claims to have paid it; Caro, the owner, owes 100; Dani claims to have paid 40."""
    claims(owner, "caro")
    phone_as("ana")
    for slug, amount in (("beto", 200), ("dani", 40)):
        phone_as(slug)
        pay(slug, "ana", amount, by=table.members.get(slug=slug).user)
    rows = dict(debtors(_page(ana, table)))

    assert {
        "B Beto since": None,
        "C Caro since": None,
        "D Dani since": "$ 60 to Ana",
    } == {
        text.split(" since")[0] + " since": reminder and reminder.partition("): ")[2]
        for text, reminder in rows.items()
    }
    assert any(text.endswith("says a part is paid $ 100") for text in rows)


def test_a_creditor_is_not_listed_as_a_debtor(ana, table, finished):
    assert ["Beto", "Caro", "Dani"] == [text.split()[1] for text, _reminder in debtors(_page(ana, table))]


def test_only_an_owner_sees_the_debtors(waldo, phone_of, phone_as, table, finished):
    sonia = make_user("sonia")
    Grant.objects.create(user=sonia, table=table, role=Role.SCORER)

    assert [[], [], []] == [
        debtors(_page(phone, table)) for phone in (waldo, phone_of(sonia), phone_as("beto"))
    ]


def test_without_debts_no_debtors_are_listed(ana, table):
    assert [] == debtors(_page(ana, table))
