"""The page of one member's account: its entries, the alias, and retiring the member."""

from __future__ import annotations

import pytest
from django.urls import reverse

from games.models import Grant, Member, Role
from games.money import holders, payments
from games.money.balances import balances_of
from games.scoring.events import Corrected
from tests.reader import Walker, open_page, read_page, whole_number
from tests.tables import a_key, a_round, make_user, start

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("in_english")]


def address(table, slug, name="account"):
    return reverse(name, args=[table.code, slug])


def shown(client, table, slug):
    return open_page(client, address(table, slug))


def entries(page):
    """Return title, amount and balance of each entry of the account, newest first."""
    rows = page.only("div", id="entries").every("a")
    return [
        (
            row.every("b")[0].text,
            whole_number(row.only("span", class_="moved").every("b")[0].text),
            whole_number(row.only("span", class_="moved").only("span", class_="sub").text),
        )
        for row in rows
    ]


def test_the_account_lists_every_game_and_payment_behind_the_balance(ana, table, finished, pay):
    pay("beto", "ana", 150)
    page = shown(ana, table, "beto")

    assert [("Beto → Ana", 150, -50), ("Loba de Menos", -200, -200)] == entries(page)
    assert "Beto owes $ 50" in page.only("main").text
    parts = [
        (row.only("dt").text, whole_number(row.only("dd").text))
        for row in page.only("dl", id="made-of").every("div")
    ]
    assert [("1 game", -200), ("Paid", 150), ("Balance", -50)] == parts


def test_each_game_in_the_account_links_to_its_settlement(ana, table, finished):
    (link,) = shown(ana, table, "ana").only("div", id="entries").every("a")

    assert reverse("settlement", args=[finished.code]) == link.attrs["href"]


def test_a_payment_taken_back_is_listed_but_does_not_change_the_balance(ana, table, owner, finished, pay):
    payments.take_back(pay("beto", "ana", 30), by=owner)
    page = shown(ana, table, "beto")

    assert [("Beto → Ana", 30, -200), ("Loba de Menos", -200, -200)] == entries(page)
    assert "taken back" in page.only("div", id="entries").text


def test_a_long_account_is_paginated_with_running_balances(ana, table, pay):
    for _ in range(32):
        pay("beto", "ana", 1)
    walker = Walker(ana)
    page = walker.open(address(table, "beto"))
    assert (30, 32, 3) == (len(entries(page)), entries(page)[0][2], entries(page)[-1][2])
    page = walker.open(f"{address(table, 'beto')}{page.link('Older')}")

    assert [("Beto → Ana", 1, 2), ("Beto → Ana", 1, 1)] == entries(page)
    assert "?page=1" == page.link("Newer")


def test_the_account_of_a_merged_member_redirects_to_the_member_merged_into(ana, table, finished):
    Member.objects.filter(slug="caro").update(merged_into=table.members.get(slug="dani"))
    response = ana.get(address(table, "caro"))

    assert address(table, "dani") == response.url
    assert "Dani owes $ 200" in shown(ana, table, "dani").only("main").text


def test_saving_payment_details_of_a_merged_member_is_a_404(ana, table):
    Member.objects.filter(slug="caro").update(merged_into=table.members.get(slug="dani"))
    response = ana.post(address(table, "caro", "set-account"), {"account": "caro.mp"})

    assert (404, "") == (response.status_code, table.members.get(slug="caro").account)


def test_the_account_of_an_unknown_member_is_a_404(ana, table):
    assert 404 == ana.get(address(table, "zoe")).status_code
    assert 404 == ana.post(address(table, "zoe", "retire"), {"key": a_key()}).status_code


# --- the alias --------------------------------------------------------------------------------------------------------


def test_an_owner_saves_a_members_payment_details(ana, table):
    walker = Walker(ana)
    walker.open(address(table, "beto"))
    walker.press("Save", account="beto.mp")

    assert "beto.mp" == table.members.get(slug="beto").account
    assert "beto.mp" == walker.page.typed("account")


def test_too_long_payment_details_are_refused_and_stay_in_the_form(ana, table):
    response = ana.post(address(table, "beto", "set-account"), {"account": "x" * 81})
    page = read_page(response)

    assert 422 == response.status_code
    assert "At most 80 characters fit here." in page.only("main").text
    assert "x" * 81 == page.typed("account")


def test_a_scorer_reads_payment_details_but_cannot_change_them(phone_of, table):
    scorer = make_user("sonia")
    Grant.objects.create(user=scorer, table=table, role=Role.SCORER)
    holders.set_account(table.members.get(slug="beto"), "beto.mp")
    phone = phone_of(scorer)

    assert "beto.mp" in shown(phone, table, "beto").only("main").text
    assert [] == shown(phone, table, "beto").every("form")
    assert 403 == phone.post(address(table, "beto", "set-account"), {"account": "mine.mp"}).status_code


