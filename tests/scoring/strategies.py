"""Random logs: valid games with every option and event, corrections of them, and arbitrary events."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence

from hypothesis import strategies as st

from games.scoring.card_points import LeftoverPoints, MeldPoints, TypedPoints
from games.scoring.cards import FRENCH_RANKS, JOKER, PLACES, TWO_FRENCH_PACKS, Card, Deck
from games.scoring.conflicts import Remedy
from games.scoring.endings import can_add_bonuses, can_name_winners
from games.scoring.errors import RuleError
from games.scoring.events import (
    Corrected,
    DealPassed,
    Event,
    GameStarted,
    GameStopped,
    Inserted,
    Log,
    Player,
    PlayerJoined,
    PlayerLeft,
    PlayerReentered,
    PlayersSeated,
    PlayerStayedOut,
    PlayEvent,
    PointsAdjusted,
    RoundPlayed,
    RulesAgreed,
    SeatHandedOver,
    Stop,
    Struck,
    TotalsAgreed,
    WinnersNamed,
)
from games.scoring.option_checks import check_options
from games.scoring.option_values import Line, Money, Words
from games.scoring.options import House, Option, Variant
from games.scoring.preview import preview_changes
from games.scoring.replay import apply, is_allowed, replay, state_before
from games.scoring.rounds import Hand, RoundEntry
from games.scoring.rule_types import CloserHand, Closing, ClosingKind, FirstOut, LastIn, Rules, Value
from games.scoring.state import GameState, Seat
from games.scoring.variants import VARIANTS, get_variant

IDS = ("ana", "beto", "caro", "dani", "eva")
GUESTS = ("fito", "gabi", "hugo", "ines", "juli", "kari", "leo", "mara")
CROWD = (*IDS, *GUESTS[-3:])  # with three packs
NAMES = ("Ana", "ana", "Señora # uno", "a;b", "[x]", "{", "José María", "=", "strike 3", "—")
REASONS = ("multa", "se fue # a dormir", "dos ; tres", "ñandú [K]", "=5")

# Values to try instead of an option's offered ones and its bounds.
TRIED_VALUES: Mapping[str, Sequence[Value]] = {
    "out_at": (50, 60, 101, 151),
    "target": (1, 20, 50, 60, 150),
    "rounds": (1, 2, 4, 99),
    "reentries": (0, 1, 2, 9, "unlimited"),
    "wins_at": ("none", -1, -12, -30, -100),
    "floor": ("none", 0, -5, -30),
    "ending": ("target", "rounds", "open", *["last_in"] * 3, "first_out"),
    "name": ("", "Generala", "Uno # 2; [x] ñ", "12345678901234567890"),
}
OFTEN = {
    *("late_entry", "entry_total", "entry_limit", "wins_at"),
    *("winner", "tie", "bonuses", "cut"),
    *("stock_end", "reentries", "reentry_price", "floor", "settlement", "closes", "round_prize", "dealt"),
}
RARELY = {("loba_menos", "ending"), ("chinchon", "ending")}


# --- a game under way -------------------------------------------------------------------------------------------------


def a_start(chance: random.Random, *variants: str, **fixed: Value) -> GameStarted:
    """Return the start of a random game with these fixed options, of one of these variants or any.

    Two to five players sit down, or with three packs any number up to eight except three. Dealer and direction
    are random.
    """
    key = chance.choice(variants or tuple(VARIANTS))
    house = _a_house(chance, get_variant(key), fixed)
    has_three_packs = ("packs", 3) in house.options
    seats = chance.choice([2, 4, 5, 6, 7, 8] if has_three_packs else [2, 3, 4, 4, 5, 5])
    ids = chance.sample(CROWD if has_three_packs else IDS, seats)
    return GameStarted(
        key,
        house.options,
        tuple(Player(player, _a_name(chance, player)) for player in ids),
        chance.choice(["", chance.choice(ids)]),
        chance.choice(["left", "right"]),
    )


def _a_house(chance: random.Random, variant: Variant, fixed: Mapping[str, Value]) -> House:
    """Return random options that are allowed together, including these."""
    while True:
        chosen: dict[str, Value] = {}
        for option in variant.options:
            likely = 0.5 if option.key in OFTEN else 0.15 if (variant.key, option.key) in RARELY else 0.25
            if chance.random() < likely:
                chosen[option.key] = chance.choice(_option_values(option))
        chosen |= fixed
        if any(option.key == "wins" for option in variant.options) and (
            chosen.get("settlement") == "to_winner" or chosen.get("ending") == "last_in"
        ):
            chosen["wins"] = "fewest"
        if chosen.get("settlement") == "own" and chosen.get("ending") != "last_in":
            chosen["wins"] = "most"
        if chosen.get("winner") == "named" and chance.random() < 0.7:
            chosen["ending"] = "open"
        if "pack" in chosen and chance.random() < 0.8:
            chosen["wilds"] = "jokers" if chosen["pack"] == 50 else chance.choice(["none", "ace_of_coins"])
        house = variant.house(chosen)
        try:
            variant.build(house)
            check_options(variant, house)
        except RuleError:
            continue
        return house


def _option_values(option: Option) -> list[Value]:
    """Return the values to try for the option: its words, the offered values, its bounds."""
    allowed = option.allowed
    if isinstance(allowed, Line):
        return list(TRIED_VALUES[option.key])
    if isinstance(allowed, Words):
        values: list[Value] = list(allowed.words)
    else:
        offered = allowed.usual if isinstance(allowed, Money) else allowed.shortcuts
        values = [*allowed.words, *(allowed.only or (allowed.low, *offered, allowed.high))]
    chosen = TRIED_VALUES.get(option.key, values)
    return [value for value in chosen if allowed.read(value) is not None]


def _a_name(chance: random.Random, player: str) -> str:
    return player if chance.random() < 0.7 else chance.choice(NAMES)


def a_hand(chance: random.Random, state: GameState) -> Hand:
    """Return the hand of a player who did not go out: mostly points, sometimes cards.

    If ana sits first, hands are multiples of ten, so that totals are often equal.
    """
    scoring = state.rules.scoring
    if state.players[0].id == "ana":
        return Hand(points=chance.choice([0, 10, 10, 20]))
    if isinstance(scoring, TypedPoints):
        return Hand(points=chance.choice([-20, -3, 0, 0, 1, 5, 10, 10, 25, 10**5]))
    if isinstance(scoring, MeldPoints):
        return _melds_and_hand(chance, state.rules.deck, goes_out=False)
    if isinstance(scoring, LeftoverPoints):
        return _a_leftover(chance, state.rules)
    bought = chance.choice([0, 0, 1, 3]) if state.rules.buy_points is not None else 0
    if chance.random() < 0.7:
        points = chance.choice([0, 1, 5, 10, 14, 20, 23, 30, 45, 60, 90, 95])
        return Hand(points=points, bought=bought)
    cards = (_a_card(chance, state.rules.deck) for _n in range(chance.randint(0, 5)))
    return Hand(held=tuple(cards), bought=bought)


def a_closers_hand(chance: random.Random, state: GameState, closing: Closing) -> Hand | None:
    """Return the closer's hand, or None if it is left out."""
    if isinstance(state.rules.scoring, MeldPoints):
        by_tens = Hand(points=chance.choice([-10, 0, 20, 20, 20]))
        return (
            by_tens
            if state.players[0].id == "ana"
            else _melds_and_hand(chance, state.rules.deck, goes_out=True)
        )
    if closing.closer_hand is CloserHand.REST:
        return _a_leftover(chance, state.rules, most=9)
    if closing.closer_hand is CloserHand.ANY:
        return Hand(points=chance.choice([-25, -10, 0, 4])) if chance.random() < 0.3 else None
    if chance.random() > 0.2:
        return None
    if closing.kind is ClosingKind.ONE_RUN and chance.random() < 0.8:
        return _one_run(chance, state.rules.deck)
    if state.rules.buy_points is not None:
        return Hand(points=0, bought=chance.choice([0, 2]))
    return chance.choice([Hand(points=0), Hand(held=())])


