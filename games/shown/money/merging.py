"""The preview of merging two members: the joint account, payments that no longer count, the new plan."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _

from games.models import Game, Table
from games.money.balances import Account, People
from games.money.merging import MergePreview
from games.money.plans import Lines
from games.names import isolated
from games.shown.common.amounts import money, tone_of
from games.shown.common.days import moment_in_words
from games.shown.common.members import person_of
from games.shown.common.people import Person
from games.shown.common.played import game_in_words, game_page, games_in_words
from games.shown.common.sentences import translate
from games.shown.money.accounts import PaymentRow, payment_row
from games.shown.money.evening import GameRow


@dataclass(frozen=True)
class AccountRow:
    """The account of one of the two members, or the joint account of both, as a row of the preview."""

    person: Person
    games: str
    balance: str
    tone: str


@dataclass(frozen=True)
class TwinsShown:
    """The preview of merging two members, ready for its page.

    `accounts` are their two accounts, `together` the joint one. `between` are payments between the two, which
    no longer count after the merge. `games` are the games in which both played. `wrong` is the reason why the
    two cannot be merged, "" if they can.
    """

    accounts: tuple[AccountRow, ...]
    together: AccountRow
    between: tuple[PaymentRow, ...]
    plan_before: tuple[tuple[str, str], ...]  # (“payer → payee”, amount)
    plan_after: tuple[tuple[str, str], ...]
    claim: str
    games: tuple[GameRow, ...]
    wrong: str

    @property
    def is_plan_changed(self) -> bool:
        """True if the merge changes any line of the plan of payments."""
        return self.plan_before != self.plan_after


def twins_shown(effect: MergePreview, table: Table) -> TwinsShown:
    """Return the preview of this merge."""
    people = People.of(table)
    return TwinsShown(
        accounts=tuple(_account_row(account, table) for account in effect.before),
        together=_account_row(effect.after, table),
        between=tuple(payment_row(payment, people, table) for payment in effect.between),
        plan_before=_lines(effect.plan_before, people, table),
        plan_after=_lines(effect.plan_after, people, table),
        claim=_claim(effect),
        games=games_shown(effect.played, table),
        wrong="" if effect.wrong is None else translate(effect.wrong),
    )


def games_shown(games: Sequence[Game], table: Table) -> tuple[GameRow, ...]:
    """Return the games with their names, start times and links."""
    return tuple(
        GameRow(game_in_words(game), moment_in_words(game.started_at, table), game_page(game))
        for game in games
    )


def _account_row(account: Account, table: Table) -> AccountRow:
    return AccountRow(
        person_of(account.member),
        games_in_words(account.games),
        money(account.balance, table, signed=True),
        tone_of(account.balance),
    )


def _lines(lines: Lines, people: People, table: Table) -> tuple[tuple[str, str], ...]:
    return tuple(
        (
            f"{isolated(people.by_slug[line.payer].name)} → {isolated(people.by_slug[line.payee].name)}",
            money(line.amount, table),
        )
        for line in lines
    )


def _claim(effect: MergePreview) -> str:
    """Return a sentence which says that the user who claimed to be the merged member will be the other one.

    Return "" if nobody claimed to be the merged member, or if a user has claimed to be the other one already.
    """
    if effect.member.user_id is None or effect.into.user_id is not None:
        return ""
    return _("The user who claimed to be %(name)s becomes %(other)s.") % {
        "name": isolated(effect.member.name),
        "other": isolated(effect.into.name),
    }
