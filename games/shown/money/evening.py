"""The summary of a night, for its page and for the group's chat."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date, datetime

from django.utils.text import slugify
from django.utils.translation import gettext as _

from games.models import Game, Result, SharedCost, Table
from games.money.balances import Accounts, Line, People
from games.money.evening import Attendee, Evening, Moment
from games.names import APP_NAME, isolated
from games.shown.common.amounts import money, points, tone_of
from games.shown.common.charts import DASHES, Chart, Series, line_chart
from games.shown.common.days import clock, day_in_words, moment_in_words
from games.shown.common.members import person_of
from games.shown.common.people import Person
from games.shown.common.played import game_name, game_page, games_in_words, reentries_in_words, wins_in_words
from games.shown.common.words import won_by
from games.shown.money.accounts import account_page
from games.shown.money.costs import cost_for_group
from games.shown.money.sending import Drawn


@dataclass(frozen=True)
class GameRow:
    """A game in a list, with a link to its page."""

    title: str
    detail: str
    href: str


@dataclass(frozen=True)
class AttendeeRow:
    """A person who played that night, the number of their games, and their result; "" if no money moved."""

    person: Person
    detail: str
    amount: str
    tone: str
    href: str


@dataclass(frozen=True)
class Fact:
    """A statistic of the night, such as the number of games: its title, its value and a detail or ""."""

    title: str
    value: str
    detail: str = ""


@dataclass(frozen=True)
class MomentRow:
    """The best or worst moment of a night: the person, their running total, and the game just played."""

    title: str
    who: str
    value: str
    where: str
    href: str


@dataclass(frozen=True)
class EveningShown:
    """The summary of a night, ready for its page. `there` are the players, `facts` the statistics."""

    in_short: str
    games: tuple[GameRow, ...]
    there: tuple[AttendeeRow, ...]
    facts: tuple[Fact, ...]
    moments: tuple[MomentRow, ...]
    chart: Chart | None


def evening_shown(evening: Evening, people: People, table: Table) -> EveningShown:
    """Return the summary of the night, ready for its page."""
    return EveningShown(
        in_short=" · ".join(_in_short(evening, table)),
        games=tuple(
            _game_row(game, evening.results.get(game.pk, ()), people, table) for game in evening.games
        ),
        there=tuple(_attendee_row(attendee, evening, table) for attendee in evening.there),
        facts=tuple(_facts(evening, table)) if evening.games else (),
        moments=tuple(_moments(evening, table)),
        chart=_chart(evening, table),
    )


def _game_row(game: Game, results: Sequence[Result], people: People, table: Table) -> GameRow:
    winners = [isolated(people.by_pk[result.member_id].name) for result in results if result.won]
    detail = _("under way") if game.ended_at is None else won_by(winners)
    began = clock(game.started_at, table)
    return GameRow(game_name(game), f"{began} · {detail}", game_page(game))


def _attendee_row(attendee: Attendee, evening: Evening, table: Table) -> AttendeeRow:
    return AttendeeRow(
        person=person_of(attendee.member),
        detail=" · ".join(_done(attendee)),
        amount=money(attendee.net, table, signed=True) if evening.has_money and attendee.games else "",
        tone=tone_of(attendee.net),
        href=account_page(table, attendee.member.slug),
    )


def _done(attendee: Attendee) -> Iterator[str]:
    if attendee.games:
        yield games_in_words(attendee.games)
    if attendee.wins:
        yield wins_in_words(attendee.wins)
    if attendee.reentries:
        yield reentries_in_words(attendee.reentries)
    if attendee.is_playing:
        yield _("still playing")


def _facts(evening: Evening, table: Table) -> Iterator[Fact]:
    back = reentries_in_words(evening.reentries) if evening.reentries else ""
    yield Fact(_("Games"), points(len(evening.games)), back)
    yield Fact(_("Players"), points(len(evening.there)))
    if evening.pots:
        most = _("the biggest %(pot)s") % {"pot": money(max(evening.pots), table)}
        is_one = len(evening.pots) == 1
        yield Fact(_("In the pots"), money(sum(evening.pots), table), "" if is_one else most)


def _in_short(evening: Evening, table: Table) -> Iterator[str]:
    yield games_in_words(len(evening.games))
    if evening.reentries:
        yield reentries_in_words(evening.reentries)
    if evening.pots:
        yield _("%(sum)s in the pots") % {"sum": money(sum(evening.pots), table)}


def _moments(evening: Evening, table: Table) -> Iterator[MomentRow]:
    """Yield the highest and the lowest running total that anybody had that night.

    Yield nothing before the second finished game.
    """
    if evening.best is None or evening.worst is None or len(evening.course) < 2:
        return
    yield _moment_row(_("The best moment"), evening.best, table)
    yield _moment_row(_("The worst moment"), evening.worst, table)


def _moment_row(title: str, moment: Moment, table: Table) -> MomentRow:
    return MomentRow(
        title=title,
        who=", ".join(isolated(member.name) for member in moment.members),
        value=money(moment.net, table, signed=True),
        where=_("after the game of %(time)s") % {"time": clock(moment.game.started_at, table)},
        href=game_page(moment.game),
    )


def _chart(evening: Evening, table: Table) -> Chart | None:
    """Return a chart of everybody's running total, or None before the second finished game."""
    if len(evening.course) < 2:
        return None
    places = [_("start"), *(clock(game.started_at, table) for game, _so_far in evening.course)]
    series = [
        Series(
            person_of(attendee.member),
            [0, *(so_far.get(attendee.member.slug, 0) for _game, so_far in evening.course)],
        )
        for attendee in evening.there
        if attendee.games
    ][:DASHES]
    axis = _("Game of")
    if evening.has_money:
        return line_chart(
            _("How it went"), axis, places, series, lambda amount: money(amount, table, signed=True)
        )
    return line_chart(_("Points so far"), axis, places, series, points)


