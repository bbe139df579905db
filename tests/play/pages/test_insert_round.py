"""Inserting a forgotten round at the place where it was played."""

from __future__ import annotations

import pytest
from django.urls import reverse

from games.models import Record
from tests.reader import fields, read_page, shown_changes
from tests.worlds import a_key, a_round

pytestmark = pytest.mark.django_db


@pytest.fixture
def game(game, write):
    write(game, a_round("ana", beto=23, caro=40, dani=9))
    write(game, a_round("beto", ana=5, caro=20, dani=30))
    return game


def _address(game, number=3):
    return reverse("insert-round", args=[game.code, number])


def _payload(game, **changes):
    """Return the fields of a round that Dani closed."""
    usual = {
        "after": len(game.log()), "key": a_key(), "closer": "dani", "closing": "out",
        "hand_ana": "1", "hand_beto": "2", "hand_caro": "3", "hand_dani": "",
    }  # fmt: skip
    return fields(**{**usual, **changes})


def test_an_inserted_round_shows_its_consequences_and_is_recorded_when_confirmed(ana, game):
    response = ana.post(_address(game), _payload(game))
    page = read_page(response)

    assert (200, 3) == (response.status_code, Record.objects.count())
    assert "Add a round before round 2" in page.only("h1").text
    lines = shown_changes(page)
    assert {"A Ana 5 → 6", "B Beto 23 → 25", "C Caro 60 → 63", "Deals next Caro → Dani"} <= set(lines)

    form, button = page.form_with("Save")
    response = ana.post(form.attrs["action"], {**form.fields, "confirm": button.attrs["value"]})
    assert ["ana", "dani", "beto"] == [played.closer for played in game.state().rounds]
    assert "Added: round 2" in read_page(ana.get(response.url)).last


def test_a_missing_hand_is_refused_and_the_other_hands_are_kept(ana, game):
    response = ana.post(_address(game), _payload(game, hand_beto=""))
    page = read_page(response)

    assert 422 == response.status_code
    assert "The hand of Beto is missing." == page.said_at("hand-beto")
    assert ("dani", "1", "3") == (page.typed("closer"), page.typed("hand-ana"), page.typed("hand-caro"))


def test_inserting_before_an_event_that_is_no_round_gets_404(subtests, ana, game):
    for number in [0, 1, 4, 99]:
        with subtests.test(number=number):
            assert 404 == ana.get(_address(game, number)).status_code
            assert 404 == ana.post(_address(game, number), _payload(game)).status_code


def test_the_pad_of_a_forgotten_round_is_empty_and_says_where_it_belongs(ana, game):
    page = read_page(ana.get(_address(game)))

    assert "Forgotten round 2 Tap who went out" == page.only("h1").text
    assert ("", "", "3") == (page.typed("closer"), page.typed("hand-beto"), page.typed("after"))
