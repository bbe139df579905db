"""Serializers for tables and their games: request bodies and answers.

The method `read` of a field returns the field's value in a request body, after checking it: `values` are the
fields of the body, `name` is the name of this field. A method `tell_x` returns the value of the field `x` in
an answer.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from rest_framework import serializers

from games.api.common.events import EventContent
from games.api.common.members import MemberSaid
from games.api.common.paging import NextSaid
from games.api.common.serializers import (
    Answer,
    Arrived,
    Body,
    ByName,
    Called,
    Items,
    Line,
    Moment,
    Money,
    Truth,
    Whole,
    Word,
)
from games.api.common.titles import TitleSaid
from games.api.common.writing import HIGHEST
from games.api.play.payloads import (
    DIRECTION_OF_WINNING,
    DIRECTIONS,
    ID,
    LONGEST_WORD,
    WINS,
    Amounts,
    EventSent,
    EventSentDescribed,
    GameScored,
    TransferScored,
    Values,
)
from games.models import (
    ALPHABET,
    CODE_LENGTH,
    DECIMALS,
    REGION_LENGTH,
    Member,
    Role,
    Table,
)
from games.notebook.fields import Fields
from games.regions import REGIONS
from games.scoring.events import Event
from games.scoring.money import Cause, Movement
from games.scoring.preview import Choice, Conflict, ConflictKind, Remedy
from games.scoring.text.codec import KINDS, kind_of, to_data
from games.scoring.variants import VARIANTS
from games.scoring.words import _

MOST_PLAYERS = 50  # far more than any variant allows; each variant checks its own limit
LONGEST = 200  # letters of a table's name; the service refuses long names with its own message
MOST_EVENTS = 100  # events of one request; a long game has about eighty
STORED = sorted(KINDS.values())
AT = (
    "The time with its zone. A time before the opening of the table, before the last entry of this game, or "
    "after now, is moved into this range; `last_at` of the answer says which time was kept."
)
EXACT = (
    "The exact time with its zone, instead of “at”. It is kept as it is, or refused with the reason: in the "
    "future, before the table was opened, before the last entry of this game. For older games see table-files/."
)
AFTER = "The number of the last event that was seen; or send the ETag as If-Match."
NAME = "The name of a newcomer at the table."
SURE = "Confirms a game that was refused as “unusual”, since these people have just started one."
APART = "New names that belong to new people, although a member's name differs only in accents."


# --- tables -----------------------------------------------------------------------------------------------


def region_sent() -> Word:
    """Return a new field for the region of a table, which decides the formats of amounts and dates."""
    return Word(
        longest=REGION_LENGTH,
        choices=["", *REGIONS],
        required=False,
        help_text="How sentences write numbers, money and days; empty if the reader's language is to decide it.",
    )


def decimals_sent() -> Whole:
    """Return a new field for the number of decimals of a table's amounts."""
    return Whole(
        min_value=0,
        max_value=DECIMALS,
        required=False,
        help_text=(
            "The decimals of its money: 2 for cents, 0 (default) for none. All amounts, stakes included, are whole "
            "numbers of the smallest coin."
        ),
    )


class TableSent(Body):
    """A table to be created.

    The default language and region are the reader's, the default time zone the server's.
    """

    name = Line(max_length=60, longest=LONGEST)
    unit = Line(max_length=12, longest=LONGEST, required=False)
    decimals = decimals_sent()
    language = Line(longest=LONGEST, required=False, help_text="One of es-ar, es, es-es, es-cl and en.")
    timezone = Line(
        longest=LONGEST, required=False, help_text=("A name such as America/Argentina/Buenos_Aires.")
    )
    region = region_sent()


class OfTable(Answer):
    """The base class of answers about a table. Subclasses add the currency and, if needed, the members."""

    code = serializers.CharField()
    name = serializers.CharField()
    role = serializers.ChoiceField(choices=[str(role) for role in Role])
    language = serializers.CharField()
    timezone = serializers.CharField()
    region = serializers.CharField(
        help_text="How sentences write numbers, money and days; empty if the reader's language decides it."
    )
    created_at = serializers.DateTimeField()

    def tell_role(self, _table: Table) -> Role:
        """Return the role of the requesting user at the table."""
        role: Role = self.context["role"]
        return role


class TableInShort(OfTable, Money):
    """A table with the role of the requesting user."""


class TableList(Answer):
    """The tables of the requesting user."""

    tables = TableInShort(many=True)


class TableRenamed(Body):
    """The new name, time zone, region or smallest coin of a table, or several of them."""

    name = Line(max_length=60, longest=LONGEST, required=False)
    timezone = Line(longest=LONGEST, required=False, help_text="A name such as America/Costa_Rica.")
    region = region_sent()
    decimals = decimals_sent()


