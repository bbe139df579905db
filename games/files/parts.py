"""The fields of the rows in a table's file. Each is described once: a row is written and read by the same parts."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from typing import Any

from games import models
from games.common import days
from games.common.json_reader import JsonObjectReader
from games.files.contents import Contents, Recorders

SLUG_LENGTH = 40
KIND_LENGTH = 20


@dataclass(frozen=True)
class Names:
    """The names by which a file refers to rows: members by slug, users by name, other rows by position."""

    slugs: Mapping[int, str]
    recorders: Recorders
    positions: Mapping[str, Mapping[int, int]]


@dataclass(frozen=True)
class Part:
    """A field of a row: how its value is read from a file, and how it is written.

    `column` is the attribute of the row; by default, the field's name. `suffix` is added to it for writing.
    """

    read: Callable[[JsonObjectReader, str, Contents], Any]
    write: Callable[[Any, Names], Any] = lambda value, _names: value
    suffix: str = ""
    column: str = ""

    def for_column(self, column: str) -> Part:
        """Return this part for a field that is called otherwise than its column."""
        return replace(self, column=column)


Parts = Mapping[str, Part]


def read_row(value: object, parts: Parts, contents: Contents) -> dict[str, Any]:
    """Return the values by column. Raise Unreadable if one is missing or invalid."""
    fields = JsonObjectReader(value, *parts)
    return {part.column or name: part.read(fields, name, contents) for name, part in parts.items()}


def write_row(row: object, parts: Parts, names: Names) -> dict[str, Any]:
    return {
        name: part.write(getattr(row, (part.column or name) + part.suffix), names)
        for name, part in parts.items()
    }


def day_in_text(day: date | None) -> str | None:
    return None if day is None else day.isoformat()


# --- kinds of parts ---------------------------------------------------------------------------------------------------


def text(longest: int) -> Part:
    return Part(lambda fields, name, _contents: fields.text(name, longest=longest))


def called(longest: int) -> Part:
    return Part(lambda fields, name, _contents: fields.name(name, longest=longest))


def whole(least: int, most: int) -> Part:
    return Part(lambda fields, name, _contents: fields.whole(name, least=least, most=most))


def row_of(what: str, rows: Callable[[Contents], Sequence[Any]]) -> Part:
    """Return a part that names another row of the file by its position."""

    def read(fields: JsonObjectReader, name: str, contents: Contents) -> Any:
        return rows(contents)[fields.whole(name, least=1, most=len(rows(contents))) - 1]

    return Part(read, lambda pk, names: None if pk is None else names.positions[what][pk], "_id")


def or_none(part: Part) -> Part:
    """Return a part that may be null in the file."""

    def read(fields: JsonObjectReader, name: str, contents: Contents) -> Any:
        return None if fields.part(name) is None else part.read(fields, name, contents)

    return replace(part, read=read)


def later(part: Part) -> Part:
    """Return a part that must be there, and is read once all rows of its list are known."""

    def read(fields: JsonObjectReader, name: str, _contents: Contents) -> None:
        fields.part(name)

    return replace(part, read=read)


def _actor(fields: JsonObjectReader, name: str, contents: Contents) -> Any:
    """Return the user who did an act such as `ended_by`; None if it was not done."""
    done_at = fields.part(f"{name.removesuffix('_by')}_at")
    return None if done_at is None else contents.get_recorder(fields, name)


TRUTH = Part(lambda fields, name, _contents: fields.truth(name))
KEY = Part(lambda fields, name, _contents: fields.key(name))
VALUE = Part(
    lambda fields, name, _contents: fields.part(name)
)  # of any type: the reader of the row checks it
DAY = Part(lambda fields, name, _contents: fields.day(name), lambda day, _names: day_in_text(day))
MOMENT = Part(lambda fields, name, _contents: fields.moment(name), lambda at, _names: days.to_iso(at))
MEMBER = Part(
    lambda fields, name, contents: contents.get_member(fields.part(name)),
    lambda pk, names: None if pk is None else names.slugs[pk],
    "_id",
)
RECORDER = Part(
    lambda fields, name, contents: contents.get_recorder(fields, name),
    lambda pk, names: names.recorders.name_or_none(pk),
    "_id",
)
ACTOR = replace(RECORDER, read=_actor)


# --- rows -------------------------------------------------------------------------------------------------------------

TABLE: Parts = {
    "id": text(models.IDENTITY_LENGTH).for_column("identity"),
    "name": called(models.TABLE_NAME_LENGTH),
    "unit": called(models.UNIT_LENGTH),
    "decimals": whole(0, models.DECIMALS),
    "language": text(12),
    "timezone": text(64),
    "region": text(models.REGION_LENGTH),
    "pays_on_the_spot": TRUTH,
    "created_at": MOMENT,
}
PERSON: Parts = {
    "id": text(SLUG_LENGTH).for_column("slug"),
    "name": called(models.NAME_LENGTH),
    "colour": whole(1, models.COLOURS),
    "account": text(models.ACCOUNT_LENGTH),
    "merged_into": later(MEMBER),
    "merged_at": later(MOMENT),
    "merged_by": later(RECORDER),
    "retired_at": or_none(MOMENT),
}
SEASON: Parts = {
    "name": called(models.SEASON_NAME_LENGTH),
    "starts_on": DAY,
    "order": text(models.ORDER_LENGTH),
}
PAYMENT: Parts = {
    "key": KEY,
    "payer": MEMBER,
    "payee": MEMBER,
    "amount": whole(1, models.MOST_MONEY),
    "method": text(KIND_LENGTH),
    "note": text(models.NOTE_LENGTH),
    "made_at": MOMENT,
    "paid_on": or_none(DAY),
    "recorded_at": MOMENT,
    "arrived_at": MOMENT,
    "by": RECORDER.for_column("recorded_by"),
    "is_claim": TRUTH,
    "confirmed_at": or_none(MOMENT),
    "confirmed_by": ACTOR,
    "disputed_at": or_none(MOMENT),
    "disputed_by": ACTOR,
    "objection": text(models.NOTE_LENGTH),
    "ended_at": or_none(MOMENT),
    "ended_by": ACTOR,
    "reason": text(models.NOTE_LENGTH),
}
COST: Parts = {
    "key": KEY,
    "night": DAY,
    "payer": MEMBER,
    "amount": whole(1, models.MOST_MONEY),
    "borne": VALUE,
    "note": text(models.NOTE_LENGTH),
    "forgiven": TRUTH.for_column("is_forgiven"),
    "made_at": MOMENT,
    "recorded_at": MOMENT,
    "arrived_at": MOMENT,
    "by": RECORDER.for_column("recorded_by"),
    "ended_at": or_none(MOMENT),
    "ended_by": ACTOR,
    "reason": text(models.NOTE_LENGTH),
}
ENTRY: Parts = {
    "number": VALUE,
    "kind": text(KIND_LENGTH),
    "night": DAY,
    "at": MOMENT,
    "by": or_none(RECORDER),
    "game": or_none(row_of("game", lambda contents: [whole.game for whole in contents.games])),
    "payment": or_none(row_of("payment", lambda contents: contents.payments)),
    "cost": or_none(row_of("cost", lambda contents: contents.costs)),
    "member": or_none(MEMBER),
    "key": or_none(text(models.KEY_LENGTH)),
    "differences": VALUE,
    "before": VALUE,
    "after": VALUE,
}
