"""A night (noche) as pages, messages and pictures show it: its people, its winners, its row in lists."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date, datetime

from django.urls import reverse
from django.utils.text import capfirst
from django.utils.timezone import now
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.common import amounts, days, event_sentences, game_labels, naming
from games.common.game_labels import WinnerText
from games.common.naming import Person
from games.models import Entry, Payment, SharedCost, Table
from games.money.presenters import account_display, debt_list, expense_display, sharing
from games.money.presenters.account_display import MovementItem
from games.money.presenters.debt_list import DebtList, PageReader
from games.money.presenters.sharing import PictureData
from games.money.services import accounting, expenses, night_summary, starting_balances
from games.money.services.accounting import Accounts
from games.money.services.movements import AnyMovement
from games.money.services.night_summary import Attendee, NightSummary
from games.tables.services import roster
from games.tables.services.roster import People

GAMES_PER_PAGE = 30  # an imported night may have any number of games


@dataclass(frozen=True)
class AttendeeItem:
    """A person of a night: the deciding figure with its color class, and the details in words.

    A person who did not play has no figure.
    """

    person: Person
    figure: str
    tone: str
    detail: str
    href: str


def attendee_items(
    summary: NightSummary, table: Table, *, can_view_accounts: bool = True
) -> list[AttendeeItem]:
    """Return the people of a night, best first, the same for pages, messages and pictures.

    Without `can_view_accounts`, they are only the players, with the money of their games.
    """
    return [
        AttendeeItem(
            roster.to_person(attendee.member),
            _figure_label(attendee, summary, table),
            amounts.tone(attendee.net) if summary.has_money else "",
            " · ".join(_detail_labels(attendee, summary, table)) if can_view_accounts else "",
            account_display.account_url(table, attendee.member.slug),
        )
        for attendee in (summary.attendees if can_view_accounts else summary.players)
    ]


def _figure_label(attendee: Attendee, summary: NightSummary, table: Table) -> str:
    if not attendee.games:
        return ""
    if not summary.has_money:
        return game_labels.wins_label(attendee.wins)
    return amounts.money(attendee.net, table, signed=True)


def _detail_labels(attendee: Attendee, summary: NightSummary, table: Table) -> Iterator[str]:
    if attendee.games:
        yield game_labels.games_label(attendee.games)
    if attendee.wins and summary.has_money:
        yield game_labels.wins_label(attendee.wins)
    if attendee.reentries:
        yield game_labels.reentries_label(attendee.reentries)
    if attendee.is_playing:
        yield _("still playing")
    for text, amount in (
        (_("expenses %(amount)s"), attendee.expenses),
        (_("paid on the spot %(amount)s"), attendee.on_the_spot),
        (_("payments %(amount)s"), attendee.payments),
    ):
        if amount:
            yield text % {"amount": amounts.money(amount, table, signed=True)}
    if attendee.left != attendee.net and attendee.left:
        yield _("balance %(amount)s") % {"amount": amounts.money(attendee.left, table, signed=True)}


def night_winner_text(summary: NightSummary, table: Table, *, is_playing: bool) -> WinnerText:
    """Return the winners of a night with what they won, or the leaders while it is played, and the pots."""
    single = summary.leaders[0] if len(summary.leaders) == 1 else None
    return WinnerText(
        single=roster.to_person(single.member) if single else None,
        sentence=_leaders_sentence(summary, table, is_playing=is_playing),
        pot=_("%(sum)s in the pots") % {"sum": amounts.money(summary.pots, table)} if summary.pots else "",
        amount="",  # the sentence has it
        tone="",
    )


def _leaders_sentence(summary: NightSummary, table: Table, *, is_playing: bool) -> str:
    count = len(summary.leaders)
    if not count:
        return _("all square")
    leader = summary.leaders[0]
    won = {
        "names": naming.join_names([leader.member.name for leader in summary.leaders]),
        "amount": amounts.money(leader.net, table),
    }
    if summary.has_money and is_playing:
        return ngettext("%(names)s is up %(amount)s", "%(names)s are up %(amount)s each", count) % won
    if summary.has_money:
        return ngettext("%(names)s won %(amount)s", "%(names)s won %(amount)s each", count) % won
    if is_playing:
        return ngettext("%(names)s is ahead", "%(names)s are ahead", count) % won
    return ngettext("%(names)s won the night", "%(names)s won the night", count) % won


def movement_items(moves: Sequence[AnyMovement], people: People, table: Table) -> list[MovementItem]:
    numbers = [move.toordinal() for move in moves if isinstance(move, date)]
    summaries = night_summary.summarize_many(numbers, table, people)
    games = table.games.filter(discarded_at=None, night_number__in=numbers)
    started_counts = Counter(games.values_list("night_number", flat=True))

    valid_entries = (
        starting_balances.list_valid(table) if any(isinstance(move, Entry) for move in moves) else ()
    )

    def row(move: AnyMovement) -> MovementItem:
        match move:
            case Payment():
                return account_display.payment_item(move, people, table)
            case SharedCost():
                return expense_display.expense_item(move, people, table)
            case Entry():
                return account_display.starting_balances_item(move, is_void=move not in valid_entries)
        number = move.toordinal()
        return night_item(move, summaries.get(number), table, started_count=started_counts[number])

    return [row(move) for move in moves]


def night_item(
    night: date, summary: NightSummary | None, table: Table, *, started_count: int
) -> MovementItem:
    """Return a night as a row of a list, with its winners, or its leaders while a game is under way."""
    finished_count = len(summary.winners) if summary else 0
    win = night_winner_text(summary, table, is_playing=finished_count < started_count) if summary else None
    day = days.format_day(night)
    details = (
        day if win else "",
        game_labels.games_so_far_label(finished_count, started_count - finished_count),
        win.pot if win else "",
    )
    return MovementItem(
        faces=(win.single,) if win and win.single else (),
        title=win.sentence if win else day,
        detail=" · ".join(filter(None, details)),
        amount=win.amount if win else "",
        tone=win.tone if win else "",
        href=reverse("night", args=[table.code, night.isoformat()]),
    )


@dataclass(frozen=True)
class NightPage:
    """A night as read at the time `at`: its people, games, expenses and payments, and the accounts."""

    night: date
    table: Table
    at: datetime
    accounts: Accounts
    summary: NightSummary
    expenses: tuple[SharedCost, ...]
    payments: tuple[Payment, ...]

    @classmethod
    def load(cls, night: date, table: Table) -> NightPage:
        people = People.of(table)
        return cls(
            night,
            table,
            at=now(),
            accounts=accounting.load_accounts(table, people),
            summary=night_summary.summarize(night, table, people),
            expenses=tuple(expenses.load_for_night(night, table)),
            payments=tuple(night_summary.list_payments(night, table)),
        )

    @property
    def people(self) -> People:
        return self.accounts.people

    @property
    def is_tonight(self) -> bool:
        return self.night == days.night_for(self.at, self.table)

    def counts_label(self) -> str:
        summary, finished_count = self.summary, len(self.summary.winners)
        parts = [game_labels.games_so_far_label(finished_count, len(summary.games) - finished_count)]
        if summary.reentries:
            parts.append(game_labels.reentries_label(summary.reentries))
        if summary.pots:
            parts.append(_("%(sum)s in the pots") % {"sum": amounts.money(summary.pots, self.table)})
        return "\u00a0· ".join(parts)

    def winners_sentence(self) -> str:
        """Return a sentence on the winners or leaders, "" until a game has ended."""
        is_playing = len(self.summary.winners) < len(self.summary.games)
        win = night_winner_text(self.summary, self.table, is_playing=is_playing)
        return capfirst(win.sentence) if self.summary.winners else ""

    def game_items(self, page: int) -> Iterator[MovementItem]:
        """Yield a row for each game of a page, oldest first. The first page has the night's last games."""
        last = len(self.summary.games) - (page - 1) * GAMES_PER_PAGE
        for game in self.summary.games[max(0, last - GAMES_PER_PAGE) : last]:
            winners = self.summary.winners.get(game.pk, ())
            names = [naming.isolate(winner.name) for winner in winners]
            is_shared = game.pk in self.summary.placed_game_ids
            state = (
                _("in progress")
                if game.ended_at is None
                else event_sentences.won_by_label(names, is_shared=is_shared)
            )
            detail = f"{days.format_time(game.started_at, self.table)} · {state}"
            yield MovementItem(
                tuple(map(roster.to_person, winners)),
                game_labels.game_label(game),
                detail,
                "",
                game_labels.game_url(game),
            )

    def load_debts(self, reader: PageReader) -> DebtList:
        """Return tonight's debts and payments or, for a past night, only its payments."""
        if self.is_tonight:
            return debt_list.build_for_night(
                self.night, self.summary, self.accounts, self.table, reader, paid=self.payments
            )
        return debt_list.build(self.accounts, self.table, reader, debts=(), paid=self.payments)

    def debts_with_absent(self, reader: PageReader) -> DebtList:
        """Return the debts between a person of this night and one who did not come."""
        attendees = self.summary.people
        debts = [
            debt for debt in self.accounts.debts if (debt.payer in attendees) is not (debt.payee in attendees)
        ]
        return debt_list.build(self.accounts, self.table, reader, debts=debts)

    def expense_lines(self) -> list[str]:
        return [expense_display.expense_message_line(cost, self.people, self.table) for cost in self.expenses]


