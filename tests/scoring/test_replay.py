"""Logs that no text can hold, and the state before an event; results and refusals are in test_results.py."""

from __future__ import annotations

import pytest

from games.scoring.errors import RuleError
from games.scoring.events import (
    Corrected,
    Event,
    GameStarted,
    Player,
    PlayerJoined,
    PlayerLeft,
    PlayersSeated,
    PointsAdjusted,
    RulesAgreed,
    SeatHandedOver,
)
from games.scoring.replay import replay, state_before
from games.scoring.text.notation import parse_line
from games.scoring.validation import needs_solver
from games.scoring.variants import get_variant

PEOPLE = tuple(Player(player, player.title()) for player in ("ana", "beto", "caro"))
START = GameStarted("loba_menos", get_variant("loba_menos").house({"late_entry": "on"}).options, PEOPLE)


def a_log(*lines: str) -> tuple[Event, ...]:
    return (START, *(event for line in lines for event in parse_line(line)))


@pytest.mark.parametrize(
    ("log", "number"),
    [
        ((), None),
        ((PlayerLeft("ana"),), 1),
        ((START, START), 2),
        ((START, Corrected(1, PlayersSeated((*PEOPLE, PEOPLE[0])))), 1),
        *(
            ((START, event), number)
            for text in ("", "   ", 'a "b"', "a\nb", "a\rb")
            for event, number in (
                (PlayerJoined(Player("eva", text)), 2),
                (SeatHandedOver("ana", Player("eva", text)), 2),
                (PointsAdjusted("ana", 5, text), 2),
                (Corrected(1, PlayersSeated((Player("ana", text), *PEOPLE[1:]))), 1),
            )
        ),
    ],
)
def test_a_log_that_no_text_can_hold_is_refused_at_its_event(log: tuple[Event, ...], number: int | None):
    with pytest.raises(RuleError) as refusal:
        replay(log)
    assert number == refusal.value.number


def test_the_state_before_an_event_follows_playing_order_instead_of_numbers():
    log = a_log(
        "round ana out beto=5 caro=6", "round beto out ana=1 caro=1", "before 3 round ana out beto=2 caro=2"
    )
    assert [0, 5, 7] == [state_before(log, number).player("beto").total for number in (2, 4, 3)]


@pytest.mark.parametrize("number", [0, 1, 3, 4, 9])
def test_event_1_and_a_struck_or_unknown_event_have_no_state_before_them(number: int):
    log = a_log("round ana out beto=5 caro=6", "leave caro", "strike 3")
    sentence = "Event 1 starts the game" if number == 1 else f"Event {number} was already undone or removed"
    with pytest.raises(RuleError, match=sentence) as refusal:
        state_before(log, number)
    assert "number" == refusal.value.field


@pytest.mark.parametrize(("variant", "is_solved"), [("chinchon", True), ("loba_mas", False)])
def test_hands_are_solved_by_the_rules_of_the_start_and_of_its_correction(variant: str, is_solved: bool):
    options = get_variant(variant).house({}).options
    assert is_solved == needs_solver((GameStarted(variant, options, PEOPLE),))
    assert is_solved == needs_solver((START, Corrected(1, RulesAgreed(variant, options))))
