"""Previews of corrections: the conflicts of RULES 1.4, the remedies that they offer, and the results."""

from __future__ import annotations

import pytest

from games.scoring.errors import RuleError
from games.scoring.events import Log
from games.scoring.ledger import nets
from games.scoring.preview import ConflictKind, Preview, Remedy, preview
from games.scoring.replay import replay
from games.scoring.text.notation import read_line
from games.scoring.text.writing import write_event
from tests.scoring.written import log_of


def tried(log: Log, change: str, **answers: str) -> Preview:
    return preview(
        log, *read_line(change), answers={key.replace("_", "-"): to for key, to in answers.items()}
    )


def met(result: Preview) -> list[tuple[str, int, str, list[str]]]:
    return [
        (conflict.kind, conflict.number, conflict.player, [choice.remedy for choice in conflict.choices])
        for conflict in result.conflicts
    ]


def as_text(result: Preview) -> str:
    return " ; ".join(write_event(change) for change in result.changes)


REENTERED = log_of("""\
game loba_menos
players ana beto caro
round ana out beto=105 caro=40
reenter beto
round beto out ana=30 caro=20
""")

PLAYED_ON = log_of("""\
game loba_menos
players ana beto caro dani
round ana out beto=90 caro=40 dani=10
round caro out ana=5 beto=6 dani=7
round dani out ana=5 beto=3 caro=7
""")

MISSED = log_of("""\
game loba_menos reentries=0
players ana beto caro dani
round ana out beto=105 caro=40 dani=10
round ana out caro=5 dani=7
round dani out ana=5 caro=7
""")

SHORT = log_of("""\
game loba_menos
players ana beto
round ana out beto=50
round ana out beto=20
adjust ana=5 "tarde"
agree ana=5 beto=70
round beto out ana=9
""")


def test_a_correction_without_conflicts_has_its_result():
    result = tried(PLAYED_ON, "correct 2 round ana out beto=80 caro=40 dani=10")
    assert ([], 89) == (met(result), result.after.player("beto").total if result.after else None)


def test_a_preview_has_the_state_before_the_correction():
    result = tried(PLAYED_ON, "correct 2 round ana out beto=80 caro=40 dani=10")
    assert replay(PLAYED_ON) == result.before


def test_a_re_entry_of_a_player_who_is_not_bust_any_more_is_cancelled():
    result = tried(REENTERED, "correct 2 round ana out beto=15 caro=40")
    assert [(ConflictKind.ANSWER_WITHOUT_BUST, 3, "beto", [Remedy.VOID])] == met(result)
    assert "correct 2 round ana out beto=15 caro=40 ; strike 3" == as_text(result)


def test_a_cancelled_re_entry_refunds_its_fee():
    result = tried(REENTERED, "correct 2 round ana out beto=15 caro=40")
    assert result.after is not None
    assert ({"ana": -10, "beto": -20, "caro": -10}, {"ana": -10, "beto": -10, "caro": -10}) == (
        nets(result.before),
        nets(result.after),
    )


def test_a_newly_bust_player_who_played_on_has_two_remedies():
    result = tried(PLAYED_ON, "correct 2 round ana out beto=101 caro=40 dani=10")
    assert [(ConflictKind.BUST_PLAYED_ON, 3, "beto", [Remedy.REENTER, Remedy.STAY_OUT])] == met(result)
    assert "correct 2 round ana out beto=101 caro=40 dani=10 ; before 3 reenter beto" == as_text(result)


def test_the_remedy_staying_out_removes_the_players_later_hands():
    change = "correct 2 round ana out beto=101 caro=40 dani=10"
    result = tried(PLAYED_ON, change, bust_played_on_3_beto="stay_out")
    assert (
        f"{change} ; correct 3 round caro out ana=5 dani=7 ; correct 4 round dani out ana=5 caro=7"
        == as_text(result)
    )


def test_a_newly_bust_player_who_closed_a_later_round_must_have_re_entered():
    result = tried(PLAYED_ON, "correct 2 round ana out beto=90 caro=101 dani=10")
    assert [(ConflictKind.BUST_PLAYED_ON, 3, "caro", [Remedy.REENTER])] == met(result)


def test_a_newly_bust_player_without_re_entries_left_can_only_stay_out():
    log = log_of("""\
game loba_menos reentries=0
players ana beto caro
round ana out beto=90 caro=40
round caro out ana=5 beto=6
""")
    result = tried(log, "correct 2 round ana out beto=101 caro=40")
    assert [(ConflictKind.BUST_PLAYED_ON, 3, "beto", [Remedy.STAY_OUT])] == met(result)


def test_a_conflict_without_a_remedy_has_no_result():
    log = log_of("""\
game loba_menos reentries=0
players ana beto caro
round ana out beto=90 caro=40
round beto out ana=5 caro=6
""")
    result = tried(log, "correct 2 round ana out beto=101 caro=40")
    assert ([(ConflictKind.BUST_PLAYED_ON, 3, "beto", [])], None) == (met(result), result.after)


