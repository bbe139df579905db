"""The context processor of the desk."""

from __future__ import annotations

from django.conf import settings
from django.http import HttpRequest


def operator(request: HttpRequest) -> dict[str, str]:
    """Return the template variable `operator_contact`: the text of the setting, e.g. an e-mail address.

    If it is "", pages offer no reports to the operator.
    """
    return {"operator_contact": settings.OPERATOR_CONTACT}