def test_members_change_only_their_own_payment_details(waldo, table, claims):
    claims(waldo.session["_auth_user_id"], "beto")

    assert 302 == waldo.post(address(table, "beto", "set-account"), {"account": "beto.mp"}).status_code
    assert 403 == waldo.post(address(table, "ana", "set-account"), {"account": "beto.mp"}).status_code
    assert ["", "beto.mp"] == [member.account for member in table.members.filter(slug__in=["ana", "beto"])]


# --- retiring a member ------------------------------------------------------------------------------------------------


def test_a_member_with_a_zero_balance_is_retired_and_comes_back(ana, table):
    walker = Walker(ana)
    walker.open(address(table, "dani"))
    walker.press("Remove from the next games")
    assert "no longer plays" in walker.page.only("h1").text
    walker.press("Dani plays again")

    assert table.members.active().filter(slug="dani").exists()


def test_retiring_a_member_writes_off_the_debt_that_the_page_showed(ana, table, finished):
    walker = Walker(ana)
    page = walker.open(address(table, "dani"))
    assert "Dani → Ana: $ 100" in page.only("main").text
    walker.press("Write off $ 100 and remove")

    assert {"ana": 300, "beto": -200, "caro": -100, "dani": 0} == balances_of(table)
    assert [("Dani → Ana", 100, 0), ("Loba de Menos", -100, -100)] == entries(walker.page)


def test_a_write_off_of_a_balance_that_has_changed_is_refused_with_409(ana, table, finished, pay):
    walker = Walker(ana)
    walker.open(address(table, "dani"))
    pay("dani", "ana", 40)
    walker.press("Write off $ 100 and remove")

    assert 409 == walker.status
    assert ["Not recorded: the accounts have changed. These are the balances now."] == walker.page.notices
    assert "Write off $ 60 and remove" in walker.page.only("main").text
    assert table.members.active().filter(slug="dani").exists()


@pytest.mark.parametrize("slug", ["ana", "dani"])
def test_a_member_with_an_unconfirmed_payment_cannot_be_retired(ana, table, finished, pay, claims, slug):
    claims(make_user("ana_herself"), "ana")
    pay("dani", "ana", 100, by=claims(make_user("dani_himself"), "dani"))
    balance = balances_of(table)[slug]
    response = ana.post(address(table, slug, "retire"), {"key": a_key(), "written_off": str(balance)})
    fold = read_page(response).every("details", class_="fold")[-1]

    assert (422, True) == (response.status_code, "open" in fold.attrs)
    assert "is still unconfirmed: confirm or dispute it first." in fold.text
    assert [] == read_page(response).alerts
    assert table.members.active().filter(slug=slug).exists()


def test_a_write_off_of_an_invalid_amount_gets_409(subtests, ana, table, finished):
    for typed in ["", "x", "1e3", "--5", "9" * 40]:
        with subtests.test(typed=typed):
            response = ana.post(address(table, "dani", "retire"), {"key": a_key(), "written_off": typed})

            assert 409 == response.status_code
            assert 0 == table.payments.count()


def test_a_retired_member_with_a_balance_again_is_shown_on_the_accounts_page(ana, table, owner, write):
    game = start(table, owner, stake=100)
    write(game, a_round("ana", beto=101, caro=101, dani=101))
    holders.retire(table.members.get(slug="dani"), written_off=-100, key=a_key(), by=owner)
    write(game, Corrected(2, a_round("dani", ana=101, beto=101, caro=101)))
    page = read_page(ana.get(reverse("accounts", args=[table.code])))

    assert "no longer plays" in page.only("div", id="balances").text


# --- a reminder to send -----------------------------------------------------------------------------------------------


def reminder(client, table, slug):
    """Return the text of the reminder to this member, None if the page offers none."""
    page = read_page(client.get(reverse("account", args=[table.code, slug])))
    return next((box.text for box in page.every("textarea", id="reminder")), None)


def test_a_reminder_names_the_debt_the_creditor_and_their_payment_details(ana, table, finished, pay, who):
    holders.set_account(who["ana"], "ana.loba.mp")
    pay("beto", "ana", 50)

    assert "Beto, you owe this at Mesa de los jueves: $ 150 to Ana (ana.loba.mp)" == reminder(
        ana, table, "beto"
    )
    assert reminder(ana, table, "ana") is None, "who owes nothing is not reminded"


def test_a_reminder_leaves_out_claimed_payments_and_is_never_offered_to_oneself(
    ana, waldo, table, finished, pay, claims
):
    user, _anas = claims(make_user("beto_himself"), "beto"), claims(make_user("ana_herself"), "ana")
    pay("beto", "ana", 120, by=user)
    assert "$ 80 to Ana" in reminder(ana, table, "beto")
    pay("beto", "ana", 80, by=user)

    assert reminder(ana, table, "beto") is None
    claims(table.grants.get(role="witness").user, "caro")
    assert reminder(waldo, table, "caro") is None
    assert reminder(waldo, table, "dani") is not None
