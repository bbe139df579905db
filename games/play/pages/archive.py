"""The archive of a table's games as a page shows it: games by night, and the search in words."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from itertools import groupby

from django.urls import reverse
from django.utils.translation import gettext as _

from games.common.amounts import money
from games.common.days import clock, date_in_figures, day_in_words
from games.common.names import Person, isolated
from games.common.played import game_name, game_page, reentries_in_words, title_in_words
from games.common.regions import NO_BREAK
from games.common.rows import grouped
from games.common.words import won_by
from games.models import Game, Result, Table
from games.play.archive import Standing, Wanted
from games.scoring.state import GameState
from games.scoring.variants import VARIANTS
from games.tables.people import People, person_of

FACES = 8  # the most faces that fit side by side on a phone


@dataclass(frozen=True)
class GameRow:
    """A game in the archive: its name and time, its status, and its players.

    `faces` are the first players, and `more` is the number of the others as text: `+2`; "" for none.
    """

    title: str
    detail: str
    faces: tuple[Person, ...]
    more: str
    href: str


@dataclass(frozen=True)
class Night:
    """The games of one night, and the URL of the night's page.

    The URL is "" for a user who may not read the accounts.
    """

    day: str
    href: str
    games: tuple[GameRow, ...]


def called(titles: Iterable[str]) -> Mapping[str, str]:
    """Return a translated name for each title: those of all card games of the app, and the given `titles`.

    A title is the stored name of a game, such as `loba`, or `loba:` and a name that its players gave it.
    """
    return {title: title_in_words(title) for title in dict.fromkeys((*VARIANTS, *titles))}


def nights_of(
    games: Sequence[Game],
    results: Iterable[Result],
    states: Mapping[int, GameState | None],
    people: People,
    table: Table,
    *,
    with_nights: bool,
) -> tuple[Night, ...]:
    """Group the games by night, in the given order.

    The players of a game are those of its `results`. For a game without any, such as an unfinished one, they
    are those of its state, which `states` has by the game's primary key. Nights have links only if
    `with_nights`.
    """
    given = grouped((result.game_id, result) for result in results)
    return tuple(
        Night(
            day=day_in_words(date.fromordinal(number)),
            href=reverse("night", args=[table.code, date.fromordinal(number).isoformat()])
            if with_nights
            else "",
            games=tuple(
                _row(game, given.get(game.pk, []), states.get(game.pk), people, table) for game in of_night
            ),
        )
        for number, of_night in groupby(games, key=lambda game: game.night_number)
    )


def _row(
    game: Game, results: Sequence[Result], state: GameState | None, people: People, table: Table
) -> GameRow:
    seated = [people.by_pk[result.member_id] for result in results]
    if not seated and state is not None:
        seated = [people.by_slug[player.id] for player in state.players]
    persons = [person_of(member) for member in dict.fromkeys(seated)]
    return GameRow(
        title=game_name(game),
        detail=" · ".join(_details(game, results, people, table)),
        faces=tuple(persons[:FACES]),
        more=f"+{len(persons) - FACES}" if len(persons) > FACES else "",
        href=game_page(game),
    )


def _details(game: Game, results: Sequence[Result], people: People, table: Table) -> Iterator[str]:
    yield clock(game.started_at, table)
    winners = [people.by_pk[result.member_id].name for result in results if result.won]
    if game.discarded_at is not None:
        yield _("discarded")
    elif game.ended_at is None:
        yield _("under way")
    else:
        yield won_by(winners)
    back = sum(result.reentries for result in results)
    if back:
        yield _unbroken(reentries_in_words(back))
    if game.pot:
        yield _unbroken(_("pot %(pot)s") % {"pot": money(game.pot, table)})


def _unbroken(figure: str) -> str:
    """Return the text, such as `2 re-entries`, with no-break spaces, so that no line ends inside it."""
    return figure.replace(" ", NO_BREAK)


def standings_offered() -> tuple[tuple[str, str], ...]:
    """Return the statuses of a game as choices of the archive's filter: pairs of value and label."""
    return (
        ("", _("Under way or over")),
        (Standing.UNDER_WAY, _("Under way")),
        (Standing.ENDED, _("Over")),
        (Standing.DISCARDED, _("Discarded")),
    )


def wanted_in_words(wanted: Wanted) -> str:
    """Return the filters of a search as text, such as `with Ana · since 01/05/2024`; "" without filters.

    The words typed into the search are no filter.
    """
    parts = []
    if wanted.member is not None:
        parts.append(_("with %(name)s") % {"name": isolated(wanted.member.name)})
    if wanted.winner is not None:
        parts.append(won_by([wanted.winner.name]))
    if wanted.variant:
        parts.append(title_in_words(wanted.variant))
    if wanted.first is not None:
        parts.append(_("since %(day)s") % {"day": date_in_figures(wanted.first)})
    if wanted.last is not None:
        parts.append(_("until %(day)s") % {"day": date_in_figures(wanted.last)})
    if wanted.standing is not None:
        parts.append(dict(standings_offered())[wanted.standing].lower())
    return " · ".join(parts)
