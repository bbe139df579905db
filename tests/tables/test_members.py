"""A new table and its members, their names and colors, and the effects of changing them."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from games.common.event_store import EventLog
from games.models import Access, Member, Table
from games.tables.services import membership
from tests.factories import make_table, start

pytestmark = pytest.mark.django_db

THURSDAY = datetime(2026, 11, 20, 0, 30, tzinfo=UTC)  # 9:30 p.m. on the 19th in Buenos Aires


@pytest.fixture
def beto(table):
    return table.members.get(slug="beto")


def revision(table):
    return Table.objects.get(pk=table.pk).revision


# --- a new table and its people ---------------------------------------------------------------------------------------


def test_a_new_table_has_an_open_season_and_an_owner(owner, time_machine):
    time_machine.move_to(THURSDAY)
    table = make_table(owner)

    season = table.seasons.get()
    assert ("2026", "2026-11-19") == (season.name, str(season.starts_on))
    assert [(owner, "owner", None)] == [
        (access.user, access.role, access.until) for access in Access.objects.filter(table=table)
    ]


def test_a_member_gets_an_id_from_their_name(rollback_subtest, table):
    for name, slug in [
        ("  Ñata   Gómez ", "nata_gomez"),
        ("Ana María", "ana_maria"),
        ("7 de Oros", "p7_de_oros"),
        ("李明", "player"),
        ("Zé-Luís!", "ze_luis"),
        ("👩‍👧", "player"),
    ]:
        with rollback_subtest(name):
            assert slug == membership.add(table, name).slug


# --- changed ----------------------------------------------------------------------------------------------------------


def test_a_renamed_member_keeps_their_id_and_every_record(table, owner, beto):
    game = start(table, owner)
    written = EventLog.load(game)
    membership.update(beto, name="Alberto", colour=7)

    assert ("beto", "Alberto", 7) == Member.objects.values_list("slug", "name", "colour").get(pk=beto.pk)
    assert written == EventLog.load(game)


def test_the_old_name_of_a_renamed_member_is_free_but_their_id_is_not(table, beto):
    membership.update(beto, name="Alberto", colour=2)

    assert "beto_2" == membership.add(table, "Beto").slug


def test_only_a_real_change_of_a_name_or_colour_raises_the_tables_revision(table, beto):
    before = revision(table)
    membership.update(beto, name="Beto", colour=beto.colour)
    assert before == revision(table)
    membership.update(beto, name="Beto", colour=8)
    assert before + 1 == revision(table)
