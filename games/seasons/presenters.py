"""A season for its page: the leaders, the standings with recent results, and the records.

The message and the picture of a season or a year for the group's chat are here too.
"""

from __future__ import annotations

import itertools
import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from operator import attrgetter

from django.utils.text import capfirst, slugify
from django.utils.translation import gettext as _
from django.utils.translation import ngettext, pgettext

from games.common import amounts, days, event_sentences, game_labels, naming, regions
from games.common.naming import Person
from games.models import Season, SeasonOrder, Table
from games.money.presenters import sharing
from games.seasons.services import season_setup, season_standings
from games.seasons.services.season_ranking import Filters, Ordering, RankedLine, Ranking
from games.seasons.services.season_standings import GameCount, MemberTotals
from games.seasons.services.season_statistics import HeadToHead, RecordKind, SeasonRecord
from games.tables.services import roster

FORM_LENGTH = 5
MAX_FACES = 2  # of a record's holders
MAX_BELOW_PODIUM = 9  # people in the picture of a season; the others are counted


@dataclass(frozen=True)
class RecentResult:
    """A member's result in one game: a letter such as “W”, a word such as “won”, and a CSS class (`tone`)."""

    letter: str
    word: str
    tone: str


@dataclass(frozen=True)
class StandingsItem:
    """A line of the standings: a person, their rank, and the figure that ranks them.

    `rank` is None for those with too few games, and for everybody if nobody leads. `unit` is the unit of the
    figure, "" for money. `form` are the results of their last games.
    """

    person: Person
    rank: int | None
    figure: str
    unit: str
    tone: str
    games: str
    form: tuple[RecentResult, ...]

    @property
    def leads(self) -> bool:
        return self.rank == 1

    @property
    def place(self) -> str:
        """The rank as written before the name in a text: `1. `; "" without one."""
        return "" if self.rank is None else f"{self.rank}. "

    @property
    def figure_label(self) -> str:
        return f"{self.figure} {self.unit}".rstrip()


@dataclass(frozen=True)
class RecordItem:
    """A record: its title, its holders' names (`who`), its value, and the game that set it.

    `people` are the holders whose faces are shown, () if there are too many.
    """

    title: str
    who: str
    value: str
    where: str
    href: str
    people: tuple[Person, ...] = ()


def order_tabs() -> list[tuple[SeasonOrder, str]]:
    return [
        (SeasonOrder.MONEY, _("Money")),
        (SeasonOrder.WINS, _("Won")),
        (SeasonOrder.POINTS, _("Points")),
        (SeasonOrder.AVERAGE, _("Per game")),
    ]


def standings_items(ranking: Ranking, by: SeasonOrder, table: Table) -> tuple[StandingsItem, ...]:
    return tuple(_standings_item(line.tally, by, table, line.place) for line in ranking.lines)


def unranked_items(ranking: Ranking, by: SeasonOrder, table: Table) -> tuple[StandingsItem, ...]:
    """Return lines without a rank for members with too few games, most games first."""
    return tuple(
        _standings_item(tally, by, table)
        for tally in sorted(ranking.others, key=attrgetter("games"), reverse=True)
    )


def _standings_item(
    tally: MemberTotals, by: SeasonOrder, table: Table, rank: int | None = None
) -> StandingsItem:
    wins = ngettext("win", "wins", tally.wins)
    figures = {
        SeasonOrder.WINS: (amounts.points(tally.wins), wins, ""),
        SeasonOrder.POINTS: (amounts.points(tally.points), ngettext("point", "points", tally.points), ""),
        SeasonOrder.AVERAGE: (format_hundredths(tally.average), _("points a game"), ""),
        SeasonOrder.MONEY: (amounts.money(tally.net, table, signed=True), "", amounts.tone(tally.net)),
    }
    figure, unit, tone = figures[by]
    return StandingsItem(
        person=roster.to_person(tally.member),
        rank=rank,
        figure=figure,
        unit=unit,
        tone=tone,
        games=game_labels.games_label(tally.games),
        form=recent_results(tally.marks[-FORM_LENGTH:]),
    )


def order_choices() -> tuple[tuple[str, str], ...]:
    """Return the orders of the standings as form choices; "" is the automatic order."""
    suited = _("by money, else games won")
    return ("", suited), *((str(by), label) for by, label in _order_labels().items())


