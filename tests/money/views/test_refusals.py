"""Refusals of the forms about money: the field, the words, and that nothing typed is lost.

`browser/test_refusals.py` has where any refusal stands on a phone; `tables/views/test_refusals.py` has the refusals
about tables.
"""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.urls import reverse
from django.utils.timezone import now

from games.models import Payment, SharedCost
from games.money.services import starting_balances
from tests.factories import get_last_night, make_table, new_key
from tests.reader import open_page, read_page

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("in_english")]

# --- a field ----------------------------------------------------------------------------------------------------------

PAYMENT = {"payer": "beto", "payee": "ana", "amount": "150", "method": "cash", "note": ""}
COST = {"payer": "beto", "amount": "10.001", "note": "pizza", "for-ana": "yes"}
BALANCES = {"amount-ana": "70", "amount-beto": "70", "side-beto": "owes"}
AMOUNT, BALANCE = "Enter the amount paid, such as $1,500.", "Write an amount, such as $1,500."
NO_CENTS = (
    "This table has no cents: enter a whole amount. Owners can see its smallest coin in the table settings."
)
DAY, TOO_EARLY, TOO_LATE = (
    "Write the day like this: 2024-05-31.",
    "That day is before this table was created.",
    "That day is in the future.",
)
FIELDS = [
    ("pay", "payer", "", "payer", "Choose who paid."),
    ("pay", "payee", "", "payee", "Choose who was paid."),
    ("pay", "payee", "beto", "payee", "Payer and payee are the same: choose two people."),
    ("pay", "amount", "0", "amount", AMOUNT),
    ("pay", "amount", "150.5.0", "amount", AMOUNT),
    ("pay", "amount", "150.50", "amount", NO_CENTS),
    (
        *("pay", "amount", "9" * 16, "amount"),
        "A payment must be more than zero and at most $999,999,999,999,999.",
    ),
    ("pay", "method", "cheque", "method", "Choose how it was paid."),
    ("pay", "note", "x" * 201, "note", "At most 200 characters fit here."),
    ("pay", "day", "ayer", "day", DAY),
    ("pay", "day", "2020-01-01", "day", TOO_EARLY),
    ("share-cost", "amount", "x", "amount", AMOUNT),
    ("share-cost", "amount", "37.50", "amount", NO_CENTS),
    (
        *("share-cost", "amount", "9" * 16, "amount"),
        "An expense must be more than zero and at most $999,999,999,999,999.",
    ),
    ("share-cost", "payer", "zoe", "payer", "Choose who paid."),
    ("share-cost", "payer", "ana", "for-ana", "Choose at least one person besides the payer."),
    ("share-cost", "for-ana", "", "for-ana", "Choose who it was for."),
    ("share-cost", "note", "x" * 201, "note", "At most 200 characters fit here."),
    ("share-cost", "night", "yesterday", "night", DAY),
    ("share-cost", "night", "1999-12-31", "night", "That day is before the year 2000."),
    ("share-cost", "night", "2090-01-01", "night", TOO_LATE),
    *(("opening-balances", "amount-ana", typed, "amount-ana", BALANCE) for typed in ("mucho", "-5")),
    ("opening-balances", "amount-ana", "1,5", "amount-ana", NO_CENTS),
]


def test_a_wrong_field_is_refused_beside_it_and_all_that_was_typed_is_kept(subtests, ana, table, finished):
    forms = {
        "pay": ("Record the payment", PAYMENT),
        "share-cost": ("Record the expense", {**COST, "night": get_last_night(table).isoformat()}),
        "opening-balances": ("Save", BALANCES),
    }
    for name, field, value, place, sentence in FIELDS:
        with subtests.test(form=name, field=field, value=value):
            button, usual = forms[name]
            data = {name: text for name, text in {**usual, field: value, "key": new_key()}.items() if text}
            response = ana.post(reverse(name, args=[table.code]), data)
            form, _button = read_page(response).form_with(button)
            wrong = [part.text for part in form.every("span", class_="wrong")]

            assert (422, [sentence], sentence) == (response.status_code, wrong, form.said_at(place))
            for other_field in usual.keys() - {field, "method", "night"}:
                assert data.get(other_field, "") == form.fields.get(other_field, "")
            assert (0, 0) == (Payment.objects.count(), SharedCost.objects.count())
            assert not starting_balances.list_valid(table).exists()


def test_too_long_an_alias_or_an_objection_is_refused_beside_its_field(ana, client_as, table, finished, pay):
    payment = pay("beto", "ana", 200)
    for phone, address, field, most, data in [
        (ana, reverse("account", args=[table.code, "beto"]), "account", 80, {}),
        (
            *(client_as("ana"), reverse("payment", args=[table.code, payment.pk]), "objection", 200),
            {"act": "dispute"},
        ),
    ]:
        response = phone.post(address, {**data, field: "x" * (most + 1)})
        page = read_page(response)

        assert (422, f"At most {most} characters fit here.") == (response.status_code, page.said_at(field))
        assert "x" * (most + 1) == page.typed(field)


def test_whoever_takes_back_a_payment_later_says_why(ana, table, finished, pay, time_machine):
    payment = pay("beto", "ana", 50)
    address = reverse("payment", args=[table.code, payment.pk])
    time_machine.move_to(now() + timedelta(days=3))
    page = read_page(response := ana.post(address, {"act": "take-back"}))
    assert (422, "Say why you're voiding it.") == (response.status_code, page.said_at("reason"))
    accounts_page = read_page(response := ana.post(address, {"act": "take-back", "page": ""}))
    assert (422, ["Say why you're voiding it."]) == (response.status_code, accounts_page.alerts)
    ana.post(address, {"act": "take-back", "reason": "era de otra mesa"})

    payment.refresh_from_db()
    assert (False, "era de otra mesa") == (payment.counts, payment.reason)


def test_a_running_game_was_not_paid_on_the_spot(ana, game):
    assert 422 == ana.post(reverse("spot", args=[game.code]), {"paid": "yes"}).status_code


# --- an address -------------------------------------------------------------------------------------------------------


def test_a_person_a_night_a_payment_or_a_cost_that_the_table_lacks_is_a_404(
    subtests, ana, owner, table, finished, pay, share
):
    other = make_table(owner, name="Otra")
    payment, cost = pay("beto", "ana", 5), share("ana", 5, "beto")
    for code, name, part in [
        (table.code, "account", "zoe"),
        *((table.code, "night", night) for night in ("2020-11-18", "2026-13-01", "yesterday", "20261119")),
        (other.code, "payment", payment.pk),
        *((table.code, "payment", number) for number in (payment.pk + 1, 10**30)),
        (other.code, "cost", cost.pk),
        *((table.code, "cost", number) for number in (cost.pk + 1, 10**19)),
    ]:
        with subtests.test(name=name, part=part):
            assert 404 == ana.get(reverse(name, args=[code, part])).status_code


def test_any_page_number_of_the_movements_is_answered(ana, table, finished):
    accounts = reverse("accounts", args=[table.code])

    assert {200} == {
        ana.get(f"{accounts}?page={page}").status_code for page in ("0", "x", "-1", "9" * 40, "7")
    }
    assert "?page=6" == open_page(ana, f"{accounts}?page=7").link("Newer")
