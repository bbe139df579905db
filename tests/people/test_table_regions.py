"""The region of a table: a change of it, the audit trail, the table's file, a table carried over, and a phone's copy."""

from __future__ import annotations

import json
from fractions import Fraction

import pytest

from games.models import Change, Table, TrailEntry
from games.notebook.books.audit import check_table
from games.notebook.carrying import NewTable, carry_over, preview_carry_over
from games.notebook.fields import Unreadable
from games.notebook.reading import read_table
from games.notebook.restoring import restore_table
from games.notebook.writing import write_table
from games.people.regions import change_region
from games.people.tables import open_table
from games.pocket.columns import COLUMNS
from games.scoring.errors import RuleError
from tests.tables import a_key, make_table, make_user
from tests.test_chain import execute, past_the_guards

pytestmark = pytest.mark.django_db


@pytest.fixture
def owner():
    return make_user("Ana")


@pytest.fixture
def table(owner):
    return make_table(owner)


def test_a_change_of_region_takes_effect_at_once_and_is_in_the_change_feed_and_the_audit_trail(table):
    before = Table.objects.get()
    change_region(table, "es-MX")

    now = Table.objects.get()
    assert ("", "es-MX") == (before.region, now.region)
    assert before.revision + 1 == now.revision
    assert "table_changed" == Change.objects.latest("pk").what
    assert {f"table {table.pk}": [table.timezone, "es-MX"]} == json.loads(newest().data)
    assert [] == check_table(table).differences


def newest():
    return TrailEntry.objects.latest("pk")


def test_the_same_region_again_changes_nothing(table):
    change_region(table, "es-MX")
    before = Table.objects.values().get()
    change_region(table, "es-MX")

    assert before == Table.objects.values().get()


def test_an_unknown_region_is_refused(table):
    with pytest.raises(RuleError, match="The region “xx-XX” is not available"):
        change_region(table, "xx-XX")


def test_a_table_without_a_region_has_no_audit_trail_entry_for_it(table):
    assert not [entry for entry in TrailEntry.objects.all() if f"table {table.pk}" in entry.data]


def test_a_new_table_with_a_region_has_an_audit_trail_entry_for_it(owner):
    table = open_table(
        owner, "Mesa", unit="₡", decimals=0, language="es", timezone="UTC", region="es-CR", key=a_key()
    )

    assert [] == check_table(table).differences
    assert f'"table {table.pk}"' in TrailEntry.objects.filter(table=table).earliest("pk").data


def test_the_audit_reports_a_region_altered_in_the_database(table):
    change_region(table, "es-MX")
    with past_the_guards():
        execute("UPDATE games_table SET region = 'es-AR'")

    assert any(f"table {table.pk}" in str(difference) for difference in check_table(table).differences)


@pytest.mark.parametrize("region", ["es-CL", ""])
def test_the_region_survives_export_and_import(table, owner, region):
    change_region(table, region)
    text = "".join(write_table(table))
    copy = restore_table(read_table(text.encode()), key=a_key(), by=owner, again=True)

    assert bool(region) == (
        "region" in json.loads(text)["table"]
    )  # files of tables without a region do not change
    assert region == copy.region
    assert [] == check_table(copy).differences


def test_a_file_with_an_unknown_region_is_refused(table):
    value = json.loads("".join(write_table(table)))
    value["table"]["region"] = "xx-XX"

    with pytest.raises((Unreadable, RuleError), match="The region “xx-XX” is not available"):
        read_table(json.dumps(value).encode())


def test_a_table_carried_over_keeps_its_region(table, owner):
    change_region(table, "es-PY")
    wanted = NewTable("En guaraníes", "Gs.", 0, Fraction(1))
    seen = preview_carry_over(table, wanted).seen
    copy = carry_over(table, wanted, seen=seen, key=a_key(), by=owner)

    assert "es-PY" == copy.region


def test_a_phones_copy_includes_the_region():
    assert "region" in COLUMNS[Table]
