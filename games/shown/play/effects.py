"""The effects of changing a finished game on closed nights and seasons, balances and write-offs."""

from __future__ import annotations

from collections.abc import Iterator

from django.utils.translation import gettext as _

from games.models import Game, Table
from games.money.balances import People, balances_of
from games.money.closings import contradicted
from games.money.write_offs import Rewritten, moved_by, rewritten_by
from games.names import isolated
from games.scoring.events import Log
from games.scoring.replay import replay
from games.scoring.state import GameState
from games.season.summaries import altered_season
from games.shown.common.amounts import money
from games.shown.common.people import Person, people_among
from games.shown.money.accounts import payment_in_words
from games.shown.play.changes import Change, notes_in_words


def effects_in_words(game: Game, log: Log, before: GameState, after: GameState | None) -> tuple[str, ...]:
    """Return sentences on the effects of changing this game from the state `before` to `after`.

    `log` has the game's events before the change. `after` is None if the game is discarded.
    """
    return tuple(_effects(game, log, before, after))


def _effects(game: Game, log: Log, before: GameState, after: GameState | None) -> Iterator[str]:
    nights = contradicted(game, log, before, after or replay(log[:1]))
    if nights:
        yield notes_in_words(nights)
    season = altered_season(game, before, after)
    if season is not None and season.pk != game.table.seasons.latest("starts_on").pk:
        yield _("This changes the standings of the season %(name)s.") % {"name": season.name}
    people = People.of(game.table)
    for rewritten in rewritten_by(game, before, after):
        yield _rewritten_in_words(rewritten, people, game.table)


def _rewritten_in_words(rewritten: Rewritten, people: People, table: Table) -> str:
    words = {
        "payment": payment_in_words(rewritten.payment, people),
        "before": money(rewritten.before, table),
        "after": money(rewritten.amount, table),
    }
    if rewritten.amount == 0:
        return _("The write-off %(payment)s, %(before)s, is cancelled.") % words
    return _("The write-off %(payment)s changes from %(before)s to %(after)s.") % words


def balances_moved(game: Game, before: GameState, after: GameState | None) -> tuple[Change, ...]:
    """Return each member's balance that would change, before and after, if this game is changed.

    Write-offs that change with the game are included. `after` is None if the game is discarded.
    """
    table, people = game.table, People.of(game.table)
    moved = dict(moved_by(before, after, people))
    for rewritten in rewritten_by(game, before, after):
        payer, payee = people.slugs_of(rewritten.payment)
        grown = rewritten.amount - rewritten.before
        moved[payer] = moved.get(payer, 0) + grown
        moved[payee] = moved.get(payee, 0) - grown
    persons = people_among(people)
    return tuple(
        _balance_moved(persons[slug], balance, moved[slug], table)
        for slug, balance in balances_of(table, people).items()
        if moved.get(slug)
    )


def _balance_moved(person: Person, balance: int, moved: int, table: Table) -> Change:
    now, then = money(balance, table, signed=True), money(balance + moved, table, signed=True)
    return Change(_("%(name)s, balance") % {"name": isolated(person.name)}, now, then, person)
