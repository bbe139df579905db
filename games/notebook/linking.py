"""Join payments and costs of a table's file with their steps, and replace game codes that are taken."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from games.models import CostStep, Game, Payment, PaymentStep, SharedCost, new_code
from games.notebook.contents import Contents
from games.rows import AT_ONCE, grouped


def free_codes(games: Sequence[Game]) -> None:
    """Give each of these unsaved games a new code if a stored game has its code."""
    for start in range(0, len(games), AT_ONCE):
        some = {game.code: game for game in games[start : start + AT_ONCE]}
        for code in Game.objects.filter(code__in=some).values_list("code", flat=True):
            some[code].code = new_code()


def linked(contents: Contents) -> Iterator[tuple[Payment, Sequence[PaymentStep], str | None]]:
    """Yield each payment with its steps, and the hash of the first event of the payment's game.

    The hash is None for a payment without a game.
    """
    games = {whole.game.code: whole.links[0].hash for whole in contents.games}
    steps = grouped((id(step.payment), step) for step in contents.steps)
    for payment in contents.payments:
        yield payment, steps.get(id(payment), ()), games[payment.game.code] if payment.game else None


def shared(contents: Contents) -> Iterator[tuple[SharedCost, Sequence[CostStep]]]:
    """Yield each shared cost with its steps."""
    steps = grouped((id(step.cost), step) for step in contents.cost_steps)
    for cost in contents.costs:
        yield cost, steps.get(id(cost), ())
