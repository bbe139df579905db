"""A tick of a due that a phone sends late: recorded once, for its pair and amount, whatever changed since."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.urls import reverse

from games.models import Payment
from games.money.payments import cancel
from games.money.ticks import tick
from games.nights import night_of
from games.scoring.events import Corrected, RulesAgreed
from games.scoring.ledger import Transfer
from tests.reader import read_page
from tests.tables import a_key, a_round, make_user

pytestmark = pytest.mark.django_db


@pytest.fixture
def send(ana, finished):
    """`send(key="mine")` sends a tick that Beto paid Ana 200, from a phone that last saw the game begin."""
    mark = read_page(ana.get("/")).only("main").attrs["data-person"]
    line = {"after": "1", "payer": "beto", "payee": "ana", "amount": "200", "person": mark}

    def post(client=ana, **changes):
        where = reverse("queued-dues", args=[finished.code])
        return client.post(where, {**line, "key": a_key(), **changes})

    return post


@pytest.fixture
def raised(finished, write):
    """`raised()` corrects the stake, so that Beto owes Ana 400."""
    return lambda: write(finished, Corrected(1, RulesAgreed("loba_menos", (("stake", 200),))))


def recorded():
    return [
        (paid.payer.slug, paid.payee.slug, paid.amount, paid.method, paid.game_id is not None)
        for paid in Payment.objects.order_by("pk")
    ]


TICK = ("beto", "ana", 200, "cash", True)


def test_a_tick_is_recorded_and_its_key_comes_back(send):
    response = send(key="mine")

    assert (200, {"key": "mine"}) == (response.status_code, response.json())
    assert [TICK] == recorded()


def test_the_same_key_sent_again_is_recorded_once(send):
    assert [200, 200] == [send(key="mine").status_code for _ in range(2)]
    assert [TICK] == recorded()


def test_a_tick_whose_answer_got_lost_is_the_one_the_page_recorded(send, finished, owner):
    tick(finished, Transfer("beto", "ana", 200), after=6, key="mine", by=owner)

    assert 200 == send(key="mine").status_code
    assert [TICK] == recorded()


def test_a_game_that_was_corrected_meanwhile_changes_nothing_about_what_was_paid(send, finished, write):
    write(finished, Corrected(6, a_round("beto", ana=50, dani=60)))

    assert 200 == send().status_code
    assert [TICK] == recorded()


def test_a_line_that_another_phone_ticked_off_meanwhile_is_paid_once(send, finished, owner):
    tick(finished, Transfer("beto", "ana", 200), after=6, key="theirs", by=owner)

    assert 200 == send().status_code
    assert [TICK] == recorded()


def test_a_line_that_another_phone_ticked_off_is_paid_once_although_a_correction_opened_it_again(
    send, finished, owner, raised
):
    tick(finished, Transfer("beto", "ana", 200), after=6, key="theirs", by=owner)
    raised()

    assert 200 == send(after="6").status_code
    assert [TICK] == recorded()


def test_as_much_again_that_a_correction_asks_for_is_paid_besides(send, finished, owner, raised):
    tick(finished, Transfer("beto", "ana", 200), after=6, key="theirs", by=owner)
    raised()

    assert 200 == send(after="7").status_code
    assert [TICK, TICK] == recorded()


def test_a_line_unticked_meanwhile_is_ticked_by_who_had_paid(send, finished, owner):
    theirs = tick(finished, Transfer("beto", "ana", 200), after=6, key="theirs", by=owner)
    cancel(theirs, by=owner)

    assert 200 == send().status_code
    assert [TICK, TICK] == recorded()
    assert 1 == Payment.objects.counting().count()


def test_a_tick_whose_payment_was_cancelled_is_not_called_recorded(send, owner):
    send(key="mine")
    cancel(Payment.objects.get(), by=owner)
    response = send(key="mine")

    sentences = ["This payment was recorded and then cancelled. If it was paid, record it again."]
    assert (422, {"sentences": sentences, "spent": True}) == (response.status_code, response.json())
    assert 0 == Payment.objects.counting().count()
    assert 200 == send(key="mine+").status_code
    assert 1 == Payment.objects.counting().count()


def test_the_same_key_with_another_amount_is_refused(send):
    send(key="mine")
    response = send(key="mine", amount="300")

    assert 409 == response.status_code
    assert ["This form already recorded another payment. Check the payments."] == response.json()["sentences"]
    assert [TICK] == recorded()


@pytest.mark.parametrize(
    "changes",
    [
        {"payer": "nobody"},
        {"payee": "beto"},
        {"amount": "0"},
        {"amount": "some"},
        {"amount": "9" * 18},
        {"payer": ""},
    ],
)
def test_what_makes_no_payment_is_refused_in_words(send, changes):
    response = send(**changes)

    assert 422 == response.status_code
    assert all(response.json()["sentences"])
    assert response.json()["sentences"]
    assert [] == recorded()


def test_what_one_person_ticked_is_not_recorded_as_anothers(send, phone_of, table):
    other = make_user("otto")
    table.grants.create(user=other, role="scorer")

    assert 403 == send(phone_of(other)).status_code
    assert [] == recorded()


@pytest.mark.parametrize(
    ("role", "status", "sentence"),
    [
        ("", 404, "This phone no longer has access to this game."),
        ("witness", 403, "You can watch this table, but not record"),
    ],
)
def test_who_may_not_record_any_more_is_told_so(send, table, owner, role, status, sentence):
    grants = table.grants.filter(user=owner)
    grants.update(role=role) if role else grants.delete()
    response = send()

    assert (status, {"sentences": [sentence]}) == (response.status_code, response.json())
    assert [] == recorded()


# --- what was paid in the accounts meanwhile --------------------------------------------------------------------------


IN_ACCOUNTS = ("beto", "ana", 200, "cash", False)


def test_what_the_owner_recorded_in_the_accounts_meanwhile_is_paid_once(send, pay):
    """Ana ticked Beto off without a network; at home the owner recorded the payment; then Ana's phone syncs."""
    pay("beto", "ana", 200)

    assert [200, 200] == [send(key=key).status_code for key in ("mine", "sonias")]
    assert [IN_ACCOUNTS] == recorded()


