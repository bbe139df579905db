"""A season as its page shows it: who leads it, the ranking with everybody's form, its records and other tales."""

from __future__ import annotations

import itertools
import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from operator import attrgetter

from django.utils.text import slugify
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.common import amounts, days, game_labels, naming, regions
from games.common.naming import Person
from games.models import Season, SeasonOrder, Table
from games.money.sending import person_drawn, picture
from games.seasons.ranking import Filters, Ordering, Ranked, Ranking
from games.seasons.records import Best, Duel, Feat
from games.seasons.seasons import last_day_of
from games.seasons.standings import Extent, Tally, is_won, points_of
from games.tables.services import roster

FORM = 5
MOST_FACES = 2  # on a tale


@dataclass(frozen=True)
class Outcome:
    """A member's outcome in one game: a letter such as “W”, a word such as “won”, and a CSS class (`tone`)."""

    letter: str
    word: str
    tone: str


@dataclass(frozen=True)
class Line:
    """A line of the standings: a person, their rank, and the figure by which they rank.

    `unit` is what the figure counts; "" for money. `form` are the outcomes of the last games.
    """

    person: Person
    rank: str
    figure: str
    unit: str
    tone: str
    games: str
    form: tuple[Outcome, ...]

    @property
    def leads(self) -> bool:
        return self.rank == amounts.points(1)

    @property
    def figure_label(self) -> str:
        return f"{self.figure} {self.unit}".rstrip()


@dataclass(frozen=True)
class FeatRow:
    """A record: its title, the names of its holders (`who`), its value, and the game in which it was set.

    `people` are the holders whose faces the page draws; () if there are too many or the page draws none.
    """

    title: str
    who: str
    value: str
    where: str
    href: str
    people: tuple[Person, ...] = ()


def choices() -> list[tuple[SeasonOrder, str]]:
    """Return the orders that a tap chooses, with their names."""
    return [
        (SeasonOrder.MONEY, _("Money")),
        (SeasonOrder.WINS, _("Won")),
        (SeasonOrder.POINTS, _("Points")),
        (SeasonOrder.AVERAGE, _("Per game")),
    ]


def lines_of(ranking: Ranking, by: SeasonOrder, table: Table) -> tuple[Line, ...]:
    """Return the lines of the standings, best first."""
    return tuple(_line(line.tally, by, table, amounts.points(line.rank)) for line in ranking.lines)


def others_of(ranking: Ranking, by: SeasonOrder, table: Table) -> tuple[Line, ...]:
    """Return lines without a rank for members with too few games to be ranked, most games first."""
    return tuple(
        _line(tally, by, table) for tally in sorted(ranking.others, key=attrgetter("games"), reverse=True)
    )


def _line(tally: Tally, by: SeasonOrder, table: Table, rank: str = "") -> Line:
    wins = ngettext("win", "wins", tally.wins)
    figures = {
        SeasonOrder.WINS: (amounts.points(tally.wins), wins, ""),
        SeasonOrder.POINTS: (amounts.points(tally.points), ngettext("point", "points", tally.points), ""),
        SeasonOrder.AVERAGE: (hundredths(tally.average), _("points a game"), ""),
        SeasonOrder.MONEY: (amounts.money(tally.net, table, signed=True), "", amounts.tone(tally.net)),
    }
    figure, unit, tone = figures[by]
    return Line(
        person=roster.to_person(tally.member),
        rank=rank,
        figure=figure,
        unit=unit,
        tone=tone,
        games=game_labels.games_label(tally.games),
        form=form_of(tally.marks[-FORM:]),
    )


def orders() -> tuple[tuple[str, str], ...]:
    """Return the orders of the standings as pairs of value and label; "" stands for the automatic order."""
    suited = _("by money, or by games won without it")
    return ("", suited), *((str(by), label) for by, label in _orders().items())


def _orders() -> dict[SeasonOrder, str]:
    return {
        SeasonOrder.WINS: _("by games won"),
        SeasonOrder.POINTS: _("by points"),
        SeasonOrder.AVERAGE: _("by points a game"),
        SeasonOrder.MONEY: _("by money"),
    }


def order_in_words(ordering: Ordering) -> str:
    """Return the order of the standings and any minimum of games: `by points a game; at least 3 games`."""
    label = _orders()[ordering.by]
    if ordering.least > 1:
        label += "; " + _("at least %(games)s") % {"games": game_labels.games_label(ordering.least)}
    return label


# --- words ------------------------------------------------------------------------------------------------------------

MOST_CORNERS = 40  # of the line that shows how a season went


