"""What the API takes and answers about tables and their games."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from rest_framework import serializers

from games.api.common.members import MemberSaid
from games.api.common.owed import Between, OwedSaid
from games.api.common.paging import NextSaid
from games.api.common.serializers import (
    Answer,
    Body,
    ByName,
    Called,
    Items,
    Line,
    Moment,
    Money,
    Whole,
    Word,
)
from games.api.common.titles import TitleSaid
from games.api.common.writing import HIGHEST
from games.api.play.payloads import (
    DIRECTIONS,
    ID,
    LONGEST_WORD,
    Amounts,
    GameScored,
    Pairwise,
    TransferScored,
    Values,
)
from games.models import CODE_LENGTH, DECIMALS, Flag, Member, Role, Table
from games.notebook.fields import Fields
from games.play.recording import LONGEST_LOG
from games.scoring.events import Event
from games.scoring.money import Cause, Movement
from games.scoring.preview import Choice, Conflict, ConflictKind, Remedy
from games.scoring.state import Reason
from games.scoring.text.codec import KINDS, kind_of, to_data
from games.scoring.variants import VARIANTS
from games.scoring.words import _

MOST_PLAYERS = 50  # far beyond any game, which says itself how many it takes
LONGEST = 200  # letters of the name of a table; the service refuses long ones in its own words
LONGEST_NOTE = 1_000  # letters of a note; the service refuses long ones in its own words
MOST_EVENTS = 100  # of one write: a long game has some eighty
STORED = sorted(KINDS.values())
AT = "When it happened, with its zone: kept between what was recorded or closed before and now."
AFTER = "The number of the last event that was seen; or If-Match with the ETag."
NAME = "Somebody new at the table."


# --- tables -----------------------------------------------------------------------------------------------------------


class TableSent(Body):
    """A table; without a language or a time zone it has the reader's and the server's."""

    name = Line(max_length=60, longest=LONGEST)
    unit = Line(max_length=12, longest=LONGEST, required=False)
    decimals = Whole(min_value=0, max_value=DECIMALS, required=False)
    language = Line(longest=LONGEST, required=False, help_text="es-ar, es or en.")
    timezone = Line(longest=LONGEST, required=False, help_text="America/Argentina/Buenos_Aires")


class OfTable(Answer):
    """A table without its money."""

    code = serializers.CharField()
    name = serializers.CharField()
    role = serializers.ChoiceField(choices=[str(role) for role in Role])
    language = serializers.CharField()
    timezone = serializers.CharField()
    created_at = serializers.DateTimeField()

    def tell_role(self, _table: Table) -> Role | None:
        """Return the role of the user."""
        role: Role | None = self.context["role"]
        return role


class TableInShort(OfTable, Money):
    """A table, and the role of who asks."""


class TableList(Answer):
    """The tables of who asks."""

    tables = TableInShort(many=True)


class TableRenamed(Body):
    """What the table is called from now on."""

    name = Line(max_length=60, longest=LONGEST)


class TableInFull(TableInShort):
    """A table and its members, in the order they came."""

    members = MemberSaid(many=True)

    def tell_members(self, table: Table) -> Iterable[Member]:
        """Return the members in the order they came."""
        return table.members.select_related("merged_into")


# --- games ------------------------------------------------------------------------------------------------------------


class Coded(Answer):
    """The codes of a game and its table."""

    code = serializers.CharField()
    table = serializers.CharField(source="table.code", help_text="The code of its table.")


class Dated(Answer):
    """The season of a game, and when it was played."""

    season = serializers.IntegerField(source="season_id")
    started_at = serializers.DateTimeField()
    ended_at = serializers.DateTimeField(allow_null=True)
    discarded_at = serializers.DateTimeField(allow_null=True)


class GameInShort(Coded, TitleSaid, Dated, Money):
    """A game as a list has it."""


class GameList(Answer):
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


class PlayerWanted(Body):
    """A member by `id`, or somebody new by `name`."""

    id = Called(max_length=LONGEST_WORD, required=False, help_text=ID)
    name = Called(max_length=LONGEST_WORD, required=False, help_text=NAME)


class Dealer(Whole):
    """The number of a player: how many there are is only known once they are read."""

    def read(self, values: Fields, name: str) -> int:
        """Return the number."""
        players = values.list_of("players", most=MOST_PLAYERS)
        return values.whole(name, least=1, most=max(len(players), 1))


class GameWanted(Body):
    """A game to start."""

    variant = Word(choices=sorted(VARIANTS), longest=LONGEST_WORD)
    options = Values(required=False)
    direction = Word(choices=DIRECTIONS, longest=LONGEST_WORD, required=False)
    players = PlayerWanted(many=True, help_text="Clockwise.")
    dealer = Dealer(
        min_value=1,
        max_value=MOST_PLAYERS,
        required=False,
        help_text="Who of them deals first, the first being 1.",
    )
    apart = Items(
        most=MOST_PLAYERS,
        child=serializers.CharField(),
        required=False,
        help_text="New names that only accents tell from somebody's, and are somebody else's.",
    )
    code = Line(
        longest=LONGEST_WORD,
        min_length=CODE_LENGTH,
        max_length=CODE_LENGTH,
        required=False,
        help_text="The game's code, made up by you.",
    )
    at = Moment(required=False, help_text=AT)


class Nothing(Body):
    """An empty object."""


class StepSent(Body):
    """What was seen before a step back or forth."""

    after = Whole(min_value=0, max_value=HIGHEST, required=False, help_text=AFTER)
    at = Moment(required=False, help_text=AT)


# --- events -----------------------------------------------------------------------------------------------------------


class EventNow(Answer):
    """One event, in the form in which a game is exported."""

    kind = serializers.ChoiceField(choices=STORED)
    data = serializers.DictField()  # type: ignore[assignment]  # a name of our own


class NumberedEvent(Answer):
    """The number of an event."""

    number = serializers.IntegerField()


def event_now(event: Event) -> dict[str, object]:
    """Return an event as it is exported."""
    return {"kind": kind_of(event), "data": to_data(event)}


class EventRecorded(NumberedEvent, EventNow):
    """One event as it was recorded."""

    at = serializers.DateTimeField(source="recorded_at")


class EventList(Answer):
    """A page of the log."""

    events = EventRecorded(many=True)
    next = NextSaid()


class EventsSent(StepSent):
    """Events to record."""

    events = EventNow(many=True, max_length=MOST_EVENTS)  # type: ignore[call-arg]  # of a list
    apart = Items(most=MOST_EVENTS, child=serializers.CharField(), required=False, help_text=NAME)


class PreviewSent(Body):
    """Events to try out; without `after` behind the last one there is."""

    events = EventNow(many=True, max_length=MOST_EVENTS)  # type: ignore[call-arg]  # of a list
    after = Whole(min_value=0, max_value=HIGHEST, required=False, help_text=AFTER)
    answers = ByName(
        kind=str,
        misshapen=_("This should be an object with named parts."),
        child=serializers.CharField(),
        required=False,
        help_text="The remedy chosen for each conflict, by its key.",
    )


class ChoiceSaid(Answer):
    """One way to settle a conflict, and the events it takes."""

    remedy = serializers.ChoiceField(choices=[str(remedy) for remedy in Remedy])
    events = EventNow(many=True)

    def tell_events(self, choice: Choice) -> Sequence[object]:
        """Return the events to record for it."""
        return [event_now(change) for change in choice.changes]


class ConflictSaid(Answer):
    """Something later that fits no more; without choices the events cannot be recorded."""

    key = serializers.CharField()
    kind = serializers.ChoiceField(choices=[str(kind) for kind in ConflictKind])
    number = serializers.IntegerField()
    event = EventNow()
    player = serializers.CharField(allow_blank=True)
    choices = ChoiceSaid(many=True)
    chosen = serializers.ChoiceField(choices=[str(remedy) for remedy in Remedy], allow_null=True)

    def tell_event(self, conflict: Conflict) -> object:
        """Return the event that does not fit."""
        return event_now(conflict.event)


class PreviewSaid(Answer):
    """What the events would change; `events` is all there is to record, and `note` says what closed nights show."""

    possible = serializers.BooleanField()
    before = GameScored()
    after = GameScored(allow_null=True)
    conflicts = ConflictSaid(many=True)
    events = EventNow(many=True)
    note = serializers.CharField(allow_blank=True)


# --- the sheet --------------------------------------------------------------------------------------------------------


class Seated(Answer):
    """Who sits in a column now."""

    id = serializers.CharField(help_text=ID)
    name = serializers.CharField()


class SheetRow(NumberedEvent, EventNow):
    """One event that counts: what it moved in each column, and the totals after it."""

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


class SheetSaid(Answer):
    """The scoresheet."""

    code = serializers.CharField()
    after = serializers.IntegerField()
    columns = Seated(many=True)
    rows = SheetRow(many=True)


# --- money ------------------------------------------------------------------------------------------------------------


class CauseSaid(Between):
    """What event `number` moved from one to another, or to and from the pot: (pot)."""

    cause = serializers.ChoiceField(choices=[str(cause) for cause in Cause])
    number = serializers.IntegerField()
    count = serializers.IntegerField(help_text="Which re-entry of the player it was.")

    def tell_from(self, movement: Movement) -> str:
        """Return the id of who paid."""
        return movement.payer

    def tell_to(self, movement: Movement) -> str:
        """Return the id of who was paid."""
        return movement.payee


class OfGame(Answer):
    """The code of a game."""

    code = serializers.CharField()


class SettlementSaid(OfGame, Money):
    """The money of a game."""

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


class FlagSettled(Body):
    """A hand of a round."""

    number = Whole(min_value=1, max_value=LONGEST_LOG, help_text="The number of the round's event.")
    player = Line(longest=LONGEST_NOTE)


class FlagSent(FlagSettled):
    """A hand that somebody says is not right."""

    note = Line(max_length=200, longest=LONGEST_NOTE, required=False)


class FlagSaid(Answer):
    """A doubt."""

    number = serializers.IntegerField(
        min_value=1, max_value=LONGEST_LOG, help_text="The number of the round's event."
    )
    player = serializers.CharField()
    note = serializers.CharField(allow_blank=True)
    mine = serializers.BooleanField()
    at = serializers.DateTimeField(source="flagged_at")

    def tell_mine(self, flag: Flag) -> bool:
        """Return whether the user raised it."""
        return bool(flag.by_id == self.context["user_id"])


class FlagList(Answer):
    """The doubts that are open."""

    flags = FlagSaid(many=True)


class Settled(Answer):
    """How many doubts were settled."""

    settled = serializers.IntegerField()
