"""A tick of a due that waited on a phone and is sent late: recorded once, although the game changed meanwhile."""

from __future__ import annotations

from datetime import timedelta

import pytest

from games.models import Method, Payment
from games.money.payments import take_back
from games.money.ticks import tick
from games.nights import night_of
from games.scoring.events import Corrected, RulesAgreed
from games.scoring.ledger import Transfer
from tests.tables import a_round
from tests.waiting import an_entry, answers_of, sent

pytestmark = pytest.mark.django_db


@pytest.fixture
def send(ana, finished):
    """`send(key="mine")` sends a tick that Beto paid Ana 200, from a phone that last saw the game begin."""
    line = {
        "after": 1,
        "payer": "beto",
        "payee": "ana",
        "amount": "200",
        "at": finished.started_at.isoformat(),
    }

    def post(**changes):
        (answer,) = answers_of(sent(ana, an_entry("tick", game=finished.code, **{**line, **changes})))
        return answer

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


def test_a_queued_tick_is_recorded(send):
    assert {"status": "done"} == send(key="mine")
    assert [TICK] == recorded()


def test_a_tick_sent_twice_with_the_same_idempotency_key_is_recorded_once(send):
    assert ["done", "done"] == [send(key="mine")["status"] for _ in range(2)]
    assert [TICK] == recorded()


def test_a_tick_that_the_page_already_recorded_under_its_key_is_recorded_once(send, finished, owner):
    tick(finished, Transfer("beto", "ana", 200), after=6, key="mine", by=owner)

    assert "done" == send(key="mine")["status"]
    assert [TICK] == recorded()


def test_a_queued_tick_is_recorded_although_its_game_was_corrected_meanwhile(send, finished, write):
    write(finished, Corrected(6, a_round("beto", ana=50, dani=60)))

    assert "done" == send()["status"]
    assert [TICK] == recorded()


@pytest.mark.parametrize(("is_raised", "after", "ticks"), [(False, 1, 1), (True, 6, 1), (True, 7, 2)])
def test_a_line_ticked_by_two_phones_is_paid_once_unless_the_second_saw_the_raised_debt(
    send, finished, owner, raised, is_raised, after, ticks
):
    tick(finished, Transfer("beto", "ana", 200), after=6, key="theirs", by=owner)
    if is_raised:
        raised()

    assert "done" == send(after=after)["status"]
    assert [TICK] * ticks == recorded()


def test_a_queued_tick_is_recorded_if_another_phones_tick_was_taken_back(send, finished, owner):
    theirs = tick(finished, Transfer("beto", "ana", 200), after=6, key="theirs", by=owner)
    take_back(theirs, by=owner)

    assert "done" == send()["status"]
    assert [TICK, TICK] == recorded()
    assert 1 == Payment.objects.counting().count()


def test_a_resent_tick_whose_payment_was_taken_back_is_refused_until_it_has_a_new_key(send, owner):
    send(key="mine")
    take_back(Payment.objects.get(), by=owner)
    answer = send(key="mine")

    sentences = ["This payment was recorded and then taken back. If it was paid, record it again."]
    assert {"status": "refused", "sentences": sentences, "meanwhile": [], "used": True} == answer
    assert 0 == Payment.objects.counting().count()
    assert "done" == send(key="mine+")["status"]
    assert 1 == Payment.objects.counting().count()


def test_a_tick_with_the_same_idempotency_key_and_another_amount_is_refused(send):
    send(key="mine")
    answer = send(key="mine", amount="300")

    sentence = "This form already recorded another payment. Check the payments."
    assert {"status": "refused", "sentences": [sentence], "meanwhile": [], "used": True} == answer
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
            answer = send(**changes)

            assert "refused" == answer["status"]
            assert all(answer["sentences"])
            assert answer["sentences"]
            assert [] == recorded()


# --- payments recorded in the accounts meanwhile ----------------------------------------------------------------------


IN_ACCOUNTS = ("beto", "ana", 200, "cash", False)


def test_a_debt_that_the_owner_recorded_as_paid_meanwhile_is_paid_once(send, pay):
    """Ana ticks Beto's line offline, the owner records the payment in the accounts, then Ana's phone syncs."""
    pay("beto", "ana", 200)

    assert ["done", "done"] == [send(key=key)["status"] for key in ("mine", "sonias")]
    assert [IN_ACCOUNTS] == recorded()


def test_a_backdated_transfer_recorded_meanwhile_also_covers_the_tick(send, pay, finished):
    pay("beto", "ana", 200, method="transfer", day=night_of(finished.started_at, finished.table))

    assert "done" == send()["status"]
    assert 1 == Payment.objects.count()


@pytest.mark.parametrize("amount", [120, 500])
def test_a_tick_beside_a_payment_of_another_amount_is_refused_for_the_user_to_decide(send, pay, amount):
    pay("beto", "ana", amount)
    answer = send()

    sentence = f"Beto already paid Ana $\u00a0{amount} in the accounts meanwhile. If this is another payment, record it there."
    assert ("refused", [sentence]) == (answer["status"], answer["sentences"])
    assert [("beto", "ana", amount, "cash", False)] == recorded()


def test_a_tick_whose_payment_may_belong_to_another_equal_debt_is_refused(send, pay, play):
    """Beto paid 200 in the accounts, for the first game or for the second: the program cannot know which."""
    play("ana", "beto", stake=200)
    pay("beto", "ana", 200)

    assert "refused" == send()["status"]
    assert [IN_ACCOUNTS] == recorded()


def test_a_tick_after_a_payment_that_may_cover_several_games_is_refused(send, pay, play):
    """Beto owes 500 for two games and paid 300 in the accounts, which pays the first game before the second."""
    play("ana", "beto", stake=300)
    pay("beto", "ana", 300)

    sentence = "Not recorded: what Beto owed Ana has changed or was paid. Check who pays whom now."
    answer = send()
    assert ("refused", [sentence]) == (answer["status"], answer["sentences"])
    assert [("beto", "ana", 300, "cash", False)] == recorded()


def test_a_tick_of_a_debt_forgiven_meanwhile_is_refused_and_not_called_paid(send, pay):
    pay("beto", "ana", 200, method=Method.FORGIVEN)
    answer = send()

    assert "refused" == answer["status"]
    assert answer["sentences"][0].startswith("Of Beto's debt to Ana, $\u00a0200 was forgiven")
    assert 1 == len(recorded())


def test_a_payment_taken_back_in_the_accounts_does_not_cover_a_tick(send, pay, owner):
    take_back(pay("beto", "ana", 200), by=owner)

    assert "done" == send()["status"]
    assert [IN_ACCOUNTS, TICK] == recorded()


def test_a_payment_made_before_the_game_does_not_cover_a_tick(send, pay, finished, table):
    earlier = pay("beto", "ana", 200)
    before = finished.started_at - timedelta(days=1)
    Payment.objects.filter(pk=earlier.pk).update(made_at=before, recorded_at=before)

    assert "done" == send()["status"]
    assert [IN_ACCOUNTS, TICK] == recorded()
