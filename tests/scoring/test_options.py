"""The options of the games, with their defaults and bounds, and presets: the variations in RULES.md."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import games.scoring
from games.scoring import Game, score_hand
from games.scoring.errors import RefusedLine, RuleError
from games.scoring.variants import VARIANTS, get_variant
from tests.scoring.example_files import examples

# --- options ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("example", examples("options.txt"), ids=lambda text: text.split()[0])
def test_an_option_has_its_default_and_accepts_exactly_the_values_of_the_rules(example):
    head, *rows = example.strip().split("\n")
    game, *defaults = head.split()
    variant = get_variant(game)
    assert defaults == [f"{option}={value}" for option, value in variant.house().options]
    for row in rows:
        option, given = row.split(": ")
        allowed, forbidden = (values.split() for values in given.split(" not "))
        assert allowed == [str(variant.house({option: value})[option]) for value in allowed]
        for value in forbidden:
            with pytest.raises(RuleError) as refusal:
                variant.house({option: value})
            assert option == refusal.value.field


@pytest.mark.parametrize("key", VARIANTS)
def test_a_text_or_a_program_reads_the_key_of_an_option_that_is_refused(subtests, key):
    wrong = "x" * 200
    attempts = (
        lambda name: Game.begin(key, ["ana", "beto", "caro"], **{name: wrong}),
        lambda name: Game.from_text(f"game {key} {name}={wrong}\nplayers ana beto caro"),
        lambda name: score_hand(key, "5", **{name: wrong}),
    )
    for option in VARIANTS[key].options:
        for attempt in attempts:
            with subtests.test(option.key), pytest.raises((RuleError, RefusedLine)) as refusal:
                attempt(option.key)
            assert f"{option.key}: " in str(refusal.value)


@pytest.mark.parametrize("key", VARIANTS)
def test_the_values_offered_for_an_option_are_allowed_and_differ(key):
    for option in VARIANTS[key].options:
        allowed = option.allowed
        offered = getattr(allowed, "usual", ()) or getattr(allowed, "shortcuts", ())

        assert len(offered) == len(set(offered)), option.key
        assert list(offered) == [allowed.read(value) for value in offered], option.key


# --- presets ----------------------------------------------------------------------------------------------------------

RULES = (Path(games.scoring.__file__).parent / "RULES.md").read_text()
PRESETS = [(key, preset) for key, variant in VARIANTS.items() for preset in variant.presets]


def section(number):
    """Return the text of a section of RULES, up to the next heading of the same or a higher level."""
    level = number.count(".") + 2
    after = RULES.split(f"\n{'#' * level} {number}", 1)[1]
    for higher in range(2, level + 1):
        after = after.split(f"\n{'#' * higher} ", 1)[0]
    return after


@pytest.mark.parametrize(("key", "preset"), [pair for pair in PRESETS if pair[0] != "points"])
def test_each_preset_is_in_its_section_of_the_rules_with_its_options(key, preset):
    chosen = " ".join(f"{option}={value}" for option, value in preset.chosen.items())

    assert f"`{chosen}`" in section(preset.section.removeprefix("RULES "))


@pytest.mark.parametrize(("key", "preset"), PRESETS)
def test_each_preset_can_be_played_and_differs_from_the_default(key, preset):
    variant = VARIANTS[key]
    house = variant.house(preset.chosen)

    assert variant.house() != house
    assert variant.min_players < (variant.build(house).max_players or variant.max_players)


def test_the_presets_of_any_other_game_replace_each_other():
    chosen = [set(preset.chosen) for preset in VARIANTS["points"].presets]

    # The table keeps its stakes; Kalookie's prize is a part of its stake.
    assert [chosen[0]] * len(chosen) == [keys - {"stake"} for keys in chosen]


@pytest.mark.parametrize("preset", VARIANTS["points"].presets, ids=lambda preset: preset.key)
def test_the_row_of_a_game_in_the_rules_has_all_that_it_chooses(preset):
    text = section("8")
    [usual] = re.findall(r"what its row does not name is `([^`]*)`", text)
    rows = dict(re.findall(r"(?m)^\| \*([^*]*)\* \| `([^`]*)`", text))
    chosen = re.findall(r'(\w+)=("[^"]*"|\S+)', f"{usual} {rows[str(preset.name)]}")

    assert {key: value.strip('"') for key, value in chosen} == {
        key: str(value) for key, value in preset.chosen.items()
    }


# --- the rules can be read --------------------------------------------------------------------------------------------


def test_no_line_of_the_rules_is_wider_than_a_screen():
    assert [] == [line for line in RULES.split("\n") if len(line) > 200]


@pytest.mark.parametrize("number", ["2", "3", "4", "5", "8"])
def test_the_section_of_a_game_begins_with_its_table_of_values(number):
    _title, first, *_others = (line for line in section(number).split("\n") if line)

    assert first.startswith("| ")
