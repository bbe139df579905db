"""The fields of the rows in a table's file. Each is described once, for both reading and writing."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from typing import Any

from games import models
from games.common import days
from games.common.json_reader import JsonObjectReader
from games.files.services.file_contents import FileContents, RecorderNames

SLUG_LENGTH = 40
KIND_LENGTH = 20
REQUIRED = object()


@dataclass(frozen=True)
class ReferenceNames:
    """The references of a file to rows: members by slug, users by name, other rows by position."""

    slugs: Mapping[int, str]
    recorders: RecorderNames
    positions: Mapping[str, Mapping[int, int]]


@dataclass(frozen=True)
class FieldSpec:
    """A field of a row, with functions that read and write its value.

    `column` is the attribute of the row, by default the field's name. `suffix` is added to it for writing. Rows
    without the field have the value `default`, which is not written.
    """

    read: Callable[[JsonObjectReader, str, FileContents], Any]
    write: Callable[[Any, ReferenceNames], Any] = lambda value, _names: value
    suffix: str = ""
    column: str = ""
    default: Any = REQUIRED

    def for_column(self, column: str) -> FieldSpec:
        """Return this spec for a field whose name differs from its column's."""
        return replace(self, column=column)


FieldSpecs = Mapping[str, FieldSpec]


def read_row(value: object, parts: FieldSpecs, contents: FileContents) -> dict[str, Any]:
    """Return the values by column. Raise InvalidFile if one is missing or invalid."""
    fields = JsonObjectReader(value, parts)
    return {
        part.column or name: part.read(fields, name, contents)
        if part.default is REQUIRED or fields.has(name)
        else part.default
        for name, part in parts.items()
    }


def write_row(row: object, parts: FieldSpecs, names: ReferenceNames) -> dict[str, Any]:
    values = {name: getattr(row, (part.column or name) + part.suffix) for name, part in parts.items()}
    return {
        name: part.write(values[name], names) for name, part in parts.items() if values[name] != part.default
    }


def day_to_iso(day: date | None) -> str | None:
    return None if day is None else day.isoformat()


# --- kinds of fields --------------------------------------------------------------------------------------------------


def text_field(longest: int) -> FieldSpec:
    return FieldSpec(lambda fields, name, _contents: fields.text(name, longest=longest))


def name_field(longest: int) -> FieldSpec:
    return FieldSpec(lambda fields, name, _contents: fields.name(name, longest=longest))


def integer_field(least: int, most: int) -> FieldSpec:
    return FieldSpec(lambda fields, name, _contents: fields.whole(name, least=least, most=most))


def reference_field(
    what: str, rows: Callable[[FileContents], Sequence[Any]], row: Callable[[Any], Any] = lambda some: some
) -> FieldSpec:
    """Return the spec of a field that refers to another row of the file by its position.

    `rows` are those read so far, and `row` is the stored row of one of them.
    """

    def read(fields: JsonObjectReader, name: str, contents: FileContents) -> Any:
        some = rows(contents)
        return row(some[fields.whole(name, least=1, most=len(some)) - 1])

    return FieldSpec(read, lambda pk, names: None if pk is None else names.positions[what][pk], "_id")


def nullable(part: FieldSpec) -> FieldSpec:
    """Return the spec of a field that may be null in the file."""

    def read(fields: JsonObjectReader, name: str, contents: FileContents) -> Any:
        return None if fields.part(name) is None else part.read(fields, name, contents)

    return replace(part, read=read)


def optional(part: FieldSpec, default: Any) -> FieldSpec:
    """Return the spec of a field that a later version added. Rows of earlier files have the value `default`.

    The default is not written: a table that does not use the field has the same file as before.
    """
    return replace(part, default=default)


def deferred(part: FieldSpec) -> FieldSpec:
    """Return the spec of a required field that is read later, once all rows of its list are known."""

    def read(fields: JsonObjectReader, name: str, _contents: FileContents) -> None:
        fields.part(name)

    return replace(part, read=read)


def _read_actor(fields: JsonObjectReader, name: str, contents: FileContents) -> Any:
    """Return the user of an action such as `ended_by`; None if the action did not happen."""
    done_at = fields.part(f"{name.removesuffix('_by')}_at")
    return None if done_at is None else contents.get_recorder(fields, name)


