"""Constraints that the database itself enforces, on every supported engine."""

from __future__ import annotations

import ast
from datetime import date, timedelta
from pathlib import Path

import pytest
from django.db import IntegrityError, connection, models, transaction
from django.utils.timezone import now

import games.models
from games.book import Book
from games.guards import install_record_guards
from games.models import (
    ALPHABET,
    CODE_LENGTH,
    Game,
    Grant,
    HandSource,
    Member,
    Record,
    RecordIsFinal,
    Result,
    Season,
    SignInLink,
    Table,
    new_code,
)
from games.play import recording as services
from games.scoring.events import Corrected, GameStopped, Stop, Struck
from games.scoring.replay import replay
from tests.tables import a_key, a_round, make_user, start

pytestmark = pytest.mark.django_db


GUARDED = ("games_record", "games_handsource", "games_entry")

each_guarded = pytest.mark.parametrize("guarded", GUARDED)


@pytest.fixture
def game(table, owner):
    """Return a game of two records, with the source of a hand, and an entry of the ledger."""
    game = start(table, owner, stake=100)
    services.record(game, a_round("caro", ana=23, beto=47, dani=12), after=1, key=a_key(), by=owner)
    HandSource.objects.create(game=game, number=2, player="ana", brought_by=owner, is_changed=False)
    games.models.Entry.objects.create(
        table=table, number=1, kind="ended", night=date(2024, 5, 31), at=game.started_at, game=game,
        differences={}, before=[], after=[],
    )  # fmt: skip
    return game


def rows_of(guarded):
    """Return all rows of a guarded table, as they are stored."""
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT * FROM {guarded} ORDER BY id")
        return cursor.fetchall()


def guards():
    """Return the names of the triggers installed on the records and what belongs to them."""
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
    """Run one SQL statement without the models, in a savepoint of its own."""
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(sql, params)


# --- records are final ------------------------------------------------------------------------------------------------


def test_the_guards_stand_after_all_migrations():
    third = {"postgresql": "truncate", "sqlite": "replace"}[connection.vendor]

    assert guards() == {
        f"{guarded}_no_{event}" for guarded in GUARDED for event in ("update", "delete", third)
    }


def test_installing_the_guards_twice_changes_nothing():
    before = guards()
    install_record_guards(connection)

    assert before == guards()


@each_guarded
def test_the_database_refuses_to_change_a_record(game, guarded):
    before = rows_of(guarded)
    with pytest.raises(IntegrityError, match="a record is never changed"):
        execute(f"UPDATE {guarded} SET number = number + 7 WHERE game_id = %s", game.pk)
    assert [] != before == rows_of(guarded)


@each_guarded
def test_the_database_refuses_to_delete_a_record(game, guarded):
    before = rows_of(guarded)
    with pytest.raises(IntegrityError, match="a record is never"):
        execute(f"DELETE FROM {guarded} WHERE game_id = %s", game.pk)
    assert [] != before == rows_of(guarded)


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
    before = rows_of(guarded)
    if by_id:
        columns, values = f"id, {columns}", f"id, {values.replace('number', 'number + 7')}"
    with pytest.raises(IntegrityError, match="a record is never replaced"):
        execute(f"INSERT OR REPLACE INTO {guarded} ({columns}) SELECT {values} FROM {guarded}")
    assert [] != before == rows_of(guarded)


@pytest.mark.skipif("connection.vendor != 'postgresql'")
@each_guarded
def test_postgresql_refuses_to_empty_the_records(game, guarded):
    before = rows_of(guarded)
    connection.check_constraints()  # deferred constraints would otherwise fail first
    with pytest.raises(IntegrityError, match="a record is never"):
        execute(f"TRUNCATE {guarded} CASCADE")
    assert [] != before == rows_of(guarded)


