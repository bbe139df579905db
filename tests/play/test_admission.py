"""A game with a hand of eight cards, which is refused today: it is exported, imported and corrected.

The same hand cannot be recorded again.
"""

from __future__ import annotations

import pytest

from games.files.reading import read_table
from games.files.restoring import restore_table
from games.files.writing import write_table
from games.models import Game
from games.play import recording as services
from games.scoring.errors import RuleError
from games.scoring.events import Corrected, RoundPlayed, Struck
from games.scoring.rounds import RoundEntry
from games.scoring.text.notation import read_hand
from tests.worlds import a_key, a_round, make_table, make_user, recorded_before, start, without_codes

pytestmark = pytest.mark.django_db

EIGHT = "[1 1 2 2 3 3 4 4]"


def closed(**hands):
    """Return a round that Ana closed with all seven cards."""
    return RoundPlayed(
        RoundEntry("ana", "closed", tuple((player, read_hand(hand)) for player, hand in hands.items()))
    )


@pytest.fixture
def game(owner):
    """A game whose round 2 has a hand of eight cards, as a file may bring it in; round 3 has points only."""
    game = start(make_table(owner, people=("Ana", "Beto", "Caro")), owner, variant="chinchon")
    recorded_before(game, closed(beto=EIGHT, caro="5"), owner)
    services.record(game, a_round("ana", closing="closed", beto=7, caro=3), after=2, key=a_key(), by=owner)
    return game


def record(game, *events):
    return services.record(
        game, *events, after=len(game.log()), key=a_key(), by=game.records.get(number=1).recorded_by
    )


def totals(game):
    return [player.total for player in game.state().players]


def test_a_new_round_with_a_hand_of_eight_cards_is_refused(game):
    with pytest.raises(RuleError, match="Beto has more than 7 cards"):
        record(game, closed(beto=EIGHT, caro="5"))
    assert 3 == len(game.log())


def test_a_game_with_a_hand_of_eight_cards_accepts_a_correction_of_another_round(game):
    record(game, Corrected(3, closed(beto="9", caro="3")))
    assert [-20, 29, 8] == totals(game)


def test_a_round_with_a_hand_of_eight_cards_can_be_struck_undone_and_redone(game, owner):
    record(game, Struck(2))
    assert [-10, 7, 3] == totals(game)
    services.undo(game, after=4, key=a_key(), by=owner)
    assert [-20, 27, 8] == totals(game)
    services.redo(game, after=5, key=a_key(), by=owner)
    assert [-10, 7, 3] == totals(game)


def test_a_table_with_a_hand_of_eight_cards_survives_export_and_import(game):
    text = write_table(game.table)
    again = restore_table(read_table(text.encode()), key=a_key(), by=make_user("nora"))
    assert without_codes(text) == without_codes(write_table(again))
    assert totals(game) == totals(Game.objects.get(table=again))
