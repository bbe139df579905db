"""Queued entries, as the phone's outbox sends them."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from django.test import Client
from django.urls import reverse
from django.utils.timezone import now

from tests.factories import new_key


def build_entry(
    form: str, *, table: str = "", game: str = "", after: int = 0, key: str = "", at: str = "", **fields: Any
) -> dict[str, Any]:
    """Return an entry for this form with these fields, entered now unless `at` is given."""
    named = {name.replace("_", "-"): str(text) for name, text in fields.items()}
    place = {"table": table, "game": game}
    return {
        **{"form": form, **place, "fields": named, "after": after},
        **{"key": key or new_key(), "at": at or now().isoformat()},
    }


def send_entries(client: Client, *entries: Mapping[str, Any], person: str | None = None) -> Any:
    """Send these entries, as the signed-in user unless `person` is given."""
    mark = client.get("/token/").json()["person"] if person is None else person
    body = json.dumps({"person": mark, "entries": entries})
    return client.post(reverse("waiting"), body, content_type="application/json")


def entry_answers(response: Any) -> list[dict[str, Any]]:
    """Return the answer to each entry, in order. Assert that the request succeeded."""
    assert 200 == response.status_code, response.content
    answers: list[dict[str, Any]] = response.json()["answers"]
    return answers
