"""The preview of importing an old notebook (games scored before the app), to compare with the paper."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.models import Table
from games.names import isolated
from games.notebook.old_games import ImportPreview, OldGame
from games.notebook.old_nights import Figures, OldNotebook, Problem
from games.shown.common.amounts import money, money_of, points, points_in_words
from games.shown.common.days import date_in_figures, day_in_words
from games.shown.common.people import all_of
from games.shown.common.played import games_in_words, wins_in_words
from games.shown.common.sentences import translate

NIGHTS_SHOWN = 100
PROBLEMS_SHOWN = 20


@dataclass(frozen=True)
class PersonRow:
    """One person's totals over all games of the import, for comparison with the notebook's last page."""

    name: str
    is_new: bool
    nights: str
    sum: str


@dataclass(frozen=True)
class NightRow:
    """One night: its date, game and results."""

    day: str
    game: str
    standing: tuple[tuple[str, str], ...]  # (place and name, points and money)


@dataclass(frozen=True)
class Understood:
    """The whole preview of an import."""

    nights: str
    remarks: tuple[str, ...]
    people: tuple[PersonRow, ...]
    rows: tuple[NightRow, ...]
    more: str
    has_money: bool


@dataclass
class _Tally:
    nights: int = 0
    won: int = 0
    total: int = 0
    net: int = 0
    all_totals: bool = True


def figures_in_words() -> tuple[tuple[Figures, str], ...]:
    """Return the choices for the meaning of the notebook's numbers, each with its label."""
    return (
        (Figures.MONEY, _("Money won or lost")),
        (Figures.FEWEST_WIN, _("Points; the fewest win")),
        (Figures.MOST_WIN, _("Points; the most win")),
    )


def problems_in_words(problems: Sequence[Problem], table: Table) -> list[str]:
    """Return the first `PROBLEMS_SHOWN` problems as sentences, each with its line number in the notebook.

    A last sentence counts the others.
    """
    shown = money_of(table)
    sentences = [
        _("Line %(line)s: %(problem)s") % {"line": problem.line, "problem": translate(problem.text, shown)}
        if problem.line
        else translate(problem.text, shown)
        for problem in problems[:PROBLEMS_SHOWN]
    ]
    left = len(problems) - len(sentences)
    if left:
        sentences.append(ngettext("… and %(count)s more.", "… and %(count)s more.", left) % {"count": left})
    return sentences


def understood(notebook: OldNotebook, outlook: ImportPreview, table: Table) -> Understood:
    """Return the preview of importing the notebook, in words. `outlook` is what the import would do."""
    games = outlook.games
    rows = tuple(_night(game, table) for game in games[:NIGHTS_SHOWN])
    left = len(games) - len(rows)
    more = ngettext("… and %(count)s more.", "… and %(count)s more.", left) % {"count": left} if left else ""
    return Understood(
        nights=games_and_nights([game.night.day for game in games])
        or _("Nothing new: all its nights are already here"),
        remarks=tuple(_remarks(notebook, outlook)),
        people=tuple(_people(outlook, table)),
        rows=rows,
        more=more,
        has_money=any(game.event.nets for game in games),
    )


def games_and_nights(days: Sequence[date]) -> str:
    """Return how many games come, and from which nights; "" for none. `days` has the night of each game."""
    if not days:
        return ""
    first, last = (date_in_figures(day) for day in (min(days), max(days)))
    span = first if first == last else _("from %(first)s to %(last)s") % {"first": first, "last": last}
    return f"{games_in_words(len(days))}, {span}"


def _remarks(notebook: OldNotebook, outlook: ImportPreview) -> Iterator[str]:
    yield _("The numbers were read as: %(figures)s") % {"figures": dict(figures_in_words())[notebook.figures]}
    if notebook.either_way:
        written, day = notebook.either_way
        yield _("The dates fit both orders. “%(written)s” was read as %(day)s.") % {
            "written": written,
            "day": day_in_words(day),
        }
    if outlook.newcomers:
        yield _("New at this table: %(names)s") % {"names": all_of(list(outlook.newcomers.values()))}
    if outlook.known_lines:
        yield _("Already here, left out: %(lines)s") % {"lines": _lines_in_words(outlook.known_lines)}


def _lines_in_words(lines: Sequence[int]) -> str:
    numbers = ", ".join(map(str, lines[:PROBLEMS_SHOWN]))
    return ngettext("line %(lines)s", "lines %(lines)s", len(lines)) % {
        "lines": f"{numbers} …" if len(lines) > PROBLEMS_SHOWN else numbers
    }


def _people(outlook: ImportPreview, table: Table) -> Iterator[PersonRow]:
    tallies: dict[str, _Tally] = {}
    names: dict[str, str] = {}
    for game in outlook.games:
        totals, nets, places = dict(game.event.totals), dict(game.event.nets), dict(game.event.places)
        for player in game.event.players:
            tally = tallies.setdefault(player.id, _Tally())
            names[player.id] = isolated(player.name)
            tally.nights += 1
            tally.won += places[player.id] == 1
            tally.total += totals.get(player.id, 0)
            tally.net += nets.get(player.id, 0)
            tally.all_totals &= bool(totals)
    has_money = any(game.event.nets for game in outlook.games)
    for slug, tally in sorted(tallies.items(), key=lambda item: -item[1].nights):
        yield PersonRow(
            names[slug],
            slug in outlook.newcomers,
            f"{games_in_words(tally.nights)} · {wins_in_words(tally.won)}",
            _sum(tally, table, has_money=has_money),
        )


def _sum(tally: _Tally, table: Table, *, has_money: bool) -> str:
    if has_money:
        return money(tally.net, table, signed=True)
    if not tally.all_totals:
        return ""
    return points_in_words(tally.total)


def _night(game: OldGame, table: Table) -> NightRow:
    event = game.event
    names = {player.id: isolated(player.name) for player in event.players}
    totals, nets = dict(event.totals), dict(event.nets)
    standing = []
    for slug, place in sorted(event.places, key=lambda placed: placed[1]):
        figures = [
            points(totals[slug]) if totals else "",
            money(nets[slug], table, signed=True) if nets else "",
        ]
        standing.append((f"{place}. {names[slug]}", " ".join(filter(None, figures))))
    return NightRow(
        day=date_in_figures(game.night.day),
        game=translate(game.state.variant.name),
        standing=tuple(standing),
    )
