"""Posted fields parsed into values: only their syntax is checked here; the rules check the rest."""

from __future__ import annotations

import pytest
from django.utils.translation import override

from games.play.pages.forms import read_points, read_round
from games.scoring.cards import TWO_FRENCH_PACKS
from games.scoring.errors import NotationError
from games.scoring.events import GameStarted, Player, PlayerLeft
from games.scoring.replay import replay
from games.scoring.rounds import RoundEntry
from games.scoring.text.typed import read_typed_hand
from games.scoring.text.writing import write_hand
from games.scoring.variants import find_variant

PLAYERS = tuple(Player(name, name.title()) for name in ("ana", "beto", "caro"))
START = GameStarted("loba_menos", (), PLAYERS)
CHINCHON = find_variant("chinchon")
SPANISH_PACK = CHINCHON.build(CHINCHON.house()).deck


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
        ("45 + 2", "45+2"),
        ("k 7 +2", "[K 7]+2"),
        ("[k 7] + 2", "[K 7]+2"),
        ("7+2", "7+2"),
        ("KK7*", "[K K 7 *]"),
        ("10j10", "[10 J 10]"),
        ("kh7s 9c", "[KH 7S 9C]"),
        ("{9 9 9} {10 j q}[4 a]", "{9 9 9}{10 J Q}[4 A]"),
        ("{9 9 9} 4 a", "{9 9 9}[4 A]"),
        ("{9h 9d 9c}", "{9H 9D 9C}"),
        ("{10 2=j q ★=k a}[ ]", "{10 2=J Q *=K A}[]"),
        ("{10 2=jq*=ka}", "{10 2=J Q *=K A}"),
        ("5o", "[5o]"),
        ("12o", "[12o]"),
    ],
)
def test_typed_french_cards_are_normalised(typed, written):
    assert written == write_hand(read_typed_hand(typed, TWO_FRENCH_PACKS))


@pytest.mark.parametrize(
    ("typed", "written"),
    [
        ("23", "23"),
        ("12 7 4", "[12 7 4]"),
        ("7", "7"),
        ("[7]", "[7]"),
        ("5o 6o 7o 4b 1c 3e 10b", "[5o 6o 7o 4b 1c 3e 10b]"),
        ("5O,6O,7O,4B,1C,3E,10B", "[5o 6o 7o 4b 1c 3e 10b]"),
        ("5o6o7o4b1c3e10b", "[5o 6o 7o 4b 1c 3e 10b]"),
        ("1o *", "[1o *]"),
        ("[]", "[]"),
    ],
)
def test_typed_spanish_cards_are_normalised(typed, written):
    assert written == write_hand(read_typed_hand(typed, SPANISH_PACK))


@pytest.mark.parametrize(
    "typed", ["x", "veinte", "23.5", "23,5", "1e3", "[K", "K]", "[[K]]", "B", "\u0968", "--4", '"']
)
def test_an_invalid_hand_is_refused(typed):
    with pytest.raises(NotationError):
        read_typed_hand(typed, TWO_FRENCH_PACKS)


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


@pytest.mark.parametrize("typed", ["1.204", "1,204", "1\u00a0204", "1\u202f204", "+1.204"])
def test_points_accept_the_thousands_separators_of_all_regions(typed):
    assert 1204 == read_points(typed)


@pytest.mark.parametrize("typed", ["", "diez", "1.5", "1,5", "--1", "+-1", "1" * 10, "\u0661", "1 0", "0x10"])
def test_points_that_are_not_a_whole_number_are_parsed_as_none(typed):
    assert read_points(typed) is None


def test_a_blank_hand_is_an_error_and_a_zero_is_not():
    form = read_round(
        {"closer": "ana", "closing": "out", "hand-beto": " ", "hand-caro": "0"}, replay((START,))
    )

    assert ["hand-beto"] == list(form.errors)


def test_the_closers_hand_may_be_blank_and_the_hand_of_a_player_who_left_is_ignored():
    state = replay((START, PlayerLeft("caro")))
    form = read_round({"closer": "ana", "closing": "out", "hand-beto": "5", "hand-caro": "99"}, state)

    assert ({}, ["beto"]) == (form.errors, [player for player, _hand in form.entry.hands])


def test_a_missing_closing_defaults_to_the_usual_one():
    form = read_round({"closer": "ana", "hand-beto": "5", "hand-caro": "9"}, replay((START,)))

    assert "out" == form.entry.closing


def test_an_empty_form_has_an_error_at_every_field():
    form = read_round({}, replay((START,)))

    assert ["closer", "hand-ana", "hand-beto", "hand-caro"] == list(form.errors)
    assert RoundEntry(None, "out", ()) == form.entry


def test_the_closer_is_none_if_nobody_was_chosen():
    form = read_round(
        {"closer": "nobody", "closing": "stock_out", "hand-ana": "1", "hand-beto": "5", "hand-caro": "9"},
        replay((START,)),
    )

    assert ({}, None) == (form.errors, form.entry.closer)


# --- what each way to close asks for ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("variant", "posted", "missing"),
    [
        ("loba_mas", {"closer": "ana", "closing": "out", "hand-beto": "-4"}, ["hand-ana", "hand-caro"]),
        ("chinchon", {"closer": "ana", "closing": "cut", "hand-beto": "4", "hand-caro": "9"}, ["hand-ana"]),
        ("chinchon", {"closer": "ana", "closing": "closed", "hand-beto": "4", "hand-caro": "9"}, []),
        ("chinchon", {"closer": "ana", "closing": "chinchon"}, []),
        ("chinchon", {"closer": "nobody", "closing": "stock_out"}, ["hand-ana", "hand-beto", "hand-caro"]),
    ],
)
def test_each_way_to_close_asks_for_its_own_hands(variant, posted, missing):
    assert missing == list(read_round(posted, replay((GameStarted(variant, (), PLAYERS),))).errors)


def test_a_chinchon_for_points_needs_the_hands_of_the_others():
    game = replay((GameStarted("chinchon", (("chinchon", -50),), PLAYERS),))
    form = read_round({"closer": "ana", "closing": "chinchon", "hand-beto": "5"}, game)

    assert ["hand-caro"] == list(form.errors)


def test_a_cut_without_a_closer_is_refused():
    post = {"closing": "closed", "hand-ana": "1", "hand-beto": "4", "hand-caro": "9"}
    with override("en"):
        form = read_round(post, replay((GameStarted("chinchon", (), PLAYERS),)))

    assert {"closer": "Choose who cut."} == form.errors


def test_the_form_keeps_the_hands_exactly_as_they_were_typed():
    form = read_round({"closer": "ana", "hand-beto": " k 7 ", "hand-caro": "queso"}, replay((START,)))

    assert {"beto": " k 7 ", "caro": "queso"} == form.texts
