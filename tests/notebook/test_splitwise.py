"""A Splitwise file of a group: the balances that its rows add up to, in the table's unit."""

from __future__ import annotations

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.models import Spelling, Table
from games.notebook.expenses import MOST_PEOPLE, MOST_PROBLEMS, Expenses
from games.notebook.old_games import import_preview_of
from games.notebook.old_nights import read_old_notebook
from games.notebook.splitwise import balances_in, is_rounded
from games.scoring.errors import RuleError
from tests.tables import make_table

HEAD = "Date,Description,Category,Cost,Currency,Ana,Beto,Caro\n"
ASADO = "2026-03-07,Asado,Dining out,9000.00,ARS,6000.00,-3000.00,-3000.00\n"
PAID = "2026-03-09,Beto paid Ana,Payment,1000.50,ARS,-1000.50,1000.50,0.00\n"
TOTAL = "2026-03-20,Total balance, , ,ARS,4999.50,-1999.50,-3000.00\n"


def read(text):
    return read_old_notebook(text, decimals=0, today=date(2026, 10, 1))


def problems_of(text):
    return [(problem.line, str(problem.text)) for problem in read(text).problems]


def expenses_in(text):
    assert [] == problems_of(text)
    return read(text).expenses


@pytest.mark.parametrize(
    "text",
    [
        f"{HEAD}\n{ASADO}{PAID}\n{TOTAL}",
        f"{HEAD}{ASADO}{PAID}",
        f"Note: does not include group expenses\n\n{HEAD}{ASADO}{PAID}{TOTAL}",
        (HEAD + ASADO + PAID + TOTAL).replace(".", "@").replace(",", ";").replace("@", ","),
    ],
)
def test_the_rows_add_up_to_a_balance_for_each_person(text):
    expenses = expenses_in(text)

    assert {"Ana": 499_950, "Beto": -199_950, "Caro": -300_000} == expenses.balances
    assert ("ARS", 2, "2026-03-20" in text) == (expenses.currency, expenses.rows, expenses.has_total)


def test_a_spanish_splitwise_file_is_accepted():
    head = "Fecha,Descripción,Categoría,Coste,Moneda,Ana,Beto\n\n"
    rows = (
        "2026-03-07,Asado,General,80.00,ARS,40.00,-40.00\n\n2026-03-20,Saldo total, , ,ARS,40.00,-40.00\n\n"
    )
    expenses = expenses_in(head + rows)

    assert ({"Ana": 4000, "Beto": -4000}, True) == (expenses.balances, expenses.has_total)


