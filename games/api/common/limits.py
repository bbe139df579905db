"""Default permissions and rate limits. An endpoint without permissions of its own is closed to everybody."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from django.core.cache import caches
from django.utils.connection import ConnectionProxy
from rest_framework.permissions import BasePermission
from rest_framework.request import Request
from rest_framework.throttling import SimpleRateThrottle

from games.network import client_key

if TYPE_CHECKING:
    from django.core.cache.backends.base import BaseCache
    from rest_framework.views import APIView  # a circular import: the settings name the classes below

# A proxy like `django.core.cache.cache`, so that a test can change the cache settings.
COUNTS = cast("BaseCache", ConnectionProxy(caches, "throttles"))


class Nobody(BasePermission):
    """The permission of endpoints that set none: nobody may use them."""

    def has_permission(self, request: Request, view: APIView) -> bool:
        """Return False."""
        return False


class PerAddress(SimpleRateThrottle):
    """The rate limit of a client address, for signed-in and anonymous clients together."""

    scope = "address"
    cache = COUNTS

    def get_cache_key(self, request: Request, view: APIView) -> str | None:
        """Return the cache key of the client's address. Pages group addresses in the same way."""
        return self.cache_format % {
            "scope": self.scope,
            "ident": client_key(request.META.get("REMOTE_ADDR", "")),
        }


class PerUser(SimpleRateThrottle):
    """The rate limit of a signed-in user, whatever the client's address."""

    scope = "user"
    cache = COUNTS

    def get_cache_key(self, request: Request, view: APIView) -> str | None:
        """Return the cache key of the user; None for an anonymous client, which has no such limit."""
        if not request.user.is_authenticated:
            return None
        return self.cache_format % {"scope": self.scope, "ident": request.user.pk}


class Counting(PerAddress):
    """The rate limit of a client for scoring games and hands, because scoring one may take a second."""

    scope = "counting"
