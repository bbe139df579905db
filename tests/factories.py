"""Tables and games that are recorded once in each worker, and copied row by row into the tests that begin with them."""

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
from games.scoring.text.codec import event_kind, to_data
from games.scoring.variants import get_variant
from games.seasons.services import season_setup
from games.tables.services import setup

PEOPLE = ("Ana", "Beto", "Caro", "Dani")
SECRET = "tres lobas negras"  # the password of who has one

_keys = itertools.count(1)


def new_key() -> str:
    """Return a new idempotency key."""
    return f"key-{next(_keys)}"


def build_expense(
    payer: Member, amount: int, sharers: Collection[Member], note: str = "", *, is_forgiven: bool = False
) -> Expense:
    """Return a shared cost in equal parts."""
    bearing = {member.slug: member for member in sharers if not (is_forgiven and member == payer)}
    seats = [member.slug for member in sorted({payer, *sharers}, key=lambda member: member.pk)]
    borne = expense_shares(amount, payer.slug, dict.fromkeys(bearing, 1), seats)
    return Expense(
        payer=payer,
        amount=amount,
        borne={bearing[slug]: part for slug, part in borne.items()},
        note=note,
        is_forgiven=is_forgiven,
    )


def without_codes(file: str) -> str:
    """Return the text of a table's file without what differs between copies at one site: codes of games, `bases`."""
    return re.sub(r'"bases": ?\[[^]]*\], ?', "", re.sub(r'"code": ?"\w*"', '"code":""', file))


def with_new_codes(file: str) -> str:
    """Return the text of a table's file as if from another site: no code in it is taken here."""
    return re.sub(r'"code": ?"\w+"', lambda _code: f'"code":"{new_code()}"', file)


def make_user(name: str = "olga") -> User:
    """Create a user without a password."""
    return User.objects.create_user(name)


def make_table(owner: User, *, people: tuple[str, ...] = PEOPLE, name: str = "Mesa de los jueves") -> Table:
    """Create a table in Buenos Aires with these people."""
    table = setup.create_table(
        owner,
        setup.clean_fields(
            name, unit="$", decimals=0, language="es-ar", timezone="America/Argentina/Buenos_Aires"
        ),
    )
    _create_members(table, people)
    return table


def _create_members(table: Table, people: tuple[str, ...]) -> None:
    """Create the members with one query, because most tests begin with this.

    The rows are those that `add` would create one by one.
    """
    slugs: list[str] = []
    for name in people:
        slugs.append(naming.slug_for(name, set(slugs)))
    Member.objects.bulk_create(
        Member(table=table, slug=slug, name=name, colour=number % COLOURS + 1)
        for number, (slug, name) in enumerate(zip(slugs, people, strict=True))
    )
    locks.bump_version(table)


def confirm_as_member(user: User, member: Member, at: datetime | None = None) -> Access:
    """Confirm for good that this user is this member. Without an access they get one to watch."""
    at = at or now()
    member.accesses.exclude(user=user).update(confirmed_at=None, confirmed_by=None)
    who = {"member": member, "confirmed_at": at, "confirmed_by": user, "until": None, "name": ""}
    watching = {"role": Role.WITNESS, "made_at": at, **who}
    return member.table.accesses.update_or_create(user=user, defaults=who, create_defaults=watching)[0]


def grant_access(
    user: User, table: Table, role: Role = Role.WITNESS, *, face: str = "", until: datetime | None = None
) -> Access:
    """Give this user the role at the table, without a link. They say to be this face, if one is given."""
    member = table.members.get(slug=face) if face else None
    return Access.objects.create(user=user, table=table, role=role, member=member, until=until)


def table_players(table: Table) -> tuple[Player, ...]:
    """Return all members of the table as players of a game."""
    return tuple(Player(member.slug, member.name) for member in table.members.all())


def loba_start(table: Table, **options: int | str) -> GameStarted:
    """Return the first event of a Loba de Menos for everybody at the table."""
    return GameStarted("loba_menos", tuple(options.items()), table_players(table))


def start(table: Table, owner: User, *, variant: str = "loba_menos", **options: int | str) -> Game:
    """Start a game with everybody at the table, Loba de Menos unless another is named."""
    event = GameStarted(
        variant, tuple(options.items()), table_players(table), direction=get_variant(variant).direction
    )
    return recording.start_game(table, event, key=new_key(), by=owner)


def build_round(closer: str | None, *, closing: str = "out", **points: int) -> RoundPlayed:
    """Return a round that this player closed while the others held these points."""
    hands = tuple((player, Hand(points=count)) for player, count in points.items())
    return RoundPlayed(RoundEntry(closer, closing, hands))


def load_balances(table: Table) -> Mapping[str, int]:
    """Return everybody's balance by slug, in the order in which they joined."""
    return accounting.load_accounts(table).balances


