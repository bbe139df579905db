"""The page of changes of the plan: the time and cause of each, and the lines that it changed."""

from __future__ import annotations

import pytest
from django.urls import reverse

from games.models import Method, PlanReason
from games.money import payments
from games.money.balances import read_accounts
from games.notebook.opening import StartingBalance, open_balances
from games.play import recording as services
from games.scoring.events import Corrected
from tests.reader import read_page
from tests.tables import a_key, a_round, make_table, start

pytestmark = pytest.mark.django_db


@pytest.fixture
def short(table, owner, write):
    """A game of one round: Ana +300, the others −100 each."""
    game = start(table, owner, stake=100)
    write(game, a_round("ana", beto=101, caro=101, dani=101))
    return game


def sections(client, table):
    """Return the text of each change, newest first."""
    page = read_page(client.get(reverse("plan-changes", args=[table.code])))
    return [section.text for section in page.every("section")]


def test_a_new_table_has_no_changes_of_the_plan(ana, table):
    page = read_page(ana.get(reverse("plan-changes", args=[table.code])))

    assert "No changes yet." in page.only("main").text


def test_each_change_of_the_plan_names_its_cause_and_the_changed_lines(ana, table, owner, short, pay, claims):
    payment = pay("beto", "caro", 40)
    payments.cancel(payment, by=owner)
    services.record(
        short, Corrected(2, a_round("beto", ana=101, caro=101, dani=101)), after=2, key=a_key(), by=owner
    )
    services.undo(short, after=3, key=a_key(), by=owner)
    services.discard_game(short)
    services.restore_game(short)
    changes = sections(ana, table)

    for expected, section in zip(
        [
            "The game was restored: Loba de Menos",
            "The game was discarded: Loba de Menos",
            "The correction of round 1 was undone",
            "Corrected: round 1",
            "A payment was cancelled: Beto → Caro, $ 40",
            "A payment that was not listed: Beto → Caro, $ 40",
            "The game ended: Loba de Menos",
        ],
        changes,
        strict=True,
    ):
        assert expected in section
    assert "Beto → Ana $ 0 → $ 100" in changes[-1]
    assert "Beto → Ana $ 100 → $ 60" in changes[-2]
    assert "Ana → Beto $ 0 → $ 100" in changes[3]


def test_a_write_off_or_a_balance_brought_forward_is_not_called_a_payment(ana, table, owner, short, pay):
    written_off = pay("beto", "caro", 40, method=Method.WRITE_OFF)
    payments.cancel(written_off, by=owner)
    new = make_table(owner)
    begun = [StartingBalance(40, "ana"), StartingBalance(-40, "caro")]
    open_balances(new, begun, seen=read_accounts(new).seen, key=a_key(), by=owner)
    undone, outside, *_others = sections(ana, table)
    (came,) = sections(ana, new)

    assert "Written off: Beto → Caro, $ 40 · cancelled" in undone
    assert "Written off: Beto → Caro, $ 40" in outside
    assert "Balances were brought forward" in came
    for text in (undone, outside, came):
        assert "payment" not in text.lower()


def test_a_dispute_and_a_confirmation_of_an_unplanned_payment_are_named_as_causes(
    ana, table, owner, short, pay, claims
):
    claims(owner, "caro")
    payment = pay("beto", "caro", 40)
    payments.dispute(payment, by=owner)
    payments.confirm(payment, by=owner)
    changes = sections(ana, table)

    assert "A disputed payment was confirmed: Beto → Caro, $ 40" in changes[0]
    assert "A payment was disputed: Beto → Caro, $ 40" in changes[1]


@pytest.mark.parametrize(
    ("because", "sentence"),
    [
        (PlanReason.MERGED, "Two members were merged"),
        (PlanReason.IMPORTED, "Games or payments were imported"),
        (PlanReason.DISCARDED, "Imported games were removed"),
        (PlanReason.REPAIRED, "The accounts were repaired"),
    ],
)
def test_a_cause_without_a_game_is_named_without_a_link(ana, table, short, because, sentence):
    table.plans.create(
        lines=[["beto", "ana", 5]], before=[], because=because, made_at=short.ended_at or short.started_at
    )

    assert sentence in sections(ana, table)[0]
    assert "Look" not in sections(ana, table)[0]


def test_the_changes_of_the_plan_are_paginated(ana, table, owner):
    for number in range(11):
        game = start(table, owner, stake=10 + number)
        services.record(game, a_round("ana", beto=101, caro=101, dani=101), after=1, key=a_key(), by=owner)
    first = read_page(ana.get(reverse("plan-changes", args=[table.code])))
    second = read_page(ana.get(f"{reverse('plan-changes', args=[table.code])}{first.link('Older')}"))

    assert (10, 1) == (len(first.every("section")), len(second.every("section")))
