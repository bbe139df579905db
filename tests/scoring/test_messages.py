"""The messages of refusals, which say how to write it instead."""

from __future__ import annotations

import pytest

from games.scoring.errors import LineError, ScoringError
from games.scoring.front import Game
from games.scoring.text.notation import read_hand, read_id

HEAD = "game loba_menos\nplayers aldo beba ciro\n"
PENDING = HEAD + "round aldo out beba=90 ciro=5\nround aldo out beba=20 ciro=5\n"
CHINCHON = "game chinchon\nplayers aldo beba\n"
CARDS = "Cards are A 2 … 10 J Q K with S H D C (French), 1 … 12 with o c e b (Spanish), * a joker."
IDS = "is not a player's id: a-z, 0-9 and _, beginning with a letter."


def refusal(text: str) -> str:
    """Return the message with which this game is refused, without the number of its line."""
    with pytest.raises(LineError) as refused:
        Game.from_text(text)
    return str(refused.value.error)


@pytest.mark.parametrize(
    ("card", "message"),
    [
        ("Kh", "“Kh” is not a card. Write KH."),
        ("kH", "“kH” is not a card. Write KH."),
        ("k", "“k” is not a card. Write K."),
        ("10s", "“10s” is not a card. Write 10S."),
        ("12O", "“12O” is not a card. Write 12o."),
        ("7B", "“7B” is not a card. Write 7b."),
        ("T", "“T” is not a card. Write 10."),
        ("TD", "“TD” is not a card. Write 10D."),
        ("joker", "“joker” is not a card. Write *."),
        ("★", "“★” is not a card. Write *."),
        ("K7*", "“K7*” is not a card. Put blanks between cards: K 7 *."),
        ("K,7,*", "“K,7,*” is not a card. Put blanks between cards: K 7 *."),
        ("5o6o", "“5o6o” is not a card. Put blanks between cards: 5o 6o."),
        ("13", f"“13” is not a card. {CARDS}"),
        ("rey", f"“rey” is not a card. {CARDS}"),
        ("*S", f"“*S” is not a card. {CARDS}"),
    ],
)
def test_what_is_not_a_card_says_how_cards_are_written(card, message):
    with pytest.raises(ScoringError) as refused:
        read_hand(f"[{card}]")
    assert message == str(refused.value)


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("Ana", f'“Ana” {IDS} Write ana="Ana".'),
        ("José", f'“José” {IDS} Write jose="José".'),
        ("2nd", f'“2nd” {IDS} Write nd="2nd".'),
        ("nobody", f'“nobody” {IDS} Write ana="nobody".'),
        ("木", f'“木” {IDS} Write ana="木".'),
        ('"Ana"', f'“"Ana"” {IDS} Write ana="Ana".'),
    ],
)
def test_a_name_that_is_no_id_says_the_quoted_form(name, message):
    with pytest.raises(ScoringError) as refused:
        read_id(name)
    assert message == str(refused.value)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (HEAD + "round aldo out beba=[5c] ciro=5", "The pack has no 5c. Write 5C."),
        (CHINCHON + "round aldo closed beba=[5C]", "The pack has no 5C. Write 5c."),
        (CHINCHON + "round aldo closed beba=[*]", "The pack has no *."),
        (HEAD + "round aldo out beba=[* * * * *] ciro=5", "The pack has only 4 × *; with this hand the round has 5."),
        (PENDING + "round aldo out beba=9 ciro=5", "beba has not answered: reenter or stay_out."),
        (PENDING + "round beba out aldo=9 ciro=5", "beba has not answered: reenter or stay_out."),
        (PENDING + "deal beba", "beba has not answered: reenter or stay_out."),
        (PENDING + "stay_out beba\nround beba out aldo=9 ciro=5", "beba is not in the game."),
        (
            HEAD + "round aldo in_one_go aldo=-10 beba=4 ciro=5",
            "A hand is never below 0: a bonus such as −10 comes from how the round is closed.",
        ),
        (
            CHINCHON + "round aldo cut aldo=2 beba=-10",
            "A hand is never below 0: a bonus such as −10 comes from how the round is closed.",
        ),
        (HEAD + "adjust beba=+5", 'A penalty has a player, points and a reason: adjust ana=+5 "reason".'),
        (HEAD + "adjust beba 5", "“beba” should read id=…, without blanks around “=”."),
        (HEAD + "adjust beba=5 multa", "multa must be in double quotes."),
        ("game loba_menos stake = 100\nplayers aldo beba", "“stake” should read id=…, without blanks around “=”."),
        ("game loba_menos stake= 100\nplayers aldo beba", "“stake=” should read id=…, without blanks around “=”."),
        (HEAD + "round aldo out beba= 5 ciro=5", "“beba=” should read id=…, without blanks around “=”."),
        (
            "game loba_menos\nplayers a b c d e f",
            "Loba de Menos is for 2 to 5 players. With packs=3 up to 8 can play.",
        ),
        ("game chinchon\nplayers a b c d e f g", "Chinchón is for 2 to 6 players. With packs=2 up to 8 can play."),
        ("game loba_menos packs=3\nplayers a b c d e f g h i", "Loba de Menos is for 2 to 8 players."),
        ("game loba_menos\nplayers a", "Loba de Menos is for 2 to 5 players."),
        ("game points\nplayers aldo beba\nround nobody played aldo=[K] beba=5", "This game takes points, such as 23, not cards."),
        (HEAD + "game loba_menos\nplayers aldo beba", "A game begins once. Before another game, write a line “tags”."),
        (
            "game poker\nplayers aldo beba",
            "There is no game called “poker”. There are: loba_menos, loba_mas, loba_ca, carioca_ar, carioca_cl, chinchon, points.",
        ),
    ],
)  # fmt: skip
def test_a_refused_line_says_what_to_write_instead(text, message):
    assert message == refusal(text + "\n")


def test_two_people_shown_by_the_same_name_raise_a_doubt():
    text = 'game loba_menos\nplayers aldo="Ana" beba="Ana"\nround aldo out beba=4\n'
    [played] = Game.from_text(text).state.rounds

    assert [("beba", "Two players are called Ana.")] == [
        (doubt.player, str(doubt.text)) for doubt in played.doubts
    ]
