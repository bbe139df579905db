"""Games as text: the meaning of each statement, and texts that cannot be parsed."""

from __future__ import annotations

from pathlib import Path

import pytest

from games.scoring.cards import Card
from games.scoring.errors import NotationError, RuleError
from games.scoring.events import (
    Corrected,
    DealPassed,
    Event,
    GameStopped,
    Inserted,
    Player,
    PlayerJoined,
    PlayerLeft,
    PlayerReentered,
    PlayersSeated,
    PlayerStayedOut,
    PointsAdjusted,
    RoundPlayed,
    RulesAgreed,
    SeatHandedOver,
    Stop,
    Struck,
    TotalsAgreed,
)
from games.scoring.rounds import Hand, RoundEntry
from games.scoring.text.notation import (
    read_hand,
    read_line,
    read_number,
    read_players,
    read_rules,
    split_line,
)
from games.scoring.text.writing import write_hand
from games.scoring.variants import find_variant

UNREADABLE = Path(__file__).parent / "data" / "unreadable.txt"
KING, SEVEN, JOKER = Card("K"), Card("7"), Card("*")
AGREED = find_variant("loba_menos").house({"stake": 5}).options


def a_round(closer: str | None, closing: str = "out", **hands: Hand) -> RoundPlayed:
    return RoundPlayed(RoundEntry(closer, closing, tuple(hands.items())))


@pytest.mark.parametrize(
    ("line", "events"),
    [
        ("", ()),
        ("   \t ", ()),
        ("# nothing", ()),
        ("round caro out ana=23", (a_round("caro", ana=Hand(points=23)),)),
        ("round caro out", (a_round("caro"),)),
        ("round nobody stock_out ana=[]", (a_round(None, "stock_out", ana=Hand(held=())),)),
        ("round caro out ana=[K 7 *]", (a_round("caro", ana=Hand(held=(KING, SEVEN, JOKER))),)),
        ("round caro out ana=[ K\t7  * ]", (a_round("caro", ana=Hand(held=(KING, SEVEN, JOKER))),)),
        ('  round\tcaro   out   # [ " ;', (a_round("caro"),)),
        ("round caro out#x", (a_round("caro"),)),
        ("reenter ana", (PlayerReentered("ana"),)),
        ("stay_out ana", (PlayerStayedOut("ana"),)),
        ("leave after", (PlayerLeft("after"),)),
        ("join ana", (PlayerJoined(Player("ana", "ana")),)),
        ('join ana="A # ; [ ] B"', (PlayerJoined(Player("ana", "A # ; [ ] B")),)),
        ("join ana after=beto", (PlayerJoined(Player("ana", "ana"), "beto"),)),
        ("join after after=after", (PlayerJoined(Player("after", "after"), "after"),)),
        ('join after="After" after=by', (PlayerJoined(Player("after", "After"), "by"),)),
        ("replace by by by", (SeatHandedOver("by", Player("by", "by")),)),
        ('replace ana by eva="Eva"', (SeatHandedOver("ana", Player("eva", "Eva")),)),
        ('adjust ana=+5 "multa"', (PointsAdjusted("ana", 5, "multa"),)),
        ('adjust ana=5 "multa"', (PointsAdjusted("ana", 5, "multa"),)),
        ('adjust ana=-5 "regalo # ; {"', (PointsAdjusted("ana", -5, "regalo # ; {"),)),
        ('adjust ana=-0 "nada"', (PointsAdjusted("ana", 0, "nada"),)),
        ("deal round", (DealPassed("round"),)),
        ("stop lowest_wins", (GameStopped(Stop.LOWEST_WINS),)),
        ("stop highest_wins", (GameStopped(Stop.HIGHEST_WINS),)),
        ("stop split_pot", (GameStopped(Stop.SPLIT_POT),)),
        ("stop refund", (GameStopped(Stop.REFUND),)),
        ("agree ana=-4 beto=007", (TotalsAgreed((("ana", -4), ("beto", 7))),)),
        ("correct 3 leave ana", (Corrected(3, PlayerLeft("ana")),)),
        ("before 3 reenter ana", (Inserted(3, PlayerReentered("ana")),)),
        ("strike 12", (Struck(12),)),
        ("strike 5 ; strike 6", (Struck(5), Struck(6))),
        ("strike 5;strike 6;leave ana", (Struck(5), Struck(6), PlayerLeft("ana"))),
        ("correct 1 game loba_menos stake=5", (Corrected(1, RulesAgreed("loba_menos", AGREED, "", "left")),)),
        (
            "correct 1 game loba_menos dealer=ana stake=5 direction=right",
            (Corrected(1, RulesAgreed("loba_menos", AGREED, "ana", "right")),),
        ),
        (
            'correct 1 players ana beto="B"',
            (Corrected(1, PlayersSeated((Player("ana", "ana"), Player("beto", "B")))),),
        ),
    ],
)
def test_a_line_is_parsed_into_its_events(line: str, events: tuple[Event, ...]):
    assert events == read_line(line)


