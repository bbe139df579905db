"""Cards: equal ones are one object; texts that are no card are in data/commands.txt."""

from __future__ import annotations

import copy
import pickle
from dataclasses import replace

from games.scoring.cards import Card, parse_card

SEVEN = Card("7", "o")


def test_equal_cards_are_one_object_also_when_copied_or_unpickled():
    assert SEVEN is Card(rank="7", suit="o")
    assert SEVEN is parse_card("7o")
    assert SEVEN is copy.deepcopy(SEVEN)
    assert SEVEN is pickle.loads(pickle.dumps(SEVEN))
    assert Card("7", "c") is replace(SEVEN, suit="c")
    assert Card("*") is not Card("*", stands_for="7")
