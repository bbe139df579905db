"""Whether an answer has the form that its description says, and whatever the description gives as an example."""

from __future__ import annotations

from functools import cache
from typing import Any

from jsonschema import Draft4Validator  # type: ignore[import-untyped]

from games.api.common.schema import openapi


def wrong_in(body: Any, path: str, *, method: str = "get", status: int = 200) -> list[str]:
    """Return how an answer differs from its description, in sentences."""
    response = openapi()["paths"][f"/api/v1/{path}"][method]["responses"][str(status)]
    schema = response["content"]["application/json"]["schema"]
    whole = {**_plain(schema), "components": _components()}
    return [f"{list(wrong.path)}: {wrong.message}" for wrong in Draft4Validator(whole).iter_errors(body)]


def examples_of(path: str, *, method: str = "get", status: int = 200) -> list[Any]:
    """The answers that the description gives as examples."""
    response = openapi()["paths"][f"/api/v1/{path}"][method]["responses"][str(status)]
    return [
        example["value"] for example in response["content"]["application/json"].get("examples", {}).values()
    ]


@cache
def _components() -> Any:
    return _plain(openapi()["components"])


def _plain(schema: Any) -> Any:
    """The schema as JSON Schema has it, which knows no `nullable`; a part that nobody named is an error."""
    if isinstance(schema, list):
        return [_plain(part) for part in schema]
    if not isinstance(schema, dict):
        return schema
    plain = {name: _plain(part) for name, part in schema.items() if name != "nullable"}
    if isinstance(plain.get("properties"), dict):
        plain.setdefault("additionalProperties", False)
    return {"anyOf": [plain, {"type": "null"}]} if schema.get("nullable") is True else plain
