"""The form of a payment: its fields, the values that a refusal leaves in them, and double taps."""

from __future__ import annotations

import re
from datetime import timedelta

import pytest
from django.urls import reverse
from django.utils.timezone import now

from games.models import Method, Payment
from games.money import payments, ticks
from games.money.balances import balances_of
from games.scoring.ledger import Transfer
from games.shown.common.sentences import translate
from games.shown.common.typed import NO_CENTS
from tests.reader import Walker, fields, read_page
from tests.tables import a_key, make_table, make_user, start

pytestmark = pytest.mark.django_db

PAYMENT = {"payer": "beto", "payee": "ana", "amount": "150", "method": "cash", "note": ""}


def address(table):
    return reverse("pay", args=[table.code])


def post(client, table, **changed):
    return client.post(address(table), fields(**{**PAYMENT, "key": a_key(), **changed}))


def test_an_owner_records_a_payment_from_the_accounts_page(ana, table, finished):
    walker = Walker(ana)
    walker.open(reverse("accounts", args=[table.code]))
    walker.follow("Record a payment")
    walker.press("Record it", payer="beto", payee="ana", amount="150", method="transfer", note="por la pizza")

    payment = Payment.objects.get()
    assert ("beto", "ana", 150, "transfer", "por la pizza", "ana") == (
        payment.payer.slug,
        payment.payee.slug,
        payment.amount,
        payment.method,
        payment.note,
        payment.recorded_by.username,
    )
    assert ["Recorded: Beto → Ana, $ 150"] == walker.page.notices
    assert -50 == balances_of(table)["beto"]


def test_another_payment_with_the_same_idempotency_key_gets_409_and_keeps_the_typed_values(
    ana, table, finished
):
    post(ana, table, key="tap")
    response = post(ana, table, key="tap", amount="151")
    page = read_page(response)

    assert 409 == response.status_code
    assert ["This form already recorded another payment. Check the payments."] == page.alerts
    assert "151" == page.typed("amount")
    assert 1 == Payment.objects.count()


def test_an_invalid_field_is_refused_beside_it_and_the_other_values_are_kept(subtests, ana, table):
    for field, value, sentence in [
        ("payer", "", "Choose who paid."),
        ("payee", "", "Choose who was paid."),
        ("payee", "beto", "Payer and payee are the same: choose two people."),
        ("amount", "150.5.0", "Enter the amount paid, such as $ 1,500."),
        ("amount", "150.50", translate(NO_CENTS)),
        ("amount", "9" * 16, "A payment must be more than zero and at most $ 999,999,999,999,999."),
        ("method", "cheque", "Choose how it was paid."),
        ("note", "x" * 201, "At most 200 characters fit here."),
    ]:
        with subtests.test(field=field, value=value):
            response = post(ana, table, **{field: value})
            page = read_page(response)

            assert 422 == response.status_code
            assert sentence == page.said_at(field)
            for kept in {"payer", "payee", "amount", "note"} - {field}:
                assert PAYMENT[kept] == page.typed(kept)
            assert 0 == Payment.objects.count()


def test_all_missing_fields_are_reported_at_once(ana, table):
    page = read_page(ana.post(address(table), {"key": a_key()}))

    assert all(page.said_at(field) for field in ("payer", "payee", "amount", "method"))


@pytest.mark.parametrize(("typed", "amount"), [("1.500", 150000), ("10,50", 1050), ("7", 700)])
def test_an_amount_with_cents_is_parsed_in_the_users_notation(phone_of, owner, typed, amount):
    table = make_table(owner, name="Con centavos")
    type(table).objects.filter(pk=table.pk).update(decimals=2)
    post(phone_of(owner, language="es-AR"), table, amount=typed, sure=f"beto ana {amount}")

    assert amount == Payment.objects.get().amount


def test_query_parameters_prefill_the_form_and_record_nothing(ana, table):
    page = read_page(ana.get(f"{address(table)}?payer=beto&payee=ana&amount=200&method=transfer&key=x"))

    assert ("beto", "ana", "200", "transfer") == tuple(
        page.typed(field) for field in ("payer", "payee", "amount", "method")
    )
    assert "x" != page.typed("key")
    assert 0 == Payment.objects.count()


# --- payments that need a second confirmation -------------------------------------------------------------------------


def confirmation_question(page):
    (box,) = page.every("p", id="asked")
    return box.text


