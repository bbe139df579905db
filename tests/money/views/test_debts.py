"""The forms of the list of debts: settling, unconfirmed payments and refusals; and the table's habit.

`browser/test_debts.py` has the taps on the list; `money/test_debts.py` has the services and the ledger;
`scoring/test_debts.py` has the law of debts without a database.
"""

from __future__ import annotations

import pytest
from django.test.utils import override_script_prefix
from django.urls import reverse

from games.common import request_handling
from games.models import Payment, PaymentState
from games.money.services import accounting
from tests.factories import get_last_night
from tests.reader import Walker, read_page

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("in_english")]


@pytest.fixture
def fields(table, finished):
    """The fields of the form on the result page that settles Beto's debt to Ana."""
    page = reverse("settlement", args=[finished.code])
    debt = next(
        candidate for candidate in accounting.load_accounts(table).debts if candidate.payer.slug == "beto"
    )
    version = {"version": debt.version, "claims": debt.claims}
    return {"payer": "beto", "payee": "ana", **version, "page": page}


@pytest.fixture
def tick(table, fields):
    """`tick(phone, claims="1")` posts the form from this phone, with these fields changed."""

    def post(phone, **changes):
        return phone.post(reverse("tick", args=[table.code]), {**fields, **changes})

    return post


def payment_states():
    return [payment.state for payment in Payment.objects.order_by("pk")]


def test_a_tick_leads_back_to_its_page_which_names_it(ana, tick, fields):
    response = tick(ana)

    assert f"{fields['page']}?done={Payment.objects.get().pk}#debts" == response.url


def test_in_a_folder_the_page_of_a_tick_is_found_below_the_folders_path():
    with override_script_prefix("/cards/anotador/"):
        page = request_handling.resolve_path("/cards/anotador/t/abc/accounts/")
        assert page is not None
        assert "accounts" == page.url_name
        assert request_handling.resolve_path("/t/abc/accounts/") is None


def test_a_tick_leads_to_no_other_page_than_those_with_the_list(rollback_subtest, ana, table, tick):
    for page in ("", "https://evil.example/", "/t/x/", "/nowhere/", "//evil.example/t/"):
        with rollback_subtest(page):
            assert tick(ana, page=page).url.startswith(f"{reverse('accounts', args=[table.code])}?done=")


def test_a_tick_of_a_debt_that_has_changed_or_with_wrong_fields_shows_the_present_list_on_its_page(
    subtests, ana, table, finished, tick, pay
):
    pay("beto", "ana", 50)
    night = get_last_night(table).isoformat()
    pages = [
        ("settlement", finished.code),
        ("night", table.code, night),
        ("accounts", table.code),
        ("account", table.code, "ana"),
    ]
    wrongs = [{"page": reverse(name, args=args)} for name, *args in pages]
    for wrong in (*wrongs, {"payer": "nobody"}, {"payee": ""}, {"version": "x"}, {"claims": "7"}):
        with subtests.test(**wrong):
            response = tick(ana, **wrong)
            page = read_page(response)

            assert 409 == response.status_code
            assert ["Not recorded: the accounts have changed. This is how they are now."] == [
                item.text for item in page.only("div", class_="notice").every("li")
            ]
            assert "$150" in page.only("section", id="debts").text
            assert 1 == len(payment_states())


def test_the_other_way_of_a_payment_is_offered_until_the_payment_is_undone(ana, tick, table):
    walker = Walker(ana)
    page = walker.open(tick(ana).url.split("#")[0])
    assert "It was a transfer" in [button.text for button in page.buttons]
    done = walker.address
    walker.press("Undo")
    assert [PaymentState.ENDED] == payment_states()

    assert "It was a transfer" not in [button.text for button in walker.open(done).buttons]


def test_a_payers_tick_is_a_claim_where_the_payee_has_a_phone_and_the_payees_tick_confirms_it(
    owner, ana, confirm_as, client_as, tick, fields
):
    confirm_as(owner, "ana")
    beto = client_as("beto")
    page = read_page(beto.get(tick(beto).url.split("#")[0]))

    assert [PaymentState.CLAIMED] == payment_states()
    assert ["Beto says they paid Ana $200. Ana, did you get it?"] == page.notices
    assert "says it's paid" in page.only("div", id="debt-beto-ana").text
    assert [] == page.only("div", id="debt-beto-ana").every("button")
    page.form_with("Undo")
    walker = Walker(ana)
    walker.open(fields["page"])
    walker.press("Beto paid Ana")
    assert [PaymentState.COUNTS] == payment_states()
    walker.press("Undo")
    assert [PaymentState.CLAIMED] == payment_states()


def test_a_keeper_who_is_not_the_payee_gets_from_a_claim_to_its_question(client_as, ana, table, tick, fields):
    client_as("ana")
    tick(client_as("beto"))
    claim = Payment.objects.get()
    page = read_page(ana.get(fields["page"]))  # the owner's, who is not a member

    (clock,) = page.only("div", id="debt-beto-ana").every("a", class_="tick")
    assert reverse("payment", args=[table.code, claim.pk]) == clock.attrs["href"]
    assert 409 == tick(ana).status_code
    assert [PaymentState.CLAIMED] == payment_states()


def test_the_tick_of_a_claim_of_more_than_is_owed_asks_once_on_its_page(
    owner, ana, confirm_as, client_as, tick, fields, pay
):
    confirm_as(owner, "ana")
    tick(client_as("beto"))
    pay("beto", "ana", 150)
    walker = Walker(ana)
    page = walker.open(fields["page"])

    assert "says $200 was paid" in page.only("div", id="debt-beto-ana").text
    form, _button = page.form_with("Beto paid Ana")
    answer = ana.post(form.attrs["action"], form.fields)
    question = read_page(answer).only(id="tick-question")
    assert 409 == answer.status_code
    assert "Beto owes Ana $50. Was $200 really paid?" in question.text
    assert [PaymentState.CLAIMED, PaymentState.COUNTS] == payment_states()
    yes = {field.attrs["name"]: field.attrs["value"] for field in question.every("input")}
    assert 302 == ana.post(question.only("form").attrs["action"], yes).status_code
    assert [PaymentState.COUNTS] * 2 == payment_states()
