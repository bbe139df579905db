"""Serializers and fields that all packages share. They are stricter than those of Django REST framework.

Unknown fields are refused, the text "1" is not a number, and a moment needs a UTC offset. The context has the
table, whose money the amounts are in, and its `people`.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date, datetime
from typing import TYPE_CHECKING, Any

from django.db import models
from django.utils import timezone
from rest_framework import serializers

from games.common import days, texts
from games.models import Member
from games.scoring.i18n import Text as Sentence
from games.scoring.i18n import _
from games.scoring.variants import split_title

if TYPE_CHECKING:
    Mixin = serializers.Serializer[Any]
else:
    Mixin = object

FIRST_DAY, LAST_DAY = date(days.FIRST_YEAR, 1, 1), date(2200, 12, 31)
LONGEST_ID = 100  # characters
LONGEST_SHOWN = 40  # characters of an unknown name
NO_MEMBER = _("No member has this id.")
MEMBER_ID = "The id of a member."
SMALLEST_COIN = "In the smallest coin of the table."


def validation_error(sentence: Sentence) -> serializers.ValidationError:
    """Return the exception for a value that a field refuses, with this sentence in the active language."""
    return serializers.ValidationError(texts.translate(sentence))


def check_day(day: date, first: date = FIRST_DAY) -> None:
    if not first <= day <= LAST_DAY:
        raise validation_error(_("The day must be from {first} to {last}.", first=first, last=LAST_DAY))


# --- fields -----------------------------------------------------------------------------------------------


class StrictCharField(serializers.CharField):
    """A text field that accepts no numbers."""

    def to_internal_value(self, data: Any) -> str:
        if not isinstance(data, str):
            self.fail("invalid")
        return super().to_internal_value(data)


class StrictIntegerField(serializers.IntegerField):
    """An integer field that accepts no strings and no fractions."""

    def to_internal_value(self, data: Any) -> int:
        if type(data) is not int:
            self.fail("invalid")
        return super().to_internal_value(data)


class StrictBooleanField(serializers.BooleanField):
    """A boolean field that accepts only `true` and `false`."""

    def to_internal_value(self, data: Any) -> bool:
        if type(data) is not bool:
            self.fail("invalid", input=data)
        return data


class StrictDateField(serializers.DateField):
    """A date field with a limited range: from `first` on, by default from 1900."""

    def __init__(self, *, first: date = FIRST_DAY, **options: Any) -> None:
        super().__init__(**options)
        self.first = first

    def to_internal_value(self, value: Any) -> date:
        day = super().to_internal_value(value)
        check_day(day, self.first)
        return day


class StrictDateTimeField(serializers.DateTimeField):
    """A date and time field with a limited range of years.

    Responses have the table's time zone; requests may have any UTC offset.
    """

    def to_internal_value(self, value: Any) -> datetime:
        moment = super().to_internal_value(value)
        check_day(moment.date())
        return moment

    def enforce_timezone(self, value: datetime) -> datetime:
        """Return the moment in the active time zone, which is the table's; refuse one without an offset."""
        if timezone.is_naive(value):
            self.fail("invalid", format="YYYY-MM-DDThh:mm:ss+00:00")
        return super().enforce_timezone(value)


class BoundedList(serializers.ListField):
    """A list field that checks the number of items before it reads them."""

    def to_internal_value(self, data: Any) -> list[Any]:
        if self.max_length is not None and isinstance(data, list) and len(data) > self.max_length:
            self.fail("max_length", max_length=self.max_length)
        return super().to_internal_value(data)


class MemberField(StrictCharField):
    """A field for a member of the table, by id. The id of a merged member means the member they became."""

    def __init__(self, **options: Any) -> None:
        super().__init__(**{"max_length": LONGEST_ID, "help_text": MEMBER_ID, **options})

    def to_internal_value(self, data: Any) -> Any:
        member = self.context["people"].by_slug.get(super().to_internal_value(data))
        if member is None:
            raise validation_error(NO_MEMBER)
        return member

    def run_validators(self, value: Any) -> None:
        super().run_validators(value.slug if isinstance(value, Member) else value)

    def to_representation(self, value: Any) -> str:
        return str(value.slug)


class NightField(serializers.DateField):
    """A read-only field for a night, stored as a number and shown as the day when it began."""

    def to_representation(self, value: Any) -> Any:
        return super().to_representation(date.fromordinal(value))


