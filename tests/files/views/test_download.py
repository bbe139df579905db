"""A table's downloads: the whole table, spreadsheets."""

from __future__ import annotations

import csv
import json
import re
from datetime import UTC, datetime, timedelta
from unicodedata import category, normalize

import pytest
from django.urls import reverse
from hypothesis import given
from hypothesis import strategies as st

from games.files.presenters import spreadsheets
from games.files.services import file_writer
from games.models import Method, Role
from games.money.services import payments
from games.play.services import recording
from tests.examples import examples
from tests.factories import make_table, make_user, new_key

pytestmark = pytest.mark.django_db


def fetch(client, table, what):
    response = client.get(reverse("download", args=[table.code, what]))
    assert 200 == response.status_code
    return response, response.content.decode()


def csv_rows(client, table, what, *, separator=","):
    response, text = fetch(client, table, what)
    assert "text/csv; charset=utf-8" == response["Content-Type"]
    assert f'attachment; filename="mesa-de-los-jueves-{what}.csv"' == response["Content-Disposition"]
    assert text.startswith("\ufeff")
    return list(csv.DictReader(text.removeprefix("\ufeff").splitlines(), delimiter=separator))


def test_the_download_of_a_table_is_its_file(ana, table, finished):
    response, text = fetch(ana, table, "table")
    assert "application/json" == response["Content-Type"]
    assert 'attachment; filename="mesa-de-los-jueves.json"' == response["Content-Disposition"]
    assert file_writer.write_table(table) == text
    assert "anotador-table" == json.loads(text)["format"]


def test_the_results_have_one_row_per_player_and_none_of_a_discarded_game(ana, table, finished):
    rows = csv_rows(ana, table, "results")
    assert [("Ana", "1", "400"), ("Beto", "3", "-200"), ("Caro", "4", "-100"), ("Dani", "2", "-100")] == [
        (row["Player"], row["Place"], row["Money"]) for row in rows
    ]
    assert {"Loba de Menos"} == {row["Card game"] for row in rows}
    assert ["0", "140", "110", "110"] == [row["Points"] for row in rows]

    recording.discard_game(finished)
    assert [] == csv_rows(ana, table, "results")


def test_the_payments_are_listed_with_their_state(ana, owner, table):
    first, other, *_others = table.members.all()
    payments.create(table, first, other, 30, method=Method.TRANSFER, key=new_key(), by=owner, note="por ayer")
    payments.void(
        payments.create(table, other, first, 50, method=Method.CASH, key=new_key(), by=owner), by=owner
    )
    cells = [
        [row[name] for name in ("Who paid", "To whom", "Amount", "How", "Note", "State")]
        for row in csv_rows(ana, table, "payments")
    ]
    assert [
        ["Ana", "Beto", "30", "transfer", "por ayer", ""],
        ["Beto", "Ana", "50", "cash", "", "voided"],
    ] == cells


def test_what_was_forgiven_is_no_payment_and_no_payment_taken_back(ana, owner, table):
    first, other, *_others = table.members.all()
    forgiven = payments.create(
        table, first, other, 30, method=Method.FORGIVEN, key=new_key(), by=owner, role=Role.OWNER
    )
    payments.void(forgiven, by=owner)

    assert [
        *(("Forgiven", "Ana", "30"), ("Forgiven", "Beto", "-30")),
        *(("Forgiven, voided", "Ana", "-30"), ("Forgiven, voided", "Beto", "30")),
    ] == [(row["What"], row["Person"], row["Amount"]) for row in csv_rows(ana, table, "entries")]


def test_the_file_of_entries_says_who_recorded_each_and_when_it_was_voided(
    ana, owner, table, members_by_slug, confirm_as, time_machine
):
    confirm_as(owner, "ana")
    friend = confirm_as(make_user("beto"), "beto")
    monday = datetime(2026, 3, 2, 23, tzinfo=UTC)
    time_machine.move_to(monday)
    first, other = members_by_slug["ana"], members_by_slug["beto"]
    table.created_at = monday
    table.save()
    payment = payments.create(table, first, other, 50, key=new_key(), by=friend)
    time_machine.move_to(monday + timedelta(days=7))
    payments.void(payment, by=owner, role=Role.OWNER, reason="era de otra mesa")

    assert [
        ("Payment", "2026-03-02", "2026-03-02", "Beto"),
        ("Payment voided", "2026-03-02", "2026-03-09", "Ana"),
    ] == [
        (row["What"], row["Date"], row["Recorded"], row["Who"])
        for row in csv_rows(ana, table, "entries")
        if row["Person"] == "Ana"
    ]


