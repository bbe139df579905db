"""The summary of a season or year as its page, text and picture show it: champions, records, closest duels.

A duel is the comparison of two members in the games that both played.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from django.utils.text import slugify
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.models import Member, SeasonOrder, Table
from games.names import APP_NAME, isolated
from games.season.duels import Duel
from games.season.ranking import Ranked
from games.season.summaries import Broken, Summary
from games.shown.common.amounts import money, points, tone_of
from games.shown.common.members import person_of
from games.shown.common.people import Person, all_of
from games.shown.common.played import games_in_words, wins_in_words
from games.shown.season.season import (
    FeatRow,
    extent_in_words,
    feat_rows,
    feat_value,
    hundredths,
    order_in_words,
)


@dataclass(frozen=True)
class Step:
    """A place on the podium: a person, their rank, and the figure by which it ranks.

    `details` are further figures.
    """

    person: Person
    rank: int
    figure: str
    details: str
    money: str
    tone: str


@dataclass(frozen=True)
class Fallen:
    """A record that the season or year broke: the new record, and a text on the old one (`before`).

    The text has the old value and its holders.
    """

    row: FeatRow
    before: str


@dataclass(frozen=True)
class Shown:
    """The content of the page of a summary.

    `fallen` are the records of earlier games that it broke, and `feats` its own records.
    `rivals` are sentences on the closest and the most one-sided duel.
    """

    name: str
    title: str
    span: str
    extent: str
    order: str
    podium: tuple[Step, ...]
    fallen: tuple[Fallen, ...]
    feats: tuple[FeatRow, ...]
    rivals: tuple[str, ...]


def summary_shown(summary: Summary, table: Table, *, name: str, span: str, is_over: bool) -> Shown:
    """Return the summary as its page shows it. `name` is that of the season or year, `span` its days.

    Until it is over, the best are said to lead.
    """
    return Shown(
        name=name,
        title=(champions_in_words if is_over else _leaders_in_words)(summary.champions),
        span=span,
        extent=extent_in_words(summary.standings.extent),
        order=order_in_words(summary.ordering),
        podium=tuple(_step(line, summary.ordering.by, table) for line in summary.podium),
        fallen=tuple(_fallen(broken, table) for broken in summary.broken),
        feats=feat_rows(summary.feats, table),
        rivals=tuple(_rivals(summary)),
    )


def champions_in_words(champions: Sequence[Ranked]) -> str:
    """Return a sentence such as `Ana is the champion`; "" without champions."""
    if not champions:
        return ""
    names = _names(line.tally.member for line in champions)
    sentence = ngettext("%(names)s is the champion", "%(names)s share the title", len(champions))
    return sentence % {"names": names}


def _leaders_in_words(leaders: Sequence[Ranked]) -> str:
    if not leaders:
        return ""
    names = _names(line.tally.member for line in leaders)
    return ngettext("%(names)s leads", "%(names)s lead", len(leaders)) % {"names": names}


def _names(members: Iterable[Member]) -> str:
    return all_of([member.name for member in members])


def _step(line: Ranked, by: SeasonOrder, table: Table) -> Step:
    tally = line.tally
    figures = {
        SeasonOrder.WINS: wins_in_words(tally.wins),
        SeasonOrder.POINTS: ngettext("%(count)s point", "%(count)s points", line.points)
        % {"count": points(line.points)},
        SeasonOrder.AVERAGE: _("%(average)s points a game") % {"average": hundredths(line.average)},
        SeasonOrder.MONEY: money(tally.net, table, signed=True),
    }
    others = [figures[SeasonOrder.WINS]] if by is not SeasonOrder.WINS else [figures[SeasonOrder.POINTS]]
    return Step(
        person=person_of(tally.member),
        rank=line.rank,
        figure=figures[by],
        details=" · ".join([games_in_words(tally.games), *others]),
        money=money(tally.net, table, signed=True),
        tone=tone_of(tally.net),
    )


def _fallen(broken: Broken, table: Table) -> Fallen:
    (row,) = feat_rows([broken.best], table)
    before = _("before: %(value)s, %(names)s") % {
        "value": feat_value(broken.before, table),
        "names": _names(broken.before.holders),
    }
    return Fallen(row, before)


def _rivals(summary: Summary) -> Iterator[str]:
    if summary.rivalries.even is not None:
        yield _("Closest: %(said)s") % {"said": duel_in_words(summary.rivalries.even)}
    if summary.rivalries.uneven is not None:
        yield _("Hardest opponent: %(said)s") % {"said": duel_in_words(summary.rivalries.uneven)}


def duel_in_words(duel: Duel) -> str:
    """Return a sentence on a duel, such as `Ana beats Beto 7 times of 10`, or that the two are level."""
    seen = duel if duel.ahead >= duel.behind else duel.turned
    figures = {
        "one": isolated(seen.one.name),
        "other": isolated(seen.other.name),
        "ahead": points(seen.ahead),
        "games": points(seen.games),
    }
    if seen.ahead == seen.behind:
        return _("%(one)s and %(other)s are level, %(ahead)s each of %(games)s") % figures
    return _("%(one)s beats %(other)s %(ahead)s times of %(games)s") % figures


# --- what is sent -----------------------------------------------------------------------------------------------------


def summary_message(shown: Shown, table: Table) -> str:
    """Return the summary as text for the group's chat."""
    lines = [f"{table.name} · {shown.name}", shown.title, ""]
    lines += [
        f"{step.rank}. {isolated(step.person.name)} · {step.figure} · {step.details}" for step in shown.podium
    ]
    if shown.fallen:
        lines += ["", _("Records that fell:")]
        lines += [f"{one.row.title}: {one.row.value}, {one.row.who} ({one.before})" for one in shown.fallen]
    if shown.rivals:
        lines += ["", *shown.rivals]
    return "\n".join((*lines, "", shown.extent))


def summary_picture(shown: Shown, table: Table) -> dict[str, object]:
    """Return the data from which `static/money/picture.js` draws the summary.

    The keys are those of the picture of a game (`picture_of` in `shown/money/sending.py`).
    """
    return {
        "occasion": f"{table.name} · {shown.name}",
        "title": shown.title,
        "winners": [step.person.drawn for step in shown.podium if step.rank == 1],
        "prize": "",
        "pot": None,
        "reason": shown.order,
        "people": [
            {
                **step.person.drawn,
                "place": str(step.rank),
                "won": step.rank == 1,
                "below": step.details,
                "figure": step.figure,
                "tone": "",
            }
            for step in shown.podium
        ],
        "notes": list(_notes(shown)),
        "debts": None,
        "rules": " · ".join([*shown.rivals, shown.span, shown.extent]),
        "by": APP_NAME,
    }


def _notes(shown: Shown) -> Iterator[str]:
    if shown.fallen:
        yield f"{_('Records that fell')}:"
    for one in shown.fallen:
        yield f"{one.row.title}: {one.row.value}, {one.row.who}"


def summary_file(shown: Shown) -> str:
    """Return the file name under which the picture of the summary is saved."""
    return f"{slugify(shown.name) or 'summary'}.png"
