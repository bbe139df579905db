"""Posted fields read into what they say: shape only, the rules judge."""

from __future__ import annotations

import pytest

from games.forms import read_points, read_round, read_typed_hand
from games.scoring.errors import NotationError
from games.scoring.events import GameStarted, Player, PlayerLeft
from games.scoring.replay import replay
from games.scoring.rounds import RoundEntry
from games.scoring.writing import write_hand

START = GameStarted("loba_menos", (), tuple(Player(name, name.title()) for name in ("ana", "beto", "caro")))


@pytest.mark.parametrize(
    ("typed", "written"),
    [
        ("23", "23"),
        ("0", "0"),
        ("-4", "-4"),
        ("\u22124", "-4"),
        ("007", "7"),
        ("k 7 *", "[K 7 *]"),
        ("K 7 ★", "[K 7 *]"),
        ("k,7,*", "[K 7 *]"),
        ("[k 7 *]", "[K 7 *]"),
        ("[K,7,*]", "[K 7 *]"),
        ("[ K  7 ]", "[K 7]"),
        ("KH 7S", "[KH 7S]"),
        ("a", "[A]"),
        ("*", "[*]"),
        ("10 10", "[10 10]"),
        ("[10]", "[10]"),
        ("[]", "[]"),
        ("{A 2 Q}[4]", "{A 2 Q}[4]"),
        ("45+2", "45+2"),
    ],
)
def test_a_hand_is_read_however_it_is_typed(typed, written):
    assert written == write_hand(read_typed_hand(typed))


@pytest.mark.parametrize(
    "typed", ["x", "veinte", "23.5", "23,5", "1e3", "[K", "K]", "[[K]]", "B", "\u0968", "--4", '"']
)
def test_what_is_no_hand_is_refused(typed):
    with pytest.raises(NotationError):
        read_typed_hand(typed)


@pytest.mark.parametrize(
    ("typed", "points"),
    [
        ("10", 10),
        ("+10", 10),
        ("-10", -10),
        ("\u221210", -10),
        (" 7 ", 7),
        ("0", 0),
        ("999999999", 999999999),
    ],
)
def test_points_have_an_optional_sign(typed, points):
    assert points == read_points(typed)


@pytest.mark.parametrize("typed", ["", "diez", "1.5", "1,5", "--1", "+-1", "1" * 10, "\u0661", "1 0", "0x10"])
def test_what_is_no_number_gives_none(typed):
    assert read_points(typed) is None


def test_a_round_is_read_from_its_fields():
    form = read_round(
        {"closer": "ana", "closing": "in_one_go", "hand-beto": "23", "hand-caro": "k"}, replay((START,))
    )

    assert {} == form.errors
    assert ("ana", "in_one_go") == (form.entry.closer, form.entry.closing)
    assert {"beto": "23", "caro": "[K]"} == {player: write_hand(hand) for player, hand in form.entry.hands}


def test_blank_is_not_zero():
    form = read_round(
        {"closer": "ana", "closing": "out", "hand-beto": " ", "hand-caro": "0"}, replay((START,))
    )

    assert ["hand-beto"] == list(form.errors)


def test_who_went_out_may_be_left_blank_and_whoever_plays_no_more_is_not_read():
    state = replay((START, PlayerLeft("caro")))
    form = read_round({"closer": "ana", "closing": "out", "hand-beto": "5", "hand-caro": "99"}, state)

    assert ({}, ["beto"]) == (form.errors, [player for player, _hand in form.entry.hands])


def test_without_a_way_to_close_it_is_the_usual_one():
    form = read_round({"closer": "ana", "hand-beto": "5", "hand-caro": "9"}, replay((START,)))

    assert "out" == form.entry.closing


def test_nothing_at_all_is_wrong_everywhere():
    form = read_round({}, replay((START,)))

    assert ["closer", "hand-ana", "hand-beto", "hand-caro"] == list(form.errors)
    assert RoundEntry(None, "out", ()) == form.entry


def test_nobody_went_out_when_it_is_said_so():
    form = read_round(
        {"closer": "nobody", "closing": "stock_out", "hand-ana": "1", "hand-beto": "5", "hand-caro": "9"},
        replay((START,)),
    )

    assert ({}, None) == (form.errors, form.entry.closer)
