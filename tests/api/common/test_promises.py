"""`docs/api-promises.md` lists every deprecated part with its date, and the description marks the same parts."""

from __future__ import annotations

import re

from django.conf import settings

from games.api.common.schema import openapi

PROMISES = settings.BASE_DIR / "docs" / "api-promises.md"
SINCE = re.compile(r"Deprecated on (\d{4}-\d\d-\d\d)")


def test_the_document_lists_every_deprecated_field_with_its_described_date():
    described = {}
    for schema in openapi()["components"]["schemas"].values():
        for name, part in schema.get("properties", {}).items():
            since = SINCE.search(part.get("description", ""))
            assert part.get("deprecated", False) == (since is not None), name
            if since:
                described[name] = since[1]
    rows = [
        line.split(" | ")
        for line in PROMISES.read_text(encoding="utf-8").splitlines()
        if line.count(" | ") == 2
    ]
    listed = {name: since for part, since, _instead in rows[1:] for name in re.findall(r"`(\w+)`", part)}

    assert listed == described
