"""Tables: one's own, a new one, and who plays there."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.utils.translation import get_language
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from games.api.common.amounts import moment_said, money_said
from games.api.common.endpoints import Endpoint, answer, check_all_tables, somebody
from games.api.common.members import member_said
from games.api.common.schema import CODE, refusals
from games.api.common.writing import KEY, key_sent
from games.api.play import examples
from games.api.play import game_payloads as payloads
from games.models import DECIMALS, Role, Table
from games.notebook.fields import Fields
from games.people.members import rename_table
from games.people.tables import open_table, parts_of
from games.scoring.errors import RuleError

LONGEST = 200  # letters of what is sent; how long a name may be, the service says


class Tables(Endpoint):
    """All the tables of who asks."""

    @extend_schema(
        operation_id="tables",
        summary="Your tables",
        description="Every table that is open to who asks, the newest first, and in which role.",
        responses={200: payloads.TableList, **refusals()},
    )
    def get(self, request: Request) -> Response:
        """The tables of who asks."""
        check_all_tables(self.visitor)
        assert self.user
        grants = self.visitor.grants.filter(table__erased_at=None)
        found = grants.select_related("table").order_by("-table__created_at", "-table")
        return answer(
            {"tables": [_in_short(grant.table, self.visitor.role_of(grant.role)) for grant in found]}
        )

    @extend_schema(
        operation_id="open_table",
        summary="Open a table",
        description=(
            "A new table, which belongs to who asks. A program that is nobody yet and holds a token against forgery "
            "becomes a guest, who is whoever has its session. Players come with the first game they sit down to."
        ),
        parameters=[KEY],
        request=payloads.TableSent,
        responses={201: payloads.TableInFull, **refusals("body", "key_reused")},
        examples=[examples.TABLE_EXAMPLE],
    )
    def post(self, request: Request) -> Response:
        """The table that was opened."""
        check_all_tables(self.visitor, for_owning=True)
        key, wanted = (
            key_sent(request),
            _wanted(self.sent("name", "unit", "decimals", "language", "timezone")),
        )
        table = open_table(somebody(request, key=key), **wanted, key=key)
        return answer(_in_full(table, Role.OWNER), status=201)


class OneTable(Endpoint):
    """One table."""

    @extend_schema(
        operation_id="table",
        summary="A table, and who plays there",
        parameters=[CODE],
        description="What the table is called, what its amounts are of, and its members, who have ids for ever.",
        responses={200: payloads.TableInFull, **refusals("not_found")},
    )
    def get(self, request: Request, code: str) -> Response:
        """The table."""
        return answer(_in_full(self.table_opened(code), self.role))

    @extend_schema(
        operation_id="rename_table",
        summary="Another name for a table",
        description="For owners. Its code stays.",
        parameters=[CODE],
        request=payloads.TableRenamed,
        responses={200: payloads.TableInFull, **refusals("body", "not_found")},
    )
    def patch(self, request: Request, code: str) -> Response:
        """The table under its new name."""
        table = self.table_opened(code, for_owning=True)
        name = self.sent("name").text("name", longest=LONGEST)
        try:
            rename_table(table, name)
        except RuleError as refusal:  # the fields of the form have names of their own
            raise RuleError(refusal.text, field="name") from None
        table.refresh_from_db()
        return answer(_in_full(table, self.role))


def _wanted(sent: Fields) -> dict[str, Any]:
    """What the table is to be opened with, found to be right before anybody becomes a guest for it."""
    language = get_language() or settings.LANGUAGE_CODE
    return parts_of(
        sent.text("name", longest=LONGEST),
        unit=sent.text("unit", longest=LONGEST) if sent.has("unit") else "$",
        decimals=sent.whole("decimals", least=0, most=DECIMALS) if sent.has("decimals") else 0,
        language=sent.text("language", longest=LONGEST) if sent.has("language") else language,
        timezone=sent.text("timezone", longest=LONGEST) if sent.has("timezone") else settings.TIME_ZONE,
    )


def _in_short(table: Table, role: Role | None) -> dict[str, object]:
    return {
        "code": table.code,
        "name": table.name,
        "role": role,
        "language": table.language,
        "timezone": table.timezone,
        "created_at": moment_said(table.created_at, table),
        **money_said(table),
    }


def _in_full(table: Table, role: Role) -> dict[str, object]:
    members = table.members.select_related("merged_into")
    return {
        **_in_short(table, role),
        "members": [member_said(member) for member in members],
    }
