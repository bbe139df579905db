"""The serializer field for the data of a game's event. `api/play/shapes.py` has the schemas of the data."""

from __future__ import annotations

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

DATA = "EventData"  # the name of the OpenAPI component
PLACE = "#/components/schemas/"


@extend_schema_field({"$ref": f"{PLACE}{DATA}"})
class EventContent(serializers.DictField):
    """The data of a game's event. The kind of the event decides the fields."""
