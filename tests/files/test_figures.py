"""Dates and numbers of old notebooks, parsed as their writers meant them."""

from __future__ import annotations

from datetime import date

import pytest

from games.files.figures import is_absent, read_day, read_figure


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("31/05/2024", date(2024, 5, 31)),
        ("01-02-2024", date(2024, 2, 1)),
        ("2024-05-31", date(2024, 5, 31)),
        (" 2024-05-31T21:30:00 ", date(2024, 5, 31)),
        ("31/5/2024 21:30", date(2024, 5, 31)),
        ("Jueves, 30/5/2024", date(2024, 5, 30)),
        ("31/13/2024", None),
        ("hoy", None),
        ("", None),
        ("1234567", None),
    ],
)
def test_a_date_is_parsed_in_every_common_notation_and_else_is_none(text, day):
    assert day == read_day(text)


def test_a_date_with_the_month_first_is_parsed_in_that_order_unless_the_year_comes_first():
    days = [
        read_day(text, is_month_first=True) for text in ("1/2/24", "Fri 5/31/2024", "31/5/2024", "2024-05-31")
    ]
    assert [date(2024, 1, 2), date(2024, 5, 31), None, date(2024, 5, 31)] == days


@pytest.mark.parametrize(
    ("text", "decimals", "number"),
    [
        ("23", 0, 23),
        ("−4", 0, -4),
        ("4-", 0, -4),
        ("(300)", 0, -300),
        ("$ 1.000", 0, 1000),
        ("$ -1.000", 0, -1000),
        ("1,000", 0, 1000),
        ("1'000'000", 0, 1_000_000),
        ("300 fichas", 0, 300),
        ("2º", 0, 2),
        ("2.", 0, 2),
        ("12,5", 2, 1250),
        ("1.234,50", 2, 123450),
        ("1,234.50", 2, 123450),
        ("1.234", 2, 123400),
        (".50", 2, 50),
        ("$ ,50", 2, 50),
        ("(€.50)", 2, -50),
        ("Gs.50", 2, 5000),
        (",5", 0, None),
        ("1.234", 3, 1_234_000),
        ("1.234,567", 3, 1_234_567),
        ("12,5", 0, None),
        ("12,5055", 2, None),
        ("1.23.4", 0, None),
        ("1,2,3", 0, None),
        ("-3-", 0, None),
        ("", 0, None),
        ("12:30", 0, None),
        ("9" * 5000, 0, None),
        ("$" * 100_000 + "1" + "." * 100_000 + "x1", 0, None),
    ],
    ids=lambda value: str(value)[:20],
)
def test_a_number_is_parsed_in_every_common_notation_and_else_is_none(text, decimals, number):
    assert number == read_figure(text, decimals)


@pytest.mark.parametrize("text", ["", " ", "-", "—", "x", "X", "no", "n/a", "Ausente", "."])
def test_an_empty_cell_a_dash_or_a_word_for_absent_counts_as_absent(text):
    assert is_absent(text)


@pytest.mark.parametrize("text", ["0", "-1", "no sé", "xx", "3"])
def test_a_number_or_an_unknown_word_does_not_count_as_absent(text):
    assert not is_absent(text)
