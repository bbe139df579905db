"""The messages of refusals, which say how to write it instead."""

from __future__ import annotations

import pytest

from games.scoring.errors import ScoringError
from games.scoring.front import Game
from games.scoring.text.notation import read_hand, read_id

CARDS = "Cards are A 2 … 10 J Q K with S H D C (French), 1 … 12 with o c e b (Spanish), * a joker."
IDS = "is not a player's id: a-z, 0-9 and _, beginning with a letter."


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


def test_two_people_shown_by_the_same_name_raise_a_doubt():
    text = 'game loba_menos\nplayers aldo="Ana" beba="Ana"\nround aldo out beba=4\n'
    [played] = Game.from_text(text).state.rounds

    assert [("beba", "Two players are called Ana.")] == [
        (doubt.player, str(doubt.text)) for doubt in played.doubts
    ]
