"""Serializers for members and tokens: request bodies and answers.

A method `tell_<field>` of an answer returns the value of the field.
"""

from __future__ import annotations

from rest_framework import serializers

from games.api.common.members import MemberSaid
from games.api.common.serializers import Answer, Body, Line, Whole
from games.models import COLOURS, NAME_LENGTH, Role, Table, Token

ROLES = [str(role) for role in Role]


class MembersSaid(Answer):
    """All members of the table, retired and merged ones too, in the order in which they were added."""

    members = MemberSaid(many=True)


class MemberSent(Body):
    """A member to be added."""

    name = Line(max_length=NAME_LENGTH)
    apart = Line(
        required=False,
        max_length=NAME_LENGTH,
        help_text=(
            "The same name again, to confirm that it is a new person although a member's name differs only "
            "in accents."
        ),
    )


class MemberChanged(MemberSent):
    """The changes of a member; a field that is not sent stays unchanged."""

    name = Line(required=False, max_length=NAME_LENGTH)
    colour = Whole(required=False, min_value=1, max_value=COLOURS)


class TokenSaid(Answer):
    """A valid token: its table if it is limited to one, and the day of its last use."""

    id = serializers.IntegerField(source="pk")
    name = serializers.CharField()
    reads_only = serializers.BooleanField()
    table = serializers.CharField(allow_null=True, help_text="The code of a table; null for all tables.")
    made_at = serializers.DateTimeField()
    expires_at = serializers.DateTimeField()
    used_on = serializers.DateField(allow_null=True)

    def tell_table(self, token: Token) -> str | None:
        """Return the code of the table that the token is limited to; None for all tables."""
        return None if token.table is None else token.table.code


class MyTable(Answer):
    """A table that the user or token can open."""

    code = serializers.CharField()
    name = serializers.CharField()
    role = serializers.ChoiceField(choices=ROLES)
    accounts = serializers.BooleanField(help_text="Whether the accounts of the table may be read.")

    def tell_role(self, _table: Table) -> Role:
        """Return the weaker of the user's role and the token's at this table."""
        return Role(self.context["role"])

    def tell_accounts(self, _table: Table) -> bool:
        """Return whether the request may read the accounts of this table."""
        return bool(self.context["accounts"])


class Me(Answer):
    """The access of a request: its token (null in a session), and the tables that it can open."""

    token = TokenSaid(allow_null=True)
    tables = MyTable(many=True)


class TokenRevoked(Answer):
    """A token that was revoked."""

    id = serializers.IntegerField(source="pk")
    name = serializers.CharField()
    revoked_at = serializers.DateTimeField()