def test_a_payment_of_a_transfer_dated_back_is_known_too(send, pay, finished):
    pay("beto", "ana", 200, method="transfer", day=night_of(finished.started_at, finished.table))

    assert 200 == send().status_code
    assert 1 == Payment.objects.count()


@pytest.mark.parametrize("amount", [120, 500])
def test_where_another_amount_may_be_the_same_debt_people_say(send, pay, amount):
    pay("beto", "ana", amount)
    response = send()

    sentence = f"Beto already paid Ana $\u00a0{amount} in the accounts meanwhile. If this is another payment, record it there."
    assert (422, {"sentences": [sentence]}) == (response.status_code, response.json())
    assert [("beto", "ana", amount, "cash", False)] == recorded()


def test_where_just_as_much_is_owed_once_more_by_now_people_say(send, pay, play):
    """Beto paid 200 in the accounts, for the first game or for the second: the program cannot know which."""
    play("ana", "beto", stake=200)
    pay("beto", "ana", 200)

    assert 422 == send().status_code
    assert [IN_ACCOUNTS] == recorded()


def test_what_a_payment_for_more_than_one_game_covers_is_decided_by_people(send, pay, play):
    """Beto owes 500 for two games and paid 300 in the accounts, which pays the first game before the second."""
    play("ana", "beto", stake=300)
    pay("beto", "ana", 300)

    sentence = "Not recorded: what Beto owed Ana has changed or was paid. Check who pays whom now."
    response = send()
    assert (422, {"sentences": [sentence]}) == (response.status_code, response.json())
    assert [("beto", "ana", 300, "cash", False)] == recorded()


def test_what_was_written_off_meanwhile_is_not_called_paid(send, pay):
    pay("beto", "ana", 200, method="write_off")
    response = send()

    assert 422 == response.status_code
    assert response.json()["sentences"][0].startswith("Of Beto's debt to Ana, $\u00a0200 was written off")
    assert 1 == len(recorded())


def test_what_was_cancelled_in_the_accounts_since_is_ticked(send, pay, owner):
    cancel(pay("beto", "ana", 200), by=owner)

    assert 200 == send().status_code
    assert [IN_ACCOUNTS, TICK] == recorded()


def test_what_was_paid_before_the_game_is_not_for_it(send, pay, finished, table):
    earlier = pay("beto", "ana", 200)
    before = finished.started_at - timedelta(days=1)
    Payment.objects.filter(pk=earlier.pk).update(made_at=before, recorded_at=before)

    assert 200 == send().status_code
    assert [IN_ACCOUNTS, TICK] == recorded()
