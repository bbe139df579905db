"""Corrections that lack hands, rounds or answers: what is asked for, and the game once it was given."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable, Iterator

import pytest

from games.scoring import Game
from games.scoring.conflicts import Conflict, Missing
from games.scoring.corrections import effective_events
from games.scoring.errors import RuleError
from games.scoring.events import (
    Corrected,
    Event,
    Inserted,
    Numbered,
    PlayerJoined,
    PlayerLeft,
    PlayerReentered,
    PlayerStayedOut,
    RoundPlayed,
    SeatHandedOver,
    Struck,
)
from games.scoring.moves import find_places, move_event
from games.scoring.preview import Preview, preview_changes
from games.scoring.replay import is_allowed, replay
from games.scoring.rounds import RoundEntry
from games.scoring.text.notation import parse_line
from games.scoring.text.notation_writer import write_event
from tests.scoring.plain_logs import effective_log
from tests.scoring.strategies import a_game, a_hand, a_round
from tests.scoring.test_laws import check_as_text, check_money, without_numbers

CHINCHON = """game chinchon packs=2 stake=1000
players ana beto caro mariela
round ana cut ana=1 beto=10 caro=101 mariela=20
stay_out caro
round beto cut ana=10 beto=2 mariela=30
round ana cut ana=3 beto=20 mariela=12
"""
BACK = "correct 3 reenter caro"
HAND_4 = "correct 4 round beto cut ana=10 beto=2 mariela=30 caro={}"
HAND_5 = "correct 5 round ana cut ana=3 beto=20 mariela=12 caro={}"


def preview(text: str, change: str, *given: str, **answers: str) -> Preview:
    return preview_changes(
        Game.from_text(text).log,
        *parse_line(change),
        given=[event for line in given for event in parse_line(line)],
        answers={key.replace("_", "-"): answer for key, answer in answers.items()},
    )


def asked(tried: Preview) -> tuple[str, int, int, str] | None:
    """Return the first gap that the preview finds: its kind, the event, the round and the players."""
    missing = tried.missing
    if missing is None:
        return None
    players = [missing.player] if missing.missing is Missing.ANSWER else missing.missing_players
    return str(missing.missing), missing.number, len(missing.before.rounds) + 1, " ".join(players)


def test_who_came_back_after_all_is_asked_for_round_by_round():
    assert ("hands", 4, 2, "caro") == asked(preview(CHINCHON, BACK))
    assert ("hands", 5, 3, "caro") == asked(preview(CHINCHON, BACK, HAND_4.format(15)))
    tried = preview(CHINCHON, BACK, HAND_4.format(15), HAND_5.format(4))
    assert None is asked(tried)
    assert tried.after is not None
    right = Game.from_text(
        CHINCHON.replace("stay_out", "reenter")
        .replace("mariela=30", "mariela=30 caro=15")
        .replace("mariela=12", "mariela=12 caro=4")
    )
    assert right.state.players == tried.after.players
    assert [BACK, HAND_4.format(15), HAND_5.format(4)] == [write_event(event) for event in tried.changes]


def test_who_goes_bust_again_on_the_way_is_asked_about_in_between():
    busted = preview(CHINCHON, BACK, HAND_4.format(90))
    assert ("answer", 5, 3, "caro") == asked(busted)
    assert busted.missing is not None
    assert "no-answer-5-caro" == busted.missing.key
    assert 50 == busted.missing.before.player("caro").reentry_total
    out = preview(CHINCHON, BACK, HAND_4.format(90), "before 5 stay_out caro")
    assert (None, ()) == (asked(out), out.conflicts)
    again = preview(CHINCHON, BACK, HAND_4.format(90), "before 5 reenter caro")
    assert ("hands", 5, 3, "caro") == asked(again)


def test_who_was_out_without_an_answer_before_the_correction_is_not_asked_about():
    silent = CHINCHON.replace("stay_out caro\n", "")
    assert None is asked(preview(silent, "correct 2 round ana cut ana=1 beto=11 caro=101 mariela=20"))
    assert ("hands", 3, 2, "caro") == asked(preview(silent, "before 3 reenter caro"))


def test_a_recorded_reentry_at_another_total_is_a_question_once_hands_were_added():
    text = (
        CHINCHON.replace("ana=3 beto=20", "ana=3 beto=120")
        + "reenter beto\nround ana cut ana=1 beto=2 mariela=3\n"
    )
    given = (HAND_4.format(40), HAND_5.format(25).replace("beto=20", "beto=120"))
    last = "correct 7 round ana cut ana=1 beto=2 mariela=3 caro=4"
    tried = preview(text, BACK, *given, last)
    (conflict,) = tried.conflicts
    assert ("other_total", 6, "beto", "reenter") == (
        conflict.kind,
        conflict.number,
        conflict.player,
        conflict.chosen,
    )
    assert ["reenter", "stay_out"] == [choice.remedy for choice in conflict.choices]
    out = preview(text, BACK, *given, last, other_total_6_beto="stay_out")
    assert ["other_total", "bust_played_on"] == [conflict.kind for conflict in out.conflicts]
    assert out.after is not None
    assert "out" == out.after.player("beto").seat


LOBA = """game loba_menos late_entry=on
players ana beto caro dani
round ana out beto=5 caro=6 dani=7
round beto out ana=5 caro=6 dani=7
leave dani
round caro out ana=5 beto=6
join eva after=ana
round ana out beto=5 caro=6 eva=8
replace beto by fito
round ana out fito=5 caro=6 eva=8
"""


@pytest.mark.parametrize(
    ("change", "lacks"),
    [
        ("strike 4", ("hands", 5, 3, "dani")),
        ("strike 6 ; before 3 join eva after=ana", ("hands", 3, 2, "eva")),
        ("strike 4 ; before 7 leave dani", ("hands", 5, 3, "dani")),
    ],
)
def test_who_stayed_or_came_earlier_lacks_the_hands_of_the_rounds_that_they_played(change, lacks):
    assert lacks == asked(preview(LOBA, change))


@pytest.mark.parametrize(
    ("change", "becomes"),
    [
        (
            "strike 8 ; before 3 replace beto by fito",
            "correct 3 round fito out ana=5 caro=6 dani=7 ; correct 5 round caro out ana=5 fito=6 ; "
            "correct 7 round ana out fito=5 caro=6 eva=8",
        ),
        ("strike 8 ; replace beto by fito", "correct 9 round ana out beto=5 caro=6 eva=8"),
        ("strike 8", "correct 9 round ana out beto=5 caro=6 eva=8"),
    ],
)
def test_a_handover_moved_or_removed_renames_what_lies_between_and_asks_nothing(change, becomes):
    tried = preview(LOBA, change)
    assert (becomes, (), None) == (
        " ; ".join(write_event(event) for event in tried.changes[len(parse_line(change)) :]),
        tried.conflicts,
        tried.missing,
    )


def test_who_came_later_or_left_earlier_loses_the_hands_between_alone():
    later = preview(LOBA + "round ana out fito=5 caro=6 eva=9\n", "strike 6 ; before 9 join eva after=ana")
    assert "correct 7 round ana out beto=5 caro=6" == write_event(later.changes[-1])
    assert None is asked(later)
    left = preview(LOBA, "strike 4 ; before 3 leave dani")
    assert "correct 3 round beto out ana=5 caro=6" == write_event(left.changes[-1])


def test_a_round_that_no_longer_fits_the_options_is_asked_for_anew():
    points = "game points closes=nobody\nplayers ana beto\nround nobody played ana=5 beto=6\n"
    tried = preview(points, "correct 1 game points closes=one")
    assert ("round", 2, 1, "") == asked(tried)


def test_the_preview_keeps_a_leave_of_who_sits_out():
    text = """game points ending=rounds rounds=1 tie=play_off wins=most closes=nobody
