"""Invitations: who is offered what, a new one whose link is told once, one revoked, one accepted."""

from __future__ import annotations

from django.contrib.auth.models import User
from django.http import Http404
from django.shortcuts import get_object_or_404
from drf_spectacular.utils import OpenApiExample, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from games.api.common.amounts import moment_said
from games.api.common.endpoints import Endpoint, answer, somebody
from games.api.common.problems import Problem
from games.api.common.schema import CODE, SESSION, SESSION_OR_NOBODY, refusals
from games.api.common.writing import KEY, key_sent
from games.api.people import payloads
from games.api.people.endings import InSession, ending_said, invitation_said, invitations_said
from games.models import NAME_LENGTH, Invite, Role, Table
from games.names import read_name
from games.network import asker
from games.notebook.fields import Fields
from games.people import invitations, removals
from games.people.access import role_at
from games.people.removals import ending_with
from games.scoring.errors import RuleError
from games.scoring.words import _
from games.shown.people.invites import SPARE, link_of

WATCH = OpenApiExample("to watch", value={"role": "witness", "lasts": "day"}, request_only=True)


class Invitations(InSession):
    """The invitations of a table."""

    @extend_schema(
        operation_id="invitations",
        summary="The invitations to a table",
        description="For owners, in a session: those that still let somebody in, or by which somebody is in.",
        parameters=[CODE],
        auth=SESSION,
        responses={200: payloads.InvitationsSaid, **refusals("not_found")},
    )
    def get(self, request: Request, code: str) -> Response:
        """The invitations, the newest first."""
        return answer(invitations_said(self.table_opened(code, for_owning=True), self.user))

    @extend_schema(
        operation_id="invite",
        summary="Invite somebody to a table",
        description=(
            "For owners, in a session. This answer alone says what opens it. One to own the table and a spare link "
            "(“spare”) have lives of their own; the others last as long as “lasts” says."
        ),
        parameters=[CODE],
        auth=SESSION,
        request=payloads.InvitationSent,
        responses={201: payloads.InvitationMade, **refusals("body", "not_found")},
        examples=[WATCH],
    )
    def post(self, request: Request, code: str) -> Response:
        """The invitation, with its link."""
        table = self.table_opened(code, for_owning=True)
        invite, token = _made(table, self.sent("role", "lasts"), by=self.user)
        link = link_of(token, request._request)
        return answer({**invitation_said(invite, self.user), "token": token, "link": link}, status=201)


class RevokingInvitation(InSession):
    """An invitation about to be revoked."""

    @extend_schema(
        operation_id="invitation_ending",
        summary="What would end with an invitation",
        description="For owners, in a session: whoever came in by it is out, and their own invitations end.",
        parameters=[CODE, payloads.INVITATION],
        auth=SESSION,
        responses={200: payloads.EndingSaid, **refusals("not_found")},
    )
    def get(self, request: Request, code: str, invitation: int) -> Response:
        """What would end."""
        table = self.table_opened(code, for_owning=True)
        invite = get_object_or_404(table.invites.filter(revoked_at=None), pk=invitation)
        return answer(ending_said(table, ending_with(invite), self.user))

    @extend_schema(
        operation_id="revoke_invitation",
        summary="Revoke an invitation",
        description=(
            "For owners, in a session. It lets nobody in any more, and whom it let in is out; “also” names others "
            "to go too. By “removal” all of it comes back."
        ),
        parameters=[CODE, payloads.INVITATION],
        auth=SESSION,
        request=payloads.AlsoSent,
        responses={200: payloads.RemovalMade, **refusals("body", "not_found")},
        examples=[payloads.NOBODY_ELSE],
    )
    def post(self, request: Request, code: str, invitation: int) -> Response:
        """By what it comes back."""
        table = self.table_opened(code, for_owning=True)
        invite, also = get_object_or_404(table.invites, pk=invitation), self.also_sent()
        if invite.revoked_at is not None:  # sent twice
            known = invite.revocations.filter(undone_at=None).first()
            return answer({"removal": known and known.pk})
        return answer({"removal": removals.revoke_invite(invite, by=self.user, also=also).pk})


