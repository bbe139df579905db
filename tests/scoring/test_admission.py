"""Entries refused only when new: games that already have them are replayed, corrected and undone."""

from __future__ import annotations

import pytest

from games.scoring.admission import admit, admit_round
from games.scoring.errors import RuleError
from games.scoring.events import Corrected, GameStarted, Inserted, Player, RoundPlayed, Struck
from games.scoring.preview import preview
from games.scoring.replay import extend, replay
from games.scoring.rounds import RoundEntry
from games.scoring.text.notation import read_hand
from games.scoring.text.script import play_script, read_script

HEAD = 'game chinchon settlement=none\nplayers ana="Ana" beto caro\n'
EIGHT = "[1 1 2 2 3 3 4 4]"


def closed(**hands):
    """Return a round that Ana closed with all seven cards."""
    return RoundPlayed(
        RoundEntry("ana", "closed", tuple((player, read_hand(hand)) for player, hand in hands.items()))
    )


START = GameStarted(
    "chinchon",
    (("settlement", "none"),),
    (Player("ana", "Ana"), Player("beto", "Beto"), Player("caro", "Caro")),
)
# Recorded before the refusal existed: eight cards in Beto's hand, event 2.
RECORDED = (START, closed(beto=EIGHT, caro="5"), closed(beto="7", caro="3"))


def refusal(log, *events):
    """Return the refusal of these events as (sentence, field, event's number); None if they are accepted."""
    state = extend(replay(log), log, events)
    try:
        admit(log, events, state)
    except RuleError as refused:
        return str(refused), refused.field, refused.number
    return None


def test_a_hand_of_eight_cards_is_refused_in_a_new_round_a_correction_and_an_insertion():
    expected = ("Beto has more than 7 cards.", "hand-beto", 4)
    assert expected == refusal(RECORDED, closed(beto=EIGHT, caro="5"))
    assert expected == refusal(RECORDED, closed(beto="[1o 1c 1e 3b 3c 9o 11o 12o]", caro="5"))
    assert expected == refusal(RECORDED, Corrected(3, closed(beto=EIGHT, caro="3")))
    assert expected == refusal(RECORDED, Inserted(3, closed(beto=EIGHT, caro="3")))
    assert (*expected[:2], 5) == refusal(RECORDED, Struck(3), closed(beto=EIGHT, caro="5"))


def test_a_hand_of_seven_cards_and_a_hand_in_points_are_accepted():
    assert refusal(RECORDED, closed(beto="[1 1 2 2 3 3 4]", caro="80")) is None


def test_nine_cards_are_allowed_in_a_game_that_deals_nine():
    played = play_script(read_script("game loba_menos\nplayers a b\nround a out b=[2 3 4 5 6 7 8 9 10]\n"))
    assert [] == played.problems


def test_a_recorded_hand_of_eight_replays_with_a_doubt():
    assert [["Beto has more than 7 cards."], []] == [
        [str(doubt.text) for doubt in played.doubts] for played in replay(RECORDED).rounds
    ]


def test_a_recorded_hand_of_eight_may_stay_when_another_hand_of_its_round_is_corrected():
    assert refusal(RECORDED, Corrected(2, closed(beto=EIGHT, caro="6"))) is None
    other = EIGHT.replace("4]", "5]")
    assert refusal(RECORDED, Corrected(2, closed(beto=other, caro="6"))) is not None
    assert refusal(RECORDED, Corrected(2, closed(beto="7", caro=EIGHT))) is not None


def test_a_corrected_hand_of_eight_may_be_restored_in_its_own_round_only():
    mended = (*RECORDED, Corrected(2, closed(beto="12", caro="5")))
    assert refusal(mended, Struck(4)) is None
    assert refusal(mended, Corrected(2, closed(beto=EIGHT, caro="5"))) is None
    assert refusal(mended, Corrected(3, closed(beto=EIGHT, caro="5"))) is not None


def test_a_recorded_hand_of_eight_does_not_block_the_remedy_of_a_correction():
    """The correction makes Beto bust before the old round, so the round is recorded again without Beto."""
    head = GameStarted("chinchon", (("settlement", "none"),), (*START.players, Player("dani", "Dani")))
    log = (
        head,
        closed(beto="23", caro="4", dani="2"),
        closed(beto="7", caro=EIGHT, dani="5"),
    )
    tried = preview(
        log,
        Corrected(2, closed(beto="105", caro="4", dani="2")),
        answers={"bust-played-on-3-beto": "stay_out"},
    )
    assert tried.after is not None
    assert 2 == len(tried.changes)
    assert refusal(log, *tried.changes) is None


@pytest.mark.parametrize("beto", ["7", "105"])
def test_a_preview_refuses_a_hand_of_eight_cards_whether_there_are_conflicts_or_not(beto):
    with pytest.raises(RuleError, match="Caro has more than 7 cards"):
        preview(RECORDED, Corrected(2, closed(beto=beto, caro=EIGHT)))


def test_an_incomplete_round_with_a_hand_of_eight_cards_is_refused():
    entry = RoundEntry("ana", "closed", (("beto", read_hand(EIGHT)),))
    with pytest.raises(RuleError):
        admit_round(RECORDED, entry, replay(RECORDED))
    admit_round(RECORDED, entry, replay(RECORDED), number=2)


def test_a_game_file_with_a_hand_of_eight_cards_is_refused_at_its_line():
    played = play_script(read_script(f"{HEAD}round ana closed beto={EIGHT} caro=5\n"))
    assert [(3, "beto has more than 7 cards.")] == [
        (problem.line, problem.text) for problem in played.problems
    ]