@pytest.mark.parametrize(
    ("text", "problems"),
    [
        (
            f"{HEAD}{ASADO}{TOTAL}",
            [
                (3, "The total of Ana says 4999.50, but the rows above add up to 6000.00: is a row missing?"),
                (3, "The total of Beto says -1999.50, but the rows above add up to -3000.00: is a row missing?"),
            ],
        ),
        (
            f"{HEAD}{ASADO}{PAID.replace('ARS', 'USD')}",
            [(3, "This row is in USD, others are in ARS. Several currencies cannot be added up.")],
        ),
        (
            f"{HEAD}{ASADO}2026-03-09,Taxi,,5.00\n",
            [(3, "This row has 4 cells, and the header has 8.")],
        ),
        (f"{HEAD}{ASADO.replace(',-3000.00,', ',')}", [(2, "This row has 7 cells, and the header has 8.")]),
        (f"{HEAD}{ASADO.replace('9000.00', '9,000.00')}", [(2, "This row has 9 cells, and the header has 8.")]),
        (
            f"{HEAD}{ASADO.replace('ARS', ' ')}{PAID.replace('ARS', '')}",
            [(2, "This row names no currency."), (3, "This row names no currency.")],
        ),
        (
            f"{HEAD}{ASADO}{PAID}{TOTAL}{ASADO}{PAID}",
            [(5, "This row is below the total balance, which has to be the last row.")],
        ),
        (
            f"{HEAD}{ASADO}{TOTAL.replace(', , ,', ',,9000.00,')}{PAID}",
            [
                (3, "The total of Ana says 4999.50, but the rows above add up to 6000.00: is a row missing?"),
                (3, "The total of Beto says -1999.50, but the rows above add up to -3000.00: is a row missing?"),
                (4, "This row is below the total balance, which has to be the last row."),
            ],
        ),
        (
            f"{HEAD}{ASADO.replace('6000.00', '6500.00')}",
            [(2, "The amounts of this row add up to 500.00, not to zero.")],
        ),
        (f"{HEAD}{ASADO.replace('6000.00', 'mucho')}", [
            (2, "“mucho” is not an amount like 12.50."),
            (2, "The amounts of this row add up to -6000.00, not to zero."),
        ]),
        (
            f"{HEAD}2026-03-07,Asado,,3.00,KWD,1.250,-1.250,0\n",
            [(2, "“1.250” is not an amount like 12.50."), (2, "“-1.250” is not an amount like 12.50.")],
        ),
        (HEAD, [(0, "There are no expenses below the names of the columns.")]),
        (f"{HEAD}{TOTAL.replace('4999.50,-1999.50,-3000.00', '0,0,0')}", [
            (0, "There are no expenses below the names of the columns.")
        ]),
        (
            "Date,Description,Category,Cost,Currency,Ana\n2026-03-07,Asado,,1,ARS,1\n",
            [(1, f"The currency must be followed by 2 to {MOST_PEOPLE} columns of people.")],
        ),
        (
            "Date,Description,Category,Cost,Currency," + ",".join(f"p{n}" for n in range(MOST_PEOPLE + 1)),
            [(1, f"The currency must be followed by 2 to {MOST_PEOPLE} columns of people.")],
        ),
        (
            "Date,Description,Category,Cost,Currency,Ana,ANA\n2026-03-07,Asado,,1,ARS,1,-1\n",
            [(1, "Two columns are called ANA.")],
        ),
    ],
)  # fmt: skip
def test_an_invalid_line_is_reported_with_its_number(text, problems):
    assert problems == problems_of(text)


@pytest.mark.parametrize(
    "written", ["1.234 ARS", "(0.125)", "ARS 1.234", "Rs.1.234", "1.234.", ".125", ".50", "-,5"]
)
def test_an_ambiguous_amount_is_refused(written):
    head = "Date;Description;Category;Cost;Currency;Ana;Beto\n"
    row = f"2026-03-07;Asado;;1;ARS;{written};{written}\n"
    assert (2, f"“{written}” is not an amount like 12.50.") == problems_of(head + row)[0]


def test_an_expense_called_total_counts_as_an_expense():
    expenses = expenses_in(HEAD + ASADO.replace("Asado", "Total") + PAID + TOTAL)

    assert (2, 499_950, True) == (expenses.rows, expenses.balances["Ana"], expenses.has_total)


def test_blank_cells_after_the_last_name_are_ignored():
    expenses = expenses_in("".join(line.replace("\n", ",,\n") for line in (HEAD, ASADO, PAID, TOTAL)))
    longer = expenses_in(HEAD + ASADO.replace("\n", ",,\n") + PAID)

    assert expenses.balances == longer.balances


@pytest.mark.parametrize("cells", [2, 5, 7])
def test_a_truncated_row_of_totals_is_ignored(cells):
    short = ",".join(TOTAL.split(",")[:cells])
    assert not expenses_in(HEAD + ASADO + PAID + short + "\n").has_total


def test_the_number_of_reported_problems_is_limited():
    assert MOST_PROBLEMS == len(problems_of(HEAD + "2026-03-07,Asado,,1,ARS,1,1,1\n" * 2 * MOST_PROBLEMS))


def test_cents_lost_by_rounding_go_to_the_largest_balances():
    row = "2026-03-07,Pizza,,10.00,ARS,6.67,-3.33,-3.33\n"
    expenses = expenses_in(HEAD + row * 2)

    assert 2 == expenses.left_over
    assert {"Ana": 1333, "Beto": -667, "Caro": -666} == expenses.evened


