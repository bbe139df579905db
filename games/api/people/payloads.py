"""Serializers for members, claims, grants, invitations, devices and tokens: request bodies and answers.

A grant is a user's role at a table. A claim is a user's statement that they are a member of the table; it
is stored in the member's row. `LetIn` is a person with a grant, `Gone` a person who left the table. A method
`tell_<field>` of an answer returns the value of the field.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.contrib.auth.models import User
from drf_spectacular.utils import OpenApiExample
from rest_framework import serializers

from games.api.common.members import MemberSaid
from games.api.common.serializers import Answer, Body, Line, Whole, Word
from games.models import COLOURS, NAME_LENGTH, TABLE_NAME_LENGTH, Device, Invite, Member, Role, Table, Token
from games.notebook.fields import Fields
from games.people.access import Scope, role_at
from games.people.invitations import LASTS, stands
from games.people.removals import Ending
from games.scoring.errors import RuleError
from games.scoring.words import _
from games.shown.common.people import given_name
from games.shown.people.invites import (
    SPARE,
    Gone,
    LetIn,
    asked_of,
    let_in,
    standing_invites,
    who_left,
)

HIGHEST = 2**31  # limit of a primary key
MOST_ALSO = 200
WORD = 20  # letters of a choice such as a role
LONGEST_TOKEN = 64
ROLES = [str(role) for role in Role]
NEW_PHONE_OF = "The id of the member who is to have a new phone; null for any other invitation."


NOBODY_ELSE = OpenApiExample("nobody else", value={"also": []}, request_only=True)


class OfUser(Answer):
    """The base class of answers that depend on the requesting user, who is `me` in the context."""

    @property
    def me(self) -> User:
        """The requesting user."""
        user = self.context["me"]
        assert isinstance(user, User)
        return user


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


# --- claims -----------------------------------------------------------------------------------------------


class ClaimSaid(OfUser):
    """A claim: a user says that they are this member. The claim takes effect once an owner confirms it."""

    member = serializers.CharField(source="slug", help_text="The id of a member.")
    claimant = serializers.IntegerField(
        source="user_id", help_text="The id of the user who made the claim; it has no other meaning."
    )
    name = serializers.CharField(
        allow_blank=True, help_text=("The name that the user chose; it may be empty.")
    )
    yours = serializers.BooleanField()
    agreed = serializers.BooleanField()

    def tell_name(self, member: Member) -> str:
        """Return the name of the user who made the claim; it may be empty."""
        assert member.user is not None
        return given_name(member.user)

    def tell_yours(self, member: Member) -> bool:
        """Return whether the requesting user made the claim."""
        return bool(member.user == self.me)

    def tell_agreed(self, member: Member) -> bool:
        """Return whether an owner has confirmed the claim."""
        return member.claimed_at is not None


class ClaimsSaid(Answer):
    """The claims that the requesting user may see: an owner sees every claim, another user only their own."""

    claims = ClaimSaid(many=True)


class ClaimantSent(Body):
    """The user whose claim is confirmed or ended."""

    claimant = Whole(min_value=1, max_value=HIGHEST)


# --- grants and invitations -------------------------------------------------------------------------------


class GrantSaid(Answer):
    """The grant of a user: role, expiry and invitation. No other owner can remove the `first` owner."""

    id = serializers.IntegerField(source="grant.pk")
    name = serializers.CharField(
        allow_blank=True, help_text=("The name that the user chose; it may be empty.")
    )
    role = serializers.ChoiceField(choices=ROLES, source="grant.present_role")
    yours = serializers.BooleanField(source="is_me")
    first = serializers.BooleanField(source="is_first")
    invitation = serializers.IntegerField(
        allow_null=True,
        source="grant.invite_id",
        help_text=("The id of the invitation by which the user came."),
    )
    made_at = serializers.DateTimeField(source="grant.made_at")
    expires_at = serializers.DateTimeField(
        allow_null=True, source="until", help_text="The end of the grant; null for a permanent grant."
    )

    def tell_name(self, person: LetIn) -> str:
        """Return the name of the user; it may be empty."""
        return given_name(person.grant.user)


class GrantLeft(Answer):
    """A user who left the table, and who needs a new invitation to return."""

    name = serializers.CharField(allow_blank=True)
    role = serializers.ChoiceField(choices=ROLES, source="grant.role")
    left_at = serializers.DateTimeField(source="at")

    def tell_name(self, gone: Gone) -> str:
        """Return the name of the user; it may be empty."""
        return given_name(gone.grant.user)


class GrantsSaid(OfUser):
    """The grants of a table: owners by rank, then scorekeepers, then witnesses (read-only users).

    `left` lists the last users who left by themselves.
    """

    grants = GrantSaid(many=True)
    left = GrantLeft(many=True)

    def tell_grants(self, table: Table) -> Sequence[LetIn]:
        """Return the grants that have neither expired nor been removed."""
        return let_in(table, self.me)

    def tell_left(self, table: Table) -> Sequence[Gone]:
        """Return the latest users who left by themselves, the last one first."""
        return who_left(table)


class GrantSent(Body):
    """The id of a grant."""

    grant = Whole(min_value=1, max_value=HIGHEST)


class GrantEnding(GrantSaid):
    """A grant that ends, with the names of the tokens that end too.

    These are the user's tokens that are limited to this table.
    """

    tokens = serializers.ListField(child=serializers.CharField())

    def tell_tokens(self, person: LetIn) -> list[str]:
        """Return the names of the user's tokens that end with the grant."""
        return list(person.programs)