class TableInFull(TableInShort):
    """A table with its members, in the order in which they were added."""

    members = MemberSaid(many=True)

    def tell_members(self, table: Table) -> Iterable[Member]:
        """Return the members in the order in which they were added."""
        return table.members.select_related("merged_into")


# --- games ------------------------------------------------------------------------------------------------


class Coded(Answer):
    """The base class of answers with the codes of a game and its table."""

    code = serializers.CharField()
    table = serializers.CharField(source="table.code", help_text="The code of the game's table.")


class Dated(Answer):
    """The base class of answers with a game's season, and when it was started, finished and discarded."""

    season = serializers.IntegerField(source="season_id")
    started_at = serializers.DateTimeField()
    ended_at = serializers.DateTimeField(allow_null=True)
    discarded_at = serializers.DateTimeField(allow_null=True)


class GameInShort(Coded, TitleSaid, Dated, Money):
    """A game as a row of a list."""


class GameList(Answer):
    """A page of games."""

    games = GameInShort(many=True)
    next = NextSaid()


class GameNow(GameScored, GameInShort):
    """A game and its present state."""

    after = serializers.IntegerField(help_text="The number of the last event.")
    last_at = serializers.DateTimeField(
        required=False, help_text="In the answer to a recording, the time that was kept for the last event."
    )
    options = Values()
    direction = serializers.ChoiceField(choices=DIRECTIONS)
    wins = serializers.ChoiceField(choices=WINS, help_text=DIRECTION_OF_WINNING)
    places = Amounts(help_text="The place of each player, once the game is over.")
    can_undo = serializers.BooleanField()
    can_redo = serializers.BooleanField()


class PlayerWanted(Body):
    """A player of a new game: a member by `id`, or a newcomer by `name`, which no member has."""

    id = Called(max_length=LONGEST_WORD, required=False, help_text=ID)
    name = Called(max_length=LONGEST_WORD, required=False, help_text=NAME)


class Dealer(Whole):
    """An integer field for the player who deals first, counted from 1 in the order of `players`."""

    def read(self, values: Fields, name: str) -> int:
        """Return the number; raise Unreadable if it is higher than the number of players in the body."""
        players = values.list_of("players", most=MOST_PLAYERS)
        return values.whole(name, least=1, most=max(len(players), 1))


class GameWanted(Body):
    """A game to start: its rules and its players."""

    variant = Word(choices=sorted(VARIANTS), longest=LONGEST_WORD)
    options = Values(required=False)
    direction = Word(choices=DIRECTIONS, longest=LONGEST_WORD, required=False)
    players = PlayerWanted(many=True, help_text="The players, clockwise.")
    dealer = Dealer(
        min_value=1,
        max_value=MOST_PLAYERS,
        required=False,
        help_text="The number of the player who deals first; the first player has the number 1.",
    )
    apart = Items(
        most=MOST_PLAYERS,
        child=serializers.CharField(),
        required=False,
        help_text=APART,
    )
    code = Line(
        longest=LONGEST_WORD,
        min_length=CODE_LENGTH,
        max_length=CODE_LENGTH,
        required=False,
        help_text=f"The code of the game, chosen by the program: {CODE_LENGTH} of {ALPHABET}.",
    )
    at = Moment(required=False, help_text=AT)
    played_at = Moment(required=False, help_text=EXACT)
    sure = Truth(required=False, help_text=SURE)


class RematchSent(Body):
    """The body of a request for a rematch."""

    sure = Truth(required=False, help_text=SURE)


class StepSent(Body):
    """The version of the game that the client has seen, for undo and redo."""

    after = Whole(min_value=0, max_value=HIGHEST, required=False, help_text=AFTER)
    at = Moment(required=False, help_text=AT)
    played_at = Moment(required=False, help_text=EXACT)


# --- events -----------------------------------------------------------------------------------------------


class EventNow(Answer):
    """An event, in the same format as in an exported game."""

    kind = serializers.ChoiceField(choices=STORED)
    data = EventContent()  # type: ignore[assignment]  # hides an attribute of the base class


class EventNowDescribed(EventSentDescribed):  # type: ignore[no-untyped-call]
    """The OpenAPI description of `EventNow`: one component for each kind of event."""

    target_class = EventNow
    component = "EventNow"


class NumberedEvent(Answer):
    """The base class of answers with the number of an event in its game."""

    number = serializers.IntegerField()


def event_now(event: Event) -> dict[str, object]:
    """Return the event in the format of an exported game."""
    return {"kind": kind_of(event), "data": to_data(event)}


