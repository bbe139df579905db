"""Corrections of a log, compared with the second implementation in plain_logs.py.

`api/test_events.py` has the events as the API describes them.
"""

from __future__ import annotations

import random

from hypothesis import given

from games.scoring import corrections
from games.scoring.errors import RuleError
from games.scoring.events import (
    Corrected,
    Correction,
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
    with_names,
)
from tests.examples import examples
from tests.scoring.plain_logs import can_be_next, effective_log
from tests.scoring.strategies import seeds

START = GameStarted("loba_menos", (("stake", 5),), (Player("ana", "Ana"), Player("beto", "Beto")))


def is_valid_log(log: tuple[Event, ...]) -> bool:
    try:
        corrections.effective_events(log)
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
        allowed = not isinstance(entry, Correction) or can_be_next(log, entry)
        assert allowed == is_valid_log((*log, entry))
        if allowed:
            log = (*log, entry)
            assert effective_log(log) == list(corrections.effective_events(log))


def log_with(beto: str, eva: str, fito: str, gabi: str) -> tuple[Event, ...]:
    """Return a log that names these players, and ana."""
    return (
        GameStarted("loba_menos", (("stake", 5),), (Player("ana", "Ana"), Player("beto", beto))),
        PlayerJoined(Player("eva", eva)),
        SeatHandedOver("ana", Player("fito", fito)),
        Corrected(1, PlayersSeated((Player("beto", beto), Player("ana", "Ana")))),
        Inserted(3, PlayerJoined(Player("gabi", gabi))),
        PointsAdjusted("beto", 5, "Beto talked"),
    )


def test_a_log_can_be_rewritten_with_present_names():
    new_names = {"beto": "Alberto", "eva": "Evita", "fito": "Adolfo", "gabi": "Gabriela", "zoe": "Zoe"}

    assert log_with("Alberto", "Evita", "Adolfo", "Gabriela") == with_names(
        log_with("Beto", "Eva", "Fito", "Gabi"), new_names
    )


def test_who_joined_and_who_took_a_seat_over_have_one_and_who_handed_it_over_has_none():
    eva, fede = Player("eva", "Eva"), Player("fede", "Fede")

    assert {"ana", "eva", "fede"} == corrections.players_at_end(
        (START, PlayerJoined(eva), SeatHandedOver("beto", fede))
    )