def test_a_line_in_no_known_form_is_unreadable(subtests):
    """The lines are in `data/unreadable.txt`; a line that begins with ## is a heading."""
    lines = [line for line in UNREADABLE.read_text(encoding="utf-8").splitlines()[1:] if line]
    for line in lines:
        if not line.startswith("##"):
            with subtests.test(line), pytest.raises(NotationError):
                read_line(line)
    assert 100 < len(lines)


@pytest.mark.parametrize(
    "rules",
    [
        "poker",
        *(
            f"loba_menos {option}"
            for option in (
                *("colour=red", "stake=much", "stake=+5", "stake=-1", "stake=1000000001", "out_at=49"),
                *("reentries=10", "in_one_go=1", "floor=1", "ending=never", "ace=\N{FULLWIDTH DIGIT FIVE}"),
            )
        ),
    ],
)
def test_an_unknown_game_option_or_value_is_refused(rules: str):
    with pytest.raises(RuleError):
        read_line(f"correct 1 game {rules}")


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("0", 0),
        ("-0", 0),
        ("-17", -17),
        ("007", 7),
        ("0" * 60 + "5", 5),
        ("-" + "0" * 60 + "5", -5),
        ("1" + "0" * 20, 10**20),
    ],
)
def test_a_number_has_ascii_digits(text: str, number: int):
    assert number == read_number(text)


def test_an_extremely_long_number_is_parsed_as_a_large_one():
    assert read_number("9" * 100_000) > 10**15


@pytest.mark.parametrize("text", ["", "-", "+5", "5 ", "1_000", "5.", "0x5", "\N{FULLWIDTH DIGIT FIVE}", "½"])
def test_an_invalid_number_is_refused(text: str):
    with pytest.raises(NotationError):
        read_number(text)


@pytest.mark.parametrize(
    ("text", "hand"),
    [
        ("0", Hand(points=0)),
        ("-4", Hand(points=-4)),
        ("45+2", Hand(points=45, bought=2)),
        ("[]", Hand(held=())),
        ("[K 7 *]", Hand(held=(KING, SEVEN, JOKER))),
        ("[K 7]+2", Hand(held=(KING, SEVEN), bought=2)),
        ("[10H AC]", Hand(held=(Card("10", "H"), Card("A", "C")))),
        ("[12o 1b]", Hand(held=(Card("12", "o"), Card("1", "b")))),
        ("[*=7 2=K]", Hand(held=(Card("*", "", "7"), Card("2", "", "K")))),
        ("{7 K}{K}[*]", Hand(held=(JOKER,), melds=((SEVEN, KING), (KING,)))),
        ("{7 K}", Hand(melds=((SEVEN, KING),))),
    ],
)
def test_a_hand_is_read_and_written(text: str, hand: Hand):
    assert (hand, text) == (read_hand(text), write_hand(hand))


def test_quotes_and_brackets_keep_a_word_together():
    expected = [["round", "ana", "beto=[K 7]"], ["join", 'eva="a ; b # [c"']]
    assert expected == split_line('round ana beto=[K 7];join eva="a ; b # [c" # end')


def test_the_rules_may_name_a_dealer_and_a_direction():
    agreed = read_rules(["loba_menos", "dealer=ana", "direction=right"])
    assert ("ana", "right") == (agreed.dealer, agreed.direction)


def test_all_options_are_stored_although_only_some_are_named():
    stored = dict(read_rules(["loba_menos", "stake=7"]).options)
    assert (7, 7, 101, "last_in") == tuple(
        stored[key] for key in ("stake", "reentry_fee", "out_at", "ending")
    )


@pytest.mark.parametrize(
    "words", [[], ["nobody"], ["ana", "ana"], ["ana", 'ana="Otra"'], ["Ana"], ['="Ana"']]
)
def test_players_without_a_unique_valid_id_are_unreadable(words: list[str]):
    with pytest.raises(NotationError):
        read_players(words)
