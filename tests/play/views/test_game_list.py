"""The list of games on the page of a new game: those of the region, then all others, each with its own rules."""

from __future__ import annotations

import pytest
from django.http import QueryDict

from games.models import Game
from games.play.presenters import new_game_form, variant_list
from games.scoring.variants import VARIANTS
from tests.factories import new_key
from tests.reader import read_page

pytestmark = pytest.mark.django_db

ADDRESS = "/new/"
PEOPLE = {"new-1": "Ana", "new-2": "Beto", "new-3": "Caro", "table-name": "Los jueves"}
MOST_AT_FIRST_SIGHT = 7  # the games that are played the same everywhere
ALL = {
    *VARIANTS,
    *(f"{key}:{one.key}" for key, variant in VARIANTS.items() for one in variant.presets if one.is_game),
}


def new_table_page(client, language="en"):
    return read_page(client.get(ADDRESS, headers={"accept-language": language}))


def listed_keys(page):
    """Return the keys of the games listed first, and those of all others."""
    games = page.every("fieldset", class_="games")[0]
    more = games.every("div", class_="games")[0]
    others = [radio.attrs["value"] for radio in more.every("input", name="variant")]
    everything = [radio.attrs["value"] for radio in games.every("input", name="variant")]
    return [key for key in everything if key not in others], others


def chosen_key(page):
    (checked,) = (radio for radio in page.every("input", name="variant") if "checked" in radio.attrs)
    return checked.attrs["value"]


def choose_game(client, page, key, **data):
    form, _button = page.form_with("Start")
    return read_page(client.post(ADDRESS, {**form.fields, **data, "variant": key, "choose": "yes"}))


@pytest.mark.parametrize("language", ["en", *variant_list.REGIONAL_KEYS])
def test_every_game_is_in_the_list_once_and_few_at_first_sight(nobody, language):
    shortlist, others = listed_keys(new_table_page(nobody, language))

    assert sorted(ALL) == sorted([*shortlist, *others])
    assert list(variant_list.REGIONAL_KEYS.get(language, variant_list.DEFAULT_KEYS)) == shortlist
    assert len(shortlist) <= MOST_AT_FIRST_SIGHT


PRESETS = {key: game[1] for key in sorted(ALL) if (game := variant_list.find_by_key(key)) and game[1]}


def test_a_game_of_the_list_has_its_own_rules(subtests):
    for key, preset in PRESETS.items():
        with subtests.test(key=key):
            form = new_game_form.from_post(QueryDict(f"variant={key}&shown=loba_menos"), None)

            assert preset.chosen.items() <= form.chosen_options.items()
            assert key == variant_list.key_for_rules(form.variant, form.house, form.table)


def test_a_game_of_the_list_begins_with_its_own_rules(nobody):
    key, preset = next(iter(PRESETS.items()))
    page = choose_game(nobody, new_table_page(nobody), key, **PEOPLE)
    assert key == chosen_key(page)

    form, _button = page.form_with("Start")
    nobody.post(ADDRESS, {**form.fields, "key": new_key()})
    assert preset.chosen.items() <= dict(Game.objects.get().state().house.options).items()


def test_another_game_of_the_list_leaves_nothing_of_the_one_before(nobody):
    page = new_table_page(nobody)
    for key in ("points:pontinho", "points:rummikub", "points:kalookie"):
        page = choose_game(nobody, page, key)
    page = choose_game(nobody, page, "points")
    house = {option.key: page.typed(f"option-{option.key}") for option in VARIANTS["points"].options}

    usual = dict(VARIANTS["points"].house().options)
    assert "points" == chosen_key(page)
    assert {key: str(value) for key, value in usual.items() if key != "reentry_fee"} == {
        key: text or str(usual[key]) for key, text in house.items() if key != "reentry_fee"
    }


def test_a_rule_changed_by_hand_stays_and_the_game_is_any_other(nobody):
    page = choose_game(nobody, new_table_page(nobody), "points:pontinho", **PEOPLE)
    form, _button = page.form_with("Start")
    nobody.post(ADDRESS, {**form.fields, "option-out_at": "120", "key": new_key()})

    house = Game.objects.get().state().house
    assert ("Pontinho", 120, "down") == (house["name"], house["out_at"], house["count"])


def test_without_a_script_a_game_of_the_list_may_be_started_at_once(nobody):
    form, _button = new_table_page(nobody).form_with("Start")
    nobody.post(ADDRESS, {**form.fields, **PEOPLE, "variant": "points:cacheta", "key": new_key()})

    assert "Cacheta" == Game.objects.get().state().house["name"]
