"""A season as its page shows it: the standings, the recent form, the records, and charts over time.

A member's form is the list of outcomes of the last games, and a member's *tally* has the sums of all games. A
record (*feat*) is, for example, the biggest pot.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from operator import attrgetter

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.models import Member, Season, SeasonOrder, Table
from games.names import isolated
from games.regions import current_region
from games.season.filters import Filters
from games.season.ordering import Ordering, Why
from games.season.ranking import Ranking
from games.season.records import Best, Feat
from games.season.seasons import last_day_of
from games.season.standings import Extent, Standings, Tally, is_won, points_of
from games.shown.common.amounts import MINUS, money, points, tone_of
from games.shown.common.charts import DASHES, Chart, Series, line_chart
from games.shown.common.days import date_in_figures
from games.shown.common.marks import class_names
from games.shown.common.members import person_of
from games.shown.common.people import Person
from games.shown.common.played import game_in_words, game_page, games_in_words, title_in_words

FORM = 5


@dataclass(frozen=True)
class Outcome:
    """A member's outcome in one game: a letter such as “W”, a word such as “won”, and a colour (`tone`)."""

    letter: str
    word: str
    tone: str


@dataclass(frozen=True)
class Line:
    """A line of the standings: one member's figures.

    `form` are the outcomes of the member's last games. `details` are texts below the name, such as the number
    of games; they include the average score if the scores of the member's games can be compared.
    """

    person: Person
    rank: str
    is_first: bool
    wins: str
    points: str
    average: str
    money: str
    tone: str
    form: tuple[Outcome, ...]
    details: tuple[str, ...]

    @property
    def rank_marks(self) -> str:
        """The CSS classes of the rank."""
        return class_names("rank", gold=self.is_first)


@dataclass(frozen=True)
class Column:
    """A column of the standings: a figure by which they can be sorted.

    `sort` is the value of `aria-sort`, "ascending" or "descending"; "" if another column sorts the standings.
    """

    by: str
    title: str
    sort: str

    @property
    def up(self) -> str | None:
        """The URL parameter `up` of the heading's link: "yes" for ascending order, None for descending.

        The link asks for the reverse of the present order if this column sorts the standings.
        """
        return "yes" if self.sort == "descending" else None


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


def columns(by: SeasonOrder, *, is_upwards: bool) -> tuple[Column, ...]:
    """Return the columns of the standings, which are sorted by the figure `by`."""
    direction = "ascending" if is_upwards else "descending"
    titles = {
        SeasonOrder.WINS: _("Won"),
        SeasonOrder.POINTS: _("Points"),
        SeasonOrder.AVERAGE: _("Per game"),
        SeasonOrder.MONEY: _("Money"),
    }
    return tuple(Column(figure, title, direction if figure is by else "") for figure, title in titles.items())


def lines_of(ranking: Ranking, table: Table, *, is_upwards: bool = False) -> tuple[Line, ...]:
    """Return the lines of the standings, best first; with `is_upwards`, best last."""
    lines = tuple(
        _line(
            ranked.tally,
            table,
            rank=points(ranked.rank),
            is_first=ranked.rank == 1,
            placing=ranked.points,
            average=ranked.average,
        )
        for ranked in ranking.lines
    )
    return lines[::-1] if is_upwards else lines


def others_of(ranking: Ranking, table: Table) -> tuple[Line, ...]:
    """Return lines without a rank for members with too few games to be ranked, most games first."""
    return tuple(
        _line(tally, table, rank="", is_first=False, placing=tally.points(), average=tally.average())
        for tally in sorted(ranking.others, key=attrgetter("games"), reverse=True)
    )


def _line(tally: Tally, table: Table, *, rank: str, is_first: bool, placing: int, average: Fraction) -> Line:
    return Line(
        person=person_of(tally.member),
        rank=rank,
        is_first=is_first,
        wins=points(tally.wins),
        points=points(placing),
        average=hundredths(average),
        money=money(tally.net, table, signed=True),
        tone=tone_of(tally.net),
        form=form_of(tally.marks[-FORM:]),
        details=tuple(_details(tally)),
    )