def test_an_equal_forgiven_debt_within_the_hour_asks_for_confirmation_and_does_not_call_the_first_paid(
    ana, table, finished, pay
):
    pay("beto", "ana", 100, method=Method.FORGIVEN)
    walker = Walker(ana)
    walker.open(address(table))
    walker.press("Record it", payer="beto", payee="ana", amount="100", method="forgiven")

    assert re.fullmatch(
        r"At \d\d:\d\d, \$ 100 of what Beto owed Ana was forgiven\. Is this another payment\?",
        confirmation_question(walker.page),
    )


def test_an_equal_payment_within_the_hour_asks_for_confirmation_and_is_then_recorded(
    ana, table, finished, pay
):
    before = pay("beto", "ana", 100)
    walker = Walker(ana)
    walker.open(address(table))
    walker.press(
        "Record it", payer="beto", payee="ana", amount="100", method="transfer", note="la otra mitad"
    )

    assert re.fullmatch(
        r"This was already recorded at \d\d:\d\d: Beto paid Ana \$ 100\. Was it paid again\?",
        confirmation_question(walker.page),
    )
    assert [before] == list(table.payments.all())
    walker.press("Yes, record it")
    assert ["Recorded: Beto → Ana, $ 100"] == walker.page.notices
    assert ["la otra mitad", ""] == list(table.payments.values_list("note", flat=True))


def test_a_payment_equal_to_one_ticked_off_at_a_game_asks_for_confirmation(ana, table, owner, finished):
    ticks.tick(finished, Transfer("beto", "ana", 200), after=6, key=a_key(), by=owner)

    assert 422 == post(ana, table, amount="200").status_code
    assert 1 == Payment.objects.count()


@pytest.mark.parametrize(
    ("earlier", "amount", "cancelled"), [(61, 100, False), (5, 101, False), (5, 100, True)]
)
def test_a_different_an_older_or_a_cancelled_payment_needs_no_confirmation(
    ana, table, finished, owner, pay, earlier, amount, cancelled
):
    before = pay("beto", "ana", 100, at=now() - timedelta(minutes=earlier))
    if cancelled:
        payments.take_back(before, by=owner)

    assert 302 == post(ana, table, amount=str(amount)).status_code


@pytest.mark.parametrize(
    ("payer", "amount", "sentence"),
    [
        ("beto", "401", "Beto owes only $ 200. Was $ 401 really paid?"),
        ("ana", "1", "Ana owes nothing. Was $ 1 paid anyway?"),
    ],
)
def test_a_payment_of_more_than_twice_the_debt_asks_for_confirmation(
    ana, table, finished, payer, amount, sentence
):
    response = post(ana, table, payer=payer, payee="caro", amount=amount)

    assert 422 == response.status_code
    assert sentence == confirmation_question(read_page(response))
    assert 0 == Payment.objects.count()
    assert 302 == post(ana, table, amount="400").status_code


def test_the_confirmation_of_one_payment_does_not_count_for_another(ana, table, finished):
    page = read_page(post(ana, table, amount="500"))
    form, button = page.form_with("Yes, record it")
    yes = {**form.fields, button.attrs["name"]: button.attrs["value"]}
    response = ana.post(address(table), {**yes, "amount": "5000"})

    assert "Was $ 5,000 really paid?" in confirmation_question(read_page(response))
    assert 0 == Payment.objects.count()


def test_answering_no_leads_back_and_records_nothing(ana, table, finished):
    page = read_page(post(ana, table, amount="500"))
    assert reverse("accounts", args=[table.code]) == page.link("No")

    page = read_page(post(ana, table, amount="500", game=finished.code))
    assert reverse("settlement", args=[finished.code]) == page.link("No")
    assert 0 == Payment.objects.count()


def test_a_payment_for_a_game_redirects_to_its_settlement_unless_the_game_is_of_another_table(
    ana, table, finished
):
    other = start(make_table(make_user("otra"), name="Otra"), make_user("nadie"))

    assert post(ana, table, game=finished.code).url.startswith(reverse("settlement", args=[finished.code]))
    assert post(ana, table, game=other.code, amount="20").url.startswith(
        reverse("accounts", args=[table.code])
    )


def test_the_confirmation_replaces_the_whole_page_of_a_partial_request(ana, table, finished):
    part = {"hx-request": "true", "hx-target": "owed"}
    sent = {**PAYMENT, "key": a_key(), "game": finished.code}
    question = ana.post(address(table), {**sent, "amount": "5000"}, headers=part)
    result = ana.get(reverse("settlement", args=[finished.code]), headers=part)

    assert ("#main", "#main") == (question["HX-Retarget"], question["HX-Reselect"])
    assert "HX-Retarget" not in result
