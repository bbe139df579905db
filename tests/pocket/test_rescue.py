"""Facts brought in a file by another phone: recorded as the bringer's, within their rights, and each once."""

from __future__ import annotations

from datetime import timedelta

import pytest
import time_machine
from django.core.exceptions import PermissionDenied
from django.http import Http404
from django.utils.timezone import now

from games.models import Game, Grant, Method, Payment, Role, Table
from games.money import payments
from games.money.amendments import Words, amend
from games.money.balances import balances_of
from games.notebook.books.audit import check_table
from games.people.removals import put_out
from games.play import recording as services
from games.pocket.taking import BROUGHT, DONE, HELD, WAITS, take
from games.views.pocket.typed import READERS
from tests.pocket.phones import Pocket
from tests.pocket.test_taking import play, there
from tests.tables import a_key, become, let_in_as, make_user, start

pytestmark = pytest.mark.django_db


@pytest.fixture
def carla(table):
    """A scorer whose phone has lost its network."""
    user = make_user("carla")
    let_in_as(user, table, Role.SCORER)
    return user


@pytest.fixture
def their_phone(carla, running, over, empty, tmp_path):
    return Pocket(carla, empty, tmp_path / "carla.sqlite3")


def bring(by, facts):
    """Send these facts of another person's phone as the user who brings the file."""
    return list(take([{**fact, BROUGHT: True} for fact in facts], by, READERS))


def statuses(answers):
    return [answer.status for answer in answers]


def pay(by, payer, payee, amount, **how):
    table = Table.objects.get()
    how = {"method": Method.CASH, "key": a_key(), "by": by, **how}
    return payments.pay(table, table.members.get(slug=payer), table.members.get(slug=payee), amount, **how)


def a_whole_evening(by, running):
    """Play, start, discard and pay on the phone."""
    game = there(running.code)
    play(game, by, 8, 9)
    new = start(game.table, by)
    play(new, by, 4)
    services.discard_game(start(game.table, by))
    amend(pay(by, "caro", "ana", 20), Words(25, Method.CASH), after=0, by=by, is_keeper=True)
    payments.cancel(pay(by, "beto", "ana", 30), by=by, text="no fue")


def test_facts_brought_by_two_phones_are_recorded_once_as_the_first_bringers(
    their_phone, running, table, owner, scorer, carla
):
    with their_phone.away() as by:
        a_whole_evening(by, running)
    facts = their_phone.outbox()
    for bringer in (owner, scorer):  # two phones bring the same file
        assert {DONE} == set(statuses(bring(bringer, facts)))
    assert {DONE} == set(
        statuses(their_phone.send(facts))
    )  # Carla's phone sends its own facts too, once it has a network

    assert {owner} == {record.recorded_by for record in running.records.filter(number__gt=2)}
    assert [4, 1, 2, 2] == sorted(
        (game.records.count() for game in table.games.all()), key=[4, 1, 2, 2].index
    )
    assert ["amended", "cancelled"] == [
        step.turn for payment in table.payments.order_by("pk") for step in payment.steps.all()
    ]
    assert 1 == table.games.exclude(discarded_at=None).count()
    assert [] == list(check_table(table).differences)


def test_brought_payments_are_only_claims_until_a_person_accepts_them(their_phone, table, owner):
    before = balances_of(table)
    with their_phone.away() as by:
        payment = pay(by, "caro", "ana", 20)
        amend(payment, Words(25, Method.CASH), after=0, by=by, is_keeper=True)
    assert [DONE, DONE] == statuses(bring(owner, their_phone.outbox()))

    claimed = table.payments.get()
    assert (True, 25, owner) == (claimed.is_claimed, claimed.amount, claimed.recorded_by)
    assert before == balances_of(table)
    payments.accept(claimed, by=owner)
    assert 25 == balances_of(table)["caro"] - before["caro"]


