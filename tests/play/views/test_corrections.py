"""Correcting an event, inserting a forgotten round, correcting the rules: as recorded, then the consequences."""

from __future__ import annotations

import pytest
from django.urls import reverse

from games.models import Record
from games.scoring.events import (
    PlayerLeft,
    PlayerReentered,
    PlayerStayedOut,
    PointsAdjusted,
    RoundPlayed,
    Struck,
)
from games.scoring.rounds import RoundEntry
from games.scoring.text.notation import parse_hand
from tests.factories import build_round, new_key, start
from tests.reader import change_lines, fields, read_page

pytestmark = pytest.mark.django_db


def _address(game, number):
    return reverse("correct", args=[game.code, number])


def _payload(game, **changes):
    """Return the fields that correct round 1: 24 points for Beto instead of 23."""
    usual = {
        "after": len(game.log()), "key": new_key(), "closer": "ana", "closing": "out",
        "hand_ana": "", "hand_beto": "24", "hand_caro": "40", "hand_dani": "9",
    }  # fmt: skip
    return fields(**{**usual, **changes})


@pytest.fixture
def game(game, write):
    """A game with two rounds: event 2, closed by Ana, and event 3, closed by Beto."""
    write(game, build_round("ana", beto=23, caro=40, dani=9))
    write(game, build_round("beto", ana=5, caro=20, dani=30))
    return game


def test_the_pad_shows_the_round_with_its_recorded_values(ana, game, write):
    hands = (("beto", parse_hand("[K 7 *]")), ("caro", parse_hand("0")), ("dani", parse_hand("9")))
    write(game, RoundPlayed(RoundEntry("ana", "in_one_go", hands)))
    response = ana.get(_address(game, 4))
    page = read_page(response)

    assert "Correct round 3" in page.only("h1").text
    assert ("ana", "in_one_go") == (page.typed("closer"), page.typed("closing"))
    assert ("", "[K 7 *]", "0", "9") == tuple(
        page.typed(f"hand-{name}") for name in ("ana", "beto", "caro", "dani")
    )


def test_the_pad_has_a_field_only_for_players_dealt_into_the_round(ana, game, write):
    write(game, PlayerLeft("dani"))
    write(game, build_round("ana", beto=1, caro=2))

    assert ["ana", "beto", "caro"] == read_page(ana.get(_address(game, 5))).only("form", id="entry").allowed(
        "closer"
    )
    assert "9" == read_page(ana.get(_address(game, 2))).typed("hand-dani")


def test_the_start_and_unknown_events_are_not_corrected_and_nothing_is_inserted_before_them(
    subtests, ana, game
):
    for address in (of(game, number) for of in (_address, _insert_address) for number in (0, 1, 4, 10**23)):
        with subtests.test(address):
            tried = [ana.post(where, _payload(game)) for where in (address, f"{address}?preview")]
            assert [404] * 3 == [answer.status_code for answer in (ana.get(address), *tried)]


def test_a_correction_of_a_round_struck_meanwhile_shows_the_sheet_with_the_news(ana, game, write):
    payload = _payload(game)
    write(game, Struck(3))
    response = ana.post(_address(game, 3), payload)

    assert (409, "Recorded in the meantime:") == (response.status_code, read_page(response).notices[0])


# --- refusals at their fields -----------------------------------------------------------------------------------------


def test_a_corrected_or_inserted_round_is_refused_beside_its_field_and_stays_typed(subtests, ana, game):
    cards = "[K K K K K K K K K]"
    for address, text, sentence in [
        (_address(game, 2), cards, "The pack has only 8 × K; with this hand the round would have 9."),
        (_insert_address(game), "", "Beto's hand is missing."),
    ]:
        with subtests.test(address=address):
            response = ana.post(address, _payload(game, hand_beto=text))
            page = read_page(response)

            assert (422, sentence) == (response.status_code, page.said_at("hand-beto"))
            assert (text, "40") == (page.typed("hand-beto"), page.typed("hand-caro"))


# --- what is no round -------------------------------------------------------------------------------------------------


@pytest.fixture
def night(game, write):
    """The game with more events: 4 is a penalty, 5 busts Beto and Caro, 6 and 7 are their answers."""
    write(game, PointsAdjusted("dani", 5, "se paró"))
    write(game, build_round("ana", beto=90, caro=90, dani=1))
    write(game, PlayerReentered("beto"))
    write(game, PlayerStayedOut("caro"))
    return game


@pytest.mark.parametrize(
    ("number", "choice", "changes"),
    [
        (4, {"to": "penalty", "points": "-5", "reason": "se paró"}, ["D Dani 45 → 35"]),
        (4, {"to": "strike"}, ["D Dani 45 → 40"]),
        (
            6,
            {"to": "stay_out"},
            [
                "B Beto In → out · no longer comes back after round 3 at 45 45 → 113",
                "Pot $500 → $400",
            ],
        ),
        (
            7,
            {"to": "reenter"},
            [
                "C Caro Out → in · bust with 150 in round 3, comes back at 45 150 → 45",
                "Pot $500 → $600",
                "C Caro, money so far −$100 → −$200",
            ],
        ),
    ],
)
def test_a_correction_of_another_event_shows_what_changes(ana, night, number, choice, changes):
    page = read_page(ana.post(_address(night, number), fields(after=7, key=new_key(), **choice)))

    assert set(changes) <= set(change_lines(page))
    assert 7 == Record.objects.count()


