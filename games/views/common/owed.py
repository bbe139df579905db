"""Helpers for pages with the dues of a game (the payments still owed for it).

They return the dues that a user may see, and the notice after a payment.
"""

from __future__ import annotations

from dataclasses import dataclass

from django.http import HttpRequest

from games.models import Payment
from games.money.dues import dues_alone, dues_of
from games.money.payments import is_free
from games.money.settling import PlayedNight
from games.people.access import Visitor
from games.shown.common.amounts import money
from games.shown.money.dues import DueLine, DuesShown, dues_shown, dues_shown_alone
from games.shown.money.settling import done_in_words
from games.views.common.numbers import row_id
from games.views.common.opened import OpenGame, user_of


@dataclass(frozen=True)
class Done:
    """A notice about a payment just recorded or taken back, with a button that reverses it.

    If the payment was recorded, the button takes it back: `takes_back` is its primary key. If the payment was
    taken back, the button records it again: `ticks` is the line of the dues for it, or None if it is no
    longer owed.
    """

    sentence: str
    takes_back: int | None = None
    ticks: DueLine | None = None


def dues_seen_by(request: HttpRequest, game_page: OpenGame, played: PlayedNight | None = None) -> DuesShown:
    """Return the dues of a game as this user may see them.

    A user who may not read the accounts sees the result of the game but no payments. `played` is the game's
    night, if the caller has read it already, which saves queries.
    """
    game, state, table = game_page.game, game_page.state, game_page.table
    shown = state, game_page.people, game_page.members, table
    if Visitor(request.user).sees_accounts(table, game_page.role):
        return dues_shown(dues_of(game, state, played), *shown, user_of(request))
    return dues_shown_alone(dues_alone(game, state), *shown)


def just_done(request: HttpRequest, game_page: OpenGame, dues: DuesShown) -> Done | None:
    """Return the notice about the payment just recorded or taken back, which the query string names.

    Return None if it names no payment of the game, and for a user who may not record.
    """
    number = row_id(request.GET.get("done", ""))
    payment = payment_beside(game_page, number) if number and game_page.may_record else None
    if payment is None:
        return None
    people, table = game_page.members, game_page.table
    sentence, amount = done_in_words(payment, people, table), money(payment.amount, table)
    if payment.ended_at is None:
        return Done(sentence, takes_back=payment.pk if is_free(payment, user_of(request)) else None)
    pair = people.by_pk[payment.payer_id].slug, people.by_pk[payment.payee_id].slug
    again = (
        line
        for line in dues.lines
        if line.may_be_ticked and (line.payer.id, line.payee.id, line.amount) == (*pair, amount)
    )
    return Done(sentence, ticks=next(again, None))


def payment_beside(game_page: OpenGame, number: int) -> Payment | None:
    """Return the payment with this primary key that was made for the game; None if there is none."""
    of_game = game_page.game.payments.select_related("table", "game")
    return of_game.filter(pk=number).first()
