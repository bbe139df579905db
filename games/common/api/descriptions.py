"""Descriptions by name: of all properties without one of their own, and of the codes in URLs.

A name means the same everywhere. Where it does not, its field has a description (`help_text`) of its own.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

NAMES: Mapping[str, str] = {
    "after": "What it would be afterwards; null if that is not possible.",
    "agreed": "The total that the players agreed on.",
    "ahead": "In how many of these games the first member placed ahead.",
    "amount": "In the smallest coin of the table.",
    "arrived_at": "The time when the site got it.",
    "at": "The time when it happened.",
    "before": "What it is now.",
    "behind": "In how many of these games the first member placed behind.",
    "can_redo": "Whether the last step was an undo that can be taken back.",
    "can_undo": "Whether there is a step to undo.",
    "card": "The card in the notation of games.",
    "cards": "Its cards in the notation of games, in the order of their ranks.",
    "cause": "Why the amount moved.",
    "causes": "What each event moved from whom to whom.",
    "cells": "The points of the event in each column; null where it has none.",
    "choices": "The remedies to choose from. The first is taken unless `answers` names another.",
    "chosen": "The remedy that `answers` chose; null without one.",
    "closer": "The id of the player who closed the round; null if nobody did.",
    "closing": "The key of the closing, as the variant lists it.",
    "code": "The code of the table, as in its address /t/CODE/.",
    "colour": "The number of the member's colour, from 1.",
    "columns": "The columns of the scoresheet, clockwise.",
    "confirmed_at": "The time when it was confirmed; null if nobody did.",
    "confirmed_by": "The name of who confirmed it; null if nobody did.",
    "conflicts": "The recorded events that the new ones make impossible.",
    "contract": "The key of the contract of the round; null in games without contracts.",
    "corrected": "Whether a correction replaced what was recorded first.",
    "counted": "The total that follows from the recorded events.",
    "data": "What is known of the event; its kind decides what is in it.",
    "dealer": "The id of the player who deals; null once nobody does.",
    "debts": "Who owes whom: at most one debt of two members.",
    "decimals": "How many of the last digits of an amount are decimals.",
    "deeds": "Feats of the member in these games.",
    "direction": "The direction of the deal.",
    "disagreements": "Agreed totals that differ from the counted ones.",
    "discarded_at": "The time when the game was discarded; null for a game that counts.",
    "disputed_at": "The time when the payee said that it did not arrive; null if they did not.",
    "disputed_by": "The name of who said that it did not arrive; null if nobody did.",
    "doubts": "Unusual entries, which count all the same.",
    "duels": "The head-to-head results.",
    "ended_at": "The time when it ended or was taken back; null if it was not.",
    "replaced_at": "The time when it was corrected; null if it was not.",
    "replaced_by": "The name of who corrected it; null if nobody did.",
    "accepted_at": "The time when the proposal was accepted; null if it was not.",
    "accepted_by": "The name of who accepted it; null if nobody did.",
    "refused_at": "The time when the proposal was refused; null if it was not.",
    "refused_by": "The name of who refused it; null if nobody did.",
    "ended_by": "The name of who took it back; null if nobody did.",
    "event": "The event by its kind and data.",
    "events": "Events in order, each by its kind and data or as a line of notation.",
    "expenses": "What shared costs of the night moved for the member.",
    "expires_at": "The time when the token ends.",
    "extent": "How many games and nights count.",
    "feat": "The key of the record.",
    "fee": "The price of the re-entry.",
    "first_day": "The first night of the season.",
    "game": "The code of the game, as in its address /g/CODE/.",
    "games": "How many games count.",
    "groups": "The sets and runs, in a hand of seven cards.",
    "high": "The largest number that may be chosen; null if it is no number.",
    "holders": "The ids of the members who hold the record.",
    "how": "How the players agreed to stop.",
    "id": "The id, which never changes.",
    "in_force": "Every option with the value that counts.",
    "in_one_go": "How many rounds the member closed in one go.",
    "is_claim": "Whether its payer recorded it, so that the payee has to confirm it.",
    "is_playing": "Whether the member sits in a game that is not over.",
    "key": "The key by which requests name it.",
    "kind": "The kind of the event: it decides what is in `data`.",
    "label": "The word that players use for it.",
    "left": "The cards that no set or run takes.",
    "level": "In how many of these games both shared a place.",
    "line": "A line of notation.",
    "lines": "The members in order, with what their games add up to.",
    "low": "The smallest number that may be chosen; null if it is no number.",
    "made_at": "The time from which it counts.",
    "melds": "The melds of the hand, in games that score them.",
    "members": "Everybody who plays or has played at the table.",
    "method": "How it was paid; no money moved if it was forgiven.",
    "min_players": "The fewest players.",
    "name": "The name that people read.",
    "net": "What was won (+) or lost (−), in the smallest coin of the table.",
    "next": "The address of the next page; null on the last one.",
    "night": "The day on which the night began.",
    "nights": "How many nights count.",
    "note": "A note about it; may be empty.",
    "number": "The number of the event in its game.",
    "objection": "The payee's words about what did not arrive, or why a cost was refused; empty without any.",
    "only": "The numbers that may be chosen; empty if it is no number or any between `low` and `high`.",
    "options": "The house rules: the value of each option by its key.",
    "others": "Members with fewer games than a line needs.",
    "paid_on": "The night to which it is dated back; null if it was not.",
    "payee": "The id of the member who gets it.",
    "payer": "The id of the member who pays it.",
    "pending": "Players who went bust and may re-enter.",
    "players": "The players, clockwise.",
    "points": "Points by the rules of the game.",
    "possible": "Whether the events can be recorded.",
    "pot": "The money in the pot.",
    "presets": "Variations that set several options at once.",
    "previous": "The address of the page before; null on the first one.",
    "reason": "Why it was taken back; empty if it was not or needed no reason.",
    "recorded_at": "The time when it was recorded.",
    "recorded_by": "The name of who recorded it; empty for a guest without a name.",
    "records": "The records of these games.",
    "reentries": "How often the player re-entered.",
    "region": "How sentences write numbers, money and days; empty if the reader's language decides.",
    "remedy": "The name of the remedy.",
    "results": "The rows of this page.",
    "revoked_at": "The time when the token was revoked; null if it was not.",
    "role": "Your role at the table: an owner administers it, a scorer records, a witness watches.",
    "rounds": "The rounds that count, in order.",
    "rounds_won": "How many rounds the member closed.",
    "rows": "The rows of the scoresheet: the events that count.",
    "rules": "The rules in words, with the options in force.",
    "same_as": "The option whose value is the default; null if there is none.",
    "seat": "Whether the player plays, is bust, out or gone.",
    "stands_for": "The rank that the card stands for.",
    "started_at": "The time when the game began.",
    "status": "The HTTP status.",
    "summary": "The variant in one sentence.",
    "tables": "The tables that can be opened.",
    "text": "A sentence, in the language asked for.",
    "there": "The members of the night.",
    "timezone": "A name such as America/Argentina/Buenos_Aires.",
    "title": "What it is called, in the language asked for.",
    "token": "The token of the request; null in a session.",
    "total": "The total of the player's points.",
    "totals": "The total in each column after the event; null where nobody sits yet.",
    "transfers": "The payments that the game calls for; empty until it is over.",
    "unit": "The sign of the money, such as $.",
    "used_on": "The day of its last use; null if it was never used.",
    "value": "The value as programs send and compare it.",
    "variant": "The key of the variant (the card game).",
    "variants": "What the member did in each card game.",
    "wild": "Whether it is a wild card.",
    "winners": "The ids of the winners; empty until the game is over.",
    "wins": "How many of these games were won.",
    "won": "Whether the member won the game.",
    "words": "The words that may be chosen; empty if it is no word.",
}

# The parameters of a path, by the part of the URL before them.
PLACES: Mapping[str, str] = {
    "tables": NAMES["code"],
    "games": NAMES["game"],
    "members": "The id of the member.",
    "players": "The id of the member.",
    "payments": "The id of the payment.",
    "costs": "The id of the shared cost.",
    "seasons": "The id of the season.",
    "variants": "The key of the variant (the card game).",
}


def with_descriptions(result: dict[str, Any], **_context: Any) -> dict[str, Any]:
    """Describe each property and parameter without a description; drf-spectacular calls this at the end."""
    for properties in properties_in(result):
        for name, schema in properties.items():
            if "description" not in schema and name in NAMES:
                properties[name] = with_description(schema, NAMES[name])
    for path, operations in result["paths"].items():
        place_descriptions = {
            name: PLACES.get(place) for place, name in re.findall(r"/(\w+)/\{(\w+)\}", path)
        }
        for operation in operations.values():
            for parameter in operation.get("parameters", ()):
                place = place_descriptions.get(parameter["name"])
                if "description" not in parameter and place:
                    parameter["description"] = place
    return result


def with_description(schema: dict[str, Any], text: str) -> dict[str, Any]:
    """Return the schema with this description. A reference cannot have one beside it, so it is wrapped."""
    return {**({"allOf": [schema]} if "$ref" in schema else schema), "description": text}


def properties_in(part: Any) -> Iterator[dict[str, Any]]:
    """Yield the properties of every object described in a part of the document."""
    if isinstance(part, dict):
        properties = part.get("properties")
        if part.get("type") == "object" and isinstance(properties, dict):
            yield properties
        for name, value in part.items():
            if name != "example":
                yield from properties_in(value)
    elif isinstance(part, list):
        for value in part:
            yield from properties_in(value)
