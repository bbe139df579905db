"""The schemas of events: for each kind a JSON schema, a line of notation and an example.

They describe exactly what `games/scoring/text/codec.py` reads, and are components of the OpenAPI document.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from inspect import getdoc
from typing import Any, get_args

from games.common.api import descriptions
from games.scoring import events
from games.scoring.events import Amendment, Player, PlayEvent, StartEvent, Stop
from games.scoring.rounds import Hand, PlayerId
from games.scoring.rule_types import Value
from games.scoring.text.codec import DEFAULTS, EVENT_CLASSES, StoredEvent, field_types, to_data
from games.scoring.text.game_file import parse_game_file
from games.scoring.text.notation import MAX_LINE_LENGTH, parse_line

Schema = dict[str, Any]

DATA = "EventData"  # the name of the OpenAPI component
COMPONENTS = "#/components/schemas/"

START_KINDS, PLAY_KINDS, CORRECTION_ONLY_KINDS = (
    [event.kind for event in get_args(union)] for union in (StartEvent, PlayEvent, Amendment)
)


def schema_ref(name: str) -> Schema:
    """Return a schema that refers to the OpenAPI component with this name (`$ref`)."""
    return {"$ref": f"{COMPONENTS}{name}"}


def object_schema(text: str, parts: Mapping[str, Schema], *, optional: tuple[str, ...] = ()) -> Schema:
    required = [name for name in parts if name not in optional]
    return {"type": "object", "description": text, "properties": dict(parts), "required": required}


TEXT: Schema = {"type": "string"}
NUMBER: Schema = {"type": "integer"}
ID: Schema = {"type": "string", "pattern": "^[a-z][a-z0-9_]*$"}
VALUE: Schema = {"oneOf": [TEXT, NUMBER]}


def _list_schema(items: Schema) -> Schema:
    return {"type": "array", "items": items}


def _pairs_schema(item: Schema) -> Schema:
    """Return the schema of a list of pairs, each of two items with this schema.

    OpenAPI 3.0 cannot give the two items of a pair different schemas.
    """
    return _list_schema({**_list_schema(item), "minItems": 2, "maxItems": 2})


# Every type that a field of an event may have.
TYPE_SCHEMAS: Mapping[Any, Schema] = {
    str: TEXT,
    int: NUMBER,
    Stop: {**TEXT, "enum": [str(how) for how in Stop]},
    tuple[tuple[str, Value], ...]: _pairs_schema(VALUE),
    PlayerId: TEXT,
    PlayerId | None: {**ID, "nullable": True},
    Player: schema_ref("EventNewcomer"),
    tuple[Player, ...]: _list_schema(schema_ref("EventPlayer")),
    tuple[PlayerId, ...]: {**_list_schema(TEXT), "minItems": 1},
    tuple[tuple[PlayerId, int], ...]: _pairs_schema(VALUE),
    tuple[tuple[PlayerId, Hand], ...]: _pairs_schema(TEXT),
}

# The descriptions of the fields of events, by name. If a field means something else in an event, `OBJECTS` says it.
FIELD_DESCRIPTIONS: Mapping[str, str] = {
    "variant": "The key of the variant.",
    "options": "The options, each as its key and its value.",
    "dealer": "The id of the player who deals first; empty for the first player.",
    "direction": "The direction of the deal: left or right.",
    "players": "The players, clockwise.",
    "places": "The place of each player, as pairs of id and place.",
    "totals": "The total of each player, as pairs of id and points.",
    "nets": "The money each player won or lost, as pairs of id and amount.",
    "note": "What was written beside the night; may be empty.",
    "closer": "Who closed the round; null, in a line of notation `nobody`, if nobody did.",
    "closing": "The key of a closing of the variant; `variants/{key}/` lists them in `closings`.",
    "hands": "The hands, as pairs of id and hand: 23, [K 7 *], {A 2 Q}[4 *] or 45+2.",
    "player": "The id of a player.",
    "to": "The person who takes the seat.",
    "after": "The id of the player on the right; empty for the list's end.",
    "points": "Below zero for points taken off.",
    "reason": "What the points are for.",
    "number": "The number of an earlier event of the game.",
}


def _data_schema(event: type[StoredEvent], text: str, **changes: Schema) -> Schema:
    """Return the schema of an event's data. `changes` are additions to the schemas of its fields, by name."""
    parts = {name: TYPE_SCHEMAS[field_type] for name, field_type in field_types(event.kind).items()}
    for name in parts.keys() & FIELD_DESCRIPTIONS.keys():
        parts[name] = descriptions.with_description(parts[name], FIELD_DESCRIPTIONS[name])
    for name, change in changes.items():
        parts[name] = {**parts[name], **change}
    return object_schema(text, parts, optional=tuple(DEFAULTS[event.kind]))


