"""The answer to addresses under `/api/` that have no endpoint."""

from __future__ import annotations

from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework.exceptions import NotFound
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.views import APIView


@extend_schema(exclude=True)
class Unknown(APIView):
    """An endpoint that answers "not found" to every method."""

    permission_classes = [AllowAny]

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        """Check the rate limits, then raise NotFound."""
        super().initial(request, *args, **kwargs)
        raise NotFound
