"""The links of the description: from an answer to whatever goes on with a part of it, and no part is made up."""

from __future__ import annotations

from collections import Counter
from typing import Any

from games.api.common.links import WAYS
from games.api.common.schema import openapi

LINKS = [found for way in WAYS for found in way.links()]


def operations() -> dict[str, tuple[str, Any]]:
    """Every operation by its id, with its address."""
    paths = openapi()["paths"].items()
    return {said["operationId"]: (path, said) for path, methods in paths for said in methods.values()}


def parts_of(schema: Any) -> dict[str, Any]:
    """The parts of an object that is described, wherever it is."""
    while "$ref" in schema or len(schema.get("allOf", ())) == 1:
        schema = schema["allOf"][0] if "allOf" in schema else schema
        schema = openapi()["components"]["schemas"][schema["$ref"].rpartition("/")[2]]
    return dict(schema.get("properties", {}))


def has_part(schema: Any, pointer: str) -> bool:
    """Whether this pointer finds a part that is described."""
    for step in pointer.split("/"):
        schema = schema.get("items") if step.isdigit() else parts_of(schema).get(step)
        if schema is None:
            return False
    return True


def json_of(content: Any) -> Any:
    return content["content"]["application/json"]["schema"]


def parameters_of(said: Any, place: str) -> set[str]:
    return {found["name"] for found in said.get("parameters", ()) if found["in"] == place}


def choices(said: Any, name: str) -> list[str]:
    """What a parameter takes, where that is a choice."""
    return next(found["schema"]["enum"] for found in said["parameters"] if found["name"] == name)


def is_there(expression: str, said: Any) -> bool:
    """Whether an operation takes or answers what is taken of it."""
    place, _sign, pointer = expression.partition("#/")
    good = next(found for status, found in said["responses"].items() if status < "300")
    match place.removeprefix("$").split(".", 2):
        case ["response", "body"]:
            return has_part(json_of(good), pointer)
        case ["request", "body"]:
            return has_part(json_of(said["requestBody"]), pointer)
        case ["response", "header", name]:
            return name in good.get("headers", {})
        case ["request", where, name]:
            return name in parameters_of(said, where)
    return False


def wrong_with(start: str, aim: str, link: Any) -> list[str]:
    """What is taken from nowhere, or to nowhere, or not taken although it is asked for."""
    known = operations()
    (_path, here), (_other, there) = known[start], known[aim]
    taken, sent = link.get("parameters", {}), link.get("requestBody", {})
    asked = {place: parameters_of(there, place) for place in ("path", "query", "header")}
    return [
        *(
            one
            for one in (*taken.values(), *sent.values())
            if one.startswith("$") and not is_there(one, here)
        ),
        *(one for name, one in taken.items() if not one.startswith("$") and one not in choices(there, name)),
        *(asked["path"] - taken.keys()),
        *(taken.keys() - set().union(*asked.values())),
        *(sent.keys() - parts_of(json_of(there["requestBody"])).keys() if sent else ()),
    ]


def test_a_link_takes_what_there_is_to_where_it_is_asked_for():
    assert [] == [
        (start, aim, wrong_with(start, aim, link))
        for start, aim, link in LINKS
        if wrong_with(start, aim, link)
    ]


def test_between_two_operations_there_is_one_link():
    assert [] == [
        pair for pair, times in Counter((start, aim) for start, aim, _link in LINKS).items() if times > 1
    ]


def test_whatever_asks_for_something_made_here_is_led_to():
    """What a program cannot know beforehand, the code of a table or the id of a payment, some answer gives it."""
    led_to = {aim for start, aim, _link in LINKS if aim != start}

    assert [] == [name for name, (path, _said) in operations().items() if "{" in path and name not in led_to]
