"""A year of a table, or of one of its members, as its page, its text and its picture show it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from operator import attrgetter

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.models import Member, Table
from games.names import isolated
from games.season.years import Share, Year
from games.shown.common.amounts import money, points, tone_of
from games.shown.common.members import person_of
from games.shown.common.played import game_in_words, game_page, games_in_words
from games.shown.season.calendar import Calendar, calendar_of
from games.shown.season.flows import Flows, flows_of
from games.shown.season.player import Figure
from games.shown.season.season import FeatRow, nights_in_words

FEW = 3  # the most people named beside a record
TOLD = 5  # the most flows of money in a text or a picture


@dataclass(frozen=True)
class YearShown:
    """The content of the page of a year: figures, records (`feats`), flows of money, and a calendar."""

    title: str
    figures: tuple[Figure, ...]
    feats: tuple[FeatRow, ...]
    flows: Flows | None
    calendar: Calendar
    nights: str


def year_shown(year: Year, table: Table, member: Member | None = None) -> YearShown:
    """Return a year of this table or, with `member`, of this member, as its page shows it."""
    return YearShown(
        title=f"{year.number} · {isolated(member.name if member else table.name)}",
        figures=tuple(_figures(year, table) if member is None else _own_figures(year, table)),
        feats=tuple(_feats(year, table, is_of_all=member is None)),
        flows=flows_of(year.flows, table),
        calendar=calendar_of(year.number, year.nights),
        nights=nights_in_words(len(year.nights)),
    )


def _figures(year: Year, table: Table) -> Iterator[Figure]:
    yield Figure(_("Games played"), points(year.games))
    yield Figure(_("Nights"), points(len(year.nights)))
    yield Figure(_("People"), points(len(year.shares)))
    yield Figure(_("Money that changed hands"), money(year.moved, table))


def _own_figures(year: Year, table: Table) -> Iterator[Figure]:
    for share in year.shares:  # one share, the member's, or none if the member played nothing
        yield Figure(_("Games that count"), points(share.games))
        yield Figure(_("Nights"), points(len(year.nights)))
        yield Figure(_("Won"), points(share.wins))
        yield Figure(_("Money"), money(share.net, table, signed=True), tone=tone_of(share.net))


def _feats(year: Year, table: Table, *, is_of_all: bool) -> Iterator[FeatRow]:
    if is_of_all:
        yield from _most(year, _("Most games won"), attrgetter("wins"))
    yield from _most(year, _("Most re-entries") if is_of_all else _("Re-entries"), attrgetter("reentries"))
    if year.dearest is not None:
        pot, where = money(year.dearest.pot, table), game_in_words(year.dearest)
        yield FeatRow(_("Biggest pot of the year"), "", pot, where, game_page(year.dearest))
    if year.comeback is not None:
        rounds = ngettext("%(count)s round", "%(count)s rounds", year.comeback.rounds)
        yield FeatRow(
            title=_("Longest comeback"),
            who=isolated(year.comeback.member.name),
            value=rounds % {"count": points(year.comeback.rounds)},
            where=game_in_words(year.comeback.game),
            href=game_page(year.comeback.game),
            people=(person_of(year.comeback.member),),
        )
    best = max((share.best for share in year.shares), default=0)
    if best:
        holders = [share.member for share in year.shares if share.best == best]
        yield _record_row(_("Most won in one game"), holders, money(best, table, signed=True))


def _most(year: Year, title: str, figure: Callable[[Share], int]) -> Iterator[FeatRow]:
    """Yield one record of the year with this title, such as “Most games won”; nothing if its value is 0.

    `figure` returns a number from a member's share (the sums of that member's year). The highest of these
    numbers is the record, and all members who reached it hold it.
    """
    most = max(map(figure, year.shares), default=0)
    if most:
        holders = [share.member for share in year.shares if figure(share) == most]
        yield _record_row(title, holders, points(most))


def _record_row(title: str, holders: Sequence[Member], value: str) -> FeatRow:
    """Return the row of a record, with the names of its holders or, for more than `FEW`, their number."""
    if len(holders) <= FEW:
        people = tuple(map(person_of, holders))
        return FeatRow(title, ", ".join(isolated(person.name) for person in people), value, "", "", people)
    count = {"count": points(len(holders))}
    who = ngettext("%(count)s person", "%(count)s people", len(holders)) % count
    return FeatRow(title, who, value, "", "")


@dataclass(frozen=True)
class YearCard:
    """One card of a year: a picture of a part of it, such as one record.

    `key` names the card in URLs. `feat` is the record; None for a card of another kind.
    """

    key: str
    title: str
    feat: FeatRow | None = None


def year_cards(shown: YearShown) -> tuple[YearCard, ...]:
    """Return the cards of a year in the order in which the user swipes through them."""
    feats = [
        YearCard(f"record-{number}", feat.title, feat) for number, feat in enumerate(shown.feats, start=1)
    ]
    flows = [YearCard("flows", _("Who lost to whom"))] if shown.flows else []
    return (
        YearCard("figures", _("The year in figures")),
        *feats,
        *flows,
        YearCard("calendar", _("The nights of the year")),
    )


@dataclass(frozen=True)
class ShareRow:
    """A member's year in one line: the member, the number of games, and the net amount."""

    person: object
    games: str
    money: str
    tone: str


def share_rows(shares: tuple[Share, ...], table: Table) -> tuple[ShareRow, ...]:
    """Return one year summary per member, in the order of `shares`: most games first."""
    return tuple(
        ShareRow(
            person_of(share.member),
            games_in_words(share.games),
            money(share.net, table, signed=True),
            tone_of(share.net),
        )
        for share in shares
    )


def year_message(shown: YearShown) -> str:
    """Return the year as text for the group's chat."""
    lines = [shown.title, ""]
    lines += [f"{figure.title}: {figure.value}" for figure in shown.figures]
    lines += [
        ": ".join(filter(None, (feat.title, f"{feat.value} {feat.who}".strip()))) for feat in shown.feats
    ]
    if shown.flows:
        lines += ["", _("Who lost to whom:")]
        lines += [
            f"{isolated(ribbon.giver.name)} → {isolated(ribbon.taker.name)}: {ribbon.amount}"
            for ribbon in shown.flows.ribbons[:TOLD]
        ]
    return "\n".join(lines)
