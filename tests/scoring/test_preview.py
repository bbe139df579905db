"""A correction tried out before it is saved: the conflicts of RULES 1.4, their choices, and what they come to."""

from __future__ import annotations

import pytest

from games.scoring.errors import RuleError
from games.scoring.events import Event, Log
from games.scoring.ledger import nets
from games.scoring.preview import ConflictKind, Preview, Remedy, preview
from games.scoring.replay import replay
from games.scoring.text.notation import read_line
from games.scoring.text.script import play_script, read_script
from games.scoring.text.writing import write_event


def a_log(text: str) -> tuple[Event, ...]:
    played = play_script(read_script(text))
    assert [] == played.problems
    return played.log


def tried(log: Log, change: str, **answers: str) -> Preview:
    return preview(
        log, *read_line(change), answers={key.replace("_", "-"): to for key, to in answers.items()}
    )


def met(found: Preview) -> list[tuple[str, int, str, list[str]]]:
    return [
        (conflict.kind, conflict.number, conflict.player, [choice.remedy for choice in conflict.choices])
        for conflict in found.conflicts
    ]


def as_text(found: Preview) -> str:
    return " ; ".join(write_event(change) for change in found.changes)


REENTERED = a_log("""\
game loba_menos
players ana beto caro
round ana out beto=105 caro=40
reenter beto
round beto out ana=30 caro=20
""")

PLAYED_ON = a_log("""\
game loba_menos
players ana beto caro dani
round ana out beto=90 caro=40 dani=10
round caro out ana=5 beto=6 dani=7
round dani out ana=5 beto=3 caro=7
""")

MISSED = a_log("""\
game loba_menos reentries=0
players ana beto caro dani
round ana out beto=105 caro=40 dani=10
round ana out caro=5 dani=7
round dani out ana=5 caro=7
""")

SHORT = a_log("""\
game loba_menos
players ana beto
round ana out beto=50
round ana out beto=20
adjust ana=5 "tarde"
agree ana=5 beto=70
round beto out ana=9
""")


def test_a_correction_that_fits_has_no_conflicts():
    found = tried(PLAYED_ON, "correct 2 round ana out beto=80 caro=40 dani=10")
    assert ([], 89) == (met(found), found.after.player("beto").total if found.after else None)


def test_what_stood_before_is_shown_beside_what_would_stand():
    found = tried(PLAYED_ON, "correct 2 round ana out beto=80 caro=40 dani=10")
    assert replay(PLAYED_ON) == found.before


def test_an_answer_by_somebody_no_longer_bust_is_voided():
    found = tried(REENTERED, "correct 2 round ana out beto=15 caro=40")
    assert [(ConflictKind.ANSWER_WITHOUT_BUST, 3, "beto", [Remedy.VOID])] == met(found)
    assert "correct 2 round ana out beto=15 caro=40 ; strike 3" == as_text(found)


def test_a_voided_reentry_gives_its_fee_back():
    found = tried(REENTERED, "correct 2 round ana out beto=15 caro=40")
    assert found.after is not None
    assert ({"ana": -10, "beto": -20, "caro": -10}, {"ana": -10, "beto": -10, "caro": -10}) == (
        nets(found.before),
        nets(found.after),
    )


def test_somebody_newly_bust_who_played_on_reenters_or_is_out_from_there():
    found = tried(PLAYED_ON, "correct 2 round ana out beto=101 caro=40 dani=10")
    assert [(ConflictKind.BUST_PLAYED_ON, 3, "beto", [Remedy.REENTER, Remedy.STAY_OUT])] == met(found)
    assert "correct 2 round ana out beto=101 caro=40 dani=10 ; before 3 reenter beto" == as_text(found)


def test_out_from_there_removes_his_later_hands():
    change = "correct 2 round ana out beto=101 caro=40 dani=10"
    found = tried(PLAYED_ON, change, bust_played_on_3_beto="stay_out")
    assert (
        f"{change} ; correct 3 round caro out ana=5 dani=7 ; correct 4 round dani out ana=5 caro=7"
        == as_text(found)
    )


def test_somebody_newly_bust_who_closed_a_later_round_can_only_have_reentered():
    found = tried(PLAYED_ON, "correct 2 round ana out beto=90 caro=101 dani=10")
    assert [(ConflictKind.BUST_PLAYED_ON, 3, "caro", [Remedy.REENTER])] == met(found)


def test_somebody_newly_bust_at_the_cap_can_only_be_out():
    log = a_log("""\
game loba_menos reentries=0
players ana beto caro
round ana out beto=90 caro=40
round caro out ana=5 beto=6
""")
    found = tried(log, "correct 2 round ana out beto=101 caro=40")
    assert [(ConflictKind.BUST_PLAYED_ON, 3, "beto", [Remedy.STAY_OUT])] == met(found)


def test_without_a_remedy_nothing_can_be_saved():
    log = a_log("""\
game loba_menos reentries=0
players ana beto caro
round ana out beto=90 caro=40
round beto out ana=5 caro=6
""")
    found = tried(log, "correct 2 round ana out beto=101 caro=40")
    assert ([(ConflictKind.BUST_PLAYED_ON, 3, "beto", [])], None) == (met(found), found.after)


