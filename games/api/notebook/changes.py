"""The change feed of a table, for programs that keep a copy: read the table once, then only its changes.

The accounts of a table are its money: payments, shared costs, and members' payment details.
"""

from __future__ import annotations

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from games.api.common.endpoints import Endpoint, answer
from games.api.common.problems import Problem
from games.api.common.schema import refusals
from games.api.notebook import examples, payloads
from games.changes import News, UnknownChange, news_of
from games.models import Table
from games.scoring.words import _

MOST_DIGITS = 15


class Changes(Endpoint):
    """The endpoint that returns the change feed of a table, page by page."""

    query = ("since",)

    @extend_schema(
        operation_id="changes",
        summary="Follow a table",
        description=(
            "Every change at a table in the order in which it was stored: events, games, payments, shared costs, "
            "members, seasons. To keep a copy, first ask without `since`; then read the table, "
            "which may already be newer; then ask repeatedly with the `seen` of the previous answer as "
            "`since`. No change is left out or repeated. An event is shown as it was recorded, everything "
            "else in its present state. Users who may not read the accounts do not see changes of the "
            "accounts, and see gaps in the numbers."
        ),
        parameters=[payloads.SINCE],
        responses={200: payloads.NewsTold, **refusals("not_found")},
        examples=examples.NEWS,
    )
    def get(self, request: Request, code: str) -> Response:
        """Return a page of the changes after the one whose number is in `since`."""
        table = self.table_opened(code)
        with_accounts = self.visitor.sees_accounts(table, self.role)
        news = page_of(table, since_sent(request, table), with_accounts=with_accounts)
        return answer(payloads.NewsTold.of(news, table=table, accounts=with_accounts))


def page_of(table: Table, since: int, *, with_accounts: bool, field: str = "since") -> News:
    """Return the page of the feed after the change with the number `since`.

    Without `with_accounts`, leave out changes of the accounts. Raise Problem if there is no change with the
    number `since`; `field` is the name of the parameter or header that had this number.
    """
    try:
        return news_of(table, since, with_accounts=with_accounts)
    except UnknownChange:
        unknown = _("This change doesn't exist yet. Read the table again and continue from there.")
        raise Problem("bad_request", unknown, field=field) from None


def since_sent(request: Request, table: Table) -> int:
    """Return the number in the query parameter `since`: that of the last change that the client has read.

    Without the parameter, return the number of the newest change. Raise Problem if it is no number.
    """
    text = request.query_params.get("since")
    if text is None:
        return table.newest_change
    if not is_number(text):
        raise Problem("bad_request", _("“since” must be a number from an earlier answer."), field="since")
    return int(text)


def is_number(text: str) -> bool:
    """Return whether the text has only digits, and few enough for the number of a change."""
    return text.isascii() and text.isdigit() and len(text) <= MOST_DIGITS
