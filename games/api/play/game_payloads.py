"""The forms of what is sent and answered about tables and their games, for the description of the API."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from games.api.common.members import MemberSaid
from games.api.common.owed_payloads import OwedSaid, paying
from games.api.common.paging import NextSaid
from games.api.common.titles import TitleSaid
from games.api.common.writing import HIGHEST
from games.api.play.house import DIRECTIONS
from games.api.play.payloads import (
    ID,
    Amounts,
    GameScored,
    Pairwise,
    TransferScored,
    Values,
)
from games.models import CODE_LENGTH, DECIMALS, Role
from games.play.recording import LONGEST_LOG
from games.scoring.money import Cause
from games.scoring.preview import ConflictKind, Remedy
from games.scoring.state import Reason
from games.scoring.text.codec import KINDS
from games.scoring.variants import VARIANTS

MOST_EVENTS = 100  # of one write: a long game has some eighty
STORED = sorted(KINDS.values())
AT = "When it happened, with its zone: kept between what was recorded or closed before and now."
AFTER = "The number of the last event that was seen; or If-Match with the ETag."
NAME = "Somebody new at the table."


class Money(serializers.Serializer[Any]):
    """What amounts are of: whole numbers, the last `decimals` digits of which stand behind the point."""

    unit = serializers.CharField()
    decimals = serializers.IntegerField(min_value=0, max_value=DECIMALS)


# --- tables -----------------------------------------------------------------------------------------------------------


class TableSent(serializers.Serializer[Any]):
    """A table; without a language or a time zone it has the reader's and the server's."""

    name = serializers.CharField(max_length=60)
    unit = serializers.CharField(max_length=12, required=False)
    decimals = serializers.IntegerField(min_value=0, max_value=DECIMALS, required=False)
    language = serializers.CharField(required=False, help_text="es-ar, es or en.")
    timezone = serializers.CharField(required=False, help_text="America/Argentina/Buenos_Aires")


class TableInShort(Money):
    """A table, and the role of who asks."""

    code = serializers.CharField()
    name = serializers.CharField()
    role = serializers.ChoiceField(choices=[str(role) for role in Role])
    language = serializers.CharField()
    timezone = serializers.CharField()
    created_at = serializers.DateTimeField()


class TableList(serializers.Serializer[Any]):
    """The tables of who asks."""

    tables = TableInShort(many=True)


class TableRenamed(serializers.Serializer[Any]):
    """What the table is called from now on."""

    name = serializers.CharField(max_length=60)


class TableInFull(TableInShort):
    """A table and its members, in the order they came."""

    members = MemberSaid(many=True)


# --- games ------------------------------------------------------------------------------------------------------------


class GameInShort(TitleSaid, Money):
    """A game as a list has it."""

    code = serializers.CharField()
    table = serializers.CharField(help_text="The code of its table.")
    season = serializers.IntegerField()
    started_at = serializers.DateTimeField()
    ended_at = serializers.DateTimeField(allow_null=True)
    discarded_at = serializers.DateTimeField(allow_null=True)


class GameList(serializers.Serializer[Any]):
    """A page of games."""

    games = GameInShort(many=True)
    next = NextSaid()


class GameNow(GameScored, GameInShort):
    """A game and how it stands."""

    after = serializers.IntegerField(help_text="The number of the last event.")
    options = Values()
    direction = serializers.ChoiceField(choices=DIRECTIONS)
    places = Amounts(help_text="The place of each, once it is over.")
    can_undo = serializers.BooleanField()
    can_redo = serializers.BooleanField()


class PlayerWanted(serializers.Serializer[Any]):
    """A member by `id`, or somebody new by `name`."""

    id = serializers.CharField(max_length=100, required=False, help_text=ID)
    name = serializers.CharField(max_length=100, required=False, help_text=NAME)


class GameWanted(serializers.Serializer[Any]):
    """A game to start."""

    variant = serializers.ChoiceField(choices=sorted(VARIANTS))
    options = Values(required=False)
    direction = serializers.ChoiceField(choices=DIRECTIONS, required=False)
    players = PlayerWanted(many=True, help_text="Clockwise.")
    dealer = serializers.IntegerField(
        min_value=1, max_value=50, required=False, help_text="Who of them deals first, the first being 1."
    )
    apart = serializers.ListField(
        child=serializers.CharField(),
        required=False,
        help_text="New names that only accents tell from somebody's, and are somebody else's.",
    )
    code = serializers.CharField(
        min_length=CODE_LENGTH,
        max_length=CODE_LENGTH,
        required=False,
        help_text="The game's code, made up by you.",
    )
    at = serializers.DateTimeField(required=False, help_text=AT)


class Nothing(serializers.Serializer[Any]):
    """An empty object."""


class StepSent(serializers.Serializer[Any]):
    """What was seen before a step back or forth."""

    after = serializers.IntegerField(min_value=0, max_value=HIGHEST, required=False, help_text=AFTER)
    at = serializers.DateTimeField(required=False, help_text=AT)


# --- events -----------------------------------------------------------------------------------------------------------


class EventNow(serializers.Serializer[Any]):
    """One event, in the form in which a game is exported."""

    kind = serializers.ChoiceField(choices=STORED)
    data = serializers.DictField()  # type: ignore[assignment]  # a name of our own


class EventRecorded(EventNow):
    """One event as it was recorded."""

    number = serializers.IntegerField()
    at = serializers.DateTimeField()


class EventList(serializers.Serializer[Any]):
    """A page of the log."""

    events = EventRecorded(many=True)
    next = NextSaid()


class EventsSent(StepSent):
    """Events to record."""

    events = EventNow(many=True, max_length=MOST_EVENTS)  # type: ignore[call-arg]  # of a list
    apart = serializers.ListField(child=serializers.CharField(), required=False, help_text=NAME)


class PreviewSent(serializers.Serializer[Any]):
    """Events to try out; without `after` behind the last one there is."""

    events = EventNow(many=True, max_length=MOST_EVENTS)  # type: ignore[call-arg]  # of a list
    after = serializers.IntegerField(min_value=0, max_value=HIGHEST, required=False, help_text=AFTER)
    answers = serializers.DictField(
        child=serializers.CharField(),
        required=False,
        help_text="The remedy chosen for each conflict, by its key.",
    )


class ChoiceSaid(serializers.Serializer[Any]):
    """One way to settle a conflict, and the events it takes."""

    remedy = serializers.ChoiceField(choices=[str(remedy) for remedy in Remedy])
    events = EventNow(many=True)


class ConflictSaid(serializers.Serializer[Any]):
    """Something later that fits no more; without choices the events cannot be recorded."""

    key = serializers.CharField()
    kind = serializers.ChoiceField(choices=[str(kind) for kind in ConflictKind])
    number = serializers.IntegerField()
    event = EventNow()
    player = serializers.CharField(allow_blank=True)
    choices = ChoiceSaid(many=True)
    chosen = serializers.ChoiceField(choices=[str(remedy) for remedy in Remedy], allow_null=True)


class PreviewSaid(serializers.Serializer[Any]):
    """What the events would change; `events` is all there is to record, and `note` says what closed nights show."""

    possible = serializers.BooleanField()
    before = GameScored()
    after = GameScored(allow_null=True)
    conflicts = ConflictSaid(many=True)
    events = EventNow(many=True)
    note = serializers.CharField(allow_blank=True)


# --- the sheet --------------------------------------------------------------------------------------------------------


class Seated(serializers.Serializer[Any]):
    """Who sits in a column now."""

    id = serializers.CharField(help_text=ID)
    name = serializers.CharField()


class SheetRow(EventNow):
    """One event that counts: what it moved in each column, and the totals after it."""

    number = serializers.IntegerField()
    round = serializers.IntegerField(allow_null=True, help_text="Which round it is; null for anything else.")
    contract = serializers.CharField(allow_null=True)
    sits = serializers.ListField(
        child=serializers.CharField(allow_blank=True),
        help_text="Who sat in each column; empty before a newcomer.",
    )
    cells = serializers.ListField(child=serializers.IntegerField(allow_null=True))
    totals = serializers.ListField(child=serializers.IntegerField(allow_null=True))
    fee = serializers.IntegerField(help_text="Of a re-entry what it cost.")
    corrected = serializers.BooleanField()
    text = serializers.CharField()


class SheetSaid(serializers.Serializer[Any]):
    """The scoresheet."""

    code = serializers.CharField()
    after = serializers.IntegerField()
    columns = Seated(many=True)
    rows = SheetRow(many=True)


# --- money ------------------------------------------------------------------------------------------------------------


CauseSaid = paying(
    "CauseSaid",
    "What event `number` moved from one to another, or to and from the pot: (pot).",
    cause=serializers.ChoiceField(choices=[str(cause) for cause in Cause]),
    number=serializers.IntegerField(),
    count=serializers.IntegerField(help_text="Which re-entry of the player it was."),
)


class SettlementSaid(Money):
    """The money of a game."""

    code = serializers.CharField()
    over = serializers.ChoiceField(choices=[str(reason) for reason in Reason], allow_null=True)
    winners = serializers.ListField(child=serializers.CharField())
    pot = serializers.IntegerField()
    transfers = TransferScored(many=True)
    pairwise = Pairwise()
    nets = Amounts()
    places = Amounts()
    causes = CauseSaid(many=True)
    owed = OwedSaid()


# --- doubts -----------------------------------------------------------------------------------------------------------


class FlagSettled(serializers.Serializer[Any]):
    """A hand of a round."""

    number = serializers.IntegerField(
        min_value=1, max_value=LONGEST_LOG, help_text="The number of the round's event."
    )
    player = serializers.CharField()


class FlagSent(FlagSettled):
    """A hand that somebody says is not right."""

    note = serializers.CharField(max_length=200, required=False)


class FlagSaid(FlagSettled):
    """A doubt."""

    note = serializers.CharField(allow_blank=True)
    mine = serializers.BooleanField()
    at = serializers.DateTimeField()


class FlagList(serializers.Serializer[Any]):
    """The doubts that are open."""

    flags = FlagSaid(many=True)


class Settled(serializers.Serializer[Any]):
    """How many doubts were settled."""

    settled = serializers.IntegerField()