players ana beto caro
round nobody played ana=5 beto=5 caro=5
round nobody played ana=5 beto=5 caro=3
leave caro
round nobody played ana=5 beto=4
"""
    tried = preview(text, "correct 2 round nobody played ana=5 beto=5 caro=4")
    assert ["stay_out", "strike"] == [choice.remedy for choice in tried.conflicts[0].choices]
    assert ["correct 3 round nobody played ana=5 beto=5"] == [
        write_event(event) for event in tried.changes[1:]
    ]
    assert tried.after is not None
    assert "left" == tried.after.player("caro").seat


# --- random games -----------------------------------------------------------------------------------------------------


def a_correction(chance: random.Random, log: tuple[Event, ...]) -> tuple[Event, ...] | None:
    """Return what one event of the game should have been: an answer, leaving, coming, or a seat handed over."""
    kinds = PlayerStayedOut | PlayerReentered | PlayerLeft | PlayerJoined | SeatHandedOver
    numbers = [number for number, event in enumerate(log, start=1) if isinstance(event, kinds)]
    if not numbers:
        return None
    number = chance.choice(numbers)
    before = chance.choice([*range(2, number), *range(number + 1, len(log) + 1), None])
    match log[number - 1]:
        case PlayerStayedOut(player):
            return (Corrected(number, PlayerReentered(player)),)
        case PlayerReentered(player):
            return (Corrected(number, PlayerStayedOut(player)),)
        case PlayerLeft() if chance.random() < 0.5:
            return (Struck(number),)
    return move_event(log, number, before)


def give(chance: random.Random, missing: Conflict) -> Iterator[Event]:
    """Yield the event that adds what is missing, with random hands."""
    before, event = missing.before, missing.event
    match missing.missing:
        case Missing.ANSWER:
            is_back = chance.random() < 0.5
            yield Inserted(missing.number, (PlayerReentered if is_back else PlayerStayedOut)(missing.player))
        case Missing.ROUND:
            played = a_round(chance, before)
            if is_allowed(before, played):
                yield Corrected(missing.number, played)
        case _:
            assert isinstance(event, RoundPlayed)
            hands = tuple((player, a_hand(chance, before)) for player in missing.missing_players)
            entry = RoundEntry(event.entry.closer, event.entry.closing, (*event.entry.hands, *hands))
            if is_allowed(before, RoundPlayed(entry)):
                yield Corrected(missing.number, RoundPlayed(entry))


def complete(
    chance: random.Random, log: tuple[Event, ...], *changes: Event
) -> tuple[Preview, list[Event], set[int]]:
    """Return the preview of the changes once everything that was missing has been added, what was added, and the
    numbers of the rounds that were asked for anew. Other rounds were asked for the hands that they lacked."""
    given: list[Event] = []
    anew: set[int] = set()
    for _step in range(200):
        tried = preview_changes(log, *changes, given=given)
        if tried.missing is None:
            return tried, given, anew
        if tried.missing.missing is Missing.ROUND:
            anew.add(tried.missing.number)
        given += give(chance, tried.missing)
    raise AssertionError("it asks forever")


@pytest.mark.parametrize(
    "seeds",
    [
        range(150),
        pytest.param(range(150, 6000), marks=pytest.mark.long),
    ],
    ids=["some", "thousands"],
)
def test_a_random_game_corrected_and_completed_equals_the_game_played_so_from_the_start(seeds):
    reached: Counter[str] = Counter()
    for seed in seeds:
        chance = random.Random(seed)
        log = a_game(chance, length=16)
        changes = a_correction(chance, log)
        if changes is None:
            continue
        try:
            tried, given, anew = complete(chance, log, *changes)
        except RuleError:
            reached["refused"] += 1
            continue
        reached["asked" if given else "not asked"] += 1
        assert tried.after is not None
        corrected = (*log, *tried.changes)
        right = [event for _number, event in effective_log(corrected)]
        assert (
            without_numbers(replay(right))
            == without_numbers(replay(corrected))
            == without_numbers(tried.after)
        )
        check_money(tried.after)
        check_as_text(corrected, tried.after)
        _check_kept(log, tried, given, anew)
    assert {"asked", "not asked", "refused"} <= reached.keys(), reached


def _check_kept(log: tuple[Event, ...], tried: Preview, given: list[Event], anew: set[int]) -> None:
    """Assert that no hand was lost without a question, and that everything that was added is in the game."""
    if tried.conflicts:
        return
    now = (*log, *tried.changes)
    hands, kept = (Counter(_hands(effective_events(events))) for events in (log, now))
    # A round that only lacked hands loses those of people who do not play it any longer.
    shortened = {number for number, _hand in hands - kept} - anew
    assert shortened <= {event.number for event in given if isinstance(event, Corrected)}
    before, after = (_rounds(effective_events(events)) for events in (log, now))
    for number in shortened:
        old, new = before[number].by_player, after[number].by_player
        assert {player: old[player] for player in old.keys() & new.keys()}.items() <= new.items()
    asked_for = sum(
        len(event.event.entry.hands)
        for event in {event.number: event for event in given if isinstance(event, Corrected)}.values()
        if isinstance(event.event, RoundPlayed)
    )
    assert kept.total() - hands.total() <= asked_for


def _hands(events: Iterable[Numbered]) -> Iterator[tuple[int, object]]:
    return (
        (number, hand)
        for number, event in events
        if isinstance(event, RoundPlayed)
        for _player, hand in event.entry.hands
    )


def _rounds(events: Iterable[Numbered]) -> dict[int, RoundEntry]:
    return {number: event.entry for number, event in events if isinstance(event, RoundPlayed)}


def test_an_event_can_be_moved_to_each_place_that_is_offered():
    offered = 0
    for seed in range(80):
        log = a_game(random.Random(seed), length=16)
        for number in range(1, len(log) + 1):
            for before in find_places(log, number):
                tried = preview_changes(log, *move_event(log, number, before))
                assert tried.after is not None or tried.missing is not None or not tried.conflicts[-1].choices
                offered += 1
    assert offered > 60


def test_an_event_stays_where_it_is_and_among_its_people():
    log = Game.from_text(LOBA).log
    places = {number: [*find_places(log, number)] for number in range(1, len(log) + 1)}
    assert {4: [2, 3, 7, 9, None], 6: [2, 3, 5, 9, None], 8: [2, 3, 5, 7, None]} == {
        number: found for number, found in places.items() if found
    }
