"""Bugs found in other scorekeepers and expense-sharing apps; each has a test that this program passes.

A test's name says which program did what. Their money goes wrong because they calculate with floats.
"""

from __future__ import annotations

import itertools
import random
from typing import Any

import pytest
from django.urls import reverse

from games.models import Method, Payment, Record
from games.money import payments
from games.money.balances import balances_of, read_accounts
from games.money.pages.settled import settlement_of
from games.play import recording as services
from games.scoring.errors import RuleError
from games.scoring.events import (
    Corrected,
    GameStarted,
    Player,
    PlayerLeft,
    PlayerReentered,
    PlayerStayedOut,
    RoundPlayed,
    Struck,
)
from games.scoring.ledger import Transfer, nets, places, transfers
from games.scoring.money import pot_of, shares
from games.scoring.replay import replay
from games.scoring.rounds import Hand, RoundEntry
from games.scoring.state import Seat
from games.tables.members import add_member
from games.tables.pages.people import people_of
from tests.reader import read_page
from tests.worlds import a_key, a_round, start


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


def test_lobatracker_threw_the_earlier_rounds_away_at_a_reenganche(game, write):
    write(game, a_round("ana", beto=50, caro=40, dani=60))
    write(game, a_round("ana", beto=51, caro=5, dani=5))
    before = game.state().rounds
    state = write(game, PlayerReentered("beto"))

    assert before == state.rounds
    assert [50, 51] == [played.points["beto"] for played in state.rounds]
    assert 500 == pot_of(state)


def test_chinchon_app_left_the_score_of_a_reentry_stale_when_its_reference_was_corrected(game, write):
    write(game, a_round("ana", beto=101, caro=40, dani=60))
    write(game, PlayerReentered("beto"))
    assert 60 == game.state().player("beto").total
    state = write(game, Corrected(2, a_round("ana", beto=101, caro=40, dani=75)))

    assert 75 == state.player("beto").total


def test_chinchon_app_locked_a_game_that_one_mistyped_figure_had_ended(game, write):
    assert write(game, a_round("ana", beto=101, caro=140, dani=160)).is_over
    state = write(game, Corrected(2, a_round("ana", beto=10, caro=14, dani=16)))

    assert not state.is_over
    assert {"ana": 0, "beto": 10, "caro": 14, "dani": 16} == totals(state)
    assert 0 == game.results.count()


def test_chinchon_app_did_not_correct_an_old_cell_of_somebody_out(game, write):
    write(game, a_round("ana", beto=101, caro=40, dani=60))
    write(game, PlayerStayedOut("beto"))
    state = write(game, Corrected(2, a_round("ana", beto=110, caro=40, dani=60)))

    assert (Seat.OUT, 110) == (state.player("beto").seat, state.player("beto").total)


def test_loba_counter_deleted_a_player_with_one_tap_and_no_undo(game, write, owner):
    write(game, a_round("ana", beto=10, caro=40, dani=60))
    before = game.state()
    write(game, PlayerLeft("beto"))
    state = services.undo(game, after=3, key=a_key(), by=owner).state

    assert totals(before) == totals(state)
    assert Seat.IN is state.player("beto").seat


def test_loba_score_wrote_a_score_twice_when_the_answer_was_lost(game, owner):
    entry = a_round("ana", beto=10, caro=40, dani=60)
    for _sent_again in range(3):
        recorded = services.record(game, entry, after=1, key="the same tap", by=owner)

    assert {"ana": 0, "beto": 10, "caro": 40, "dani": 60} == totals(recorded.state)
    assert 2 == game.records.count()


def test_loba_score_wrote_half_of_a_round_when_the_rest_was_refused(game, owner, write):
    with pytest.raises(RuleError):
        write(game, a_round("ana", beto=10, caro=40, dani=60), PlayerReentered("beto"))

    assert 1 == game.records.count()
    assert {0} == set(totals(game.state()).values())


def test_loba_score_sent_a_guest_without_a_name_home_and_lost_the_code(client, game):
    address = reverse("sheet", args=[game.code])
    response = client.get(address, headers={"accept-language": "en"})

    assert (404, "") == (response.status_code, response.headers.get("Location", ""))
    assert "Nothing at this address" == read_page(response).only("h1").text


