"""Factories for users, tables and games. Common ones are recorded once a worker and copied row by row."""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable, Collection, Hashable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Any

from django.apps import apps
from django.contrib.auth.models import User
from django.db import connection, transaction
from django.db.models import Max, Model
from django.utils.timezone import now

from games.common import locks, naming
from games.models import COLOURS, Access, Device, Game, Member, Record, Role, Season, Table, new_code
from games.money.services import accounting
from games.money.services.expenses import Expense
from games.play.services import recording
from games.scoring.events import Event, GameStarted, Player, RoundPlayed
from games.scoring.rounds import Hand, RoundEntry
from games.scoring.shares import expense_shares
from games.scoring.text.codec import to_data
from games.scoring.variants import get_variant
from games.seasons.services import season_setup
from games.tables.services import guests, setup

PEOPLE = ("Ana", "Beto", "Caro", "Dani")
SECRET = "tres lobas negras"  # the password of users who have one

_keys = itertools.count(1)


def new_key() -> str:
    return f"key-{next(_keys)}"


def build_expense(
    payer: Member, amount: int, sharers: Collection[Member], note: str = "", *, is_forgiven: bool = False
) -> Expense:
    """Return an unsaved expense in equal parts."""
    bearing = {member.slug: member for member in sharers if not (is_forgiven and member == payer)}
    seats = [member.slug for member in sorted({payer, *sharers}, key=lambda member: member.pk)]
    borne = expense_shares(amount, {payer.slug: amount}, dict.fromkeys(bearing, 1), seats)
    return Expense(
        paid={payer: amount},
        amount=amount,
        borne={bearing[slug]: part for slug, part in borne.items()},
        note=note,
        is_forgiven=is_forgiven,
    )


def without_codes(file: str) -> str:
    """Return the text of a table's file without what differs between two copies: game codes and `bases`."""
    return re.sub(r'"bases": ?\[[^]]*\], ?', "", re.sub(r'"code": ?"\w*"', '"code":""', file))


def with_new_codes(file: str) -> str:
    """Return the text of a table's file as if from another site: none of its codes is taken here."""
    return re.sub(r'"code": ?"\w+"', lambda _code: f'"code":"{new_code()}"', file)


def make_user(name: str = "olga") -> User:
    """Create a user without a password."""
    return User.objects.create_user(name)


def make_table(owner: User, *, people: tuple[str, ...] = PEOPLE, name: str = "Mesa de los jueves") -> Table:
    """Create a table in Buenos Aires with these members."""
    table = setup.create_table(
        owner,
        setup.clean_fields(
            name, unit="$", decimals=0, language="es-ar", timezone="America/Argentina/Buenos_Aires"
        ),
    )
    _create_members(table, people)
    return table


def _create_members(table: Table, people: tuple[str, ...]) -> None:
    """Create the rows that `add` would create one by one, with a single query: most tests begin with this."""
    slugs: list[str] = []
    for name in people:
        slugs.append(naming.slug_for(name, set(slugs)))
    Member.objects.bulk_create(
        Member(table=table, slug=slug, name=name, colour=number % COLOURS + 1)
        for number, (slug, name) in enumerate(zip(slugs, people, strict=True))
    )
    locks.bump_version(table)


def confirm_as_member(user: User, member: Member, at: datetime | None = None) -> Access:
    """Give the user a lasting, confirmed access as this member; a new access has the viewer's role."""
    at = at or now()
    member.accesses.exclude(user=user).update(confirmed_at=None, confirmed_by=None)
    who = {"member": member, "confirmed_at": at, "confirmed_by": user, "until": None, "name": ""}
    watching = {"role": Role.WITNESS, "made_at": at, **who}
    return member.table.accesses.update_or_create(user=user, defaults=who, create_defaults=watching)[0]


def grant_access(
    user: User, table: Table, role: Role = Role.WITNESS, *, face: str = "", until: datetime | None = None
) -> Access:
    """Give the user this role without a link; `face` is the slug of the member they claim to be."""
    member = table.members.get(slug=face) if face else None
    return Access.objects.create(user=user, table=table, role=role, member=member, until=until)


