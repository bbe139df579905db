"""The phone's own totals: every golden game is also played in the browser and must match the scoring package.

The phone leaves open what only the server can count (the value of melds, leftovers of seven cards), and
whether a game is over.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from django.templatetags.static import static

from games.common import naming
from games.common.parsing import parse_amount
from games.models import MOST_MONEY, Table
from games.play.presenters import offline_numbers
from games.scoring import corrections
from games.scoring.card_points import LeftoverPoints
from games.scoring.events import (
    Event,
    GameStarted,
    Log,
    NightImported,
    PlayerReentered,
    PlayerStayedOut,
    PlayEvent,
    RoundPlayed,
)
from games.scoring.replay import apply, replay
from games.scoring.shares import expense_shares
from games.scoring.state import GameState
from games.scoring.text.game_file import parse_game_file, play_game_file
from games.scoring.text.notation_writer import write_hand

GOLDEN = sorted((Path(__file__).parents[1] / "scoring" / "golden").glob("*.game"))

SCRIPTS = ("source/play/arithmetic.js", "source/offline/totals.js")

Numbers = dict[str, Any]

# Each step continues from the phone's own numbers, as during a whole evening offline. After an open total or
# another kind of event it continues from the server's.
COUNT = """async ([addresses, steps]) => {
  const phone = Object.assign({}, ...await Promise.all(addresses.map((address) => import(address))));
  let last = null;
  return steps.map(({ printed, fresh, round, answer }) => {
    const before = fresh || !last || last.seats.some((seat) => seat.total === null) ? printed : last;
    last = round ? phone.played(before, round) : phone.answered(before, ...answer);
    return { numbers: last, points: round ? phone.roundPoints(before, round) : {} };
  });
}"""


@dataclass(frozen=True)
class Turn:
    """One event of a golden game and the state before it. `fresh` if it does not follow another of its kind."""

    game: str
    before: GameState
    event: Event
    after: GameState
    fresh: bool

    @property
    def server_numbers(self) -> Numbers:
        """The numbers that the server prints before the event, as a browser reads them."""
        return offline_numbers.build(self.before, len(self.before.steps))

    @property
    def stored_event(self) -> Numbers:
        """The event as a phone stores it."""
        match self.event:
            case RoundPlayed(entry):
                hands = {player: write_hand(hand) for player, hand in entry.hands}
                return {
                    "round": {
                        "closer": entry.closer or naming.NOBODY,
                        "closing": entry.closing,
                        "hands": hands,
                    }
                }
            case PlayerReentered(player):
                return {"answer": [player, "reenter"]}
            case _:
                assert isinstance(self.event, PlayerStayedOut)
                return {"answer": [self.event.player, "stay_out"]}

    @property
    def open_seats(self) -> set[str]:
        """The players whose melds or seven cards only the server can count in this round."""
        if not isinstance(self.event, RoundPlayed):
            return set()
        entry, rules = self.event.entry, self.before.rules
        if entry.closer is not None and entry.closing in ("closed", "chinchon", "wild_chinchon"):
            hands = [(player, hand) for player, hand in entry.hands if player != entry.closer]
        else:
            hands = list(entry.hands)
        return {
            player
            for player, hand in hands
            if hand.melds
            or (
                isinstance(rules.scoring, LeftoverPoints)
                and len(hand.held or ()) == rules.cards_dealt
                and all(card.suit or card.rank == "*" for card in hand.held or ())
            )
        }


def game_turns(game: str, log: Log) -> Iterator[Turn]:
    """Yield every round and every answer of this log that a phone could have entered.

    The phone asks about re-entries before the next round.
    """
    state: GameState | None = None
    fresh = True
    if not log:  # a game that the rules refuse from the start
        return
    for number, event in corrections.effective_events(log):
        if state is None:
            if isinstance(event, NightImported):  # a night of an old notebook, which has no rounds
                return
            assert isinstance(event, GameStarted)
            state = replay((event,))
            continue
        after = apply(state, number, event)
        if isinstance(event, RoundPlayed | PlayerReentered | PlayerStayedOut) and not (
            isinstance(event, RoundPlayed) and state.pending
        ):
            yield Turn(game, state, event, after, fresh)
            fresh = after.is_play_off  # the site says who plays off, before the phone goes on
        else:
            fresh = True
        state = after


def golden_turns() -> Iterator[Turn]:
    """Yield the turns of every golden game, and of the game before each correction."""
    for path in GOLDEN:
        lines = parse_game_file(path.read_text(encoding="utf-8"))
        corrected = [
            place
            for place, line in enumerate(lines)
            if not all(isinstance(event, PlayEvent) for event in line.events)
        ]
        for end in [*corrected[1:], len(lines)]:
            yield from game_turns(path.stem, play_game_file(lines[:end]).log)


@pytest.fixture
def phone_answers(page) -> list[tuple[Turn, Numbers]]:
    """Every turn of the golden games with the phone's numbers after it."""
    page.goto("/offline/")
    turns = list(golden_turns())
    steps = [{"printed": turn.server_numbers, "fresh": turn.fresh, **turn.stored_event} for turn in turns]
    answers: list[Numbers] = page.evaluate(COUNT, [[static(name) for name in SCRIPTS], steps])
    return list(zip(turns, answers, strict=True))


