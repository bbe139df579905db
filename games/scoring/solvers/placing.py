"""Placing in Chinchón (RULES 5, Leftover): cards go on groups (sets and runs) that any player has shown.

1. Every player shows the own groups that leave them the fewest points by themselves (`LeftoverSolver.best`).
2. The cutter first, then in turn order, round and round, each player lays their hand anew
   (`laying.LayingSearch`) if that leaves fewer points than before. Otherwise the player's cards stay.
3. Placing ends when no player can do better. It always ends: a player who lays anew has fewer points than
   before, and nobody has more, so the sum of all points falls each time.

Details that the rule does not mention:

- A card may go on a group that is still a set or a run with the card. A run grows at both ends, a set takes
  more cards of its rank, and the wilds in the group stand for whatever makes it valid. So a natural card may
  also take the place of a wild; the wild then goes to an end, and stays in the group.
- A group belongs to the player who showed it, even when only others' cards are left in it. Cards that this
  player keeps in the group, or adds to it later, do not count as placed on another player's group.
- Groups are ordered by the time they were shown. Among groups shown together, sets come first, in the order of
  `laying.LayingCandidate`.

`hands` have the cards of each player, by id, in turn order from the cutter on. `leftovers` is the solver of
the pack. With `only_on_cutter`, the cutter does not lay anew, and the others' melds take no cards.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain, combinations, cycle

from ..cards import Card
from ..frozen import Frozen
from ..step_budget import spend_steps
from .groups import Group, Pack
from .hand_parts import Cards, HandParts, Spot
from .laying import LaidHand, LayingSearch
from .leftovers import LeftoverSolver


@dataclass(frozen=True, eq=False, repr=False)
class Addition(Frozen):
    """Cards that a player put on a group of `owner`.

    `group` is that group at the end of placing.
    """

    owner: str
    group: Group
    cards: Cards


@dataclass(frozen=True, eq=False, repr=False)
class PlacingResult(Frozen):
    """A player's result of placing: the points after it, and where the cards are.

    `groups` are the groups that the player showed, with others' cards, at the end of placing. `player_cards`
    has the player's cards in each. `additions` are cards put on others' groups. `remaining` are the cards
    that count.
    """

    points: int
    groups: tuple[Group, ...]
    player_cards: tuple[Cards, ...]
    additions: tuple[Addition, ...]
    remaining: Cards


@dataclass(frozen=True, eq=False, repr=False)
class TableGroup(Frozen):
    """A group on the table: the player who showed it, and each player's cards in the order they were laid."""

    owner: str
    cards: Mapping[str, Cards]

    @property
    def all_cards(self) -> Cards:
        return tuple(chain.from_iterable(self.cards.values()))

    def others(self, player: str) -> Cards:
        if player not in self.cards:
            return self.all_cards
        return tuple(chain.from_iterable(cards for holder, cards in self.cards.items() if holder != player))

    def with_cards(self, player: str, cards: Cards) -> TableGroup:
        """Return the group with `cards` in place of this player's present cards in it."""
        rest = {holder: holder_cards for holder, holder_cards in self.cards.items() if holder != player}
        return replace(self, cards=rest | {player: cards} if cards else rest)


@dataclass(frozen=True, eq=False, repr=False)
class CardTable(Frozen):
    """The card table during placing: all groups shown, and the cards that each player has left."""

    groups: tuple[TableGroup, ...]
    remaining: Mapping[str, Cards]


# Steps of `step_budget` besides those of the search, each about a quarter of a microsecond.
SHOW_STEPS = 400  # steps for a hand that is shown
TURN_STEPS = 600  # steps for a player's turn to lay the hand anew


def points_after_placing(
    leftovers: LeftoverSolver, hands: Mapping[str, Cards], *, only_on_cutter: bool = False
) -> dict[str, int]:
    """Return the points of each player after placing, as `place_hands` does, from a cache if possible."""

    def solve() -> tuple[int, ...]:
        *_, table = table_states(leftovers, hands, only_on_cutter=only_on_cutter)
        return tuple(leftovers.pack.points(table.remaining[player]) for player in hands)

    return dict(
        zip(hands, leftovers.rounds.answer((only_on_cutter, tuple(hands.values())), solve), strict=True)
    )


