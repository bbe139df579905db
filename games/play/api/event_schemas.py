"""The schemas of events: for each kind a JSON schema, a line of notation and an example.

They describe exactly what `games/scoring/text/codec.py` reads, and are components of the OpenAPI document.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import fields
from inspect import getdoc
from typing import Any

from games.common.api import descriptions
from games.scoring import events
from games.scoring.events import Stop
from games.scoring.rounds import RoundEntry
from games.scoring.text.codec import EVENT_CLASSES, to_data
from games.scoring.text.game_file import parse_game_file
from games.scoring.text.notation import MAX_LINE_LENGTH, parse_line

Schema = dict[str, Any]

DATA = "EventData"  # the name of the OpenAPI component
COMPONENTS = "#/components/schemas/"

CORRECTIONS = ("corrected", "inserted", "struck")
START_KINDS = ("game_started", "night_imported")
CORRECTION_ONLY_KINDS = ("rules_agreed", "players_seated")  # the kinds that occur only in a correction


def schema_ref(name: str) -> Schema:
    """Return a schema that refers to the OpenAPI component with this name (`$ref`)."""
    return {"$ref": f"{COMPONENTS}{name}"}


def object_schema(text: str, parts: Mapping[str, Schema], *, optional: tuple[str, ...] = ()) -> Schema:
    required = [name for name in parts if name not in optional]
    return {"type": "object", "description": text, "properties": dict(parts), "required": required}


def _list_schema(items: Schema, text: str, **limits: int) -> Schema:
    return {"type": "array", "items": items, "description": text, **limits}


TEXT: Schema = {"type": "string"}
NUMBER: Schema = {"type": "integer"}
ID: Schema = {"type": "string", "pattern": "^[a-z][a-z0-9_]*$"}
VALUE: Schema = {"oneOf": [TEXT, NUMBER]}


def _pairs_schema(second: Schema, text: str, **limits: int) -> Schema:
    """Return the schema of a list of pairs: an id or a key, and a value with the schema `second`.

    OpenAPI 3.0 cannot give the two items of a pair different schemas. `limits` are keys such as `minItems`.
    """
    pair = {"type": "array", "items": TEXT if second == TEXT else VALUE, "minItems": 2, "maxItems": 2}
    return _list_schema(pair, text, **limits)


EVENT_NUMBER = {**NUMBER, "description": "The number of an earlier event of the game."}
TOTALS = "The total of each player, as pairs of id and points."

# The schemas of the fields of events, by name. An event whose field is missing here, or means something else,
# describes it below.
FIELDS: Mapping[str, Schema] = {
    "variant": {**TEXT, "description": "The key of the variant."},
    "options": _pairs_schema(VALUE, "The options, each as its key and its value."),
    "dealer": {**TEXT, "description": "The id of the player who deals first; empty for the first player."},
    "direction": {**TEXT, "description": "The direction of the deal: left or right."},
    "players": _list_schema(schema_ref("EventPlayer"), "The players, clockwise."),
    "places": _pairs_schema(NUMBER, "The place of each player, as pairs of id and place."),
    "totals": _pairs_schema(NUMBER, TOTALS),
    "nets": _pairs_schema(NUMBER, "The money each player won or lost, as pairs of id and amount."),
    "note": {**TEXT, "description": "What was written beside the night; may be empty."},
    "closer": {
        **ID,
        "nullable": True,
        "description": "Who closed the round; null, in a line of notation `nobody`, if nobody did.",
    },
    "closing": {
        **TEXT,
        "description": "The key of a closing of the variant; `variants/{key}/` lists them in `closings`.",
    },
    "hands": _pairs_schema(TEXT, "The hands, as pairs of id and hand: 23, [K 7 *], {A 2 Q}[4 *] or 45+2."),
    "player": {**TEXT, "description": "The id of a player."},
    "to": descriptions.with_description(schema_ref("EventNewcomer"), "The person who takes the seat."),
    "after": {**TEXT, "description": "The id of the player on the right; empty for the list's end."},
    "points": {**NUMBER, "description": "Below zero for points taken off."},
    "reason": {**TEXT, "description": "What the points are for."},
    "how": {**TEXT, "enum": [str(how) for how in Stop]},
    "number": EVENT_NUMBER,
}


def _data_schema(event: type, text: str, *, optional: tuple[str, ...] = (), **other: Schema) -> Schema:
    schemas = {**FIELDS, **other}
    return object_schema(
        text, {field.name: schemas[field.name] for field in fields(event)}, optional=optional
    )


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
        optional=("note",),
        variant={**TEXT, "description": "The key of the variant; empty if unknown."},
    ),
    "RoundPlayedData": _data_schema(RoundEntry, "The closer, the closing and the hands of a round."),
    "OfPlayerData": _data_schema(events.PlayerLeft, "The player of the event."),
    "PlayerJoinedData": _data_schema(
        events.PlayerJoined,
        "A newcomer and the neighbour.",
        player=descriptions.with_description(schema_ref("EventNewcomer"), "Who sits down."),
    ),
    "SeatHandedOverData": _data_schema(
        events.SeatHandedOver, "The player who leaves the seat, and who takes it."
    ),
    "PointsAdjustedData": _data_schema(
        events.PointsAdjusted, "The points added to a player's total, and why."
    ),
    "GameStoppedData": _data_schema(events.GameStopped, "The way in which the players stopped."),
    "TotalsAgreedData": _data_schema(
        events.TotalsAgreed, "The agreed totals.", totals=_pairs_schema(NUMBER, TOTALS, minItems=1)
    ),
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
PLAYER_KINDS = ("player_reentered", "player_stayed_out", "player_left", "deal_passed")
PLAY_KINDS = [kind for kind in LINES if kind not in (*CORRECTIONS, *START_KINDS)]


def event_example(kind: str) -> Schema:
    """Return an example of an event of this kind as JSON, read from its line of notation."""
    line = LINES[kind]
    event = parse_game_file(line)[0].events[0] if kind in START_KINDS else parse_line(line)[0]
    return {"kind": event.kind, "data": to_data(event)}


def _data_component(kind: str) -> str:
    return "OfPlayerData" if kind in PLAYER_KINDS else f"{NAMES[kind]}Data"


def _event_schema(kind: str) -> Schema:
    parts = {"kind": {**TEXT, "enum": [kind]}, "data": schema_ref(_data_component(kind))}
    text = f"{MEANINGS[kind]} {NOTATION.get(kind, '')}"
    return {**object_schema(text, parts), "example": event_example(kind)}


def _correction_schema(text: str, kinds: Sequence[str]) -> Schema:
    kind = {"type": "string", "enum": list(kinds), "description": "The kind of the event inside."}
    inside = [schema_ref(name) for name in dict.fromkeys(map(_data_component, kinds))]
    event = {"anyOf": inside, "description": "The data of the event inside."}
    return object_schema(text, {"number": EVENT_NUMBER, "kind": kind, "event": event})


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
