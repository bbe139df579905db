"""JSON that a phone sends."""

from __future__ import annotations

import json

from django.http import HttpRequest

from games.notebook.fields import Unreadable
from games.scoring.words import _


def read_json(request: HttpRequest) -> object:
    """Return the value of the JSON body. Raise Unreadable for any other body.

    Form data counts as an empty body, because Django has already read it.
    """
    body = request.body if request.content_type == "application/json" else b""
    try:
        return json.loads(body)
    except (ValueError, RecursionError):
        raise Unreadable(_("This is not a complete JSON file.")) from None
