"""Amounts of money as people type them, in every language."""

from __future__ import annotations

import pytest
from django.utils.translation import override

from games.common import parsing
from games.models import Table


def table(decimals=0, unit="$"):
    return Table(name="Mesa", unit=unit, decimals=decimals)


@pytest.mark.parametrize("language", ["es-ar", "es", "en"])
@pytest.mark.parametrize(
    ("text", "amount"),
    [
        ("0", 0),
        ("150", 150),
        ("1.500", 1500),
        ("1,500", 1500),
        ("1.234.567", 1234567),
        ("$ 1.500", 1500),
    ],
)
def test_an_amount_is_parsed_with_any_thousands_separator(language, text, amount):
    with override(language):
        assert amount == parsing.parse_amount(text, table())


@pytest.mark.parametrize("language", ["es-ar", "es", "en"])
@pytest.mark.parametrize(
    ("text", "amount"),
    [
        ("150", 15000),
        ("150.50", 15050),
        ("1.500", 150000),
        ("1.500,25", 150025),
        ("1,500.25", 150025),
        (".50", 50),
        ("$ ,50", 50),
    ],
)
def test_an_amount_with_two_decimals_is_parsed_with_either_separator(language, text, amount):
    with override(language):
        assert amount == parsing.parse_amount(text, table(decimals=2))


@pytest.mark.parametrize(
    ("language", "text", "amount"),
    [("es-ar", "1.500", 1500000), ("es-ar", "1,500", 1500), ("en", "1.500", 1500), ("en", "1,500", 1500000)],
)
def test_an_amount_with_three_decimals_is_parsed_by_the_readers_language(language, text, amount):
    with override(language):
        assert amount == parsing.parse_amount(text, table(decimals=3))


@pytest.mark.parametrize("decimals", [0, 2])
@pytest.mark.parametrize(
    "text",
    [
        "",
        "-5",
        "1e3",
        "١٢",
        "1.5.0",
        "12,345,6",
        "0,005",
        ".",
        "9" * 21,
        "1.50.000",
    ],
)
def test_an_invalid_amount_is_refused(decimals, text):
    with override("es-ar"):
        assert parsing.parse_amount(text, table(decimals)) is None


@pytest.mark.parametrize("text", ["150,50", ",50", "1.500,5"])
def test_cents_are_refused_at_a_table_without_decimals_and_the_reason_is_known(text):
    with override("es-ar"):
        assert parsing.parse_amount(text, table()) is None
        assert parsing.has_unexpected_cents(text, table())


@pytest.mark.parametrize("language", ["es-ar", "es", "en"])
@pytest.mark.parametrize("decimals", [0, 1, 2, 3])
@pytest.mark.parametrize("amount", [0, 5, 1500, 123456789, 10**15 - 1])
def test_a_prefilled_amount_is_parsed_unchanged(language, decimals, amount):
    with override(language):
        assert amount == parsing.parse_amount(parsing.input_amount(amount, table(decimals)), table(decimals))
