"""The readers of the HTML forms that can wait on a phone, called by `games/play/waiting/entries.py`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from django.utils.translation import gettext as _

from games.common.sent import Refused
from games.models import Table
from games.money.booking import PaymentTyped
from games.money.pages.paying import is_about, read_payment
from games.play.pages.forms import read_round
from games.play.waiting.entries import FormRefused, Readers
from games.scoring.rounds import RoundEntry
from games.scoring.state import GameState
from games.tables.people import People


def _round(fields: Mapping[str, str], state: GameState) -> tuple[RoundEntry, Sequence[str]]:
    form = read_round(fields, state)
    return form.entry, tuple(form.errors.values())


def _payment(fields: Mapping[str, str], table: Table) -> PaymentTyped:
    sent = read_payment(fields, table, People.of(table))
    if isinstance(sent, Refused):
        raise FormRefused(*sent.errors.values())
    return sent


def _unanswered(state: GameState) -> str:
    return _("Does %(name)s re-enter?") % {"name": state.pending[0].name}


READERS = Readers(round=_round, payment=_payment, answer=is_about, unanswered=_unanswered)