@given(st.lists(st.integers(-(10**9), 10**9), min_size=1, max_size=12))
def test_evened_balances_add_up_to_zero_and_change_by_at_most_an_equal_share(amounts):
    balances = {str(place): amount for place, amount in enumerate(amounts)}
    expenses = Expenses(balances=balances)
    evened = expenses.evened
    share = abs(expenses.left_over) // len(amounts) + 1

    assert 0 == sum(evened.values())
    assert all(abs(evened[name] - balances[name]) <= share for name in balances)


@pytest.mark.django_db
def test_balances_in_whole_units_are_rounded_and_add_up_to_zero(table):
    expenses = expenses_in(HEAD + ASADO + PAID)

    assert [("Ana", 5000), ("Beto", -2000), ("Caro", -3000)] == [
        (balance.written, balance.amount) for balance in balances_in(expenses, table)
    ]
    assert (True, False) == (is_rounded(expenses, table), is_rounded(expenses, Table(decimals=2)))


# --- who is who -------------------------------------------------------------------------------------------


@pytest.mark.django_db
class TestWhoIsWho:
    """Matching the people of a file with the members Ana, Beto, Caro and Dani."""

    def meant(self, table, *names):
        """Return for each balance its name, the matched member's id, and whether the match is certain."""
        expenses = Expenses(balances={name: place for place, name in enumerate(names)})
        return [
            (balance.written, balance.member and balance.member.slug, balance.is_certain)
            for balance in balances_in(expenses, table)
        ]

    def test_a_name_matches_a_member_in_any_case(self, table):
        assert [("ANA", "ana", True), ("Zoe", None, False)] == self.meant(table, "ANA", "Zoe")

    def test_a_match_by_first_name_or_accent_needs_a_confirmation(self, table):
        assert [("Ána Ruiz", "ana", False), ("Beto", "beto", True)] == self.meant(table, "Ána Ruiz", "Beto")

    def test_two_similar_names_match_no_member(self, table):
        expected = [("Ana Ruiz", None, False), ("Ana Paz", None, False), ("Beto", "beto", True)]
        assert expected == self.meant(table, "Ana Ruiz", "Ana Paz", "Beto")

    def test_an_equal_name_takes_precedence_over_a_similar_one(self, table):
        assert [("Ana Ruiz", None, False), ("Ana", "ana", True)] == self.meant(table, "Ana Ruiz", "Ana")

    def test_a_stored_spelling_matches_its_member(self, table, who):
        Spelling.objects.create(table=table, written="La jefa", member=who["caro"])
        assert [("La jefa", "caro", False), ("Zoe", None, False)] == self.meant(table, "La jefa", "Zoe")

    def test_a_file_without_any_member_is_refused_as_another_groups(self, table):
        with pytest.raises(RuleError, match="another group"):
            self.meant(table, "Zoe", "Luz")

    def test_a_file_with_ambiguous_matches_is_accepted(self, owner):
        table = make_table(owner, people=("Ana", "Marcelo"))
        expected = [("Ana Ruiz", None, False), ("Ana Paz", None, False), ("Chelo", None, False)]
        assert expected == self.meant(table, "Ana Ruiz", "Ana Paz", "Chelo")

    def test_at_an_empty_table_all_people_are_new(self, owner):
        empty = make_table(owner, people=())
        assert [("Zoe", None, False), ("Luz", None, False)] == self.meant(empty, "Zoe", "Luz")

    def test_a_long_name_is_shortened_to_the_words_that_fit(self, table):
        names = ["Ana", "Maximiliano Fernández Rodríguez", "x" * 30, f"{'x' * 18}👩\u200d🌾"]
        expenses = Expenses(balances=dict.fromkeys(names, 0))
        assert ["Ana", "Maximiliano", "x" * 20, "x" * 18] == [
            balance.short_name for balance in balances_in(expenses, table)
        ]

    def test_a_splitwise_file_is_refused_as_an_old_notebook_with_a_hint(self, table):
        preview = import_preview_of(table, read(HEAD + ASADO))
        message = "This is a Splitwise file: it has balances but no nights. Import it as a Splitwise group."
        assert [(0, message)] == [(problem.line, str(problem.text)) for problem in preview.problems]
