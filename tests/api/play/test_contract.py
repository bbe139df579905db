"""Laying down a contract, without a table: the API gives the same result as the scoring library."""

from __future__ import annotations

import pytest

from games.scoring.going_down import cards_alone, contract_called, go_down
from games.scoring.text.notation import read_hand
from games.scoring.text.report import going_down
from games.scoring.variants import find_variant


def result_of_the_library(variant, contract, cards):
    variant_found = find_variant(variant)
    house = variant_found.house()
    rules = variant_found.build(house)
    wanted = contract_called(rules, contract)
    return going_down(variant, wanted, go_down(rules, house, wanted, cards_alone(read_hand(cards))))


ASKED = (
    ("carioca_cl", "1", "[K K K 7 7 * 3 2]"),
    ("carioca_cl", "1", "[K K K 7 8]"),
    ("carioca_cl", "2", "[K K K 7S 8S 9S 10S]"),
    ("carioca_ar", "1", "[K K K 7 7 7]"),
    ("carioca_cl", "1", "[K K K * * 7]"),
)


@pytest.mark.parametrize(("variant", "contract", "cards"), ASKED)
def test_the_api_gives_the_same_result_as_the_scoring_library(program, variant, contract, cards):
    answer = program.post("contract/", {"variant": variant, "contract": contract, "cards": cards})
    scored = result_of_the_library(variant, contract, cards)

    assert (200, scored) == (answer.status, {name: answer.body[name] for name in scored})
    assert scored["fulfilled"] is (answer.body["why"] == [])


def test_the_result_is_in_the_language_of_the_request(program_of):
    sent = {"variant": "carioca_cl", "contract": "1", "cards": "[K K K]"}
    expected = {
        language: program_of(language=language).post("contract/", sent).body for language in ("en", "es-AR")
    }

    assert ("2 trios", "2 tríos") == (expected["en"]["name"], expected["es-AR"]["name"])
    assert expected["en"]["why"] != expected["es-AR"]["why"]


@pytest.mark.parametrize(
    ("changed", "status", "code", "field"),
    [
        ({"variant": "truco"}, 422, "refused", "variant"),
        ({"variant": "loba_menos"}, 422, "refused", "contract"),
        ({"contract": "99"}, 422, "refused", "contract"),
        ({"contract": "9" * 200}, 400, "misshapen", "contract"),
        ({"contract": "bigger"}, 422, "refused", "contract"),
        ({"contract": 1}, 400, "misshapen", "contract"),
        ({"cards": "K K K"}, 422, "unreadable", "cards"),
        ({"cards": "23"}, 422, "refused", "cards"),
        ({"cards": "[" + "K " * 21 + "]"}, 422, "refused", "cards"),
        ({"cards": "K" * 10_000}, 400, "misshapen", "cards"),
        ({"options": {"luck": 1}}, 422, "refused", "luck"),
    ],
)
def test_an_invalid_request_is_refused_with_the_name_of_the_field(program, changed, status, code, field):
    sent = {"variant": "carioca_cl", "contract": "1", "cards": "[K K K 7 7 7]", **changed}
    answer = program.post("contract/", sent)

    assert (status, code, {"field": field}) == (*answer.problem[:2], answer.place)
