"""Refusals of the forms about tables: the field, the words, and that nothing typed is lost.

`browser/test_refusals.py` has where any refusal stands on a phone; `money/views/test_refusals.py` has the refusals
about money.
"""

from __future__ import annotations

import pytest
from django.urls import reverse

from games.models import Access, Member, Table, Token
from games.tables.services import links
from tests.factories import make_table, make_user
from tests.reader import read_page

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("new_window")]

FORM_DATA = {
    "change-settings": {},
    "add-member": {},
    "member": {"name": "Beto", "colour": "5"},
    "erase-table": {},
    "invitation": {},
    "make-token": {"name": "reloj", "table": "all"},
}
SETTING_BY_FIELD = {"table-name": "name", "unit": "money", "decimals": "money", "timezone": "time-zone"} | {
    field: field for field in ("language", "region")
}
CHOICES = {"decimals", "language", "region", "timezone", "colour", "table"}
NAME_TAKEN = "This table already has a member called Caro. Choose another name."
NOT_ERASED = "Nothing was deleted. Type the name of the table: Mesa de los jueves"
REFUSAL_CASES = [
    ("change-settings", "table-name", " ", "Enter a name."),
    ("change-settings", "table-name", "x" * 61, "At most 60 characters fit here."),
    ("change-settings", "unit", "", "Enter a name."),
    ("change-settings", "decimals", "7", "Amounts may have 0 to 3 decimals."),
    ("change-settings", "decimals", "", "Amounts may have 0 to 3 decimals."),
    ("change-settings", "language", "xx", "The language “xx” is not available."),
    ("change-settings", "region", "xx-XX", "The region “xx-XX” is not available."),
    ("change-settings", "timezone", "Mars/Olympus", "The time zone “Mars/Olympus” doesn't exist."),
    ("change-settings", "timezone", "localtime", "The time zone “localtime” doesn't exist."),
    ("change-settings", "timezone", "", "The time zone “” doesn't exist."),
    ("add-member", "name", "caro", NAME_TAKEN),
    ("add-member", "name", "x" * 21, "At most 20 characters fit here."),
    ("add-member", "name", 'La "Flaca"', "Write it without double quotes."),
    ("member", "name", "", "Enter a name."),
    ("member", "name", "caro", NAME_TAKEN),
    ("member", "colour", "99", "Choose one of the colors."),
    *(
        ("erase-table", "erased-name", typed, NOT_ERASED)
        for typed in ("", "Mesa", "Mesa de los martes", "Mesa de los jueves 2", "a" * 1999)
    ),
    ("invitation", "name", " BÉTO", "Beto is already here: tap their face."),
    ("invitation", "name", "", "Choose a person, or type your name."),
    ("make-token", "name", " ", "Enter a name."),
    ("make-token", "name", "x" * 41, "At most 40 characters fit here."),
    ("make-token", "table", "zzzzzzzzzzz", "Choose a table, or all."),
    ("make-token", "table", "OTHER", "Choose a table, or all."),  # its existence must stay hidden
]


def stored_rows():
    return [list(kind.objects.order_by("pk").values()) for kind in (Table, Member, Access, Token)]


def test_a_wrong_field_is_refused_beside_it_and_all_that_was_typed_is_kept(subtests, ana, table, owner):
    parts = {
        "member": [table.code, "beto"],
        "invitation": [links.tonight_token(links.get_or_create_tonight(table, by=owner))],
        "make-token": [],
    }
    Table.objects.filter(pk=make_table(make_user("sara")).pk).update(code="OTHER")
    before = stored_rows()
    for name, field, value, sentence in REFUSAL_CASES:
        with subtests.test(form=name, field=field, value=value):
            data = {**FORM_DATA[name], field: value}
            place = parts.get(name, [table.code]) + (
                [SETTING_BY_FIELD[field]] if name == "change-settings" else []
            )
            response = ana.post(reverse(name, args=place), data)
            page = read_page(response)
            sections = [part for part in page.every("details") if part.every("input", name=field)]

            assert (422, sentence) == (response.status_code, page.said_at(field))
            assert {True} >= {"open" in part.attrs for part in sections}
            repeated_fields = data.keys() - ({field} & CHOICES)
            assert {part: data[part] for part in repeated_fields} == {
                part: page.typed(part) for part in repeated_fields
            }
            assert before == stored_rows()
