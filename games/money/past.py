"""The balances of a table at past moments, computed from today's records.

This module reads from the database and writes nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any

from django.db.models import Q, Sum

from games.book import logs_of
from games.models import COUNTING, CostShare, Payment, Result, Table
from games.money.balances import People
from games.scoring.replay import replay


def balances_at(table: Table, people: People, moments: Sequence[datetime]) -> list[dict[str, int]]:
    """Return for each moment everybody's balance then, by slug, computed from today's records."""
    balances_by_moment = [{member.slug: 0 for member in people.own} for _moment in moments]

    def add(rows: Iterable[Mapping[str, Any]], end: str, sign: int) -> None:
        for row in rows:
            for place, balances in enumerate(balances_by_moment):
                balances[people.by_pk[row[end]].slug] += sign * int(row[f"sum{place}"] or 0)

    results = Result.objects.filter(member__table=table).order_by().values("member")
    add(
        results.annotate(
            **{
                f"sum{place}": Sum("net", filter=Q(game__ended_at__lte=moment) | Q(game__in=reopened))
                for place, (moment, reopened) in enumerate(
                    zip(moments, _reopened_games(table, moments), strict=True)
                )
            }
        ),
        "member",
        1,
    )
    shares = CostShare.objects.filter(member__table=table).order_by().values("member")
    add(
        shares.annotate(
            **{
                f"sum{place}": Sum("net", filter=Q(cost__made_at__lte=moment))
                for place, moment in enumerate(moments)
            }
        ),
        "member",
        1,
    )
    for end, sign in (("payer", 1), ("payee", -1)):
        paid = Payment.objects.filter(COUNTING, table=table).order_by().values(end)
        add(
            paid.annotate(
                **{
                    f"sum{place}": Sum("amount", filter=Q(made_at__lte=moment))
                    for place, moment in enumerate(moments)
                }
            ),
            end,
            sign,
        )
    return balances_by_moment


def _reopened_games(table: Table, moments: Sequence[datetime]) -> list[set[int]]:
    """Return for each moment the ids of the games that were over at that moment and were reopened later.

    Only games that have ended again are included. Their present results count.
    """
    later = table.games.filter(started_at__lte=max(moments), ended_at__gt=min(moments)).order_by()
    spans = list(later.values_list("pk", "started_at", "ended_at"))
    over_by_moment = []
    for moment in moments:
        across = [pk for pk, began, ended in spans if began <= moment < (ended or moment)]
        logs = logs_of(across, until=moment) if across else {}
        states = {game: replay(log) for game, log in logs.items() if log}
        over_by_moment.append({game for game, state in states.items() if state.is_over})
    return over_by_moment
