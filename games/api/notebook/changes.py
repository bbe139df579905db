"""The feed of a table, for a program that keeps what is recorded there: read everything once, then what is new."""

from __future__ import annotations

from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from games.api.common.amounts import moment_said
from games.api.common.closings import closing_said
from games.api.common.endpoints import Endpoint, answer
from games.api.common.members import member_said
from games.api.common.payments import payment_said
from games.api.common.problems import Problem
from games.api.common.schema import CODE, refusals
from games.api.notebook import examples, payloads
from games.changes import News, UnknownChange, news_of
from games.models import Change, Record, Table, What
from games.people.access import sees_accounts
from games.scoring.words import _

MOST_DIGITS = 15


class Changes(Endpoint):
    """What changed at a table."""

    @extend_schema(
        operation_id="changes",
        summary="Follow a table",
        description=(
            "Every change at a table in the order in which it was stored: events, games, payments, closed nights, "
            "members, seasons. To keep a copy, ask first without `since`; then read the table, which may be newer "
            "than that by now; then ask again and again behind the `seen` of the answer before. Nothing is left out "
            "and nothing comes twice. An event is told as it was recorded, everything else as it stands now. Whoever "
            "does not read the accounts is told nothing of them, and sees gaps in the numbers."
        ),
        parameters=[CODE, payloads.SINCE],
        responses={200: payloads.NewsTold, **refusals("not_found")},
        examples=examples.NEWS,
    )
    def get(self, request: Request, code: str) -> Response:
        """The changes behind the number asked for, a page of them."""
        table = self.table_opened(code)
        with_accounts = sees_accounts(request.user, table, self.role)
        since = _since_sent(request, table)
        try:
            news = news_of(table, since, with_accounts=with_accounts)
        except UnknownChange:
            told = _("There is no such change yet. Read the table anew, and follow it from there.")
            raise Problem("bad_request", told, field="since") from None
        return answer(news_said(news, table, with_accounts=with_accounts))


def _since_sent(request: Request, table: Table) -> int:
    """The number a program has seen; the newest where it says none."""
    text = request.query_params.get("since")
    if text is None:
        return table.newest_change
    if not (text.isascii() and text.isdigit() and len(text) <= MOST_DIGITS):
        raise Problem("bad_request", _("“since” is a number that was answered here."), field="since")
    return int(text)


def news_said(news: News, table: Table, *, with_accounts: bool) -> dict[str, Any]:
    """A page of the feed as it is answered."""
    return {
        "changes": [_change(change, table) for change in news.changes],
        "seen": news.seen,
        "newest": news.newest,
        "accounts": with_accounts,
    }


def _change(change: Change, table: Table) -> dict[str, Any]:
    return {
        "number": change.number,
        "what": change.what,
        "at": moment_said(change.made_at, table),
        "game": None if change.game is None else change.game.code,
        "event": None if change.record is None else _event(change.record, table),
        "payment": None if change.payment is None else payment_said(change.payment, table),
        "closing": None if change.note is None else closing_said(change.note, table),
        "member": _member(change),
    }


def _event(record: Record, table: Table) -> dict[str, Any]:
    return {
        "number": record.number,
        "kind": record.kind,
        "data": record.data,
        "at": moment_said(record.recorded_at, table),
    }


def _member(change: Change) -> dict[str, Any] | None:
    if change.member is None:
        return None
    account = {"account": change.member.account} if change.what == What.ACCOUNT_CHANGED else {}
    return {**member_said(change.member), **account}
