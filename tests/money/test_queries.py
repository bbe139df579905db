"""The ledger adds little to a write: at most eight queries, and no replay of a game while others wait."""

from __future__ import annotations

import pytest
from django.db import connection, transaction
from django.test.utils import CaptureQueriesContext

from games.common import locks
from games.models import Game
from games.money.services import accounting, cash_settlement, expenses, ledgers, payments
from games.play import models as play
from games.play.services import recording, writer
from games.scoring import validation
from games.scoring.events import Corrected
from games.scoring.replay import replay
from tests.worlds import a_key, start, won_by

pytestmark = pytest.mark.django_db

MOST_MORE = 8


@pytest.fixture
def writes(table, owner, pay, share):
    """Return the writes that move money by name, each ready to be made once."""
    games = [start(table, owner, stake=100) for _write in range(7)]
    for game in games[1:]:
        recording.record(game, won_by("ana"), after=1, key=a_key(), by=owner)
    recording.discard_game(games[4])
    paid = pay("beto", "ana", 7)
    shared = share("beto", 90, "ana", "caro")
    debt = accounting.load_accounts(table).debts[0]
    games = list(Game.objects.select_related("table").order_by("pk"))  # as a request reads them
    return {
        "end": lambda: recording.record(games[0], won_by("ana"), after=1, key=a_key(), by=owner),
        "correct": lambda: recording.record(
            games[1], Corrected(2, won_by("beto")), after=2, key=a_key(), by=owner
        ),
        "undo": lambda: recording.undo(games[2], after=2, key=a_key(), by=owner),
        "discard": lambda: recording.discard_game(games[3]),
        "restore": lambda: recording.restore_game(games[4]),
        "on the spot": lambda: cash_settlement.mark_paid(games[5], by=owner),
        "pay": lambda: pay("beto", "ana", 5),
        "tick": lambda: payments.settle(
            table, debt.payer, debt.payee, version=debt.version, claims=0, by=owner
        ),
        "take back": lambda: payments.void(paid, by=owner),
        "cost": lambda: share("beto", 90, "ana", "caro"),
        "cancel": lambda: expenses.void(shared, by=owner),
    }


GAMES = ("end", "correct", "undo", "discard", "restore", "on the spot")
ENTER = (
    (ledgers, "post_game"),
    (writer, "post_separately"),
    (payments, "post"),
    (expenses, "post"),
)


def test_a_write_costs_at_most_eight_queries_more_than_without_the_ledger(writes, monkeypatch, subtests):
    entered: list[int] = []
    for module, enter in ENTER:
        _count(monkeypatch, module, enter, entered)
    for name, write in writes.items():
        with subtests.test(write=name), transaction.atomic():
            write()
            transaction.set_rollback(True)
            assert [True] == [count <= MOST_MORE for count in entered]
        entered.clear()


def _count(patch, module, name, entered):
    """Let the module's function append the number of its queries to `entered`."""
    enter = getattr(module, name)

    def counted(*args, **how):
        with CaptureQueriesContext(connection) as caught:
            enter(*args, **how)
        entered.append(len(caught.captured_queries))

    patch.setattr(module, name, counted)


def test_no_game_is_replayed_while_others_wait(writes, monkeypatch, subtests):
    held: list[Game] = []

    lock_game_row = locks.lock_game_row

    def noting(game):
        held.append(game)
        lock_game_row(game)

    def replayed(*words):
        assert not held, "others wait for this"
        return replay(*words)

    monkeypatch.setattr(locks, "lock_game_row", noting)
    for module in (play, recording, validation):
        monkeypatch.setattr(module, "replay", replayed)
    for name in GAMES:
        with subtests.test(write=name), transaction.atomic():
            writes[name]()
            transaction.set_rollback(True)
            assert 1 == len(held)
        held.clear()
