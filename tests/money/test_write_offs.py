"""Write-offs after a change of a game: none forgives more than the debt there was (RULES 1.3)."""

from __future__ import annotations

import pytest

from games.models import Method
from games.money.balances import balances_of
from games.money.holders import retire
from games.money.payments import cancel
from games.money.write_offs import rewritten_by
from games.notebook.books.audit import check_table
from games.play import recording as services
from games.scoring.events import Corrected, GameStarted, Player
from games.scoring.preview import preview
from tests.tables import a_key, a_round, make_user

pytestmark = pytest.mark.django_db


@pytest.fixture
def mas(table, owner, write):
    """A game in which Beto lost 100 to Ana."""
    seats = Player("ana", "Ana"), Player("beto", "Beto")
    event = GameStarted("loba_mas", (("point_value", 1), ("out_bonus", 0)), seats, direction="left")
    game = services.start_game(table, event, key=a_key(), by=owner)
    write(game, a_round("ana", ana=160, beto=60))
    return game


@pytest.fixture
def correct(owner):
    """`correct(game, beto=100)` corrects the game's only round and returns the correction that was previewed."""

    def correct_round(game, winner="ana", by=owner, **points):
        change = Corrected(2, a_round(winner, **points))
        tried = preview(game.log(), change)
        announced = rewritten_by(game, tried.before, tried.after)
        services.record(game, *tried.changes, after=len(game.log()), key=a_key(), by=by)
        return {one.payment.pk: (one.before, one.amount) for one in announced}

    return correct_round


def undo(game, by):
    services.undo(game, after=len(game.log()), key=a_key(), by=by)


def now_of(payment):
    """Return what the write-off forgives now, and its steps."""
    payment.refresh_from_db()
    return payment.amount if payment.counts else 0, [step.turn for step in payment.steps.all()]


def owing(table):
    return {slug: amount for slug, amount in balances_of(table).items() if amount}


def test_a_write_off_shrinks_to_the_corrected_debt_as_previewed_and_grows_back_on_undo(
    table, mas, owner, pay, correct
):
    forgiven, other = pay("beto", "ana", 100, method=Method.WRITE_OFF), make_user("otto")
    announced = correct(mas, by=other, ana=160, beto=100)

    assert {forgiven.pk: (100, 60)} == announced
    assert (60, ["amended"]) == now_of(forgiven)
    assert (100, other) == (forgiven.steps.get().amount, forgiven.steps.get().by)
    assert {} == owing(table)
    undo(mas, owner)
    assert (100, ["amended", "amended"]) == now_of(forgiven)
    assert {} == owing(table)
    services.redo(mas, after=len(mas.log()), key=a_key(), by=owner)
    assert (60, ["amended"] * 3) == now_of(forgiven)
    assert [] == [str(one) for one in check_table(table).differences]


def test_a_correction_that_makes_the_debtor_the_winner_cancels_the_write_off(table, mas, owner, pay, correct):
    forgiven = pay("beto", "ana", 100, method=Method.WRITE_OFF)
    announced = correct(mas, "beto", beto=160, ana=60)

    assert {forgiven.pk: (100, 0)} == announced
    assert (0, ["cancelled"]) == now_of(forgiven)
    assert {"ana": -100, "beto": 100} == owing(table)
    undo(mas, owner)
    assert (100, ["cancelled", "restored"]) == now_of(forgiven)
    assert {} == owing(table)
    assert [] == [str(one) for one in check_table(table).differences]


def test_a_correction_that_removes_the_creditors_claim_cancels_the_write_off(
    table, owner, play, pay, correct
):
    """Beto's debt to Ana was forgiven, but it was Caro who had won."""
    game = play("ana", "beto", "caro")
    forgiven = pay("beto", "ana", 100, method=Method.WRITE_OFF)
    correct(game, "caro", ana=101, beto=102)

    assert (0, ["cancelled"]) == now_of(forgiven)
    assert {"ana": -100, "beto": -100, "caro": 200} == owing(table)
    undo(game, owner)
    assert {"ana": 100, "caro": -100} == owing(table)


def test_a_correction_reduces_write_offs_only_by_the_amount_it_took_from_the_debt(
    table, mas, owner, play, pay, correct
):
    """Beto owes 100, but 70 are written off twice; the correction lowers the debt by 20."""
    part, too_much = (pay("beto", "ana", amount, method=Method.WRITE_OFF) for amount in (70, 70))
    correct(mas, ana=160, beto=80)

    assert [70, 50] == sorted((now_of(part)[0], now_of(too_much)[0]), reverse=True)
    assert {"ana": -40, "beto": 40} == owing(table)


def test_later_losses_of_the_debtor_do_not_change_how_far_a_write_off_shrinks(
    table, mas, owner, play, pay, correct
):
    forgiven = pay("beto", "ana", 100, method=Method.WRITE_OFF)
    play("ana", "beto", stake=30)
    correct(mas, ana=160, beto=100)

    assert 60 == now_of(forgiven)[0]
    assert {"ana": 30, "beto": -30} == owing(table)


def test_a_correction_that_raises_the_debt_does_not_change_the_write_off(table, mas, owner, pay, correct):
    forgiven = pay("beto", "ana", 100, method=Method.WRITE_OFF)

    assert {} == correct(mas, ana=160, beto=20)
    assert (100, []) == now_of(forgiven)
    assert {"ana": 40, "beto": -40} == owing(table)


def test_discarding_a_game_cancels_its_write_off_and_restoring_the_game_restores_it(table, mas, owner, pay):
    forgiven = pay("beto", "ana", 100, method=Method.WRITE_OFF)
    services.discard_game(mas, by=owner)

    assert (0, ["cancelled"]) == now_of(forgiven)
    assert {} == owing(table)
    services.restore_game(mas, by=owner)
    assert (100, ["cancelled", "restored"]) == now_of(forgiven)
    assert {} == owing(table)
    assert [] == [str(one) for one in check_table(table).differences]