def test_a_file_cannot_confirm_accept_or_dispute_payments(their_phone, table, carla, owner, empty, tmp_path):
    become(carla, table.members.get(slug="caro"))
    to_confirm = pay(owner, "beto", "caro", 7)
    dani = make_user("dani")
    Grant.objects.create(user=dani, table=table, role=Role.WITNESS)
    become(dani, table.members.get(slug="dani"))
    to_accept = pay(dani, "dani", "ana", 9, is_claimed=True)
    their_phone.come_back()
    with their_phone.away() as by:
        payments.confirm(Payment.objects.get(pk=to_confirm.pk), by=by)
        payments.accept(Payment.objects.get(pk=to_accept.pk), by=by)
    facts = their_phone.outbox()
    confirmed, accepted = bring(owner, facts)

    assert "Only Caro can confirm or dispute this." == str(confirmed.why)
    assert "A file can't confirm a payment. Confirm it in the accounts." == str(accepted.why)
    assert not any(payment.steps.exists() for payment in table.payments.all())
    # Sent by the person themselves, they are recorded.
    assert [DONE, DONE] == statuses(their_phone.send(facts))


def test_a_brought_fact_beyond_the_bringers_rights_and_a_write_off_are_held(
    their_phone, running, table, owner
):
    watcher = make_user("walter")
    let_in_as(watcher, table, Role.WITNESS)
    with their_phone.away() as by:
        play(there(running.code), by, 8)
        pay(by, "caro", "ana", 20, method=Method.WRITE_OFF)
    round_there, written_off = facts = their_phone.outbox()

    for bringer, error in ((watcher, PermissionDenied), (make_user("nadia"), Http404)):
        answers = bring(bringer, facts)
        assert [HELD, HELD] == statuses(answers)
        assert all(isinstance(answer.why, error) for answer in answers)
    (held,) = bring(owner, [written_off])
    assert "A file can't write off a debt. Do it in the accounts." == str(held.why)
    assert [DONE] == statuses(bring(owner, [round_there]))


def test_a_removed_user_learns_that_another_phone_brought_their_facts(
    their_phone, running, table, owner, carla
):
    with their_phone.away() as by:
        a_whole_evening(by, running)
    facts = their_phone.outbox()
    put_out(Grant.objects.get(user=carla), by=owner)
    assert {HELD, WAITS} == set(statuses(their_phone.send(facts)))

    assert {DONE} == set(statuses(bring(owner, facts)))
    assert {DONE} == set(statuses(their_phone.send(facts)))
    stranger = make_user("nadia")
    assert {HELD, WAITS} == {
        one.status
        for one in take([{**fact, "key": "other"} for fact in facts if "key" in fact], stranger, READERS)
    }


@pytest.mark.parametrize("hours", [-24, 24])
def test_a_brought_fact_reverted_meanwhile_is_not_applied_again_whatever_the_phones_clock(
    their_phone, running, table, owner, hours
):
    """A game is discarded and a dispute is overruled on the phone; at the site both are reverted."""
    ana = make_user("anita")
    let_in_as(ana, table, Role.SCORER)
    become(ana, table.members.get(slug="ana"))
    disputed = pay(owner, "beto", "ana", 7)
    payments.dispute(disputed, by=ana)
    their_phone.come_back()
    with time_machine.travel(now() + timedelta(hours=hours)), their_phone.away() as by:
        services.discard_game(there(running.code))
        payments.uphold(Payment.objects.get(pk=disputed.pk), by=by)
    facts = their_phone.outbox()
    assert [DONE, DONE] == statuses(bring(owner, facts))
    services.restore_game(Game.objects.get(pk=running.pk))
    payments.dispute(disputed, by=ana)
    for answers in (bring(ana, facts), their_phone.send(facts)):
        assert [DONE, DONE] == statuses(answers)

    assert Game.objects.get(pk=running.pk).discarded_at is None
    assert ["disputed", "upheld", "disputed"] == [step.turn for step in disputed.steps.all()]
