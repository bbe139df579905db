"""The effects of changing a finished game on an earlier season and on balances."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from datetime import datetime

from django.utils.translation import gettext as _

from games.models import Game, Method, Table
from games.money.balances import People, balances_of
from games.money.costs import CostWords
from games.money.dues import nets_now
from games.names import isolated
from games.scoring.state import GameState
from games.season.summaries import altered_season
from games.shown.common.amounts import money
from games.shown.common.people import Person, people_among
from games.shown.play.changes import Change


def effects_in_words(game: Game, before: GameState, after: GameState | None) -> tuple[str, ...]:
    """Return sentences on the effects of changing this game from the state `before` to `after`.

    `after` is None if the game is discarded.
    """
    return tuple(_effects(game, before, after))


def _effects(game: Game, before: GameState, after: GameState | None) -> Iterator[str]:
    season = altered_season(game, before, after)
    if season is not None and season.pk != game.table.seasons.latest("starts_on").pk:
        yield _("This changes the standings of the season %(name)s.") % {"name": season.name}
    yield from _forgiven(game, before, after)


def _forgiven(game: Game, before: GameState, after: GameState | None) -> Iterator[str]:
    """Yield a sentence for each debt forgiven since the game ended that was none after the change.

    Then the change leaves its debtor owed, or who forgave it owing, and what was forgiven stays so (RULES 1.3).
    """
    table, people = game.table, People.of(game.table)
    moved = _moved(before, after, people)
    if game.ended_at is None or not any(moved.values()):
        return
    balances = balances_of(table, people)
    for debtor, creditors, amount in _debts_forgiven(table, people, game.ended_at):
        signs = {debtor: 1, **dict.fromkeys(creditors, -1)}
        if any(
            min(sign * moved.get(slug, 0), sign * (moved.get(slug, 0) + balances[slug])) > 0
            for slug, sign in signs.items()
        ):
            yield _("%(name)s had been forgiven %(amount)s. That does not change.") % {
                "name": isolated(people.by_slug[debtor].name),
                "amount": money(amount, table),
            }


def _debts_forgiven(
    table: Table, people: People, since: datetime
) -> Iterator[tuple[str, Collection[str], int]]:
    """Yield the slugs of the debtor and of who forgave, and the amount, of each debt forgiven since a moment."""
    for payment in table.payments.counting().filter(method=Method.FORGIVEN, made_at__gte=since):
        payer, payee = people.slugs_of(payment)
        yield payer, [payee], payment.amount
    for cost in table.costs.filter(is_forgiven=True, ended_at=None, made_at__gte=since):
        words = CostWords.of(cost, people)
        yield words.payer.slug, [member.slug for member in words.sharers], cost.amount


def _moved(before: GameState, after: GameState | None, people: People) -> Mapping[str, int]:
    """Return by slug how much the change of a game moves each balance; `after` is None if it is discarded."""
    earlier, later = (
        nets_now(state, people) if state is not None and state.is_over else {} for state in (before, after)
    )
    return {slug: later.get(slug, 0) - earlier.get(slug, 0) for slug in (*earlier, *later)}


def balances_moved(game: Game, before: GameState, after: GameState | None) -> tuple[Change, ...]:
    """Return each member's balance that would change, before and after, if this game is changed.

    `after` is None if the game is discarded.
    """
    table, people = game.table, People.of(game.table)
    moved = _moved(before, after, people)
    persons = people_among(people)
    return tuple(
        _balance_moved(persons[slug], balance, moved[slug], table)
        for slug, balance in balances_of(table, people).items()
        if moved.get(slug)
    )


def _balance_moved(person: Person, balance: int, moved: int, table: Table) -> Change:
    now, then = money(balance, table, signed=True), money(balance + moved, table, signed=True)
    return Change(_("%(name)s, balance") % {"name": isolated(person.name)}, now, then, person)
