"""Correcting the stake and the house rules of a game from its start; the consequences are shown first."""

from __future__ import annotations

import pytest
from django.urls import reverse

from games.models import Record
from tests.reader import read_page, shown_changes
from tests.worlds import a_key, a_round

pytestmark = pytest.mark.django_db


def _address(game):
    return reverse("correct-rules", args=[game.code])


def _payload(client, game, **options):
    """Return the fields of the form as it is shown, with these options changed."""
    (form,) = read_page(client.get(_address(game))).every("form")
    return {
        **form.fields,
        "after": str(len(game.log())),
        "key": a_key(),
        **{f"option-{k}": v for k, v in options.items()},
    }


def test_a_corrected_stake_shows_whose_money_changes_and_is_recorded_when_confirmed(ana, game, write):
    write(game, a_round("ana", beto=23, caro=40, dani=9))
    response = ana.post(_address(game), _payload(ana, game, stake="200"))
    page = read_page(response)

    assert (200, 2) == (response.status_code, Record.objects.count())
    assert "Pot $ 400 → $ 800" in shown_changes(page)
    form, button = page.form_with("Save")
    response = ana.post(form.attrs["action"], {**form.fields, "confirm": button.attrs["value"]})
    assert (302, 200) == (response.status_code, game.state().house["stake"])
    assert ["Corrected: how the game began"] == read_page(ana.get(response.url)).last


@pytest.mark.parametrize(
    ("option", "value"), [("stake", "-1"), ("out_at", "12"), ("reentries", "10"), ("ace", "x")]
)
def test_an_option_out_of_range_is_refused_at_its_field(ana, game, option, value):
    response = ana.post(_address(game), _payload(ana, game, **{option: value}))
    page = read_page(response)

    assert (422, 1) == (response.status_code, Record.objects.count())
    assert page.said_at(f"option-{option}").startswith(f"“{value}” is not allowed for ")


def test_a_stale_correction_of_the_rules_gets_409_with_the_news(ana, game, write):
    payload = _payload(ana, game, stake="200")
    write(game, a_round("ana", beto=23, caro=40, dani=9))
    response = ana.post(_address(game), payload)

    assert 409 == response.status_code
    assert "Round 1: Ana went out" in read_page(response).notices


def test_the_direction_of_the_deal_can_be_corrected_from_the_start(ana, game, write):
    write(game, a_round("ana", beto=23, caro=40, dani=9))
    payload = _payload(ana, game)
    assert "left" == payload["direction"]
    page = read_page(ana.post(_address(game), {**payload, "direction": "right"}))

    changes = shown_changes(page)
    assert ["The deal goes to the left → to the right", "Deals next Beto → Dani"] == changes
    form, button = page.form_with("Save")
    ana.post(form.attrs["action"], {**form.fields, "confirm": button.attrs["value"]})
    assert ("right", "dani") == (game.state().direction, game.state().dealer)
    assert "right" == read_page(ana.get(_address(game))).typed("direction")


def test_an_invalid_direction_of_the_deal_is_refused_at_its_field(ana, game):
    response = ana.post(_address(game), {**_payload(ana, game), "direction": "up"})

    assert (422, 1) == (response.status_code, Record.objects.count())
    assert "The deal can go to the left or to the right." == read_page(response).said_at("direction")
