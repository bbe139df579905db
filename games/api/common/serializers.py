"""Serializers that read requests, write answers and describe both in the OpenAPI schema.

Each field of a request body has a method `read(values, name)`. It returns the parsed value of the field
`name` of the body `values`, and raises Unreadable, Problem or RuleError if the value is missing or wrong.
Each of these exceptions becomes an error answer.

The serializers are stricter than Django REST framework: the text "1" is no number, and unknown fields
are refused. The serializers are also faster, because an answer may have hundreds of rows: writing an
answer copies, binds and validates no fields.
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

# --- request bodies ----------------------------------------------------------------------------------------


class Parts:
    """The values of a request body, by name; the serializer's field of that name parses each.

    A value is parsed only when the endpoint asks for it. The endpoint thus decides the order, and the error
    names the first wrong field in that order.
    """

    def __init__(self, value: object, fields: Mapping[str, Any]) -> None:
        """Raise Unreadable unless `value` is a JSON object (a dict) that has only keys of `fields`."""
        self._values = Fields(value, *fields)
        self._fields = fields

    def __contains__(self, name: str) -> bool:
        """Return whether the field was sent."""
        return self._values.has(name)

    def __getitem__(self, name: str) -> Any:
        """Return the parsed value; raise Unreadable, Problem or RuleError if it is missing or wrong."""
        return self._fields[name].read(self._values, name)

    def rows(self, name: str, *, most: int = 0) -> list[Any]:
        """Return the list in the field `name`, unparsed; the endpoint parses each object with a serializer.

        Raise Unreadable for more objects than `most` or, if `most` is 0, than the field's `max_length`.
        """
        return self._values.list_of(name, most=most or self._fields[name].max_length)

    def get(self, name: str, default: Any = None) -> Any:
        """Return the parsed value of the field, or the default if the field was not sent."""
        return self[name] if self._values.has(name) else default


class Body(serializers.Serializer[Any]):
    """The base class of serializers for request bodies: every field has a method `read`."""

    @classmethod
    def parts(cls, value: object) -> Parts:
        """Return the fields of the body `value`, each of which is parsed when it is read.

        Raise Unreadable if the value is no JSON object or has fields that this serializer lacks.
        """
        return Parts(value, cls._declared_fields)


class Nothing(Body):
    """A request body without fields."""


class Line(serializers.CharField):
    """A text field that accepts a single line of at most `longest` characters, by default `max_length`.

    The schema names `max_length` as the limit. If `longest` is greater, a text longer than `max_length` still
    reaches the service, which refuses it with its own message.
    """

    def __init__(self, *, longest: int = 0, **options: Any) -> None:
        super().__init__(**options)
        self.longest = longest or self.max_length or 0

    def read(self, values: Fields, name: str) -> str:
        """Return the text."""
        return values.text(name, longest=self.longest)


class Called(Line):
    """A text field that also rejects blank texts and double quotes, for names and ids."""

    def read(self, values: Fields, name: str) -> str:
        """Return the name; raise Unreadable if it is blank or has double quotes."""
        return values.name(name, longest=self.longest)


class Word(serializers.ChoiceField):
    """A choice field. `refusal` or `misshapen` is the message for a word that is none of the choices.

    With `refusal` such a word raises RuleError, with `misshapen` Problem. If neither message is given, the
    field accepts any word of at most `longest` characters, and the service refuses an unknown one.
    """

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
    """An integer field with a least and a greatest value. It rejects fractions, and numbers sent as text."""

    min_value: int
    max_value: int

    def read(self, values: Fields, name: str) -> int:
        """Return the number."""
        return values.whole(name, least=self.min_value, most=self.max_value)


class Truth(serializers.BooleanField):
    """A boolean field that accepts only `true` and `false`."""

    def read(self, values: Fields, name: str) -> bool:
        """Return the value."""
        return values.truth(name)


class Day(serializers.DateField):
    """A date field that accepts only ISO 8601."""

    def read(self, values: Fields, name: str) -> date:
        """Return the date."""
        return values.day(name)


class Arrived(serializers.DateTimeField):
    """The answer field for the time when the server received an entry."""

    def __init__(self) -> None:
        super().__init__(help_text="The time when the site got the entry.")


class Moment(serializers.DateTimeField):
    """A date and time field that accepts only ISO 8601 with a UTC offset."""

    def read(self, values: Fields, name: str) -> datetime:
        """Return the time in UTC."""
        return values.moment(name)


class Items(serializers.ListField):
    """A list field that limits only the number of items (`most`): the endpoint parses each item itself."""

    def __init__(self, *, most: int, **options: Any) -> None:
        super().__init__(**options)
        self.most = most

    def read(self, values: Fields, name: str) -> list[Any]:
        """Return the list of unparsed items."""
        return values.list_of(name, most=self.most)


class ByName(serializers.DictField):
    """A field for a JSON object with any keys, whose values must all have the type `kind`."""

    def __init__(self, *, kind: type, misshapen: Text, **options: Any) -> None:
        super().__init__(**options)
        self.kind, self.misshapen = kind, misshapen

    def read(self, values: Fields, name: str) -> dict[str, Any]:
        """Return the object as a dict; raise Problem if a value has another type."""
        by_name = values.part(name)
        if not isinstance(by_name, dict) or not all(type(value) is self.kind for value in by_name.values()):
            raise Problem("misshapen", self.misshapen, field=name)
        return by_name


class Raw(serializers.DictField):
    """A field for a JSON object with any content, which the endpoint passes unchecked to a service."""

    def read(self, values: Fields, name: str) -> Any:
        """Return the value without checking it."""
        return values.part(name)


# --- answers ----------------------------------------------------------------------------------------------


class Answer(serializers.Serializer[Any]):
    """The base class of serializers for answers.

    The value of a field is the result of the method `tell_<field>` if there is one, else the attribute
    or key named by `source`, else the attribute or key of the field's name. Nested answers share the
    context, a dict in which `table` decides the currency and the time zone.
    """

    @classmethod
    def of(cls, instance: object, **context: object) -> dict[str, Any]:
        """Return the object serialized as data for JSON; the keyword arguments become the context."""
        return cls(context=context).to_representation(instance)

    @property
    def at_table(self) -> Table:
        """The table in the context."""
        table = self._context["table"]
        assert isinstance(table, Table)
        return table

    def to_representation(self, instance: object) -> dict[str, Any]:
        """Return the object serialized as data for JSON."""
        return {name: value(self, instance) for name, value in _values_of(type(self)).items()}

    def nested(self, answer: type[Answer], instance: object) -> dict[str, Any]:
        """Return the object serialized by another serializer, with the same context."""
        return answer(context=self._context).to_representation(instance)

    def nested_rows(self, answer: type[Answer], instances: Iterable[object]) -> list[dict[str, Any]]:
        """Return several objects serialized by another serializer, with the same context.

        One instance of that serializer is reused for all objects.
        """
        row = answer(context=self._context)
        return [row.to_representation(instance) for instance in instances]

    def moment(self, moment: datetime | None) -> str | None:
        """Return the time as ISO 8601 text in the time zone of the table; None stays None.

        If the context has no table, the time keeps its own time zone.
        """
        if moment is None:
            return None
        return moment_said(moment, self.at_table) if "table" in self._context else moment.isoformat()


class Money(Answer):
    """The base class of answers with amounts: it adds the currency of the table."""

    unit = serializers.CharField()
    decimals = serializers.IntegerField(min_value=0, max_value=DECIMALS)

    def tell_unit(self, _instance: object) -> str:
        """Return the currency of the amounts, such as "$"."""
        return self.at_table.unit

    def tell_decimals(self, _instance: object) -> int:
        """Return the number of decimals of the currency."""
        return self.at_table.decimals


Getter = Callable[[Answer, Any], Any]


@cache
def _values_of(answer: type[Answer]) -> Mapping[str, Getter]:
    """Return a getter for each field of an answer.

    It takes the serializer and the object to serialize, and returns the value of the field.
    """
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