@pytest.mark.parametrize(
    "change",
    [
        lambda row: row.save(),
        lambda row: row.delete(),
        lambda row: type(row).objects.filter(pk=row.pk).update(number=9),
        lambda row: type(row).objects.filter(pk=row.pk).delete(),
        lambda row: type(row).objects.bulk_update([row], ["number"]),
        lambda row: row.game.records.update(kind="x"),
        lambda row: row.game.records.all().delete(),
        lambda row: row.game.hand_sources.update(is_changed=True),
        lambda row: row.game.hand_sources.all().delete(),
    ],
    ids=[
        *("save", "delete", "update", "delete many", "bulk update"),
        *("update by game", "delete by game", "update sources by game", "delete sources by game"),
    ],
)
def test_the_models_refuse_to_change_or_delete_a_record(game, change):
    before = [rows_of(guarded) for guarded in GUARDED]
    for row in (game.records.get(number=2), game.hand_sources.get()):
        row.number = 9

        with pytest.raises(RecordIsFinal):
            change(row)
    assert before == [rows_of(guarded) for guarded in GUARDED]


def test_a_game_with_records_cannot_be_deleted(game):
    with pytest.raises(models.ProtectedError):
        game.delete()
    assert 2 == game.records.count()


def test_a_table_with_games_cannot_be_deleted(table, game):
    with pytest.raises(models.ProtectedError):
        table.delete()
    assert 1 == table.games.count()


def test_who_recorded_something_cannot_be_deleted(owner, game):
    with pytest.raises(models.ProtectedError):
        owner.delete()


# --- games ------------------------------------------------------------------------------------------------------------


def test_a_game_is_what_its_records_say(game):
    assert replay(game.log()) == game.state()
    assert [23, 47, 0, 12] == [player.total for player in game.state().players]


def test_a_state_takes_one_query(game, django_assert_num_queries):
    with django_assert_num_queries(1):
        game.state()


def test_the_batches_are_what_was_recorded_together(game, owner):
    correction = Corrected(2, a_round("caro", ana=24, beto=47, dani=12))
    services.record(game, correction, Struck(3), after=2, key=a_key(), by=owner)

    assert [(1,), (2,), (3, 4)] == Book.read(game).batches()
    assert [(1,), (2,)] == Book.read(game).batches(after=2)


def test_the_key_stands_on_the_first_record_of_a_batch_alone(game, owner):
    correction = Corrected(2, a_round("caro", ana=24, beto=47, dani=12))
    services.record(game, correction, Struck(3), after=2, key="both", by=owner)

    assert ["both", None] == list(game.records.filter(number__gt=2).values_list("key", flat=True))


# --- what the database checks -----------------------------------------------------------------------------------------


def test_codes_are_long_enough_not_to_be_guessed():
    assert 2**50 < len(ALPHABET) ** CODE_LENGTH
    assert 100 == len({new_code() for _ in range(100)})


def invite(table, user, *, role="witness", token_hash="2", expires_at=None):
    return table.invites.create(
        role=role, token_hash=token_hash, made_by=user, expires_at=expires_at or now() + timedelta(days=1)
    )


@pytest.mark.parametrize(
    "wrong",
    [
        lambda table, user: table.members.create(slug="ana", name="Otra Ana", colour=1),
        lambda table, user: table.members.create(slug="nobody", name="Nadie", colour=1),
        lambda table, user: table.members.create(slug="eva", name="", colour=1),
        lambda table, user: table.members.create(slug="eva", name="Eva", colour=9),
        lambda table, user: table.seasons.create(name="Otra", starts_on=table.seasons.get().starts_on),
        lambda table, user: Table.objects.create(name="Otra", language="en", timezone="UTC", decimals=4),
        lambda table, user: Table.objects.create(name="", language="en", timezone="UTC"),
        lambda table, user: Grant.objects.create(user=user, table=table, role="witness"),
        lambda table, user: Grant.objects.create(user=make_user("eva"), table=table, role="king"),
        lambda table, user: invite(table, user, role="king"),
        lambda table, user: invite(table, user, token_hash="1"),
        lambda table, user: invite(table, user, expires_at=now() - timedelta(days=1)),
        lambda table, user: table.invites.filter(token_hash="1").update(used_by=user),
        lambda table, user: table.invites.update(is_spare=True, role="owner", member=table.members.first()),
        lambda table, user: SignInLink.objects.create(
            user=user, token_hash="1", expires_at="2026-01-01T00:00Z"
        ),
        lambda table, user: [
            SignInLink.objects.create(user=user, token_hash=token, expires_at=now() + timedelta(hours=1))
            for token in "12"
        ],
    ],
    ids=[
        "a second ana",
        "nobody",
        "no name",
        "a ninth colour",
        "a second season with the same first night",
        "four decimals",
        "a table without a name",
        "two roles for one user",
        "an unknown role",
        "an invitation to be king",
        "two invitations with one token",
        "an invitation that ended before it was made",
        "a new phone of nobody's that was used",
        "a spare link for a member",
        "a sign-in link that ended before it was made",
        "two sign-in links for one lost password",
    ],
)
def test_the_database_refuses_what_makes_no_sense(table, owner, game, wrong):
    invite(table, owner, token_hash="1")

    with pytest.raises(IntegrityError), transaction.atomic():
        wrong(table, owner)


