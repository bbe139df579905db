"""The newest games of a table, as tiles of the home page."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import Any

from django.db.models import OuterRef, Subquery
from django.utils.translation import gettext as _

from games.common.amounts import money_of
from games.common.book import states_of
from games.common.days import date_in_figures, local
from games.common.names import all_of, isolated
from games.common.played import Win, title_in_words, win_of
from games.common.words import People
from games.models import Game, Record, Table
from games.play.pages.columns import Column, columns_of
from games.scoring.admission import MOST_STEPS
from games.scoring.money import pot_of
from games.scoring.state import GameState

RUNNING_SHOWN, FINISHED_SHOWN = 10, 3  # all games are in the archive
EVENTS_SHOWN = 3000  # limit of the events replayed for the page, more than a table's running games have


@dataclass(frozen=True)
class Tile:
    """A game on the home page. Only a running game has `columns` (players with totals) and a `pot`.

    `win` is None while the game is played, or if it was not replayed. `again` names the people of a rematch;
    it is "" if the game cannot have one.
    """

    game: Game
    title: str
    detail: str
    day: str
    columns: tuple[Column, ...] = ()
    pot: str = ""
    win: Win | None = None
    again: str = ""


def newest_games(table: Table) -> list[Any]:
    """Return the last running and the last finished games of the table, each newest first."""
    newest_record = Record.objects.filter(game=OuterRef("pk")).order_by("-number").values("number")[:1]
    games = table.games.filter(discarded_at=None).order_by("-started_at", "-pk")
    games = games.annotate(length=Subquery(newest_record))
    running, finished = games.filter(ended_at=None), games.exclude(ended_at=None)
    return [*running[:RUNNING_SHOWN], *finished[:FINISHED_SHOWN]]


def tiles_of(games: Sequence[Any], table: Table, people: People) -> list[Tile]:
    """Return the tiles of the games. Those beyond this page's budget for replaying are shown by their names."""
    lengths = accumulate(game.length or 0 for game in games)
    chosen = [game.pk for game, length in zip(games, lengths, strict=True) if length <= EVENTS_SHOWN]
    states = states_of(chosen, most=MOST_STEPS)
    return [_tile(game, states, table, people) for game in games]


def _tile(game: Game, states: Mapping[int, GameState | None], table: Table, people: People) -> Tile:
    title, day = title_in_words(game.variant), date_in_figures(local(game.started_at, table).date())
    state = states.get(game.pk)
    if state is None:
        return Tile(game, title, _("Its records cannot be read.") if game.pk in states else "", day)
    if state.outcome is None:
        pot = pot_of(state)
        return Tile(
            *(game, title, _standing(state, people), day),
            columns=columns_of(state, people),
            pot=money_of(table)(pot) if pot else "",
        )
    names = all_of([people[player.id].name for player in state.players])
    return Tile(
        *(game, title, "", day),
        win=win_of(state, people, table),
        again="" if state.imported is not None else names,
    )


def _standing(state: GameState, people: People) -> str:
    """Return the round that is played and its dealer, or the re-entry that waits for an answer."""
    if state.pending:
        return _("Does %(name)s re-enter?") % {"name": isolated(people[state.pending[0].id].name)}
    of_round = _("round %(round_number)s") % {"round_number": len(state.rounds) + 1}
    if state.dealer is None:
        return of_round
    deals = _("%(name)s deals") % {"name": isolated(people[state.dealer].name)}
    return f"{of_round} · {deals}"