def _details(tally: Tally) -> Iterator[str]:
    yield games_in_words(tally.games)
    if tally.games:
        yield _("%(share)s won") % {"share": share_won(tally)}
    if tally.totals:
        yield score_in_words(tally.total, tally.totals)
    if tally.streak > 1:
        yield _("won %(count)s in a row") % {"count": points(tally.streak)}


def orders() -> tuple[tuple[str, str], ...]:
    """Return the orders of the standings as choices: pairs of value and label.

    The value "" stands for the automatic order.
    """
    suited = _("chosen by how many games each has played")
    return ("", suited), *((str(by), words) for by, words in _orders().items())


def _orders() -> dict[SeasonOrder, str]:
    return {
        SeasonOrder.WINS: _("by games won"),
        SeasonOrder.POINTS: _("by points"),
        SeasonOrder.AVERAGE: _("by points a game"),
        SeasonOrder.MONEY: _("by money"),
    }


def order_in_words(ordering: Ordering) -> str:
    """Return a sentence on the order of the standings, the reason for it, and any minimum of games.

    For example: `Order: by points, because all played equally many games.`
    """
    figures = {
        Why.ASKED: _("Order: %(by)s"),
        Why.SEASON: _("Order: %(by)s, as this season was agreed"),
        Why.SAME: _("Order: %(by)s, because all played equally many games"),
        Why.DIFFERENT: _("Order: %(by)s, because not all played equally many games"),
    }[ordering.why] % {"by": _orders()[ordering.by]}
    if ordering.least > 1:
        figures += "; " + _("at least %(games)s") % {"games": games_in_words(ordering.least)}
    return f"{figures}."


def share_won(tally: Tally) -> str:
    """Return the percentage of games won as text: `40 %`. The member must have played at least one game."""
    return f"{round(Fraction(100 * tally.wins, tally.games))}\u00a0%"


# --- words ------------------------------------------------------------------------------------------------------------


def hundredths(figure: Fraction) -> str:
    """Format a figure with two decimals: `1,97`."""
    rounded = round(figure * 100)
    whole, part = divmod(abs(rounded), 100)
    return f"{MINUS if rounded < 0 else ''}{current_region().number(whole, f'{part:02d}')}"


def score_in_words(total: int, games: int) -> str:
    """Return a text with the average score per game, rounded: `average score 85`.

    `total` is the sum of the scores of `games` games.
    """
    return _("average score %(average)s") % {"average": points(round(Fraction(total, games)))}


def form_of(marks: str) -> tuple[Outcome, ...]:
    """Return the outcome of each game, in the order of `marks`.

    `marks` has one character for each game, which encodes the member's result (`Tally.marks`).
    """
    return tuple(_outcome(mark) for mark in marks)


def _outcome(mark: str) -> Outcome:
    if is_won(mark):
        return Outcome(_("W"), _("won"), "green")
    if not points_of(mark):
        return Outcome(_("L"), _("came last"), "red")
    return Outcome("·", _("in between"), "soft")


def season_name(season: Season | None) -> str:
    """Return the name of this season; None stands for all seasons together, which have a name too."""
    return _("All seasons") if season is None else season.name


def span_of(season: Season, seasons: Sequence[Season]) -> str:
    """Return the first and the last day of a season as text: `01/03/2024 – 31/05/2024`.

    The newest season gives `since 01/03/2024`. `seasons` are all seasons of the table, oldest first.
    """
    last_day = last_day_of(season, seasons)
    if last_day is None:
        return _("since %(first)s") % {"first": date_in_figures(season.starts_on)}
    return f"{date_in_figures(season.starts_on)} – {date_in_figures(last_day)}"


def extent_in_words(extent: Extent) -> str:
    """Return the numbers of games and nights as text: `12 games · 3 nights`."""
    return f"{games_in_words(extent.games)} · {nights_in_words(extent.nights)}"


