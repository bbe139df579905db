"""Invitations to a table, each with a role: listing, making, revoking and accepting them.

Only the answer to making an invitation contains its link.
"""

from __future__ import annotations

from django.contrib.auth.models import User
from django.http import Http404
from django.shortcuts import get_object_or_404
from drf_spectacular.utils import OpenApiExample, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from games.api.common.endpoints import Endpoint, answer, somebody
from games.api.common.problems import Problem
from games.api.common.schema import SESSION_OR_NOBODY, refusals
from games.api.common.serializers import Parts
from games.api.common.writing import KEY, key_sent
from games.api.people import payloads
from games.api.people.endings import InSession
from games.models import NAME_LENGTH, Invite, Role, Table
from games.names import read_name
from games.network import client_key
from games.people import invitations, removals
from games.people.removals import ending_with
from games.shown.people.invites import SPARE, link_of

WATCH = OpenApiExample("to watch", value={"role": "witness", "lasts": "day"}, request_only=True)


class Invitations(InSession):
    """The endpoint that lists or makes invitations to a table."""

    @extend_schema(
        operation_id="invitations",
        summary="The invitations to a table",
        description=(
            "For owners, in a session: the invitations that can still be accepted, or by which users have "
            "access."
        ),
        responses={200: payloads.InvitationsSaid, **refusals("not_found")},
    )
    def get(self, request: Request, code: str) -> Response:
        """Return the invitations, the newest first."""
        return answer(payloads.InvitationsSaid.about(self.table_opened(code, for_owning=True), self.user))

    @extend_schema(
        operation_id="invite",
        summary="Invite somebody to a table",
        description=(
            "For owners, in a session. Only this answer has the token of the invitation. An invitation for "
            "an owner and a spare link (“spare”) have fixed lifetimes; others last as long as “lasts” says."
        ),
        request=payloads.InvitationSent,
        responses={201: payloads.InvitationMade, **refusals("body", "not_found")},
        examples=[WATCH],
    )
    def post(self, request: Request, code: str) -> Response:
        """Make the invitation and return it with its link, which no later answer contains."""
        table = self.table_opened(code, for_owning=True)
        invite, token = _made(table, self.sent(payloads.InvitationSent), by=self.user)
        return _made_answer(invite, token, request, me=self.user)


class NewPhone(InSession):
    """The endpoint that makes an invitation with which a member replaces a lost phone."""

    @extend_schema(
        operation_id="invite_new_phone",
        summary="Invite a member's new phone",
        description=(
            "For owners, in a session. The user who accepts within an hour becomes this member, with the role "
            "that the member's user has now. That user is removed from the table; “undo_removal” undoes it."
        ),
        responses={201: payloads.InvitationMade, **refusals("not_found", "refused")},
    )
    def post(self, request: Request, code: str, member: str) -> Response:
        """Make the invitation and return it with its link, which no later answer contains."""
        table = self.table_opened(code, for_owning=True)
        the_member = get_object_or_404(table.members.active(), slug=member)
        invite, token = invitations.make_new_phone(the_member, by=self.user)
        return _made_answer(invite, token, request, me=self.user)


class RevokingInvitation(InSession):
    """The endpoint for revoking an invitation, with a preview."""

    @extend_schema(
        operation_id="invitation_ending",
        summary="Preview revoking an invitation",
        description=(
            "For owners, in a session: the users who came by the invitation, whose grants end, and their "
            "invitations, which end too."
        ),
        responses={200: payloads.EndingSaid, **refusals("not_found")},
    )
    def get(self, request: Request, code: str, invitation: int) -> Response:
        """Return a preview of the grants and invitations that end with this invitation."""
        table = self.table_opened(code, for_owning=True)
        invite = get_object_or_404(table.invites.filter(revoked_at=None), pk=invitation)
        return answer(payloads.EndingSaid.about(ending_with(invite), table, self.user))

    @extend_schema(
        operation_id="revoke_invitation",
        summary="Revoke an invitation",
        description=(
            "For owners, in a session. Nobody can accept the invitation any more, and the users who came by"
            " it lose access; “also” names other grants to be removed. “removal” undoes all of this."
        ),
        request=payloads.AlsoSent,
        responses={200: payloads.RemovalMade, **refusals("body", "not_found")},
        examples=[payloads.NOBODY_ELSE],
    )
    def post(self, request: Request, code: str, invitation: int) -> Response:
        """Revoke the invitation and return the id of the removal, with which the revocation can be undone."""
        table = self.table_opened(code, for_owning=True)
        invite, also = get_object_or_404(table.invites, pk=invitation), self.also_sent()
        if invite.revoked_at is not None:  # the same request was sent twice
            known = invite.revocations.filter(undone_at=None).first()
            return answer({"removal": known and known.pk})
        return answer({"removal": removals.revoke_invite(invite, by=self.user, also=also).pk})