def course_of(steps: Sequence[int]) -> tuple[str, int]:
    """Return the path of a line through the sums of these figures, in a box of 100 by 40, and the height of zero.

    The line begins at zero; with fewer than two figures it is "".
    """
    if len(steps) < 2:
        return "", 0
    sums = [0, *itertools.accumulate(steps)]
    apart = max(1, len(sums) // MOST_CORNERS)
    samples = [*sums[:-1:apart], sums[-1]]
    low, high = min(samples), max(samples)
    heights = [2 + 36 * (high - value) // max(high - low, 1) for value in (0, *samples)]
    corners = (f"{100 * place // (len(samples) - 1)} {height}" for place, height in enumerate(heights[1:]))
    return "M" + "L".join(corners), heights[0]


def hundredths(figure: Fraction) -> str:
    """Format a figure with two decimals: `1,97`."""
    rounded = round(figure * 100)
    whole, part = divmod(abs(rounded), 100)
    return f"{amounts.MINUS if rounded < 0 else ''}{regions.active_region().number(whole, f'{part:02d}')}"


def form_of(marks: str) -> tuple[Outcome, ...]:
    """Return the outcome of each game, in the order of the marks (`Tally.marks`)."""
    return tuple(_outcome(mark) for mark in marks)


def _outcome(mark: str) -> Outcome:
    if is_won(mark):
        return Outcome(_("W"), _("won"), "won")
    if not points_of(mark):
        return Outcome(_("L"), _("came last"), "last")
    return Outcome("·", _("in between"), "")


def season_name(filters: Filters) -> str:
    """Return the name of the season that is shown; of a year alone, and of a name that is one, `Season 2026`."""
    if filters.season is not None:
        name = filters.season.name
    elif filters.first is not None:
        name = str(filters.first.year)
    else:
        return _("All seasons")
    return _("Season %(year)s") % {"year": name} if name.isdecimal() else name


def span_of(season: Season, seasons: Sequence[Season]) -> str:
    """Return the days of a season, one of the table's, as text: `vie 1 mar – vie 31 may`, `since vie 1 mar`."""
    last_day = last_day_of(season, seasons)
    if last_day is None:
        return _("since %(first)s") % {"first": days.format_day(season.starts_on)}
    return f"{days.format_day(season.starts_on)} – {days.format_day(last_day)}"


def extent_in_words(extent: Extent) -> str:
    """Return the numbers of games and nights as text: `12 games · 3 nights`."""
    nights = ngettext("%(count)s night", "%(count)s nights", extent.nights) % {
        "count": amounts.points(extent.nights)
    }
    return f"{game_labels.games_label(extent.games)} · {nights}"


def leaders_in_words(lines: Sequence[Ranked], *, is_over: bool) -> str:
    """Return a sentence such as `Ana is the champion`, or `Ana leads` until it is over; "" without leaders."""
    if not lines:
        return ""
    if is_over:
        sentence = ngettext("%(names)s is the champion", "%(names)s share the title", len(lines))
    else:
        sentence = ngettext("%(names)s leads", "%(names)s lead", len(lines))
    return sentence % {"names": naming.join_names([line.tally.member.name for line in lines])}


# --- tales ------------------------------------------------------------------------------------------------------------


def tales_of(classic: Duel | None, feats: Iterable[Best], table: Table) -> Iterator[FeatRow]:
    """Yield the classic, then the records, those of which people tell most first."""
    if classic is not None:
        yield _classic_row(classic)
    famous = (Feat.POT, Feat.STREAK, Feat.FEWEST_ROUNDS)
    yield from feat_rows(sorted(feats, key=lambda best: best.kind not in famous), table)


def _classic_row(duel: Duel) -> FeatRow:
    if duel.ahead == duel.behind:
        who = _("level, in %(games)s") % {"games": game_labels.games_label(duel.games)}
    else:
        who = _("for %(name)s") % {"name": naming.isolate(duel.one.name)}
    value = _("%(ahead)s to %(behind)s") % {
        "ahead": amounts.points(duel.ahead),
        "behind": amounts.points(duel.behind),
    }
    people = (roster.to_person(duel.one), roster.to_person(duel.other))
    return FeatRow(_("The classic"), who, value, "", "", people)


def feat_rows(feats: Iterable[Best], table: Table) -> tuple[FeatRow, ...]:
    """Return a row for each record, with the game in which it was set; a streak belongs to none."""
    return tuple(
        FeatRow(
            title=_feat_title(best.kind),
            who=", ".join(naming.isolate(holder.name) for holder in best.holders),
            value=_feat_value(best, table),
            where=game_labels.game_night_label(best.game) if best.game else "",
            href=game_labels.game_url(best.game) if best.game else "",
            people=tuple(map(roster.to_person, best.holders)) if len(best.holders) <= MOST_FACES else (),
        )
        for best in feats
    )


def _feat_title(feat: Feat) -> str:
    return {
        Feat.REENTRIES: _("Most re-entries in one game"),
        Feat.POT: _("Biggest pot"),
        Feat.SURVIVED: _("Most rounds survived in a row over 90"),
        Feat.FEWEST_ROUNDS: _("Fastest game"),
        Feat.IN_ONE_GO: _("Most times gone out in one go"),
        Feat.STREAK: _("Most games won in a row"),
    }[feat]


def _feat_value(best: Best, table: Table) -> str:
    """Return the value of a record as text: money for a pot, `5 rounds`, or else a bare number."""
    match best.kind:
        case Feat.POT:
            return amounts.money(best.value, table)
        case Feat.FEWEST_ROUNDS | Feat.SURVIVED:
            return ngettext("%(count)s round", "%(count)s rounds", best.value) % {
                "count": amounts.points(best.value)
            }
        case _:
            return amounts.points(best.value)


# --- the summary of a season or a year that is sent -------------------------------------------------------------------


def summary_of(
    table: Table,
    name: str,
    extent: str,
    order: str,
    *,
    title: str,
    podium: Sequence[Line],
    tales: Sequence[FeatRow],
) -> dict[str, str]:
    """Return the template variables of what is sent of a season or a year, as text and as a picture.

    `title` says who leads or won, by which `order`.
    """
    occasion = f"{table.name} · {name}"
    notes = [f"{tale.title}: {tale.value}, {tale.who}" for tale in tales]
    steps = [
        f"{line.rank}. {naming.isolate(line.person.name)} · {line.figure_label} · {line.games}"
        for line in podium
    ]
    picture_data = picture(
        occasion,
        title,
        order,
        [
            person_drawn(line.person, line.games, line.figure_label, won=line.leads, place=line.rank)
            for line in podium
        ],
        winners=[line.person.picture_data for line in podium if line.leads],
        notes=notes,
        rules=extent,
    )
    return {
        "message": "\n".join([occasion, title, "", *steps, "", *notes, "", extent]),
        "drawn": json.dumps(picture_data),
        "file_name": f"{slugify(name) or 'summary'}.png",
    }