def nights_in_words(count: int) -> str:
    """Return a number of nights with its word: `3 nights`."""
    return ngettext("%(count)s night", "%(count)s nights", count) % {"count": points(count)}


def filters_in_words(filters: Filters) -> str:
    """Return the filters of the standings as text, such as `Chinchón · since 01/05/2024`.

    Return "" if there are none.
    """
    parts = []
    if filters.variant:
        parts.append(title_in_words(filters.variant))
    if filters.first is not None:
        parts.append(_("since %(day)s") % {"day": date_in_figures(filters.first)})
    if filters.last is not None:
        parts.append(_("until %(day)s") % {"day": date_in_figures(filters.last)})
    if filters.least and filters.least > 1:
        parts.append(_("at least %(games)s") % {"games": games_in_words(filters.least)})
    if filters.drop:
        parts.append(drop_in_words(filters.drop))
    return " · ".join(parts)


def drop_in_words(drop: int) -> str:
    """Return a text on `drop`, the number of each player's worst games that are left out.

    For example: `without each player's worst 2`, or “every game counts” for 0.
    """
    if not drop:
        return _("every game counts")
    return ngettext("without each player's worst game", "without each player's worst %(count)s", drop) % {
        "count": drop
    }


# --- records ----------------------------------------------------------------------------------------------------------


def feat_rows(feats: Iterable[Best], table: Table) -> tuple[FeatRow, ...]:
    """Return a row for each record, with the game in which it was set.

    The game is left out if the record, such as a streak, belongs to no single game.
    """
    return tuple(
        FeatRow(
            title=_feat_title(best.feat),
            who=", ".join(isolated(holder.name) for holder in best.holders),
            value=feat_value(best, table),
            where=game_in_words(best.game) if best.game else "",
            href=game_page(best.game) if best.game else "",
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


def feat_value(best: Best, table: Table) -> str:
    """Return the value of a record as text: money for a pot, `5 rounds`, or else a bare number."""
    match best.feat:
        case Feat.POT:
            return money(best.value, table)
        case Feat.FEWEST_ROUNDS | Feat.SURVIVED:
            return ngettext("%(count)s round", "%(count)s rounds", best.value) % {"count": points(best.value)}
        case _:
            return points(best.value)


# --- charts -----------------------------------------------------------------------------------------------------------


def charts_of(standings: Standings, members: Sequence[Member], table: Table) -> tuple[Chart, ...]:
    """Return two line charts over time: the members' money, and the points that they got for their places.

    Return () for standings with fewer than two points in time. Only the first `DASHES` members have a line,
    because there are only so many dash patterns.
    """
    if len(standings.course) < 2:
        return ()
    return tuple(_charts(standings, members[:DASHES], table))


def _charts(standings: Standings, members: Sequence[Member], table: Table) -> Iterator[Chart]:
    assert standings.extent.last is not None
    places = [
        _("start"),
        *(date_in_figures(min(span.last, standings.extent.last)) for span in standings.course),
    ]

    def lines(figures: str) -> list[Series]:
        totals = [getattr(span, figures) for span in standings.course]
        return [
            Series(person_of(member), [0, *(span.get(member.slug, 0) for span in totals)])
            for member in members
        ]

    def amount(of: int) -> str:
        return money(of, table, signed=True)

    yield line_chart(_("Money so far"), _("Until"), places, lines("nets"), amount)
    if len(members) == 1:
        yield line_chart(_("Points so far"), _("Until"), places, lines("points"), points)
    else:
        title = _("Points so far, above or below average")
        yield line_chart(title, _("Until"), places, _about_their_mean(lines("points")), points)


def _about_their_mean(series: Sequence[Series]) -> list[Series]:
    """Return the same lines, with the mean of all lines subtracted from each at every point in time.

    Otherwise all lines would rise together and overlap.
    """
    there = zip(*(line.values for line in series), strict=True)
    means = [round(Fraction(sum(value or 0 for value in values), len(series))) for values in there]
    return [line.less(means) for line in series]
