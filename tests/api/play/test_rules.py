"""The rules in words, for the options in the request."""

from __future__ import annotations

import pytest

from games.scoring.variants import VARIANTS


@pytest.mark.parametrize("key", VARIANTS)
def test_the_rules_without_options_equal_those_of_the_variant(program, key):
    whole, rules = program.get(f"variants/{key}/").body, program.post("rules/", {"variant": key}).body

    assert (whole["rules"], whole["in_force"]) == (
        rules["rules"],
        {"options": rules["options"], "direction": rules["direction"]},
    )


def test_an_option_changes_its_sentence(program):
    answer = program.post(
        "rules/", {"variant": "loba_menos", "options": {"stake": 1500}, "direction": "right"}
    )

    assert "Everyone puts 1,500 into the pot; the winner takes it all." in answer.body["rules"]
    assert ("right", 1500) == (answer.body["direction"], answer.body["options"]["reentry_fee"])


@pytest.mark.parametrize(
    ("body", "problem", "field"),
    [
        ({}, (400, "misshapen"), "variant"),
        ([], (400, "misshapen"), "variant"),
        ({"variant": 5}, (400, "misshapen"), "variant"),
        ({"variant": "v" * 10_000}, (400, "misshapen"), "variant"),
        ({"variant": "a\x00"}, (400, "misshapen"), "variant"),
        ({"variant": "chinchon", "rules": 5}, (400, "misshapen"), "variant"),
        ({"variant": "poker"}, (422, "refused"), "variant"),
        ({"variant": "notebook"}, (422, "refused"), "variant"),
        ({"variant": "chinchon", "options": []}, (400, "misshapen"), "options"),
        ({"variant": "chinchon", "options": {"stake": True}}, (400, "misshapen"), "stake"),
        ({"variant": "chinchon", "options": {"stake": 1.5}}, (400, "misshapen"), "stake"),
        ({"variant": "chinchon", "options": {"stake": {}}}, (400, "misshapen"), "stake"),
        ({"variant": "chinchon", "options": {"stake": "5" * 10_000}}, (400, "misshapen"), "stake"),
        ({"variant": "chinchon", "options": {"stake": 10**29}}, (422, "refused"), "stake"),
        ({"variant": "chinchon", "options": {"sake": 5}}, (422, "refused"), "sake"),
        ({"variant": "chinchon", "direction": 5}, (400, "misshapen"), "direction"),
        ({"variant": "chinchon", "direction": "up"}, (422, "refused"), "direction"),
    ],
)
def test_an_invalid_request_for_rules_is_refused_with_the_name_of_the_field(program, body, problem, field):
    answer = program.post("rules/", body)

    assert (problem, {"field": field}) == (answer.problem[:2], answer.place)
