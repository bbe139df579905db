"""Middleware that serves files: the static files and, with SERVE_FOLDER=1, the serverless folder."""

from __future__ import annotations

from typing import Any
from wsgiref.headers import Headers

from django.conf import settings
from whitenoise.middleware import WhiteNoiseMiddleware

from scorekeeper.middleware import POLICY


class StaticFilesMiddleware(WhiteNoiseMiddleware):  # type: ignore[misc]
    """WhiteNoise, which reads the serverless folder too when the process starts."""

    index_file: str | None

    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        if settings.SERVE_FOLDER:
            self.index_file = "index.html"
            self.add_headers_function = add_policy
            self.add_files(settings.FOLDER, prefix=settings.SOLO)


def add_policy(headers: Headers, path: str, url: str) -> None:
    """Add the content security policy to a page, since the other middleware does not see files."""
    if path.endswith(".html"):
        headers["Content-Security-Policy"] = POLICY