# --- messages and pictures --------------------------------------------------------------------------------------------


def open_debts_sentence() -> str:
    return _("What's still owed is in the accounts")


def night_message(night: NightPage) -> str:
    debts, table = night.load_debts(PageReader()), night.table
    lines = [f"{naming.isolate(table.name)} · {days.format_day(night.night)}", night.counts_label(), ""]
    lines += [
        " · ".join(filter(None, (naming.isolate(row.person.name), row.detail, row.figure)))
        for row in attendee_items(night.summary, table)
    ]
    if costs := night.expense_lines():
        lines += ["", *costs]
    debt_lines = (
        debt_list.message_lines(debts, table, night.at)
        if night.is_tonight
        else _past_night_lines(debts, night)
    )
    return "\n".join((*lines, "", *debt_lines))


def _past_night_lines(debts: DebtList, night: NightPage) -> Iterator[str]:
    yield _("As of %(moment)s") % {"moment": days.format_datetime(night.at, night.table)}
    yield from debt_list.paid_lines(debts)
    yield f"{open_debts_sentence()}."


def night_picture(night: NightPage) -> PictureData:
    table, leaders = night.table, [roster.to_person(leader.member) for leader in night.summary.leaders]
    debt_picture = debt_list.picture_data(night.load_debts(PageReader()), table, night.at)
    return sharing.build_picture(
        table.name,
        _("The night of %(day)s") % {"day": days.format_day(night.night)},
        night.counts_label(),
        [
            sharing.picture_row(row.person, row.detail, row.figure, won=row.person in leaders, tone=row.tone)
            for row in attendee_items(night.summary, table)
        ],
        notes=night.expense_lines(),
        debts=debt_picture if night.is_tonight else {**debt_picture, "title": open_debts_sentence()},
    )
