"""What is one's own besides tables: where one is signed in, and the tokens one has given to programs."""

from __future__ import annotations

from typing import Any

from django.contrib.auth.models import User
from django.shortcuts import get_object_or_404
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from games.api.common.endpoints import Endpoint, answer
from games.api.common.schema import SESSION, refusals
from games.api.people import payloads
from games.people import tokens
from games.people.devices import devices_of, sign_out_on


class Own(Endpoint):
    """What is of who asks, in a session; what opens anything is said of none of it."""

    session_only = True


class Devices(Own):
    """Where one is signed in."""

    @extend_schema(
        operation_id="devices",
        summary="Where you are signed in",
        description="In a session: every phone or other browser that was seen with a page, the last one first.",
        auth=SESSION,
        responses={200: payloads.DevicesSaid, **refusals()},
    )
    def get(self, request: Request) -> Response:
        """The devices."""
        return answer(_devices(request, self.user))


class EndingDevice(Own):
    """A device about to be signed out."""

    @extend_schema(
        operation_id="sign_out",
        summary="Sign out elsewhere",
        description="In a session, and of another one than this. What has ended already stays as it is.",
        parameters=[payloads.DEVICE],
        auth=SESSION,
        request=None,
        responses={200: payloads.DevicesSaid, **refusals("not_found")},
    )
    def post(self, request: Request, device: int) -> Response:
        """The devices that are left."""
        others = self.user.devices.exclude(session_key=request._request.session.session_key)
        found = others.filter(pk=device).first()
        if found is not None:  # sent twice, there is none
            sign_out_on(found)
        return answer(_devices(request, self.user))


class Tokens(Own):
    """The tokens of programs."""

    @extend_schema(
        operation_id="tokens",
        summary="Your tokens",
        description="In a session: those that stand, the newest first. They are made on the page /programs/ alone.",
        auth=SESSION,
        responses={200: payloads.TokensSaid, **refusals()},
    )
    def get(self, request: Request) -> Response:
        """The tokens."""
        return answer(_tokens(self.user))


class RevokingToken(Own):
    """A token about to be revoked."""

    @extend_schema(
        operation_id="revoke_token",
        summary="Revoke a token",
        description="In a session. Its program is let in no longer; one that has ended already stays as it is.",
        parameters=[payloads.TOKEN],
        auth=SESSION,
        request=None,
        responses={200: payloads.TokensSaid, **refusals("not_found")},
    )
    def post(self, request: Request, token: int) -> Response:
        """The tokens that are left."""
        tokens.revoke_token(get_object_or_404(self.user.tokens, pk=token))
        return answer(_tokens(self.user))


def _devices(request: Request, user: User) -> dict[str, Any]:
    return {
        "devices": [
            {
                "id": device.pk,
                "browser": device.browser,
                "system": device.system,
                "since": device.since.isoformat(),
                "seen_on": device.seen_on.isoformat(),
                "this": device.session_key == request._request.session.session_key,
            }
            for device in devices_of(user)
        ]
    }


def _tokens(user: User) -> dict[str, Any]:
    return {
        "tokens": [
            {
                "id": token.pk,
                "name": token.name,
                "role": token.role,
                "table": None if token.table is None else token.table.code,
                "made_at": token.made_at.isoformat(),
                "expires_at": token.expires_at.isoformat(),
                "used_on": None if token.used_on is None else token.used_on.isoformat(),
            }
            for token in user.tokens.standing().select_related("table")
        ]
    }