# --- sent to the group ------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Payable:
    """A payment still to be made: payer, payee and amount."""

    payer: Person
    payee: Person
    amount: str


@dataclass(frozen=True)
class ReportShown:
    """The report of a night for the group's chat: its summary, who pays whom, and the shared costs.

    `moment` says when this was computed, such as “As of Fri 31 May, 23:30”.
    """

    evening: EveningShown
    lines: tuple[Payable, ...]
    moment: str
    costs: tuple[str, ...]


def report_shown(
    evening: EveningShown, accounts: Accounts, table: Table, costs: Iterable[SharedCost], *, at: datetime
) -> ReportShown:
    """Return the report of a night for the group's chat, with who pays whom at the present moment `at`.

    `costs` are the night's shared costs.
    """
    return ReportShown(
        evening=evening,
        lines=tuple(_payable(line, table) for line in accounts.to_pay),
        moment=_("As of %(moment)s") % {"moment": moment_in_words(at, table)},
        costs=tuple(cost_for_group(cost, accounts.people, table) for cost in costs),
    )


def _payable(line: Line, table: Table) -> Payable:
    return Payable(person_of(line.payer), person_of(line.payee), money(line.left, table))


def night_message(night: date, report: ReportShown, table: Table) -> str:
    """Return the night as text for the group's chat."""
    shown = report.evening
    lines = [_occasion(night, table), shown.in_short, report.moment, ""]
    lines += [
        " · ".join(filter(None, (isolated(row.person.name), row.detail, row.amount))) for row in shown.there
    ]
    if report.costs:
        lines += ["", *report.costs]
    if shown.moments:
        lines += ["", *_moments_in_words(shown)]
    lines += ["", _("Who pays whom:") if report.lines else _("Everyone is settled up.")]
    lines += [
        f"{isolated(line.payer.name)} → {isolated(line.payee.name)}: {line.amount}" for line in report.lines
    ]
    return "\n".join(lines)


def night_picture(night: date, report: ReportShown, table: Table) -> Drawn:
    """Return the data from which `static/money/picture.js` draws a night.

    The keys are those of the picture of a game (`picture_of` in `sending.py`).
    """
    shown = report.evening
    return {
        "occasion": table.name,
        "title": _("The night of %(day)s") % {"day": day_in_words(night)},
        "winners": [],
        "prize": "",
        "pot": None,
        "reason": " · ".join((shown.in_short, report.moment)),
        "people": [
            {
                **row.person.drawn,
                "place": "",
                "won": place == 0 and row.tone == "green",
                "below": row.detail,
                "figure": row.amount,
                "tone": row.tone,
            }
            for place, row in enumerate(shown.there)
        ],
        "paying": _("Who pays whom") if report.lines else _("Everyone is settled up."),
        "payments": [
            {"payer": line.payer.drawn, "payee": line.payee.drawn, "amount": line.amount}
            for line in report.lines
        ],
        "notes": list(report.costs),
        "below": [],
        "rules": " · ".join(_moments_in_words(shown)),
        "by": APP_NAME,
    }


def night_file(night: date, table: Table) -> str:
    """Return the file name under which the picture of a night is saved."""
    return f"{slugify(table.name)}-{night:%Y-%m-%d}.png"


def _occasion(night: date, table: Table) -> str:
    return f"{isolated(table.name)} · {day_in_words(night)}"


def _moments_in_words(shown: EveningShown) -> list[str]:
    return [f"{row.title}: {row.who} {row.value} {row.where}" for row in shown.moments]
