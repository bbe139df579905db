"""The ledger entries of one game: post them after a change, and preview the debts that a change would leave."""

from __future__ import annotations

from datetime import datetime

from django.contrib.auth.models import User
from django.db.models import Q
from django.utils.timezone import now

from games.models import EntryKind, Game
from games.money.services.ledgers import Differences, Ledger
from games.scoring.debts import Debts
from games.tables.services.roster import People


def post(
    game: Game,
    kind: EntryKind,
    *,
    version: int,
    at: datetime,
    by: User | None = None,
    people: People | None = None,
    nets: Differences | None = None,
) -> None:
    """Post an entry after a game's results or its mark *paid on the spot* changed.

    The caller holds the table's lock; `version` is the table's version after the write. `nets` are those of
    the game's results by slug, empty without results; None reads them from the database.
    """
    ledger = Ledger(game.table, at=at, by=by, people=people, causes=Q(game=game))
    if nets is None:
        nets = dict(game.results.order_by("pk").values_list("member__slug", "net"))
    ledger.change_game(game, kind, nets)
    ledger.store(version)


def preview(game: Game, nets: Differences, people: People, *, is_new: bool) -> tuple[Debts, Debts]:
    """Return all debts as they are, and as they would be if the game had these nets. Nothing is written.

    `nets` are by player's slug. `is_new` is True if the game would only end now.
    """
    ledger = Ledger(game.table, at=now(), people=people, causes=Q(game=game))
    debts, is_paid = ledger.debts, is_new and game.table.pays_on_the_spot
    ledger.change_game(game, EntryKind.CORRECTED, {} if is_paid else nets)
    ledger.finish()
    return debts, ledger.debts
