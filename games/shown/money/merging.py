"""Two members who are one, before they are made so: what is added up, what counts no more, who pays whom then."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.models import Game, Table
from games.money.balances import Account, People
from games.money.merging import Twins
from games.money.plans import Lines
from games.shown.common.amounts import money, tone_of
from games.shown.common.days import moment_in_words
from games.shown.common.members import person_of
from games.shown.common.people import Person
from games.shown.common.played import game_in_words, game_page
from games.shown.common.sentences import translate
from games.shown.money.accounts import PaymentRow, payment_row


@dataclass(frozen=True)
class AccountRow:
    """What one of them has, or both together."""

    person: Person
    games: str
    balance: str
    tone: str


@dataclass(frozen=True)
class GameRow:
    """A game both sat in."""

    title: str
    day: str
    href: str


@dataclass(frozen=True)
class TwinsShown:
    """The look at it; `wrong` says why they cannot be one, and `games` in which of them both sat."""

    accounts: tuple[AccountRow, ...]
    together: AccountRow
    between: tuple[PaymentRow, ...]
    plan_before: tuple[tuple[str, str], ...]  # who pays whom, and how much
    plan_after: tuple[tuple[str, str], ...]
    claim: str
    games: tuple[GameRow, ...]
    wrong: str

    @property
    def is_plan_changed(self) -> bool:
        """Whether anybody pays somebody else than before, or another amount."""
        return self.plan_before != self.plan_after


def twins_shown(found: Twins, table: Table) -> TwinsShown:
    """What making them one brings."""
    people = People.of(table)
    return TwinsShown(
        accounts=tuple(_account_row(account, table) for account in found.before),
        together=_account_row(found.after, table),
        between=tuple(payment_row(payment, people, table) for payment in found.between),
        plan_before=_lines(found.plan_before, people, table),
        plan_after=_lines(found.plan_after, people, table),
        claim=_claim(found),
        games=games_shown(found.played, table),
        wrong="" if found.wrong is None else translate(found.wrong),
    )


def games_shown(games: Sequence[Game], table: Table) -> tuple[GameRow, ...]:
    """Games with when they began and where they are."""
    return tuple(
        GameRow(game_in_words(game), moment_in_words(game.started_at, table), game_page(game))
        for game in games
    )


def _account_row(account: Account, table: Table) -> AccountRow:
    return AccountRow(
        person_of(account.member),
        ngettext("%(count)s game", "%(count)s games", account.games) % {"count": account.games},
        money(account.balance, table, signed=True),
        tone_of(account.balance),
    )


def _lines(lines: Lines, people: People, table: Table) -> tuple[tuple[str, str], ...]:
    return tuple(
        (
            f"{people.by_slug[line.payer].name} → {people.by_slug[line.payee].name}",
            money(line.amount, table),
        )
        for line in lines
    )


def _claim(found: Twins) -> str:
    """What becomes of the phone that is one of them; "" where none is."""
    if found.member.user_id is None or found.into.user_id is not None:
        return ""
    return _("Whoever said to be %(name)s is %(other)s from then on.") % {
        "name": found.member.name,
        "other": found.into.name,
    }
