"""Importing Splitwise files: one of five friends, and one of another group."""

from __future__ import annotations

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse

from games.models import Method
from games.money.balances import balances_of
from tests.reader import Walker, read_page

pytestmark = pytest.mark.django_db

FIVE = """Date,Description,Category,Cost,Currency,Ana Ruiz,Beto,Caro,Dani,Tío Raúl

2026-03-07,Asado,Dining out,10000.00,ARS,8000.00,-2000.00,-2000.00,-2000.00,-2000.00
2026-03-08,"Cartas, dos mazos",Games,100.01,ARS,0.00,66.67,0.00,-33.34,-33.33
2026-03-09,Beto paid Ana,Payment,500.00,ARS,-500.00,500.00,0.00,0.00,0.00

2026-03-20,Total balance, , ,ARS,7500.00,-1433.33,-2000.00,-2033.34,-2033.33
"""
SEVERAL = FIVE.replace("500.00,ARS", "500.00,USD")
OTHERS = FIVE.replace("Ana Ruiz,Beto,Caro,Dani,Tío Raúl", "Zoe,Luz,Max,Leo,Fito")


def address(table):
    return reverse("splitwise", args=[table.code])


def rows_of(page):
    """Return the name, the amount and the direction of each row."""
    return [
        (
            row.only("legend").text,
            *(
                field.attrs["value"]
                for field in row.every("input")
                if field.attrs["name"].startswith("amount")
            ),
            *(option.text for option in row.every("option", selected="")),
        )
        for row in page.every("fieldset")
    ]


def test_an_organizer_imports_the_balances_of_five_friends(ana, table):
    walker = Walker(ana)
    walker.open(reverse("export-table", args=[table.code]))
    walker.follow("Import a Splitwise group Balances from its file")
    page = walker.press("Preview first", text=FIVE)

    assert [
        ("Ana Ruiz", "7500", "Ana", "is owed this amount"),
        ("Beto", "1433", "owes this amount"),
        ("Caro", "2000", "owes this amount"),
        ("Dani", "2034", "owes this amount"),
        ("Tío Raúl", "2033", "owes this amount"),
    ] == rows_of(page)
    assert [
        "3 rows of Splitwise, in ARS. Nothing is saved yet.",
        "Its last row, the total balance, agrees.",
        "This table's smallest coin is $ 1: each amount is rounded by less than that.",
    ] == [item.text for item in page.only("ul", class_="said").every("li")]
    assert (0, 4) == (table.payments.count(), table.members.count())
    walker.press("Save")
    expected = {"ana": 7500, "beto": -1433, "caro": -2000, "dani": -2034, "tio_raul": -2033}
    assert expected == balances_of(table)
    assert {Method.OPENING} == set(table.payments.values_list("method", flat=True))


def test_a_table_with_decimals_gets_every_cent(ana, table):
    table.decimals = 2
    table.save(update_fields=["decimals"])
    walker = Walker(ana)
    walker.open(address(table))
    page = walker.press("Preview first", text=FIVE)
    assert ("Beto", "1433.33", "owes this amount") in rows_of(page)
    walker.press("Save")

    assert -143_333 == balances_of(table)["beto"]


def test_a_suggested_member_can_be_replaced(ana, table):
    walker = Walker(ana)
    walker.open(address(table))
    walker.press("Preview first", text=FIVE)
    walker.press("Save", who_1="", name_1="Anita", who_5="ana")

    assert {"anita": 7500, "ana": -2033} == {
        slug: balance for slug, balance in balances_of(table).items() if slug in ("ana", "anita")
    }


def test_two_people_assigned_to_one_member_are_refused(ana, table):
    walker = Walker(ana)
    walker.open(address(table))
    walker.press("Preview first", text=FIVE)
    page = walker.press("Save", who_5="beto")

    assert (422, ["A person is named twice."]) == (walker.status, page.alerts)
    assert "beto" == page.typed("who-5")
    assert not table.payments.exists()


def test_an_invalid_file_is_refused_with_a_reason_and_the_text_is_kept(subtests, ana, table):
    for text, messages in [
        (
            OTHERS,
            ["Nobody in this file is at this table, so it belongs to another group. Nothing was imported."],
        ),
        (
            FIVE.replace("7500.00,-1433.33", "7600.00,-1533.33"),
            [
                "Line 7: The total of Ana Ruiz says 7600.00, but the rows above add up to 7500.00: is a row missing?",
                "Line 7: The total of Beto says -1533.33, but the rows above add up to -1433.33: is a row missing?",
            ],
        ),
        ("  ", ["Choose a file, or paste the notebook."]),
    ]:
        with subtests.test(messages=messages):
            response = ana.post(address(table), {"text": text})
            page = read_page(response)

            assert (422, messages) == (response.status_code, page.alerts)
            assert messages[0] in page.said_at("text")
            assert text.split() == page.only("textarea").text.split()
            assert (0, 4) == (table.payments.count(), table.members.count())


def test_an_invalid_row_of_the_preview_is_refused_at_its_field(subtests, ana, table):
    for written, amount, message in [
        ('"Zoe ""la jefa"""', "10", "Write it without double quotes."),
        ("Zoe", "9" * 30, "Write an amount, such as $ 1,500."),
    ]:
        with subtests.test(written=written):
            head = f"Date,Description,Category,Cost,Currency,Ana,{written}"
            text = f"{head}\n2026-03-07,Asado,,{amount}.00,ARS,-{amount}.00,{amount}.00\n"
            response = ana.post(address(table), {"text": text})
            page = read_page(response)

            assert (422, message) == (response.status_code, page.said_at("amount-2"))
            assert ["1 row of Splitwise, in ARS. Nothing is saved yet."] == [
                item.text for item in page.only("ul", class_="said").every("li")
            ][:1]
            assert amount == page.typed("amount-2")
            assert "Zo" == page.typed("name-2")[:2]


def test_a_file_takes_precedence_over_the_text_and_a_missing_total_is_reported(ana, table):
    text = FIVE.replace("Total balance", "Nothing").rpartition("2026-03-20")[0]
    file = SimpleUploadedFile("grupo.csv", text.encode("cp1252"))
    page = read_page(ana.post(address(table), {"file": file, "text": OTHERS}))

    assert "The file has no row with the total balance: its end may be missing." in page.text
    assert "Tío Raúl" in [row[0] for row in rows_of(page)]


def test_cents_lost_by_rounding_are_reported(ana, table):
    text = "Date,Description,Category,Cost,Currency,Ana,Beto,Caro\n2026-03-07,Pizza,,10.00,ARS,6.67,-3.33,-3.33\n"
    page = read_page(ana.post(address(table), {"text": text}))

    message = "Rounded cents leave a difference of 0.01, which goes to the largest balances."
    assert message in [item.text for item in page.only("ul", class_="said").every("li")]
