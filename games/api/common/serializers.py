"""Serializers that read, answer and describe: each thing the API takes or gives is written once.

They are strict where Django REST framework is lenient: no "1" is a number, no part may be unknown. They are also
lean, because an answer may have hundreds of rows: no field is copied, bound or validated when something is answered.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from datetime import date, datetime
from functools import cache
from operator import attrgetter
from typing import Any

from rest_framework import serializers

from games.api.common.amounts import moment_said
from games.api.common.problems import Problem
from games.models import DECIMALS, Table
from games.notebook.fields import Fields
from games.scoring.errors import RuleError
from games.scoring.words import Text

# --- bodies -----------------------------------------------------------------------------------------------------------


class Parts:
    """The parts of a body that was sent, read by the fields of its serializer.

    A part is read when it is asked for: the endpoint decides the order, and the first wrong part is the one refused.
    """

    def __init__(self, value: object, fields: Mapping[str, Any]) -> None:
        """Raise Unreadable for anything but an object with these parts alone."""
        self._values = Fields(value, *fields)
        self._fields = fields

    def __contains__(self, name: str) -> bool:
        """Return whether the part was sent."""
        return self._values.has(name)

    def __getitem__(self, name: str) -> Any:
        """Return the part; raise Unreadable, Problem or RuleError if it is missing or wrong."""
        return self._fields[name].read(self._values, name)

    def rows(self, name: str, *, most: int = 0) -> list[Any]:
        """Return a list of objects as it was sent; the endpoint reads each by its own serializer."""
        return self._values.list_of(name, most=most or self._fields[name].max_length)

    def get(self, name: str, default: Any = None) -> Any:
        """Return the part, or the default if it was not sent."""
        return self[name] if self._values.has(name) else default


class Body(serializers.Serializer[Any]):
    """A body as it is sent: every field has a method `read`."""

    @classmethod
    def parts(cls, value: object) -> Parts:
        """Return the parts of a value that was sent; raise Unreadable if it is no object, or has unknown parts."""
        return Parts(value, cls._declared_fields)


class Line(serializers.CharField):
    """A text in one line. A service that refuses long ones in its own words gets up to `longest` letters."""

    def __init__(self, *, longest: int = 0, **options: Any) -> None:
        super().__init__(**options)
        self.longest = longest or self.max_length or 0

    def read(self, values: Fields, name: str) -> str:
        """Return the text."""
        return values.text(name, longest=self.longest)


class Called(Line):
    """A text in one line that is a name or an id."""

    def read(self, values: Fields, name: str) -> str:
        """Return the name, which is not blank."""
        return values.name(name, longest=self.longest)


class Word(serializers.ChoiceField):
    """One of a few words. Without `refusal` or `misshapen` an unknown word is left to a service to refuse."""

    def __init__(
        self, *, longest: int, refusal: Text | None = None, misshapen: Text | None = None, **options: Any
    ) -> None:
        super().__init__(**options)
        self.longest, self.refusal, self.misshapen = longest, refusal, misshapen

    def read(self, values: Fields, name: str) -> str:
        """Return the word."""
        word = values.text(name, longest=self.longest)
        if word not in self.choices:
            if self.refusal is not None:
                raise RuleError(self.refusal, field=name)
            if self.misshapen is not None:
                raise Problem("misshapen", self.misshapen, field=name)
        return word


class Whole(serializers.IntegerField):
    """A whole number between its bounds."""

    min_value: int
    max_value: int

    def read(self, values: Fields, name: str) -> int:
        """Return the number."""
        return values.whole(name, least=self.min_value, most=self.max_value)


class Truth(serializers.BooleanField):
    """True or false."""

    def read(self, values: Fields, name: str) -> bool:
        """Return the value."""
        return values.truth(name)


class Day(serializers.DateField):
    """A day."""

    def read(self, values: Fields, name: str) -> date:
        """Return the day."""
        return values.day(name)


class Moment(serializers.DateTimeField):
    """A moment with its zone."""

    def read(self, values: Fields, name: str) -> datetime:
        """Return the moment."""
        return values.moment(name)


class Items(serializers.ListField):
    """A list whose values the endpoint reads one by one."""

    def __init__(self, *, most: int, **options: Any) -> None:
        super().__init__(**options)
        self.most = most

    def read(self, values: Fields, name: str) -> list[Any]:
        """Return the list."""
        return values.list_of(name, most=self.most)


class ByName(serializers.DictField):
    """A value of one type for each name."""

    def __init__(self, *, kind: type, misshapen: Text, **options: Any) -> None:
        super().__init__(**options)
        self.kind, self.misshapen = kind, misshapen

    def read(self, values: Fields, name: str) -> dict[str, Any]:
        """Return the values by name."""
        by_name = values.part(name)
        if not isinstance(by_name, dict) or not all(isinstance(one, self.kind) for one in by_name.values()):
            raise Problem("misshapen", self.misshapen, field=name)
        return by_name


class Raw(serializers.DictField):
    """An object that something else reads."""

    def read(self, values: Fields, name: str) -> Any:
        """Return the value, whatever it is."""
        return values.part(name)


# --- answers ----------------------------------------------------------------------------------------------------------


class Answer(serializers.Serializer[Any]):
    """An answer: each field is what `tell_<field>` returns, or the attribute or key in `source`, or of its name.

    The context goes down to nested answers; `table` in it says the money and the time zone.
    """

    @classmethod
    def of(cls, instance: object, **context: object) -> dict[str, Any]:
        """Return the answer about an object, as JSON has it."""
        return cls(context=context).to_representation(instance)

    @property
    def at_table(self) -> Table:
        """The table that the answer is about."""
        table = self._context["table"]
        assert isinstance(table, Table)
        return table

    def to_representation(self, instance: object) -> dict[str, Any]:
        """Return the answer about an object."""
        return {name: value(self, instance) for name, value in _values_of(type(self)).items()}

    def nested(self, answer: type[Answer], instance: object) -> dict[str, Any]:
        """Return an answer inside this one."""
        return answer(context=self._context).to_representation(instance)

    def nested_rows(self, answer: type[Answer], instances: Iterable[object]) -> list[dict[str, Any]]:
        """Return a list of answers inside this one, made by a single serializer."""
        row = answer(context=self._context)
        return [row.to_representation(instance) for instance in instances]

    def moment(self, moment: datetime | None) -> str | None:
        """Return a moment as clocks at the table show it, or in its own zone if there is no table."""
        if moment is None:
            return None
        return moment_said(moment, self.at_table) if "table" in self._context else moment.isoformat()


class Money(Answer):
    """The money of a table."""

    unit = serializers.CharField()
    decimals = serializers.IntegerField(min_value=0, max_value=DECIMALS)

    def tell_unit(self, _instance: object) -> str:
        """Return what amounts are of."""
        return self.at_table.unit

    def tell_decimals(self, _instance: object) -> int:
        """Return how many digits of an amount are decimals."""
        return self.at_table.decimals


Getter = Callable[[Answer, Any], Any]


@cache
def _values_of(answer: type[Answer]) -> Mapping[str, Getter]:
    """Return for each field the function that makes its value."""
    return {name: _getter(answer, name, field) for name, field in answer._declared_fields.items()}


def _getter(answer: type[Answer], name: str, field: Any) -> Getter:
    take = getattr(answer, f"tell_{name}", None) or _taker(field.source or name)
    if isinstance(field, serializers.ListSerializer) and isinstance(field.child, Answer):
        child = type(field.child)
        return lambda form, instance: form.nested_rows(child, take(form, instance))
    if isinstance(field, Answer):
        inside = type(field)
        return lambda form, instance: _unless_none(take(form, instance), lambda row: form.nested(inside, row))
    if isinstance(field, serializers.DateTimeField):
        return lambda form, instance: form.moment(take(form, instance))
    if isinstance(field, serializers.DateField):
        return lambda form, instance: _unless_none(take(form, instance), date.isoformat)
    if isinstance(field, serializers.DictField):
        return lambda form, instance: dict(take(form, instance))
    return take


def _taker(source: str) -> Getter:
    attribute = attrgetter(source)
    return lambda _form, instance: instance[source] if isinstance(instance, dict) else attribute(instance)


def _unless_none(value: Any, convert: Callable[[Any], Any]) -> Any:
    return None if value is None else convert(value)
