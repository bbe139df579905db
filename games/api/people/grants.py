"""Grants (the users' rights at a table: owner, scorer or witness).

The endpoints list, keep and remove grants, undo a removal, and hand a table over. No other owner can
remove the first owner of a table.
"""

from __future__ import annotations

from django.core.exceptions import PermissionDenied
from django.shortcuts import get_object_or_404
from django.utils.translation import gettext
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from games.api.common.endpoints import answer
from games.api.common.schema import refusals
from games.api.people import payloads
from games.api.people.endings import InSession
from games.models import Table
from games.people import owners, removals, staying
from games.people.removals import ending_of
from games.scoring.errors import RuleError
from games.scoring.words import _


class OfGrants(InSession):
    """The base class of endpoints that answer with the grants of a table."""

    def grants(self, table: Table) -> Response:
        """Return the grants of the table, and the latest users who left it of their own accord."""
        return answer(payloads.GrantsSaid.of(table, table=table, me=self.user))


class Grants(OfGrants):
    """The endpoint that lists the grants of a table."""

    @extend_schema(
        operation_id="grants",
        summary="The grants at a table",
        description=(
            "For owners, in a session: the owners in their order, then users who may record, then users who"
            " only watch."
        ),
        responses={200: payloads.GrantsSaid, **refusals("not_found")},
    )
    def get(self, request: Request, code: str) -> Response:
        """Return the grants of the table."""
        return self.grants(self.table_opened(code, for_owning=True))


class KeepingGrant(OfGrants):
    """The endpoint that makes the grant of a witness (a read-only user) permanent: it does not expire."""

    @extend_schema(
        operation_id="keep_grant",
        summary="Make a grant permanent",
        description="For owners, in a session. A user who watches keeps access for good instead of a day.",
        responses={200: payloads.GrantsSaid, **refusals("not_found")},
    )
    def post(self, request: Request, code: str, grant: int) -> Response:
        """Make the grant permanent."""
        table = self.table_opened(code, for_owning=True)
        staying.keep_grant(get_object_or_404(table.grants.standing(), pk=grant))
        return self.grants(table)


class RemovingGrant(InSession):
    """The endpoint for removing a grant, with a preview."""

    @extend_schema(
        operation_id="grant_ending",
        summary="Preview removing a grant",
        description=(
            "For owners, in a session: the user who is removed, their invitations, which end, and the users"
            " who came by them."
        ),
        responses={200: payloads.EndingSaid, **refusals("not_found")},
    )
    def get(self, request: Request, code: str, grant: int) -> Response:
        """Return a preview of the grants and invitations that end with this grant."""
        table = self.table_opened(code, for_owning=True)
        ending = ending_of(get_object_or_404(table.grants.standing(), pk=grant))
        return answer(payloads.EndingSaid.about(ending, table, self.user))

    @extend_schema(
        operation_id="remove_grant",
        summary="Remove a grant",
        description=(
            "For owners, in a session. The user's invitations end too; users who came by them stay, unless "
            "“also” names their grants. “removal” undoes all of this. Owners cannot remove their own grant:"
            " they leave the table instead."
        ),
        request=payloads.AlsoSent,
        responses={200: payloads.RemovalMade, **refusals("body", "not_found")},
        examples=[payloads.NOBODY_ELSE],
    )
    def post(self, request: Request, code: str, grant: int) -> Response:
        """Remove the grant and return the id of the removal, with which the removal can be undone."""
        table = self.table_opened(code, for_owning=True)
        removed, also = get_object_or_404(table.grants, pk=grant), self.also_sent()
        if removed.removal_id is not None:  # the same request was sent twice
            return answer({"removal": removed.removal_id})
        get_object_or_404(table.grants.standing(), pk=grant)
        if removed.user == self.user:
            raise RuleError(_("This is your own access: leave the table instead."), field="grant")
        return answer({"removal": removals.put_out(removed, by=self.user, also=also).pk})


class UndoingRemoval(OfGrants):
    """The endpoint that undoes the removal of a grant or invitation."""

    @extend_schema(
        operation_id="undo_removal",
        summary="Undo a removal",
        description=(
            "For the owner who made the removal, in a session. Grants and invitations that were ended again"
            " since stay ended."
        ),
        responses={200: payloads.GrantsSaid, **refusals("not_found", "refused")},
    )
    def post(self, request: Request, code: str, removal: int) -> Response:
        """Undo the removal and return the grants."""
        table = self.table_opened(code, for_owning=True)
        removals.undo_removal(get_object_or_404(table.removals, pk=removal), by=self.user)
        return self.grants(table)


class HandingOver(OfGrants):
    """The endpoint that hands a table over to another owner, who becomes the first owner."""

    @extend_schema(
        operation_id="hand_over",
        summary="Hand a table over",
        description=(
            "For the first owner, in a session: another owner becomes the first owner, whom nobody else can"
            " remove."
        ),
        request=payloads.GrantSent,
        responses={200: payloads.GrantsSaid, **refusals("body", "not_found")},
    )
    def post(self, request: Request, code: str) -> Response:
        """Make another owner the first owner of the table."""
        table = self.table_opened(code, for_owning=True)
        chosen = self.sent(payloads.GrantSent)["grant"]
        first = owners.first_owner(table)
        if first is None or first.user != self.user:
            if first is not None and first.pk == chosen:  # the same request was sent twice
                return self.grants(table)
            raise PermissionDenied(gettext("Only the first owner can hand the table over."))
        other = table.grants.owning().exclude(user=self.user).filter(pk=chosen).first()
        if other is None:
            raise RuleError(_("Choose another owner of the table."), field="grant")
        owners.hand_over(other, by=self.user)
        return self.grants(table)
