"""The effects of changing a finished game on an earlier season, on balances and on debts."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from datetime import datetime
from itertools import permutations

from django.utils.translation import gettext as _

from games.common import amounts, naming
from games.models import COUNTING, COUNTING_EXPENSES, Game, Member, Method, Table
from games.money.services import game_entries
from games.money.services.expenses import Expense
from games.play.presenters.correction_preview import Change
from games.play.services import game_results
from games.scoring.debts import Debts, balances
from games.scoring.ledger import nets
from games.scoring.state import GameState
from games.tables.services import roster
from games.tables.services.roster import People


def compute_effects(game: Game, before: GameState, after: GameState | None) -> tuple[list[Change], list[str]]:
    """Return the balances and debts that a change of this game alters, and sentences on its other effects.

    `before` and `after` are the game's states; `after` is None if it is discarded. Nothing is written.
    """
    will_end = after is not None and after.is_over
    if not before.is_over and not will_end:
        return [], []
    table, people = game.table, People.of(game.table)
    new_nets = nets(after) if after is not None and will_end else {}
    current_debts, then = game_entries.preview(game, new_nets, people, is_new=not before.is_over)
    return (
        [
            *_balance_changes(current_debts, then, people, table),
            *_debt_changes(current_debts, then, people, table),
        ],
        [
            *season_sentences(game, before, after),
            *_forgiveness_sentences(game, balances(current_debts), balances(then), people),
        ],
    )


def season_sentences(game: Game, before: GameState, after: GameState | None) -> Iterator[str]:
    """Yield a sentence if the change alters the standings of an earlier season."""
    season = game_results.affected_season(game, before, after)
    if season is not None and season.pk != game.table.seasons.latest("starts_on").pk:
        yield _("This changes the standings of the season %(name)s.") % {"name": season.name}


def _balance_changes(current_debts: Debts, then: Debts, people: People, table: Table) -> Iterator[Change]:
    was, will, persons = balances(current_debts), balances(then), roster.to_persons(people)
    for member in people.current_members:
        before, after = was.get(member.slug, 0), will.get(member.slug, 0)
        if before != after:
            what = _("%(name)s, balance") % {"name": naming.isolate(member.name)}
            figures = amounts.money(before, table, signed=True), amounts.money(after, table, signed=True)
            yield Change(what, *figures, persons[member.slug])


def _debt_changes(current_debts: Debts, then: Debts, people: People, table: Table) -> Iterator[Change]:
    was, will = ({(debt.payer, debt.payee): debt.amount for debt in debts} for debts in (current_debts, then))
    persons = roster.to_persons(people)
    for payer, payee in permutations((member.slug for member in people.current_members), 2):
        before, after = was.get((payer, payee), 0), will.get((payer, payee), 0)
        if before != after:
            ends = f"{naming.isolate(persons[payer].name)} → {naming.isolate(persons[payee].name)}"
            yield Change(ends, amounts.money(before, table), amounts.money(after, table), persons[payer])


def _forgiveness_sentences(
    game: Game, current_balances: Mapping[str, int], then: Mapping[str, int], people: People
) -> Iterator[str]:
    """Yield a sentence for each debt forgiven since the game ended that would not exist after the change.

    The change leaves its debtor owed money, or a creditor owing it. The forgiveness stays (RULES 1.3).
    """
    if game.ended_at is None:
        return
    for debtor, creditors, amount in _forgiven_debts(game.table, people, game.ended_at):
        if _is_owed_more(debtor, current_balances, then) or any(
            _is_owed_more(creditor, current_balances, then, sign=-1) for creditor in creditors
        ):
            yield _("%(name)s had been forgiven %(amount)s. That does not change.") % {
                "name": naming.isolate(debtor.name),
                "amount": amounts.money(amount, game.table),
            }


def _forgiven_debts(
    table: Table, people: People, since: datetime
) -> Iterator[tuple[Member, Collection[Member], int]]:
    """Yield the debtor, the creditors and the amount of each debt forgiven since this moment."""
    for payment in table.payments.filter(COUNTING, method=Method.FORGIVEN, made_at__gte=since):
        yield people.by_pk[payment.payer_id], [people.by_pk[payment.payee_id]], payment.amount
    for cost in table.costs.filter(COUNTING_EXPENSES, is_forgiven=True, made_at__gte=since):
        expense = Expense.of(cost, people)
        yield expense.payer, expense.borne, cost.amount


def _is_owed_more(
    member: Member, current_balances: Mapping[str, int], then: Mapping[str, int], *, sign: int = 1
) -> bool:
    """Return whether the change leaves this member owed more than before; with `sign` −1, owing more."""
    before, after = sign * current_balances.get(member.slug, 0), sign * then.get(member.slug, 0)
    return after > max(before, 0)
