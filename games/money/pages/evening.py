"""The summary of a night, for its page and for the group's chat."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, datetime

from django.utils.text import slugify
from django.utils.timezone import now
from django.utils.translation import gettext as _

from games.common.amounts import money, tone_of
from games.common.days import clock, day_in_words, moment_in_words, night_of
from games.common.names import isolated
from games.common.played import (
    game_name,
    game_page,
    games_in_words,
    games_so_far,
    reentries_in_words,
    wins_in_words,
)
from games.common.words import won_by
from games.models import Member, Payment, SharedCost, Table
from games.money.balances import Accounts, read_accounts
from games.money.costs import costs_of, nets_of_cost_row
from games.money.evening import Attendee, Evening, company_of, evening_of, payments_of
from games.money.pages import debt_rows
from games.money.pages.rows import MoveRow, account_page, cost_for_group
from games.money.pages.sending import Drawn, person_drawn, picture
from games.tables.people import People, person_of


def _done(attendee: Attendee, shared: int, table: Table, *, has_shared: bool) -> Iterator[str]:
    if attendee.games:
        yield games_in_words(attendee.games)
    if attendee.wins:
        yield wins_in_words(attendee.wins)
    if attendee.reentries:
        yield reentries_in_words(attendee.reentries)
    if attendee.is_playing:
        yield _("still playing")
    if has_shared:
        yield _("expenses %(amount)s") % {"amount": money(shared, table, signed=True)}


# --- sent to the group ------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Night:
    """A night as it was read at one moment: its games, costs and payments, its people, and the accounts."""

    night: date
    table: Table
    at: datetime
    accounts: Accounts
    evening: Evening
    costs: tuple[SharedCost, ...]
    paid: tuple[Payment, ...]
    company: tuple[Member, ...]

    @classmethod
    def read(cls, night: date, table: Table) -> Night:
        """Read this night now."""
        people = People.of(table)
        evening = evening_of(night, table, people)
        return cls(
            night, table, now(), read_accounts(table, people), evening, tuple(costs_of(night, table)),
            tuple(payments_of(night, table)), company_of(night, table, people, evening),
        )  # fmt: skip

    @property
    def people(self) -> People:
        """The members of the table."""
        return self.accounts.people

    @property
    def is_tonight(self) -> bool:
        """True if this night is the present one."""
        return self.night == night_of(self.at, self.table)

    def in_short(self) -> str:
        """Return the numbers of games and re-entries, and the sum of the pots."""
        evening, over = self.evening, len(self.evening.winners)
        parts = [games_so_far(over, len(evening.games) - over)]
        if evening.reentries:
            parts.append(reentries_in_words(evening.reentries))
        if evening.pots:
            parts.append(_("%(sum)s in the pots") % {"sum": money(evening.pots, self.table)})
        return " · ".join(parts)

    def games(self) -> Iterator[MoveRow]:
        """Yield a row for each game, in the order in which they began."""
        for game in self.evening.games:
            winners = self.evening.winners.get(game.pk, ())
            names = [isolated(winner.name) for winner in winners]
            is_shared = game.pk in self.evening.placed
            state = _("under way") if game.ended_at is None else won_by(names, is_shared=is_shared)
            detail = f"{clock(game.started_at, self.table)} · {state}"
            yield MoveRow(tuple(map(person_of, winners)), game_name(game), detail, "", game_page(game))

    def there(self) -> Iterator[MoveRow]:
        """Yield who played, best first, then who only paid or shares a cost, with what they did, won and lost."""
        evening, table, shared = self.evening, self.table, Counter[Member]()
        for cost in self.costs:
            shared.update(nets_of_cost_row(cost, self.people))
        played = {attendee.member for attendee in evening.there}
        others = (Attendee(one) for one in self.people.own if one in shared and one not in played)
        for attendee in (*evening.there, *others):
            member, has_shared = attendee.member, attendee.member in shared
            net = attendee.net + shared[member]
            has_money = has_shared or bool(evening.has_money and attendee.games)
            yield MoveRow(
                faces=(person_of(member),),
                title=member.name,
                detail=" · ".join(_done(attendee, shared[member], table, has_shared=has_shared)),
                amount=money(net, table, signed=True) if has_money else "",
                href=account_page(table, member.slug),
                tone=tone_of(net),
            )

    def debts(self, reader: debt_rows.Reader) -> debt_rows.DebtsShown:
        """Return tonight's list of who pays whom or, of an old night, only what was paid."""
        if self.is_tonight:
            return debt_rows.debts_of_night(self.night, self.company, self.accounts, self.table, reader)
        return debt_rows.debts_shown(self.accounts, self.table, reader, debts=(), paid=self.paid)

    def with_absent(self, reader: debt_rows.Reader) -> debt_rows.DebtsShown:
        """Return the debts between somebody of this night and somebody who did not come."""
        debts = [
            debt
            for debt in self.accounts.to_pay
            if (debt.payer in self.company) is not (debt.payee in self.company)
        ]
        return debt_rows.debts_shown(self.accounts, self.table, reader, debts=debts)

    def cost_lines(self) -> list[str]:
        """Return the shared costs as lines of a message."""
        return [cost_for_group(cost, self.people, self.table) for cost in self.costs]


def rest_in_words() -> str:
    """Return the sentence that an old night has in place of the debts of now."""
    return _("What is still owed is in the accounts")


def night_message(night: Night) -> str:
    """Return the night as text for the group's chat."""
    debts, table = night.debts(debt_rows.Reader()), night.table
    lines = [f"{isolated(table.name)} · {day_in_words(night.night)}", night.in_short(), ""]
    lines += [
        " · ".join(filter(None, (isolated(row.title), row.detail, row.amount))) for row in night.there()
    ]
    if costs := night.cost_lines():
        lines += ["", *costs]
    listed = debt_rows.lines_of(debts, table, night.at) if night.is_tonight else _old_lines(debts, night)
    return "\n".join((*lines, "", *listed))


def _old_lines(debts: debt_rows.DebtsShown, night: Night) -> Iterator[str]:
    """Yield who paid on an old night, under the moment at which this was read."""
    yield _("As of %(moment)s") % {"moment": moment_in_words(night.at, night.table)}
    yield from debt_rows.paid_lines(debts)
    yield f"{rest_in_words()}."


def night_picture(night: Night) -> Drawn:
    """Return the data from which a night is drawn."""
    table, leaders = night.table, [person_of(one.member) for one in night.evening.leaders]
    drawn = debt_rows.drawn_of(night.debts(debt_rows.Reader()), table, night.at)
    return picture(
        table.name,
        _("The night of %(day)s") % {"day": day_in_words(night.night)},
        night.in_short(),
        [
            person_drawn(person, row.detail, row.amount, won=person in leaders, tone=row.tone)
            for row in night.there()
            for person in row.faces
        ],
        notes=night.cost_lines(),
        debts=drawn if night.is_tonight else {**drawn, "title": rest_in_words()},
    )


def night_file(night: date, table: Table) -> str:
    """Return the file name under which the picture of a night is saved."""
    return f"{slugify(table.name)}-{night:%Y-%m-%d}.png"
