"""Constraints that the database itself enforces, on every supported engine."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta

import pytest
from django.db import IntegrityError, connection, models, transaction
from django.utils.timezone import now

import games.models
from games.models import (
    ALPHABET,
    CODE_LENGTH,
    Access,
    HandSource,
    ImmutableRecordError,
    Link,
    LinkKind,
    Record,
    Table,
    new_code,
)
from games.play.services import recording
from tests.factories import build_round, make_user, new_key, start

pytestmark = [pytest.mark.django_db, pytest.mark.postgres]


MORNING = datetime(2026, 11, 20, 9, tzinfo=UTC)
GUARDED = ("games_record", "games_handsource", "games_entry")

each_guarded = pytest.mark.parametrize("guarded", GUARDED)


@pytest.fixture
def game(table, owner):
    """A game of two records, with the source of a hand, and a ledger entry."""
    game = start(table, owner, stake=100)
    recording.record(game, build_round("caro", ana=23, beto=47, dani=12), after=1, key=new_key(), by=owner)
    HandSource.objects.create(game=game, number=2, player="ana", brought_by=owner, is_changed=False)
    games.models.Entry.objects.create(
        table=table, number=1, kind="ended", night=date(2024, 5, 31), at=game.started_at, game=game,
        differences={}, before=[], after=[],
    )  # fmt: skip
    return game


def stored_rows(guarded):
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT * FROM {guarded} ORDER BY id")
        return cursor.fetchall()


def guards():
    """Return the names of the triggers on the guarded tables."""
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            cursor.execute(
                "SELECT tgname FROM pg_trigger"
                " WHERE tgrelid IN ('games_record'::regclass, 'games_handsource'::regclass, 'games_entry'::regclass)"
                " AND NOT tgisinternal AND tgenabled <> 'D'"
            )
        else:
            cursor.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'")
        return {name for (name,) in cursor.fetchall()}


def execute(sql, *params):
    """Run one SQL statement without the models, in its own savepoint."""
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(sql, params)


# --- records are final ------------------------------------------------------------------------------------------------


def test_the_guards_stand_after_all_migrations():
    third = {"postgresql": "truncate", "sqlite": "replace"}[connection.vendor]

    assert guards() == {
        f"{guarded}_no_{event}" for guarded in GUARDED for event in ("update", "delete", third)
    }


@pytest.mark.parametrize(
    ("change", "refusal"),
    [
        ("UPDATE {} SET number = number + 7", "a record is never changed"),
        ("DELETE FROM {}", "a record is never"),
    ],
)
@each_guarded
def test_the_database_refuses_to_change_or_delete_a_record(game, guarded, change, refusal):
    before = stored_rows(guarded)
    with pytest.raises(IntegrityError, match=refusal):
        execute(f"{change.format(guarded)} WHERE game_id = %s", game.pk)
    assert [] != before == stored_rows(guarded)


@pytest.mark.skipif("connection.vendor != 'sqlite'")
@pytest.mark.parametrize(
    ("guarded", "columns", "values"),
    [
        (
            "games_record",
            "game_id, number, kind, data, recorded_at, arrived_at, recorded_by_id",
            "game_id, number, 'x', data, recorded_at, arrived_at, recorded_by_id",
        ),
        (
            "games_handsource",
            "game_id, number, player, brought_by_id, is_changed",
            "game_id, number, player, brought_by_id, 1",
        ),
        (
            "games_entry",
            "table_id, number, kind, night, at, differences, before, after",
            "table_id, number, 'ended', night, at, differences, before, after",
        ),
    ],
)
@pytest.mark.parametrize("by_id", [False, True])
def test_sqlite_refuses_to_replace_a_record(game, guarded, columns, values, by_id):
    before = stored_rows(guarded)
    if by_id:
        columns, values = f"id, {columns}", f"id, {values.replace('number', 'number + 7')}"
    with pytest.raises(IntegrityError, match="a record is never replaced"):
        execute(f"INSERT OR REPLACE INTO {guarded} ({columns}) SELECT {values} FROM {guarded}")
    assert [] != before == stored_rows(guarded)


@pytest.mark.skipif("connection.vendor != 'postgresql'")
@each_guarded
def test_postgresql_refuses_to_empty_the_records(game, guarded):
    before = stored_rows(guarded)
    connection.check_constraints()  # deferred constraints would otherwise fail first
    with pytest.raises(IntegrityError, match="a record is never"):
        execute(f"TRUNCATE {guarded} CASCADE")
    assert [] != before == stored_rows(guarded)


CHANGES = {
    "save": lambda row: row.save(),
    "delete": lambda row: row.delete(),
    "update": lambda row: type(row).objects.filter(pk=row.pk).update(number=9),
    "delete many": lambda row: type(row).objects.filter(pk=row.pk).delete(),
    "bulk update": lambda row: type(row).objects.bulk_update([row], ["number"]),
    "update by game": lambda row: row.game.records.update(kind="x"),
    "delete by game": lambda row: row.game.records.all().delete(),
    "update sources by game": lambda row: row.game.hand_sources.update(is_changed=True),
    "delete sources by game": lambda row: row.game.hand_sources.all().delete(),
}


def test_the_models_refuse_to_change_or_delete_a_record(subtests, game):
    before = [stored_rows(guarded) for guarded in GUARDED]
    for name, change in CHANGES.items():
        for row in (game.records.get(number=2), game.hand_sources.get()):
            row.number = 9

            with subtests.test(name), pytest.raises(ImmutableRecordError):
                change(row)
    assert before == [stored_rows(guarded) for guarded in GUARDED]


@pytest.mark.parametrize("fixture_name", ["game", "table", "owner"])
def test_a_game_with_records_its_table_and_who_recorded_it_cannot_be_deleted(request, game, fixture_name):
    with pytest.raises(models.ProtectedError):
        request.getfixturevalue(fixture_name).delete()
    assert 2 == game.records.count()


# --- what the database checks -----------------------------------------------------------------------------------------


def test_codes_are_long_enough_not_to_be_guessed():
    assert 2**50 < len(ALPHABET) ** CODE_LENGTH
    assert 100 == len({new_code() for _ in range(100)})


def link(table, by, *, kind=LinkKind.PERSONAL, role="witness", token_hash="2", until=None, **more):
    """Create a link of the table or, with a `user`, a sign-in link."""
    more |= {"made_by": by, "expires_at": until or now() + timedelta(days=1)}
    return Link.objects.create(kind=kind, table=table, role=role, token_hash=token_hash, **more)


def seat(table, user, **more):
    """Give a new user a viewer's access, as Ana."""
    ana = table.members.get(slug="ana")
    return table.accesses.create(user=make_user(user), role="witness", **{"member": ana, **more})


