"""Tables: listing the user's tables, creating one, showing one with its members, and renaming it."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.utils.translation import get_language
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from games.api.common.endpoints import Endpoint, answer, check_all_tables, somebody
from games.api.common.schema import refusals
from games.api.common.serializers import Parts
from games.api.common.writing import KEY, key_sent
from games.api.play import game_payloads as payloads
from games.models import Role, Table
from games.people.settings import change_settings, parts_of
from games.people.tables import open_table
from games.regions import current_region


class Tables(Endpoint):
    """The endpoint that lists the tables of the user or creates one."""

    @extend_schema(
        operation_id="tables",
        summary="Your tables",
        description=(
            "The tables to which the user has access, newest first, with the user's role. A token for one table is "
            "refused; me/ takes it."
        ),
        responses={200: payloads.TableList, **refusals()},
    )
    def get(self, request: Request) -> Response:
        """Return the tables of the user, newest first."""
        check_all_tables(self.visitor)
        assert self.user
        grants = self.visitor.grants.filter(table__erased_at=None)
        tables = [
            payloads.TableInShort.of(grant.table, table=grant.table, role=grant.present_role)
            for grant in grants.select_related("table").order_by("-table__created_at", "-table")
        ]
        return answer({"tables": tables})

    @extend_schema(
        operation_id="open_table",
        summary="Create a table",
        description=(
            "Creates a table that the user owns. With a token this takes an owner's token for all tables. Without "
            "one, GET /api/ first, and send its cookie `csrftoken` back, both as a cookie and as the header "
            "`X-CSRFToken`; over HTTPS also send `Referer` with the address of the site. The program is then a "
            "guest, whose account is the cookie `sessionid` of the answer: keep it. Players become members with the "
            "first game they play."
        ),
        parameters=[KEY],
        request=payloads.TableSent,
        responses={201: payloads.TableInFull, **refusals("body", "key_reused")},
    )
    def post(self, request: Request) -> Response:
        """Create the table and return it.

        A repeated request with the same idempotency key creates no second table.
        """
        check_all_tables(self.visitor, for_writing=True)
        key, wanted = key_sent(request), _fields_of_table(self.sent(payloads.TableSent))
        table = open_table(somebody(request, key=key), **wanted, key=key)
        return answer(_in_full(table, Role.OWNER), status=201)


class OneTable(Endpoint):
    """The endpoint that returns or changes one table."""

    @extend_schema(
        operation_id="table",
        summary="A table with its members",
        description="The name of the table, its currency, and its members, whose ids never change.",
        responses={200: payloads.TableInFull, **refusals("not_found")},
    )
    def get(self, request: Request, code: str) -> Response:
        """Return the table and its members."""
        return answer(_in_full(self.table_opened(code), self.role))

    @extend_schema(
        operation_id="rename_table",
        summary="Rename a table, choose its time zone, region or smallest coin",
        description=(
            "For owners. The code of the table stays the same. The smallest coin can be changed until an amount "
            "is recorded."
        ),
        request=payloads.TableRenamed,
        responses={200: payloads.TableInFull, **refusals("body", "not_found")},
    )
    def patch(self, request: Request, code: str) -> Response:
        """Change the name, time zone, region or smallest coin of the table, and return the table."""
        table = self.table_opened(code, for_owning=True)
        sent = self.sent(payloads.TableRenamed)
        names = [name for name in ("name", "region", "timezone", "decimals") if name in sent]
        change_settings(table, **{name: sent[name] for name in names or ["name"]})
        table.refresh_from_db()
        return answer(_in_full(table, self.role))


def _fields_of_table(sent: Parts) -> dict[str, Any]:
    """Return the fields of the new table, after checking them.

    The check comes before an anonymous user becomes a guest, so that an invalid table creates no guest.
    """
    return parts_of(
        sent["name"],
        unit=sent.get("unit", "$"),
        decimals=sent.get("decimals", 0),
        language=sent.get("language", get_language() or settings.LANGUAGE_CODE),
        timezone=sent.get("timezone", settings.TIME_ZONE),
        region=sent.get("region", current_region().name),
    )


def _in_full(table: Table, role: Role) -> dict[str, Any]:
    return payloads.TableInFull.of(table, table=table, role=role)
