"""The data of an event in an answer. Its schema is a component that the wing `play` describes."""

from __future__ import annotations

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

DATA = "EventData"  # the name of the component
PLACE = "#/components/schemas/"


@extend_schema_field({"$ref": f"{PLACE}{DATA}"})
class EventContent(serializers.DictField):
    """The data of an event; its kind decides the fields."""