NONSENSE = {
    "a second ana": lambda table, user: table.members.create(slug="ana", name="Otra Ana", colour=1),
    "nobody": lambda table, user: table.members.create(slug="nobody", name="Nadie", colour=1),
    "no name": lambda table, user: table.members.create(slug="eva", name="", colour=1),
    "a ninth colour": lambda table, user: table.members.create(slug="eva", name="Eva", colour=9),
    "a second season with the same first night": lambda table, user: table.seasons.create(
        name="Otra", starts_on=table.seasons.get().starts_on
    ),
    "four decimals": lambda table, user: Table.objects.create(
        name="Otra", language="en", timezone="UTC", decimals=4
    ),
    "a table without a name": lambda table, user: Table.objects.create(
        name="", language="en", timezone="UTC"
    ),
    "two roles for one user": lambda table, user: Access.objects.create(
        user=user, table=table, role="witness"
    ),
    "an unknown role": lambda table, user: Access.objects.create(
        user=make_user("eva"), table=table, role="king"
    ),
    "nobody confirmed": lambda table, user: seat(table, "eva", member=None, confirmed_at=now()),
    "a member with another name": lambda table, user: seat(table, "eva", name="Eva"),
    "a link to be king": lambda table, user: link(table, user, role="king"),
    "two links with one token": lambda table, user: link(table, user, token_hash="1"),
    "a link that ended before it was made": lambda table, user: link(
        table, user, until=now() - timedelta(days=1)
    ),
    "a link for tonight to record": lambda table, user: link(
        table, user, kind=LinkKind.TONIGHT, role="scorer"
    ),
    "a link to a table that signs in nobody": lambda table, user: link(
        table, user, kind=LinkKind.SIGN_IN, role=""
    ),
    "a link that signs in an owner": lambda table, user: link(
        None, user, kind=LinkKind.SIGN_IN, role="owner", user=user
    ),
    "a personal link to no table": lambda table, user: link(None, user),
}


def test_the_database_refuses_what_makes_no_sense(subtests, table, owner):
    link(table, owner, token_hash="1")

    for name, wrong in NONSENSE.items():
        with subtests.test(name), pytest.raises(IntegrityError), transaction.atomic():
            wrong(table, owner)


CHANGED = ({"amount": 0}, {"key": ""}, {"key": "taken"}, {"recorded_at": MORNING - timedelta(days=1)})
ANSWERED = ({"ended_at": MORNING}, {"reason": "no fue"})
OF_A_PAYMENT = (
    *CHANGED, *ANSWERED, {"payee": "beto"}, {"method": "cheque"}, {"confirmed_at": MORNING}, {"disputed_at": MORNING},
    {"objection": "no me llegó"}, {"confirmed_at": MORNING, "confirmed_by": "olga"},
)  # fmt: skip


@pytest.mark.parametrize("kind", ["payments", "costs"])
def test_the_database_refuses_a_payment_or_a_cost_in_an_impossible_state(subtests, table, kind):
    user = make_user("nora")
    people = {member.slug: member for member in table.members.all()} | {"olga": user}
    right = {"payer": "beto", "amount": 1, "made_at": MORNING, "recorded_at": MORNING, "recorded_by": "olga"}
    more = (
        {"payee": "ana", "method": "cash"} if kind == "payments" else {"night": MORNING, "borne": {"ana": 1}}
    )

    def create(**values):
        fields = {
            name: people.get(value, value) if isinstance(value, str) else value
            for name, value in values.items()
        }
        return getattr(table, kind).create(**fields)

    create(**right, **more, key="taken")
    for wrong in OF_A_PAYMENT if kind == "payments" else (*CHANGED, *ANSWERED):
        with subtests.test(wrong=wrong), pytest.raises(IntegrityError), transaction.atomic():
            create(**{**right, **more, "key": new_key(), **wrong})
    create(**right, **more, key=new_key())


@pytest.mark.parametrize("field_name", ["number", "key"])
def test_a_number_and_a_key_are_used_once_a_game(game, owner, field_name):
    first = game.records.get(number=1)
    again = Record(
        game=game, number=3, kind="x", data={}, key="new", recorded_at=first.recorded_at, recorded_by=owner
    )
    setattr(again, field_name, getattr(first, field_name))

    with pytest.raises(IntegrityError), transaction.atomic():
        again.save()