def place_hands(
    leftovers: LeftoverSolver, hands: Mapping[str, Sequence[Card]], *, only_on_cutter: bool = False
) -> dict[str, PlacingResult]:
    """Return the result of placing for each player, by id.

    `hands` are in turn order, the cutter's first.
    """
    pack = leftovers.pack
    *_, table = table_states(leftovers, hands, only_on_cutter=only_on_cutter)
    return {
        player: PlacingResult(
            points=pack.points(table.remaining[player]),
            groups=tuple(pack.group(group.all_cards) for group in table.groups if group.owner == player),
            player_cards=tuple(
                group.cards.get(player, ()) for group in table.groups if group.owner == player
            ),
            additions=tuple(
                Addition(group.owner, pack.group(group.all_cards), group.cards[player])
                for group in table.groups
                if group.owner != player and player in group.cards
            ),
            remaining=table.remaining[player],
        )
        for player in hands
    }


def table_states(
    leftovers: LeftoverSolver, hands: Mapping[str, Sequence[Card]], *, only_on_cutter: bool = False
) -> Iterator[CardTable]:
    """Yield the `CardTable` after all players have shown their sets and runs.

    Then yield it again after each player who lays their cards anew for fewer points.
    """
    spend_steps(SHOW_STEPS * len(hands))
    leftovers_by_player = {player: leftovers.best(hand) for player, hand in hands.items()}
    table = CardTable(
        groups=tuple(
            TableGroup(player, {player: group.cards})
            for player, best in leftovers_by_player.items()
            for group in best.groups
        ),
        remaining={player: best.left for player, best in leftovers_by_player.items()},
    )
    yield table
    parts: dict[str, HandParts] = {}
    cutter, placers = next(iter(hands), None), list(hands)[only_on_cutter:]
    only_owner = cutter if only_on_cutter else None
    unmoved = 0
    for player in cycle(placers):
        if unmoved == len(placers):
            return
        next_table = lay_anew(leftovers, hands[player], table, player, parts, only_owner)
        unmoved = unmoved + 1 if next_table is None else 0
        if next_table is not None:
            table = next_table
            yield table


def lay_anew(
    leftovers: LeftoverSolver,
    hand: Sequence[Card],
    table: CardTable,
    player: str,
    parts: dict[str, HandParts],
    only_owner: str | None = None,
) -> CardTable | None:
    """Return the table after the player laid their hand anew for the fewest points.

    Return None if that gains nothing. `parts` caches, for later turns, the groups that cards of each player's
    hand can form (`hand_parts.HandParts`). With `only_owner`, cards go only on the groups of that player.
    """
    remaining = table.remaining[player]
    if not remaining:
        return None
    spend_steps(TURN_STEPS)
    with_others = [
        (table_group, others) for table_group in table.groups if (others := table_group.others(player))
    ]
    shared_groups = [pair for pair in with_others if only_owner in (None, pair[0].owner)]
    groups = [
        (others, table_group.cards.get(player, ()), table_group.owner == player)
        for table_group, others in shared_groups
    ]
    points, solver = leftovers.pack.points(remaining), leftovers.placing_solver
    laid_hand: LaidHand | None
    if view := solver.mask_table(hand, groups):
        laid_hand = solver.find_better_laying(points, hand, view)
    else:
        if player not in parts:
            parts[player] = HandParts(leftovers.pack, hand)
        laid_hand = _search_laying(
            parts[player], points, [_build_spot(leftovers.pack, *group) for group in groups]
        )
    if laid_hand is None:
        return None
    return CardTable(
        groups=(
            *(table_group for table_group, _ in with_others if only_owner not in (None, table_group.owner)),
            *(
                table_group.with_cards(player, cards)
                for (table_group, _), cards in zip(shared_groups, laid_hand.spot_cards, strict=True)
            ),
            *(TableGroup(player, {player: group.cards}) for group in laid_hand.groups),
        ),
        remaining={**table.remaining, player: laid_hand.remaining},
    )


def _search_laying(parts: HandParts, points: int, spots: Sequence[Spot]) -> LaidHand | None:
    """Return the laying of a hand that leaves the fewest points; None if it leaves no fewer than `points`.

    `parts` has the groups that cards of the hand can form, and `spots` are the groups on the table that may
    take some of the cards.
    """
    layings = LayingSearch(parts, spots)
    laid_hand = layings.best_laying() if layings.points < points else None
    spend_steps(layings.steps)
    return laid_hand


def _build_spot(pack: Pack, others: Cards, player_cards: Cards, is_owner: bool) -> Spot:
    """Return a group on the table as a `Spot`, seen by the player whose cards in it are `player_cards`.

    `is_owner` is true if this player laid the group first. By RULES 5 the player may take back any cards of
    their own, as long as each group with another player's card is still a group.
    """
    if not player_cards or pack.is_group(others):
        return Spot(others, is_owner=is_owner)
    stays = chain.from_iterable(combinations(player_cards, size) for size in range(1, len(player_cards) + 1))
    enough = tuple(cards for cards in stays if pack.is_group((*others, *cards)))
    return Spot(others, enough, is_owner=is_owner)
