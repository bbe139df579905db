"""What the pages that show the dues of a game share: what is seen by whom, and the payment just ticked off or taken back."""

from __future__ import annotations

from dataclasses import dataclass

from django.http import HttpRequest
from django.utils.translation import gettext as _

from games.models import Payment
from games.money.balances import People
from games.money.dues import dues_alone, dues_of
from games.people.access import sees_accounts
from games.shown.common.amounts import money
from games.shown.money.accounts import payment_in_words
from games.shown.money.dues import DueLine, DuesShown, dues_shown, dues_shown_alone
from games.views.common.opened import OpenGame


@dataclass(frozen=True)
class Done:
    """What has just become of a payment, and what undoes it: taking it back, or ticking its line off once more."""

    said: str
    takes_back: int | None = None
    ticks: DueLine | None = None


def dues_seen_by(request: HttpRequest, opened: OpenGame) -> DuesShown:
    """The dues of a game as whoever asks may see them: a witness sees what the game came to, and nothing that was paid."""
    game, state, table = opened.game, opened.state, opened.table
    if sees_accounts(request.user, table, opened.role):
        return dues_shown(dues_of(game, state), state, opened.people, table)
    return dues_shown_alone(dues_alone(game, state), state, opened.people, table)


def just_done(request: HttpRequest, opened: OpenGame, dues: DuesShown) -> Done | None:
    """What became of the payment that the address names, for who records here."""
    number = request.GET.get("done", "")
    if not (opened.may_record and number.isascii() and number.isdigit() and len(number) < 19):
        return None
    payment = payment_beside(opened, int(number))
    if payment is None:
        return None
    people = People.of(opened.table)
    about = {
        "payment": payment_in_words(payment, people),
        "amount": money(payment.amount, opened.table),
    }
    if payment.counts:
        takes_back = payment.pk if payment.confirmed_at is None else None
        return Done(_("Recorded: %(payment)s, %(amount)s") % about, takes_back=takes_back)
    pair = people.by_pk[payment.payer_id].slug, people.by_pk[payment.payee_id].slug
    again = (
        line
        for line in dues.lines
        if line.may_be_ticked
        and (line.payer.id, line.payee.id, line.amount) == (*pair, about["amount"])
        and line.in_accounts == (payment.game_id is None)
    )
    return Done(_("Cancelled: %(payment)s, %(amount)s") % about, ticks=next(again, None))


def payment_beside(opened: OpenGame, number: int) -> Payment | None:
    """The payment of this number, if it was made for this game or in the accounts of its table."""
    found = opened.table.payments.select_related("table", "game").filter(pk=min(number, 2**63 - 1)).first()
    return found if found is not None and found.game_id in (None, opened.game.pk) else None
