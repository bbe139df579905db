"""What the API takes and answers about people."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.contrib.auth.models import User
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiExample, OpenApiParameter
from rest_framework import serializers

from games.api.common.members import MemberSaid
from games.api.common.serializers import Answer, Body, Line, Whole, Word
from games.models import COLOURS, NAME_LENGTH, TABLE_NAME_LENGTH, Device, Invite, Member, Role, Table, Token
from games.notebook.fields import Fields
from games.people.access import role_at
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

HIGHEST = 2**31  # of the number of a row
MOST_ALSO = 200
WORD = 20  # letters of one of a few words
LONGEST_TOKEN = 64
ROLES = [str(role) for role in Role]


def _number(name: str, text: str) -> OpenApiParameter:
    return OpenApiParameter(name, OpenApiTypes.INT, OpenApiParameter.PATH, description=text)


GRANT = _number("grant", "The id of somebody's grant.")
INVITATION = _number("invitation", "The id of an invitation.")
DEVICE = _number("device", "The id of a device.")
TOKEN = _number("token", "The id of a token, which opens nothing.")
REMOVAL = _number("removal", "What was answered where something ended.")
NOBODY_ELSE = OpenApiExample("nobody else", value={"also": []}, request_only=True)


class OfUser(Answer):
    """An answer that depends on the user who asks, who is `me` in the context."""

    @property
    def me(self) -> User:
        """The user who asks."""
        user = self.context["me"]
        assert isinstance(user, User)
        return user


class MembersSaid(Answer):
    """Everybody who ever was of the table, in the order they came."""

    members = MemberSaid(many=True)


class MemberSent(Body):
    """Somebody new."""

    name = Line(max_length=NAME_LENGTH)
    apart = Line(
        required=False,
        max_length=NAME_LENGTH,
        help_text="The same name once more, where only accents tell it from somebody's and it is somebody else.",
    )


class MemberChanged(MemberSent):
    """What is to be another; what is not sent stays."""

    name = Line(required=False, max_length=NAME_LENGTH)
    colour = Whole(required=False, min_value=1, max_value=COLOURS)


# --- who is who -------------------------------------------------------------------------------------------------------


class ClaimSaid(OfUser):
    """Somebody says that they are a member; it counts once an owner agrees."""

    member = serializers.CharField(source="slug", help_text="The id of a member.")
    claimant = serializers.IntegerField(
        source="user_id", help_text="Whose word it is: a number that says nothing else."
    )
    name = serializers.CharField(allow_blank=True, help_text="What they call themselves, where they say.")
    yours = serializers.BooleanField()
    agreed = serializers.BooleanField()

    def tell_name(self, member: Member) -> str:
        """Return the name of the user."""
        assert member.user is not None
        return given_name(member.user)

    def tell_yours(self, member: Member) -> bool:
        """Return whether it is the claim of the user who asks."""
        return bool(member.user == self.me)

    def tell_agreed(self, member: Member) -> bool:
        """Return whether an owner has confirmed the claim."""
        return member.claimed_at is not None


class ClaimsSaid(Answer):
    """The claims that who asks may know: an owner all of them, others their own."""

    claims = ClaimSaid(many=True)


class ClaimantSent(Body):
    """Whose word is meant."""

    claimant = Whole(min_value=1, max_value=HIGHEST)


# --- who is let in ----------------------------------------------------------------------------------------------------


class GrantSaid(Answer):
    """Somebody who is let in, as what and until when; whom nobody else removes is the `first` owner."""

    id = serializers.IntegerField(source="grant.pk")
    name = serializers.CharField(allow_blank=True, help_text="What they call themselves, where they say.")
    role = serializers.ChoiceField(choices=ROLES, source="grant.role")
    yours = serializers.BooleanField(source="is_me")
    first = serializers.BooleanField(source="is_first")
    invitation = serializers.IntegerField(
        allow_null=True, source="grant.invite_id", help_text="The id of the one they came in by."
    )
    made_at = serializers.DateTimeField(source="grant.made_at")
    expires_at = serializers.DateTimeField(
        allow_null=True, source="until", help_text="Null for whoever stays."
    )

    def tell_name(self, person: LetIn) -> str:
        """Return the name of the user, which may be empty."""
        return given_name(person.grant.user)


class GrantLeft(Answer):
    """Somebody who left; only a new invitation lets them in again."""

    name = serializers.CharField(allow_blank=True)
    role = serializers.ChoiceField(choices=ROLES, source="grant.role")
    left_at = serializers.DateTimeField(source="at")

    def tell_name(self, gone: Gone) -> str:
        """Return the name of the user, which may be empty."""
        return given_name(gone.grant.user)


class GrantsSaid(OfUser):
    """The owners in their order, then who records, then who watches; and the last who left by themselves."""

    grants = GrantSaid(many=True)
    left = GrantLeft(many=True)

    def tell_grants(self, table: Table) -> Sequence[LetIn]:
        """Return everybody with a standing grant."""
        return let_in(table, self.me)

    def tell_left(self, table: Table) -> Sequence[Gone]:
        """Return the last users who left."""
        return who_left(table)


class GrantSent(Body):
    """The one that is meant."""

    grant = Whole(min_value=1, max_value=HIGHEST)


class GrantEnding(GrantSaid):
    """Somebody who goes, with the tokens of programs for this table alone that end too, by name."""

    tokens = serializers.ListField(child=serializers.CharField())

    def tell_tokens(self, person: LetIn) -> list[str]:
        """Return the names of the tokens."""
        return list(person.programs)


class GrantBesides(GrantEnding):
    """Somebody who stays unless named; a `phone` is most likely another one of whoever goes."""

    phone = serializers.BooleanField()

    def tell_phone(self, person: LetIn) -> bool:
        """Return whether it is most likely another phone of the same person."""
        return person.grant.pk in self.context["phones"]


class EndingSaid(Answer):
    """What would end, and who stays unless named in “also”."""

    grants = GrantEnding(many=True)
    invitations = serializers.ListField(child=serializers.IntegerField(), help_text="Their ids.")
    others = GrantBesides(many=True)

    @classmethod
    def about(cls, ending: Ending, table: Table, me: User) -> dict[str, Any]:
        """Return the answer about an ending at a table, for the user who would cause it."""
        phones = {grant.pk for grant in ending.phones}
        shown = asked_of(table, ending, me, named=phones)
        parts = {
            "grants": shown.out,
            "invitations": [invited.invite.pk for invited in shown.invites],
            "others": [person for person, _phone in shown.others],
        }
        return cls.of(parts, table=table, phones=phones)


class Ids(serializers.ListField):
    """The ids of grants."""

    def read(self, values: Fields, name: str) -> set[int]:
        """Return the ids; raise RuleError if one cannot be the number of a row."""
        ids = values.list_of(name, most=MOST_ALSO)
        if not all(type(number) is int and 0 < number <= HIGHEST for number in ids):
            raise RuleError(_("“also” has the ids of grants."), field=name)
        return set(ids)


class AlsoSent(Body):
    """Who else goes: the ids of grants among the `others`."""

    also = Ids(
        child=serializers.IntegerField(min_value=1, max_value=HIGHEST), max_length=MOST_ALSO, required=False
    )


class RemovalMade(Answer):
    """By what all that ended comes back."""

    removal = serializers.IntegerField(allow_null=True)


class InvitationOffered(OfUser):
    """What an invitation offers; a `spare` one is its maker's own way back in."""

    id = serializers.IntegerField(source="pk")
    role = serializers.ChoiceField(choices=ROLES)
    spare = serializers.BooleanField(source="is_spare")
    made_by = serializers.CharField(allow_blank=True)
    yours = serializers.BooleanField()
    made_at = serializers.DateTimeField()
    expires_at = serializers.DateTimeField()

    def tell_made_by(self, invite: Invite) -> str:
        """Return the name of the owner who made it."""
        return given_name(invite.made_by)

    def tell_yours(self, invite: Invite) -> bool:
        """Return whether the user who asks made it."""
        return bool(invite.made_by == self.me)


