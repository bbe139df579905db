"""Finding the first part of an event that does not match its schema, and what was expected instead."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from games.api.play.shapes import EVENT_SHAPES, ID, PLACE, SEATED, Schema, event_components
from games.scoring.errors import NotationError
from games.scoring.text.notation import NOBODY, read_hand
from games.scoring.words import Text, _

Path = tuple[str | int, ...]


@dataclass(frozen=True)
class WrongPart:
    """An invalid part of an event: its path (keys and indexes), and a sentence on what was expected."""

    path: Path
    text: Text

    @property
    def pointer(self) -> str:
        """The path as a JSON pointer without the `#`, e.g. "/data/hands/1"."""
        return "".join(f"/{step}" for step in self.path)


def wrong_part(kind: str, data: object) -> WrongPart | None:
    """Return the first part of an event's data that does not match its schema; None if all parts match.

    If no event of this kind can be recorded by itself, return the kind as the wrong part.
    """
    shape = EVENT_SHAPES.get(kind)
    if shape is None or not shape.stands_alone:
        return _expected(
            ("kind",), _one_of([shape.kind for shape in EVENT_SHAPES.values() if shape.stands_alone])
        )
    components = event_components()
    wrong = next(_wrong(components[shape.data], data, ("data",)), None)
    if wrong is None and isinstance(data, dict) and "event" in data:
        inside = event_components()[EVENT_SHAPES[data["kind"]].data]
        wrong = next(_wrong(inside, data["event"], ("data", "event")), None)
        kind, data = data["kind"], data["event"]
    if wrong is None and kind == "round_played" and isinstance(data, dict):
        return next(_wrong_hands(data["hands"]), None)
    return wrong


def _wrong(schema: Schema, value: object, path: Path) -> Iterator[WrongPart]:
    """Yield each part of the value that does not match the schema.

    `path` is the path of the value in the event.
    """
    if "$ref" in schema:
        yield from _wrong(event_components()[schema["$ref"].removeprefix(PLACE)], value, path)
    elif "oneOf" in schema:
        if not isinstance(value, str | int) or isinstance(value, bool):
            yield _expected(path, _("a number or a word"))
    elif "enum" in schema:
        if value not in schema["enum"]:
            yield _expected(path, _one_of(schema["enum"]))
    elif schema.get("type") == "object":
        yield from _wrong_object(schema, value, path)
    elif schema.get("type") == "array":
        yield from _wrong_list(schema, value, path)
    elif schema.get("type") == "integer":
        if not isinstance(value, int) or isinstance(value, bool):
            yield _expected(path, _("a whole number"))
    elif "type" in schema and not (value is None and schema.get("nullable")) and not _is_text(value, schema):
        expected = _("a player's id") if "pattern" in schema or schema == SEATED else _("a text")
        yield _expected(
            path, _("{expected}, or null", expected=expected) if "nullable" in schema else expected
        )


def _is_text(value: object, schema: Schema) -> bool:
    if not isinstance(value, str):
        return False
    return "pattern" not in schema or (value != NOBODY and re.fullmatch(schema["pattern"], value) is not None)


def _wrong_object(schema: Schema, value: object, path: Path) -> Iterator[WrongPart]:
    if not isinstance(value, dict):
        yield _expected(path, _("an object with these parts: {parts}", parts=", ".join(schema["properties"])))
        return
    for name, part in schema["properties"].items():
        if name in value:
            yield from _wrong(part, value[name], (*path, name))
        elif name in schema["required"]:
            yield WrongPart((*path, name), _("“{name}” is missing.", name=_dotted((*path, name))))


def _wrong_list(schema: Schema, value: object, path: Path) -> Iterator[WrongPart]:
    least, most = schema.get("minItems", 0), schema.get("maxItems")
    if not isinstance(value, list):
        yield _expected(path, _("a list"))
    elif most and len(value) != most:
        yield _expected(path, _("a pair in a list, such as [id, value]"))
    elif len(value) < least:
        yield _expected(path, _("a list with at least one entry"))
    else:
        kinds = schema.get("x-pair") or [schema["items"]] * len(value)
        for place, (kind, item) in enumerate(zip(kinds, value, strict=True)):
            yield from _wrong(kind, item, (*path, place))
        if schema["items"].get("x-pair", [{}])[0] == ID:
            yield from _named_twice(value, path)


def _named_twice(pairs: list[Any], path: Path) -> Iterator[WrongPart]:
    seen = set()
    for place, pair in enumerate(pairs):
        if pair[0] in seen:
            yield WrongPart((*path, place, 0), _("{key} appears twice.", key=pair[0]))
        seen.add(pair[0])


def _wrong_hands(hands: list[Any]) -> Iterator[WrongPart]:
    for place, (_player, hand) in enumerate(hands):
        try:
            read_hand(hand)
        except NotationError as wrong:
            yield WrongPart(("data", "hands", place, 1), wrong.text)


def _expected(path: Path, expected: Text) -> WrongPart:
    return WrongPart(path, _("“{name}” should be {expected}.", name=_dotted(path), expected=expected))


def _one_of(words: list[str]) -> Text:
    return _("one of these: {words}", words=", ".join(words))


def _dotted(path: Path) -> str:
    """Return the path as text for a sentence, like `data.hands[1]`."""
    return "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in path).removeprefix(".")


def pointer_of(number: int, part: str = "") -> str:
    """Return the JSON pointer to an event of a request body; for the first event (`number` 1) "#/events/0".

    `part` is a JSON pointer inside the event, such as "/data/hands/1"; "" points to the whole event.
    """
    return f"#/events/{number - 1}{part}"
