"""The header of every response of this site. A response without it comes from something on the way to the site.

Phones believe only responses with the header (`scripts/offline/site.js`). They accept any release, because an
update takes a while to reach every server and phone. A page sends it back with the requests of htmx, so that the
site knows a page of an earlier release.
"""

from __future__ import annotations

from django.conf import settings

NAME = "X-Anotador"


def field() -> tuple[str, str]:
    """Return the header's name and value: the release."""
    return NAME, settings.RELEASE
