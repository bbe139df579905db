"""A second solver for the leftovers of a whole table of Chinchón, by RULES 5 to the letter; slow and simple.

It shares nothing with `games.scoring`. A card is its text (`7o`, `12e`, `*`), and cards are a sorted tuple of
texts. Every way to lay a hand is tried. If the order in RULES does not decide between two layings, both are
followed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from itertools import chain, combinations, product
from typing import Any, NamedTuple

Cards = tuple[str, ...]
Place = tuple[float, ...]  # a game's sort key; the least comes first
Settle = Callable[[list["Laying"]], list["Laying"]]  # chooses which of several equally good layings to follow

SUITS = "oceb"
WILDS = {"none": "", "ace_of_coins": "1o", "jokers": "*"}  # the wild card of each option
NO_MORE: Place = (float("inf"),)  # the sort key of a missing game, after all others


@dataclass(frozen=True)
class Pack:
    """A pack: its ranks in order, its wild cards, and a wild's points; None if a wild counts its own number."""

    ranks: tuple[int, ...]
    wilds: frozenset[str] = frozenset()
    wild_value: int | None = None

    def points(self, cards: Cards) -> int:
        """Return the points of the cards: each counts its number, a wild the agreed points."""
        return sum(
            int(card[:-1]) if self.wild_value is None or card not in self.wilds else self.wild_value
            for card in cards
        )


class Laying(NamedTuple):
    """A way to lay a hand: the cards on each game with another player's card, own games, and the rest."""

    shared_games: tuple[Game, ...]
    player_games: tuple[Cards, ...]
    leftover: Cards


class Game(NamedTuple):
    """A game on the table: the player who showed it, and each player's cards in it."""

    shower: int
    cards: tuple[Cards, ...]

    def other_cards(self, player: int) -> Cards:
        return join_cards(*(cards for holder, cards in enumerate(self.cards) if holder != player))

    def with_cards(self, player: int, cards: Cards) -> Game:
        return self._replace(cards=(*self.cards[:player], cards, *self.cards[player + 1 :]))


class Table(NamedTuple):
    """The state of the table: the games in the order they were shown, and the cards each player kept."""

    games: tuple[Game, ...]
    leftovers: tuple[Cards, ...]


