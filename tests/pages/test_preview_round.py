"""What a round being entered would lead to: sentences, and nothing is written."""

from __future__ import annotations

import pytest
from django.urls import reverse

from games.models import Record
from tests.pages.reader import fields, read_page
from tests.tables import a_key, a_round

pytestmark = pytest.mark.django_db


def _address(game):
    return reverse("preview-round", args=[game.code])


def _payload(**changes):
    usual = {
        "after": "1", "key": a_key(), "closer": "ana", "closing": "out",
        "hand_ana": "", "hand_beto": "23", "hand_caro": "40", "hand_dani": "9",
    }  # fmt: skip
    return fields(**{**usual, **changes})


def said(client, game, **changes):
    response = client.post(_address(game), _payload(**changes))
    assert (200, 1) == (
        response.status_code,
        Record.objects.filter(game=game, number__gt=0).count() - game.extra,
    )
    return [item.text for item in read_page(response).every("li")]


@pytest.fixture
def game(game):
    game.extra = 0
    return game


def test_who_deals_next_is_said(ana, game):
    assert ["Beto deals next"] == said(ana, game)


def test_who_would_be_bust_is_said_with_his_way_back(ana, game):
    assert [
        "Beto is bust with 101; may come back with 40 for $ 100",
        "Beto has more than 90, the dearest hand.",
    ] == sorted(said(ana, game, hand_beto="101")[:2], reverse=True)


def test_the_end_is_said_with_the_winner(ana, game):
    sentences = said(ana, game, hand_beto="101", hand_caro="101", hand_dani="101")

    assert "The game ends: Ana wins, +$ 300" in sentences


@pytest.mark.parametrize(
    ("hands", "sentence"),
    [
        ({"hand_beto": "[K K K K K K K K K]"}, "The pack has only 8 cards K; with this hand the round has 9."),
        ({"hand_beto": "[* *]", "hand_caro": "[* * *]"}, "The pack has only 4 cards ★; with this hand the round has 5."),
    ],
)  # fmt: skip
@pytest.mark.parametrize("others", [{}, {"hand_dani": ""}, {"closer": ""}])
def test_cards_that_cannot_be_are_said_even_before_everything_is_entered(ana, game, hands, sentence, others):
    assert [sentence] == said(ana, game, **{"hand_ana": "", **hands, **others})


@pytest.mark.parametrize("changes", [{"hand_beto": ""}, {"hand_beto": "x"}, {"closer": ""}])
def test_what_is_still_missing_is_no_consequence(ana, game, changes):
    assert [] == said(ana, game, **changes)


def test_what_is_odd_is_said_and_does_not_block(ana, game):
    assert "Beto has 0 and did not go out." in said(ana, game, hand_beto="0")


@pytest.mark.parametrize("closer", ["zed", "<script>", "\x00"])
def test_who_is_not_at_the_table_did_not_go_out(ana, game, closer):
    assert [f"{closer} is not at this table."] == said(ana, game, closer=closer, hand_ana="3")


def test_a_game_that_is_over_has_nothing_to_come(ana, finished):
    finished.extra = 5

    assert [] == said(ana, finished)


def test_a_round_corrected_is_tried_where_it_was_played(ana, game, write):
    write(game, a_round("ana", beto=90, caro=40, dani=9))
    write(game, a_round("ana", beto=5, caro=40, dani=9))
    response = ana.post(reverse("preview-correction", args=[game.code, 2]), _payload(hand_beto="101"))

    assert "Beto is bust with 101; may come back with 40 for $ 100" in read_page(response).only("ul").text
    assert 3 == Record.objects.count()


@pytest.mark.parametrize("name", ["preview-correction", "preview-insertion"])
@pytest.mark.parametrize("number", [0, 1, 9])
def test_there_is_nothing_to_try_where_nothing_was(ana, game, name, number):
    assert 404 == ana.post(reverse(name, args=[game.code, number]), _payload()).status_code


def test_the_answer_is_a_part_of_a_page_and_no_page(ana, game):
    assert b"<html" not in ana.post(_address(game), _payload()).content


def test_looking_is_no_preview(ana, game):
    assert 405 == ana.get(_address(game)).status_code
