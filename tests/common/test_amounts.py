"""Points and money formatted for the reader's language. `test_amounts.py` has every place with an amount."""

from __future__ import annotations

from fractions import Fraction

import pytest
from django.utils.translation import override

from games.common import amounts
from games.models import Table
from games.seasons import presenters


@pytest.mark.parametrize(
    ("language", "amount", "signed", "expected"),
    [
        ("es-ar", 1204, False, "1.204"),
        ("en", 1204, False, "1,204"),
        ("en", -10, False, "−10"),
        ("en", 5, True, "+5"),
        ("en", 0, True, "0"),
    ],
)
def test_points_have_thousands_separators_and_signs(language, amount, signed, expected):
    with override(language):
        assert expected == amounts.points(amount, signed=signed)


@pytest.mark.parametrize(
    ("language", "average", "expected"),
    [
        ("es-ar", Fraction(197, 100), "1,97"),
        ("en", Fraction(-5, 3), "−1.67"),
        ("en", Fraction(-1, 1000), "0.00"),
        ("es-ar", Fraction(-2469, 2), "−1.234,50"),
    ],
)
def test_an_average_has_two_decimals_and_the_sign_of_points(language, average, expected):
    with override(language):
        assert expected == presenters.format_hundredths(average)


@pytest.mark.parametrize(
    ("language", "unit", "decimals", "amount", "expected"),
    [
        ("es-ar", "$", 0, 1000, "$\u00a01.000"),
        ("en", "$", 0, -20, "−$20"),
        ("es-ar", "$", 2, 123456, "$\u00a01.234,56"),
        ("en", "$", 2, -5, "−$0.05"),
        ("en", "fichas", 0, 30, "30\u00a0fichas"),
        ("en", "fichas", 0, -30, "−30\u00a0fichas"),
        ("es-ar", "$", 0, 10**15, "$\u00a01.000.000.000.000.000"),
    ],
)
def test_money_is_formatted_with_the_tables_unit(language, unit, decimals, amount, expected):
    with override(language):
        assert expected == amounts.money(amount, Table(unit=unit, decimals=decimals))


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        (
            "Beto \u2212$\u00a02.600, Ana +$\u00a02.600",
            "Beto \u2212\u2060$\u00a02.600, Ana +\u2060$\u00a02.600",
        ),
        ("Beto \u221220\u00a0fichas", "Beto \u221220\u00a0fichas"),  # a sign and a digit stay together anyway
        ("two + two", "two + two"),
        ("", ""),
    ],
)
def test_a_sign_and_its_unit_stay_on_one_line(sentence, expected):
    assert expected == amounts.join_signs(sentence)