def _one_run(chance: random.Random, deck: Deck) -> Hand:
    """Return seven cards in one run. Often a card is replaced by a joker or an ace of coins."""
    suit, first = chance.choice(deck.suits), chance.randrange(len(deck.ranks) - 6)
    cards = [Card(rank, suit) for rank in deck.ranks[first : first + 7]]
    if chance.random() < 0.6:
        cards[chance.randrange(7)] = Card(JOKER) if deck.jokers else Card("1", "o")
    return Hand(held=tuple(cards))


def _a_card(chance: random.Random, deck: Deck) -> Card:
    rank = chance.choice(tuple(deck.ranks_with_jokers()))
    if rank == JOKER or chance.random() >= 0.3:
        return Card(rank)
    return Card(rank, chance.choice(deck.suits))


def _a_leftover(chance: random.Random, rules: Rules, most: int = 80) -> Hand:
    """Return a leftover of Chinchón: points, the cards left, or all seven cards."""
    kind = chance.random()
    if kind < 0.6:
        return Hand(points=min(most, chance.choice([0, 0, 1, 3, 5, 7, 8, 20, 31, 45, 60, 76])))
    if kind < 0.85:
        return Hand(held=tuple(_a_card(chance, rules.deck) for _n in range(chance.randint(0, 4))))
    pack = [Card(rank, suit) for rank in rules.deck.ranks for suit in rules.deck.suits]
    pack += [Card(JOKER)] * rules.deck.jokers
    if chance.random() < 0.5:  # neighboring ranks, so that there are games among them
        first = chance.randrange(len(rules.deck.ranks) - 3)
        near = rules.deck.ranks[first : first + 4]
        pack = [card for card in pack if card.rank in near or card.rank == JOKER]
    return Hand(held=tuple(chance.sample(pack, 7)))


