"""The preview of a round while it is typed: its consequences as sentences; nothing is stored."""

from __future__ import annotations

import json

import pytest
from django.urls import reverse

from games.models import Record
from tests.reader import fields, read_page
from tests.worlds import a_key, a_round, start

pytestmark = pytest.mark.django_db


def _address(game):
    return reverse("play-round", args=[game.code]) + "?preview"


def _payload(**changes):
    usual = {
        "after": "1", "key": a_key(), "closer": "ana", "closing": "out",
        "hand_ana": "", "hand_beto": "23", "hand_caro": "40", "hand_dani": "9",
    }  # fmt: skip
    return fields(**{**usual, **changes})


def said(client, game, **changes):
    before = Record.objects.count()
    response = client.post(_address(game), _payload(**changes))
    assert (200, before) == (response.status_code, Record.objects.count())
    return [item.text for item in read_page(response).every("li")]


def test_the_preview_shows_a_bust_player_with_the_terms_of_the_re_entry(ana, game):
    assert [
        "Beto is bust with 101; may come back with 40 for $ 100",
        "Beto has more than 90, the highest possible hand.",
    ] == sorted(said(ana, game, hand_beto="101")[:2], reverse=True)


@pytest.mark.parametrize(
    ("hands", "sentence"),
    [
        ({"hand_beto": "[K K K K K K K K K]"}, "Beto: The pack has only 8 × K; with this hand the round has 9."),
        ({"hand_beto": "[* *]", "hand_caro": "[* * *]"}, "Beto and Caro: The pack has only 4 × ★; with this hand the round has 5."),
    ],
)  # fmt: skip
@pytest.mark.parametrize("others", [{}, {"hand_dani": ""}, {"closer": ""}])
def test_impossible_cards_are_reported_before_the_round_is_complete(ana, game, hands, sentence, others):
    assert [sentence] == said(ana, game, **{"hand_ana": "", **hands, **others})


@pytest.mark.parametrize("changes", [{"hand_beto": ""}, {"hand_beto": "x"}, {"closer": ""}])
def test_missing_input_shows_no_consequences(ana, game, changes):
    assert [] == said(ana, game, **changes)


@pytest.mark.parametrize("others", [{"hand_caro": ""}, {"hand_caro": "", "hand_dani": ""}])
def test_an_unlikely_hand_gets_a_warning_while_others_are_missing(ana, game, others):
    assert ["Beto has more than 90, the highest possible hand."] == said(ana, game, hand_beto="999", **others)


def test_the_most_important_consequences_come_first(ana, game):
    assert [
        "If you save, it ends: Ana wins, +$ 300",
        "Beto is eliminated with 101",
        "Caro is eliminated with 101",
        "Dani is eliminated with 101",
        "Beto has more than 90, the highest possible hand.",
    ] == said(ana, game, hand_beto="101", hand_caro="101", hand_dani="101")[:5]


def test_the_preview_of_a_finished_game_is_empty(ana, finished):
    assert [] == said(ana, finished)


def test_the_preview_of_a_correction_uses_the_state_before_that_round(ana, game, write):
    write(game, a_round("ana", beto=90, caro=40, dani=9))
    write(game, a_round("ana", beto=5, caro=40, dani=9))
    response = ana.post(reverse("correct", args=[game.code, 2]) + "?preview", _payload(hand_beto="101"))

    assert "Beto is bust with 101; may come back with 40 for $ 100" in read_page(response).only("ul").text
    assert 3 == Record.objects.count()


@pytest.mark.parametrize("name", ["correct", "insert-round"])
@pytest.mark.parametrize("number", [0, 1, 9])
def test_the_preview_of_an_unknown_event_gets_404(ana, game, name, number):
    assert 404 == ana.post(reverse(name, args=[game.code, number]) + "?preview", _payload()).status_code


# --- how each hand was read -------------------------------------------------------------------------------------------


def readings(response):
    """Return how the preview interpreted each typed hand, by the player's id."""
    shown = read_page(response).every("data", class_="reading")
    assert all("hidden" in node.attrs for node in shown)
    return {node.attrs["data-hand"]: json.loads(node.attrs["value"]) for node in shown}


def preview(client, game, name="play-round", *place, **changes):
    return client.post(reverse(name, args=[game.code, *place]) + "?preview", _payload(**changes))


def test_every_typed_hand_is_interpreted(ana, game):
    shown = readings(preview(ana, game, hand_beto="[K 7 *]", hand_caro="", hand_dani="queso"))

    assert ["beto", "dani"] == list(shown)
    assert (27, None, "[K 7 *]") == tuple(shown["beto"][key] for key in ("points", "round", "text"))
    assert "“queso” is not a hand. Write points (23) or cards ([K 7 *])." == shown["dani"]["wrong"]


def test_a_typed_tag_is_escaped_in_the_preview(ana, game):
    response = preview(ana, game, hand_beto="\"><script>alert('x')</script>")

    assert b"<script" not in response.content
    assert "\"><script>alert('x')</script>" == readings(response)["beto"]["text"]


def test_the_reason_why_a_round_is_invalid_names_the_player(ana, table, owner):
    game = start(table, owner, variant="loba_mas")
    flawed = preview(ana, game, hand_ana="{K K K}", hand_beto="{9 9 9}{3 3 3 *}[5]", hand_caro="5")
    held = preview(ana, game, hand_ana="{K K K}[4]", hand_beto="5", hand_caro="5")

    assert ["Beto: A set can't contain wild cards."] == [item.text for item in read_page(flawed).every("li")]
    assert ["Ana went out, so no cards can be left."] == [item.text for item in read_page(held).every("li")]


@pytest.mark.parametrize("name", ["correct", "insert-round"])
def test_the_preview_of_a_correction_or_insertion_uses_the_contract_of_that_round(
    ana, table, owner, write, name
):
    game = start(table, owner, variant="carioca_ar", buy_points=5)
    write(game, a_round("ana", beto=10, caro=20, dani=30))
    write(game, a_round("ana", beto=10, caro=20, dani=30))
    shown = readings(preview(ana, game, name, 2, hand_ana="0+1", hand_beto="[* A]+2"))

    assert {"ana": (5, 5), "beto": (80, 80)} == {
        player: (shown[player]["points"], shown[player]["round"]) for player in ("ana", "beto")
    }
