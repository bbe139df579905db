"""A game as the API shows it: its row in a list, its current state, and its scoresheet."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from drf_spectacular.utils import extend_schema_serializer
from rest_framework import serializers

from games.common import event_sentences
from games.common.api import descriptions
from games.common.api.serializers import AmountsField, MoneyMixin, StrictDateTimeField, VariantTitleMixin
from games.play.api import fields
from games.play.services.snapshots import Snapshot
from games.scoring import corrections
from games.scoring.columns import players_by_column
from games.scoring.ledger import places
from games.scoring.money import Cause, movements
from games.tables.services import roster


class GameSerializer(VariantTitleMixin, MoneyMixin):
    """A game as a row of a list."""

    code = serializers.CharField(help_text=descriptions.NAMES["game"])
    table = serializers.CharField(source="table.code", help_text="The code of the game's table.")
    season = serializers.IntegerField(source="season_id", help_text="The id of a season.")
    started_at, ended_at = StrictDateTimeField(), StrictDateTimeField(allow_null=True)
    discarded_at = StrictDateTimeField(allow_null=True)


@extend_schema_serializer(component_name="OneGame")
class GameDetailSerializer(fields.StateSerializer, GameSerializer):  # type: ignore[misc]  # both name the variant
    """A game and its current state."""

    game_version = serializers.IntegerField(help_text="The number of the last event.")
    version = serializers.IntegerField(help_text="The same as `game_version`.")
    last_at = StrictDateTimeField(
        required=False, help_text="In the answer to a recording, the time that was kept for the last event."
    )
    options = fields.OptionsField()
    direction = serializers.ChoiceField(choices=fields.DIRECTIONS)
    wins = serializers.ChoiceField(choices=fields.WINS, help_text=fields.DIRECTION_OF_WINNING)
    places = AmountsField(help_text="The place of each player, once the game is over.")
    can_undo = serializers.BooleanField()
    can_redo = serializers.BooleanField()

    def to_representation(self, instance: Snapshot) -> dict[str, Any]:
        game, state, history = instance.game, instance.state, instance.history
        extra_fields = {}
        if self.context.get("is_recorded"):
            last = game.records.get(number=len(instance.log))
            extra_fields = {"last_at": StrictDateTimeField().to_representation(last.recorded_at)}
        return {
            **fields.StateSerializer(state).data,
            **GameSerializer(game, context=self.context).data,
            **dict.fromkeys(("game_version", "version"), len(instance.log)),
            "options": dict(state.house.options),
            "direction": str(state.direction),
            "wins": fields.winning_direction(state.rules),
            "places": places(state) if state.is_over else {},
            "can_undo": bool(history.undoable) and game.discarded_at is None,
            "can_redo": history.last_is_undo and game.discarded_at is None,
            **extra_fields,
        }


# --- the scoresheet ---------------------------------------------------------------------------------------


class ColumnSerializer(serializers.Serializer[Any]):
    """A column of the scoresheet: the player who has the seat now."""

    id = serializers.CharField(help_text=fields.ID)
    name = serializers.CharField()


class RowSerializer(fields.ContentSerializer):
    """A row of the scoresheet: an event, its points in each column, and the totals after it.

    Events that were undone, or removed by a correction, have no row.
    """

    number = serializers.IntegerField()
    round = serializers.IntegerField(
        allow_null=True, help_text="The place of the round among the rounds; null for other events."
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
    text = serializers.CharField(help_text="The event in words, with its round's number or its price.")


class CauseSerializer(serializers.Serializer[Any]):
    """An amount that the event `number` moved from one player to another; "(pot)" stands for the pot."""

    payer = serializers.CharField(help_text="The id of the player who pays it, or (pot).")
    payee = serializers.CharField(help_text="The id of the player who gets it, or (pot).")
    amount = serializers.IntegerField()
    cause = serializers.ChoiceField(choices=[str(cause) for cause in Cause])
    number = serializers.IntegerField()
    count = serializers.IntegerField(help_text="The number of the player's re-entry.")


@extend_schema_serializer(component_name="GameInFull")
class GameScoresheetSerializer(GameDetailSerializer):
    """A game: its state, its scoresheet, and what each event moved."""

    columns = ColumnSerializer(many=True)
    rows = RowSerializer(many=True)
    causes = CauseSerializer(many=True)

    def to_representation(self, instance: Snapshot) -> dict[str, Any]:
        return {
            **super().to_representation(instance),
            "columns": ColumnSerializer(instance.state.players, many=True).data,
            "rows": [*_build_rows(instance)],
            "causes": CauseSerializer(movements(instance.state), many=True).data,
        }


def _build_rows(current: Snapshot) -> Iterator[dict[str, Any]]:
    state, corrected = current.state, corrections.corrected_numbers(current.log)
    rounds = {result.number: place for place, result in enumerate(state.rounds, start=1)}
    event, people, table = fields.EventField(), roster.to_persons(current.members), current.game.table
    for step, columns in zip(state.steps, players_by_column(state), strict=True):
        place = rounds.get(step.number)
        yield {
            **event.to_representation(step.event),
            "number": step.number,
            "round": place,
            "contract": state.rules.contracts[place - 1] if place and state.rules.contracts else None,
            "sits": list(columns),
            "cells": _cells(step.moved, columns),
            "totals": _cells(step.totals, columns),
            "fee": step.fee,
            "corrected": step.number in corrected,
            "text": event_sentences.play_sentence(
                step.event, number=step.number, state=state, people=people, table=table
            ),
        }


def _cells(figures: Mapping[str, int], columns: Sequence[str]) -> list[int | None]:
    return [figures.get(player) for player in columns]
