"""The stored faults match the code, and the runner applies, selects and draws faults as described."""

from __future__ import annotations

import ast
from collections import Counter

import pytest

from tests.seeded.drawing import draw
from tests.seeded.faults import BASE, Fault, Misplaced, applied, changed_lines, read_faults

SOURCE = """
class Purse:
    def pays(self, amount):
        return amount > 0 and self.open

    def owes(self, amount):
        return amount > 0
"""


@pytest.fixture(scope="module")
def faults():
    return read_faults()


def test_every_fault_stands_in_the_code_exactly_once(faults):
    """If the code of a fault was moved or rewritten, replace its old text by the present code.

    If the code has gone, put a fault of the same name into what replaced it.
    """
    misplaced = []
    for fault in faults:
        try:
            text = applied(fault, (BASE / fault.path).read_text(encoding="utf-8"))
        except (Misplaced, FileNotFoundError) as error:
            misplaced.append(str(error))
        else:
            if fault.path.endswith(".py"):
                ast.parse(text)

    assert [] == misplaced


def test_every_fault_has_a_name_of_its_own(faults):
    names = Counter(fault.name for fault in faults)

    assert [] == [name for name, count in names.items() if count > 1]


def test_scripts_and_styles_name_their_tests(faults):
    assert [] == [fault.name for fault in faults if not fault.path.endswith(".py") and not fault.tests]


def test_a_fault_changes_its_function_alone():
    fault = Fault("a sign", "purse.py", "amount > 0", "amount < 0", where="Purse.owes")

    assert SOURCE.replace("return amount > 0\n", "return amount < 0\n") == applied(fault, SOURCE)
    assert {7} == changed_lines(fault, SOURCE)


@pytest.mark.parametrize(
    ("where", "old"),
    [("Purse", "amount > 0"), ("Purse.lends", "amount > 0"), ("Purse.owes", "amount > 1")],
    ids=["twice", "no such function", "not there"],
)
def test_a_fault_that_is_not_there_exactly_once_is_refused(where, old):
    with pytest.raises(Misplaced):
        applied(Fault("a sign", "purse.py", old, "amount < 0", where=where), SOURCE)


def test_a_seed_draws_the_same_faults_again(tmp_path):
    module = tmp_path / "games" / "purse.py"
    module.parent.mkdir()
    module.write_text(SOURCE, encoding="utf-8")

    drawn = draw(3, 2, tmp_path)

    assert drawn == draw(3, 2, tmp_path)
    assert {"Purse.pays", "Purse.owes"} == {fault.where for fault in drawn}
    for fault in drawn:
        assert SOURCE != applied(fault, SOURCE)
