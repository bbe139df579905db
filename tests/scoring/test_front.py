"""The main functions of the library: games, hands, contracts, rules, settlements."""

from __future__ import annotations

from dataclasses import replace

import pytest

from games.scoring import Game, least_leftover, read_games, score_hand, settle
from games.scoring.errors import NotationError, RefusedLine, RuleError, UnreadableLine
from games.scoring.i18n import _
from games.scoring.rule_types import Closing
from games.scoring.variants import VARIANTS

HEAD = "game loba_menos reentries=0\nplayers ana beto\n"


# --- games ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("amount", [1.5, 2.0, True, "5.0", None, [5]])
def test_an_amount_that_is_no_whole_number_is_refused(amount):
    with pytest.raises(ValueError, match="not a whole number"):
        settle({"ana": amount, "beto": -5})
    refusal, sentence = (
        (RuleError, "{}: “5.0” is not allowed for")
        if amount == "5.0"
        else (TypeError, "{} is a whole number or text, not ")
    )
    with pytest.raises(refusal, match=sentence.format("stake")):
        Game.begin("loba_menos", ["ana", "beto"], stake=amount)
    with pytest.raises(refusal, match=sentence.format("ace")):
        score_hand("loba_menos", "[K]", ace=amount)


def test_a_player_in_two_seats_is_refused():
    with pytest.raises(RuleError, match="ana has two seats"):
        Game.begin("points", ["ana", "ana"])


def test_a_closer_in_a_points_game_gets_the_bonus_without_a_typed_hand(monkeypatch):
    points, text = VARIANTS["points"], _("{name} served")
    served = Closing(key="served", name=text, short=text, sentence=text, bonus=5, wins_game=True)

    def with_served(house):
        built = points.build(house)
        return replace(built, closings=(*built.closings, served))

    monkeypatch.setitem(VARIANTS, "served", replace(points, key="served", build=with_served))
    for hands, totals in ((" beto=7", [5, 7]), ("", [5, 0])):
        game = Game.begin("served", ["ana", "beto"], target=100).play(f"round ana served{hands}")
        assert totals == [player.total for player in game.state.players]


def test_a_game_played_line_by_line_equals_the_game_of_its_text():
    lines = ["round ana out beto=50", "correct 2 round ana out beto=60", "round beto out ana=101"]
    game = new_game = Game.begin("loba_menos", ["ana", "beto"], reentries=0)
    for line in lines:
        game = game.play(line)

    assert game == Game.from_text(HEAD + "\n".join(lines))
    assert new_game == Game.from_text(HEAD) == new_game.play("# nothing happened")


def test_begin_accepts_names_a_dealer_and_a_direction():
    game = Game.begin("chinchon", {"ana": "Ana", "beto": "Beto"}, dealer="beto", direction="left", pack=40)
    text = 'game chinchon pack=40 dealer=beto direction=left\nplayers ana="Ana" beto="Beto"\n'

    assert Game.from_text(text) == game


def test_begin_refuses_a_name_that_is_not_what_it_seems():
    with pytest.raises(RuleError):
        Game.begin("points", {"ana": "Ana\N{ZERO WIDTH SPACE}", "beto": "Ana"})


@pytest.mark.parametrize(
    ("line", "error"),
    [
        ("round ana", NotationError),
        ("leave zoe", RuleError),
        ("strike 1", RuleError),
        ('adjust ana=5 "late\N{ZERO WIDTH SPACE}"', RuleError),
    ],
)
def test_an_invalid_line_raises_its_error(line, error):
    with pytest.raises(error):
        Game.from_text(HEAD).play(line)


@pytest.mark.parametrize(
    ("text", "error", "line"),
    [
        ("", UnreadableLine, 1),
        (HEAD + "\nshuffle", UnreadableLine, 4),
        (HEAD + "leave zoe", RefusedLine, 3),
        ("game poker\nplayers ana beto", RefusedLine, 1),
        ("tags date=today\n" + HEAD, UnreadableLine, 1),
        (f"tags\n{HEAD}tags\n{HEAD}", UnreadableLine, 4),
    ],
)
def test_an_invalid_text_raises_an_error_with_its_line(text, error, line):
    with pytest.raises(error) as raised:
        Game.from_text(text)

    assert line == raised.value.line


def test_failed_expectations_are_listed_with_their_lines():
    game = Game.from_text(HEAD + "expect pot 3\nexpect totals zoe=0\nrefuse leave ana\nexpect playing\n")

    assert [3, 4, 5] == [problem.line for problem in game.unmet]
    assert "expected pot 3, found 20" == game.unmet[0].text


def test_a_collection_is_read_from_a_path_or_from_lines(tmp_path):
    path = tmp_path / "nights.games"
    path.write_text(f"tags date=2026-11-21\n{HEAD}tags\n{HEAD}round ana out beto=5\n")

    games = list(read_games(path))
    assert [("2026-11-21", 0), (None, 1)] == [
        (game.tags.get("date"), len(game.state.rounds)) for game in games
    ]
    assert games == list(read_games(str(path))) == [Game.from_text(game.text()) for game in games]
    assert games == list(read_games(path.read_text().splitlines()))


# --- hands, contracts, rules, settlements -----------------------------------------------------------------


@pytest.mark.parametrize(
    ("variant", "hand", "reason"),
    [
        ("loba_menos", "[K 7 *]", "loba_menos counts no leftovers"),
        ("chinchon", "[1o 2o 3o]", "a hand is 7 cards with their suits"),
        ("chinchon", "[1 2 3 4 5 6 7]", "a hand is 7 cards with their suits"),
    ],
)
def test_least_leftover_refuses_incomplete_hands_and_other_variants(variant, hand, reason):
    with pytest.raises(ValueError, match=reason):
        least_leftover(variant, hand)
