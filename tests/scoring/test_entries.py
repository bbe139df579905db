"""The builders: what they take and refuse. engine/REFERENCE.md, which is tested, shows each statement's."""

from __future__ import annotations

import pytest

from games.scoring import entries
from games.scoring.cards import Card
from games.scoring.entries import HandGiven
from games.scoring.errors import NotationError, RuleError
from games.scoring.facade import Game
from games.scoring.rounds import Hand
from games.scoring.text.notation import parse_line


def test_a_hand_is_points_cards_or_a_text():
    hands: dict[str, HandGiven] = {
        "ana": 12,
        "beto": "K 7 *",
        "caro": [Card("K"), Card("7", "S")],
        "dani": "{A 2 Q}[4 *]",
        "eva": "",
        "ines": Hand(points=9),
    }
    made = entries.closed("fito", {**hands, "gabi": "45+2", "hugo": " [7] "}, bought={"ana": 1})

    line = (
        "round fito out ana=12+1 beto=[K 7 *] caro=[K 7S] dani={A 2 Q}[4 *] eva=[] ines=9 gabi=45+2 hugo=[7]"
    )
    assert parse_line(line) == (made,)


def test_a_newcomer_needs_neither_a_name_nor_a_neighbour():
    assert parse_line("join eva") == (entries.join("eva"),)


REFUSED = {
    "a closer": lambda: entries.closed("Ana", {"beto": 1}),
    "a player": lambda: entries.closed("ana", {"Beto": 1}),
    "cards": lambda: entries.nobody({"ana": "K7"}),
    "nobody": lambda: entries.reenter("nobody"),
    "a name": lambda: entries.join("Ana María"),
    "a number": lambda: entries.players(["ana", "1"]),
}


@pytest.mark.parametrize("build", REFUSED.values(), ids=REFUSED)
def test_a_builder_refuses_what_the_notation_cannot_read(build):
    with pytest.raises(NotationError):
        build()


def test_who_bought_cards_needs_a_hand():
    with pytest.raises(ValueError, match="who bought cards has no hand"):
        entries.closed("ana", {"beto": 5}, bought={"caro": 1})


def test_a_game_takes_events_as_it_takes_their_lines():
    game = Game.begin("loba_menos", ["ana", "beto"], reentries=0)
    added = game.add(entries.closed("ana", {"beto": "K K"}), entries.closed("beto", {"ana": 5}))

    assert game.play("round ana out beto=[K K] ; round beto out ana=5") == added
    assert game == game.add()
    with pytest.raises(RuleError) as refusal:
        game.add(entries.deal("ana"), entries.leave("zoe"))
    assert 3 == refusal.value.number
