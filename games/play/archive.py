"""The archive of a table: all the table's games, or the games that match a search.

This module reads from the database and writes nothing.
"""

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

LONGEST = 60  # the most letters of a search
MOST_WORDS = 6


class Standing(StrEnum):
    """The status of a game."""

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
    """A search for games of a table. A field that is None or "" does not restrict the search.

    Each word of `words` must match a year, or the beginning of a person's or a card game's name. Discarded
    games are only found if `standing` is `DISCARDED`.
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
        """True if the last night is before the first night, so that no game can match."""
        return self.first is not None and self.last is not None and self.last < self.first


def titles_of(table: Table) -> list[str]:
    """Return the titles (`Game.variant`) of all card games played at a table."""
    return list(table.games.order_by("variant").values_list("variant", flat=True).distinct())


def looked_for(
    games: QuerySet[Game], wanted: Wanted, people: People, called: Mapping[str, str]
) -> QuerySet[Game]:
    """Return the games that match the search.

    `called` has the name of each card game in the user's language, by its title (`Game.variant`).
    """
    matches = games.filter(_STANDING[wanted.standing] if wanted.standing else Q(discarded_at=None))
    if wanted.variant:
        matches = matches.filter(of_variant(wanted.variant))
    if wanted.first is not None:
        matches = matches.filter(night_number__gte=wanted.first.toordinal())
    if wanted.last is not None:
        matches = matches.filter(night_number__lte=wanted.last.toordinal())
    if wanted.member is not None:
        matches = matches.filter(_of(people, [wanted.member]))
    if wanted.winner is not None:
        matches = matches.filter(_won_by(people, wanted.winner))
    for word in dict.fromkeys(without_accents(wanted.words).split()[:MOST_WORDS]):
        matches = matches.filter(_meant(word, people, called))
    return matches


def _of(people: People, members: Iterable[Member]) -> Q:
    """Return a filter for games that one of these members played.

    An unfinished or discarded game has no results. In that case the players are looked up in its records.
    """
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
    """Return a filter for games that match one word of a search: a person, a card game or a year.

    If the word can be none of these, no game matches.
    """
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
    """Return whether a part of the name begins with `word`, ignoring case and accents."""
    return any(part.startswith(word) for part in without_accents(name).split())
