"""A night of an old notebook as a game: valid and refused data, and that no event may follow."""

from __future__ import annotations

import pytest

from games.scoring.errors import NotationError, RuleError, UnreadableLine
from games.scoring.events import (
    Corrected,
    GameStarted,
    NightImported,
    Player,
    PlayersSeated,
    Struck,
    TotalsAgreed,
)
from games.scoring.ledger import nets, places
from games.scoring.money import pot_of
from games.scoring.replay import allows, replay
from games.scoring.state import Outcome, Reason, Seat
from games.scoring.text.codec import from_data, to_data
from games.scoring.text.script import play_script, read_script
from games.scoring.text.writing import write_game
from games.scoring.variants import VARIANTS, find_variant

PLAYERS = (Player("ana", "Ana"), Player("beto", "Beto"), Player("caro", "Caro"))
NIGHT = NightImported(
    "loba_menos",
    PLAYERS,
    places=(("ana", 1), ("beto", 2), ("caro", 2)),
    totals=(("ana", 12), ("beto", 104), ("caro", 104)),
    nets=(("ana", 300), ("beto", -200), ("caro", -100)),
)

GAMES = "There are: loba_menos, loba_mas, loba_ca, carioca_ar, carioca_cl, chinchon, points."


def night(**changes):
    return NightImported(**{**vars(NIGHT), **changes})


def refusal(event):
    with pytest.raises(RuleError) as refused:
        replay((event,))
    return refused.value.field, str(refused.value)


def test_an_imported_night_is_a_finished_game_with_the_noted_results():
    state = replay((NIGHT,))
    assert Outcome(Reason.IMPORTED, ("ana",), 1) == state.outcome
    assert {"ana": 1, "beto": 2, "caro": 2} == places(state)
    assert ({"ana": 300, "beto": -200, "caro": -100}, 0) == (nets(state), pot_of(state))
    assert [12, 104, 104] == [player.total for player in state.players]
    assert {Seat.IN} == {player.seat for player in state.players}
    assert (NIGHT, None) == (state.imported, state.dealer)


def test_the_note_of_a_night_survives_json_and_the_notation():
    noted = night(note="En lo de Tito; llovió # mucho")
    written = write_game((noted,))

    assert noted == from_data("night_imported", to_data(noted))
    assert 'note "En lo de Tito; llovió # mucho"' == written.splitlines()[-1]
    assert (noted,) == play_script(read_script(written)).log
    assert noted == replay((noted,)).imported


def test_a_night_of_an_older_release_has_no_note():
    assert "note" not in to_data(NIGHT)
    assert NIGHT == from_data("night_imported", to_data(NIGHT))


def test_a_note_that_the_notation_cannot_hold_is_refused():
    assert "note" == refusal(night(note='"Tito"'))[0]


def test_a_night_may_have_only_places():
    state = replay((night(variant="", totals=(), nets=()),))
    assert "notebook" == state.variant.key
    assert ({0}, {0}) == (set(nets(state).values()), {player.total for player in state.players})


