"""Who is let in at a table: somebody who watches kept, somebody removed, that undone, the table handed over."""

from __future__ import annotations

from django.core.exceptions import PermissionDenied
from django.shortcuts import get_object_or_404
from django.utils.translation import gettext
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from games.api.common.endpoints import answer
from games.api.common.schema import CODE, SESSION, refusals
from games.api.people import payloads
from games.api.people.endings import InSession, ending_said, grants_said
from games.people import invitations, owners, removals
from games.people.removals import ending_of
from games.scoring.errors import RuleError
from games.scoring.words import _


class Grants(InSession):
    """Who is let in at a table."""

    @extend_schema(
        operation_id="grants",
        summary="Who is let in at a table",
        description="For owners, in a session: the owners in their order, who records, who watches.",
        parameters=[CODE],
        auth=SESSION,
        responses={200: payloads.GrantsSaid, **refusals("not_found")},
    )
    def get(self, request: Request, code: str) -> Response:
        """Everybody who is let in."""
        return answer(grants_said(self.table_opened(code, for_owning=True), self.user))


class KeepingGrant(InSession):
    """Somebody who watches, about to stay."""

    @extend_schema(
        operation_id="keep_grant",
        summary="Let somebody who watches stay",
        description="For owners, in a session. Who watches stays for good, and not for a day.",
        parameters=[CODE, payloads.GRANT],
        auth=SESSION,
        request=None,
        responses={200: payloads.GrantsSaid, **refusals("not_found")},
    )
    def post(self, request: Request, code: str, grant: int) -> Response:
        """Everybody who is let in."""
        table = self.table_opened(code, for_owning=True)
        invitations.keep_grant(get_object_or_404(table.grants.standing(), pk=grant))
        return answer(grants_said(table, self.user))


class RemovingGrant(InSession):
    """Somebody about to be put out."""

    @extend_schema(
        operation_id="grant_ending",
        summary="What would end with somebody",
        description="For owners, in a session: who is removed, whose invitations end, and who came in by them.",
        parameters=[CODE, payloads.GRANT],
        auth=SESSION,
        responses={200: payloads.EndingSaid, **refusals("not_found")},
    )
    def get(self, request: Request, code: str, grant: int) -> Response:
        """What would end."""
        table = self.table_opened(code, for_owning=True)
        found = get_object_or_404(table.grants.standing(), pk=grant)
        return answer(ending_said(table, ending_of(found), self.user))

    @extend_schema(
        operation_id="remove_grant",
        summary="Put somebody out",
        description=(
            "For owners, in a session. Their invitations end too; who came in by them stays, unless “also” names "
            "them. By “removal” all of it comes back. One's own grant is not removed: one leaves the table."
        ),
        parameters=[CODE, payloads.GRANT],
        auth=SESSION,
        request=payloads.AlsoSent,
        responses={200: payloads.RemovalMade, **refusals("body", "not_found")},
        examples=[payloads.NOBODY_ELSE],
    )
    def post(self, request: Request, code: str, grant: int) -> Response:
        """By what it comes back."""
        table = self.table_opened(code, for_owning=True)
        found, also = get_object_or_404(table.grants, pk=grant), self.also_sent()
        if found.removal_id is not None:  # sent twice
            return answer({"removal": found.removal_id})
        get_object_or_404(table.grants.standing(), pk=grant)
        if found.user == self.user:
            raise RuleError(_("This is your own: leave the table instead."), field="grant")
        return answer({"removal": removals.put_out(found, by=self.user, also=also).pk})


class UndoingRemoval(InSession):
    """What was ended, about to come back."""

    @extend_schema(
        operation_id="undo_removal",
        summary="Bring back what was ended",
        description="For the owner who ended it, in a session. What was ended anew since stays ended.",
        parameters=[CODE, payloads.REMOVAL],
        auth=SESSION,
        request=None,
        responses={200: payloads.GrantsSaid, **refusals("not_found", "refused")},
    )
    def post(self, request: Request, code: str, removal: int) -> Response:
        """Everybody who is let in."""
        table = self.table_opened(code, for_owning=True)
        removals.undo_removal(get_object_or_404(table.removals, pk=removal), by=self.user)
        return answer(grants_said(table, self.user))


class HandingOver(InSession):
    """A table about to be handed over."""

    @extend_schema(
        operation_id="hand_over",
        summary="Hand a table over",
        description="For the first owner, in a session: another owner becomes the first, whom nobody else removes.",
        parameters=[CODE],
        auth=SESSION,
        request=payloads.GrantSent,
        responses={200: payloads.GrantsSaid, **refusals("body", "not_found")},
    )
    def post(self, request: Request, code: str) -> Response:
        """Everybody who is let in."""
        table = self.table_opened(code, for_owning=True)
        chosen = self.sent("grant").whole("grant", least=1, most=payloads.HIGHEST)
        first = owners.first_owner(table)
        if first is None or first.user != self.user:
            if first is not None and first.pk == chosen:  # sent twice
                return answer(grants_said(table, self.user))
            raise PermissionDenied(gettext("Only the first owner can hand the table over."))
        other = table.grants.owning().exclude(user=self.user).filter(pk=chosen).first()
        if other is None:
            raise RuleError(_("Choose another owner of the table."), field="grant")
        owners.hand_over(other, by=self.user)
        return answer(grants_said(table, self.user))
