"""The contracts of the contract games as words."""

from __future__ import annotations

import pytest
from django.utils.translation import override

from games.play.pages.columns import contract_code, contract_in_words
from games.scoring.solvers.contracts import CONTRACTS


@pytest.mark.parametrize(
    ("language", "codes"),
    [("en", ["2T", "1R1T", "2T1R", "3R", "real"]), ("es-AR", ["2T", "1E1T", "2T1E", "3E", "real"])],
)
def test_the_code_of_a_contract_has_the_letters_of_the_screens_language(language, codes):
    with override(language):
        assert codes == [contract_code(key) for key in ("2T", "1E1T", "2T1E", "3E", "real")]


def test_every_contract_has_a_name_of_its_own():
    assert len(CONTRACTS) == len({contract_in_words(key) for key in CONTRACTS} - {""})