def _order_labels() -> dict[SeasonOrder, str]:
    return {
        SeasonOrder.WINS: _("by games won"),
        SeasonOrder.POINTS: _("by points"),
        SeasonOrder.AVERAGE: _("by points a game"),
        SeasonOrder.MONEY: _("by money"),
    }


def order_label(ordering: Ordering) -> str:
    """Return the order of the standings and any minimum of games: `by points a game; at least 3 games`."""
    label = _order_labels()[ordering.by]
    if ordering.least > 1:
        label += "; " + _("at least %(games)s") % {"games": game_labels.games_label(ordering.least)}
    return label


# --- texts ------------------------------------------------------------------------------------------------------------

MAX_CORNERS = 40  # of a sparkline


def sparkline_path(steps: Sequence[int]) -> tuple[str, int]:
    """Return an SVG path through the running totals of these figures, and the height of zero.

    The box is 100 by 40 and the line begins at zero. With fewer than two figures the path is "".
    """
    if len(steps) < 2:
        return "", 0
    sums = [0, *itertools.accumulate(steps)]
    apart = max(1, len(sums) // MAX_CORNERS)
    samples = [*sums[:-1:apart], sums[-1]]
    low, high = min(samples), max(samples)
    heights = [2 + 36 * (high - value) // max(high - low, 1) for value in (0, *samples)]
    corners = (f"{100 * place // (len(samples) - 1)} {height}" for place, height in enumerate(heights[1:]))
    return "M" + "L".join(corners), heights[0]


def format_hundredths(figure: Fraction) -> str:
    """Format a figure with two decimals: `1,97`."""
    rounded = round(figure * 100)
    whole, part = divmod(abs(rounded), 100)
    return f"{amounts.MINUS if rounded < 0 else ''}{regions.active_region().number(whole, f'{part:02d}')}"


def recent_results(marks: str) -> tuple[RecentResult, ...]:
    """Return the result of each game, in the order of the marks (`MemberTotals.marks`)."""
    return tuple(_recent_result(mark) for mark in marks)


def _recent_result(mark: str) -> RecentResult:
    if season_standings.is_win(mark):
        return RecentResult(_("W"), _("won"), "won")
    if season_standings.is_shared(mark):
        return RecentResult("·", event_sentences.won_by_label((), is_shared=True), "")
    if not season_standings.decode_points(mark):
        return RecentResult(_("L"), _("finished last"), "last")
    return RecentResult("·", _("in between"), "")


def season_label(filters: Filters) -> str:
    """Return the name of the season or year shown. A name that is only a year becomes `Season 2026`."""
    if filters.season is not None:
        name = filters.season.name
    elif filters.first is not None:
        name = str(filters.first.year)
    else:
        return _("All seasons")
    return _("Season %(year)s") % {"year": name} if name.isdecimal() else name


def span_label(season: Season, seasons: Sequence[Season]) -> str:
    """Return the days of a season as text: `vie 1 mar – vie 31 may`, `since vie 1 mar`.

    `seasons` are all seasons of the table, oldest first.
    """
    last_day = season_setup.find_last_day(season, seasons)
    if last_day is None:
        return _("since %(first)s") % {"first": days.format_day(season.starts_on)}
    return f"{days.format_day(season.starts_on)} – {days.format_day(last_day)}"


def game_count_label(extent: GameCount) -> str:
    """Return the numbers of games and nights as text: `12 games · 3 nights`."""
    nights = ngettext("%(count)s night", "%(count)s nights", extent.nights) % {
        "count": amounts.points(extent.nights)
    }
    return f"{game_labels.games_label(extent.games)} · {nights}"


def leaders_sentence(lines: Sequence[RankedLine], *, is_over: bool) -> str:
    """Return `Ana is the champion`, or `Ana leads` until the season is over; `All square` without leaders."""
    if not lines:
        return capfirst(_("all square"))
    if is_over:
        sentence = ngettext("%(names)s is the champion", "%(names)s share the title", len(lines))
    else:
        sentence = ngettext("%(names)s leads", "%(names)s lead", len(lines))
    return sentence % {"names": naming.join_names([line.tally.member.name for line in lines])}


# --- records ----------------------------------------------------------------------------------------------------------


def highlight_items(
    classic: HeadToHead | None, records: Iterable[SeasonRecord], table: Table
) -> Iterator[RecordItem]:
    """Yield the classic head-to-head, then the records, the most talked-about ones first."""
    if classic is not None:
        yield _classic_item(classic)
    famous = (RecordKind.POT, RecordKind.STREAK, RecordKind.FEWEST_ROUNDS)
    yield from record_items(sorted(records, key=lambda record: record.kind not in famous), table)


def _classic_item(duel: HeadToHead) -> RecordItem:
    if duel.ahead == duel.behind:
        who = _("tied, in %(games)s") % {"games": game_labels.games_label(duel.games)}
    else:
        who = _("%(name)s leads") % {"name": naming.isolate(duel.one.name)}
    value = _("%(ahead)s to %(behind)s") % {
        "ahead": amounts.points(duel.ahead),
        "behind": amounts.points(duel.behind),
    }
    people = (roster.to_person(duel.one), roster.to_person(duel.other))
    return RecordItem(_("Rivalry"), who, value, "", "", people)


def record_items(records: Iterable[SeasonRecord], table: Table) -> tuple[RecordItem, ...]:
    """Return a row for each record, with the game that set it; a streak has none."""
    return tuple(
        RecordItem(
            title=_record_title(record.kind),
            who=", ".join(naming.isolate(holder.name) for holder in record.holders),
            value=_record_value(record, table),
            where=game_labels.game_night_label(record.game) if record.game else "",
            href=game_labels.game_url(record.game) if record.game else "",
            people=tuple(map(roster.to_person, record.holders)) if len(record.holders) <= MAX_FACES else (),
        )
        for record in records
    )


def _record_title(kind: RecordKind) -> str:
    return {
        RecordKind.REENTRIES: _("Most comebacks in one game"),
        RecordKind.POT: _("Biggest pot"),
        RecordKind.SURVIVED: _("Most rounds in a row survived above 90"),
        RecordKind.FEWEST_ROUNDS: _("Shortest game"),
        RecordKind.IN_ONE_GO: _("Most times going out in one go"),
        RecordKind.STREAK: pgettext("record", "Longest win streak"),
    }[kind]


def _record_value(record: SeasonRecord, table: Table) -> str:
    """Return the value of a record as text: money for a pot, `5 rounds`, otherwise a bare number."""
    match record.kind:
        case RecordKind.POT:
            return amounts.money(record.value, table)
        case RecordKind.FEWEST_ROUNDS | RecordKind.SURVIVED:
            return ngettext("%(count)s round", "%(count)s rounds", record.value) % {
                "count": amounts.points(record.value)
            }
        case _:
            return amounts.points(record.value)


# --- sharing ----------------------------------------------------------------------------------------------------------


def _more_labels(count: int) -> Iterator[str]:
    if count > 0:
        yield ngettext("… and %(count)s more.", "… and %(count)s more.", count) % {"count": count}


def share_context(
    table: Table,
    name: str,
    extent: str,
    order: str,
    *,
    title: str,
    podium: Sequence[StandingsItem],
    below: Sequence[StandingsItem],
    tales: Sequence[RecordItem],
) -> dict[str, str]:
    """Return the template variables for sending a season or a year, as a message and as a picture.

    `title` is a sentence on the leaders or champions, and `order` the order that they lead. `below` are the
    others in the standings, whom only the picture shows.
    """
    occasion = f"{naming.isolate(table.name)} · {name}"
    notes = [f"{tale.title}: {tale.value}, {tale.who}" for tale in tales]
    steps = [
        f"{line.place}{naming.isolate(line.person.name)} · {line.figure_label} · {line.games}"
        for line in podium
    ]
    picture_data = sharing.build_poster(
        occasion,
        title,
        order,
        [
            sharing.picture_row(
                line.person,
                line.games,
                line.figure_label,
                won=line.leads,
                place=amounts.ordinal(line.rank) if line.rank else "",
            )
            for line in (*podium, *below[:MAX_BELOW_PODIUM])
        ],
        standing=len(podium),
        prize=podium[0].figure_label if podium and podium[0].leads else "",
        notes=[*_more_labels(len(below) - MAX_BELOW_PODIUM), *notes],
        rules=extent,
    )
    return {
        "message": "\n".join([occasion, title, "", *steps, "", *notes, "", extent]),
        "drawn": json.dumps(picture_data),
        "file_name": f"{slugify(name) or 'summary'}.png",
    }
