"""The tally of a night: what everybody won and lost in its finished games."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import reduce
from operator import or_

from django.db.models import Q

from games.models import Member, Result
from games.money.evening import Attendee
from games.tables.people import People


@dataclass(frozen=True)
class NightTally:
    """The ids of a night's finished games, the sum of their pots, and everybody's share, highest first."""

    games: tuple[int, ...]
    pots: int
    shares: tuple[Attendee, ...]

    @property
    def has_money(self) -> bool:
        """True if somebody won or lost money, all games together."""
        return any(share.net for share in self.shares)

    def figure(self, share: Attendee) -> int:
        """Return the figure by which the night is decided: the member's money in this share.

        If nobody won or lost money, return the number of games that the member won.
        """
        return share.net if self.has_money else share.wins

    @property
    def leaders(self) -> tuple[Attendee, ...]:
        """The members with the highest figure; empty if that is 0."""
        most = max(map(self.figure, self.shares), default=0)
        return tuple(share for share in self.shares if most and self.figure(share) == most)

    @property
    def runners_up(self) -> tuple[Attendee, ...]:
        """The members with the highest figure below a single leader's; empty if there are several leaders."""
        if len(self.leaders) != 1:
            return ()
        others = [share for share in self.shares if share not in self.leaders]
        most = max(map(self.figure, others), default=0)
        return tuple(share for share in others if self.figure(share) == most)

    @property
    def margin(self) -> int:
        """The lead of a single leader over the next member; 0 with several leaders or no other member."""
        return self.figure(self.leaders[0]) - self.figure(self.runners_up[0]) if self.runners_up else 0


def tallies_of(
    nights: Iterable[tuple[int, int]], tables: Mapping[int, People]
) -> Mapping[tuple[int, int], NightTally]:
    """Return the tally of each of these nights, given as (table's id, night's number), by the same pair.

    The number is the ordinal of the night's date. `tables` has each table's people by its id. A night without
    a finished game is left out. This takes one query, and none if `nights` is empty.
    """
    wanted = [Q(game__table=table, night_number=night) for table, night in nights]
    if not wanted:
        return {}
    rows = Result.objects.filter(reduce(or_, wanted), game__discarded_at=None).order_by("game", "pk")
    pots: dict[tuple[int, int], dict[int, int]] = {}
    sums: dict[tuple[int, int], dict[Member, Counter[str]]] = {}
    for table, night, game, pot, member_pk, net, won in rows.values_list(
        "game__table", "night_number", "game", "game__pot", "member", "net", "won"
    ):
        pots.setdefault((table, night), {})[game] = pot
        member = tables[table].by_pk[member_pk]
        sums.setdefault((table, night), {}).setdefault(member, Counter()).update(net=net, wins=int(won))
    return {night: _tally(pots[night], sums[night]) for night in pots}


def _tally(pots: Mapping[int, int], sums: Mapping[Member, Counter[str]]) -> NightTally:
    shares = (Attendee(member, net=own["net"], wins=own["wins"]) for member, own in sums.items())
    ordered = sorted(shares, key=lambda share: (-share.net, -share.wins, share.member.pk))
    return NightTally(tuple(pots), sum(pots.values()), tuple(ordered))
