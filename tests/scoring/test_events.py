"""Corrections of a log, compared with the second implementation in plain_logs.py."""

from __future__ import annotations

import random

import pytest
from hypothesis import given

from games.scoring.errors import RuleError
from games.scoring.events import (
    Corrected,
    Event,
    GameStarted,
    Inserted,
    Player,
    PlayerJoined,
    PlayersSeated,
    PointsAdjusted,
    RulesAgreed,
    SeatHandedOver,
    Struck,
    effective,
    renamed,
    seated_in,
)
from tests.examples import examples
from tests.scoring.plain_logs import as_if_right_at_once, may_be_named
from tests.scoring.strategies import seeds

START = GameStarted("loba_menos", (("stake", 5),), (Player("ana", "Ana"), Player("beto", "Beto")))


def is_put_in_place(log: tuple[Event, ...]) -> bool:
    try:
        effective(log)
    except RuleError:
        return False
    return True


def an_entry(chance: random.Random, log: tuple[Event, ...], *, strikes: float) -> Event:
    """Return a unique penalty, or a random correction of any event, which may be refused.

    `strikes` is the share of strikes among all entries.
    """
    plain = PointsAdjusted("ana", len(log), "multa")
    number = chance.randint(0, len(log) + 1)
    if chance.random() < strikes:
        return Struck(number)
    kind = chance.random()
    if kind < 0.45:
        return plain
    if kind < 0.5:
        return Corrected(number, RulesAgreed("loba_menos", (("stake", len(log)),), "beto", "right"))
    if kind < 0.55:
        return Corrected(number, PlayersSeated((Player("eva", f"Eva {len(log)}"),)))
    return Corrected(number, plain) if kind < 0.75 else Inserted(number, plain)


@examples(150)
@given(seeds)
def test_a_corrected_log_equals_one_without_errors(seed: int):
    chance = random.Random(seed)
    strikes = chance.choice((0.2, 0.8))  # many strikes make chains: an event can be struck twice
    log: tuple[Event, ...] = (START,)
    for _time in range(25):
        entry = an_entry(chance, log, strikes=strikes)
        allowed = not isinstance(entry, Corrected | Inserted | Struck) or may_be_named(log, entry)
        assert allowed == is_put_in_place((*log, entry))
        if allowed:
            log = (*log, entry)
            assert as_if_right_at_once(log) == [event for _number, event in effective(log)]


def test_every_event_keeps_its_number():
    penalties = [PointsAdjusted("ana", points, "multa") for points in range(4)]
    log = (START, penalties[0], penalties[1], Inserted(3, penalties[2]), Corrected(2, penalties[3]))
    assert [1, 2, 4, 3] == [number for number, _event in effective(log)]


def test_an_invalid_correction_is_refused_with_its_event_number():
    log = (START, PointsAdjusted("ana", 5, "multa"), Struck(2), Struck(2), Struck(9))
    with pytest.raises(RuleError) as refusal:
        effective(log)
    assert (4, "number") == (refusal.value.number, refusal.value.field)


def struck(*numbers: int) -> tuple[Event, ...]:
    """Return a log of the start, a penalty as event 2, and strikes of these numbers."""
    return (START, PointsAdjusted("ana", 5, "multa"), *map(Struck, numbers))


def test_an_event_struck_twice_stays_out_when_one_of_its_strikes_is_struck():
    log = struck(2, 3, 2, 4, 6)  # event 5 strikes 2; event 3 does no more

    assert not is_put_in_place((*log, Corrected(2, PointsAdjusted("ana", 7, "multa"))))
    assert not is_put_in_place((*log, Struck(2)))
    assert is_put_in_place((*log, Struck(5), Struck(2)))


def test_an_event_in_force_can_be_corrected_although_its_strike_is_struck_twice():
    log = struck(2, 3, 4, 3, 5, 7)  # event 6 strikes 3, the only strike of 2; event 4 does no more
    right = PointsAdjusted("ana", 7, "multa")

    assert [(1, START), (2, right)] == list(effective((*log, Corrected(2, right))))
    assert not is_put_in_place((*log, Struck(3)))


def test_a_log_can_be_rewritten_with_present_names():
    eva, fito = Player("eva", "Eva"), Player("fito", "Fito")
    log = (
        START,
        PlayerJoined(eva),
        SeatHandedOver("ana", fito),
        Corrected(1, PlayersSeated((Player("beto", "Beto"), Player("ana", "Ana")))),
        Inserted(3, PlayerJoined(Player("gabi", "Gabi"))),
        PointsAdjusted("beto", 5, "Beto talked"),
    )

    assert (
        GameStarted("loba_menos", (("stake", 5),), (Player("ana", "Ana"), Player("beto", "Alberto"))),
        PlayerJoined(Player("eva", "Evita")),
        SeatHandedOver("ana", Player("fito", "Adolfo")),
        Corrected(1, PlayersSeated((Player("beto", "Alberto"), Player("ana", "Ana")))),
        Inserted(3, PlayerJoined(Player("gabi", "Gabriela"))),
        PointsAdjusted("beto", 5, "Beto talked"),
    ) == renamed(log, {"beto": "Alberto", "eva": "Evita", "fito": "Adolfo", "gabi": "Gabriela", "zoe": "Zoe"})


def test_who_joined_and_who_took_a_seat_over_have_one_and_who_handed_it_over_has_none():
    eva, fede = Player("eva", "Eva"), Player("fede", "Fede")

    assert {"ana", "eva", "fede"} == seated_in((START, PlayerJoined(eva), SeatHandedOver("beto", fede)))