class LookingAtInvitation(Endpoint):
    """The endpoint that returns the content of an invitation before it is accepted."""

    session_only = True

    @extend_schema(
        operation_id="look_at_invitation",
        summary="Look at an invitation",
        description=(
            "In a session or anonymously: the offer of the invitation. This accepts nothing. The token of "
            "the invitation is sent in the body, never in an address."
        ),
        auth=SESSION_OR_NOBODY,
        request=payloads.InvitationShown,
        responses={200: payloads.InvitationOpened, **refusals("body", "not_found")},
    )
    def post(self, request: Request) -> Response:
        """Return the table and role that the invitation offers, and the user's present role at the table."""
        token = self.sent(payloads.InvitationShown)["token"]
        user = request.user if isinstance(request.user, User) else None
        invite = _invite(token, user, client_key(request.META.get("REMOTE_ADDR", "")))
        return answer(payloads.InvitationOpened.of(invite, table=invite.table, me=request.user))


class AcceptingInvitation(Endpoint):
    """The endpoint that accepts an invitation."""

    session_only = True

    @extend_schema(
        operation_id="accept_invitation",
        summary="Accept an invitation",
        description=(
            "In a session. The token of the invitation is sent in the body, never in an address. An "
            "anonymous program with a CSRF token becomes a guest, whose account belongs to its session."
        ),
        parameters=[KEY],
        auth=SESSION_OR_NOBODY,
        request=payloads.InvitationAccepted,
        responses={200: payloads.LetInSaid, **refusals("body", "not_found")},
    )
    def post(self, request: Request) -> Response:
        """Give the user access to the table, and return the table, the role, the expiry and the current game.

        An anonymous client becomes a guest first (a user without a password).
        """
        key, sent = key_sent(request), self.sent(payloads.InvitationAccepted)
        token, address = sent["token"], client_key(request.META.get("REMOTE_ADDR", ""))
        invite = _accepted(token, request.user if isinstance(request.user, User) else None, address)
        name = sent.get("name", "").strip()
        name = read_name(name, longest=NAME_LENGTH) if name else ""
        grant = invitations.accept_invite(invite, somebody(request, key=key, is_invited=True), name=name)
        game = invitations.game_to_open(invite.table)
        access = {
            **{"table": invite.table.code, "name": invite.table.name, "role": grant.role},
            **{"expires_at": grant.expires_at, "game": game and game.code},
        }
        return answer(payloads.LetInSaid.of(access, table=invite.table))


def _invite(token: str, user: User | None, address: str) -> Invite:
    """Return the invitation with this token, if `user` may accept it or has accepted it.

    Raise Http404 for any other token, and Problem after too many wrong tokens from the client's `address`.
    `user` is None for an anonymous client.
    """
    invite = invitations.find_invite(token, user)
    if invite is None:
        if invitations.WRONG.take(address):
            raise Http404
        raise Problem("too_many_requests")
    return invite


def _accepted(token: str, user: User | None, address: str) -> Invite:
    """Return the invitation with this token, and count this request as an attempt to accept it.

    Raise Problem if the client's `address` tried to accept it too often. Other errors are those of `_invite`.
    """
    invite = _invite(token, user, address)
    if not invitations.ACCEPTED.take(f"{address} {invite.pk}"):
        raise Problem("too_many_requests")
    return invite


def _made_answer(invite: Invite, token: str, request: Request, *, me: User) -> Response:
    context = {"me": me, "token": token, "link": link_of(token, request._request)}
    return answer(payloads.InvitationMade.of(invite, table=invite.table, **context), status=201)


def _made(table: Table, sent: Parts, *, by: User) -> tuple[Invite, str]:
    role = sent["role"]
    if role == SPARE:
        return invitations.make_spare(table, by=by)
    if role == Role.OWNER:
        return invitations.make_invite(table, Role.OWNER, lasts=invitations.OWNING_LASTS, by=by)
    return invitations.make_invite(table, Role(role), lasts=invitations.LASTS[sent["lasts"]], by=by)