class InvitationSaid(InvitationOffered):
    """An invitation, whether it still lets somebody in (`stands`), and how many are in by it."""

    stands = serializers.BooleanField()
    came = serializers.IntegerField()

    def tell_stands(self, invite: Invite) -> bool:
        """Return whether it still lets somebody in."""
        return invite.pk in self.context["standing"]

    def tell_came(self, invite: Invite) -> int:
        """Return how many users are in by it."""
        return int(self.context["came"][invite.pk])


class InvitationsSaid(Answer):
    """The invitations that can be revoked."""

    invitations = InvitationSaid(many=True)

    @classmethod
    def about(cls, table: Table, me: User) -> dict[str, Any]:
        """Return the answer about a table, for one of its owners."""
        shown = standing_invites(table, me)
        came = {one.invite.pk: one.came for one in shown}
        standing = set(table.invites.standing().values_list("pk", flat=True))
        invites = {"invitations": [one.invite for one in shown]}
        return cls.of(invites, table=table, me=me, came=came, standing=standing)


class InvitationSent(Body):
    """A new invitation: to what, and how long it may be accepted where that is a question."""

    role = Word(choices=[*ROLES, SPARE], longest=WORD, refusal=_("Choose what they may do."))
    lasts = Word(choices=list(LASTS), longest=WORD, required=False, refusal=_("Choose how long it lasts."))