class LookingAtInvitation(Endpoint):
    """An invitation before it is accepted."""

    session_only = True

    @extend_schema(
        operation_id="look_at_invitation",
        summary="Look at an invitation",
        description=(
            "In a session, or by nobody: what the invitation offers. Looking accepts nothing. What opens it stands in "
            "the body, never in an address."
        ),
        auth=SESSION_OR_NOBODY,
        request=payloads.InvitationShown,
        responses={200: payloads.InvitationOpened, **refusals("body", "not_found")},
    )
    def post(self, request: Request) -> Response:
        """What it offers, and what who asks may do there already."""
        token = self.sent("token").text("token", longest=payloads.LONGEST_TOKEN)
        user = request.user if isinstance(request.user, User) else None
        invite = _found(token, user, asker(request.META.get("REMOTE_ADDR", "")))
        return answer(
            {
                "name": invite.table.name,
                "role": invite.role,
                "spare": invite.is_spare,
                "stands": invitations.stands(invite),
                "expires_at": moment_said(invite.expires_at, invite.table),
                "yours": role_at(request.user, invite.table),
            }
        )


class AcceptingInvitation(Endpoint):
    """An invitation about to be accepted."""

    session_only = True

    @extend_schema(
        operation_id="accept_invitation",
        summary="Accept an invitation",
        description=(
            "In a session. What opens the invitation stands in the body, never in an address. A program that is "
            "nobody yet and holds a token against forgery becomes a guest, who is whoever has its session."
        ),
        parameters=[KEY],
        auth=SESSION_OR_NOBODY,
        request=payloads.InvitationAccepted,
        responses={200: payloads.LetInSaid, **refusals("body", "not_found")},
    )
    def post(self, request: Request) -> Response:
        """The table, and what one may do there now."""
        key, sent = key_sent(request), self.sent("token", "name")
        token, address = (
            sent.text("token", longest=payloads.LONGEST_TOKEN),
            asker(request.META.get("REMOTE_ADDR", "")),
        )
        invite = _invite(token, request.user if isinstance(request.user, User) else None, address)
        name = sent.text("name", longest=NAME_LENGTH).strip() if sent.has("name") else ""
        name = read_name(name, longest=NAME_LENGTH) if name else ""
        grant = invitations.accept_invite(invite, somebody(request, key=key), name=name)
        game = invitations.game_to_open(invite.table)
        return answer(
            {
                "table": invite.table.code,
                "name": invite.table.name,
                "role": grant.role,
                "expires_at": moment_said(grant.expires_at, invite.table),
                "game": None if game is None else game.code,
            }
        )


def _found(token: str, user: User | None, address: str) -> Invite:
    """The invitation this opens for the user; Problem for too many that open nothing."""
    invite = invitations.find_invite(token, user)
    if invite is None:
        if invitations.WRONG.take(address):
            raise Http404
        raise Problem("too_many_requests")
    return invite


def _invite(token: str, user: User | None, address: str) -> Invite:
    """The invitation this opens for the user; Problem for too many that open nothing, or too often this one."""
    invite = _found(token, user, address)
    if not invitations.ACCEPTED.take(f"{address} {invite.pk}"):
        raise Problem("too_many_requests")
    return invite


def _made(table: Table, sent: Fields, *, by: User) -> tuple[Invite, str]:
    role = sent.text("role", longest=payloads.WORD)
    if role == SPARE:
        return invitations.make_spare(table, by=by)
    if role not in set(Role):
        raise RuleError(_("Choose what they may do."), field="role")
    if role == Role.OWNER:
        return invitations.make_invite(table, Role.OWNER, lasts=invitations.OWNING_LASTS, by=by)
    lasts = sent.text("lasts", longest=payloads.WORD)
    if lasts not in invitations.LASTS:
        raise RuleError(_("Choose how long it lasts."), field="lasts")
    return invitations.make_invite(table, Role(role), lasts=invitations.LASTS[lasts], by=by)