def test_a_spanish_spreadsheet_has_a_spanish_name_semicolons_and_decimal_commas(client_for, owner, table):
    type(table).objects.update(decimals=2)
    first, other, *_others = table.members.all()
    payments.create(table, first, other, 3050, method=Method.CASH, key=new_key(), by=owner)
    table.refresh_from_db()
    response, text = fetch(client_for(owner, language="es-AR"), table, "payments")
    assert 'attachment; filename="mesa-de-los-jueves-pagos.csv"' == response["Content-Disposition"]
    assert ';"30,50";' in text


@pytest.mark.parametrize(
    ("name", "cell"),
    [
        *((name, f"'{name}") for name in ("=HYPERLINK(1)", "=1", "+1", "@x", "-2", "\u22122")),
        *(
            (name, f"'{name}")
            for name in ("\uff1d1+1", "\uff20x", "\uff0b1", "\uff0d1", "\ufe66x", "\u207c1")
        ),
        *(("a;=1+1", "a;'=1+1"), ("a,@x", "a,'@x"), ("a| +1", "a|' +1")),
    ],
)
def test_a_name_that_begins_like_a_formula_anywhere_in_a_row_is_escaped(client_for, name, cell):
    owner = make_user()
    table = make_table(owner, people=(name, "Beto"))
    first, other = table.members.all()
    payments.create(table, first, other, 30, method=Method.CASH, key=new_key(), by=owner)

    phone = client_for(owner)
    api = phone.get(f"/api/v1/tables/{table.code}/spreadsheets/entries/")
    _headings, row, *_rows = csv.reader(api.content.decode().splitlines())
    assert [cell] * 3 == [
        csv_rows(phone, table, "payments")[0]["Who paid"],
        csv_rows(phone, table, "entries")[0]["Person"],
        row[7],
    ]


# Every sign in every form that Unicode has of it, and every character that nobody sees.
SIGNS = [letter for letter in map(chr, range(0x110000)) if normalize("NFKC", letter)[:1] in [*"=+-@\u2212"]]
BLANKS = [
    letter
    for letter in map(chr, range(0x110000))
    if letter.isspace() or category(letter) in ("Cc", "Cf", "Zs", "Zl", "Zp")
]
WORDS = ("Ana", "1", "'", '"', "(", *",;|\t\r\n")
PIECES = st.sampled_from(SIGNS) | st.sampled_from(WORDS) | st.sampled_from(BLANKS)


@examples(2000)
@given(st.lists(PIECES, max_size=12).map("".join))
def test_no_part_of_a_cell_begins_like_a_formula_whatever_separates_them(text):
    cell = spreadsheets.escape_formulas(text)

    for separators in (",", ";", "|", "\t", "\r\n", ",;|\t\r\n"):
        for part in re.split(f"[{separators}]", cell):
            assert part.strip("".join(BLANKS))[:1] not in SIGNS
    assert not cell.startswith(("\t", "\r", "\n"))
    assert text.replace("'", "") == cell.replace("'", "")


@examples(500)
@given(st.text(st.characters(exclude_characters=[*SIGNS, "\t", "\r", "\n"])))
def test_a_cell_without_a_sign_is_written_as_it_is(text):
    assert text == spreadsheets.escape_formulas(text)


def test_every_cell_is_quoted_and_a_loss_stays_a_number(ana, table, finished):
    text = fetch(ana, table, "results")[1].removeprefix("\ufeff")
    assert [] == [line for line in text.splitlines() if not re.fullmatch(r'("[^"]*",)*"[^"]*"', line)]
    assert '"-100"' in text


def test_the_file_of_a_table_without_latin_letters_is_named_by_its_code(client_for):
    owner = make_user()
    table = make_table(owner, name="🃏")
    response, _text = fetch(client_for(owner), table, "table")
    assert f'attachment; filename="{table.code}.json"' == response["Content-Disposition"]
