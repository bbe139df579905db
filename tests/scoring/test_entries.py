"""The builders: what they take and refuse. engine/REFERENCE.md, which is tested, shows each statement's."""

from __future__ import annotations

from typing import Any

import pytest

from games.scoring import entries, facade
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


# As a program without a type checker calls them.
untyped: Any = facade
untyped_entries: Any = entries
untyped_game: Any = Game.begin("loba_menos", ["ana", "beto"])


@pytest.mark.parametrize(
    ("program", "sentence"),
    [
        (
            lambda: untyped.Game.begin("loba_menos", "ana"),
            """players is a list of ids such as ["ana", "beto"], or a mapping from id to name, not 'ana'""",
        ),
        (lambda: untyped.Game.begin("loba_menos", None), 'players is a list of ids such as ["ana", "beto"]'),
        (lambda: untyped.Game.begin("loba_menos", {"ana": 1, "beto": 2}), "the name of ana is text, not 1"),
        (lambda: untyped.Game.begin(None, ["ana", "beto"]), "variant is text, not None"),
        (
            lambda: untyped_game.add("round ana out beto=4"),
            "add takes events such as entries.closed(…); for a line of text, use play('round ana out beto=4')",
        ),
        (lambda: untyped_game.add(None), "add takes events such as entries.closed(…), not None"),
        (
            lambda: untyped_game.add(entries.players(["ana"])),
            "add takes events such as entries.closed(…), not",
        ),
        (lambda: untyped_game.play(entries.leave("ana")), "line is text, not PlayerLeft"),
        (lambda: untyped.Game.from_text(None), "text is a game as text, not None"),
        (
            lambda: untyped_entries.closed("caro", {"ana": 1.5}),
            'the hand of ana is points such as 12, cards such as "K 7 *", or a hand, not 1.5',
        ),
        (lambda: untyped_entries.closed("caro", {"ana": None}), "the hand of ana is points such as 12"),
        (lambda: untyped_entries.closed("caro", {"ana": ["K"]}), "a card of ana is a Card, not 'K'"),
        (lambda: untyped_entries.closed("caro", ["ana"]), "hands is a mapping from id to hand, not ['ana']"),
        (lambda: untyped_entries.closed(1, {}), "by is text, not 1"),
        (
            lambda: untyped_entries.closed("caro", {"ana": 1}, bought={"ana": "2"}),
            "the number of cards that ana bought is a whole number, not '2'",
        ),
        (lambda: untyped_entries.adjust("ana", "5", "late"), "points is a whole number, not '5'"),
        (
            lambda: untyped_entries.agree([("ana", 5)]),
            "totals is a mapping from id to total, not [('ana', 5)]",
        ),
        (lambda: untyped_entries.agree({"ana": "5"}), "the total of ana is a whole number, not '5'"),
        (lambda: untyped_entries.correct("2", entries.leave("ana")), "number is a whole number, not '2'"),
        (
            lambda: untyped_entries.before(2, "leave ana"),
            "event is an event such as entries.closed(…), not 'leave ana'",
        ),
        (lambda: untyped_entries.strike(None), "number is a whole number, not None"),
        (lambda: untyped.score_hand("loba_menos", 12), "hand is text or a sequence of cards, not 12"),
        (lambda: untyped.settle([("ana", 5)]), "nets is a mapping from id to amount, not [('ana', 5)]"),
    ],
)
def test_what_a_type_checker_would_have_said_is_a_type_error_that_says_what_is_wanted(program, sentence):
    with pytest.raises(TypeError) as refusal:
        program()

    assert sentence in str(refusal.value)
