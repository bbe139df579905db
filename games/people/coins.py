"""The smallest coin of a table's money, as the number of its decimals. Owners change it until an amount is recorded."""

from __future__ import annotations

from django.db import transaction

from games.book import states_of
from games.locks import lock, raise_version, revise
from games.models import DECIMALS, Table
from games.scoring.admission import MOST_STEPS
from games.scoring.errors import RuleError
from games.scoring.words import Text, _

RECORDED = _(
    "Amounts are recorded at this table, so its smallest coin stays. For another one, open a new table with "
    "starting balances."
)


def check_decimals(decimals: int) -> None:
    """Raise RuleError unless amounts may have so many decimals."""
    if not 0 <= decimals <= DECIMALS:
        raise RuleError(_("Amounts may have 0 to {most} decimals.", most=DECIMALS), field="decimals")


@transaction.atomic
def change_smallest_coin(table: Table, decimals: int) -> None:
    """Change the number of decimals of the table's amounts.

    Amounts are stored as numbers of the smallest coin, so raise RuleError once one is recorded.
    """
    check_decimals(decimals)
    locked = lock(table)
    if locked.decimals == decimals:
        return
    refusal = why_coin_stays(locked)
    if refusal is not None:
        raise RuleError(refusal, field="decimals")
    locked.decimals = table.decimals = decimals
    locked.save(update_fields=["decimals"])
    revise(locked)
    raise_version(locked)


def why_coin_stays(table: Table) -> Text | None:
    """Return why the smallest coin cannot change: an amount is recorded at the table. None if it can."""
    is_recorded = table.payments.exists() or table.costs.exists() or _is_played_for_money(table)
    return RECORDED if is_recorded else None


def _is_played_for_money(table: Table) -> bool:
    """Return whether a game of the table is or may be for money, discarded ones included.

    A game that cannot be replayed, or not within the budget of steps, may be for money.
    """
    games = list(table.games.values_list("pk", flat=True))
    for part in (games[:1], games[1:]):  # the newest one answers for most tables
        states = states_of(part, most=MOST_STEPS)
        if any((state := states.get(game)) is None or state.rules.money for game in part):
            return True
    return False
