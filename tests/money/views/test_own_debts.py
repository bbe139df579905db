"""A reader's own debts with payee, sum and reason, on pages and in what is sent to the group."""

from __future__ import annotations

import pytest
from django.urls import reverse

from games.models import Payment
from tests.factories import confirm_as_member, make_user
from tests.money.story import bare
from tests.reader import Walker, debt_rows, open_page, picture_data

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("in_english")]

WHY_CARO = "Ana pays Caro because Ana owed Beto, who owed Caro."


@pytest.fixture
def phone_of(petrol, client_for):
    """`phone_of("ana")` returns the phone of this member, who has an access for good."""
    petrol.table.language = "en"
    petrol.table.save()

    def open_phone(slug):
        confirm_as_member(user := make_user(f"phone-{slug}"), petrol.member(slug))
        return client_for(user)

    return open_phone


def account_address(table, slug):
    return reverse("account", args=[table.code, slug])


def cards(page):
    return [card.text for card in page.every("section", class_="card stack owed")]


def test_a_debtor_reads_whom_to_pay_how_much_and_why_and_pays_in_one_tap(petrol, phone_of):
    petrol.table.members.filter(slug="caro").update(account="caro.truco.mp")
    walker = Walker(phone_of("ana"))
    page = walker.open(account_address(petrol.table, "ana"))

    assert [
        "C To Caro €11.00 Copy I paid Caro €11.00 Different amount"
        " You pay Caro because you owed Beto, who owed Caro.",
        "B To Beto €8.00 I paid Beto €8.00 Different amount",
    ] == cards(page)
    assert "caro.truco.mp" in [node.attrs.get("value") for node in page.every("input")]
    assert [] == [
        key for key in page.every("button") if "go" in key.attrs["class"].split() and "paid" in key.text
    ]
    page = walker.press("I paid Caro €11.00")
    assert [("ana", "caro", 1100)] == [
        (payment.payer.slug, payment.payee.slug, payment.amount) for payment in Payment.objects.all()
    ]
    [beto] = cards(page)
    assert "B To Beto I paid Beto €8.00" in beto
    assert "btn full go" == page.form_with("I paid Beto €8.00")[1].attrs["class"]


def test_a_creditor_has_the_circle_and_answers_what_is_said_to_be_paid(petrol, phone_of):
    ana, caro = phone_of("ana"), phone_of("caro")
    Walker(ana).open(account_address(petrol.table, "ana"))
    page = open_page(caro, account_address(petrol.table, "caro"))
    assert ([], ["Ana → Caro €11.00"]) == (cards(page), debt_rows(page))
    walker = Walker(ana)
    walker.open(account_address(petrol.table, "ana"))
    walker.press("I paid Caro €11.00")
    walker = Walker(caro)
    page = walker.open(account_address(petrol.table, "caro"))
    assert "Did Ana pay you €11.00?" in page.text
    walker.press("Yes")
    assert account_address(petrol.table, "caro") == walker.address.partition("?")[0]
    assert Payment.objects.get().counts


def test_the_causes_of_a_balance_stand_under_their_sum(petrol, phone_of):
    page = open_page(phone_of("ana"), account_address(petrol.table, "ana"))

    assert "Why adds up to −€19.00" in page.text


def test_the_text_and_the_picture_of_a_person_say_why(petrol, phone_of):
    page = open_page(phone_of("ana"), account_address(petrol.table, "ana"))
    text, picture = bare(page.only("textarea", id="message").text), picture_data(page)

    assert WHY_CARO in text
    assert "Loba won by Beto · Thu 5 Mar: −€10.00 nafta, paid by Beto · Fri 13 Mar: −€9.00" in text
    assert ("Ana owes €19.00", [WHY_CARO, ""]) == (
        bare(picture["title"]), [bare(row["why"]) for row in picture["debts"]["rows"]],
    )  # fmt: skip
    assert ["Loba won by Beto · Thu 5 Mar: −€10.00", "nafta, paid by Beto · Fri 13 Mar: −€9.00"] == [
        bare(note) for note in picture["notes"]
    ]


def test_the_text_of_the_accounts_gains_the_reasons_and_a_picture_when_it_is_opened(petrol, phone_of):
    phone, address = phone_of("beto"), reverse("accounts", args=[petrol.table.code])
    page = open_page(phone, address)
    assert WHY_CARO not in bare(page.only("textarea", id="message").text)
    fuller = open_page(phone, page.only("div", id="group").attrs["data-fuller"])
    text, picture = bare(fuller.only("textarea", id="message").text), picture_data(fuller)

    assert f"Ana → Caro: €11.00 {WHY_CARO} Ana → Beto: €8.00" in text
    assert "Ana: −€19.00 Loba won by Beto · Thu 5 Mar: −€10.00" in text
    assert ["Caro", "Beto", "Ana"] == [row["name"] for row in picture["people"]]
    assert [WHY_CARO, ""] == [bare(row["why"]) for row in picture["debts"]["rows"]]


def test_more_members_than_fit_in_a_message_have_no_reasons_in_it(petrol, phone_of, monkeypatch):
    monkeypatch.setattr("games.money.presenters.money_history.MOST_EXPLAINED", 2)
    page = open_page(phone_of("beto"), reverse("accounts", args=[petrol.table.code]), {"send": ""})
    text = bare(page.only("textarea", id="message").text)

    assert (True, False) == (WHY_CARO in text, "Loba won by Beto" in text)
