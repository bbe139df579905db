"""Bugs found in other scorekeepers and expense-sharing apps; each has a test that this program passes.

A test's name says which program did what. Their money goes wrong because they calculate with floats.
"""

from __future__ import annotations

import itertools
import random
from typing import Any

import pytest

from games.models import Method, Payment, Record
from games.money import payments
from games.money.balances import read_accounts
from games.money.pages.settled import settlement_of
from games.play import recording as services
from games.scoring.errors import RuleError
from games.scoring.events import Corrected, PlayerLeft, PlayerReentered, Struck
from games.scoring.ledger import Transfer, nets, places, transfers
from games.scoring.money import shares
from games.scoring.replay import replay
from games.scoring.state import Seat
from games.tables.people import people_of
from tests.worlds import a_key, a_round, balances_of, start


@pytest.fixture
def game(table, owner):
    return start(table, owner, stake=100, reentries="unlimited")


@pytest.fixture
def write(owner):
    """`write(game, *events)` appends events to a game as the owner, and returns the result."""

    def record(game, *events):
        return services.record(game, *events, after=len(game.log()), key=a_key(), by=owner).state

    return record


def totals(state):
    return {player.id: player.total for player in state.players}


# --- scorekeepers (peers, 2.3) ----------------------------------------------------------------------------------------


def test_rummyiq_put_a_rejoined_player_out_again_when_an_old_round_was_edited(game, write):
    write(game, a_round("ana", beto=101, caro=40, dani=60))
    write(game, PlayerReentered("beto"))
    write(game, a_round("ana", beto=10, caro=5, dani=5))
    state = write(game, Corrected(2, a_round("ana", beto=105, caro=40, dani=60)))

    assert (Seat.IN, 60 + 10) == (state.player("beto").seat, state.player("beto").total)


def test_chinchon_app_locked_a_game_that_one_mistyped_figure_had_ended(game, write):
    assert write(game, a_round("ana", beto=101, caro=140, dani=160)).is_over
    state = write(game, Corrected(2, a_round("ana", beto=10, caro=14, dani=16)))

    assert not state.is_over
    assert {"ana": 0, "beto": 10, "caro": 14, "dani": 16} == totals(state)
    assert 0 == game.results.count()


def test_loba_counter_deleted_a_player_with_one_tap_and_no_undo(game, write, owner):
    write(game, a_round("ana", beto=10, caro=40, dani=60))
    before = game.state()
    write(game, PlayerLeft("beto"))
    state = services.undo(game, after=3, key=a_key(), by=owner).state

    assert totals(before) == totals(state)
    assert Seat.IN is state.player("beto").seat


def test_loba_score_wrote_half_of_a_round_when_the_rest_was_refused(game, owner, write):
    with pytest.raises(RuleError):
        write(game, a_round("ana", beto=10, caro=40, dani=60), PlayerReentered("beto"))

    assert 1 == game.records.count()
    assert {0} == set(totals(game.state()).values())


def test_dice_vault_showed_a_game_the_lowest_wins_upside_down(game, table, write):
    state = write(game, a_round("dani", ana=101, beto=110, caro=120))
    shown = settlement_of(state, people_of(table), table)
    assert ["Dani", "Ana", "Beto", "Caro"] == [standing.person.name for standing in shown.standings]
    assert {"dani": 1, "ana": 2, "beto": 3, "caro": 4} == places(state)


# --- sharing expenses: floats and what follows from them --------------------------------------------------------------


GROUPS = 150


def cents(chance: random.Random, people: int) -> dict[str, int]:
    """Return random balances in cents, from bills that some of the people shared."""
    net = dict.fromkeys((f"p{seat}" for seat in range(people)), 0)
    for _bill in range(chance.randint(3, 25)):
        payer, amount = chance.choice(list(net)), chance.randint(1, 100_000)
        sharing = chance.sample(list(net), chance.randint(1, people))
        net[payer] += amount
        for person, share in shares(amount, sharing).items():
            net[person] -= share
    return net


def test_ihatemoney_and_spliit_showed_balances_that_do_not_add_up_to_zero():
    chance = random.Random(7)

    assert {0} == {sum(cents(chance, chance.randint(3, 9)).values()) for _group in range(GROUPS)}


def test_ihatemoney_still_owed_a_cent_in_the_accounts_too(table, owner):
    type(table).objects.filter(pk=table.pk).update(decimals=2)
    who = {member.slug: member for member in table.members.all()}
    chance = random.Random(3)
    for _bill in range(40):
        payer, payee = chance.sample(list(who), 2)
        amount = chance.randint(1, 100_000)
        payments.pay(table, who[payer], who[payee], amount, method=Method.CASH, key=a_key(), by=owner)
        assert 0 == sum(balances_of(table).values())
    for line in read_accounts(table).to_pay:
        payments.pay(
            table, line.payer, line.payee, line.amount, method=Method.TRANSFER, key=a_key(), by=owner
        )

    assert {0} == set(balances_of(table).values())
    assert () == read_accounts(table).to_pay


def test_django_ledger_mended_a_third_of_a_hundred_by_chance():
    assert {"ana": 3334, "beto": 3333, "caro": 3333} == shares(10_000, ["ana", "beto", "caro"])
    assert 1 == len({tuple(shares(10_000, ["ana", "beto", "caro"]).items()) for _try in range(100)})


def test_ihatemoney_broke_over_nobody_and_over_a_thousand():
    assert () == transfers({})
    crowd = {f"p{seat}": 7 if seat % 2 else -7 for seat in range(1000)}

    assert 500 == len(transfers(crowd))


def test_a_greedy_solver_called_optimal_pays_once_too_often():
    net = {"ana": 9, "beto": -9, "caro": -7, "dani": -8, "eva": 15}

    assert 4 == len(largest_to_largest(net))
    assert 3 == len(transfers(net))


def largest_to_largest(net: dict[str, int]) -> list[Transfer]:
    """Return the payments of Cospend, SplitPro, michikono and Jayykk.

    The largest debtor pays the largest creditor until nobody owes anything.
    """
    left, transfers = dict(net), []
    while any(left.values()):
        payer, payee = min(left, key=lambda one: left[one]), max(left, key=lambda one: left[one])
        transfers.append(Transfer(payer, payee, min(-left[payer], left[payee])))
        left[payer] += transfers[-1].amount
        left[payee] -= transfers[-1].amount
    return transfers


def won_by(winner):
    others: dict[str, Any] = {slug: 101 for slug in ("ana", "beto", "caro", "dani") if slug != winner}
    return a_round(winner, **others)


def test_michikono_deleted_what_had_been_paid_when_a_game_was_rolled_back(game, table, owner, write):
    write(game, won_by("ana"))
    for debt in read_accounts(table).to_pay:
        payments.tick(table, debt.payer, debt.payee, version=debt.version, claims=0, by=owner)
    write(game, Struck(2))

    assert 3 == Payment.objects.counting().count()
    assert {"ana": -300, "beto": 100, "caro": 100, "dani": 100} == balances_of(table)


def test_splitpro_kept_balances_that_came_apart_from_their_expenses(table, owner, write):
    game = start(table, owner, stake=100)
    for winner in itertools.islice(itertools.cycle(("ana", "beto", "caro")), 7):
        if game.state().is_over:
            write(game, Corrected(2, won_by(winner)))
        else:
            write(game, won_by(winner))
        state = replay(game.log())
        assert nets(state) == balances_of(table)
    assert 2 + 6 == Record.objects.count()