def comparable_numbers(numbers: Numbers, is_unsure: bool) -> Numbers:
    """Return the numbers that must agree: without the server's own, and only totals if the game may be over."""
    seat_keys = ("id", "total") if is_unsure else SEAT
    left_out = {*SITE_ONLY_KEYS, *(("cards",) if is_unsure else ())}
    shared = {key: value for key, value in numbers.items() if key not in left_out}
    return {**shared, "seats": [{key: seat[key] for key in seat_keys} for seat in numbers["seats"]]}


SEAT = ("id", "total", "seat", "reentries", "back")
SITE_ONLY_KEYS = ("deals", "pot", "over", "unsure", "play_off")


def test_the_phone_calculates_every_golden_game_like_the_server_but_hands_that_only_the_server_counts(
    phone_answers,
):
    whole = [(turn, answer) for turn, answer in phone_answers if not turn.open_seats]
    partly = [(turn, answer) for turn, answer in phone_answers if turn.open_seats]
    assert len(whole) > 0.9 * len(phone_answers)
    unsure = 0
    for turn, answer in whole:
        is_unsure = answer["numbers"].get("unsure", False)
        expected = comparable_numbers(offline_numbers.build(turn.after, len(turn.after.steps)), is_unsure)
        assert (turn.game, turn.event, expected) == (
            turn.game,
            turn.event,
            comparable_numbers(answer["numbers"], is_unsure),
        )
        assert is_unsure or not turn.after.is_over
        unsure += is_unsure and not turn.after.is_over
        if isinstance(turn.event, RoundPlayed):
            assert turn.after.rounds[-1].points == answer["points"]

    assert unsure < 0.05 * len(whole), "the phone leaves to the site what it could add"
    assert partly
    for turn, answer in partly:
        assert isinstance(turn.event, RoundPlayed)
        if turn.after.outcome and turn.after.rounds[-1].entry.closing in ("chinchon", "wild_chinchon"):
            continue
        points = turn.after.rounds[-1].points
        expected_points = {player: None if player in turn.open_seats else points[player] for player in points}
        assert (turn.game, turn.event, expected_points) == (turn.game, turn.event, answer["points"])


# --- what stays open --------------------------------------------------------------------------------------------------

SEVEN = "[5o 6o 7o 4b 1c 3e 10b]"  # 36 points at most
PLAY_ROUND = "async ([address, numbers, round]) => (await import(address)).played(numbers, round)"


def build_numbers(ana: int, beto: int, caro: int, options: str) -> Numbers:
    """Return the numbers of a game of Chinchón at these totals."""
    script = f"""
        game chinchon {options or "stake=10"}
        players ana beto caro
        round nobody stock_out ana={ana} beto={beto} caro={caro}
    """
    state = play_game_file(parse_game_file(script)).state
    assert state is not None
    return offline_numbers.build(state, 2)


