"""The ledger adds little to a write: at most eight queries, and no replay of a game while others wait."""

from __future__ import annotations

import pytest
from django.db import connection, transaction
from django.test.utils import CaptureQueriesContext

from games.common import locks
from games.models import Game
from games.money.services import (
    accounting,
    cash_settlement,
    debt_settlement,
    expenses,
    game_entries,
    payments,
)
from games.play import models as play
from games.play.services import recording, writer
from games.scoring import validation
from games.scoring.events import Corrected
from games.scoring.replay import replay
from tests.factories import new_key, start, winning_round

pytestmark = pytest.mark.django_db

MOST_MORE = 8


@pytest.fixture
def writes(table, owner, pay, share):
    """The writes that move money by name. Each can be made once."""
    games = [start(table, owner, stake=100) for _write in range(7)]
    for game in games[1:]:
        recording.record(game, winning_round("ana"), after=1, key=new_key(), by=owner)
    recording.discard_game(games[4])
    paid = pay("beto", "ana", 7)
    shared = share("beto", 90, "ana", "caro")
    debt = accounting.load_accounts(table).debts[0]
    games = list(Game.objects.select_related("table").order_by("pk"))  # as a request reads them
    return {
        "end": lambda: recording.record(games[0], winning_round("ana"), after=1, key=new_key(), by=owner),
        "correct": lambda: recording.record(
            games[1], Corrected(2, winning_round("beto")), after=2, key=new_key(), by=owner
        ),
        "undo": lambda: recording.undo(games[2], after=2, key=new_key(), by=owner),
        "discard": lambda: recording.discard_game(games[3]),
        "restore": lambda: recording.restore_game(games[4]),
        "on the spot": lambda: cash_settlement.mark_paid(games[5], by=owner),
        "pay": lambda: pay("beto", "ana", 5),
        "tick": lambda: debt_settlement.settle(
            table, debt.payer, debt.payee, version=debt.version, claims=0, by=owner
        ),
        "take back": lambda: payments.void(paid, by=owner),
        "cost": lambda: share("beto", 90, "ana", "caro"),
        "cancel": lambda: expenses.void(shared, by=owner),
    }


GAMES = ("end", "correct", "undo", "discard", "restore", "on the spot")
ENTER = (
    (game_entries, "post"),
    (writer, "post_separately"),
    (payments, "post"),
    (expenses, "post"),
)


def test_a_write_costs_at_most_eight_queries_more_than_without_the_ledger(writes, monkeypatch, subtests):
    query_counts: list[int] = []
    for module, enter in ENTER:
        _count_queries(monkeypatch, module, enter, query_counts)
    for name, write in writes.items():
        with subtests.test(write=name), transaction.atomic():
            write()
            transaction.set_rollback(True)
            assert [True] == [count <= MOST_MORE for count in query_counts]
        query_counts.clear()


def _count_queries(patch, module, name, query_counts):
    """Make the module's function append the number of its queries to `query_counts`."""
    enter = getattr(module, name)

    def enter_counted(*args, **how):
        with CaptureQueriesContext(connection) as caught:
            enter(*args, **how)
        query_counts.append(len(caught.captured_queries))

    patch.setattr(module, name, enter_counted)


def test_no_game_is_replayed_while_others_wait(writes, monkeypatch, subtests):
    locked_games: list[Game] = []

    lock_game_row = locks.lock_game_row

    def noting(game):
        locked_games.append(game)
        lock_game_row(game)

    def replay_unlocked(*args):
        assert not locked_games, "others wait for this"
        return replay(*args)

    monkeypatch.setattr(locks, "lock_game_row", noting)
    for module in (play, recording, validation):
        monkeypatch.setattr(module, "replay", replay_unlocked)
    for name in GAMES:
        with subtests.test(write=name), transaction.atomic():
            writes[name]()
            transaction.set_rollback(True)
            assert 1 == len(locked_games)
        locked_games.clear()
