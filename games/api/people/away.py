"""Leaving, erasing and restoring a table."""

from __future__ import annotations

from typing import Any

from django.http import Http404
from django.shortcuts import get_object_or_404
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from games.api.common.endpoints import answer
from games.api.common.schema import refusals
from games.api.people import payloads
from games.api.people.endings import InSession
from games.models import Table
from games.people import erasing, leaving
from games.people.access import BeingErased
from games.people.removals import ending_of


class Leaving(InSession):
    """The endpoint for leaving a table, with a preview."""

    @extend_schema(
        operation_id="leaving",
        summary="Preview leaving a table",
        description=(
            "In a session: your own grant and your invitations, which end, and the users who came by them, "
            "who may be removed too."
        ),
        responses={200: payloads.EndingSaid, **refusals("not_found")},
    )
    def get(self, request: Request, code: str) -> Response:
        """Return a preview of the grants and invitations that end if the user leaves."""
        table = self.table_opened(code)
        grant = get_object_or_404(table.grants.standing(), user=self.user)
        return answer(payloads.EndingSaid.about(ending_of(grant), table, self.user))

    @extend_schema(
        operation_id="leave_table",
        summary="Leave a table",
        description=(
            "In a session. You need a new invitation to return, and your claim to be a member ends. “also” "
            "names others whose grants end with an owner's. The last owner cannot leave."
        ),
        request=payloads.AlsoSent,
        responses={200: payloads.TableLeft, **refusals("body", "not_found")},
    )
    def post(self, request: Request, code: str) -> Response:
        """End the user's grant at the table.

        If the user is an owner, also end the other grants whose ids are in the field `also` of the body.
        """
        table = self.table_opened(code)
        leaving.leave(table, by=self.user, also=self.also_sent())
        return answer({"left": table.code})


class Erasing(InSession):
    """The endpoint that erases a table (deletes it for good after a grace period)."""

    def erased_or_opened(self, code: str) -> Table:
        """Return the table with this code, also if it is erased but can still be restored.

        Only owners get it: other users get the exceptions of `table_opened`.
        """
        try:
            return self.table_opened(code, for_owning=True)
        except BeingErased as erased:
            return erased.table

    @extend_schema(
        operation_id="erase_table",
        summary="Erase a table",
        description=(
            "For owners, in a session, with the name of the table. Nobody can use the table from then on. "
            "An owner can restore it until “gone_at”; then it is deleted for good."
        ),
        request=payloads.ErasedSent,
        responses={200: payloads.TableErased, **refusals("body", "not_found")},
    )
    def post(self, request: Request, code: str) -> Response:
        """Erase the table; its owners can restore it during the grace period."""
        table = self.erased_or_opened(code)
        table = erasing.erase(table, name=self.sent(payloads.ErasedSent)["name"], by=self.user)
        if table.erased_at is None:
            raise Http404  # an owner restored the table after the user had erased it
        return answer(payloads.TableErased.of(table, table=table))


class BringingBack(Erasing):
    """The endpoint that restores an erased table."""

    @extend_schema(
        operation_id="bring_table_back",
        summary="Restore an erased table",
        description=(
            "For owners, in a session. The table is restored for everybody. After its last day it cannot be"
            " restored."
        ),
        responses={200: payloads.TableErased, **refusals("not_found")},
    )
    def post(self, request: Request, code: str) -> Response:
        """Restore the table."""
        erasing.bring_back(self.erased_or_opened(code), by=self.user)
        present: dict[str, Any] = {"erased_at": None, "gone_at": None}
        return answer(payloads.TableErased.of(present))