def _melds_and_hand(chance: random.Random, deck: Deck, *, goes_out: bool) -> Hand:
    """Return a hand of Loba de Más: a number, or melds (most of them legal) and cards held."""
    if chance.random() < 0.5:
        return Hand(points=chance.randint(0 if goes_out else -25, 45))
    melds = tuple(a_meld(chance, deck) for _n in range(chance.choice([0, 1, 1, 2])))
    if goes_out:
        return Hand(melds=melds, held=chance.choice([None, ()]) if melds else ())
    cards = (_a_card(chance, deck) for _n in range(chance.randint(0, 4)))
    return Hand(melds=melds, held=tuple(cards))


def a_meld(
    chance: random.Random, deck: Deck = TWO_FRENCH_PACKS, sizes: Sequence[int] = (3, 3, 4, 5, 7, 13)
) -> tuple[Card, ...]:
    """Return a set or a run with some of its cards made wild. Sometimes one card does not belong."""
    size, suits = chance.choice(sizes), chance.sample("SHDC", 3)
    if chance.random() < 0.3:
        rank = chance.choice(FRENCH_RANKS)
        cards = [Card(rank, suit) for suit in (suits * deck.copies)[:size]]
    else:
        start = chance.randint(0, len(PLACES) - size)
        cards = [_in_a_run(chance, rank, suits[0]) for rank in PLACES[start : start + size]]
    if chance.random() < 0.5:
        cards = [card if card.stands_for else Card(card.rank) for card in cards]
    if chance.random() < 0.07:
        cards[chance.randrange(len(cards))] = _a_card(chance, deck)
    chance.shuffle(cards)
    return tuple(cards)


def _in_a_run(chance: random.Random, rank: str, suit: str) -> Card:
    kind = chance.random()
    if kind < 0.75:
        return Card(rank, suit)
    wild = chance.choice([Card(JOKER), Card("2"), Card("2", chance.choice("SHDC"))])
    return wild if kind < 0.95 else Card(wild.rank, wild.suit, rank)


def a_round(chance: random.Random, state: GameState) -> RoundPlayed:
    """Return a round of the players still in, closed by one of them or, if the rules allow it, by nobody."""
    players = [player.id for player in state.playing]
    closer = chance.choice(players)
    by_nobody = [closing for closing in state.rules.closings if not closing.by_player]
    by_player = [closing for closing in state.rules.closings if closing.by_player]
    often = 0.3 if isinstance(state.rules.ending, LastIn | FirstOut) else 0.1
    if by_nobody and (not by_player or chance.random() < often):
        hands = [(player, a_hand(chance, state)) for player in players]
        if state.rules.is_zero_sum and chance.random() < 0.9:
            hands[-1] = (players[-1], Hand(points=-sum(hand.points or 0 for _player, hand in hands[:-1])))
        return RoundPlayed(RoundEntry(None, chance.choice(by_nobody).key, tuple(hands)))
    # The first closing is the usual one; a closing that wins the game is rare.
    closing = chance.choice([by_player[0], by_player[0], *by_player])
    if closing.wins_game and chance.random() < 0.7:
        closing = by_player[0]
    hands = [
        (player, a_hand(chance, state))
        for player in players
        if player != closer and not (closing.wins_game and chance.random() < 0.8)
    ]
    closer_hand = a_closers_hand(chance, state, closing)
    if closer_hand is not None:
        hands.append((closer, closer_hand))
    if chance.random() < 0.2:
        chance.shuffle(hands)
    return RoundPlayed(RoundEntry(closer, closing.key, tuple(hands)))