@pytest.mark.parametrize(
    ("changes", "field", "sentence"),
    [
        ({"variant": "poker"}, "variant", f"There is no game called “poker”. {GAMES}"),
        ({"variant": "notebook"}, "variant", f"There is no game called “notebook”. {GAMES}"),
        ({"players": PLAYERS[:1]}, "players", "A night has 2 to 20 players."),
        ({"players": (*PLAYERS, PLAYERS[0])}, "players", "A person is named twice."),
        ({"players": (*PLAYERS[:2], Player("caro", 'C"'))}, "players", "Enter some text, on one line and without double quotes."),
        ({"places": NIGHT.places[:2]}, "places", "Each player needs exactly one place, and one of each figure that is given."),
        ({"places": (*NIGHT.places[:2], ("dani", 2))}, "places", "dani is not at this table."),
        ({"places": (*NIGHT.places, ("caro", 2))}, "places", "Each player needs exactly one place, and one of each figure that is given."),
        ({"places": (("ana", 1), ("beto", 1), ("caro", 2))}, "places", "Places must follow each other: after two firsts comes a third."),
        ({"places": (("ana", 2), ("beto", 2), ("caro", 3))}, "places", "Places must follow each other: after two firsts comes a third."),
        ({"totals": NIGHT.totals[:2]}, "totals", "Each player needs exactly one place, and one of each figure that is given."),
        ({"totals": (*NIGHT.totals[:2], ("caro", 10**5 + 1))}, "totals", "A number is too large: the limit is 100000."),
        ({"nets": (*NIGHT.nets[:2], ("caro", 7))}, "nets", "Wins and losses don't add up to zero."),
        ({"nets": (("ana", 2 * 10**12), ("beto", -(2 * 10**12)), ("caro", 0))}, "nets", "A number is too large: the limit is 1000000000000."),
    ],
    ids=range(14),
)  # fmt: skip
def test_an_impossible_night_is_refused(changes, field, sentence):
    assert (field, sentence) == refusal(night(**changes))


@pytest.mark.parametrize(
    "event",
    [
        TotalsAgreed((("ana", 12),)),
        Struck(1),
        Corrected(1, PlayersSeated(PLAYERS)),
        NIGHT,
        GameStarted("loba_menos", (), PLAYERS),
    ],
    ids=lambda event: type(event).__name__,
)
def test_no_event_may_follow_a_night(event):
    with pytest.raises(RuleError):
        replay((NIGHT, event))
    if isinstance(event, TotalsAgreed):
        assert not allows(replay((NIGHT,)), event)


def test_a_night_cannot_follow_a_game():
    with pytest.raises(RuleError, match="A game begins once"):
        replay((GameStarted("loba_menos", (), PLAYERS), NIGHT))


def test_a_correction_cannot_contain_a_night():
    with pytest.raises(NotationError):
        from_data("corrected", {"number": 1, "kind": "night_imported", "event": to_data(NIGHT)})


def test_an_old_notebook_cannot_be_played_as_a_variant():
    assert "notebook" not in VARIANTS
    with pytest.raises(RuleError, match="can't be played"):
        replay((GameStarted("notebook", (), PLAYERS),))
    with pytest.raises(RuleError, match="can't be played"):
        find_variant("notebook").build(find_variant("notebook").house())


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("night\n", 1),
        ("night\nplayers ana beto\n", 2),
        ("night\nplaces ana=1 beto=2\nplayers ana beto\n", 2),
        ("night loba_menos chinchon\nplayers ana beto\nplaces ana=1 beto=2\n", 3),
        ("night 7\nplayers ana beto\nplaces ana=1 beto=2\n", 3),
        ("night\nplayers ana beto\nplaces\n", 3),
        ("night\nplayers ana beto\nplaces ana=uno beto=2\n", 3),
        ("night\nplayers ana ana\nplaces ana=1\n", 3),
        ("night\nplayers ana beto\nplaces ana=1 beto=2\nnets\n", 4),
        ("night\nplayers ana beto ; places ana=1 beto=2\nplaces ana=1 beto=2\n", 2),
        ("night\nplayers ana beto\nplaces ana=1 beto=2\nnets ana=1 beto=-1\ntotals ana=3 beto=4\n", 5),
        ("nightly\nplayers ana beto\n", 1),
    ],
)
def test_an_invalid_line_of_a_night_is_refused_at_its_line(text, line):
    with pytest.raises(UnreadableLine) as unreadable:
        read_script(text)
    assert line == unreadable.value.line


def test_a_refused_night_is_reported_at_its_last_line():
    played = play_script(read_script("# un cuaderno\nnight poker\nplayers ana beto\nplaces ana=1 beto=2\n"))
    assert [(4, f"There is no game called “poker”. {GAMES}")] == [
        (problem.line, problem.text) for problem in played.problems
    ]