def test_anotador_loba_lost_the_running_game_on_reload(game, write):
    write(game, a_round("ana", beto=10, caro=40, dani=60))
    again = type(game).objects.get(pk=game.pk)

    assert {"ana": 0, "beto": 10, "caro": 40, "dani": 60} == totals(again.state())


def test_anotador_loba_took_ten_off_the_total_and_not_off_the_round(game, write):
    write(game, a_round("beto", ana=30, caro=40, dani=60))
    state = write(game, a_round("ana", closing="in_one_go", beto=1, caro=1, dani=1))

    assert [30, -10] == [played.points["ana"] for played in state.rounds]
    assert 20 == sum(played.points["ana"] for played in state.rounds) == state.player("ana").total


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


def floats_of_ihatemoney(chance: random.Random, people: int) -> float:
    """Return the sum of the balances as they would be shown if each share were a rounded float."""
    net = dict.fromkeys(range(people), 0.0)
    for _bill in range(25):
        amount = chance.randint(1, 100_000) / 100
        sharing = chance.sample(range(people), chance.randint(1, people))
        net[chance.randrange(people)] += amount
        for person in sharing:
            net[person] -= amount / len(sharing)
    return round(sum(round(amount, 2) for amount in net.values()), 2)


def test_ihatemoney_and_spliit_showed_balances_that_do_not_add_up_to_zero():
    chance = random.Random(7)

    assert 0 < sum(floats_of_ihatemoney(chance, chance.randint(3, 9)) != 0 for _group in range(GROUPS))
    assert {0} == {sum(cents(chance, chance.randint(3, 9)).values()) for _group in range(GROUPS)}


def test_ihatemoney_still_owed_a_cent_when_everything_it_proposed_was_paid():
    chance = random.Random(7)
    for _group in range(GROUPS):
        left = cents(chance, chance.randint(3, 9))
        for line in transfers(left):
            left[line.payer] += line.amount
            left[line.payee] -= line.amount
        assert not any(left.values())
        assert () == transfers(left)


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


def test_cospend_proposed_payments_of_nothing():
    chance = random.Random(11)
    for _group in range(GROUPS):
        assert all(line.amount > 0 for line in transfers(cents(chance, chance.randint(2, 9))))


def test_django_ledger_mended_a_third_of_a_hundred_by_chance():
    assert {"ana": 3334, "beto": 3333, "caro": 3333} == shares(10_000, ["ana", "beto", "caro"])
    assert 1 == len({tuple(shares(10_000, ["ana", "beto", "caro"]).items()) for _try in range(100)})


def test_splitser_gave_the_odd_cent_to_anybody():
    assert {"caro": 34, "ana": 33, "beto": 33} == shares(100, ["caro", "ana", "beto"])


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


def test_jayykk_clamped_an_undo_at_zero(table, owner):
    who = {member.slug: member for member in table.members.all()}
    first, second = (
        payments.pay(table, who["beto"], who["ana"], amount, method=Method.CASH, key=a_key(), by=owner)
        for amount in (500, 300)
    )
    for paid in (first, second, first):
        payments.take_back(paid, by=owner)

    assert {0} == set(balances_of(table).values())


def test_pokernow_made_two_juans_one(table):
    add_member(table, "Juan")
    with pytest.raises(RuleError):
        add_member(table, "juan")
    other = add_member(table, "Juan B.")

    assert "juan" != other.slug


def test_poker_settle_finished_a_night_that_did_not_add_up():
    hands = tuple((player, Hand(points=101)) for player in ("beto", "caro"))
    players = tuple(Player(player, player.title()) for player in ("ana", "beto", "caro"))
    for stake in (1, 7, 100):
        state = replay(
            (
                GameStarted("loba_menos", (("stake", stake),), players),
                RoundPlayed(RoundEntry("ana", "out", hands)),
            )
        )
        assert (True, 0) == (state.is_over, pot_of(state))
        assert 0 == sum(nets(state).values())


def test_none_of_eight_took_the_same_expense_once(table, owner):
    who = {member.slug: member for member in table.members.all()}
    for _tap in range(3):
        payments.pay(table, who["beto"], who["ana"], 100, method=Method.CASH, key="one tap", by=owner)

    assert {"ana": -100, "beto": 100, "caro": 0, "dani": 0} == balances_of(table)


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
