"""The style sheets and scripts that a page may load, by their names among the static files."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from django.conf import settings
from django.contrib.staticfiles.storage import staticfiles_storage

FORMS = ("*.css", "*.js", "favicon.svg")
HTMX = "django_htmx/htmx-2.min.js"


@cache
def names() -> tuple[str, ...]:
    """Return the names of all style sheets and scripts, including those that only the folder uses."""
    folder = Path(settings.BASE_DIR) / "static"
    own = {path.relative_to(folder).as_posix() for form in FORMS for path in folder.rglob(form)}
    return (*sorted(own - getattr(staticfiles_storage, "parts", frozenset)()), HTMX)
