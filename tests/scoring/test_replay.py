"""Events that are refused, and the fields of a state; the scores are tested in the golden games."""

from __future__ import annotations

import pytest

from games.scoring.errors import Refusal, RuleError
from games.scoring.events import (
    Corrected,
    Event,
    GameStarted,
    Inserted,
    Player,
    PlayerJoined,
    PlayerLeft,
    PlayerReentered,
    PlayersSeated,
    PointsAdjusted,
    SeatHandedOver,
    Struck,
    TotalsAgreed,
)
from games.scoring.replay import allows, replay, replay_until_refused, state_before
from games.scoring.state import Disagreement
from games.scoring.text.notation import read_line
from games.scoring.variants import find_variant

PEOPLE = tuple(Player(player, player.title()) for player in ("ana", "beto", "caro"))


def a_start(**options: int | str) -> GameStarted:
    house = find_variant("loba_menos").house(options)
    return GameStarted("loba_menos", house.options, PEOPLE)


def a_log(*lines: str, **options: int | str) -> tuple[Event, ...]:
    return (a_start(**options), *(event for line in lines for event in read_line(line)))


def refused(log: tuple[Event, ...]) -> RuleError:
    with pytest.raises(RuleError) as refusal:
        replay(log)
    return refusal.value


BUST = "round ana out beto=101 caro=5"


@pytest.mark.parametrize(
    ("lines", "code", "field", "player", "number"),
    [
        (["round ana out beto=5"], Refusal.MISSING_HAND, "hand-caro", "caro", 2),
        (["round ana out beto=5 caro=5 zoe=5"], Refusal.UNKNOWN_PLAYER, "hand-zoe", "zoe", 2),
        (["round zoe out ana=5 beto=5 caro=5"], Refusal.UNKNOWN_PLAYER, "closer", "zoe", 2),
        (["round ana flew beto=5 caro=5"], Refusal.OTHER, "closing", "", 2),
        (["round nobody out beto=5 caro=5"], Refusal.OTHER, "closer", "", 2),
        (["round ana out beto=-5 caro=5"], Refusal.OTHER, "hand-beto", "", 2),
        (["round ana out beto=5 caro=[1]"], Refusal.OTHER, "hand-caro", "", 2),
        ([BUST, "round ana out beto=5 caro=5"], Refusal.NOT_IN, "hand-beto", "beto", 3),
        ([BUST, "round beto out ana=5 caro=5"], Refusal.NOT_IN, "closer", "beto", 3),
        ([BUST, "reenter caro"], Refusal.NOT_PENDING, "player", "caro", 3),
        ([BUST, "stay_out zoe"], Refusal.UNKNOWN_PLAYER, "player", "zoe", 3),
        ([BUST, 'adjust beto=5 "x"'], Refusal.NOT_IN, "player", "beto", 3),
        (['adjust ana=100001 "x"'], Refusal.OTHER, "points", "", 2),
        (["stop lowest_wins", "leave ana"], Refusal.GAME_OVER, "", "", 3),
        (["stop highest_wins"], Refusal.OTHER, "how", "", 2),
        (["replace ana by beto"], Refusal.OTHER, "to", "", 2),
        (["strike 9"], Refusal.OTHER, "number", "", 2),
    ],
)
def test_a_refusal_names_its_field_its_player_and_its_event(lines, code, field, player, number):
    error = refused(a_log(*lines))
    assert (code, field, player, number) == (error.code, error.field, error.player, error.number)


def test_a_replay_until_refused_returns_the_state_before_the_refusal():
    log = a_log(BUST, "leave caro", "leave ana")
    state, refusal = replay_until_refused(log)
    assert state is not None
    assert refusal is not None
    assert (replay(log[:3]), 4) == (state, refusal.number)


@pytest.mark.parametrize(
    ("log", "number"),
    [
        ((), None),
        ((PlayerLeft("ana"),), 1),
        ((a_start(), a_start()), 2),
        ((a_start(), Inserted(1, PlayerLeft("ana"))), 2),
        ((a_start(), Corrected(1, PlayerLeft("ana"))), 2),
        ((a_start(), PlayerLeft("ana"), Corrected(2, PlayersSeated(PEOPLE))), 3),
        ((a_start(), Struck(2)), 2),
        ((a_start(), Struck(-1)), 2),
        ((a_start(), Inserted(3, PlayerLeft("ana")), PlayerLeft("ana")), 2),
    ],
)
def test_a_log_has_one_start_and_corrections_name_earlier_events(log: tuple[Event, ...], number: int | None):
    assert number == refused(log).number


@pytest.mark.parametrize("text", ["", "   ", 'a "b"', "a\nb", "a\rb"])
def test_an_invalid_name_or_reason_is_refused(text: str):
    start = a_start(late_entry="on")
    for event in (
        PlayerJoined(Player("eva", text)),
        SeatHandedOver("ana", Player("eva", text)),
        PointsAdjusted("ana", 5, text),
        Corrected(1, PlayersSeated((Player("ana", text), *PEOPLE[1:]))),
    ):
        refused((start, event))


def test_the_state_before_an_event_follows_playing_order_instead_of_numbers():
    log = a_log(
        "round ana out beto=5 caro=6", "round beto out ana=1 caro=1", "before 3 round ana out beto=2 caro=2"
    )
    assert [0, 5, 7] == [state_before(log, number).player("beto").total for number in (2, 4, 3)]


@pytest.mark.parametrize("number", [0, 1, 3, 4, 9])
def test_a_struck_or_unknown_event_has_no_state_before_it(number: int):
    log = a_log("round ana out beto=5 caro=6", "leave caro", "strike 3")
    with pytest.raises(RuleError) as refusal:
        state_before(log, number)
    assert "number" == refusal.value.field


def test_allows_agrees_with_applying_an_event():
    state = replay(a_log(BUST))
    assert (True, False) == (
        allows(state, PlayerReentered("beto")),
        allows(state, PlayerReentered("caro")),
    )
    assert replay(a_log(BUST)) == state


def test_a_difference_from_agreed_totals_is_noted():
    state = replay((*a_log("round ana out beto=5 caro=6"), TotalsAgreed((("ana", 0), ("caro", 7)))))
    assert (Disagreement(3, "caro", 7, 6),) == state.disagreements


def test_a_round_result_has_the_players_who_were_in_and_the_dealer():
    state = replay(a_log(BUST, "round ana out caro=5"))
    assert [("ana", {"ana": 0, "beto": 101, "caro": 5}), ("caro", {"ana": 0, "caro": 5})] == [
        (result.dealer, dict(result.points)) for result in state.rounds
    ]


def test_every_step_has_its_points_and_the_totals_and_seats_after_it():
    state = replay(a_log(BUST, "reenter beto", 'adjust caro=-2 "regalo"', "deal ana"))
    assert [{}, {"ana": 0, "beto": 101, "caro": 5}, {"beto": -96}, {"caro": -2}, {}] == [
        dict(step.moved) for step in state.steps
    ]
    assert {"ana": 0, "beto": 5, "caro": 3} == dict(state.steps[-1].totals)
    assert ["in", "pending", "in", "in", "in"] == [str(step.seats["beto"]) for step in state.steps]