def test_a_reopened_game_cancels_its_write_off_until_the_game_ends_again(table, mas, owner, write, pay):
    forgiven = pay("beto", "ana", 100, method=Method.WRITE_OFF)
    undo(mas, owner)

    assert (0, {}) == (now_of(forgiven)[0], owing(table))
    write(mas, a_round("ana", ana=160, beto=70))
    assert (90, {}) == (now_of(forgiven)[0], owing(table))
    assert [] == [str(one) for one in check_table(table).differences]


def test_a_write_off_cancelled_by_a_user_is_not_restored_by_an_undo(table, mas, owner, pay, correct):

    forgiven = pay("beto", "ana", 100, method=Method.WRITE_OFF)
    correct(mas, ana=160, beto=100)
    forgiven.refresh_from_db()
    cancel(forgiven, by=owner)
    undo(mas, owner)

    assert (0, ["amended", "cancelled"]) == now_of(forgiven)
    assert {"ana": 100, "beto": -100} == owing(table)


# --- with more people -------------------------------------------------------------------------------------------------


@pytest.fixture
def shared(table, owner, write):
    """`shared("caro", ana=94, beto=127)` is a game of one round in which everybody pays everybody else."""

    def play(winner, **points):
        seats = tuple(Player(slug, slug.capitalize()) for slug in points)
        event = GameStarted("loba_mas", (("point_value", 1), ("out_bonus", 0)), seats, direction="left")
        game = services.start_game(table, event, key=a_key(), by=owner)
        write(game, a_round(winner, **points))
        return game

    return play


@pytest.mark.parametrize(
    ("at_last", "left"),
    [
        ({"ana": 107, "beto": 114, "caro": 160}, {"beto": -39, "caro": 39}),
        ({"ana": 107, "beto": 153, "caro": 160}, {"ana": -39, "beto": 39}),
    ],
)
def test_a_write_off_grows_back_only_as_far_as_debtor_and_creditor_both_regain_their_results(
    table, pay, correct, shared, at_last, left
):
    game = shared("caro", ana=94, beto=127, caro=160)
    assert {"ana": -99, "caro": 99} == owing(table)
    forgiven = pay("ana", "caro", 99, method=Method.WRITE_OFF)

    correct(game, "caro", ana=120, beto=140, caro=160)
    assert (60, {}) == (now_of(forgiven)[0], owing(table))
    assert {} == correct(game, "caro", **at_last)
    assert (60, left) == (now_of(forgiven)[0], owing(table))
    correct(game, "caro", ana=94, beto=127, caro=160)
    assert (99, {}) == (now_of(forgiven)[0], owing(table))


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (
            {"ana": 120, "beto": 145, "dani": 155, "caro": 160},
            {"ana": 137, "beto": 150, "dani": 160, "caro": 153},
        ),
        (
            {"ana": 185, "beto": 160, "dani": 150, "caro": 145},
            {"ana": 173, "beto": 160, "dani": 150, "caro": 157},
        ),
    ],
    ids=["the debtor retires", "the creditor retires"],
)
def test_of_several_write_offs_only_the_one_between_the_two_corrected_members_shrinks(
    table, owner, who, correct, shared, before, after
):
    """Ana owes Caro 60 and Dani 40, or is owed as much; the correction is between Ana and Caro."""
    game = shared(max(before, key=before.get), **before)
    balance = balances_of(table)["ana"]
    assert 100 == abs(balance)
    retire(who["ana"], written_off=balance, is_shared=True, key=a_key(), by=owner)
    assert {} == owing(table)
    announced = correct(game, max(after, key=after.get), **after)

    assert [(60, 12)] == list(announced.values())
    assert [12, 40] == sorted(payment.amount for payment in table.payments.counting())
    assert {} == owing(table)
    undo(game, owner)
    assert [40, 60] == sorted(payment.amount for payment in table.payments.counting())
    assert {} == owing(table)


@pytest.mark.parametrize("order", [(0, 1), (1, 0)])
def test_two_discarded_games_restored_in_any_order_restore_the_whole_write_off(
    table, owner, pay, shared, order
):
    games = [shared("ana", ana=160, beto=120), shared("ana", ana=160, beto=100)]
    forgiven = pay("beto", "ana", 100, method=Method.WRITE_OFF)
    for game, left in zip(games, (60, 0), strict=True):
        services.discard_game(game, by=owner)
        assert (left, {}) == (now_of(forgiven)[0], owing(table))
    for number, back in zip(order, ((40, 60)[order[0]], 100), strict=True):
        services.restore_game(games[number], by=owner)
        assert (back, {}) == (now_of(forgiven)[0], owing(table))


def test_undoing_a_correction_after_a_discard_and_restore_restores_the_whole_write_off(
    table, mas, owner, pay, correct
):
    forgiven = pay("beto", "ana", 100, method=Method.WRITE_OFF)
    correct(mas, ana=160, beto=100)
    services.discard_game(mas, by=owner)
    table.language = "en"
    table.save(update_fields=["language"])
    mas.refresh_from_db()
    services.restore_game(mas, by=owner)
    assert (60, {}) == (now_of(forgiven)[0], owing(table))
    undo(mas, owner)

    assert (100, {}) == (now_of(forgiven)[0], owing(table))
    assert [
        "se corrigió una partida",
        "se borró una partida",
        "a game was restored",
        "a game was corrected",
    ] == [step.text for step in forgiven.steps.all()]
