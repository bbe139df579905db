"""One round (mano): the data entered for it, and the checks shared by every kind of scoring."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain
from typing import Annotated, TypeAlias

from .card_points import RoundDifference
from .cards import Card
from .errors import RefusalCode, RuleError
from .frozen import Frozen
from .i18n import CardsParam, Text, _
from .rule_types import MAX_POINTS, CloserHand, Closing, ClosingKind, Rules

PlayerId: TypeAlias = Annotated[str, "the id of a player"]  # so `text/codec.py` can tell it from other texts


@dataclass(frozen=True, eq=False, repr=False)
class Hand(Frozen):
    """A player's hand at the end of a round: `points` counted by the players, or cards to be counted.

    `held` are the cards left in hand, None if only points or melds were entered. Only some games use `melds`
    and `bought` (the number of cards bought out of turn).
    """

    points: int | None = None
    held: tuple[Card, ...] | None = None
    melds: tuple[tuple[Card, ...], ...] = ()
    bought: int = 0

    @property
    def is_empty(self) -> bool:
        """True if the hand is entered as empty: 0 points, or no cards held and no melds."""
        return self.points == 0 if self.points is not None else self.held == () and not self.melds

    @property
    def cards(self) -> tuple[Card, ...]:
        """All cards of the hand, melds included."""
        return tuple(chain(*self.melds, self.held or ())) if self.melds else self.held or ()


@dataclass(frozen=True, eq=False, repr=False)
class RoundEntry(Frozen):
    """A round as entered: the closer, the closing (the way the round ended), and the players' hands.

    `closer` is None if nobody closed the round. The closer's hand may be left out.
    """

    closer: PlayerId | None
    closing: str
    hands: tuple[tuple[PlayerId, Hand], ...] = ()

    def hand_of(self, player: PlayerId) -> Hand | None:
        """Return the hand entered for this player, None if there is none."""
        return self.by_player.get(player)

    @property
    def by_player(self) -> dict[PlayerId, Hand]:
        """The hands by player."""
        return dict(self.hands)

    def is_same_as(self, other: RoundEntry) -> bool:
        """Return whether both entries have the same closer, closing and hands, in any order of cards."""
        this_key, other_key = (
            (entry.closer, entry.closing, entry._comparison_key()) for entry in (self, other)
        )
        return this_key == other_key

    def _comparison_key(self) -> dict[PlayerId, tuple[object, ...]]:
        return {
            player: (hand.points, hand.held and Counter(hand.held), Counter(hand.melds), hand.bought)
            for player, hand in self.hands
        }


@dataclass(frozen=True, eq=False, repr=False)
class Deal(Frozen):
    """The context for scoring a round: the players dealt in, in seat order.

    `names` and `totals` give each player's name, and their total before the round. `turn` lists the same
    players in the direction of the deal.
    """

    names: Mapping[PlayerId, str]
    totals: Mapping[PlayerId, int]
    turn: tuple[PlayerId, ...]
    contract: str | None = None


@dataclass(frozen=True, eq=False, repr=False)
class Doubt(Frozen):
    """An oddity in a round, shown as a warning that never blocks the entry (RULES 1.4).

    `closing` is the key of the closing that was probably meant; it is "" if the doubt suggests none.
    """

    player: PlayerId
    text: Text
    closing: str = ""


@lru_cache(maxsize=1 << 10)  # every round asks for the field of each hand
def hand_field(player: PlayerId) -> str:
    """Return the name of the form field for this player's hand."""
    return f"hand-{player}"


def get_closing(rules: Rules, entry: RoundEntry) -> Closing:
    """Return the closing (the way the round ended) whose key is in the entry.

    If one run with a wild counts differently, the closer's cards decide which of the two it is (RULES 5).

    Raise RuleError if these rules have no such closing, or if it needs a closer and the entry has none, or
    the reverse.
    """
    closing = rules.closing(entry.closing)
    if closing is None:
        raise RuleError(_unknown_closing_sentence(rules, entry.closing), field="closing")
    if closing.by_player and entry.closer is None:
        raise RuleError(_("That way of ending needs a player who went out."), field="closer")
    if not closing.by_player and entry.closer is not None:
        raise RuleError(_("When the stock runs out, nobody goes out: choose no player."), field="closer")
    hand = entry.hand_of(entry.closer or "") if closing.kind is ClosingKind.ONE_RUN else None
    return closing if hand is None or not hand.held else find_one_run_closing(rules, hand.held) or closing