def a_move(chance: random.Random, state: GameState) -> PlayEvent:
    """Return an event that may come next. The rules may still refuse it."""
    playing = [player.id for player in state.playing]
    pending = [player.id for player in state.pending]
    everybody = [player.id for player in state.players]
    kind = chance.random()
    if pending and kind < 0.6:
        answers: list[Callable[[str], PlayEvent]] = [PlayerReentered, PlayerReentered, PlayerStayedOut]
        return chance.choice(answers)(chance.choice(pending))
    if kind < 0.78:
        return a_round(chance, state)
    someone = chance.choice(everybody if chance.random() < 0.3 else playing)
    guest = chance.choice(GUESTS)
    newcomer = Player(guest, _a_name(chance, guest))
    gone = [player for player in state.players if player.seat is Seat.LEFT]
    if gone and chance.random() < 0.3:
        back = chance.choice(gone)
        return PlayerJoined(Player(back.id, back.name), chance.choice(["", chance.choice(everybody)]))
    moves: list[Callable[[], PlayEvent]] = [
        lambda: PlayerLeft(someone),
        lambda: PlayerJoined(newcomer, chance.choice(["", chance.choice(everybody)])),
        lambda: PlayerJoined(newcomer),
        lambda: SeatHandedOver(someone, newcomer),
        lambda: PointsAdjusted(
            someone, chance.choice([-30, -5, 0, 5, 20, 60, 120]), chance.choice(list(REASONS))
        ),
        lambda: PointsAdjusted(someone, chance.choice([-5, 5, 10]), chance.choice(list(REASONS))),
        lambda: DealPassed(someone),
        lambda: TotalsAgreed(tuple((player, chance.randint(-20, 120)) for player in playing)),
    ]
    if chance.random() < 0.15:
        return GameStopped(chance.choice(list(Stop)))
    if can_name_winners(state.rules) and chance.random() < 0.15:
        return WinnersNamed(tuple(chance.sample(playing, chance.choice([1, 1, min(2, len(playing))]))))
    return chance.choice(moves)()


def a_game(chance: random.Random, *variants: str, length: int = 14, **fixed: Value) -> tuple[Event, ...]:
    """Return a valid log of at most `length` events without corrections, of one of these variants or any.

    `fixed` are options that it has; the others are random.
    """
    log: list[Event] = [a_start(chance, *variants, **fixed)]
    state = replay(log)
    for _try in range(length * 2):
        if len(log) >= length:
            break
        if state.is_over:
            if chance.random() < 0.5:
                break
            player, points = state.players[0].id, chance.randint(0, 99)
            move: PlayEvent = TotalsAgreed(((player, points),))
            if can_add_bonuses(state) and chance.random() < 0.7:
                move = PointsAdjusted(player, points, "bonus")
        else:
            move = a_move(chance, state)
        if is_allowed(state, move):
            state = apply(state, len(log) + 1, move)
            log.append(move)
    return tuple(log)


# --- corrections ------------------------------------------------------------------------------------------------------


def a_change(chance: random.Random, log: Log) -> Event:
    """Return a correction, insertion or strike, drawn from the state before its place. It may be refused."""
    first = log[0]
    assert isinstance(first, GameStarted)
    number = chance.randint(1, len(log))
    kind = chance.random()
    if number == 1:
        if kind < 0.5:
            started = a_start(chance) if chance.random() < 0.1 else a_start(chance, first.variant)
            return Corrected(1, RulesAgreed(started.variant, started.options, "", started.direction))
        players = [Player(player.id, _a_name(chance, player.id)) for player in first.players]
        if chance.random() < 0.3:
            chance.shuffle(players)
        return Corrected(1, PlayersSeated(tuple(players)))
    if kind < 0.3:
        return Struck(number)
    try:
        before = state_before(log, number)
    except RuleError:  # corrections and struck events have no place of their own
        return Struck(number)
    move = a_move(chance, before) if chance.random() < 0.4 else a_round(chance, before)
    return Corrected(number, move) if kind < 0.75 else Inserted(number, move)


def random_answers(chance: random.Random, log: Log, *changes: Event) -> dict[str, str]:
    """Return a random remedy for every conflict of these changes. Some remedies are not allowed."""
    answers: dict[str, str] = {}
    for _round in range(4):
        tried = preview_changes(log, *changes, answers=answers)
        for conflict in tried.conflicts:
            offered = [str(choice.remedy) for choice in conflict.choices]
            answers.setdefault(conflict.key, chance.choice([*offered, *map(str, Remedy)]))
    return answers


def add_corrections(
    chance: random.Random, log: tuple[Event, ...], times: int = 3
) -> tuple[tuple[Event, ...], list[int]]:
    """Return the log with some corrections and their events, and the lengths at which it was a valid log."""
    valid_lengths = list(range(1, len(log) + 1))
    for _try in range(times):
        change = a_change(chance, log)
        try:
            answers = random_answers(chance, log, change)
            tried = preview_changes(log, change, answers=answers)
        except RuleError:
            continue
        if tried.after is None:
            continue
        log = (*log, *tried.changes)
        valid_lengths.append(len(log))
        state = replay(log)
        if not state.is_over and chance.random() < 0.6:
            move = a_move(chance, state)
            if is_allowed(state, move):
                log = (*log, move)
                valid_lengths.append(len(log))
    return log, valid_lengths


# --- for hypothesis ---------------------------------------------------------------------------------------------------

# A seed instead of Hypothesis's own random: a failing game is reproduced by its number, and drawing is fast.
seeds = st.integers(0, 2**32 - 1)
games = seeds.map(lambda seed: a_game(random.Random(seed)))
