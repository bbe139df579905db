"""The archive of a table: all its games, or those somebody looks for. Queries only."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date
from enum import StrEnum
from functools import reduce
from operator import or_

from django.db.models import Exists, OuterRef, Q, QuerySet, TextField
from django.db.models.functions import Cast

from games.models import Game, Member, Record, Result, Table, of_variant
from games.money.balances import People
from games.names import without_accents
from games.nights import FIRST_YEAR

LONGEST = 60  # letters of what is looked for
MOST_WORDS = 6


class Standing(StrEnum):
    """How a game stands."""

    UNDER_WAY = "under_way"
    ENDED = "ended"
    DISCARDED = "discarded"


_STANDING: Mapping[Standing, Q] = {
    Standing.UNDER_WAY: Q(ended_at=None, discarded_at=None),
    Standing.ENDED: Q(ended_at__isnull=False, discarded_at=None),
    Standing.DISCARDED: Q(discarded_at__isnull=False),
}


@dataclass(frozen=True)
class Wanted:
    """Which games of a table: None and "" for all of them, but for those discarded, which are asked for by name.

    `words` are looked for each by itself: the beginning of somebody's name or of a card game's, or a year.
    """

    words: str = ""
    member: Member | None = None
    winner: Member | None = None
    variant: str = ""
    first: date | None = None
    last: date | None = None
    standing: Standing | None = None

    @property
    def is_backwards(self) -> bool:
        """Whether the nights end before they begin, so that there is none."""
        return self.first is not None and self.last is not None and self.last < self.first


def titles_of(table: Table) -> list[str]:
    """The card games that were ever begun at a table, by their titles."""
    return list(table.games.order_by("variant").values_list("variant", flat=True).distinct())


def looked_for(
    games: QuerySet[Game], wanted: Wanted, people: People, called: Mapping[str, str]
) -> QuerySet[Game]:
    """Those of the games of one table that are wanted; `called` is what the reader calls each card game, by its title."""
    found = games.filter(_STANDING[wanted.standing] if wanted.standing else Q(discarded_at=None))
    if wanted.variant:
        found = found.filter(of_variant(wanted.variant))
    if wanted.first is not None:
        found = found.filter(night_number__gte=wanted.first.toordinal())
    if wanted.last is not None:
        found = found.filter(night_number__lte=wanted.last.toordinal())
    if wanted.member is not None:
        found = found.filter(_of(people, [wanted.member]))
    if wanted.winner is not None:
        found = found.filter(_won_by(people, wanted.winner))
    for word in dict.fromkeys(without_accents(wanted.words).split()[:MOST_WORDS]):
        found = found.filter(_meant(word, people, called))
    return found


def _of(people: People, members: Iterable[Member]) -> Q:
    """That one of these played. Of what gave nobody anything, under way or discarded, the records say who sat down."""
    rows = {row for member in members for row in people.rows_of(member)}
    given = Exists(Result.objects.filter(game=OuterRef("pk"), member__in=rows))
    slugs = (member.slug for member in people.members if member.pk in rows)
    is_named = reduce(or_, (Q(text__contains=f'"id": "{slug}"') for slug in slugs))  # as players are stored
    records = Record.objects.filter(game=OuterRef("pk")).order_by()
    named = Exists(records.annotate(text=Cast("data", TextField())).filter(is_named))
    return Q(given) | Q(Q(ended_at=None) | Q(discarded_at__isnull=False), named)


def _won_by(people: People, member: Member) -> Q:
    return Q(Exists(Result.objects.filter(game=OuterRef("pk"), member__in=people.rows_of(member), won=True)))


def _meant(word: str, people: People, called: Mapping[str, str]) -> Q:
    """What a word stands for: people, card games, a year, any of them; nothing at all where it stands for none."""
    members = [member for member in people.own if _begins(member.name, word)]
    meant = _of(people, members) if members else Q(pk__in=())
    meant |= Q(variant__in=[key for key, name in called.items() if _begins(name, word)])
    if word.isascii() and word.isdigit() and len(word) == 4 and int(word) >= FIRST_YEAR:
        year = int(word)
        meant |= Q(
            night_number__gte=date(year, 1, 1).toordinal(), night_number__lte=date(year, 12, 31).toordinal()
        )
    return meant


def _begins(name: str, word: str) -> bool:
    """Whether a word of the name begins like this, capitals and accents aside."""
    return any(part.startswith(word) for part in without_accents(name).split())
