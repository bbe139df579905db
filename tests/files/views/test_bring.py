"""Creating a table without a game, to import a notebook or balances."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User
from django.urls import reverse

from games.models import MOST_ACTIVE, Access, Game, Role, Table
from games.tables.services import setup
from tests.factories import new_key
from tests.reader import Walker, read_page

pytestmark = pytest.mark.django_db

ADDRESS = "/bring/"


def payload(**changes):
    """Return the form's fields for a table of Ana and Beto that imports nothing."""
    usual = {
        "key": new_key(), "people": "Ana\nBeto", "table-name": "", "unit": "$", "decimals": "0", "what": "nothing",
    }  # fmt: skip
    return {**usual, **changes}


def test_an_organizer_opens_a_table_and_continues_with_starting_balances(nobody):
    walker = Walker(nobody)
    walker.open("/")
    walker.follow("Import earlier games")
    data = {"what": "balances", "people": "Ana\nBeto", "decimals": "2", "table-name": "Los jueves"}
    walker.send("Create the table", data)
    table = Table.objects.get()
    assert reverse("opening-balances", args=[table.code]) == walker.address

    assert ("Los jueves", "$", 2) == (table.name, table.unit, table.decimals)
    assert not Game.objects.exists()
    access = Access.objects.get()
    assert (Role.OWNER, False) == (access.role, access.user.has_usable_password())


@pytest.mark.parametrize(
    ("what", "page"),
    [
        ("notebook", "import-nights"),
        ("balances", "opening-balances"),
        ("nothing", "lobby"),
        ("", "lobby"),
    ],
)
def test_each_choice_redirects_to_its_import_page(ana, what, page):
    response = ana.post(ADDRESS, payload(what=what, people="Ana, Beto; Caro\n\nDani"))
    table = Table.objects.get()

    assert (302, reverse(page, args=[table.code])) == (response.status_code, response.url)
    assert ["Ana", "Beto", "Caro", "Dani"] == list(table.members.values_list("name", flat=True))
    assert "Ana, Beto, Caro, Dani" == table.name


def test_an_invalid_field_is_refused_and_the_typed_values_are_kept(subtests, nobody):
    for changes, field, message in [
        (
            {"people": "Ana\nana"},
            "people",
            "This table already has a member called Ana. Choose another name.",
        ),
        ({"people": "x" * 21}, "people", "At most 20 characters fit here."),
        (
            {"people": "\n".join(f"N{number}" for number in range(MOST_ACTIVE + 1))},
            "people",
            f"At most {MOST_ACTIVE} people can play at a table.",
        ),
        ({"table-name": "x" * 61}, "table-name", "At most 60 characters fit here."),
        ({"unit": ""}, "unit", "Enter a name."),
    ]:
        with subtests.test(changes=changes):
            data = payload(**changes)
            response = nobody.post(ADDRESS, data)
            page = read_page(response)

            assert (422, message) == (response.status_code, page.said_at(field))
            assert (data["people"].split(), data["table-name"]) == (
                page.typed("people").split(),
                page.typed("table-name"),
            )
            assert (0, 0) == (Table.objects.count(), User.objects.count())


def test_a_repeated_form_opens_one_table_and_other_people_under_its_key_are_refused(ana):
    data = payload()
    assert [302, 302] == [ana.post(ADDRESS, data).status_code for _time in range(2)]
    changes = {"people": "Ana\nZoe", "table-name": "Ana, Beto"}
    response = ana.post(ADDRESS, {**data, **changes})
    page, table = read_page(response), Table.objects.get()

    assert (409, ["This form already created a table, before your last change."]) == (
        response.status_code,
        page.alerts,
    )
    assert reverse("lobby", args=[table.code]) == page.link("Ana, Beto")
    again = ana.post(ADDRESS, page.only("form", class_="sheetform").fields)
    assert (409, 1, 2) == (again.status_code, Table.objects.count(), table.members.count())


def test_the_number_of_tables_opened_in_a_day_is_limited(ana, monkeypatch):
    monkeypatch.setattr(setup, "TABLES_A_DAY", 1)
    ana.post(ADDRESS, payload())
    page = read_page(ana.post(ADDRESS, payload()))

    assert "At most 1 tables can be created in a day." == page.said_at("table-name")
