"""A game with a hand of eight cards, which is refused today: it is exported, imported and corrected."""

from __future__ import annotations

import pytest

from games.files.reading import read_table
from games.files.restoring import restore_table
from games.files.writing import write_table
from games.models import Game
from games.play import recording as services
from games.scoring.errors import RuleError
from games.scoring.events import RoundPlayed, Struck
from games.scoring.rounds import RoundEntry
from games.scoring.text.notation import read_hand
from tests.worlds import a_key, a_round, make_table, make_user, recorded_before, start, without_codes

pytestmark = pytest.mark.django_db


def totals(game):
    return [player.total for player in game.state().players]


def test_a_hand_of_eight_cards_is_refused_but_can_be_struck_undone_exported_and_imported(owner):
    game = start(make_table(owner, people=("Ana", "Beto", "Caro")), owner, variant="chinchon")
    hands = (("beto", read_hand("[1 1 2 2 3 3 4 4]")), ("caro", read_hand("5")))
    played = RoundPlayed(RoundEntry("ana", "closed", hands))
    with pytest.raises(RuleError, match="Beto has more than 7 cards"):
        services.record(game, played, after=1, key=a_key(), by=owner)
    recorded_before(game, played, owner)
    services.record(game, a_round("ana", closing="closed", beto=7, caro=3), after=2, key=a_key(), by=owner)
    services.record(game, Struck(2), after=3, key=a_key(), by=owner)
    assert [-10, 7, 3] == totals(game)
    services.undo(game, after=4, key=a_key(), by=owner)
    assert [-20, 27, 8] == totals(game)

    text = write_table(game.table)
    again = restore_table(read_table(text.encode()), key=a_key(), by=make_user("nora"))
    assert without_codes(text) == without_codes(write_table(again))
    assert totals(game) == totals(Game.objects.get(table=again))
