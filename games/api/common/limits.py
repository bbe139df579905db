"""Who may ask, and how often: nobody, unless an endpoint says otherwise, and nobody without end."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from django.core.cache import caches
from django.utils.connection import ConnectionProxy
from rest_framework.permissions import BasePermission
from rest_framework.request import Request
from rest_framework.throttling import SimpleRateThrottle

from games.network import asker

if TYPE_CHECKING:
    from django.core.cache.backends.base import BaseCache
    from rest_framework.views import APIView  # which is loaded with the settings that name these classes

# As Django has its own `cache`: which one it is, is asked each time.
COUNTS = cast("BaseCache", ConnectionProxy(caches, "throttles"))


class Nobody(BasePermission):
    """What holds where an endpoint says nothing."""

    def has_permission(self, request: Request, view: APIView) -> bool:
        """False."""
        return False


class PerAddress(SimpleRateThrottle):
    """So many requests of one client, signed in or not."""

    scope = "address"
    cache = COUNTS

    def get_cache_key(self, request: Request, view: APIView) -> str | None:
        """The client's address, as pages count it."""
        return self.cache_format % {"scope": self.scope, "ident": asker(request.META.get("REMOTE_ADDR", ""))}


class PerUser(SimpleRateThrottle):
    """So many requests of one user, from wherever."""

    scope = "user"
    cache = COUNTS

    def get_cache_key(self, request: Request, view: APIView) -> str | None:
        """The user, None for somebody unknown."""
        if not request.user.is_authenticated:
            return None
        return self.cache_format % {"scope": self.scope, "ident": request.user.pk}


class Counting(PerAddress):
    """So many games or hands counted for one client: each may take a second."""

    scope = "counting"
