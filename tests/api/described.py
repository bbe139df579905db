"""Checks of responses against the API's description."""

from __future__ import annotations

from functools import cache
from typing import Any

from jsonschema import Draft4Validator  # type: ignore[import-untyped]

from games.api.common.schema import openapi


def wrong_in(body: Any, path: str, *, method: str = "get", status: int = 200) -> list[str]:
    """Return a sentence for each difference between a response body and its description."""
    response = openapi()["paths"][f"/api/v1/{path}"][method]["responses"][str(status)]
    schema = response["content"]["application/json"]["schema"]
    whole = {**_plain(schema), "components": _components()}
    return [f"{list(wrong.path)}: {wrong.message}" for wrong in Draft4Validator(whole).iter_errors(body)]


@cache
def _components() -> Any:
    return _plain(openapi()["components"])


def _plain(schema: Any) -> Any:
    """Return the OpenAPI schema as JSON Schema, which has no `nullable`.

    Properties that are not described are not allowed.
    """
    if isinstance(schema, list):
        return [_plain(part) for part in schema]
    if not isinstance(schema, dict):
        return schema
    plain = {name: _plain(part) for name, part in schema.items() if name != "nullable"}
    if isinstance(plain.get("properties"), dict):
        plain.setdefault("additionalProperties", False)
    return {"anyOf": [plain, {"type": "null"}]} if schema.get("nullable") is True else plain