@pytest.mark.parametrize("to", ["", "reenter", "<b>"])
def test_an_action_that_was_not_offered_gets_404(ana, night, to):
    response = ana.post(_address(night, 4), fields(after=7, key=new_key(), to=to))

    assert 404 == response.status_code


def test_a_penalty_is_shown_and_an_invalid_correction_of_it_is_refused_at_its_field(ana, night):
    page = read_page(ana.get(_address(night, 4)))
    assert "Dani +5: se paró" in page.only("h1").text
    assert ("5", "se paró") == (page.typed("points"), page.typed("reason"))

    payload = fields(after=7, key=new_key(), to="penalty", points="diez", reason="se paró")
    response = ana.post(_address(night, 4), payload)
    page = read_page(response)

    assert (422, "Write a number of points, such as 10 or -5.") == (
        response.status_code,
        page.said_at("points"),
    )
    assert ("diez", "se paró", 7) == (page.typed("points"), page.typed("reason"), Record.objects.count())


# --- a forgotten round -------------------------------------------------------------------------------------------------


def _insert_address(game, number=3):
    return reverse("insert-round", args=[game.code, number])


def test_an_inserted_round_shows_its_consequences_and_is_recorded_when_confirmed(ana, game):
    page = read_page(ana.get(_insert_address(game)))
    assert "Missing round 2 Tap the player who went out" == page.only("h1").text
    assert ("", "", "3") == (page.typed("closer"), page.typed("hand-beto"), page.typed("after"))

    hands = {"hand_ana": "1", "hand_beto": "2", "hand_caro": "3", "hand_dani": ""}
    response = ana.post(_insert_address(game), _payload(game, closer="dani", **hands))
    page = read_page(response)

    assert (200, 3) == (response.status_code, Record.objects.count())
    assert "Add a round before round 2" in page.only("h1").text
    lines = change_lines(page)
    assert {"A Ana 5 → 6", "B Beto 23 → 25", "C Caro 60 → 63", "Deals next Caro → Dani"} <= set(lines)

    form, button = page.form_with("Save")
    response = ana.post(form.attrs["action"], {**form.fields, "confirm": button.attrs["value"]})
    assert ["ana", "dani", "beto"] == [played.closer for played in game.state().rounds]
    assert "Added: round 2" in read_page(ana.get(response.url)).last


# --- the rules, from the start -----------------------------------------------------------------------------------------


@pytest.fixture
def started_game(table, owner):
    return start(table, owner, stake=100)


def _rules(client, game, **options):
    """Return the fields of the form as shown, with these options changed."""
    (form,) = read_page(client.get(reverse("correct-rules", args=[game.code]))).every("form")
    return {**form.fields, **fields(**options)}


def test_corrected_rules_show_what_they_change_and_are_recorded_when_confirmed(ana, started_game, write):
    write(started_game, build_round("ana", beto=23, caro=40, dani=9))
    data = _rules(ana, started_game, option_stake="200")
    assert "left" == data["direction"]
    response = ana.post(reverse("correct-rules", args=[started_game.code]), {**data, "direction": "right"})
    page = read_page(response)

    assert (200, 2) == (response.status_code, Record.objects.count())
    assert {
        "Pot $400 → $800",
        "The deal goes to the left → to the right",
        "Deals next Beto → Dani",
    } <= {*change_lines(page)}
    form, button = page.form_with("Save")
    response = ana.post(form.attrs["action"], {**form.fields, "confirm": button.attrs["value"]})
    state = started_game.state()
    assert (302, 200) == (response.status_code, state.house["stake"])
    assert ("right", "dani") == (state.direction, state.dealer)
    assert "right" == read_page(ana.get(reverse("correct-rules", args=[started_game.code]))).typed(
        "direction"
    )
    assert ["Corrected: how the game started"] == read_page(ana.get(response.url)).last


def test_a_rule_that_needs_another_is_cleared_with_it(ana, table, owner):
    game = start(table, owner, variant="chinchon", wilds="ace_of_coins", wild_chinchon=-25)
    data = _rules(ana, game, option_wilds="none")
    assert "-25" == data["option-wild_chinchon"]
    form, button = read_page(ana.post(reverse("correct-rules", args=[game.code]), data)).form_with("Save")
    ana.post(form.attrs["action"], {**form.fields, "confirm": button.attrs["value"]})

    assert ("none", "wins") == (game.state().house["wilds"], game.state().house["wild_chinchon"])


@pytest.mark.parametrize(
    ("field", "value", "sentence"),
    [
        ("option-stake", "-1", "“-1” is not allowed for "),
        ("direction", "up", "The deal can go to the left or to the right."),
    ],
)
def test_a_rule_that_is_not_allowed_is_refused_at_its_field(ana, started_game, field, value, sentence):
    response = ana.post(
        reverse("correct-rules", args=[started_game.code]), {**_rules(ana, started_game), field: value}
    )
    page = read_page(response)

    assert (422, 1) == (response.status_code, Record.objects.count())
    assert page.said_at(field).startswith(sentence)