class GrantBesides(GrantEnding):
    """A grant that a removal leaves unchanged, unless the field `also` of the request has its id.

    If `phone` is true, the grant probably belongs to another phone of a user who is removed.
    """

    phone = serializers.BooleanField()

    def tell_phone(self, person: LetIn) -> bool:
        """Return whether the grant probably belongs to another phone of a user who is removed."""
        return person.grant.pk in self.context["phones"]


class EndingSaid(Answer):
    """A preview of a removal: the grants and invitations that end.

    `others` are the grants that end only if the field `also` of the request has their ids.
    """

    grants = GrantEnding(many=True)
    invitations = serializers.ListField(
        child=serializers.IntegerField(), help_text=("The ids of the invitations that end.")
    )
    others = GrantBesides(many=True)

    @classmethod
    def about(cls, ending: Ending, table: Table, me: User) -> dict[str, Any]:
        """Return the preview as JSON for `me`, the user who would remove the grants.

        `ending` has the grants and invitations that would end, and the grants of others that could end too.
        """
        phones = {grant.pk for grant in ending.phones}
        shown = asked_of(table, ending, me, named=phones)
        parts = {
            "grants": shown.out,
            "invitations": [invited.invite.pk for invited in shown.invites],
            "others": [person for person, _phone in shown.others],
        }
        return cls.of(parts, table=table, phones=phones)


class Ids(serializers.ListField):
    """A list field that accepts only ids of grants."""

    def read(self, values: Fields, name: str) -> set[int]:
        """Return the ids as a set; raise RuleError if one of them cannot be a primary key."""
        ids = values.list_of(name, most=MOST_ALSO)
        if not all(type(number) is int and 0 < number <= HIGHEST for number in ids):
            raise RuleError(_("“also” must list ids of grants."), field=name)
        return set(ids)


class AlsoSent(Body):
    """The ids of grants to be removed as well, taken from the `others` of the preview."""

    also = Ids(
        child=serializers.IntegerField(min_value=1, max_value=HIGHEST), max_length=MOST_ALSO, required=False
    )


class RemovalMade(Answer):
    """The id of a removal, by which it can be undone; null if it has been undone already."""

    removal = serializers.IntegerField(allow_null=True)


class InvitationOffered(OfUser):
    """The base class of answers with the content of an invitation.

    A `spare` invitation is an owner's backup: with it the owner gets access again after losing a phone.
    """

    id = serializers.IntegerField(source="pk")
    role = serializers.ChoiceField(choices=ROLES)
    spare = serializers.BooleanField(source="is_spare")
    new_phone_of = serializers.CharField(allow_null=True, help_text=NEW_PHONE_OF)
    made_by = serializers.CharField(allow_blank=True)
    yours = serializers.BooleanField()
    made_at = serializers.DateTimeField()
    expires_at = serializers.DateTimeField()

    def tell_new_phone_of(self, invite: Invite) -> str | None:
        """Return the id of the member whose new phone is invited; None for an ordinary invitation."""
        return None if invite.member is None else invite.member.slug

    def tell_made_by(self, invite: Invite) -> str:
        """Return the name of the owner who made the invitation; it may be empty."""
        return given_name(invite.made_by)

    def tell_yours(self, invite: Invite) -> bool:
        """Return whether the requesting user made the invitation."""
        return bool(invite.made_by == self.me)


class InvitationSaid(InvitationOffered):
    """An invitation.

    `stands` tells whether it can still be accepted, `came` how many users have access by it.
    """

    stands = serializers.BooleanField()
    came = serializers.IntegerField()

    def tell_stands(self, invite: Invite) -> bool:
        """Return whether the invitation can still be accepted."""
        return invite.pk in self.context["standing"]

    def tell_came(self, invite: Invite) -> int:
        """Return the number of users who have access by this invitation."""
        return int(self.context["came"][invite.pk])


class InvitationsSaid(Answer):
    """The invitations that can be revoked."""

    invitations = InvitationSaid(many=True)

    @classmethod
    def about(cls, table: Table, me: User) -> dict[str, Any]:
        """Return the invitations of the table as JSON for `me`, one of its owners."""
        shown = standing_invites(table, me)
        came = {invited.invite.pk: invited.came for invited in shown}
        standing = set(table.invites.standing().values_list("pk", flat=True))
        invites = {"invitations": [invited.invite for invited in shown]}
        return cls.of(invites, table=table, me=me, came=came, standing=standing)


