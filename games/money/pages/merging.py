"""The preview of merging two members: the joint balance, payments that no longer count, the new debts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from games.common.amounts import money
from games.common.days import moment_in_words
from games.common.names import isolated
from games.common.played import game_in_words, game_page
from games.common.words import translate
from games.models import Game, Table
from games.money.merging import MergePreview
from games.money.pages.rows import BalanceRow, MoveRow, balance_row, payment_row
from games.scoring.debts import Debts
from games.tables.people import People


@dataclass(frozen=True)
class TwinsShown:
    """The preview of merging two members, ready for its page.

    `accounts` are their two balances, `together` the joint one. `between` are payments between the two, which
    no longer count after the merge. `games` are the games in which both played. `wrong` is the reason why the
    two cannot be merged, "" if they can.
    """

    accounts: tuple[BalanceRow, ...]
    together: BalanceRow
    between: tuple[MoveRow, ...]
    before: tuple[tuple[str, str], ...]  # the debts: (“debtor → creditor”, amount)
    after: tuple[tuple[str, str], ...]
    games: tuple[MoveRow, ...]
    wrong: str

    @property
    def changes_debts(self) -> bool:
        """True if the merge changes any debt."""
        return self.before != self.after


def twins_shown(effect: MergePreview, table: Table) -> TwinsShown:
    """Return the preview of this merge."""
    people = People.of(table)
    return TwinsShown(
        accounts=tuple(
            balance_row(member, balance, table)
            for member, balance in zip((effect.member, effect.into), effect.before, strict=True)
        ),
        together=balance_row(effect.into, effect.after, table),
        between=tuple(payment_row(payment, people, table) for payment in effect.between),
        before=debts_in_words(effect.debts, people, table),
        after=debts_in_words(effect.debts_after, people, table),
        games=games_shown(effect.played, table),
        wrong="" if effect.wrong is None else translate(effect.wrong),
    )


def games_shown(games: Sequence[Game], table: Table) -> tuple[MoveRow, ...]:
    """Return the games with their names, start times and links."""
    return tuple(
        MoveRow((), game_in_words(game), moment_in_words(game.started_at, table), "", game_page(game))
        for game in games
    )


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