class EventRecorded(NumberedEvent, EventNow):
    """A recorded event: its number, its content and its time."""

    at = serializers.DateTimeField(source="recorded_at")
    arrived_at = Arrived()


class EventList(Answer):
    """A page of the log of a game."""

    events = EventRecorded(many=True)
    next = NextSaid()


class EventsSent(StepSent):
    """The events to be recorded."""

    events = EventSent(many=True, max_length=MOST_EVENTS)  # type: ignore[call-arg]  # of a list
    apart = Items(most=MOST_EVENTS, child=serializers.CharField(), required=False, help_text=APART)


class PreviewSent(Body):
    """The events to be previewed. Without `after`, the preview adds them to the present end of the log."""

    events = EventSent(many=True, max_length=MOST_EVENTS)  # type: ignore[call-arg]  # of a list
    after = Whole(min_value=0, max_value=HIGHEST, required=False, help_text=AFTER)
    answers = ByName(
        kind=str,
        misshapen=_("This must be an object."),
        child=serializers.CharField(),
        required=False,
        help_text="The chosen remedy for each conflict, by the key of the conflict.",
    )


class ChoiceSaid(Answer):
    """A remedy for a conflict: its name, and the events that apply it."""

    remedy = serializers.ChoiceField(choices=[str(remedy) for remedy in Remedy])
    events = EventNow(many=True)

    def tell_events(self, choice: Choice) -> Sequence[object]:
        """Return the events that apply the remedy, as JSON."""
        return [event_now(change) for change in choice.changes]


class ConflictSaid(Answer):
    """A conflict: a recorded event that the new events make impossible, and the remedies to choose from.

    If the conflict has no choices, the events cannot be recorded.
    """

    key = serializers.CharField()
    kind = serializers.ChoiceField(choices=[str(kind) for kind in ConflictKind])
    number = serializers.IntegerField()
    event = EventNow()
    player = serializers.CharField(allow_blank=True)
    choices = ChoiceSaid(many=True)
    chosen = serializers.ChoiceField(choices=[str(remedy) for remedy in Remedy], allow_null=True)

    def tell_event(self, conflict: Conflict) -> object:
        """Return the event that becomes impossible, as JSON."""
        return event_now(conflict.event)


class PreviewSaid(Answer):
    """The preview of events: the states before and after, and the conflicts.

    `events` are all events to be recorded. `note` has sentences on what else changes: an earlier season, and
    who is owed then what they were forgiven.
    """

    possible = serializers.BooleanField()
    before = GameScored()
    after = GameScored(allow_null=True)
    conflicts = ConflictSaid(many=True)
    events = EventNow(many=True)
    note = serializers.CharField(allow_blank=True)


# --- the sheet --------------------------------------------------------------------------------------------


class Seated(Answer):
    """A column of the scoresheet: the player who has the seat now."""

    id = serializers.CharField(help_text=ID)
    name = serializers.CharField()


class SheetRow(NumberedEvent, EventNow):
    """A row of the scoresheet: an event, its points in each column, and the totals after it.

    Events that were undone, or removed by a correction, have no row.
    """

    round = serializers.IntegerField(
        allow_null=True, help_text=("The number of the round; null for other events.")
    )
    contract = serializers.CharField(allow_null=True)
    sits = serializers.ListField(
        child=serializers.CharField(allow_blank=True),
        help_text="The player in each column; empty before a newcomer joined.",
    )
    cells = serializers.ListField(child=serializers.IntegerField(allow_null=True))
    totals = serializers.ListField(child=serializers.IntegerField(allow_null=True))
    fee = serializers.IntegerField(help_text="The price of a re-entry; 0 for other events.")
    corrected = serializers.BooleanField()
    text = serializers.CharField()


class CauseSaid(TransferScored):
    """An amount that an event moved from one player to another; "(pot)" stands for the pot.

    `number` is the number of the event.
    """

    cause = serializers.ChoiceField(choices=[str(cause) for cause in Cause])
    number = serializers.IntegerField()
    count = serializers.IntegerField(help_text="The number of the player's re-entry.")

    def tell_from(self, movement: Movement) -> str:
        """Return the id of the player who pays, or "(pot)"."""
        return movement.payer

    def tell_to(self, movement: Movement) -> str:
        """Return the id of the player who is paid, or "(pot)"."""
        return movement.payee


class SheetSaid(Answer):
    """The scoresheet of a game, and the causes of its money."""

    columns = Seated(many=True)
    rows = SheetRow(many=True)
    causes = CauseSaid(many=True)


class GameInFull(GameNow, SheetSaid):
    """A game: its state, its scoresheet, and what each event moved."""