def test_somebody_no_longer_bust_who_missed_later_rounds_leaves_there():
    found = tried(MISSED, "correct 2 round ana out beto=15 caro=40 dani=10")
    assert [(ConflictKind.MISSED_ROUNDS, 3, "beto", [Remedy.LEAVE])] == met(found)
    assert "correct 2 round ana out beto=15 caro=40 dani=10 ; before 3 leave beto" == as_text(found)


def test_events_after_a_new_end_are_struck_but_for_the_totals_agreed():
    found = tried(SHORT, "correct 2 round ana out beto=101")
    assert [(ConflictKind.AFTER_THE_END, 3, "", [Remedy.STRIKE])] == met(found)
    assert "correct 2 round ana out beto=101 ; strike 3 ; strike 4 ; strike 6" == as_text(found)


def test_one_correction_can_raise_several_conflicts_one_after_the_other():
    log = a_log("""\
game loba_menos
players ana beto caro dani
round ana out beto=105 caro=40 dani=10
stay_out beto
round caro out ana=5 dani=7
""")
    found = tried(log, "correct 2 round ana out beto=40 caro=40 dani=110")
    assert [
        (ConflictKind.ANSWER_WITHOUT_BUST, 3, "beto", [Remedy.VOID]),
        (ConflictKind.BUST_PLAYED_ON, 4, "dani", [Remedy.REENTER, Remedy.STAY_OUT]),
        (ConflictKind.MISSED_ROUNDS, 4, "beto", [Remedy.LEAVE]),
    ] == met(found)
    assert found.after is not None
    assert {"ana": 5, "beto": 40, "caro": 40, "dani": 47} == {
        player.id: player.total for player in found.after.players
    }


def test_a_remedy_that_is_not_offered_counts_as_no_answer():
    change = "correct 2 round ana out beto=101 caro=40 dani=10"
    assert as_text(tried(PLAYED_ON, change)) == as_text(
        tried(PLAYED_ON, change, bust_played_on_3_beto="strike")
    )


@pytest.mark.parametrize(
    "change",
    [
        "correct 2 round ana out beto=5 caro=5",
        "correct 2 round zoe out ana=5 beto=5 caro=5 dani=5",
        "correct 9 leave ana",
        "strike 1",
        "before 3 reenter beto",
        "correct 3 reenter beto",
    ],
)
def test_a_correction_refused_for_itself_is_no_conflict(change: str):
    with pytest.raises(RuleError):
        tried(PLAYED_ON, change)


HANDED_OVER = a_log("""\
game loba_menos
players ana beto caro dani
round ana out beto=90 caro=40 dani=10
round caro out ana=5 beto=6 dani=7
replace beto by eva="Eva"
round dani out ana=5 eva=3 caro=7
adjust eva=1 "multa"
""")


def test_out_from_there_goes_with_the_seat_to_whoever_took_it_over():
    change = "correct 2 round ana out beto=101 caro=40 dani=10"
    found = tried(HANDED_OVER, change, bust_played_on_3_beto="stay_out")
    assert (
        f"{change} ; correct 3 round caro out ana=5 dani=7 ; strike 4"
        " ; correct 5 round dani out ana=5 caro=7 ; strike 6" == as_text(found)
    )
    assert found.after is not None
    assert {"ana": 10, "beto": 101, "caro": 47, "dani": 17} == {
        player.id: player.total for player in found.after.players
    }


def test_a_later_round_closed_from_the_seat_asks_for_a_reentry_too():
    log = a_log("""\
game loba_menos
players ana beto caro dani
round ana out beto=90 caro=40 dani=10
round caro out ana=5 beto=6 dani=7
replace beto by eva
round eva out ana=5 dani=3 caro=7
""")
    found = tried(log, "correct 2 round ana out beto=101 caro=40 dani=10")
    assert [(ConflictKind.BUST_PLAYED_ON, 3, "beto", [Remedy.REENTER])] == met(found)


def test_a_newly_bust_player_who_played_on_may_have_reentered_before_somebody_left():
    log = a_log("""\
game loba_menos
players ana beto caro
round ana out beto=50 caro=40
leave caro
round ana out beto=20
""")
    change = "correct 2 round ana out beto=101 caro=40"
    found = tried(log, change)
    assert [(ConflictKind.BUST_PLAYED_ON, 4, "beto", [Remedy.REENTER, Remedy.STRIKE])] == met(found)
    assert f"{change} ; before 3 reenter beto" == as_text(found)
    assert f"{change} ; strike 4" == as_text(tried(log, change, bust_played_on_4_beto="strike"))


def test_somebody_taken_out_of_the_game_is_taken_out_of_its_later_rounds():
    log = a_log("""\
game loba_menos
players ana beto caro dani
round ana out beto=50 caro=40 dani=5
round ana out beto=5 caro=4 dani=5
""")
    change = "before 3 leave dani"
    found = tried(log, change)
    assert [(ConflictKind.FITS_NO_MORE, 3, "dani", [Remedy.STAY_OUT, Remedy.STRIKE])] == met(found)
    assert f"{change} ; correct 3 round ana out beto=5 caro=4" == as_text(found)


def test_a_remedy_that_would_change_nothing_is_not_offered():
    log = a_log("""\
game loba_menos late_entry=on
players ana beto
join caro after=beto
""")
    found = tried(log, "correct 1 players ana dani")
    assert [(ConflictKind.FITS_NO_MORE, 2, "beto", [Remedy.STRIKE])] == met(found)
