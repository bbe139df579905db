"""Erasing a table: inaccessible at once, restorable for seven days, then deleted; other tables stay."""

from __future__ import annotations

import random
from datetime import timedelta
from functools import partial

import pytest
from django.apps import apps
from django.contrib.auth.models import User
from django.db import IntegrityError, connection, transaction
from django.db.backends.sqlite3.schema import DatabaseSchemaEditor
from django.db.models import Model
from django.utils.timezone import now

from games.models import Game, HandSource, PenRequest, Record, Role, Table, Vouch
from games.play.services import hand_flags, hand_offers, recording
from games.play.services.hand_offers import SubmittedHand
from games.play.services.snapshots import Snapshot
from games.scoring.events import GameStarted, Player
from games.tables.services import confirmations, erasure, guests, links, lobby, pens, setup, tokens
from games.tables.services.erasure import CannotRestore
from tests.factories import build_round, database_rows, grant_access, make_table, new_key, start
from tests.full_tables import FullTable, fill

pytestmark = [pytest.mark.django_db, pytest.mark.postgres]

LONG_AGO = timedelta(days=7, minutes=1)


def backdate_erasure(table, passed=LONG_AGO):
    Table.objects.filter(pk=table.pk).update(erased_at=now() - passed)


def add_guest(table, name, role, *, by):
    guest = guests.create()
    links.redeem_personal(links.create_personal(table, role=role, by=by)[0], guest, name=name)
    return guest


# --- erased, and restored ---------------------------------------------------------------------------------------------


def test_a_repeated_tap_does_not_restart_the_seven_days(table, owner):
    backdate_erasure(table, timedelta(days=3))
    table.refresh_from_db()
    assert table.erased_at == erasure.erase(table, name=table.name, by=owner).erased_at


@pytest.mark.database_clock
def test_after_seven_days_a_table_cannot_be_restored_although_nothing_is_deleted_yet(table, owner):
    backdate_erasure(table)
    with pytest.raises(CannotRestore):
        erasure.restore(table, by=owner)


# --- gone -------------------------------------------------------------------------------------------------------------


def whole_table(owner):
    """Create a table with rows of every kind. Some of its guests have no other table."""
    full = FullTable(random.Random(7), owner)
    table = fill(full, nights=2, games=2)
    beto, waldo = (
        add_guest(table, name, role, by=owner)
        for name, role in (("Beto", Role.OWNER), ("Waldo", Role.WITNESS))
    )
    lobby.revoke(table.accesses.get(user=waldo), by=beto)
    links.create_personal(table, role=Role.SCORER, by=beto)
    tokens.create(beto, "Planilla", table=table)
    nora = lobby.enter(
        table, guests.create(), until=links.get_or_create_tonight(table, by=owner).expires_at, name="Nora"
    )
    lobby.set_role(confirmations.confirm(nora, by=beto, member=None).accesses[0], Role.OWNER, by=beto)
    links.redeem_personal(
        links.create_personal(table, role=Role.WITNESS, member=nora.member, by=beto)[0], guests.create()
    )
    send_hand(table, owner)
    pens.store_pen(table.accesses.exclude(member=None)[0])
    member = table.members.order_by("pk")[0]
    PenRequest.objects.create(table=table, user=beto, member=member, until=now() + timedelta(hours=5))
    Vouch.objects.create(access=nora, user=beto)
    return table


def send_hand(table, owner):
    """Record a round with an offered hand, then offer another one."""
    people = list(table.members.filter(accesses=None, merged_into=None, retired_at=None)[:3])
    players = tuple(Player(member.slug, member.name) for member in people)
    game = recording.start_game(table, GameStarted("loba_menos", (), players), key=new_key(), by=owner)
    player, *others = (seat.id for seat in game.state().playing)
    phone = grant_access(guests.create(), table, face=people[0].slug).user
    offer = hand_offers.submit(game, SubmittedHand("", 1, "out"), by=phone)
    event = build_round(player, closing="out", **dict.fromkeys(others, 5))
    recording.record(game, event, after=1, key=new_key(), by=owner, offer_ids=[offer.pk])
    hand_offers.submit(game, SubmittedHand("5", 2), by=phone)
    hand_flags.toggle(game, Snapshot.load(game), 2, player, by=owner)


