"""The serializer of a member. The API never reveals which user account belongs to a member.

A method `tell_<field>` returns the value of the field.
"""

from __future__ import annotations

from rest_framework import serializers

from games.api.common.serializers import Answer
from games.models import COLOURS, Member


class MemberSaid(Answer):
    """A member of a table. Events refer to the member by `id`, which never changes.

    A member who was merged into another counts as that other member.
    """

    id = serializers.CharField(source="slug")
    name = serializers.CharField()
    colour = serializers.IntegerField(min_value=1, max_value=COLOURS)
    plays = serializers.BooleanField(
        help_text="Whether the member can be seated in a game: false for retired and merged members."
    )
    merged_into = serializers.CharField(
        allow_null=True,
        help_text=("The id of the member who remains after merging; null if this member was never merged."),
    )

    def tell_plays(self, member: Member) -> bool:
        """Return whether the member is neither retired nor merged."""
        return member.retired_at is None and member.merged_into is None

    def tell_merged_into(self, member: Member) -> str | None:
        """Return the id of the member who remains after this one was merged, perhaps several times in a row.

        Return None if this one is not merged.
        """
        return member.now.slug if member.merged_into else None
