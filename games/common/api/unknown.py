"""The answer to addresses under `/api/` that have no endpoint."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.urls import resolve
from drf_spectacular.utils import extend_schema
from rest_framework.exceptions import NotFound
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.views import APIView

UNKNOWN = "api-unknown"


@extend_schema(exclude=True)
class Unknown(APIView):
    """An endpoint that answers "not found", or redirects if only the final slash is missing."""

    permission_classes = [AllowAny]

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        """Redirect with 308 (same method and body) if only the final slash is missing, else go on."""
        path = f"{request.path_info}/"
        if not request.path_info.endswith("/") and resolve(path).url_name != UNKNOWN:
            query = request.META.get("QUERY_STRING", "")
            return HttpResponse(status=308, headers={"Location": f"{path}{'?' if query else ''}{query}"})
        return super().dispatch(request, *args, **kwargs)

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        """Check the rate limits, then raise NotFound."""
        super().initial(request, *args, **kwargs)
        raise NotFound
