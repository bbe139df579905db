"""The page of one member's account: the statement, their debts, the alias, and retiring the member."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User
from django.urls import reverse
from django.utils.timezone import now

from games.common import days
from games.models import Member
from games.money.services import cash_settlement, payments
from games.play.services import recording
from games.scoring.events import Corrected
from games.tables.services import membership
from tests.factories import build_round, load_balances
from tests.reader import Walker, open_page, parse_whole_number

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("in_english")]


def address(table, slug, name="account"):
    return reverse(name, args=[table.code, slug])


def account_page(client, table, slug):
    return open_page(client, address(table, slug))


def entry_rows(page):
    """Return the title, the amount and the balance of each entry of the statement, in order."""
    rows = page.only("div", id="entries").every("a")
    return [
        (
            row.only("span", class_="grow").only("b").text,
            parse_whole_number(row.only("span", class_="moved").every("b")[0].text),
            parse_whole_number(row.only("span", class_="moved").only("span", class_="sub").text),
        )
        for row in rows
    ]


def test_the_statement_lists_what_moved_the_balance_oldest_first(
    ana, table, finished, play, write, pay, owner
):
    pay("beto", "ana", 150)
    payments.void(pay("beto", "ana", 30), by=owner)
    write(finished, Corrected(6, build_round("beto", ana=101, dani=101)))
    recording.discard_game(play("beto", "caro"))
    page = account_page(ana, table, "beto")
    tonight = days.format_day(days.night_for(now(), table))

    assert [
        ("Loba de Menos won by Beto", -200, -200),
        ("Payment to Ana, no. 1", 150, -50),
        ("Payment to Ana, no. 2", 30, -20),
        (f"Payment to Ana, voided {tonight}", -30, -50),
        (f"Loba de Menos won by Beto, corrected {tonight}", 500, 450),
        ("Loba de Menos", 100, 550),
        (f"Loba de Menos, deleted {tonight}", -100, 450),
    ] == entry_rows(page)
    assert "B Beto is owed $450" == page.only("div", id="balance").text
    assert load_balances(table)["beto"] == entry_rows(page)[-1][2]
    assert (
        reverse("settlement", args=[finished.code])
        == page.only("div", id="entries").every("a")[0].attrs["href"]
    )


def test_what_was_put_on_the_table_or_is_owed_again_is_told_apart_from_the_game(ana, table, finished, owner):
    cash_settlement.mark_paid(finished, by=owner)
    cash_settlement.unmark_paid(finished, by=owner)

    assert [
        ("Loba de Menos won by Ana", -200, -200),
        ("Loba de Menos won by Ana, paid on the spot, no. 1", 200, 0),
        ("Loba de Menos won by Ana, paid on the spot, no. 2", -200, -200),
    ] == entry_rows(account_page(ana, table, "beto"))


def test_a_long_statement_shows_its_newest_page_first_and_adds_up_over_all_pages(ana, table, pay):
    for _ in range(32):
        pay("beto", "ana", 1)
    walker = Walker(ana)
    newest = walker.open(address(table, "beto"))
    older = walker.open(f"{address(table, 'beto')}{newest.link('Older')}")

    assert [1, 2] == [balance for _title, _amount, balance in entry_rows(older)]
    assert [*range(3, 33)] == [balance for _title, _amount, balance in entry_rows(newest)]
    assert "Before that +$2" in newest.only("div", id="entries").text
    assert "?page=1" == older.link("Newer")


def test_the_account_of_a_merged_member_redirects_to_the_member_merged_into(ana, table, finished):
    Member.objects.filter(slug="caro").update(merged_into=table.members.get(slug="dani"))

    assert address(table, "dani") == ana.get(address(table, "caro")).url
    assert "Dani owes $200" in account_page(ana, table, "dani").only("main").text
    assert 404 == ana.post(address(table, "caro"), {"account": "caro.mp"}).status_code


# --- the alias --------------------------------------------------------------------------------------------------------


def test_members_change_only_their_own_payment_details_which_others_read(waldo, table, confirm_as):
    confirm_as(User.objects.get(username="waldo"), "beto")
    membership.set_payment_details(table.members.get(slug="ana"), "ana.mp")
    page = account_page(waldo, table, "ana")

    assert (True, []) == ("ana.mp" in page.only("main").text, page.every("form"))
    assert 302 == waldo.post(address(table, "beto"), {"account": "beto.mp"}).status_code
    assert 403 == waldo.post(address(table, "ana"), {"account": "beto.mp"}).status_code
    assert ["ana.mp", "beto.mp"] == [member.account for member in table.members.all()[:2]]


def test_a_retired_members_debts_stay(ana, table, finished):
    before = load_balances(table)
    membership.retire(table.members.get(slug="dani"))
    page = account_page(ana, table, "dani")

    assert "no longer plays" in page.only("h1").text
    assert "$100" in page.only("section", id="debts").text
    assert before == load_balances(table)
    balances = open_page(ana, reverse("accounts", args=[table.code])).only("div", id="balances")
    assert "no longer plays" in balances.text
