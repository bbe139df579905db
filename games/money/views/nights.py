"""A night (noche): its page, its message and picture for the group's chat, and its row in lists."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from math import ceil

from django.http import Http404, HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.text import capfirst, slugify
from django.utils.timezone import now
from django.utils.translation import gettext as _
from django.utils.translation import ngettext, override
from django.views.decorators.http import require_safe

from games.common import amounts, days, event_sentences, game_labels, naming, parsing, request_handling, roles
from games.common.game_labels import WinnerText
from games.common.naming import Person
from games.common.request_handling import PageRefusal
from games.models import Entry, Payment, Role, SharedCost, Table
from games.money.presenters import account_display, debt_list, expense_display, sharing
from games.money.presenters.account_display import MovementItem
from games.money.presenters.debt_list import DebtList, PageReader
from games.money.presenters.sharing import PictureData
from games.money.services import accounting, expenses, night_summary, starting_balances
from games.money.services.accounting import Accounts
from games.money.services.movements import AnyMovement
from games.money.services.night_summary import Attendee, NightSummary
from games.money.views.debt_pages import action_notice, live_context, register_page, requested_page
from games.tables.services import authorization, roster
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


# --- the page ---------------------------------------------------------------------------------------------------------


@require_safe
def night(request: HttpRequest, table_code: str, day: str) -> HttpResponse:
    """Show a night: people, games, expenses and payments, and for tonight the debts."""
    return show_night(request, table_code, day)


@register_page("night")
def show_night(
    request: HttpRequest, table_code: str, day: str, refusal: PageRefusal | None = None
) -> HttpResponse:
    access = authorization.get_accounts_access(request.user, table_code)
    table, role = access.table, Role(access.role)
    night_page = NightPage.load(_night_or_404(table, day), table)
    people, summary = night_page.people, night_page.summary
    reader = PageReader.of(request_handling.current_user(request), role, people)
    page = min(requested_page(request), max(1, ceil(len(summary.games) / GAMES_PER_PAGE)))
    context = {
        "table": table,
        "my_role": role,
        "all_people": people,
        "day": days.format_day(night_page.night),
        "night": night_page.night.isoformat(),
        "is_tonight": night_page.is_tonight,
        "is_running": any(game.ended_at is None for game in summary.games),
        "in_short": night_page.counts_label(),
        "won": night_page.winners_sentence(),
        "there": attendee_items(summary, table),
        "games": [*night_page.game_items(page)],
        "newer": page - 1,
        "older": page + 1 if len(summary.games) > page * GAMES_PER_PAGE else 0,
        "costs": [expense_display.expense_item(cost, people, table) for cost in night_page.expenses],
        "may_share": role in roles.WRITERS or reader.member is not None,
        **_debts_context(night_page, reader),
        **_share_context(night_page),
        "done": action_notice(request, table, people, role),
        **live_context(request, access, "night", day, keeps=bool(refusal)),
    }
    return request_handling.render_page(request, "money/night.html", context, refusal)


def _night_or_404(table: Table, text: str) -> date:
    day = parsing.parse_day(text)
    if day is None or not (days.games_on(day, table).exists() or table.costs.filter(night=day).exists()):
        raise Http404
    return day


def _debts_context(night_page: NightPage, reader: PageReader) -> dict[str, object]:
    if night_page.is_tonight:
        return {"debts": night_page.load_debts(reader), "with_absent": night_page.debts_with_absent(reader)}
    people, table = night_page.people, night_page.table
    return {
        "payments": [account_display.payment_item(payment, people, table) for payment in night_page.payments]
    }


def _share_context(night_page: NightPage) -> dict[str, str]:
    """Return the template variables for sending the night to the group, in the table's language."""
    with override(night_page.table.language):
        return {
            "message": night_message(night_page),
            "drawn": json.dumps(night_picture(night_page)),
            "file_name": f"{slugify(night_page.table.name)}-{night_page.night:%Y-%m-%d}.png",
        }
