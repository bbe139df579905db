"""The players of a new game: members, and newcomers who become members when the game starts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from django.contrib.auth.models import User
from django.db import transaction

from games.common import locks, naming
from games.common.locks import IdempotencyKeyReused
from games.models import NAME_LENGTH, Game, Member, Table
from games.play.services import recording
from games.scoring.errors import RefusalCode, RuleError
from games.scoring.events import GameStarted, Player
from games.scoring.i18n import _
from games.scoring.options import House, Variant
from games.tables.services import membership


@dataclass(frozen=True)
class NewPlayer:
    """A player of a new game: a member by `slug` or, if that is "", a newcomer by `name` as it is stored."""

    slug: str = ""
    name: str = ""

    @classmethod
    def named(cls, name: str) -> NewPlayer:
        """Return a newcomer with this typed name. Raise RuleError, naming the player, if it is invalid."""
        try:
            return cls(name=naming.clean_name(name, longest=NAME_LENGTH))
        except RuleError as refusal:
            refusal.field, refusal.player = "players", name
            raise


@dataclass(frozen=True)
class NewGameSeating:
    """A game about to begin. `players` are clockwise, and `dealer` is the index of the first dealer."""

    variant: Variant
    house: House
    players: Sequence[NewPlayer]
    direction: str
    dealer: int = 0


@transaction.atomic
def start_with_newcomers(
    table: Table,
    sitting: NewGameSeating,
    *,
    key: str,
    by: User,
    at: datetime | None = None,
    is_asking: bool = False,
) -> Game:
    """Start a game with these players, adding the newcomers as members. Lock the table.

    A repeated key returns the same game and adds nobody again, or raises IdempotencyKeyReused if the game
    differs. `is_asking` is that of `recording.start_game`. Raise RuleError if a player cannot play; its
    `player` is the member's slug or the newcomer's name.
    """
    locks.lock(table)
    known = table.games.filter(key=key).first()
    if known is not None:
        if not _is_same_start(known, sitting):
            raise IdempotencyKeyReused
        return known
    members = [_get_or_add_player(table, sitter) for sitter in sitting.players]
    start_event = GameStarted(
        variant=sitting.variant.key,
        options=sitting.house.options,
        players=tuple(Player(member.slug, member.name) for member in members),
        dealer=members[sitting.dealer].slug if sitting.dealer else "",
        direction=sitting.direction,
    )
    return recording.start_game(table, start_event, key=key, by=by, at=at, is_asking=is_asking)


def _is_same_start(game: Game, sitting: NewGameSeating) -> bool:
    """Return whether the game started with the content of `sitting`. Newcomers are compared by name."""
    start_event = game.log()[0]
    return (
        isinstance(start_event, GameStarted)
        and (start_event.variant, start_event.options, start_event.direction)
        == (sitting.variant.key, sitting.house.options, sitting.direction)
        and len(start_event.players) == len(sitting.players)
        and start_event.dealer == (start_event.players[sitting.dealer].id if sitting.dealer else "")
        and all(
            sitter.slug == player.id if sitter.slug else naming.names_match(sitter.name, player.name)
            for sitter, player in zip(sitting.players, start_event.players, strict=True)
        )
    )


def _get_or_add_player(table: Table, sitter: NewPlayer) -> Member:
    if sitter.slug:
        member = table.members.active().filter(slug=sitter.slug).first()
        if member is None:
            raise RuleError(
                _("Choose a player."), code=RefusalCode.UNKNOWN_PLAYER, field="players", player=sitter.slug
            )
        return member
    try:
        return membership.add_with_stored_name(table, sitter.name)
    except RuleError as refusal:
        refusal.field, refusal.player = "players", sitter.name
        raise


def get_or_add_member(game: Game, sitter: NewPlayer, *, key: str) -> Member:
    """Return the member who sits down in a game, adding a newcomer as `add_newcomer` does."""
    return (
        game.table.members.get(slug=sitter.slug) if sitter.slug else add_newcomer(game, sitter.name, key=key)
    )


def add_newcomer(game: Game, name: str, *, key: str) -> Member:
    """Add a member with this name, as `clean_name` returned it, for an event recorded with `key`.

    Lock the table. If the game already has events with this key, return the member added then, so that the
    second of two simultaneous requests adds nobody. Call this inside the transaction that records the event.
    """
    table = locks.lock(game.table)
    if game.records.filter(key=key).exists():
        members = table.members.active()
        known = next((member for member in members if naming.names_match(member.name, name)), None)
        if known is not None:
            return known
    return membership.add_with_stored_name(table, name)
