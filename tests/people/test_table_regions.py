"""The region of a table: a change of it, and the table's file."""

from __future__ import annotations

import json

import pytest

from games.models import Table
from games.notebook.books.audit import check_table
from games.notebook.fields import Unreadable
from games.notebook.reading import read_table
from games.notebook.restoring import restore_table
from games.notebook.writing import write_table
from games.people.regions import change_region
from games.scoring.errors import RuleError
from tests.tables import a_key, make_table, make_user

pytestmark = pytest.mark.django_db


@pytest.fixture
def owner():
    return make_user("Ana")


@pytest.fixture
def table(owner):
    return make_table(owner)


def test_a_change_of_region_takes_effect_at_once_and_is_in_the_change_feed(table):
    before = Table.objects.get()
    change_region(table, "es-MX")

    now = Table.objects.get()
    assert ("", "es-MX") == (before.region, now.region)
    assert before.revision + 1 == now.revision
    assert before.version + 1 == now.version
    assert [] == check_table(table).differences


def test_the_same_region_again_changes_nothing(table):
    change_region(table, "es-MX")
    before = Table.objects.values().get()
    change_region(table, "es-MX")

    assert before == Table.objects.values().get()


def test_an_unknown_region_is_refused(table):
    with pytest.raises(RuleError, match="The region “xx-XX” is not available"):
        change_region(table, "xx-XX")


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