def debt_texts(table: Table) -> list[str]:
    """Return who owes whom, such as `beto>ana 100`."""
    return [
        f"{debt.payer.slug}>{debt.payee.slug} {debt.amount}" for debt in accounting.load_accounts(table).debts
    ]


def winning_round(winner: str, *losers: str) -> RoundPlayed:
    """Return a round after which these others are out; without them, the three others of a table of four."""
    four = [slug for slug in ("ana", "beto", "caro", "dani") if slug != winner]
    points: dict[str, Any] = dict.fromkeys(losers or four, 101)
    return build_round(winner, **points)


def store_unchecked(game: Game, event: Event, by: User) -> None:
    """Store an event unchecked, as a table's file brings it in, although it might be refused if it were entered."""
    kind, data, number = event_kind(event), to_data(event), len(game.log()) + 1
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
    """Keep what the `with` block writes for all tests of a module; each test rolls back its own writes.

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
    """Return the last night that was played."""
    night = find_last_night(table)
    assert night is not None
    return night


def rows_containing(text: str) -> list[str]:
    """Return the rows of all tables of the database in which this text stands."""
    with connection.cursor() as cursor:
        rows = []
        for name in connection.introspection.table_names(cursor):
            cursor.execute(f'SELECT * FROM "{name}"')
            rows += [str(row) for row in cursor.fetchall()]
    return [row for row in rows if text in row]


def totals(game: Game) -> dict[str, int]:
    """Return each player's total, computed from the stored events."""
    return {player.id: player.total for player in game.state().players}


def end_season(table: Table, *, last_day: date, next_name: str) -> Season:
    """Begin a season on the day after `last_day`, and return it."""
    return season_setup.create(table, name=next_name, first_day=last_day + timedelta(days=1))


def count_first_game_rows() -> list[int]:
    """Return the number of rows of everything that a new table and its first game write."""
    return [model.objects.count() for model in (Table, Season, Member, Access, Game, Record)]


def database_rows() -> dict[str, list[dict[str, Any]]]:
    """Return everything in the database except sessions and their devices."""
    models: list[type[Model]] = [User, *apps.get_app_config("games").get_models()]
    models.remove(Device)
    return {model.__name__: _table_rows(model._meta.db_table) for model in models}


def _table_rows(name: str) -> list[dict[str, Any]]:
    """Return all rows of a database table, without Django's models, which are slower."""
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT * FROM {connection.ops.quote_name(name)} ORDER BY 1")
        columns = [column[0] for column in cursor.description]
        return [dict(zip(columns, row, strict=True)) for row in cursor.fetchall()]


MAX_AGE = timedelta(minutes=1)  # older rows are recorded anew: pages tell the time since
WRITE_VERBS = ("INSERT", "UPDATE", "DELETE")

Statement = tuple[str, Any, bool]


@dataclass(frozen=True)
class RecordedWrites:
    """The writes of an act: its statements in order, the primary key of the row that it made, and when it was done."""

    statements: tuple[Statement, ...]
    pk: int
    done_at: datetime

    @property
    def is_fresh(self) -> bool:
        return timedelta(0) <= now() - self.done_at < MAX_AGE


_recordings: dict[Hashable, RecordedWrites] = {}
_table_states: dict[
    int, tuple[Hashable, Hashable]
] = {}  # of each table object: what was done at it, and its version then


def cached_table(name: str, make: Callable[[], Table]) -> Table:
    """Return a table as `make()` makes it."""
    pk = _replay_or_record((name, _sequences()), lambda: make().pk)
    table = Table.objects.get(pk=pk)
    _remember(table, name)
    return table


def cached_game(table: Table, act: Hashable, play: Callable[[], Game]) -> Game:
    """Return the game that `play()` plays at this table; `act` names it with all its details.

    It is played anew if anything else than such acts was written at the table before: its version tells.
    """
    done, version = _table_states.get(id(table), ((), None))
    if connection.vendor != "sqlite" or version != _version(table):
        return play()
    done = (done, act)
    names = tuple(table.members.values_list("name", flat=True))  # which the first event keeps
    pk = _replay_or_record((done, _row(table), names, _sequences()), lambda: play().pk)
    game = Game.objects.get(pk=pk)
    game.table = table
    _remember(table, done)
    return game


def _replay_or_record(key: Hashable, act: Callable[[], int]) -> int:
    """Do this, or write what it wrote before; return the primary key of the row that it makes."""
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
    """Return what every write at the table raises; and its code, for an object may be at the place of another."""
    return Table.objects.filter(pk=table.pk).values_list("code", "version", "revision").get()


def _row(table: Table) -> Hashable:
    """Return the stored row of the table: its settings decide what a game writes."""
    return Table.objects.filter(pk=table.pk).values_list().get()


def _sequences() -> Hashable:
    """Return the last primary key of each database table: the same ones will follow."""
    if connection.vendor != "sqlite":
        return ()
    with connection.cursor() as cursor:
        cursor.execute("SELECT name, seq FROM sqlite_sequence ORDER BY name")
        return tuple(cursor.fetchall())
