"""The mark *paid on the spot* (se pagó en la mesa): the players settled a game with cash at the table.

The mark is stored on the game's row: the nets, the time and the user. Setting it reverses the game's entry.
From then on the game moves only what a later correction changes (RULES 1.3).
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime

from django.contrib.auth.models import User
from django.db import transaction
from django.utils.timezone import now

from games.common import locks
from games.models import EntryKind, Game
from games.money.services import game_entries
from games.scoring.errors import RuleError
from games.scoring.i18n import _

MARK_FIELDS = ("spot_nets", "spot_at", "spot_by")


@transaction.atomic
def mark_paid(game: Game, *, by: User, at: datetime | None = None) -> None:
    """Mark a finished game as paid on the spot; a marked game stays as it is.

    Lock the table and the game. Raise RuleError if the game is not finished or was discarded.
    """
    locks.lock_game(game)
    nets = _load_nets(game)
    if not nets:
        raise RuleError(_("This game isn't over, or was deleted."))
    if game.spot_nets is None:
        set_mark(game, nets, by=by, at=at or now())
        _store(game, nets, by=by, at=at or now())


@transaction.atomic
def unmark_paid(game: Game, *, by: User, at: datetime | None = None) -> None:
    """Remove the mark, so that the game's nets count in the ledger again; an unmarked game stays as it is.

    Lock the table and the game.
    """
    locks.lock_game(game)
    if game.spot_nets is not None:
        game.spot_nets = game.spot_at = game.spot_by = None
        _store(game, _load_nets(game), by=by, at=at or now())


def set_mark(game: Game, nets: Mapping[str, int], *, by: User | None, at: datetime) -> None:
    """Set the mark on an instance, without saving it or posting its entry. `nets` are by slug."""
    game.spot_nets, game.spot_at, game.spot_by = dict(nets), at, by


def _load_nets(game: Game) -> Mapping[str, int]:
    return dict(game.results.order_by("pk").values_list("member__slug", "net"))


def _store(game: Game, nets: Mapping[str, int], *, by: User, at: datetime) -> None:
    game.save(update_fields=MARK_FIELDS)
    version = locks.bump_version(game.table)
    game_entries.post(game, EntryKind.ON_THE_SPOT, version=version, at=at, by=by, nets=nets)
    locks.bump_revision(game.table)
