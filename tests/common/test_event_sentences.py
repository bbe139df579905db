"""Events as short sentences, each with the round number that the sheet shows."""

from __future__ import annotations

import pytest
from django.utils.translation import override

from games.common import event_sentences
from games.common.naming import Person
from games.models import Table
from games.scoring.events import (
    Corrected,
    DealPassed,
    GameStarted,
    GameStopped,
    Inserted,
    Player,
    PlayerJoined,
    PlayerLeft,
    PlayerReentered,
    PointsAdjusted,
    RulesAgreed,
    Stop,
    Struck,
    TotalsAgreed,
)
from games.scoring.replay import replay
from games.scoring.variants import get_variant
from tests.factories import build_round

NAMES = ("ana", "beto", "caro", "dani")
OPTIONS = (
    get_variant("loba_menos").house({"stake": 100, "late_entry": "on", "stock_end": "end_round"}).options
)
START = GameStarted("loba_menos", OPTIONS, tuple(Player(name, name.title()) for name in NAMES))
PEOPLE = {name: Person(name, name.title(), 1) for name in (*NAMES, "eva")}


def sentences(*events):
    """Return the English sentence for each event of the log after its start."""
    log = (START, *events)
    state = replay(log)
    return [english_sentence(event, log, state) for event in log[1:]]


def last_sentence(*events):
    """Return the English sentence for the last event of the log."""
    log = (START, *events)
    return english_sentence(log[-1], log, replay(log))


def english_sentence(event, log, state):
    with override("en"):
        table = Table(unit="$", decimals=0)
        sentence = event_sentences.event_sentence(event, log=log, state=state, people=PEOPLE, table=table)
    return sentence.replace("\u00a0", " ")


BUST = build_round("ana", beto=101, caro=40, dani=60)
FIRST = build_round("ana", beto=1, caro=2, dani=3)
SECOND = build_round("beto", closing="in_one_go", ana=1, caro=2, dani=3)
NOBODY = build_round(None, closing="stock_out", ana=1, beto=2, caro=3, dani=4)


def test_every_kind_of_event_has_a_sentence():
    assert [
        "Round 1: Ana went out",
        "Beto came back for $100",
        "Round 2: Beto went out in one go",
        "Round 3: nobody went out",
        "Dani +5: se paró",
        "Caro deals next",
        "Eva joined",
        "Dani went home",
        "Totals agreed: Ana 2, Beto 50",
        "Stopped early: the pot is split",
    ] == sentences(
        BUST,
        PlayerReentered("beto"),
        SECOND,
        NOBODY,
        PointsAdjusted("dani", 5, "se paró"),
        DealPassed("caro"),
        PlayerJoined(Player("eva", "Eva")),
        PlayerLeft("dani"),
        TotalsAgreed((("ana", 2), ("beto", 50))),
        GameStopped(Stop.SPLIT_POT),
    )


def test_an_undone_round_keeps_its_number():
    assert "Undone: Round 2: Beto went out in one go" == sentences(FIRST, SECOND, Struck(3))[-1]
    assert "Undone: Round 1: Ana went out" == sentences(FIRST, SECOND, Struck(2))[-1]


def test_a_long_chain_of_undo_and_redo_is_one_short_sentence():
    times = [Struck(number) for number in range(3, 603)]
    assert "Redone: Round 2: Beto went out in one go" == last_sentence(FIRST, SECOND, *times)
    assert "Undone: Round 2: Beto went out in one go" == last_sentence(FIRST, SECOND, *times[:-1])


def test_a_round_has_the_number_that_the_sheet_shows_now():
    assert [
        "Round 1: Ana went out",
        "Round 3: Beto went out in one go",
        "Added: round 2",
    ] == sentences(FIRST, SECOND, Inserted(3, FIRST))


def test_a_correction_names_the_corrected_round_or_the_start():
    assert "Corrected: round 2" == sentences(FIRST, SECOND, Corrected(3, FIRST))[-1]
    assert (
        "Corrected: how the game started"
        == sentences(FIRST, Corrected(1, RulesAgreed("loba_menos", OPTIONS)))[-1]
    )


def test_an_undone_correction_names_its_round():
    assert (
        "The correction of round 2 was undone" == sentences(FIRST, SECOND, Corrected(3, FIRST), Struck(4))[-1]
    )
    assert (
        "The added round 2 was removed again" == sentences(FIRST, SECOND, Inserted(3, FIRST), Struck(4))[-1]
    )


@pytest.mark.parametrize(
    ("variant", "settlement", "expected"),
    [
        ("loba_menos", "pot", "The stakes stay in the pot"),
        ("loba_menos", "none", "The others play on"),
        ("loba_mas", "pairs", "The differences are settled right away"),
        (
            "loba_mas",
            "pot_and_pairs",
            "The stakes stay in the pot; the differences are settled right away",
        ),
        ("chinchon", "to_winner", "The points so far are paid to the winner at the end"),
    ],
)
def test_the_settlement_of_a_player_who_leaves_is_explained(variant, settlement, expected):
    game = get_variant(variant)
    with override("en"):
        assert expected == event_sentences.leaving_sentence(
            game.build(game.house({"settlement": settlement}))
        )


def test_a_refund_in_a_game_without_a_pot_has_no_winner():
    start = GameStarted("loba_mas", (), START.players)
    log = (start, GameStopped(Stop.REFUND))
    state = replay(log)
    with override("en"):
        assert "Nobody wins" == event_sentences.winners_sentence(state, PEOPLE)
    assert "Stopped early: nobody wins" == english_sentence(log[-1], log, state)