# The schemas of all objects in the data of events, by component name.
OBJECTS: Mapping[str, Schema] = {
    "EventPlayer": object_schema("A player: the id in events, and the name shown.", {"id": ID, "name": TEXT}),
    "EventNewcomer": object_schema(
        "A newcomer. A request may leave out the id: the newcomer then becomes a member and gets one.",
        {"id": ID, "name": TEXT},
        optional=("id",),
    ),
    "GameStartedData": _data_schema(events.GameStarted, "The rules and players of a game."),
    "RulesAgreedData": _data_schema(events.RulesAgreed, "The rules that replace those of event 1."),
    "PlayersSeatedData": _data_schema(events.PlayersSeated, "The players that replace those of event 1."),
    "NightImportedData": _data_schema(
        events.NightImported,
        "A night of an old notebook; totals and nets may be empty.",
        variant={"description": "The key of the variant; empty if unknown."},
    ),
    "RoundPlayedData": _data_schema(events.RoundPlayed, "The closer, the closing and the hands of a round."),
    "OfPlayerData": _data_schema(events.DealPassed, "The player of the event."),
    "PlayerJoinedData": _data_schema(
        events.PlayerJoined, "A newcomer and the neighbour.", player={"description": "Who sits down."}
    ),
    "SeatHandedOverData": _data_schema(
        events.SeatHandedOver, "The player who leaves the seat, and who takes it."
    ),
    "PointsAdjustedData": _data_schema(
        events.PointsAdjusted, "The points added to a player's total, and why."
    ),
    "GameStoppedData": _data_schema(events.GameStopped, "The way in which the players stopped."),
    "WinnersNamedData": _data_schema(
        events.WinnersNamed, "Who has won.", players={"description": "The ids of the winners."}
    ),
    "TotalsAgreedData": _data_schema(events.TotalsAgreed, "The agreed totals.", totals={"minItems": 1}),
    "StruckData": _data_schema(events.Struck, "The event taken out."),
}


# An example in notation of each kind that is not in `CORRECTION_ONLY_KINDS`. Kinds that begin a game take
# several lines.
LINES: Mapping[str, str] = {
    "game_started": 'game loba_menos stake=100\nplayers ana beto caro="Carolina"',
    "night_imported": "night chinchon\nplayers ana beto\nplaces ana=1 beto=2\ntotals ana=40 beto=101",
    "round_played": "round caro out ana=23 beto=[K 7 *]",
    "player_reentered": "reenter beto",
    "player_stayed_out": "stay_out beto",
    "player_left": "leave beto",
    "player_joined": 'join eva="Eva" after=ana',
    "seat_handed_over": 'replace beto by eva="Eva"',
    "points_adjusted": 'adjust beto=+5 "multa"',
    "deal_passed": "deal caro",
    "game_stopped": "stop lowest_wins",
    "winners_named": "won caro",
    "totals_agreed": "agree ana=21 beto=37 caro=37",
    "corrected": "correct 2 round caro out ana=23 beto=17",
    "inserted": "before 3 round ana out beto=9 caro=4",
    "struck": "strike 2",
}
NOTATION = {
    **{kind: f"As a line of notation: {line}" for kind, line in LINES.items() if kind not in START_KINDS},
    "round_played": f"As a line of notation: {LINES['round_played']} or round nobody stock_out ana=3 beto=9",
    "corrected": f"As a line of notation: {LINES['corrected']} or correct 1 game loba_menos stake=200",
}
NAMES = {kind: event.__name__ for kind, event in EVENT_CLASSES.items()}
MEANINGS = {kind: " ".join((getdoc(event) or "").split()) for kind, event in EVENT_CLASSES.items()}


def event_example(kind: str) -> Schema:
    """Return an example of an event of this kind as JSON, read from its line of notation."""
    line = LINES[kind]
    event = parse_game_file(line)[0].events[0] if kind in START_KINDS else parse_line(line)[0]
    return {"kind": event.kind, "data": to_data(event)}


def _data_component(kind: str) -> str:
    """Return the name of the component with the data of this kind. Kinds with only a player share one."""
    has_only_player = field_types(kind) == field_types(events.DealPassed.kind)
    return "OfPlayerData" if has_only_player else f"{NAMES[kind]}Data"


def _event_schema(kind: str) -> Schema:
    parts = {"kind": {**TEXT, "enum": [kind]}, "data": schema_ref(_data_component(kind))}
    text = f"{MEANINGS[kind]} {NOTATION.get(kind, '')}"
    return {**object_schema(text, parts), "example": event_example(kind)}


def _correction_schema(text: str, kinds: Sequence[str]) -> Schema:
    kind = {"type": "string", "enum": list(kinds), "description": "The kind of the event inside."}
    inside = [schema_ref(name) for name in dict.fromkeys(map(_data_component, kinds))]
    event = {"anyOf": inside, "description": "The data of the event inside."}
    number = descriptions.with_description(NUMBER, FIELD_DESCRIPTIONS["number"])
    return object_schema(text, {"number": number, "kind": kind, "event": event})


def add_event_schemas(result: Schema, **_context: Any) -> Schema:
    """Add the components that describe events; drf-spectacular calls this with the finished schema."""
    result["components"]["schemas"] |= {
        **OBJECTS,
        "CorrectedData": _correction_schema(
            "The number of an event, and its replacement.", [*PLAY_KINDS, *CORRECTION_ONLY_KINDS]
        ),
        "InsertedData": _correction_schema(
            "The number of an event, and the event put in before it.", PLAY_KINDS
        ),
        **{f"{NAMES[kind]}Event": _event_schema(kind) for kind in LINES},
        DATA: {
            "anyOf": [schema_ref(name) for name in dict.fromkeys(map(_data_component, LINES))],
            "description": "The data of an event; its kind says which.",
        },
        "EventNow": {
            "oneOf": [schema_ref(f"{NAMES[kind]}Event") for kind in LINES],
            "discriminator": {
                "propertyName": "kind",
                "mapping": {kind: f"{COMPONENTS}{NAMES[kind]}Event" for kind in LINES},
            },
            "description": "An event by its kind and data.",
        },
        "EventLine": {
            **object_schema(
                "One line of notation. Events joined by a semicolon are recorded together.",
                {"line": {**TEXT, "minLength": 1, "maxLength": MAX_LINE_LENGTH}},
            ),
            "example": {"line": LINES["round_played"]},
        },
        "EventSent": {
            "anyOf": [schema_ref("EventNow"), schema_ref("EventLine")],
            "description": "An event by its kind and data, or as a line of notation.",
        },
    }
    return result
