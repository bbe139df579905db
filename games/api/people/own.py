"""The user's own devices (sessions) and tokens."""

from __future__ import annotations

from django.contrib.auth.models import User
from django.shortcuts import get_object_or_404
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from games.api.common.endpoints import Endpoint, answer
from games.api.common.schema import refusals
from games.api.people import payloads
from games.people import tokens
from games.people.devices import devices_of, sign_out_on


class Own(Endpoint):
    """The base class of session-only endpoints about the user's own account. No answer contains a secret."""

    session_only = True


class Devices(Own):
    """The endpoint that lists the devices of the user."""

    @extend_schema(
        operation_id="devices",
        summary="Where you are signed in",
        description="In a session: every phone or browser that has opened a page, the last one first.",
        responses={200: payloads.DevicesSaid, **refusals()},
    )
    def get(self, request: Request) -> Response:
        """Return the user's devices."""
        return _devices(request, self.user)


class EndingDevice(Own):
    """The endpoint that signs out another device of the user."""

    @extend_schema(
        operation_id="sign_out",
        summary="Sign out another device",
        description=(
            "In a session, for another device than the present one. Ending a session again changes nothing."
        ),
        responses={200: payloads.DevicesSaid, **refusals("not_found")},
    )
    def post(self, request: Request, device: int) -> Response:
        """End the session of another device."""
        others = self.user.devices.exclude(session_key=request._request.session.session_key)
        other = others.filter(pk=device).first()
        if other is not None:  # none on a repeated request: the session has already ended
            sign_out_on(other)
        return _devices(request, self.user)


class Tokens(Own):
    """The endpoint that lists the tokens of the user."""

    @extend_schema(
        operation_id="tokens",
        summary="Your tokens",
        description=(
            "In a session: the valid tokens, newest first. Tokens are made only on the page /programs/."
        ),
        responses={200: payloads.TokensSaid, **refusals()},
    )
    def get(self, request: Request) -> Response:
        """Return the user's tokens."""
        return _tokens(self.user)


class RevokingToken(Own):
    """The endpoint that revokes a token of the user."""

    @extend_schema(
        operation_id="revoke_token",
        summary="Revoke a token",
        description=(
            "In a session. The program with the token loses access. Revoking a token again changes nothing."
        ),
        responses={200: payloads.TokensSaid, **refusals("not_found")},
    )
    def post(self, request: Request, token: int) -> Response:
        """Revoke the token."""
        tokens.revoke_token(get_object_or_404(self.user.tokens, pk=token))
        return _tokens(self.user)


def _devices(request: Request, user: User) -> Response:
    session_key = request._request.session.session_key
    return answer(payloads.DevicesSaid.of({"devices": devices_of(user)}, session_key=session_key))


def _tokens(user: User) -> Response:
    return answer(payloads.TokensSaid.of({"tokens": user.tokens.standing().select_related("table")}))