# The totals of Ana, Beto and Caro, Ana's hand and the game's options; then the seats and totals, whether only
# the site can say who plays on, and Beto's total on re-entry.
OPEN = {
    "the total": ((30, 50, 40), SEVEN, "", "in ?, in 60, in 43", False, None),
    "the re-entry, if the open total may be the highest": (
        *((30, 95, 40), SEVEN, "", "in ?, pending 105, in 43", False),
        None,
    ),
    "no re-entry that the open total cannot change": (
        *((30, 95, 70), SEVEN, "", "in ?, pending 105, in 73", False),
        73,
    ),
    "a re-entry that may be too late": (
        *((30, 95, 40), SEVEN, "entry_limit=43", "in ?, in 105, in 43", True),
        None,
    ),
    "no re-entry that is too late in any case": (
        *((30, 95, 40), "10", "entry_limit=42", "in 40, out 105, in 43", False),
        None,
    ),
    "the end, if the open total may win": (
        *((30, 50, 40), SEVEN, "wins_at=-100", "in ?, in 60, in 43", True),
        None,
    ),
    "whether Ana is bust": ((70, 95, 40), SEVEN, "", "in ?, in 105, in 43", True, None),
    "whether Caro won, if all others are bust": ((70, 95, 40), "31", "", "in 101, in 105, in 43", True, None),
}


def test_what_the_phone_leaves_open_when_caro_cuts_with_3_and_beto_counts_10(page, subtests):
    page.goto("/offline/")
    for what, (totals, hand, options, seats, is_unsure, back) in OPEN.items():
        with subtests.test(what):
            entry = {"closer": "caro", "closing": "cut", "hands": {"ana": hand, "beto": "10", "caro": "3"}}
            numbers = build_numbers(*totals, options)
            after = page.evaluate(PLAY_ROUND, [static("source/offline/totals.js"), numbers, entry])
            seat_totals = [
                f"{seat['seat']} {'?' if seat['total'] is None else seat['total']}" for seat in after["seats"]
            ]
            assert (seats, is_unsure) == (", ".join(seat_totals), after.get("unsure", False))
            assert back == after["seats"][1]["back"]


# --- amounts of money -------------------------------------------------------------------------------------------------

TYPED = (
    *("150", "1.500", "150,5", "150.50", ",50", "1.500,25", "1,2345", "7,", "", "doce", "1 500", "1'500"),
    *("1 5", "12.34.56", "1.500.250", "1.500.2", "-5", "+5", "1e3", "0x10", ",", "1'500,5", "1,500,25"),
)
READ_COINS = """async ([address, texts, decimals]) => {
  const { coins } = await import(address);
  return texts.map((text) => coins(text, decimals)).map((amount) => (Number.isNaN(amount) ? null : amount));
}"""


def test_a_typed_amount_is_the_servers_with_and_without_cents(page):
    page.goto("/offline/")
    for decimals in (0, 2):
        expected = [parse_amount(text, Table(unit="$", decimals=decimals)) for text in TYPED]
        assert expected == page.evaluate(READ_COINS, [static("source/base/coins.js"), TYPED, decimals])


SPLIT = """async ([address, cases]) => {
  const { split } = await import(address);
  return cases.map(([amount, paid, shares, people]) =>
    Object.fromEntries(split(amount, new Map(paid), new Map(shares), people)));
}"""


def test_the_split_of_an_expense_is_the_servers_to_the_last_coin(page):
    page.goto("/offline/")
    chance, people = random.Random(5), ["ana", "beto", "caro", "dani", "eva"]
    cases: list[tuple[int, dict[str, int], dict[str, int]]] = [
        (MOST_MONEY, {"caro": MOST_MONEY}, {"ana": 98, "eva": 99})
    ]
    for _case in range(2000):
        paid = {slug: chance.randint(1, 40) for slug in chance.sample(people, chance.choice((1, 1, 2, 3)))}
        shares = {slug: chance.choice((1, 1, 2, 99)) for slug in chance.sample(people, chance.randint(1, 5))}
        cases.append((sum(paid.values()), paid, shares))
    expected = [expense_shares(amount, paid, shares, people) for amount, paid, shares in cases]
    sent = [[amount, [*paid.items()], [*shares.items()], people] for amount, paid, shares in cases]

    assert expected == page.evaluate(SPLIT, [static("source/money/split.js"), sent])
