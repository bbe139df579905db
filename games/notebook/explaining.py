"""Whether the accounts of a table's file hold together: its games and payments, and who pays whom by its plan."""

from __future__ import annotations

from collections import Counter

from games.notebook.contents import Contents
from games.notebook.fields import Unreadable
from games.scoring.ledger import Transfer, nets
from games.scoring.plan import unpaid
from games.scoring.words import _


def check_plan(contents: Contents) -> None:
    """Unreadable where the plan that stands does not explain the balances: `check_books` would name it ever after.

    Something was changed in the file, or its games were counted by older rules: that is for whoever runs the site to say,
    and the command takes it.
    """
    if not contents.plans:
        return
    slugs = {slug: contents.person(member).slug for slug, member in contents.members.items()}
    balances = Counter(dict.fromkeys(slugs.values(), 0))
    for whole in contents.games:
        if whole.game.discarded_at is None and whole.state.is_over:
            for player, net in nets(whole.state).items():
                balances[slugs[player]] += net
    for payment in contents.payments:
        if payment.counts:
            balances[slugs[payment.payer.slug]] += payment.amount
            balances[slugs[payment.payee.slug]] -= payment.amount
    named = [
        Transfer(slugs[payer], slugs[payee], amount) for payer, payee, amount in contents.plans[-1].lines
    ]
    if unpaid([line for line in named if line.payer != line.payee], balances) is None:
        raise Unreadable(
            _(
                "Who pays whom in this file does not follow from its games and payments: something was changed in it, "
                "or it was counted by older rules. Whoever runs this site can bring it in from the command line."
            )
        )
