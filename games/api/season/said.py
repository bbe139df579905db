"""What endpoints of a season say in the same words: which games were counted, somebody's line, a duel."""

from __future__ import annotations

from fractions import Fraction

from games.api.common.amounts import money_said
from games.api.season.filtering import Asked
from games.season.duels import Duel
from games.season.standings import Tally, is_won, points_of

FORM = 10  # games


def counted_said(asked: Asked) -> dict[str, object]:
    """Which games were counted, and what their money is of."""
    season = asked.filters.season
    return {"season": None if season is None else season.pk, **money_said(asked.table)}


def line_said(tally: Tally, *, rank: int | None, points: int, average: Fraction) -> dict[str, object]:
    """What somebody's games add up to, with the points and the average that count."""
    return {
        "member": tally.member.slug,
        "name": tally.member.name,
        "rank": rank,
        "games": tally.games,
        "wins": tally.wins,
        "points": points,
        "average": float(round(average, 2)),
        "net": tally.net,
        "streak": tally.streak,
        "form": [{"won": is_won(mark), "points": points_of(mark)} for mark in tally.marks[-FORM:]],
    }


def duel_said(duel: Duel) -> dict[str, object]:
    """Two members, as the one sees it."""
    return {
        "one": duel.one.slug,
        "other": duel.other.slug,
        "games": duel.games,
        "ahead": duel.ahead,
        "behind": duel.behind,
        "level": duel.level,
    }
