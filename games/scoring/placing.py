"""Placing (RULES 5, Leftover): everybody shows what he has, and then cards go on anybody's groups.

1. Everybody shows the own groups that leave him least by himself (`Leftovers.best`).
2. The cutter first, then in turn order, round and round, each lays his hand anew where that leaves him fewer points
   than he has left; the least he can reach, settled as `Leftovers.best_on` settles ties. Who cannot do better leaves
   his cards as they lie.
3. It ends when all in turn could do no better. It does end: whoever lays anew has fewer points than before, and
   nobody has more, so the points of all together fall each time.

Where the rule is silent:

- A group is its cards. A card may go on a group with which it still is a set or a run: a run grows at both ends, a set
  takes more of its rank, and wilds in it stand for whatever makes it one. So a natural card may also take the place a
  wild filled, and the wild stands at an end from then on; it stays in the group.
- A card another's card leans on stays: who lays anew takes back any of his cards, but every group with a card of
  somebody else in it must still be one without the cards taken back. Of several choices the first that leaves him
  least counts, the fewest cards staying first.
- A group stays with the one who showed it, also when only others' cards are left in it. Cards he keeps in it or adds
  to it later are no cards placed on another's group.
- Groups lie in the order in which they were shown: this is the order that settles ties.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain, combinations, cycle, product

from games.scoring.cards import Card
from games.scoring.groups import Group, Pack, without
from games.scoring.laying import Laid
from games.scoring.leftovers import Leftovers

Cards = tuple[Card, ...]


@dataclass(frozen=True)
class Addition:
    """Cards somebody put on a group of `owner`; the group as it lies at the end."""

    owner: str
    group: Group
    cards: Cards


@dataclass(frozen=True)
class Placed:
    """What a player comes to: the least he leaves by himself (`alone`), and his points after all placing.

    `groups` are those he showed as they lie at the end, with others' cards in them, and `own` his cards in each;
    `left` are the cards that count.
    """

    alone: int
    points: int
    groups: tuple[Group, ...]
    own: tuple[Cards, ...]
    additions: tuple[Addition, ...]
    left: Cards


@dataclass(frozen=True)
class Shown:
    """A group on the table: who showed it, and whose cards lie in it, in the order they came."""

    owner: str
    cards: Mapping[str, Cards]

    @property
    def all_cards(self) -> Cards:
        """All its cards."""
        return tuple(chain.from_iterable(self.cards.values()))

    def others(self, player: str) -> Cards:
        """Its cards that are not the player's."""
        return tuple(chain.from_iterable(cards for holder, cards in self.cards.items() if holder != player))

    def holding(self, player: str, cards: Cards) -> Shown:
        """The group with these cards as the player's."""
        rest = {holder: held for holder, held in self.cards.items() if holder != player}
        return replace(self, cards=rest | {player: cards} if cards else rest)


@dataclass(frozen=True)
class Table:
    """All groups shown, and the cards each player has left."""

    groups: tuple[Shown, ...]
    left: Mapping[str, Cards]


def place_all(leftovers: Leftovers, hands: Mapping[str, Sequence[Card]]) -> dict[str, Placed]:
    """What everybody comes to; the hands stand in turn order, the cutter first."""
    pack = leftovers.pack
    *_, table = tables(leftovers, hands)
    return {
        player: Placed(
            alone=leftovers.points(hand),
            points=pack.points(table.left[player]),
            groups=tuple(pack.group(shown.all_cards) for shown in table.groups if shown.owner == player),
            own=tuple(shown.cards.get(player, ()) for shown in table.groups if shown.owner == player),
            additions=tuple(
                Addition(shown.owner, pack.group(shown.all_cards), shown.cards[player])
                for shown in table.groups
                if shown.owner != player and player in shown.cards
            ),
            left=table.left[player],
        )
        for player, hand in hands.items()
    }


def tables(leftovers: Leftovers, hands: Mapping[str, Sequence[Card]]) -> Iterator[Table]:
    """The table when everybody has shown, and after each time somebody has laid anew."""
    alone = {player: leftovers.best(hand) for player, hand in hands.items()}
    table = Table(
        groups=tuple(
            Shown(player, {player: group.cards}) for player, best in alone.items() for group in best.groups
        ),
        left={player: best.left for player, best in alone.items()},
    )
    yield table
    unmoved = 0
    for player in cycle(hands):
        if unmoved == len(hands):
            return
        laid = laid_anew(leftovers, table, player, hands[player])
        unmoved = unmoved + 1 if laid is None else 0
        if laid is not None:
            table = laid
            yield table


def laid_anew(leftovers: Leftovers, table: Table, player: str, hand: Sequence[Card]) -> Table | None:
    """The table after the player has laid his hand anew for the fewest points; None where he can do no better."""
    pack = leftovers.pack
    kept_groups = [shown for shown in table.groups if shown.others(player)]
    best: tuple[Laid, tuple[Cards, ...]] | None = None
    fewest = pack.points(table.left[player])
    for stays in product(*(_stays(pack, shown, player) for shown in kept_groups)):
        free = without(hand, chain.from_iterable(stays))
        on_table = [
            Group((*shown.others(player), *cards)) for shown, cards in zip(kept_groups, stays, strict=True)
        ]
        if leftovers.points_on(free, on_table) < fewest:
            best = leftovers.best_on(free, on_table), stays
            fewest = best[0].points
    if best is None:
        return None
    laid, stays = best
    return Table(
        groups=(
            *(
                shown.holding(player, (*cards, *added))
                for shown, cards, added in zip(kept_groups, stays, laid.placed, strict=True)
            ),
            *(Shown(player, {player: group.cards}) for group in laid.groups),
        ),
        left={**table.left, player: laid.left},
    )


def _stays(pack: Pack, shown: Shown, player: str) -> list[Cards]:
    """The player's cards that may stay in a group for others' cards to lean on: every choice with no card too many."""
    others, own = shown.others(player), shown.cards.get(player, ())
    choices: list[Cards] = []
    for size in range(len(own) + 1):
        for cards in combinations(own, size):
            needless = any(len(cards) > len(less) and not without(less, cards) for less in choices)
            if not needless and pack.is_group((*others, *cards)):
                choices.append(cards)
    return choices
