"""The htmx configuration of every page."""

from __future__ import annotations

import json

from django import template
from django.templatetags.static import static

HTMX = {
    "includeIndicatorStyles": False,  # the content security policy forbids inline styles
    "defaultSettleDelay": 0,
    "timeout": 15_000,
    "allowEval": False,
    "allowScriptTags": False,
    "selfRequestsOnly": True,
    "historyCacheSize": 0,
    "refreshOnHistoryMiss": True,
    "scrollIntoViewOnBoost": False,
    "responseHandling": [
        {"code": "204", "swap": False},
        {"code": "304", "swap": False},
        {"code": "[23]..", "swap": True},
        {"code": "(403|404|409|422|429)", "swap": True},  # refusals come back as pages
        {"code": "...", "swap": False, "error": True},
    ],
}

register = template.Library()


@register.simple_tag
def htmx_config() -> str:
    """Return the configuration of htmx as JSON, for an attribute."""
    return json.dumps(HTMX, separators=(",", ":"))


@register.simple_tag
def static_if_collected(name: str) -> str:
    """Return the URL of a static file, or "" where `collectstatic` never ran.

    The error pages use it: `static` raises there, so the page that reports a fault would raise a second one.
    """
    try:
        return static(name)
    except ValueError:  # no entry in the manifest
        return ""