@pytest.mark.database_clock
def test_deleting_a_table_leaves_no_row_of_it_and_in_time_no_guest_without_another_table(owner):
    """Another table, and a guest with access to both, do not change."""
    other = make_table(owner, name="Otra")
    both = add_guest(other, "Caro", Role.WITNESS, by=owner)
    game = start(other, owner)
    before = database_rows()
    table = whole_table(owner)
    grant_access(both, table, Role.SCORER)
    unlike = {name for name, rows in database_rows().items() if rows != before[name]}
    assert {kind.__name__ for kind in erasure.OF_A_TABLE} <= unlike  # the table has rows of every kind
    backdate_erasure(table)
    User.objects.exclude(pk=owner.pk).update(date_joined=now() - timedelta(days=99))

    assert 1 == erasure.purge()
    assert {**before, "User": []} == {**database_rows(), "User": []}
    erasure.delete_inactive_guests()
    assert [both] == list(User.objects.filter(username__startswith=guests.USERNAME_PREFIX))
    assert 1 == game.records.count()
    connection.check_constraints()


def test_every_model_that_refers_to_a_table_is_listed_for_deletion():
    """A new model must be added to the lists of erasing, before the models it refers to."""
    count = 0
    leading: set[type[Model]] = {Table}
    while count < len(leading):
        count = len(leading)
        leading |= {
            model
            for model in apps.get_app_config("games").get_models()
            if leading & {field.related_model for field in model._meta.fields}
        }

    assert {"Table"} | {kind.__name__ for kind in erasure.OF_A_TABLE} == {kind.__name__ for kind in leading}


@pytest.mark.parametrize("passed", [None, timedelta(), timedelta(days=6, hours=23, minutes=59)])
def test_a_table_that_can_still_be_restored_is_not_deleted(table, owner, passed):
    start(table, owner)
    if passed is not None:
        backdate_erasure(table, passed)
    before = database_rows()
    assert (0, before) == (erasure.purge(), database_rows())


def execute(sql, *params):
    """Run one SQL statement without the models, in a savepoint."""
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(sql, params)


# --- database triggers ------------------------------------------------------------------------------------------------


@pytest.mark.database_clock
def test_the_triggers_allow_deleting_records_only_of_tables_erased_over_seven_days_ago(
    subtests, owner, monkeypatch
):
    """Tables are erased at many times, past and future, and each record is deleted by SQL if possible."""
    monkeypatch.setattr(setup, "TABLES_A_DAY", 20)
    chance = random.Random(11)
    week = timedelta(days=7).total_seconds()
    passed = [None, timedelta(), -timedelta(days=30), timedelta(days=7) - timedelta(seconds=20)]
    passed += [timedelta(seconds=chance.uniform(-week, week - 20)) for _time in range(8)]
    passed += [LONG_AGO, timedelta(seconds=week + chance.uniform(1, week))]
    for number, since in enumerate(passed):
        table = make_table(owner, people=("Ana", "Beto"), name=f"Mesa {number}")
        game = start(table, owner)
        HandSource.objects.create(game=game, number=2, player="ana", brought_by=owner, is_changed=False)
        if since is not None:
            backdate_erasure(table, since)
    for kind in (HandSource, Record):
        pks = list(kind._default_manager.order_by("pk").values_list("pk", flat=True))
        with subtests.test(kind.__name__):
            assert set(pks[-2:]) == set(filter(partial(can_delete, kind), pks))
            with pytest.raises(IntegrityError, match="a record is never"):
                execute(f"DELETE FROM {kind._meta.db_table}")
            assert len(pks) - 2 == kind._default_manager.count()


def can_delete(kind, pk):
    """Delete a row by SQL. Return whether the triggers allow it."""
    try:
        execute(f"DELETE FROM {kind._meta.db_table} WHERE id = %s", pk)
    except IntegrityError as refused:
        assert "a record is never" in str(refused)  # noqa: PT017
        return False
    return True


def test_the_triggers_refuse_to_change_a_record_of_an_erased_table(table, owner):
    game = start(table, owner)
    backdate_erasure(table)
    with pytest.raises(IntegrityError, match="a record is never changed"):
        execute("UPDATE games_record SET kind = 'x'")
    assert ["game_started"] == list(game.records.values_list("kind", flat=True))


@pytest.mark.skipif("connection.vendor != 'sqlite'")
def test_a_migration_can_rebuild_the_tables_that_a_trigger_refers_to(transactional_db, owner, table):
    """SQLite rebuilds a changed table: the old one is dropped before the new one gets its name."""
    start(table, owner)
    with connection.schema_editor() as editor:
        assert isinstance(editor, DatabaseSchemaEditor)
        for kind in (Table, Game):
            editor._remake_table(kind)  # type: ignore[attr-defined]
    with pytest.raises(IntegrityError, match="a record is never deleted"):
        execute("DELETE FROM games_record")
    backdate_erasure(table)
    assert (1, 0) == (erasure.purge(), Record.objects.count())
