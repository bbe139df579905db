"""The links of the API's description: they lead to next operations and refer only to fields that exist."""

from __future__ import annotations

from collections import Counter
from typing import Any

from games.api.common.links import WAYS
from games.api.common.schema import openapi

LINKS = [link for way in WAYS for link in way.links()]


def operations() -> dict[str, tuple[str, Any]]:
    """Return every operation by its id: its path and its description."""
    paths = openapi()["paths"].items()
    return {
        operation["operationId"]: (path, operation)
        for path, methods in paths
        for operation in methods.values()
    }


def parts_of(schema: Any) -> dict[str, Any]:
    """Return the properties of a schema by name, following references; empty if it has none."""
    while "$ref" in schema or len(schema.get("allOf", ())) == 1:
        schema = schema["allOf"][0] if "allOf" in schema else schema
        schema = openapi()["components"]["schemas"][schema["$ref"].rpartition("/")[2]]
    return dict(schema.get("properties", {}))


def has_part(schema: Any, pointer: str) -> bool:
    """Return whether the schema describes the part at a JSON pointer."""
    for step in pointer.split("/"):
        schema = schema.get("items") if step.isdigit() else parts_of(schema).get(step)
        if schema is None:
            return False
    return True


def json_of(content: Any) -> Any:
    return content["content"]["application/json"]["schema"]


def parameters_of(operation: Any, place: str) -> set[str]:
    return {part["name"] for part in operation.get("parameters", ()) if part["in"] == place}


def choices(operation: Any, name: str) -> list[str]:
    """Return the values that a parameter allows."""
    return next(part["schema"]["enum"] for part in operation["parameters"] if part["name"] == name)


def is_there(expression: str, operation: Any) -> bool:
    """Return whether the request or response that this link expression reads has the part it names."""
    place, _sign, pointer = expression.partition("#/")
    good = next(response for status, response in operation["responses"].items() if status < "300")
    match place.removeprefix("$").split(".", 2):
        case ["response", "body"]:
            return has_part(json_of(good), pointer)
        case ["request", "body"]:
            return has_part(json_of(operation["requestBody"]), pointer)
        case ["response", "header", name]:
            return name in good.get("headers", {})
        case ["request", where, name]:
            return name in parameters_of(operation, where)
    return False


def wrong_with(start: str, aim: str, link: Any) -> list[str]:
    """Return what is wrong with a link, as its expressions and names; empty if nothing is.

    That is: expressions that read no part, constants that their parameter does not allow, required path
    parameters that are not filled, and parameters and fields that the target does not have.
    """
    known = operations()
    (_path, here), (_other, there) = known[start], known[aim]
    taken, sent = link.get("parameters", {}), link.get("requestBody", {})
    parameters = {place: parameters_of(there, place) for place in ("path", "query", "header")}
    return [
        *(
            one
            for one in (*taken.values(), *sent.values())
            if one.startswith("$") and not is_there(one, here)
        ),
        *(one for name, one in taken.items() if not one.startswith("$") and one not in choices(there, name)),
        *(parameters["path"] - taken.keys()),
        *(taken.keys() - set().union(*parameters.values())),
        *(sent.keys() - parts_of(json_of(there["requestBody"])).keys() if sent else ()),
    ]


def test_every_link_fills_existing_parameters_of_its_target_from_existing_fields():
    assert [] == [
        (start, aim, wrong_with(start, aim, link))
        for start, aim, link in LINKS
        if wrong_with(start, aim, link)
    ]


def test_two_operations_have_at_most_one_link():
    assert [] == [
        pair for pair, times in Counter((start, aim) for start, aim, _link in LINKS).items() if times > 1
    ]


def test_every_operation_with_a_path_parameter_is_the_target_of_a_link():
    """Every operation with a code or id in its path is the target of a link.

    A program cannot guess the code of a table or the id of a payment.
    """
    led_to = {aim for start, aim, _link in LINKS if aim != start}

    assert [] == [name for name, (path, _said) in operations().items() if "{" in path and name not in led_to]