def move_all_tables(guest: User, user: User) -> None:
    """Move all tables of the guest to the user, as signing in does if all are ticked."""
    guests.move_tables(guest, user, guest.accesses.values_list("pk", flat=True))


def reload_access(access: Access) -> Access:
    """Return the access as it is stored now, with its table, user and member."""
    return Access.objects.select_related("table", "user", "member__merged_into").get(pk=access.pk)


def table_players(table: Table) -> tuple[Player, ...]:
    return tuple(Player(member.slug, member.name) for member in table.members.all())


def loba_start(table: Table, **options: int | str) -> GameStarted:
    """Return the first event of a Loba de Menos with all members of the table."""
    return GameStarted("loba_menos", tuple(options.items()), table_players(table))


def start(table: Table, owner: User, *, variant: str = "loba_menos", **options: int | str) -> Game:
    """Start a game with all members of the table."""
    event = GameStarted(
        variant, tuple(options.items()), table_players(table), direction=get_variant(variant).direction
    )
    return recording.start_game(table, event, key=new_key(), by=owner)


def build_round(closer: str | None, *, closing: str = "out", **points: int) -> RoundPlayed:
    """Return a round closed by this player, with the points that the others held."""
    hands = tuple((player, Hand(points=count)) for player, count in points.items())
    return RoundPlayed(RoundEntry(closer, closing, hands))


def load_balances(table: Table) -> Mapping[str, int]:
    """Return everybody's balance by slug, in joining order."""
    return accounting.load_accounts(table).balances


def debt_texts(table: Table) -> list[str]:
    """Return each debt as text, such as `beto>ana 100`."""
    return [
        f"{debt.payer.slug}>{debt.payee.slug} {debt.amount}" for debt in accounting.load_accounts(table).debts
    ]


def winning_round(winner: str, *losers: str) -> RoundPlayed:
    """Return a round that busts these losers; by default, the other three of a table of four."""
    four = [slug for slug in ("ana", "beto", "caro", "dani") if slug != winner]
    points: dict[str, Any] = dict.fromkeys(losers or four, 101)
    return build_round(winner, **points)


def store_unchecked(game: Game, event: Event, by: User) -> None:
    """Store an event as an import does: unchecked, although it might be refused if it were entered."""
    kind, data, number = event.kind, to_data(event), len(game.log()) + 1
    Record.objects.create(
        game=game,
        number=number,
        kind=kind,
        data=data,
        key=new_key(),
        recorded_by=by,
        recorded_at=now(),
    )


@contextmanager
def module_transaction(blocker: Any) -> Iterator[None]:
    """Keep what the `with` block writes for all tests of a module. Each test rolls back its own writes.

    `blocker` is pytest-django's `django_db_blocker`.
    """
    with blocker.unblock(), transaction.atomic():
        yield
        transaction.set_rollback(True)


def find_last_night(table: Table) -> date | None:
    """Return the night of the newest game, or None before the first game."""
    number = table.games.filter(discarded_at=None).aggregate(last=Max("night_number"))["last"]
    return None if number is None else date.fromordinal(number)


def get_last_night(table: Table) -> date:
    night = find_last_night(table)
    assert night is not None
    return night


def rows_containing(text: str) -> list[str]:
    """Return all rows of the database that contain this text."""
    with connection.cursor() as cursor:
        rows = []
        for name in connection.introspection.table_names(cursor):
            cursor.execute(f'SELECT * FROM "{name}"')
            rows += [str(row) for row in cursor.fetchall()]
    return [row for row in rows if text in row]


def totals(game: Game) -> dict[str, int]:
    return {player.id: player.total for player in game.state().players}


def end_season(table: Table, *, last_day: date, next_name: str) -> Season:
    """End the season on `last_day` by starting the next one. Return the new season."""
    return season_setup.create(table, name=next_name, first_day=last_day + timedelta(days=1))


def count_first_game_rows() -> list[int]:
    """Return the row count of each model that a new table and its first game write."""
    return [model.objects.count() for model in (Table, Season, Member, Access, Game, Record)]


