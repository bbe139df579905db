"""A member as the API says it: by the id that stands in events, and never whose phone is whose."""

from __future__ import annotations

from typing import Any

from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter
from rest_framework import serializers

from games.models import COLOURS, Member

MEMBER = OpenApiParameter(
    "member", OpenApiTypes.STR, OpenApiParameter.PATH, description="The id of a member, as events have it."
)


class MemberSaid(serializers.Serializer[Any]):
    """Somebody of a table. The id stands in events and never changes; one merged into another counts as that one."""

    id = serializers.CharField()
    name = serializers.CharField()
    colour = serializers.IntegerField(min_value=1, max_value=COLOURS)
    plays = serializers.BooleanField(
        help_text="Whether somebody may sit down: not who was retired or merged."
    )
    merged_into = serializers.CharField(allow_null=True, help_text="The id of who this member is now.")


def member_said(member: Member) -> dict[str, object]:
    """What everybody at the table knows of a member, read with whom he was merged into."""
    return {
        "id": member.slug,
        "name": member.name,
        "colour": member.colour,
        "plays": member.retired_at is None and member.merged_into is None,
        "merged_into": member.now.slug if member.merged_into else None,
    }
