"""A night of an old notebook as a game that no text can hold. Golden games and `data/results.txt` have the
rest.
"""

from __future__ import annotations

import pytest

from games.scoring.errors import RuleError
from games.scoring.events import GameStarted, NightImported, Player
from games.scoring.ledger import places
from games.scoring.replay import replay
from games.scoring.state import Outcome, Reason, Seat
from games.scoring.text.codec import from_data, to_data
from games.scoring.text.game_file import parse_game_file, play_game_file
from games.scoring.text.notation_writer import write_game
from games.scoring.variants import VARIANTS, get_variant

PLAYERS = (Player("ana", "Ana"), Player("beto", "Beto"), Player("caro", "Caro"))
NIGHT = NightImported("loba_menos", PLAYERS, places=(("ana", 1), ("beto", 2), ("caro", 2)))
STARTED = GameStarted("loba_menos", (), PLAYERS)


def imported_night(**changes):
    return NightImported(**{**vars(NIGHT), **changes})


def test_an_imported_night_is_a_finished_game_of_its_places():
    state = replay((NIGHT,))
    assert ({"ana": 1, "beto": 2, "caro": 2}, NIGHT, None) == (
        places(state),
        state.imported_night,
        state.dealer,
    )
    assert Outcome(Reason.IMPORTED, ("ana",), 1) == state.outcome
    assert {Seat.IN} == {player.seat for player in state.players}
    assert "notebook" == replay((imported_night(variant=""),)).variant.key


def test_the_note_of_a_night_survives_json_and_the_notation_and_an_older_night_has_none():
    noted = imported_night(note="En lo de Tito; llovió # mucho")
    written = write_game((noted,))
    assert noted == from_data("night_imported", to_data(noted))
    assert 'note "En lo de Tito; llovió # mucho"' == written.splitlines()[-1]
    assert (noted,) == play_game_file(parse_game_file(written)).log
    assert "note" not in to_data(NIGHT)
    assert NIGHT == from_data("night_imported", to_data(NIGHT))


@pytest.mark.parametrize(
    ("log", "field", "sentence"),
    [
        ([imported_night(players=(*PLAYERS, PLAYERS[0]))], "players", "Someone is named twice."),
        ([imported_night(players=(*PLAYERS[:2], Player("caro", 'C"')))], "players", "Enter some text, on one line and without double quotes."),
        ([imported_night(places=(*NIGHT.places, ("caro", 2)))], "places", "Each player needs one place, and one of each figure given."),
        ([imported_night(note='"Tito"')], "note", "Enter some text, on one line and without double quotes."),
        ([NIGHT, NIGHT], "", "A game starts once, with event 1."),
        ([NIGHT, STARTED], "", "A game starts once, with event 1."),
        ([STARTED, NIGHT], "", "A game starts once, with event 1."),
        ([GameStarted("notebook", (), PLAYERS)], "variant", "An old notebook can't be played."),
    ],
    ids=range(8),
)  # fmt: skip
def test_an_impossible_night_is_refused(log, field, sentence):
    with pytest.raises(RuleError) as refusal:
        replay(log)
    assert (field, sentence) == (refusal.value.field, str(refusal.value))


def test_an_old_notebook_is_no_game_to_choose():
    notebook = get_variant("notebook")
    assert "notebook" not in VARIANTS
    with pytest.raises(RuleError, match="can't be played"):
        notebook.build(notebook.house())
