"""Check that the plan in a table's file (who pays whom) follows from its games, payments and shared costs."""

from __future__ import annotations

from collections import Counter

from games.notebook.contents import Contents
from games.notebook.fields import Unreadable
from games.scoring.ledger import Transfer, nets
from games.scoring.plan import explains
from games.scoring.shares import nets_of_cost
from games.scoring.words import _


def check_plan(contents: Contents) -> None:
    """Raise Unreadable if the file's last plan does not settle the balances.

    Such a file was edited by somebody, or its games were scored by older rules. Once it was imported,
    `check_books` would report the plan for ever. The site's operator can still import the file with
    `manage.py import_table`.
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
    for cost in contents.costs:
        if cost.counts:
            nets_of_all = nets_of_cost(cost.amount, cost.payer.slug, cost.sharers, list(contents.members))
            for slug, net in nets_of_all.items():
                balances[slugs[slug]] += net
    named = [
        Transfer(slugs[payer], slugs[payee], amount) for payer, payee, amount in contents.plans[-1].lines
    ]
    if not explains(named, balances):
        raise Unreadable(
            _(
                "In this file, who pays whom doesn't match its games and payments. Nothing "
                "was imported. The site's operator can still import it."
            )
        )
