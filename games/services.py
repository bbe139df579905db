"""The only writes: each function is one transaction, and raises RuleError for what the table must put right."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from hashlib import sha256
from zoneinfo import ZoneInfo, available_timezones

from django.conf import settings
from django.contrib.auth.models import User
from django.db import IntegrityError, transaction
from django.db.models import QuerySet
from django.utils.timezone import now

from games.book import Book, contents
from games.models import Game, Grant, Member, Record, Result, Role, Season, Table
from games.names import read_name, same_name, slug_for
from games.results import results_of
from games.scoring.errors import Refusal, RuleError
from games.scoring.events import Event, GameStarted, Player, Struck
from games.scoring.replay import replay
from games.scoring.state import GameState, Seat
from games.scoring.variants import find_variant
from games.scoring.words import _

COLOURS = 8
NAME_LENGTH = 20
TABLE_NAME_LENGTH = 60
UNIT_LENGTH = 12
DECIMALS = 3
KEY_LENGTH = 64
DOUBLE_TAP = timedelta(minutes=1)


class StaleGame(Exception):
    """Somebody else recorded first: `since` are the events after number `after`, which the person had not seen."""

    def __init__(self, *, after: int, since: tuple[Event, ...]) -> None:
        super().__init__(f"{len(since)} events were recorded after number {after}")
        self.after = after
        self.since = since


class KeyReused(Exception):
    """The key was sent before, with something else."""


# --- people and tables ------------------------------------------------------------------------------------------------


def make_guest(key: str = "") -> User:
    """A user without name or password, who is whoever holds the session.

    The key of the form that made him gives the same guest for a moment: the second tap has no session yet.
    """
    if key:
        name = f"guest-{sha256(key.encode()).hexdigest()[:20]}"
        guest, is_new = User.objects.get_or_create(username=name)
        if is_new:
            guest.set_unusable_password()
            guest.save(update_fields=["password"])
        if not guest.has_usable_password() and now() - guest.date_joined < DOUBLE_TAP:
            return guest
    return User.objects.create_user(f"guest-{secrets.token_hex(8)}")


@transaction.atomic
def open_table(
    user: User,
    name: str,
    *,
    unit: str,
    decimals: int,
    language: str,
    timezone: str,
    at: datetime | None = None,
) -> Table:
    """A new table with its first season; `user` owns it."""
    if not 0 <= decimals <= DECIMALS:
        raise RuleError(_("Amounts have from 0 to {most} decimals.", most=DECIMALS), field="decimals")
    if language not in dict(settings.LANGUAGES):
        raise RuleError(_("There is no language “{language}” here.", language=language), field="language")
    if timezone not in available_timezones():
        raise RuleError(_("There is no time zone “{timezone}”.", timezone=timezone), field="timezone")
    opened_at = at or now()
    table = Table.objects.create(
        name=read_name(name, longest=TABLE_NAME_LENGTH),
        unit=read_name(unit, longest=UNIT_LENGTH, field="unit"),
        decimals=decimals,
        language=language,
        timezone=timezone,
        created_at=opened_at,
    )
    today = opened_at.astimezone(ZoneInfo(timezone)).date()
    Season.objects.create(table=table, name=str(today.year), starts_on=today)
    Grant.objects.create(user=user, table=table, role=Role.OWNER)
    return table


@transaction.atomic
def add_member(table: Table, name: str) -> Member:
    """Somebody new at the table, with an id of his own and the next colour."""
    _lock(table)
    members = list(table.members.all())
    name = _free_name(name, members)
    slug = slug_for(name, {member.slug for member in members})
    return Member.objects.create(table=table, slug=slug, name=name, colour=len(members) % COLOURS + 1)


@transaction.atomic
def rename_member(member: Member, name: str) -> None:
    """Changes what is shown; the id in the games stays."""
    _lock(member.table)
    others = member.table.members.exclude(pk=member.pk)
    member.name = _free_name(name, list(others))
    member.save(update_fields=["name"])


def _free_name(text: str, others: Sequence[Member]) -> str:
    name = read_name(text, longest=NAME_LENGTH)
    if any(same_name(name, other.name) for other in others):
        raise RuleError(_("There is already somebody called {name} at this table.", name=name), field="name")
    return name


def _lock(table: Table) -> None:
    """Holds the table until the transaction ends (PostgreSQL; a SQLite transaction holds everything)."""
    Table.objects.select_for_update(no_key=True).get(pk=table.pk)


# --- games ------------------------------------------------------------------------------------------------------------


@transaction.atomic
def start_game(table: Table, event: GameStarted, *, key: str, by: User, at: datetime | None = None) -> Game:
    """The game begun by this event, with every option in force written into it; the same key gives the same game."""
    _check_key(key)
    event = replace(event, options=find_variant(event.variant).house(dict(event.options)).options)
    _lock(table)
    known = table.games.filter(key=key).first()
    if known is not None:
        if Book.read(known).batch(key) != contents([event]):
            raise KeyReused
        return known
    state = replay((event,))
    check_members(table.members.filter(merged_into=None, retired_at=None), state)
    begun_at = at or now()
    game = Game.objects.create(
        table=table,
        season=table.seasons.get(ends_on=None),
        key=key,
        variant=state.variant.key,
        opened_at=begun_at,
        started_at=begun_at,
    )
    _insert(game, [event], after=0, key=key, by=by, at=begun_at)
    return game


@transaction.atomic
def record(
    game: Game, *events: Event, after: int, key: str, by: User, at: datetime | None = None
) -> GameState:
    """The state once these events are recorded, together or not at all.

    `after` is the number of the last event the person had seen: StaleGame where there are others. A key recorded
    before with the same events gives the present state, with other events KeyReused.
    """
    assert events, "nothing to record"
    _check_key(key)
    _hold(game)
    book = Book.read(game)
    known = book.batch(key)
    if known:
        if known != contents(events):
            raise KeyReused
        return replay(book.log())
    log = book.log()
    if len(log) != after:
        raise StaleGame(after=after, since=log[max(after, 0) :])
    if game.discarded_at is not None:
        raise RuleError(_("This game was discarded. Bring it back first."))
    state = replay((*log, *events))
    check_members(game.table.members.all(), state)
    _insert(game, events, after=after, key=key, by=by, at=at or now())
    _project(game, state)
    return state


def undo(game: Game, *, after: int, key: str, by: User, at: datetime | None = None) -> GameState:
    """The state without the batch recorded last; undoing that brings it back."""
    if after <= 1 and game.records.count() == 1:
        raise RuleError(_("There is nothing to undo."))
    strikes = [Struck(number) for number in reversed(game.last_batch(after=max(after, 1)))]
    return record(game, *strikes, after=after, key=key, by=by, at=at)


@transaction.atomic
def discard_game(game: Game, *, at: datetime | None = None) -> None:
    """Takes a game opened by mistake out of every count; its records stay."""
    _hold(game)
    if game.discarded_at is None:
        game.discarded_at = at or now()
        game.save(update_fields=["discarded_at"])
        game.results.all().delete()


@transaction.atomic
def restore_game(game: Game) -> None:
    """Brings a discarded game back, results included."""
    _hold(game)
    if game.discarded_at is not None:
        game.discarded_at = None
        game.save(update_fields=["discarded_at"])
        _project(game, game.state())


def rematch_of(game: Game) -> GameStarted:
    """The same game once more (revancha): those still at the table, same rules, the deal going on where it was."""
    state = game.state()
    members = {member.slug: member for member in game.table.members.select_related("merged_into")}
    people = {
        player.id: members[player.id].merged_into or members[player.id]
        for player in state.players
        if player.seat is not Seat.LEFT
    }
    here = {seat: member for seat, member in people.items() if member.retired_at is None}
    around = state.seats_from(state.due) if state.due is not None else state.seats_after(str(state.dealt))
    return GameStarted(
        variant=state.variant.key,
        options=state.house.options,
        players=tuple(Player(member.slug, member.name) for member in here.values()),
        dealer=next((here[seat.id].slug for seat in around if seat.id in here), ""),
        direction=state.direction,
    )


# --- inside a transaction ---------------------------------------------------------------------------------------------


def _check_key(key: str) -> None:
    if not key or len(key) > KEY_LENGTH or not key.isprintable():
        raise RuleError(_("A key has from 1 to {longest} characters.", longest=KEY_LENGTH), field="key")


def check_members(members: QuerySet[Member], state: GameState) -> None:
    """RuleError unless whoever played is a member of the table: his result would have nowhere to go."""
    known = set(members.values_list("slug", flat=True))
    for player in dict.fromkeys(seated for step in state.steps for seated in step.seats):
        if player not in known:
            raise RuleError(
                _("{name} does not belong to this table.", name=state.name(player)),
                code=Refusal.UNKNOWN_PLAYER,
                field="players",
                player=player,
            )


def _hold(game: Game) -> None:
    """Reads what others may have changed, and on PostgreSQL holds the game until the transaction ends."""
    game.refresh_from_db(
        fields=["variant", "ended_at", "discarded_at"],
        from_queryset=Game.objects.select_for_update(no_key=True),
    )


def _insert(game: Game, events: Sequence[Event], *, after: int, key: str, by: User, at: datetime) -> None:
    records = [
        Record(
            game=game, number=number, kind=kind, data=data, key=key if number == after + 1 else None,
            recorded_at=at, recorded_by=by,
        )
        for number, (kind, data) in enumerate(contents(events), start=after + 1)
    ]  # fmt: skip
    try:
        with transaction.atomic():
            Record.objects.bulk_create(records)
    except IntegrityError as error:
        since = game.log()[after:]
        if not since:
            raise
        raise StaleGame(after=after, since=since) from error


def _project(game: Game, state: GameState) -> None:
    """Repeats in the game's row and its results what its records say."""
    had_ended = game.ended_at is not None
    game.variant = state.variant.key
    game.ended_at = game.records.get(number=state.outcome.number).recorded_at if state.outcome else None
    game.save(update_fields=["variant", "ended_at"])
    if had_ended:
        game.results.all().delete()
    if state.is_over:
        Result.objects.bulk_create(results_of(game, state))
