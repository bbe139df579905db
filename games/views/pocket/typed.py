"""The readers of the HTML forms that can wait on a phone, called by `games/pocket/typed.py`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from django.utils.translation import gettext as _

from games.models import Member, Method, Table
from games.money.amendments import Words
from games.money.balances import People
from games.notebook.fields import Unreadable
from games.pocket.typed import FormRefused, Readers
from games.scoring.errors import ScoringError
from games.scoring.rounds import RoundEntry
from games.scoring.state import GameState
from games.shown.common.typed import REGION
from games.shown.play.forms import read_round
from games.views.common.payment_form import read_payment
from games.views.common.recording import Refused


def _round(fields: Mapping[str, str], state: GameState) -> tuple[RoundEntry, Sequence[str]]:
    form = read_round(fields, state)
    return form.entry, tuple(form.errors.values())


def _payment(fields: Mapping[str, str], table: Table) -> tuple[Member, Member, Words]:
    # An older release sent no region: it had read the amount by the reader's language.
    sent = read_payment({REGION: "", **fields}, table, People.of(table))
    if isinstance(sent, Refused):
        raise FormRefused(*sent.errors.values())
    return sent.payer, sent.payee, sent.words


def read_paid(fields: Mapping[str, str], table: Table) -> tuple[Member, Member, int] | None:
    """Return the payer, the payee and the amount in the fields of a payment form, in the smallest coin.

    Return None if they cannot be read.
    """
    try:
        payer, payee, words = _payment({**fields, "method": Method.CASH.value}, table)
    except (FormRefused, ScoringError, Unreadable):
        return None
    return payer, payee, words.amount


def _unanswered(state: GameState) -> str:
    return _("Does %(name)s re-enter?") % {"name": state.pending[0].name}


READERS = Readers(round=_round, payment=_payment, unanswered=_unanswered)
