"""Default permissions and rate limits: nobody may ask unless an endpoint allows it, and nobody without limit."""

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
    from rest_framework.views import APIView  # which is loaded with the settings that name these classes

# A proxy like `django.core.cache.cache`, so that settings changed by tests take effect.
COUNTS = cast("BaseCache", ConnectionProxy(caches, "throttles"))


class Nobody(BasePermission):
    """The permission of endpoints that set none."""

    def has_permission(self, request: Request, view: APIView) -> bool:
        """Return False."""
        return False


class PerAddress(SimpleRateThrottle):
    """The rate limit of one client address, signed in or not."""

    scope = "address"
    cache = COUNTS

    def get_cache_key(self, request: Request, view: APIView) -> str | None:
        """Return the cache key of the client's address, as pages count it."""
        return self.cache_format % {
            "scope": self.scope,
            "ident": client_key(request.META.get("REMOTE_ADDR", "")),
        }


class PerUser(SimpleRateThrottle):
    """The rate limit of one user, at any address."""

    scope = "user"
    cache = COUNTS

    def get_cache_key(self, request: Request, view: APIView) -> str | None:
        """Return the cache key of the user, None for an anonymous one."""
        if not request.user.is_authenticated:
            return None
        return self.cache_format % {"scope": self.scope, "ident": request.user.pk}


class Counting(PerAddress):
    """The rate limit of games or hands scored for one client: each may take a second."""

    scope = "counting"
