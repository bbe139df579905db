"""The events of a game in an answer, and the events of a request, to be recorded or previewed.

A newcomer is a new player whom an event names without an id, because they are not yet a member of the table.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from drf_spectacular.utils import extend_schema_serializer
from rest_framework import serializers

from games.common import naming
from games.common.api import problems, write_headers
from games.common.api.problems import ApiProblem
from games.common.api.serializers import (
    BoundedList,
    StrictCharField,
    StrictDateTimeField,
    StrictIntegerField,
    StrictSerializer,
)
from games.models import NAME_LENGTH, Game, Record
from games.play.api import fields, request_parsing
from games.play.api.timestamps import PlayedAtSerializer
from games.play.presenters import change_effects
from games.play.services import seating
from games.scoring.conflicts import ConflictKind, Missing, Remedy
from games.scoring.errors import ScoringError
from games.scoring.events import Event, Player
from games.scoring.preview import Preview
from games.scoring.text.codec import EVENT_CLASSES, field_types
from games.tables.api.views import PageQuery

MOST_EVENTS = 100  # events of one request; a long game has about eighty
# The field that names the new player, by the kinds of events that can add one.
NEWCOMER_FIELDS = {
    kind: name
    for kind in EVENT_CLASSES
    for name, field_type in field_types(kind).items()
    if field_type is Player
}
REMEDIES = [str(remedy) for remedy in Remedy]


class RecordSerializer(fields.ContentSerializer):
    """A recorded event: its number, its content, its text and its time."""

    number = serializers.IntegerField()
    at = StrictDateTimeField(source="recorded_at")
    arrived_at = StrictDateTimeField(help_text="The time when the site got the entry.")
    line = serializers.SerializerMethodField(help_text=fields.LINE)
    text = serializers.SerializerMethodField(help_text=fields.TEXT)

    def get_line(self, record: Record) -> str:
        return str(self.context["entered"].line(record.number))

    def get_text(self, record: Record) -> str:
        return str(self.context["entered"].text(record.number))


class EventsQuery(PageQuery):
    """The events of a game to list."""

    after = serializers.IntegerField(
        required=False,
        min_value=0,
        max_value=write_headers.HIGHEST,
        help_text="Only the events after this number.",
    )


class EventsSerializer(PlayedAtSerializer):
    """The events to be recorded."""

    events = BoundedList(child=fields.EventInputField(), min_length=1, max_length=MOST_EVENTS)
    after = StrictIntegerField(
        min_value=0, max_value=write_headers.HIGHEST, required=False, help_text=write_headers.AFTER
    )


@extend_schema_serializer(component_name="PreviewSent")
class PreviewInputSerializer(StrictSerializer):
    """The events to be previewed. Without `after`, they follow the current end of the log."""

    events = BoundedList(child=fields.EventInputField(), min_length=1, max_length=MOST_EVENTS)
    after = StrictIntegerField(
        min_value=0, max_value=write_headers.HIGHEST, required=False, help_text=write_headers.AFTER
    )
    answers = serializers.DictField(
        child=StrictCharField(),
        required=False,
        help_text="The chosen remedy for each conflict, by the key of the conflict.",
    )


class ChoiceSerializer(serializers.Serializer[Any]):
    """A remedy for a conflict: its name, and the events that apply it."""

    remedy = serializers.ChoiceField(choices=REMEDIES)
    events = fields.EventsField(source="changes")


class ConflictSerializer(serializers.Serializer[Any]):
    """A conflict: a recorded event that the new events make impossible, and the remedies to choose from.

    If the conflict has no choices, the events cannot be recorded.
    """

    key = serializers.CharField()
    kind = serializers.ChoiceField(
        choices=[str(kind) for kind in ConflictKind], help_text="Why the event is impossible then."
    )
    number = serializers.IntegerField()
    event = fields.EventField()
    player = serializers.CharField(
        allow_blank=True, help_text="The id of the player whom it concerns; empty for nobody."
    )
    round = serializers.IntegerField(
        source="round_number", help_text="The number of that round, or of the round after that event."
    )
    missing = serializers.ChoiceField(
        choices=[str(kind) for kind in Missing],
        allow_null=True,
        help_text="What to add: the hands of `missing_players`, the whole round, or the answer of `player`.",
    )
    missing_players = serializers.ListField(
        child=serializers.CharField(), help_text="The ids of the players who have no hand in that round."
    )
    choices = ChoiceSerializer(many=True)
    chosen = serializers.ChoiceField(choices=REMEDIES, allow_null=True)


class PreviewSerializer(serializers.Serializer[Any]):
    """The preview of events: the states before and after, the conflicts, and all events to be recorded."""

    possible = serializers.BooleanField()
    before = fields.StateSerializer()
    after = fields.StateSerializer(allow_null=True)
    conflicts = ConflictSerializer(many=True)
    events = fields.EventsField()
    note = serializers.CharField(
        allow_blank=True,
        help_text="What else changes: an earlier season, and who is owed then what they were forgiven.",
    )


def deserialize(values: Sequence[Mapping[str, Any]]) -> tuple[Event, ...]:
    """Return the events that a serializer has parsed; raise ApiProblem for an invalid one."""
    return tuple(request_parsing.parse_events(values, most=MOST_EVENTS))


def events_to_presolve(data: Mapping[str, Any], game: Game) -> tuple[Event, ...]:
    """Return the events of the body, so that their hands can be solved before the table is locked.

    Solving a hand arranges its cards into melds. A newcomer gets the id that they will probably have. If an
    event is invalid, return (): nothing is solved early, and `add_newcomers` reads the events again later.
    """
    used_slugs = set(game.table.members.values_list("slug", flat=True)) if has_newcomer(data) else set()
    try:
        return deserialize([_with_temporary_id(value, used_slugs) for value in data["events"]])
    except (ApiProblem, ScoringError):
        return ()


def _with_temporary_id(value: Any, used_slugs: Collection[str]) -> Any:
    """Return a parsed event, giving its newcomer an id that is not in `used_slugs`."""
    name = _newcomer_name(value)
    if name is None:
        return value
    newcomer = {"id": naming.slug_for(name, used_slugs), "name": name}
    return {**value, "data": {**value["data"], NEWCOMER_FIELDS[value["kind"]]: newcomer}}


def clean_newcomer_names(data: Mapping[str, Any]) -> None:
    """Replace the name of each newcomer in the events of the body by the name as it is stored.

    Raise ApiProblem for an invalid name.
    """
    for number, value in enumerate(data["events"], start=1):
        name = _newcomer_name(value)
        if name is not None:
            with problems.as_problem("events", pointer=request_parsing.json_pointer(number)):
                value["data"][NEWCOMER_FIELDS[value["kind"]]]["name"] = naming.clean_name(
                    name, longest=NAME_LENGTH
                )


def add_newcomers(data: Mapping[str, Any], game: Game, key: str) -> tuple[Event, ...]:
    """Return the events of the body. Each newcomer first becomes a member of the table, and so gets an id.

    `key` is the idempotency key of the request: a repeated request adds no member twice. Call this inside the
    transaction that records the events.
    """
    for number, value in enumerate(data["events"], start=1):
        name = _newcomer_name(value)
        if name is not None:
            with problems.as_problem("events", pointer=request_parsing.json_pointer(number)):
                member = seating.add_newcomer(game, name, key=key)
            value["data"][NEWCOMER_FIELDS[value["kind"]]] = {"id": member.slug, "name": member.name}
    return deserialize(data["events"])


def has_newcomer(data: Mapping[str, Any]) -> bool:
    return any(_newcomer_name(value) is not None for value in data["events"])


def _newcomer_name(value: Any) -> str | None:
    """Return the name of the newcomer that a parsed event adds to the game; None if it adds none."""
    match value:
        case {"kind": str(kind), "data": dict(data)} if kind in NEWCOMER_FIELDS:
            match data.get(NEWCOMER_FIELDS[kind]):
                case {"name": str(name), **more} if not more and len(name) <= fields.LONGEST_WORD:
                    return name
    return None


def preview_data(game: Game, tried: Preview, *, with_accounts: bool) -> dict[str, Any]:
    """Return the data for `PreviewSerializer`; `with_accounts` adds the changes of the accounts."""
    note = ""
    if tried.after is not None:
        change = game, tried.before, tried.after
        note = " ".join(
            change_effects.compute_effects(*change)[1]
            if with_accounts
            else change_effects.season_sentences(*change)
        )
    return {
        "possible": tried.after is not None,
        "before": tried.before,
        "after": tried.after,
        "conflicts": tried.conflicts,
        "events": tried.changes,
        "note": note,
    }
