"""The variants through the API: their options and closings, and the rules that follow from a choice."""

from __future__ import annotations

import pytest

from games.scoring.text.describe import describe
from games.scoring.variants import VARIANTS


def test_every_variant_is_listed_in_the_language_of_the_request(program_of):
    answer = {
        language: program_of(language=language).get("variants/").body["variants"]
        for language in ("en", "es-AR")
    }

    assert list(VARIANTS) == [variant["key"] for variant in answer["en"]]
    assert ("Central American Loba", "Loba centroamericana") == (
        answer["en"][2]["name"],
        answer["es-AR"][2]["name"],
    )


@pytest.mark.parametrize("key", VARIANTS)
def test_every_options_default_satisfies_its_described_constraints(program, key):
    body = program.get(f"variants/{key}/").body
    options = {option["key"]: option for option in body["options"]}
    for option in options.values():
        default = options[option["same_as"]]["default"] if option["same_as"] else option["default"]
        words = [word["value"] for word in option["words"]]
        within = option["kind"] == "number" and isinstance(default, int)
        in_range = within and (
            default in option["only"] if option["only"] else option["low"] <= default <= option["high"]
        )

        is_text = option["kind"] == "text" and len(default) <= option["longest"]
        assert in_range or default in words or is_text
        assert default == body["in_force"]["options"][option["key"]]


@pytest.mark.parametrize("key", VARIANTS)
def test_the_options_of_every_preset_are_accepted(program, key):
    for preset in program.get(f"variants/{key}/").body["presets"]:
        answer = program.get(f"variants/{key}/", query_params=preset["options"])

        assert preset["options"].items() <= answer.body["in_force"]["options"].items()


@pytest.mark.parametrize("key", VARIANTS)
def test_the_rules_are_returned_as_a_list_of_sentences(program, key):
    variant = VARIANTS[key]

    assert len(describe(variant, variant.house())) == len(program.get(f"variants/{key}/").body["rules"])


def test_the_closings_of_each_variant_are_listed_with_their_requirements(program_of):
    closings = {
        key: program_of(language="es-AR").get(f"variants/{key}/").body["closings"] for key in VARIANTS
    }

    assert {
        "loba_menos": ["out", "in_one_go"],
        "loba_mas": ["out", "in_one_go", "stock_out"],
        "loba_ca": ["out", "in_one_go", "stock_out"],
        "carioca_ar": ["out", "in_one_go", "stock_out"],
        "carioca_cl": ["out", "in_one_go", "stock_out"],
        "chinchon": ["cut", "closed", "chinchon", "stock_out"],
        "points": ["played"],
    } == {key: [closing["key"] for closing in of_variant] for key, of_variant in closings.items()}
    assert [
        {"key": "cut", "label": "Cortó", "needs_closer": True, "closer_hand": "rest"},
        {
            "key": "stock_out",
            "label": "El mazo se acabó dos veces",
            "needs_closer": False,
            "closer_hand": "nothing",
        },
    ] == [closings["chinchon"][0], closings["chinchon"][-1]]


def test_query_parameters_change_the_closings_and_whether_most_or_fewest_points_win(program):
    changed = program.get("variants/points/?wins=fewest").body

    assert "most" == program.get("variants/points/").body["wins"]
    assert "fewest" == changed["wins"]
    stock = program.get("variants/loba_menos/?stock_end=end_round").body["closings"]
    assert "stock_out" in [closing["key"] for closing in stock]


def test_query_parameters_change_the_rules(program_of):
    problem = (
        program_of(language="es-AR").get("variants/loba_menos/?stake=1500&out_at=151&direction=right").body
    )

    assert {
        "options": {**problem["in_force"]["options"], "stake": 1500, "out_at": 151},
        "direction": "right",
    } == problem["in_force"]
    assert "Cada jugador pone 1.500 en el pozo; quien gana se lleva todo." in problem["rules"]


@pytest.mark.parametrize(
    ("address", "problem", "field"),
    [
        ("variants/poker/", (404, "not_found"), None),
        ("variants/notebook/", (404, "not_found"), None),
        ("variants/chinchon/?stake=x", (422, "refused"), "stake"),
        ("variants/chinchon/?stake=%00", (422, "refused"), "stake"),
        (f"variants/chinchon/?stake={'9' * 5_000}", (422, "refused"), "stake"),
        ("variants/chinchon/?sake=5", (422, "refused"), "sake"),
        ("variants/chinchon/?direction=up", (422, "refused"), "direction"),
        ("variants/chinchon/?wilds=jokers", (422, "refused"), "wilds"),
    ],
)
def test_an_unknown_variant_is_a_404_and_an_invalid_option_is_refused_with_its_name(
    program, address, problem, field
):
    answer = program.get(address)

    assert (problem, field) == (answer.problem[:2], answer.place.get("field"))