class InvitationMade(InvitationOffered):
    """A new invitation, with what opens it: this is the only time that is said."""

    token = serializers.CharField()
    link = serializers.CharField()

    def tell_token(self, _invite: Invite) -> str:
        """Return the secret, which is stored nowhere."""
        return str(self.context["token"])

    def tell_link(self, _invite: Invite) -> str:
        """Return the address with the secret."""
        return str(self.context["link"])


class InvitationShown(Body):
    """What opens an invitation: the end of its link."""

    token = Line(max_length=LONGEST_TOKEN)


class InvitationOpened(Answer):
    """What an invitation offers at which table, whether it still lets somebody in, and what one may there already."""

    name = serializers.CharField(source="table.name", help_text="What the table is called.")
    role = serializers.ChoiceField(choices=ROLES)
    spare = serializers.BooleanField(source="is_spare")
    stands = serializers.BooleanField()
    expires_at = serializers.DateTimeField()
    yours = serializers.ChoiceField(choices=ROLES, allow_null=True)

    def tell_stands(self, invite: Invite) -> bool:
        """Return whether it still lets somebody in."""
        return stands(invite)

    def tell_yours(self, invite: Invite) -> Role | None:
        """Return the role that the user has at the table already."""
        return role_at(self.context["me"], invite.table)


class InvitationAccepted(InvitationShown):
    """What opens an invitation, and who comes in by it."""

    name = Line(required=False, max_length=NAME_LENGTH, help_text="What one wants to be called.")


class LetInSaid(Answer):
    """Where one is let in, as what and until when, and the game being played there."""

    table = serializers.CharField(help_text="The code of a table.")
    name = serializers.CharField()
    role = serializers.ChoiceField(choices=ROLES)
    expires_at = serializers.DateTimeField(allow_null=True)
    game = serializers.CharField(allow_null=True, help_text="The code of a game.")


# --- what is put away, and what is one's own --------------------------------------------------------------------------


class TableLeft(Answer):
    """The code of the table that was left."""

    left = serializers.CharField()


class TableArchived(Answer):
    """Whether the table stands last on the home of who asks."""

    archived = serializers.BooleanField()


class ErasedSent(Body):
    """The name of the table, typed by whoever means it."""

    name = Line(max_length=TABLE_NAME_LENGTH)


class TableErased(Answer):
    """When the table was shut, and until when an owner can bring it back; null where it is not erased."""

    erased_at = serializers.DateTimeField(allow_null=True)
    gone_at = serializers.DateTimeField(allow_null=True)


class DeviceSaid(Answer):
    """A phone or another browser, the little it says of itself, and whether it is the one that asks."""

    id = serializers.IntegerField(source="pk")
    browser = serializers.CharField(allow_blank=True)
    system = serializers.CharField(allow_blank=True)
    since = serializers.DateTimeField()
    seen_on = serializers.DateField()
    this = serializers.BooleanField()

    def tell_this(self, device: Device) -> bool:
        """Return whether it is the device of this session."""
        return bool(device.session_key == self.context["session_key"])


class DevicesSaid(Answer):
    """Where somebody is signed in."""

    devices = DeviceSaid(many=True)


class TokenSaid(Answer):
    """A token that stands: what it may do at most, where, and whether anybody uses it."""

    id = serializers.IntegerField(source="pk")
    name = serializers.CharField()
    role = serializers.ChoiceField(choices=ROLES)
    table = serializers.CharField(allow_null=True, help_text="The code of a table; null for all of them.")
    made_at = serializers.DateTimeField()
    expires_at = serializers.DateTimeField()
    used_on = serializers.DateField(allow_null=True)

    def tell_table(self, token: Token) -> str | None:
        """Return the code of the only table it opens."""
        return None if token.table is None else token.table.code


class TokensSaid(Answer):
    """The tokens somebody has given to programs."""

    tokens = TokenSaid(many=True)