def test_a_player_no_longer_bust_who_missed_rounds_has_left():
    result = tried(MISSED, "correct 2 round ana out beto=15 caro=40 dani=10")
    assert [(ConflictKind.MISSED_ROUNDS, 3, "beto", [Remedy.LEAVE])] == met(result)
    assert "correct 2 round ana out beto=15 caro=40 dani=10 ; before 3 leave beto" == as_text(result)


def test_events_after_an_earlier_end_are_struck_except_agreed_totals():
    result = tried(SHORT, "correct 2 round ana out beto=101")
    assert [(ConflictKind.AFTER_THE_END, 3, "", [Remedy.STRIKE])] == met(result)
    assert "correct 2 round ana out beto=101 ; strike 3 ; strike 4 ; strike 6" == as_text(result)


def test_one_correction_can_have_several_conflicts_in_sequence():
    log = log_of("""\
game loba_menos
players ana beto caro dani
round ana out beto=105 caro=40 dani=10
stay_out beto
round caro out ana=5 dani=7
""")
    result = tried(log, "correct 2 round ana out beto=40 caro=40 dani=110")
    assert [
        (ConflictKind.ANSWER_WITHOUT_BUST, 3, "beto", [Remedy.VOID]),
        (ConflictKind.BUST_PLAYED_ON, 4, "dani", [Remedy.REENTER, Remedy.STAY_OUT]),
        (ConflictKind.MISSED_ROUNDS, 4, "beto", [Remedy.LEAVE]),
    ] == met(result)
    assert result.after is not None
    assert {"ana": 5, "beto": 40, "caro": 40, "dani": 47} == {
        player.id: player.total for player in result.after.players
    }


def test_a_remedy_that_was_not_offered_is_ignored():
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
def test_an_invalid_correction_is_refused(change: str):
    with pytest.raises(RuleError):
        tried(PLAYED_ON, change)


HANDED_OVER = log_of("""\
game loba_menos
players ana beto caro dani
round ana out beto=90 caro=40 dani=10
round caro out ana=5 beto=6 dani=7
replace beto by eva="Eva"
round dani out ana=5 eva=3 caro=7
adjust eva=1 "multa"
""")


def test_staying_out_also_removes_the_hands_of_the_player_who_took_over_the_seat():
    change = "correct 2 round ana out beto=101 caro=40 dani=10"
    result = tried(HANDED_OVER, change, bust_played_on_3_beto="stay_out")
    assert (
        f"{change} ; correct 3 round caro out ana=5 dani=7 ; strike 4"
        " ; correct 5 round dani out ana=5 caro=7 ; strike 6" == as_text(result)
    )
    assert result.after is not None
    assert {"ana": 10, "beto": 101, "caro": 47, "dani": 17} == {
        player.id: player.total for player in result.after.players
    }


def test_a_later_round_closed_by_the_new_player_of_the_seat_requires_a_re_entry():
    log = log_of("""\
game loba_menos
players ana beto caro dani
round ana out beto=90 caro=40 dani=10
round caro out ana=5 beto=6 dani=7
replace beto by eva
round eva out ana=5 dani=3 caro=7
""")
    result = tried(log, "correct 2 round ana out beto=101 caro=40 dani=10")
    assert [(ConflictKind.BUST_PLAYED_ON, 3, "beto", [Remedy.REENTER])] == met(result)


def test_a_newly_bust_player_may_have_re_entered_before_another_player_left():
    log = log_of("""\
game loba_menos
players ana beto caro
round ana out beto=50 caro=40
leave caro
round ana out beto=20
""")
    change = "correct 2 round ana out beto=101 caro=40"
    result = tried(log, change)
    assert [(ConflictKind.BUST_PLAYED_ON, 4, "beto", [Remedy.REENTER, Remedy.STRIKE])] == met(result)
    assert f"{change} ; before 3 reenter beto" == as_text(result)
    assert f"{change} ; strike 4" == as_text(tried(log, change, bust_played_on_4_beto="strike"))


def test_a_player_who_leaves_earlier_is_removed_from_later_rounds():
    log = log_of("""\
game loba_menos
players ana beto caro dani
round ana out beto=50 caro=40 dani=5
round ana out beto=5 caro=4 dani=5
""")
    change = "before 3 leave dani"
    result = tried(log, change)
    assert [(ConflictKind.FITS_NO_MORE, 3, "dani", [Remedy.STAY_OUT, Remedy.STRIKE])] == met(result)
    assert f"{change} ; correct 3 round ana out beto=5 caro=4" == as_text(result)


def test_a_remedy_without_effect_is_not_offered():
    log = log_of("""\
game loba_menos late_entry=on
players ana beto
join caro after=beto
""")
    result = tried(log, "correct 1 players ana dani")
    assert [(ConflictKind.FITS_NO_MORE, 2, "beto", [Remedy.STRIKE])] == met(result)
