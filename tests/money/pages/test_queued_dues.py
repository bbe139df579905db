"""A tick of a due that a phone queued and sends late: recorded once, although the game changed meanwhile."""

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
from tests.tables import a_key, a_round

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


def test_a_queued_tick_is_recorded_and_the_response_has_its_idempotency_key(send):
    response = send(key="mine")

    assert (200, {"key": "mine"}) == (response.status_code, response.json())
    assert [TICK] == recorded()


def test_a_tick_sent_twice_with_the_same_idempotency_key_is_recorded_once(send):
    assert [200, 200] == [send(key="mine").status_code for _ in range(2)]
    assert [TICK] == recorded()


def test_a_tick_that_the_page_already_recorded_under_its_key_is_recorded_once(send, finished, owner):
    tick(finished, Transfer("beto", "ana", 200), after=6, key="mine", by=owner)

    assert 200 == send(key="mine").status_code
    assert [TICK] == recorded()


def test_a_queued_tick_is_recorded_although_its_game_was_corrected_meanwhile(send, finished, write):
    write(finished, Corrected(6, a_round("beto", ana=50, dani=60)))

    assert 200 == send().status_code
    assert [TICK] == recorded()


@pytest.mark.parametrize(("is_raised", "after", "ticks"), [(False, "1", 1), (True, "6", 1), (True, "7", 2)])
def test_a_line_ticked_by_two_phones_is_paid_once_unless_the_second_saw_the_raised_debt(
    send, finished, owner, raised, is_raised, after, ticks
):
    tick(finished, Transfer("beto", "ana", 200), after=6, key="theirs", by=owner)
    if is_raised:
        raised()

    assert 200 == send(after=after).status_code
    assert [TICK] * ticks == recorded()


def test_a_queued_tick_is_recorded_if_another_phones_tick_was_cancelled(send, finished, owner):
    theirs = tick(finished, Transfer("beto", "ana", 200), after=6, key="theirs", by=owner)
    cancel(theirs, by=owner)

    assert 200 == send().status_code
    assert [TICK, TICK] == recorded()
    assert 1 == Payment.objects.counting().count()


def test_a_resent_tick_whose_payment_was_cancelled_is_refused_until_it_has_a_new_key(send, owner):
    send(key="mine")
    cancel(Payment.objects.get(), by=owner)
    response = send(key="mine")

    sentences = ["This payment was recorded and then cancelled. If it was paid, record it again."]
    assert (422, {"sentences": sentences, "spent": True}) == (response.status_code, response.json())
    assert 0 == Payment.objects.counting().count()
    assert 200 == send(key="mine+").status_code
    assert 1 == Payment.objects.counting().count()


def test_a_tick_with_the_same_idempotency_key_and_another_amount_gets_409(send):
    send(key="mine")
    response = send(key="mine", amount="300")

    assert 409 == response.status_code
    assert ["This form already recorded another payment. Check the payments."] == response.json()["sentences"]
    assert [TICK] == recorded()


def test_an_invalid_payment_is_refused_with_a_sentence(subtests, send):
    for changes in [
        {"payer": "nobody"},
        {"payee": "beto"},
        {"amount": "0"},
        {"amount": "some"},
        {"amount": "9" * 18},
        {"payer": ""},
    ]:
        with subtests.test(changes=changes):
            response = send(**changes)

            assert 422 == response.status_code
            assert all(response.json()["sentences"])
            assert response.json()["sentences"]
            assert [] == recorded()


# --- payments recorded in the accounts meanwhile ----------------------------------------------------------------------


IN_ACCOUNTS = ("beto", "ana", 200, "cash", False)


def test_a_debt_that_the_owner_recorded_as_paid_meanwhile_is_paid_once(send, pay):
    """Ana ticks Beto's line offline, the owner records the payment in the accounts, then Ana's phone syncs."""
    pay("beto", "ana", 200)

    assert [200, 200] == [send(key=key).status_code for key in ("mine", "sonias")]
    assert [IN_ACCOUNTS] == recorded()


def test_a_backdated_transfer_recorded_meanwhile_also_covers_the_tick(send, pay, finished):
    pay("beto", "ana", 200, method="transfer", day=night_of(finished.started_at, finished.table))

    assert 200 == send().status_code
    assert 1 == Payment.objects.count()


@pytest.mark.parametrize("amount", [120, 500])
def test_a_tick_beside_a_payment_of_another_amount_is_refused_for_the_user_to_decide(send, pay, amount):
    pay("beto", "ana", amount)
    response = send()

    sentence = f"Beto already paid Ana $\u00a0{amount} in the accounts meanwhile. If this is another payment, record it there."
    assert (422, {"sentences": [sentence]}) == (response.status_code, response.json())
    assert [("beto", "ana", amount, "cash", False)] == recorded()


def test_a_tick_whose_payment_may_belong_to_another_equal_debt_is_refused(send, pay, play):
    """Beto paid 200 in the accounts, for the first game or for the second: the program cannot know which."""
    play("ana", "beto", stake=200)
    pay("beto", "ana", 200)

    assert 422 == send().status_code
    assert [IN_ACCOUNTS] == recorded()


def test_a_tick_after_a_payment_that_may_cover_several_games_is_refused(send, pay, play):
    """Beto owes 500 for two games and paid 300 in the accounts, which pays the first game before the second."""
    play("ana", "beto", stake=300)
    pay("beto", "ana", 300)

    sentence = "Not recorded: what Beto owed Ana has changed or was paid. Check who pays whom now."
    response = send()
    assert (422, {"sentences": [sentence]}) == (response.status_code, response.json())
    assert [("beto", "ana", 300, "cash", False)] == recorded()


def test_a_tick_of_a_debt_written_off_meanwhile_is_refused_and_not_called_paid(send, pay):
    pay("beto", "ana", 200, method="write_off")
    response = send()

    assert 422 == response.status_code
    assert response.json()["sentences"][0].startswith("Of Beto's debt to Ana, $\u00a0200 was written off")
    assert 1 == len(recorded())


def test_a_cancelled_payment_in_the_accounts_does_not_cover_a_tick(send, pay, owner):
    cancel(pay("beto", "ana", 200), by=owner)

    assert 200 == send().status_code
    assert [IN_ACCOUNTS, TICK] == recorded()


def test_a_payment_made_before_the_game_does_not_cover_a_tick(send, pay, finished, table):
    earlier = pay("beto", "ana", 200)
    before = finished.started_at - timedelta(days=1)
    Payment.objects.filter(pk=earlier.pk).update(made_at=before, recorded_at=before)

    assert 200 == send().status_code
    assert [IN_ACCOUNTS, TICK] == recorded()