class Book:
    """RULES 5 for one pack."""

    def __init__(self, pack: Pack) -> None:
        self.pack = pack
        self.piernas = cache(self._piernas)
        self.escaleras = cache(self._escaleras)
        self.is_game = cache(self._is_game)
        self.partitions = cache(self._partitions)
        self.ordered_games = cache(self._ordered_games)

    # --- games ----------------------------------------------------------------------------------------------------

    def _piernas(self, cards: Cards) -> list[Place]:
        """Return the sort keys of the cards as a pierna, rank and negative length; empty if they are none.

        A pierna is three or more of a rank, with wilds beside at least one natural card. RULES 5: "the lowest
        rank first and of as many cards as can be".
        """
        ranks = {card[:-1] for card in cards if card not in self.pack.wilds}
        return [(int(rank), -len(cards)) for rank in ranks if len(ranks) == 1 and len(cards) >= 3]

    def _escaleras(self, cards: Cards) -> list[Place]:
        """Return a sort key for each escalera that the cards can form; none if they form no escalera.

        A key is suit, first rank and negative length. An escalera is three or more cards in suit. A wild may
        take any free place, so the same cards can form several. RULES 5: "suit by suit in the order of the
        pack, from the lowest card up, the longest first".
        """
        naturals = {card for card in cards if card not in self.pack.wilds}
        suits = {card[-1] for card in naturals}
        wilds = sum(card in self.pack.wilds for card in cards)
        places: list[Place] = []
        if len(cards) >= 3 and len(suits) == 1 and len(naturals) + wilds == len(cards):
            (suit,) = suits
            for first in range(len(self.pack.ranks) - len(cards) + 1):
                run = {f"{rank}{suit}" for rank in self.pack.ranks[first : first + len(cards)]}
                if naturals <= run:
                    places.append((SUITS.index(suit), first, -len(cards)))
        return places

    def _is_game(self, cards: Cards) -> bool:
        return bool(self.piernas(cards) or self.escaleras(cards))

    # --- every laying ---------------------------------------------------------------------------------------------

    def _partitions(self, cards: Cards) -> frozenset[tuple[tuple[Cards, ...], Cards]]:
        """Return every way to divide cards into own games and a rest."""
        ways: set[tuple[tuple[Cards, ...], Cards]] = {((), cards)}
        for game in filter(self.is_game, choices(cards)):
            for games, leftover in self.partitions(remove_cards(cards, game)):
                ways.add((tuple(sorted((game, *games))), leftover))
        return frozenset(ways)

    def layings(self, table: Table, player: int, hand: Cards) -> Iterator[Laying]:
        """Yield every way to lay the hand again.

        RULES 5: own games, and cards on any game; the player may take back any cards "without which every
        game that holds another's card still is a game".
        """
        shared_games = [game for game in table.games if game.other_cards(player)]
        may_hold = [
            [cards for cards in choices(hand) if self._can_hold(game, player, cards)] for game in shared_games
        ]
        for chosen, rest in select_each(may_hold, hand):
            laid_games = tuple(
                game.with_cards(player, cards) for game, cards in zip(shared_games, chosen, strict=True)
            )
            for player_games, leftover in self.partitions(rest):
                yield Laying(laid_games, player_games, leftover)

    def _can_hold(self, game: Game, player: int, cards: Cards) -> bool:
        """Return whether the player may hold these cards in the game.

        It must be a game with them, and also with only those that the player had in it before and keeps.
        """
        others = game.other_cards(player)
        return self.is_game(join_cards(others, cards)) and any(
            self.is_game(join_cards(others, stay))
            for stay in choices(game.cards[player])
            if not remove_cards(stay, cards)
        )

    # --- the order of equal layings ---------------------------------------------------------------------------------

    def _ordered_games(self, player_games: tuple[Cards, ...]) -> tuple[list[Place], list[Place], list[Cards]]:
        """Return the keys of own piernas, the keys of own escaleras, and all own games in this order.

        Cards that are both a pierna and an escalera count as whichever comes first.
        """
        kinds = [
            [*((0, place) for place in self.piernas(game)), *((1, place) for place in self.escaleras(game))]
            for game in player_games
        ]
        read = []
        for reading in product(*kinds):
            games = sorted(
                (kind, place, self.count_wilds(game), self.pack_order(game), game)
                for (kind, place), game in zip(reading, player_games, strict=True)
            )
            piernas = [*(place for kind, place, *_ in games if kind == 0), NO_MORE]
            escaleras = [*(place for kind, place, *_ in games if kind == 1), NO_MORE]
            read.append((piernas, escaleras, [game for *_, game in games]))
        return min(read)

    def count_wilds(self, cards: Cards) -> int:
        return sum(card in self.pack.wilds for card in cards)

    def pack_order(self, cards: Cards) -> list[tuple[bool, int, int]]:
        """Return the sort keys of the cards, in order: suit by suit as in the pack, the wilds last."""
        return sorted((card in self.pack.wilds, SUITS.find(card[-1]), int(card[:-1] or 0)) for card in cards)

    def order(self, player: int, laying: Laying) -> tuple[Any, ...]:
        """Return the sort key of a laying. Of layings with equal points, RULES prefer the least."""
        on_others = [game.cards[player] for game in laying.shared_games if game.shower != player]
        leant_on = [game.cards[player] for game in laying.shared_games if game.shower == player]
        piernas, escaleras, player_games = self.ordered_games(laying.player_games)
        games = [*on_others, *player_games, *leant_on]
        return (
            [*map(len, on_others)],
            piernas,
            escaleras,
            [*map(len, leant_on)],
            [*map(self.count_wilds, games)],
            [*map(self.pack_order, games)],
        )

    def preferred(self, player: int, layings: Iterable[Laying]) -> list[Laying]:
        """Return the preferred layings: more than one only if the order in RULES does not decide."""
        orders = [(self.order(player, laying), laying) for laying in layings]
        first = min(order for order, _ in orders)
        return [laying for order, laying in orders if order == first]

    # --- the round ------------------------------------------------------------------------------------------------

    def fewest(self, layings: Iterable[Laying]) -> list[Laying]:
        """Return the layings that keep the fewest points."""
        counted = [(self.pack.points(laying.leftover), laying) for laying in layings]
        least = min(points for points, _ in counted)
        return [laying for points, laying in counted if points == least]

    def outcomes(self, hands: list[Cards], whim: Settle | None = None) -> set[tuple[int, ...]]:
        """Return every possible outcome, each with the points of all players.

        The hands are in turn order, the cutter's first. There is one outcome unless the order in RULES leaves
        something open. If `whim` is given, it chooses between layings of equal points instead of that order.
        """
        hands = [join_cards(hand) for hand in hands]
        tables = [Table((), ())]
        for player, hand in enumerate(hands):  # first, everybody shows games that leave the fewest points
            layings = self.fewest(
                Laying((), player_games, leftover) for player_games, leftover in self.partitions(hand)
            )
            tables = [
                Table(
                    table.games + self._show_games(player, len(hands), laying),
                    (*table.leftovers, laying.leftover),
                )
                for table in tables
                for laying in (whim(layings) if whim else self.preferred(player, layings))
            ]
        return set(chain.from_iterable(self._place_cards(hands, table, whim) for table in tables))

    def _place_cards(
        self, hands: list[Cards], table: Table, whim: Settle | None
    ) -> Iterator[tuple[int, ...]]:
        """Yield, for every possible course of the placing, the points of all players at its end.

        RULES 5: "then, cutter first, round and round … it ends when nobody can do better".
        """
        going, seen = [(table, 0, 0)], set()
        while going:
            position = going.pop()
            table, player, passed = position
            if position in seen:
                continue
            seen.add(position)
            if passed == len(hands):
                yield tuple(map(self.pack.points, table.leftovers))
                continue
            after = (player + 1) % len(hands)
            fewest = self.fewest(self.layings(table, player, hands[player]))
            if self.pack.points(fewest[0].leftover) == self.pack.points(table.leftovers[player]):
                going.append((table, after, passed + 1))
                continue
            for laying in whim(fewest) if whim else self.preferred(player, fewest):
                games = laying.shared_games + self._show_games(player, len(hands), laying)
                leftovers = (*table.leftovers[:player], laying.leftover, *table.leftovers[player + 1 :])
                going.append((Table(games, leftovers), after, 0))

    def _show_games(self, player: int, players: int, laying: Laying) -> tuple[Game, ...]:
        """Return the player's own games in the order they are shown: "a game laid anew is shown last"."""
        nothing = Game(player, ((),) * players)
        return tuple(nothing.with_cards(player, game) for game in self.ordered_games(laying.player_games)[-1])


def join_cards(*parts: Cards) -> Cards:
    return tuple(sorted(chain.from_iterable(parts)))


def remove_cards(cards: Cards, gone: Cards) -> Cards:
    """Return `cards` without those of `gone` that are among them."""
    rest = list(cards)
    for card in gone:
        if card in rest:
            rest.remove(card)
    return tuple(rest)


def select_each(alternatives: list[list[Cards]], hand: Cards) -> Iterator[tuple[tuple[Cards, ...], Cards]]:
    """Yield every way to remove one alternative of each list in `alternatives` from the hand.

    Each item is the removed alternatives, in the order of the lists, and the remaining cards.
    """
    if not alternatives:
        yield (), hand
        return
    for cards in alternatives[0]:
        if not remove_cards(cards, hand):
            for chosen, rest in select_each(alternatives[1:], remove_cards(hand, cards)):
                yield (cards, *chosen), rest


@cache
def choices(cards: Cards) -> list[Cards]:
    """Return every subset of the cards. Subsets that differ only by equal cards appear once."""
    return sorted({chosen for size in range(len(cards) + 1) for chosen in combinations(cards, size)})