class InvitationSent(Body):
    """A new invitation: the role it offers, and how long it can be accepted."""

    role = Word(choices=[*ROLES, SPARE], longest=WORD, refusal=_("Choose a role."))
    lasts = Word(choices=list(LASTS), longest=WORD, required=False, refusal=_("Choose how long it lasts."))


class InvitationMade(InvitationOffered):
    """A new invitation with its secret token and link, which no later answer contains."""

    token = serializers.CharField()
    link = serializers.CharField()

    def tell_token(self, _invite: Invite) -> str:
        """Return the secret token. The database stores only a digest of it."""
        return str(self.context["token"])

    def tell_link(self, _invite: Invite) -> str:
        """Return the address that contains the secret token."""
        return str(self.context["link"])


class InvitationShown(Body):
    """The secret token of an invitation: the last part of its link."""

    token = Line(max_length=LONGEST_TOKEN)


class InvitationOpened(Answer):
    """An invitation before it is accepted: the table, the role and perhaps the member that it offers.

    `stands` tells whether it can still be accepted; `yours` is the role that the requesting user already
    has.
    """

    name = serializers.CharField(source="table.name", help_text="The name of the table.")
    role = serializers.ChoiceField(choices=ROLES)
    spare = serializers.BooleanField(source="is_spare")
    new_phone_of = serializers.CharField(
        allow_null=True,
        help_text="The name of the member who is to have a new phone; null for any other invitation.",
    )
    stands = serializers.BooleanField()
    expires_at = serializers.DateTimeField()
    yours = serializers.ChoiceField(choices=ROLES, allow_null=True)

    def tell_new_phone_of(self, invite: Invite) -> str | None:
        """Return the name of the member whose new phone is invited; None for an ordinary invitation."""
        return None if invite.member is None else invite.member.name

    def tell_stands(self, invite: Invite) -> bool:
        """Return whether the invitation can still be accepted."""
        return stands(invite)

    def tell_yours(self, invite: Invite) -> Role | None:
        """Return the role that the requesting user already has at the table; None without access."""
        return role_at(self.context["me"], invite.table)


class InvitationAccepted(InvitationShown):
    """The secret token of an invitation, and the name of the user who accepts it."""

    name = Line(required=False, max_length=NAME_LENGTH, help_text="The name to be shown for the user.")


class LetInSaid(Answer):
    """The access that an invitation gave: the table, the role, the expiry, and the table's current game."""

    table = serializers.CharField(help_text="The code of a table.")
    name = serializers.CharField()
    role = serializers.ChoiceField(choices=ROLES)
    expires_at = serializers.DateTimeField(allow_null=True)
    game = serializers.CharField(allow_null=True, help_text="The code of a game.")


# --- leaving and erasing; devices and tokens ---------------------------------------------------


class TableLeft(Answer):
    """The code of the table that was left."""

    left = serializers.CharField()


class ErasedSent(Body):
    """The name of the table, typed to confirm that it is to be erased."""

    name = Line(max_length=TABLE_NAME_LENGTH)


class TableErased(Answer):
    """The deletion of a table: the time when it was erased, and the time until an owner can restore it.

    Both times are null if the table is not erased.
    """

    erased_at = serializers.DateTimeField(allow_null=True)
    gone_at = serializers.DateTimeField(allow_null=True)


class DeviceSaid(Answer):
    """A device (a session of a browser) with its browser and system; `this` marks the requesting device."""

    id = serializers.IntegerField(source="pk")
    browser = serializers.CharField(allow_blank=True)
    system = serializers.CharField(allow_blank=True)
    since = serializers.DateTimeField()
    seen_on = serializers.DateField()
    this = serializers.BooleanField()

    def tell_this(self, device: Device) -> bool:
        """Return whether the request comes from this device."""
        return bool(device.session_key == self.context["session_key"])


class DevicesSaid(Answer):
    """The devices on which the user is signed in."""

    devices = DeviceSaid(many=True)


class TokenSaid(Answer):
    """A valid token: its highest role, its table if it is limited to one, and the day of its last use."""

    id = serializers.IntegerField(source="pk")
    name = serializers.CharField()
    role = serializers.ChoiceField(choices=ROLES)
    table = serializers.CharField(allow_null=True, help_text="The code of a table; null for all tables.")
    made_at = serializers.DateTimeField()
    expires_at = serializers.DateTimeField()
    used_on = serializers.DateField(allow_null=True)
    scopes = serializers.ListField(
        child=serializers.ChoiceField(choices=[str(scope) for scope in Scope]),
        help_text="What the token may do of what its role allows: read the money, record.",
    )

    def tell_table(self, token: Token) -> str | None:
        """Return the code of the table that the token is limited to; None for all tables."""
        return None if token.table is None else token.table.code


class TokensSaid(Answer):
    """The valid tokens of the user."""

    tokens = TokenSaid(many=True)


class MyTable(Answer):
    """A table that the user or token can open."""

    code = serializers.CharField()
    name = serializers.CharField()
    role = serializers.ChoiceField(choices=ROLES, help_text="The weaker of your role and the token's.")
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
