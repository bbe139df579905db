"""The preview of merging two members: the joint balance, payments that no longer count, the new debts."""

from __future__ import annotations

from games.common.amounts import money
from games.common.names import isolated
from games.common.played import game_in_words, game_page
from games.common.words import translate
from games.models import Table
from games.money.merging import MergePreview
from games.money.pages.rows import balance_row, payment_row
from games.scoring.debts import Debts
from games.tables.people import People


def twins_shown(effect: MergePreview, table: Table) -> dict[str, object]:
    """Return the preview of this merge, ready for its page.

    `accounts` are the two balances, `together` the joint one. `between` are payments between the two, which
    no longer count after the merge. `wrong` is the reason why the two cannot be merged, "" if they can, and
    `game` a game in which both played, with its address.
    """
    people = People.of(table)
    before, after = (debts_in_words(debts, people, table) for debts in (effect.debts, effect.debts_after))
    return {
        "accounts": [
            balance_row(member, balance, table)
            for member, balance in zip((effect.member, effect.into), effect.before, strict=True)
        ],
        "together": balance_row(effect.into, effect.after, table),
        "between": [payment_row(payment, people, table) for payment in effect.between],
        **{"before": before, "after": after, "changes_debts": before != after},
        "game": effect.played and (game_in_words(effect.played), game_page(effect.played)),
        "wrong": "" if effect.wrong is None else translate(effect.wrong),
    }


def debts_in_words(debts: Debts, people: People, table: Table) -> tuple[tuple[str, str], ...]:
    """Return each debt as “debtor → creditor” and its amount, by debtor and then creditor in joining order."""
    seats = {member: place for place, member in enumerate(people.own)}
    in_order = sorted(
        debts, key=lambda debt: [seats[people.by_slug[end]] for end in (debt.payer, debt.payee)]
    )
    return tuple(
        (
            f"{isolated(people.by_slug[debt.payer].name)} → {isolated(people.by_slug[debt.payee].name)}",
            money(debt.amount, table),
        )
        for debt in in_order
    )
