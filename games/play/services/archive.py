"""The archive of a table: all of its games, or those that match a search."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from datetime import date
from enum import StrEnum
from functools import reduce
from operator import or_

from django.db.models import Exists, OuterRef, Q, QuerySet, TextField
from django.db.models.functions import Cast

from games.common import naming
from games.models import Game, Member, Record, Result, Table
from games.tables.services.roster import People

LONGEST_SEARCH = 60  # letters that the page's search field takes
MAX_SEARCH_WORDS = 6


class GameStatus(StrEnum):
    UNDER_WAY = "under_way"
    ENDED = "ended"
    DISCARDED = "discarded"


_STATUS_FILTERS: Mapping[GameStatus, Q] = {
    GameStatus.UNDER_WAY: Q(ended_at=None, discarded_at=None),
    GameStatus.ENDED: Q(ended_at__isnull=False, discarded_at=None),
    GameStatus.DISCARDED: Q(discarded_at__isnull=False),
}


def filter_by_status(table: Table, status: str = "") -> QuerySet[Game]:
    """Return the table's games with this status; with an unknown one or "", all that were not discarded."""
    is_known = status in set(GameStatus)
    return table.games.filter(_STATUS_FILTERS[GameStatus(status)] if is_known else Q(discarded_at=None))


def list_variants(table: Table) -> list[str]:
    """Return the titles (`Game.variant`, such as `chinchon`) of all card games played at a table."""
    return list(table.games.order_by("variant").values_list("variant", flat=True).distinct())


def search(
    games: QuerySet[Game], text: str, people: People, variant_labels: Mapping[str, str]
) -> QuerySet[Game]:
    """Return the games that match every word of the search: a person, a card game, or a year.

    `variant_labels` has each card game's name in the user's language, by its title (`Game.variant`). Words
    after the first MAX_SEARCH_WORDS are ignored.
    """
    for word in dict.fromkeys(naming.unaccented_key(text).split()[:MAX_SEARCH_WORDS]):
        games = games.filter(_word_filter(word, people, variant_labels))
    return games


def _player_filter(people: People, members: Iterable[Member]) -> Q:
    """Return a filter for games that at least one of these members played.

    An unfinished or discarded game has no results, so its records are searched for the members' player ids.
    """
    rows = {row for member in members for row in people.member_pks(member)}
    given = Exists(Result.objects.filter(game=OuterRef("pk"), member__in=rows))
    slugs = (member.slug for member in people.members if member.pk in rows)
    # This is how `Record.data` stores a player.
    is_named = reduce(or_, (Q(text__contains=f'"id": "{slug}"') for slug in slugs))
    records = Record.objects.filter(game=OuterRef("pk")).order_by()
    named = Exists(records.annotate(text=Cast("data", TextField())).filter(is_named))
    return Q(given) | Q(Q(ended_at=None) | Q(discarded_at__isnull=False), named)


def _word_filter(word: str, people: People, variant_labels: Mapping[str, str]) -> Q:
    """Return a filter for games that match one word of a search: a person, a card game or a year.

    A person is also found by the name of a member merged into them.
    """
    members = [people.by_pk[member.pk] for member in people.members if _has_word_prefix(member.name, word)]
    matches = _player_filter(people, members) if members else Q(pk__in=())
    matches |= Q(variant__in=[key for key, name in variant_labels.items() if _has_word_prefix(name, word)])
    if re.fullmatch(r"[12][0-9]{3}", word):
        year = int(word)
        matches |= Q(night_number__range=(date(year, 1, 1).toordinal(), date(year, 12, 31).toordinal()))
    return matches


def _has_word_prefix(name: str, word: str) -> bool:
    """Return whether a word of the name begins with `word`, ignoring accents and the case of the name."""
    return any(part.startswith(word) for part in naming.unaccented_key(name).split())
