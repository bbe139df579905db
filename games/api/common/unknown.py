"""The answer under `/api/` to addresses without an endpoint."""

from __future__ import annotations

from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework.exceptions import NotFound
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.views import APIView


@extend_schema(exclude=True)
class Unknown(APIView):
    """A not found, for every method."""

    permission_classes = [AllowAny]

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        """Raise NotFound, after the rate limits."""
        super().initial(request, *args, **kwargs)
        raise NotFound