@pytest.mark.parametrize("taken", ["number", "key"])
def test_a_number_and_a_key_are_used_once_a_game(game, owner, taken):
    first = game.records.get(number=1)
    again = Record(
        game=game, number=3, kind="x", data={}, key="new", recorded_at=first.recorded_at, recorded_by=owner
    )
    setattr(again, taken, getattr(first, taken))

    with pytest.raises(IntegrityError), transaction.atomic():
        again.save()


@pytest.mark.parametrize("change", ["retired", "merged"])
def test_active_members_are_those_who_may_sit_down(table, change):
    ana, dani = table.members.get(slug="ana"), table.members.get(slug="dani")
    if change == "retired":
        dani.retired_at = now()
    else:
        dani.merged_into = ana
    dani.save()

    assert ["ana", "beto", "caro"] == [member.slug for member in table.members.active()]


def test_a_grant_stands_until_its_end(table, owner):
    for name, ends in (("eva", now() + timedelta(minutes=1)), ("lola", now() - timedelta(minutes=1))):
        Grant.objects.create(user=make_user(name), table=table, role="witness", expires_at=ends)

    assert {"ana", "eva"} == {grant.user.username for grant in table.grants.standing()}
    assert [table] == [grant.table for grant in owner.grants.standing()]


def test_an_invitation_stands_until_it_ends_or_is_revoked(table, owner):
    open_still = invite(table, owner, token_hash="open")
    invite(table, owner, token_hash="revoked")
    table.invites.filter(token_hash="revoked").update(revoked_at=now())
    past = now() - timedelta(minutes=1)
    table.invites.create(
        role="witness",
        token_hash="past",
        made_by=owner,
        made_at=past - timedelta(days=1),
        expires_at=past,
    )

    assert [open_still] == list(table.invites.standing())


def test_everything_prints_as_people_call_it(table, game, owner):
    services.record(game, Struck(2), GameStopped(Stop.SPLIT_POT), after=2, key=a_key(), by=owner)

    assert "Mesa de los jueves" == str(table)
    assert "Ana" == str(Member.objects.get(slug="ana"))
    assert str(Season.objects.get().starts_on.year) == str(Season.objects.get())
    assert f"loba_menos {game.code}" == str(Game.objects.get())
    assert "3 struck" == str(Record.objects.get(number=3))
    assert {"Ana: 1", "Beto: 1", "Caro: 1", "Dani: 1"} == {str(result) for result in Result.objects.all()}
    assert "ana: owner" == str(Grant.objects.get())
    assert "Mesa de los jueves: witness" == str(invite(table, owner))


def test_models_stand_on_the_rules_alone():
    sources = Path(games.models.__file__).parent.glob("*.py")
    trees = [ast.parse(source.read_text(encoding="utf-8")) for source in sources]
    imported = {
        node.module or "" for tree in trees for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)
    }

    assert {"games.models", "games.scoring"} == {
        ".".join(name.split(".")[:2]) for name in imported if name.startswith("games.")
    }
