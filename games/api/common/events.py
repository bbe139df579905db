"""The serializer field for the data of an event. Its schema is a component in `api/play/shapes.py`."""

from __future__ import annotations

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

DATA = "EventData"  # the name of the component
PLACE = "#/components/schemas/"


@extend_schema_field({"$ref": f"{PLACE}{DATA}"})
class EventContent(serializers.DictField):
    """The data of an event; its kind decides the fields."""
