"""Records (récords) of a season: what nobody has done better, who was the first to, and in which game. Queries only."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum

from django.db.models import Q, Subquery

from games.models import Game, Member, Result, Table
from games.standings import COUNTS, IN_ORDER, Scope, Tally


class Feat(StrEnum):
    """What records are kept of."""

    REENTRIES = "reentries"
    POT = "pot"
    SURVIVED = "survived"
    FEWEST_ROUNDS = "fewest_rounds"
    IN_ONE_GO = "in_one_go"
    STREAK = "streak"


@dataclass(frozen=True)
class Best:
    """Who holds a record, and the game it was made in where it was one; doing as much later does not take it away."""

    feat: Feat
    holders: tuple[Member, ...]
    value: int
    game: Game | None = None


def feats_of(scope: Scope, tallies: Iterable[Tally]) -> tuple[Best, ...]:
    """The records of a scope, whose tallies these are; what nobody has done at all is left out."""
    order = list(Feat)
    return tuple(
        sorted(
            (*_in_one_game(scope), *_over_many_games(list(tallies))), key=lambda best: order.index(best.feat)
        )
    )


def _in_one_game(scope: Scope) -> Iterator[Best]:
    results, games = scope.results().filter(COUNTS), scope.games()
    tops = {
        Feat.REENTRIES: results.filter(reentries__gt=0).order_by("-reentries", *IN_ORDER),
        Feat.SURVIVED: results.filter(survived__gt=0).order_by("-survived", *IN_ORDER),
        Feat.POT: games.filter(pot__gt=0).order_by("-pot", "night_number", "pk"),
        Feat.FEWEST_ROUNDS: games.filter(decided_in__gt=0).order_by("decided_in", "night_number", "pk"),
    }
    # Four first lines in one go: a table is a row like any other to hang them on.
    at = Table.objects.annotate(
        **{f"{feat}_at": Subquery(rows.values("pk")[:1]) for feat, rows in tops.items()}
    )
    places = at.values_list(*(f"{feat}_at" for feat in tops)).get(pk=scope.table.pk)
    top = dict(zip(tops, places, strict=True))
    found = Result.objects.filter(
        Q(pk__in=[top[Feat.REENTRIES], top[Feat.SURVIVED]])
        | Q(won=True, game__in=[top[Feat.POT], top[Feat.FEWEST_ROUNDS]])
    )
    rows = list(found.select_related("game").order_by("pk"))
    for feat in (Feat.REENTRIES, Feat.SURVIVED):
        yield from (
            Best(feat, _members(scope, [row]), getattr(row, feat), row.game)
            for row in rows
            if row.pk == top[feat]
        )
    for feat, value in ((Feat.POT, "pot"), (Feat.FEWEST_ROUNDS, "decided_in")):
        winners = [row for row in rows if row.game_id == top[feat] and row.won]
        if winners:
            game = winners[0].game
            yield Best(feat, _members(scope, winners), getattr(game, value), game)


def _over_many_games(tallies: Sequence[Tally]) -> Iterator[Best]:
    for feat, figure in ((Feat.IN_ONE_GO, "in_one_go"), (Feat.STREAK, "longest_streak")):
        most = max((getattr(tally, figure) for tally in tallies), default=0)
        if most:
            holders = tuple(tally.member for tally in tallies if getattr(tally, figure) == most)
            yield Best(feat, holders, most)


def _members(scope: Scope, rows: Iterable[Result]) -> tuple[Member, ...]:
    return tuple(scope.people.by_pk[row.member_id] for row in rows)
