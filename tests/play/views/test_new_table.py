"""The first game of a new table: no registration is needed, and a refusal stores nothing."""

from __future__ import annotations

from functools import partial

import pytest
from django.contrib.auth.models import User

from games.common.rate_limits import RateLimit
from games.models import Access, Game, Table
from games.scoring.money import pot_amount
from games.tables.services import authorization
from tests.concurrency import run_concurrently
from tests.factories import count_first_game_rows, new_key
from tests.reader import fields, read_page

pytestmark = pytest.mark.django_db

ADDRESS = "/new/"


def _payload(**changes):
    """Return the form's fields for a game of Ana, Beto and Caro with a stake of 50."""
    usual = {
        "key": new_key(), "variant": "loba_menos", "table_name": "Los jueves", "unit": "fichas",
        "new_1": "Ana", "new_2": "Beto", "new_3": "Caro", "option_stake": "50",
    }  # fmt: skip
    return fields(**{**usual, **changes})


def test_a_visitor_without_an_account_opens_a_table_with_players_and_a_first_game(nobody):
    response = nobody.post(ADDRESS, _payload())
    game = Game.objects.get()

    assert (302, f"/g/{game.code}/") == (response.status_code, response.url)
    assert ("Los jueves", "fichas", "en") == (game.table.name, game.table.unit, game.table.language)
    assert ["Ana", "Beto", "Caro"] == [player.name for player in game.state().players]
    assert 3 * 50 == pot_amount(game.state())
    assert 200 == nobody.get(response.url).status_code
    nobody.post(ADDRESS, _payload())  # a second table, of the same user
    assert 2 * [User.objects.get()] == [access.user for access in Access.objects.all()]


def test_the_stakes_of_a_first_game_have_one_format_wherever_they_are_offered(client_for):
    """In dollars with cents, the amounts to tap and the line of the rules say $1, and a half dollar $0.50."""
    visitor = client_for(language="en-US")
    page = read_page(visitor.get(ADDRESS))
    assert "stake $1 · up to 2 re-entries at $1" in page.only("button", id="says").text
    assert ["None", "1", "2", "5", "10"] == [
        button.text for button in page.every("button") if "data-to" in button.attrs
    ][:5]
    page = read_page(visitor.post(ADDRESS, _payload(unit="$", option_stake="0.50", choose="yes")))
    assert "stake $0.50" in page.only("button", id="says").text


def test_too_many_new_visitors_from_one_network_are_asked_to_wait_and_nothing_typed_is_lost(
    client_for, monkeypatch, fresh_cache
):
    monkeypatch.setattr(authorization, "GUEST_CREATION_LIMIT", RateLimit("guest", most=1, window=3600))
    assert 302 == client_for().post(ADDRESS, _payload()).status_code
    response = client_for().post(ADDRESS, _payload(new_1="Eva"))
    page = read_page(response)

    assert 422 == response.status_code
    assert "Too many new users came from this network. Wait an hour." in page.only("main").text
    assert "Eva" == page.only("input", name="new-1").attrs["value"]
    assert 1 == Table.objects.count()
    assert 302 == client_for().post(ADDRESS, _payload(), REMOTE_ADDR="192.0.2.9").status_code


def test_independent_presets_are_chosen_and_dropped_each_by_itself(nobody):
    def press(page, preset):
        form, _button = page.form_with("Start")
        page = read_page(nobody.post(ADDRESS, {**form.fields, "preset": preset}))
        pressed = page.only("fieldset", id="presets").every("button", aria_pressed="true")
        return page, [button.attrs["value"] for button in pressed], page.typed("option-values")

    page = read_page(nobody.post(ADDRESS, _payload(variant="loba_ca", choose="yes")))
    for preset, chosen, values in [
        ("joker_50", ["joker_50"], "ca_joker50"),
        ("tens", ["joker_50", "tens"], "ca_tens_joker50"),
        ("joker_50", ["tens"], "ca_tens"),
        ("joker_50", ["joker_50", "tens"], "ca_tens_joker50"),
        ("tens", ["joker_50"], "ca_joker50"),
        ("joker_50", [], "ca"),
    ]:
        page, *shown = press(page, preset)
        assert [chosen, values] == shown


def test_a_preset_fills_in_the_house_rules_keeps_the_typed_values_and_is_switched_off_alone(nobody):
    payload = _payload(preset="escalating", option_stake="70", new_4="Dani")
    response = nobody.post(ADDRESS, {**payload, "option-stock_end": "turn_over"})
    page = read_page(response)

    assert 200 == response.status_code
    assert ("unlimited", "linear") == (
        page.every("input", "select", name="option-reentries")[0].attrs.get("value")
        or page.typed("option-reentries"),
        page.typed("option-reentry_price"),
    )
    assert ("70", "Dani") == (page.typed("option-stake"), page.typed("new-4"))
    assert [0] * 6 == count_first_game_rows()

    form, _button = page.form_with("Start")
    page = read_page(nobody.post(ADDRESS, {**form.fields, "preset": "escalating"}))
    pressed = page.only("fieldset", id="presets").every("button", aria_pressed="true")
    assert ["turned_over"] == [card.attrs["value"] for card in pressed]
    assert ("2", "flat") == (page.typed("option-reentries"), page.typed("option-reentry_price"))


def test_a_default_table_name_has_only_as_many_players_as_fit(nobody):
    people = ("Maximilianosebastian", "Wolfgangwolframwilma", "Guadalupemontserrata")
    nobody.post(
        ADDRESS, _payload(**dict(zip(("new_1", "new_2", "new_3"), people, strict=True), table_name=""))
    )

    assert "Maximilianosebastian, Wolfgangwolframwilma" == Table.objects.get().name


# --- double taps ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("since", [{"date_joined": "2026-01-01T00:00Z"}, {"password": "a hash"}])
def test_the_key_of_a_guest_of_long_ago_or_with_a_password_makes_nobody_that_guest(
    form_key_and_clients, since
):
    key, (first, second) = form_key_and_clients(ADDRESS)
    first.post(ADDRESS, _payload(key=key))
    User.objects.update(**since)
    second.post(ADDRESS, _payload(key=key))

    assert (2, 2) == (Table.objects.count(), User.objects.count())


@pytest.mark.parametrize("changes", [{"option_stake": "60"}, {"new_3": "Eva"}, {"new_4": "Dani"}])
def test_an_idempotency_key_reused_with_another_form_is_refused(nobody, changes):
    payload = _payload()
    nobody.post(ADDRESS, payload)
    before = count_first_game_rows()
    again = {**payload, **fields(**changes)}
    response = nobody.post(ADDRESS, again)
    page = read_page(response)

    assert (409, before) == (response.status_code, count_first_game_rows())
    assert ["This form already recorded another entry. Check the sheet."] == page.alerts
    assert again == {**{name: page.typed(name) for name in again}, "key": payload["key"]}
    assert payload["key"] != page.typed("key")


@pytest.mark.django_db(transaction=True)
def test_concurrent_taps_open_one_table_and_one_game(form_key_and_clients):
    key, taps = form_key_and_clients(ADDRESS, 4)
    payload = _payload(key=key)
    answers = run_concurrently(*(partial(phone.post, ADDRESS, payload) for phone in taps))

    assert [1, 1, 3, 1, 1, 1] == count_first_game_rows()
    assert [f"/g/{Game.objects.get().code}/"] * 4 == [answer.url for answer in answers]
