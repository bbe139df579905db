"""The forms of what is sent and answered about people, for the description of the API."""

from __future__ import annotations

from typing import Any

from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiExample, OpenApiParameter
from rest_framework import serializers

from games.api.common.members import MemberSaid
from games.models import COLOURS, NAME_LENGTH, TABLE_NAME_LENGTH, Role
from games.people.invitations import LASTS
from games.shown.people.invites import SPARE

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


class MembersSaid(serializers.Serializer[Any]):
    """Everybody who ever was of the table, in the order they came."""

    members = MemberSaid(many=True)


class MemberSent(serializers.Serializer[Any]):
    """Somebody new."""

    name = serializers.CharField(max_length=NAME_LENGTH)
    apart = serializers.CharField(
        required=False,
        max_length=NAME_LENGTH,
        help_text="The same name once more, where only accents tell it from somebody's and it is somebody else.",
    )


class MemberChanged(MemberSent):
    """What is to be another; what is not sent stays."""

    name = serializers.CharField(required=False, max_length=NAME_LENGTH)
    colour = serializers.IntegerField(required=False, min_value=1, max_value=COLOURS)


# --- who is who -------------------------------------------------------------------------------------------------------


class ClaimSaid(serializers.Serializer[Any]):
    """Somebody says that he is a member; it counts once an owner agrees."""

    member = serializers.CharField(help_text="The id of a member.")
    claimant = serializers.IntegerField(help_text="Whose word it is: a number that says nothing else.")
    name = serializers.CharField(allow_blank=True, help_text="What they call themselves, where they say.")
    yours = serializers.BooleanField()
    agreed = serializers.BooleanField()


class ClaimsSaid(serializers.Serializer[Any]):
    """The claims that who asks may know: an owner all of them, others their own."""

    claims = ClaimSaid(many=True)


class ClaimantSent(serializers.Serializer[Any]):
    """Whose word is meant."""

    claimant = serializers.IntegerField(min_value=1, max_value=HIGHEST)


# --- who is let in ----------------------------------------------------------------------------------------------------


class GrantSaid(serializers.Serializer[Any]):
    """Somebody who is let in, as what and until when; whom nobody else removes is the `first` owner."""

    id = serializers.IntegerField()
    name = serializers.CharField(allow_blank=True, help_text="What they call themselves, where they say.")
    role = serializers.ChoiceField(choices=ROLES)
    yours = serializers.BooleanField()
    first = serializers.BooleanField()
    invitation = serializers.IntegerField(allow_null=True, help_text="The id of the one they came in by.")
    made_at = serializers.DateTimeField()
    expires_at = serializers.DateTimeField(allow_null=True, help_text="Null for whoever stays.")


class GrantLeft(serializers.Serializer[Any]):
    """Somebody who left; only a new invitation lets them in again."""

    name = serializers.CharField(allow_blank=True)
    role = serializers.ChoiceField(choices=ROLES)
    left_at = serializers.DateTimeField()


class GrantsSaid(serializers.Serializer[Any]):
    """The owners in their order, then who records, then who watches; and the last who left by themselves."""

    grants = GrantSaid(many=True)
    left = GrantLeft(many=True)


class GrantSent(serializers.Serializer[Any]):
    """The one that is meant."""

    grant = serializers.IntegerField(min_value=1, max_value=HIGHEST)


class GrantEnding(GrantSaid):
    """Somebody who goes, with the tokens of programs for this table alone that end too, by name."""

    tokens = serializers.ListField(child=serializers.CharField())


class GrantBesides(GrantEnding):
    """Somebody who stays unless named; a `phone` is most likely another one of whoever goes."""

    phone = serializers.BooleanField()


class EndingSaid(serializers.Serializer[Any]):
    """What would end, and who stays unless named in “also”."""

    grants = GrantEnding(many=True)
    invitations = serializers.ListField(child=serializers.IntegerField(), help_text="Their ids.")
    others = GrantBesides(many=True)


class AlsoSent(serializers.Serializer[Any]):
    """Who else goes: the ids of grants among the `others`."""

    also = serializers.ListField(
        child=serializers.IntegerField(min_value=1, max_value=HIGHEST), max_length=MOST_ALSO, required=False
    )


class RemovalMade(serializers.Serializer[Any]):
    """By what all that ended comes back."""

    removal = serializers.IntegerField(allow_null=True)