def database_rows() -> dict[str, list[dict[str, Any]]]:
    """Return all rows of the database except sessions and their devices."""
    models: list[type[Model]] = [User, *apps.get_app_config("games").get_models()]
    models.remove(Device)
    return {model.__name__: _table_rows(model._meta.db_table) for model in models}


def _table_rows(name: str) -> list[dict[str, Any]]:
    """Return all rows of a database table with plain SQL, which is faster than Django's models."""
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT * FROM {connection.ops.quote_name(name)} ORDER BY 1")
        columns = [column[0] for column in cursor.description]
        return [dict(zip(columns, row, strict=True)) for row in cursor.fetchall()]


MAX_AGE = timedelta(minutes=1)  # older rows are recorded again, because pages show the time since
WRITE_VERBS = ("INSERT", "UPDATE", "DELETE")

Statement = tuple[str, Any, bool]


@dataclass(frozen=True)
class RecordedWrites:
    """The recorded writes of an act: its SQL statements, the primary key of the row it created, and the time."""

    statements: tuple[Statement, ...]
    pk: int
    done_at: datetime

    @property
    def is_fresh(self) -> bool:
        return timedelta(0) <= now() - self.done_at < MAX_AGE


_recordings: dict[Hashable, RecordedWrites] = {}
_table_states: dict[
    int, tuple[Hashable, Hashable]
] = {}  # for each table object: the acts done at it, and its version after them


def cached_table(name: str, make: Callable[[], Table]) -> Table:
    """Return the table that `make()` creates, from its recording if there is one."""
    pk = _replay_or_record((name, _sequences()), lambda: make().pk)
    table = Table.objects.get(pk=pk)
    _remember(table, name)
    return table


def cached_game(table: Table, act: Hashable, play: Callable[[], Game]) -> Game:
    """Return the game that `play()` plays at this table. `act` identifies it with all its details.

    Recordings are used only if nothing but cached acts was written at the table before, which its version
    shows.
    """
    done, version = _table_states.get(id(table), ((), None))
    if connection.vendor != "sqlite" or version != _version(table):
        return play()
    done = (done, act)
    names = tuple(table.members.values_list("name", flat=True))  # stored in the first event
    pk = _replay_or_record((done, _row(table), names, _sequences()), lambda: play().pk)
    game = Game.objects.get(pk=pk)
    game.table = table
    _remember(table, done)
    return game


def _replay_or_record(key: Hashable, act: Callable[[], int]) -> int:
    """Call `act`, or repeat its recorded writes. Return the primary key of the row that it creates."""
    known = _recordings.get(key)
    if connection.vendor != "sqlite":
        return act()
    if known is None or not known.is_fresh:
        known = _recordings[key] = _record(act)
    else:
        with connection.cursor() as cursor:
            for sql, params, is_many in known.statements:
                (cursor.executemany if is_many else cursor.execute)(sql, params)
    return known.pk


def _record(act: Callable[[], int]) -> RecordedWrites:
    statements: list[Statement] = []

    def note(execute: Any, sql: str, params: Any, many: bool, context: Any) -> Any:
        if sql.startswith(WRITE_VERBS):
            statements.append((sql, params, many))
        return execute(sql, params, many, context)

    with connection.execute_wrapper(note):
        pk = act()
    return RecordedWrites(tuple(statements), pk, now())


def _remember(table: Table, done: Hashable) -> None:
    _table_states[id(table)] = done, _version(table)


def _version(table: Table) -> Hashable:
    """Return the counters that every write at the table raises, and its code, because object ids are reused."""
    return Table.objects.filter(pk=table.pk).values_list("code", "version", "revision").get()


def _row(table: Table) -> Hashable:
    """Return the stored row of the table, whose settings affect what a game writes."""
    return Table.objects.filter(pk=table.pk).values_list().get()


def _sequences() -> Hashable:
    """Return the last primary key of each database table. Recorded writes fit only with the same keys."""
    if connection.vendor != "sqlite":
        return ()
    with connection.cursor() as cursor:
        cursor.execute("SELECT name, seq FROM sqlite_sequence ORDER BY name")
        return tuple(cursor.fetchall())
