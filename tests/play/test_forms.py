"""Posted fields parsed into values: only their syntax is checked here; the rules check the rest."""

from __future__ import annotations

import pytest
from django.utils.translation import override

from games.play.presenters import round_form
from games.scoring.cards import TWO_FRENCH_PACKS
from games.scoring.errors import NotationError
from games.scoring.events import GameStarted, Player, PlayerLeft
from games.scoring.replay import replay
from games.scoring.text.game_file import parse_game_file, play_game_file
from games.scoring.text.hand_input import parse_hand_input
from games.scoring.text.notation_writer import write_hand
from games.scoring.variants import get_variant

PLAYERS = tuple(Player(name, name.title()) for name in ("ana", "beto", "caro"))
START = GameStarted("loba_menos", (), PLAYERS)
CHINCHON = get_variant("chinchon")
SPANISH_PACK = CHINCHON.build(CHINCHON.house()).deck


FRENCH = [
    ("23", "23"),
    ("\u22124", "-4"),
    ("k 7 *", "[K 7 *]"),
    ("K 7 ★", "[K 7 *]"),
    ("[K,7,*]", "[K 7 *]"),
    ("KH 7S", "[KH 7S]"),
    ("[]", "[]"),
    ("{A 2 Q}[4]", "{A 2 Q}[4]"),
    ("45+2", "45+2"),
    ("k 7 +2", "[K 7]+2"),
    ("KK7*", "[K K 7 *]"),
    ("kh7s 9c", "[KH 7S 9C]"),
    ("{9 9 9} {10 j q}[4 a]", "{9 9 9}{10 J Q}[4 A]"),
    ("{10 2=j q ★=k a}[ ]", "{10 2=J Q *=K A}[]"),
    ("{10 2=jq*=ka}", "{10 2=J Q *=K A}"),
    ("5o", "[5o]"),
]
SPANISH = [
    ("12 7 4", "[12 7 4]"),
    ("7", "7"),
    ("5o 6o 7o 4b 1c 3e 10b", "[5o 6o 7o 4b 1c 3e 10b]"),
    ("5o6o7o4b1c3e10b", "[5o 6o 7o 4b 1c 3e 10b]"),
    ("1o *", "[1o *]"),
]


def test_typed_cards_are_normalised(subtests):
    for pack, hands in ((TWO_FRENCH_PACKS, FRENCH), (SPANISH_PACK, SPANISH)):
        for text, written in hands:
            with subtests.test(typed=text):
                assert written == write_hand(parse_hand_input(text, pack))


@pytest.mark.parametrize(
    "text", ["x", "veinte", "23.5", "23,5", "1e3", "[K", "K]", "[[K]]", "B", "\u0968", "--4", '"']
)
def test_an_invalid_hand_is_refused(text):
    with pytest.raises(NotationError):
        parse_hand_input(text, TWO_FRENCH_PACKS)


@pytest.mark.parametrize(
    ("text", "points"),
    [
        ("10", 10),
        ("+10", 10),
        ("\u221210", -10),
        ("999999999", 999999999),
        *((text, 1204) for text in ("1.204", "1,204", "1\u00a0204", "1\u202f204", "+1.204")),
    ],
)
def test_points_have_an_optional_sign_and_the_separators_of_all_regions(text, points):
    assert points == round_form.parse_points(text)


@pytest.mark.parametrize("text", ["", "diez", "1.5", "1,5", "--1", "+-1", "1" * 10, "\u0661", "1 0", "0x10"])
def test_points_that_are_not_a_whole_number_are_parsed_as_none(text):
    assert round_form.parse_points(text) is None


def test_the_closers_hand_may_be_blank_and_the_hand_of_a_player_who_left_is_ignored():
    state = replay((START, PlayerLeft("caro")))
    form = round_form.parse_round(
        {"closer": "ana", "closing": "out", "hand-beto": "5", "hand-caro": "99"}, state
    )

    assert ({}, ["beto"]) == (form.errors, [player for player, _hand in form.entry.hands])


# --- what each way to close asks for ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("variant", "closer", "closing", "hands", "wrong"),
    [
        ("loba_menos", "", "", {}, ["closer", "hand-ana", "hand-beto", "hand-caro"]),
        ("loba_menos", "ana", "", {"beto": " ", "caro": "0"}, ["hand-beto"]),
        ("loba_mas", "ana", "out", {"beto": "-4"}, ["hand-ana", "hand-caro"]),
        ("chinchon", "ana", "cut", {"beto": "4", "caro": "9"}, ["hand-ana"]),
        ("chinchon", "ana", "closed", {"beto": "4", "caro": "9"}, []),
        ("chinchon", "", "closed", {"ana": "1", "beto": "4", "caro": "9"}, ["closer"]),
        ("chinchon", "ana", "chinchon", {}, []),
        ("chinchon chinchon=-50", "ana", "chinchon", {"beto": "5"}, ["hand-caro"]),
        ("chinchon", "nobody", "stock_out", {}, ["hand-ana", "hand-beto", "hand-caro"]),
        ("chinchon", "nobody", "stock_out", {"ana": "1", "beto": "5", "caro": "9"}, []),
    ],
)
def test_each_way_to_close_asks_for_its_own_hands(variant, closer, closing, hands, wrong):
    start = play_game_file(parse_game_file(f"game {variant}\nplayers ana beto caro"))
    data = {"closer": closer, "closing": closing, **{f"hand-{slug}": hand for slug, hand in hands.items()}}
    form = round_form.parse_round(data, replay(start.log))

    assert wrong == list(form.errors)
    assert form.entry.closer == (closer if closer == "ana" else None)


@pytest.mark.parametrize(
    ("data", "hands"),
    [
        (
            {"closer": "ana", "closing": "out", "hand-ana": "", "hand-tia_ana": "[K 7]", "hand-beto": " 9 "},
            [("ana", "ended the round"), ("tia ana", "[K 7]"), ("beto", "9")],
        ),
        ({"closer": "ana", "hand-ana": "3", "hand-beto": "9"}, [("ana", "3"), ("beto", "9")]),
        ({"closer": "<b>", "hand-<i>": "9", "hand-beto": "9" * 300}, [("beto", "9" * 200)]),
        ({"player": "beto", "answer": "reenter", "closer": "ana"}, []),
        *(({"closer": closer, "hand-beto": "9"}, [("beto", "9")]) for closer in ("nobody", "other")),
    ],
)
def test_an_unrecorded_round_shows_the_hands_as_they_were_typed(data, hands):
    with override("en"):
        assert hands == round_form.unrecorded_hands(data)