class InvitationOffered(serializers.Serializer[Any]):
    """What an invitation offers; a `spare` one is its maker's own way back in."""

    id = serializers.IntegerField()
    role = serializers.ChoiceField(choices=ROLES)
    spare = serializers.BooleanField()
    made_by = serializers.CharField(allow_blank=True)
    yours = serializers.BooleanField()
    made_at = serializers.DateTimeField()
    expires_at = serializers.DateTimeField()


class InvitationSaid(InvitationOffered):
    """An invitation, whether it still lets somebody in (`stands`), and how many are in by it."""

    stands = serializers.BooleanField()
    came = serializers.IntegerField()


class InvitationsSaid(serializers.Serializer[Any]):
    """The invitations that can be revoked."""

    invitations = InvitationSaid(many=True)


class InvitationSent(serializers.Serializer[Any]):
    """A new invitation: to what, and how long it may be accepted where that is a question."""

    role = serializers.ChoiceField(choices=[*ROLES, SPARE])
    lasts = serializers.ChoiceField(choices=list(LASTS), required=False)


class InvitationMade(InvitationOffered):
    """A new invitation, with what opens it: this is the only time that is said."""

    token = serializers.CharField()
    link = serializers.CharField()


class InvitationShown(serializers.Serializer[Any]):
    """What opens an invitation: the end of its link."""

    token = serializers.CharField(max_length=LONGEST_TOKEN)


class InvitationOpened(serializers.Serializer[Any]):
    """What an invitation offers at which table, whether it still lets somebody in, and what one may there already."""

    name = serializers.CharField(help_text="What the table is called.")
    role = serializers.ChoiceField(choices=ROLES)
    spare = serializers.BooleanField()
    stands = serializers.BooleanField()
    expires_at = serializers.DateTimeField()
    yours = serializers.ChoiceField(choices=ROLES, allow_null=True)


class InvitationAccepted(InvitationShown):
    """What opens an invitation, and who comes in by it."""

    name = serializers.CharField(
        required=False, max_length=NAME_LENGTH, help_text="What one wants to be called."
    )


class LetInSaid(serializers.Serializer[Any]):
    """Where one is let in, as what and until when, and the game being played there."""

    table = serializers.CharField(help_text="The code of a table.")
    name = serializers.CharField()
    role = serializers.ChoiceField(choices=ROLES)
    expires_at = serializers.DateTimeField(allow_null=True)
    game = serializers.CharField(allow_null=True, help_text="The code of a game.")


# --- what is put away, and what is one's own --------------------------------------------------------------------------


class TableLeft(serializers.Serializer[Any]):
    """The code of the table that was left."""

    left = serializers.CharField()


class TableArchived(serializers.Serializer[Any]):
    """Whether the table stands last on the home of who asks."""

    archived = serializers.BooleanField()


class ErasedSent(serializers.Serializer[Any]):
    """The name of the table, typed by whoever means it."""

    name = serializers.CharField(max_length=TABLE_NAME_LENGTH)


class TableErased(serializers.Serializer[Any]):
    """When the table was shut, and until when an owner can bring it back; null where it is not erased."""

    erased_at = serializers.DateTimeField(allow_null=True)
    gone_at = serializers.DateTimeField(allow_null=True)


class DeviceSaid(serializers.Serializer[Any]):
    """A phone or another browser, the little it says of itself, and whether it is the one that asks."""

    id = serializers.IntegerField()
    browser = serializers.CharField(allow_blank=True)
    system = serializers.CharField(allow_blank=True)
    since = serializers.DateTimeField()
    seen_on = serializers.DateField()
    this = serializers.BooleanField()


class DevicesSaid(serializers.Serializer[Any]):
    """Where somebody is signed in."""

    devices = DeviceSaid(many=True)


class TokenSaid(serializers.Serializer[Any]):
    """A token that stands: what it may do at most, where, and whether anybody uses it."""

    id = serializers.IntegerField()
    name = serializers.CharField()
    role = serializers.ChoiceField(choices=ROLES)
    table = serializers.CharField(allow_null=True, help_text="The code of a table; null for all of them.")
    made_at = serializers.DateTimeField()
    expires_at = serializers.DateTimeField()
    used_on = serializers.DateField(allow_null=True)


class TokensSaid(serializers.Serializer[Any]):
    """The tokens somebody has given to programs."""

    tokens = TokenSaid(many=True)
