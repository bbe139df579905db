"""The context processor of the desk."""

from __future__ import annotations

from django.conf import settings
from django.http import HttpRequest


def operator(request: HttpRequest) -> dict[str, str]:
    """Return how to reach the operator of the site; "" where nobody can be asked, and tables not reported."""
    return {"operator_contact": settings.OPERATOR_CONTACT}
