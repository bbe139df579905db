"""Dates and numbers of old notebooks, read as their writers meant them."""

from __future__ import annotations

from datetime import date

import pytest

from games.common.regions import formats_of
from games.files.figures import is_absent, read_day, read_figure
from games.models import Table


@pytest.mark.parametrize(
    ("region", "text", "day"),
    [
        ("es-AR", "31/05/2024", date(2024, 5, 31)),
        ("es-AR", "01-02-2024", date(2024, 2, 1)),
        ("es-AR", " 2024-05-31T21:30:00 ", date(2024, 5, 31)),
        ("es-AR", "31/5/2024 21:30", date(2024, 5, 31)),
        ("es-AR", "Jueves, 30/5/2024", date(2024, 5, 30)),
        ("es-AR", "31/13/2024", None),
        ("es-AR", "hoy", None),
        ("en-US", "1/2/24", date(2024, 1, 2)),
        ("en-US", "31/5/2024", None),
        ("en-US", "2024-05-31", date(2024, 5, 31)),
    ],
)
def test_a_date_is_read_in_the_order_of_the_region_unless_the_year_comes_first(region, text, day):
    with formats_of(region):
        assert day == read_day(text)


@pytest.mark.parametrize(
    ("text", "decimals", "number"),
    [
        ("23", 0, 23),
        ("−4", 0, -4),
        ("$ 1.000", 0, 1000),
        ("$ -1.000", 0, -1000),
        ("- $ 1,5", 2, -150),
        ("+50", 0, 50),
        ("1.234,50", 2, 123450),
        ("12,5", 0, None),
        ("3-5", 0, None),
        ("-3-", 0, None),
        ("12:30", 0, None),
        ("$" * 100_000 + "1" + "." * 100_000 + "x1", 0, None),
    ],
    ids=lambda value: str(value)[:20],
)
def test_money_won_or_lost_is_read_like_an_amount_with_a_sign_before_it(text, decimals, number):
    with formats_of("es-AR"):
        assert number == read_figure(text, Table(unit="$", decimals=decimals))


def test_an_empty_cell_a_dash_or_a_word_for_absent_means_that_somebody_was_absent():
    cells = ["", " ", "—", "X", "no", "n/a", "Ausente", ".", "0", "-1", "no sé", "xx"]

    assert ["0", "-1", "no sé", "xx"] == [cell for cell in cells if not is_absent(cell)]
