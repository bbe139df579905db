"""Bugs of other scorekeepers that no law and no walk over random games and accounts states by itself.

A test's name says which program did what. Floats, plans with a payment too many and balances that come apart
are shown wrong in `scoring/test_settlement.py`, `test_shares.py` and `money/test_walk.py`.
"""

from __future__ import annotations

import pytest

from games.models import COUNTING, Payment
from games.money import payments
from games.money.balances import read_accounts
from games.scoring.events import Corrected, PlayerReentered, Struck
from games.scoring.state import Seat
from tests.worlds import a_round, balances_of, start, won_by


@pytest.fixture
def game(table, owner):
    return start(table, owner, stake=100, reentries="unlimited")


def test_rummyiq_put_a_rejoined_player_out_again_when_an_old_round_was_edited(game, write):
    write(game, a_round("ana", beto=101, caro=40, dani=60))
    write(game, PlayerReentered("beto"))
    write(game, a_round("ana", beto=10, caro=5, dani=5))
    state = write(game, Corrected(2, a_round("ana", beto=105, caro=40, dani=60)))

    assert (Seat.IN, 60 + 10) == (state.player("beto").seat, state.player("beto").total)


def test_michikono_deleted_what_had_been_paid_when_a_game_was_rolled_back(game, table, owner, write):
    write(game, won_by("ana"))
    for debt in read_accounts(table).to_pay:
        payments.tick(table, debt.payer, debt.payee, version=debt.version, claims=0, by=owner)
    write(game, Struck(2))

    assert 3 == Payment.objects.filter(COUNTING).count()
    assert {"ana": -300, "beto": 100, "caro": 100, "dani": 100} == balances_of(table)
