"""Every icon that a page or a script names has a picture; without one it would be a plain square."""

from __future__ import annotations

import re
from pathlib import Path

from django.conf import settings

BASE = Path(settings.BASE_DIR)
NAMED = re.compile(r'"i (i-[a-z]+)"|icon\("([a-z]+)"\)')
DRAWN = re.compile(r"\.(i-[a-z]+)\b[^{]*\{\s*--i:")


def _texts(folder: str, pattern: str) -> str:
    return "\n".join(path.read_text(encoding="utf-8") for path in sorted((BASE / folder).rglob(pattern)))


def test_every_icon_that_is_named_is_drawn():
    named = {
        whole or f"i-{name}"
        for whole, name in NAMED.findall(_texts("templates", "*.html") + _texts("static", "*.js"))
    }

    assert set() == named - set(DRAWN.findall(_texts("static", "*.css")))
