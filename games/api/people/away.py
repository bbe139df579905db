"""A table put away: left for good, archived on one's own home, erased by an owner and brought back by one."""

from __future__ import annotations

from datetime import datetime

from django.http import Http404
from django.shortcuts import get_object_or_404
from drf_spectacular.utils import OpenApiExample, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from games.api.common.amounts import moment_said
from games.api.common.endpoints import Endpoint, answer
from games.api.common.schema import CODE, SESSION, refusals
from games.api.people import payloads
from games.api.people.endings import InSession, ending_said
from games.models import TABLE_NAME_LENGTH, Table
from games.people import erasing, leaving
from games.people.access import BeingErased
from games.people.removals import ending_of
from games.scoring.errors import RuleError

ARCHIVED = OpenApiExample("last", value={"archived": True}, response_only=True, status_codes=["200"])


class Leaving(InSession):
    """A table about to be left, by whoever is let in."""

    @extend_schema(
        operation_id="leaving",
        summary="What would end with you",
        description="In a session: your own grant, your invitations, and who came in by them, who may go too.",
        parameters=[CODE],
        auth=SESSION,
        responses={200: payloads.EndingSaid, **refusals("not_found")},
    )
    def get(self, request: Request, code: str) -> Response:
        """What would end."""
        table = self.table_opened(code)
        mine = get_object_or_404(table.grants.standing(), user=self.user)
        return answer(ending_said(table, ending_of(mine), self.user))

    @extend_schema(
        operation_id="leave_table",
        summary="Leave a table",
        description=(
            "In a session. Only a new invitation lets you in again, and who you said you are, you are no longer. "
            "“also” names others who go with an owner. The last owner stays."
        ),
        parameters=[CODE],
        auth=SESSION,
        request=payloads.AlsoSent,
        responses={200: payloads.TableLeft, **refusals("body", "not_found")},
    )
    def post(self, request: Request, code: str) -> Response:
        """The table that is not there for you any more."""
        table = self.table_opened(code)
        leaving.leave(table, by=self.user, also=self.also_sent())
        return answer({"left": table.code})


class Archiving(Endpoint):
    """A table about to stand last on one's own home."""

    archived = True

    @extend_schema(
        operation_id="archive_table",
        summary="Put a table last",
        description="On the home of who asks alone. Nothing changes at the table.",
        parameters=[CODE],
        request=None,
        responses={200: payloads.TableArchived, **refusals("not_found")},
        examples=[ARCHIVED],
    )
    def post(self, request: Request, code: str) -> Response:
        """Whether the table stands last now."""
        leaving.archive(self.table_opened(code), by=self.user, archived=self.archived)
        return answer({"archived": self.archived})


class Unarchiving(Archiving):
    """A table about to stand among the others again."""

    archived = False

    @extend_schema(
        operation_id="unarchive_table",
        summary="Put a table among the others again",
        description="On the home of who asks alone.",
        parameters=[CODE],
        request=None,
        responses={200: payloads.TableArchived, **refusals("not_found")},
    )
    def post(self, request: Request, code: str) -> Response:
        """Whether the table stands last now."""
        return super().post(request, code)


class Erasing(InSession):
    """A table about to be erased, or that can be brought back."""

    def erased_or_opened(self, code: str) -> Table:
        """The table, for its owners also while they can bring it back."""
        try:
            return self.table_opened(code, for_owning=True)
        except BeingErased as erased:
            return erased.table

    @extend_schema(
        operation_id="erase_table",
        summary="Erase a table",
        description=(
            "For owners, in a session, with the name of the table. It is shut to everybody at once; an owner brings "
            "it back until “gone_at”, and then nothing is left of it."
        ),
        parameters=[CODE],
        auth=SESSION,
        request=payloads.ErasedSent,
        responses={200: payloads.TableErased, **refusals("body", "not_found")},
    )
    def post(self, request: Request, code: str) -> Response:
        """Until when it can be brought back."""
        table = self.erased_or_opened(code)
        name = self.sent("name").text("name", longest=TABLE_NAME_LENGTH)
        try:
            table = erasing.erase(table, name=name, by=self.user)
        except RuleError as refusal:  # the fields of the form have names of their own
            raise RuleError(refusal.text, field="name") from None
        return answer({"erased_at": _said(table.erased_at, table), "gone_at": _said(table.gone_at, table)})


class BringingBack(Erasing):
    """An erased table, about to be there again."""

    @extend_schema(
        operation_id="bring_table_back",
        summary="Bring an erased table back",
        description="For owners, in a session. It is as it was, for everybody; once its last day is over, it is gone.",
        parameters=[CODE],
        auth=SESSION,
        request=None,
        responses={200: payloads.TableErased, **refusals("not_found")},
    )
    def post(self, request: Request, code: str) -> Response:
        """That nothing is erased."""
        erasing.bring_back(self.erased_or_opened(code), by=self.user)
        return answer({"erased_at": None, "gone_at": None})


def _said(at: datetime | None, table: Table) -> str:
    if at is None:
        raise Http404  # somebody brought it back meanwhile
    return str(moment_said(at, table))