class AmountsField(serializers.DictField):
    """A field for whole numbers, such as amounts, by the id of a member or player."""

    child = serializers.IntegerField()


# --- serializers ------------------------------------------------------------------------------------------


class StrictMixin(Mixin):
    """A mixin of serializers that refuses unknown and read-only fields."""

    def to_internal_value(self, data: Any) -> Any:
        writable_fields = {name for name, field in self.fields.items() if not field.read_only}
        for name in data if isinstance(data, Mapping) else ():
            if name not in writable_fields:
                short_name = str(name)[:LONGEST_SHOWN]
                sentence = texts.translate(_("“{name}” is unknown here.", name=short_name))
                raise serializers.ValidationError({short_name: [sentence]})
        return super().to_internal_value(data)


class StrictSerializer(StrictMixin, serializers.Serializer[Any]):
    """A serializer of bodies and of the parameters of URLs."""


class StrictModelSerializer(StrictMixin, serializers.ModelSerializer[Any]):
    """A serializer of the rows of a model. `Meta.writable_fields` are for requests; all others are read-only."""

    serializer_field_mapping = {
        **serializers.ModelSerializer.serializer_field_mapping,
        models.CharField: StrictCharField,
        models.BigIntegerField: StrictIntegerField,
        models.PositiveSmallIntegerField: StrictIntegerField,
        models.BooleanField: StrictBooleanField,
        models.DateField: StrictDateField,
        models.DateTimeField: StrictDateTimeField,
    }

    def get_extra_kwargs(self) -> dict[str, Any]:
        options: dict[str, Any] = super().get_extra_kwargs()
        for name in self.Meta.fields:
            if name not in self.Meta.writable_fields:
                options.setdefault(name, {})["read_only"] = True
        return options


class MoneyMixin(serializers.Serializer[Any]):
    """A mixin for serializers of responses with amounts: the money whose smallest coin they count."""

    unit = serializers.SerializerMethodField(help_text="The sign of the money, such as $.")
    decimals = serializers.SerializerMethodField(
        help_text="How many of the last digits of an amount are decimals."
    )

    def get_unit(self, _instance: object) -> str:
        return str(self.context["table"].unit)

    def get_decimals(self, _instance: object) -> int:
        return int(self.context["table"].decimals)


class VariantTitleMixin(serializers.Serializer[Any]):
    """A mixin for serializers of responses with the title of a game, stored as a text like "points:Truco"."""

    variant = serializers.SerializerMethodField(
        help_text="The key of the variant; `notebook` for an old night whose notebook names none."
    )
    called = serializers.SerializerMethodField(
        help_text='The name that the table gave to the game; "" without one.'
    )

    def get_variant(self, row: Any) -> str:
        return split_title(row.variant)[0]

    def get_called(self, row: Any) -> str:
        return split_title(row.variant)[1]


class EmptySerializer(StrictSerializer):
    """A body without fields."""


class DaysQuery(StrictSerializer):
    """The filters by nights: `from` is the first one that counts, `to` the last one."""

    # `from` is a keyword of Python.
    locals().update({"from": StrictDateField(required=False, help_text="The first night.")})
    to = StrictDateField(required=False, help_text="The last night.")

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        """Return the filters; refuse a last night before the first."""
        if attrs.get("to", date.max) < attrs.get("from", date.min):
            raise serializers.ValidationError(
                {"to": [texts.translate(_("This is before the day in “From”."))]}
            )
        return attrs


class MemberSerializer(StrictModelSerializer):
    """A member of a table. Events refer to the member by `id`, which never changes.

    A member who was merged into another counts as that member.
    """

    id = serializers.CharField(source="slug", read_only=True)
    plays = serializers.SerializerMethodField(
        help_text="Whether the member can be seated in a game: false for retired and merged members."
    )
    merged_into = serializers.SerializerMethodField(
        help_text="The id of the member who remains after merging; null if this member was never merged."
    )

    class Meta:
        model = Member
        fields = ("id", "name", "colour", "plays", "merged_into")
        writable_fields = ("name", "colour")
        extra_kwargs = {"colour": {"required": False}}

    def get_plays(self, member: Member) -> bool:
        return member.retired_at is None and member.merged_into is None

    def get_merged_into(self, member: Member) -> str | None:
        return member.current.slug if member.merged_into else None
