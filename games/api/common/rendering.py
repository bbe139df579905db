"""The form of answers: JSON, in which names have no isolating marks."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rest_framework.renderers import JSONRenderer

from games.names import END_OF_ISOLATE, ISOLATE


class PlainNamesRenderer(JSONRenderer):
    """A renderer of JSON that removes the isolating marks of names: a program compares and places them itself."""

    def render(
        self,
        data: Any,
        accepted_media_type: str | None = None,
        renderer_context: Mapping[str, Any] | None = None,
    ) -> Any:
        """Return the JSON without the marks."""
        body = super().render(data, accepted_media_type, renderer_context)
        return body.replace(ISOLATE.encode(), b"").replace(END_OF_ISOLATE.encode(), b"")