BOOLEAN = FieldSpec(lambda fields, name, _contents: fields.truth(name))
KEY = FieldSpec(lambda fields, name, _contents: fields.key(name))
VALUE = FieldSpec(
    lambda fields, name, _contents: fields.part(name)
)  # of any type; the row's reader checks it
DAY = FieldSpec(lambda fields, name, _contents: fields.day(name), lambda day, _names: day_to_iso(day))
DATETIME = FieldSpec(lambda fields, name, _contents: fields.moment(name), lambda at, _names: days.to_iso(at))
MEMBER = FieldSpec(
    lambda fields, name, contents: contents.get_member(fields.part(name)),
    lambda pk, names: None if pk is None else names.slugs[pk],
    "_id",
)
RECORDER = FieldSpec(
    lambda fields, name, contents: contents.get_recorder(fields, name),
    lambda pk, names: names.recorders.name_or_none(pk),
    "_id",
)
ACTOR = replace(RECORDER, read=_read_actor)


# --- rows -------------------------------------------------------------------------------------------------------------

TABLE: FieldSpecs = {
    "id": text_field(models.IDENTITY_LENGTH).for_column("identity"),
    "name": name_field(models.TABLE_NAME_LENGTH),
    "unit": name_field(models.UNIT_LENGTH),
    "decimals": integer_field(0, models.DECIMALS),
    "language": text_field(12),
    "timezone": text_field(64),
    "region": text_field(models.REGION_LENGTH),
    "pays_on_the_spot": BOOLEAN,
    "fewest": optional(BOOLEAN, False).for_column("always_fewest"),
    "created_at": DATETIME,
}
PERSON: FieldSpecs = {
    "id": text_field(SLUG_LENGTH).for_column("slug"),
    "name": name_field(models.NAME_LENGTH),
    "colour": integer_field(1, models.COLOURS),
    "account": text_field(models.ACCOUNT_LENGTH),
    "merged_into": deferred(MEMBER),
    "merged_at": deferred(DATETIME),
    "merged_by": deferred(RECORDER),
    "retired_at": nullable(DATETIME),
}
SEASON: FieldSpecs = {
    "name": name_field(models.SEASON_NAME_LENGTH),
    "starts_on": DAY,
    "order": text_field(models.ORDER_LENGTH),
}
PAYMENT: FieldSpecs = {
    "key": KEY,
    "payer": MEMBER,
    "payee": MEMBER,
    "amount": integer_field(1, models.MOST_MONEY),
    "method": text_field(KIND_LENGTH),
    "note": text_field(models.NOTE_LENGTH),
    "made_at": DATETIME,
    "paid_on": nullable(DAY),
    "recorded_at": DATETIME,
    "arrived_at": DATETIME,
    "by": RECORDER.for_column("recorded_by"),
    "is_claim": BOOLEAN,
    "confirmed_at": nullable(DATETIME),
    "confirmed_by": ACTOR,
    "disputed_at": nullable(DATETIME),
    "disputed_by": ACTOR,
    "objection": text_field(models.NOTE_LENGTH),
    "ended_at": nullable(DATETIME),
    "ended_by": ACTOR,
    "reason": text_field(models.NOTE_LENGTH),
}
COST: FieldSpecs = {
    "key": KEY,
    "night": DAY,
    "payer": MEMBER,
    "amount": integer_field(1, models.MOST_MONEY),
    "paid": optional(VALUE, {}),
    "borne": VALUE,
    "note": text_field(models.NOTE_LENGTH),
    "forgiven": BOOLEAN.for_column("is_forgiven"),
    "made_at": DATETIME,
    "recorded_at": DATETIME,
    "arrived_at": DATETIME,
    "by": RECORDER.for_column("recorded_by"),
    "ended_at": nullable(DATETIME),
    "ended_by": ACTOR,
    "reason": text_field(models.NOTE_LENGTH),
    "replaces": optional(nullable(reference_field("cost", lambda contents: contents.costs)), None),
    "replaced_at": optional(nullable(DATETIME), None),
    "replaced_by": optional(ACTOR, None),
    "proposer": optional(nullable(MEMBER), None),
    "accepted_at": optional(nullable(DATETIME), None),
    "accepted_by": optional(ACTOR, None),
    "refused_at": optional(nullable(DATETIME), None),
    "refused_by": optional(ACTOR, None),
    "objection": optional(text_field(models.NOTE_LENGTH), ""),
}
ENTRY: FieldSpecs = {
    "number": VALUE,
    "kind": text_field(KIND_LENGTH),
    "night": DAY,
    "at": DATETIME,
    "by": nullable(RECORDER),
    "game": nullable(reference_field("game", lambda contents: contents.games, lambda whole: whole.game)),
    "payment": nullable(reference_field("payment", lambda contents: contents.payments)),
    "cost": nullable(reference_field("cost", lambda contents: contents.costs)),
    "member": nullable(MEMBER),
    "key": nullable(text_field(models.KEY_LENGTH)),
    "differences": VALUE,
    "before": VALUE,
    "after": VALUE,
}