def _unknown_closing_sentence(rules: Rules, given: str) -> Text:
    keys = ", ".join(allowed.key for allowed in rules.closings)
    if "=" in given:  # a hand
        return _("Say before “{text}” how the round ended: {keys}.", text=given, keys=keys)
    return _("A round does not end with “{closing}” here. Allowed: {keys}.", closing=given, keys=keys)


def find_one_run_closing(rules: Rules, run: tuple[Card, ...]) -> Closing | None:
    """Return the closing for these cards in one run; None if these rules have no such closing (RULES 5)."""
    with_wild = not rules.deck.is_natural_run(run)
    closings = [closing for closing in rules.closings if closing.kind is ClosingKind.ONE_RUN]
    return next(
        (closing for closing in closings if closing.with_wild is with_wild), closings[0] if closings else None
    )


def check_hands(
    rules: Rules, entry: RoundEntry, deal: Deal, *, nothing_left: Callable[[Hand], bool]
) -> Closing:
    """Check the hands of a round and return its closing (the way it ended).

    Raise RuleError for a missing hand, a closer with cards left, or cards that the pack lacks. `nothing_left`
    returns whether a hand has nothing left, which depends on the kind of scoring.
    """
    closing, hands = get_closing(rules, entry), entry.by_player
    for player, name in deal.names.items():
        hand, is_optional = hands.get(player), closing.wins_game
        if player == entry.closer:
            is_optional = closing.closer_hand.is_optional
            can_keep_cards = closing.closer_hand in (CloserHand.ANY, CloserHand.REST)
            if hand is not None and not can_keep_cards and not nothing_left(hand):
                if closing.closer_hand is CloserHand.NOTHING and hand.points is not None:
                    check_points(hand.points, field=hand_field(player))
                raise RuleError(
                    _("{name} went out, so no cards can be left.", name=name), field=hand_field(player)
                )
        if hand is None and not is_optional:
            raise RuleError(
                _("{name}'s hand is missing.", name=name),
                code=RefusalCode.MISSING_HAND,
                field=hand_field(player),
                player=player,
            )
    rules.deck.check((hand_field(player), hand.cards) for player, hand in entry.hands)
    return closing


def check_points(points: int, *, field: str, lowest: int = 0) -> int:
    """Return `points`, which players counted at the table.

    Raise RuleError, for the input `field`, unless they are between `lowest` and MAX_POINTS.
    """
    if points < lowest == 0:
        raise RuleError(
            _("A hand is never below 0: a bonus such as −10 comes from how the round ended."), field=field
        )
    if not lowest <= points <= MAX_POINTS:
        raise RuleError(
            _("A hand counts from {lowest} to {highest} points.", lowest=lowest, highest=MAX_POINTS),
            field=field,
        )
    return points


def refuse_melds(hand: Hand, field: str) -> None:
    if hand.melds:
        raise RuleError(_("This game doesn't count melds on the table."), field=field)


def refuse_fixed_wilds(hand: Hand, field: str) -> None:
    """Raise RuleError, for the input `field`, if a wild in hand was entered as another card."""
    for card in hand.held or ():
        if card.stands_for:
            raise RuleError(
                _("A {card} left in hand counts as itself.", card=CardsParam(card.rank)), field=field
            )


def refuse_bought(hand: Hand, field: str) -> None:
    if hand.bought:
        raise RuleError(_("This game doesn't count bought cards."), field=field)


def difference_points(
    difference: RoundDifference, closer: PlayerId | None, closing: Closing, left: Mapping[PlayerId, int]
) -> dict[PlayerId, int]:
    """Return the points of a round that one player wins; `left` has what everyone has left."""
    points = dict.fromkeys(left, 0)
    if closer is None:
        return points
    winner, bonus = closer, closing.bonus_among(len(left))
    closest = min((player for player in left if player != closer), key=left.__getitem__)
    if closing.closer_hand is CloserHand.REST and left[closest] <= left[closer]:
        winner, bonus = closest, difference.beaten_bonus
    points[winner] = sum(others - left[winner] for others in left.values()) + bonus
    return points
