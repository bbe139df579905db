"""Who sits down to a new game: members, and newcomers who become members with it."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime

from django.contrib.auth.models import User
from django.db import transaction

from games.keys import KeyReused
from games.locks import lock
from games.models import Game, Member, Table
from games.names import same_name
from games.people.members import add_member
from games.play.recording import start_game
from games.scoring.errors import Refusal, RuleError
from games.scoring.events import GameStarted, Player
from games.scoring.options import House, Variant
from games.scoring.words import _


@dataclass(frozen=True)
class Sitter:
    """Somebody about to sit down: a member by slug, or, where that is "", a newcomer by name."""

    slug: str = ""
    name: str = ""


@dataclass(frozen=True)
class Sitting:
    """A game about to begin; `dealer` is the place of who deals first among `people`, who sit clockwise.

    The names in `apart` are somebody's own, although accents alone tell them from others at the table.
    """

    variant: Variant
    house: House
    people: Sequence[Sitter]
    direction: str
    dealer: int = 0
    apart: Collection[str] = ()


@transaction.atomic
def sit_down(
    table: Table, sitting: Sitting, *, key: str, by: User, code: str = "", at: datetime | None = None
) -> Game:
    """Start a game with these people; the same key returns the same game, and adds its newcomers once.

    RuleError if one of them cannot sit there; `player` says which newcomer it is about.
    """
    lock(table)
    known = table.games.filter(key=key).first()
    if known is not None:
        if code not in ("", known.code) or not _says_the_same(known, sitting):
            raise KeyReused
        return known
    seated = [_member(table, sitter, sitting.apart) for sitter in sitting.people]
    begun = GameStarted(
        variant=sitting.variant.key,
        options=sitting.house.options,
        players=tuple(Player(member.slug, member.name) for member in seated),
        dealer=seated[sitting.dealer].slug if sitting.dealer else "",
        direction=sitting.direction,
    )
    return start_game(table, begun, key=key, by=by, code=code, at=at)


def _says_the_same(game: Game, sitting: Sitting) -> bool:
    """Return whether the game was started with exactly this; newcomers are known by name by now."""
    begun = game.log()[0]
    return (
        isinstance(begun, GameStarted)
        and (begun.variant, begun.options, begun.direction)
        == (sitting.variant.key, sitting.house.options, sitting.direction)
        and len(begun.players) == len(sitting.people)
        and begun.dealer == (begun.players[sitting.dealer].id if sitting.dealer else "")
        and all(
            sitter.slug == player.id if sitter.slug else same_name(sitter.name, player.name)
            for sitter, player in zip(sitting.people, begun.players, strict=True)
        )
    )


def _member(table: Table, sitter: Sitter, apart: Collection[str]) -> Member:
    if sitter.slug:
        member = table.members.active().filter(slug=sitter.slug).first()
        if member is None:
            raise RuleError(
                _("Choose a player."), code=Refusal.UNKNOWN_PLAYER, field="players", player=sitter.slug
            )
        return member
    try:
        return add_member(table, sitter.name, apart=apart)
    except RuleError as refusal:
        refusal.field, refusal.player = "players", sitter.name
        raise


def newcomer(game: Game, name: str, *, key: str, apart: Collection[str] = ()) -> Member:
    """Add a member of this name to the game's table; a key recorded before returns the member added with it.

    The table is locked before the key is looked up: of two taps at once the second waits and finds the
    first one's
    member. Call it inside the transaction that records.
    """
    table = lock(game.table)
    if game.records.filter(key=key).exists():
        members = table.members.active()
        known = next((member for member in members if same_name(member.name, name)), None)
        if known is not None:
            return known
    return add_member(table, name, apart=apart)
