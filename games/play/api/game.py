"""A game as the API shows it: its row in a list, its present state, and its scoresheet."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from rest_framework import serializers

from games.common.api.serializers import AmountsField, Moment, Money, Titled
from games.common.book import Book
from games.common.names import Person
from games.common.words import play_in_words
from games.models import Game
from games.play.api import fields
from games.play.recording import Recorded
from games.play.snapshot import history_of
from games.play.writer import last_recorded
from games.scoring.columns import players_by_column
from games.scoring.events import Event, corrected_numbers, renamed
from games.scoring.ledger import places
from games.scoring.money import Cause, movements
from games.scoring.replay import replay
from games.scoring.state import GameState, Step
from games.tables.people import people_of


@dataclass(frozen=True)
class OpenGame:
    """A game loaded once: its stored log (`book`), and the present names of its players (`people`).

    `recorded` is the state of the game if recording has just calculated it; otherwise it is None.
    """

    game: Game
    book: Book
    people: Mapping[str, Person]
    recorded: GameState | None = None

    @classmethod
    def read(cls, game: Game, recorded: Recorded | None = None) -> OpenGame:
        """Return the game in its present state: that of `recorded`, or else that in the database."""
        people = people_of(game.table)
        if recorded is not None:
            return cls(game, recorded.book, people, recorded.state)
        return cls(game, Book.read(game), people)

    @cached_property
    def log(self) -> tuple[Event, ...]:
        """The events of the game with the present names of the players, oldest first."""
        return renamed(self.book.log, {player: person.name for player, person in self.people.items()})

    @cached_property
    def state(self) -> GameState:
        """The state of the game, with the present names of the players."""
        known = self.recorded
        if known and all(player.name == self.people[player.id].name for player in known.players):
            return known
        return replay(self.log)

    @property
    def version(self) -> int:
        """The number of the last event."""
        return len(self.book.rows)


class GameSerializer(Titled, Money):
    """A game as a row of a list."""

    code = serializers.CharField()
    table = serializers.CharField(source="table.code", help_text="The code of the game's table.")
    season = serializers.IntegerField(source="season_id", help_text="The id of a season.")
    started_at, ended_at = Moment(), Moment(allow_null=True)
    discarded_at = Moment(allow_null=True)


class OneGameSerializer(fields.StateSerializer, GameSerializer):  # type: ignore[misc]  # both name the variant
    """A game and its present state."""

    version = serializers.IntegerField(help_text="The number of the last event.")
    last_at = Moment(
        required=False, help_text="In the answer to a recording, the time that was kept for the last event."
    )
    options = fields.OptionsField()
    direction = serializers.ChoiceField(choices=fields.DIRECTIONS)
    wins = serializers.ChoiceField(choices=fields.WINS, help_text=fields.DIRECTION_OF_WINNING)
    places = AmountsField(help_text="The place of each player, once the game is over.")
    can_undo = serializers.BooleanField()
    can_redo = serializers.BooleanField()

    def to_representation(self, instance: OpenGame) -> dict[str, Any]:
        """Return the game, its state, and the actions that are possible now."""
        game, state = instance.game, instance.state
        history = history_of(instance.log, instance.book.batches())
        kept = (
            {"last_at": Moment().to_representation(last_recorded(game))}
            if self.context.get("is_recorded")
            else {}
        )
        return {
            **fields.StateSerializer(state).data,
            **GameSerializer(game, context=self.context).data,
            "version": instance.version,
            "options": dict(state.house.options),
            "direction": str(state.direction),
            "wins": fields.wins_of(state.rules),
            "places": places(state) if state.is_over else {},
            "can_undo": bool(history.undoable) and game.discarded_at is None,
            "can_redo": history.last_is_undo and game.discarded_at is None,
            **kept,
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
    text = serializers.CharField()


class CauseSerializer(serializers.Serializer[Any]):
    """An amount that the event `number` moved from one player to another; "(pot)" stands for the pot."""

    payer, payee = serializers.CharField(), serializers.CharField()
    amount = serializers.IntegerField()
    cause = serializers.ChoiceField(choices=[str(cause) for cause in Cause])
    number = serializers.IntegerField()
    count = serializers.IntegerField(help_text="The number of the player's re-entry.")


class GameInFullSerializer(OneGameSerializer):
    """A game: its state, its scoresheet, and what each event moved."""

    columns = ColumnSerializer(many=True)
    rows = RowSerializer(many=True)
    causes = CauseSerializer(many=True)

    def to_representation(self, instance: OpenGame) -> dict[str, Any]:
        """Return the game with its scoresheet."""
        return {
            **super().to_representation(instance),
            "columns": ColumnSerializer(instance.state.players, many=True).data,
            "rows": [*_rows(instance)],
            "causes": CauseSerializer(movements(instance.state), many=True).data,
        }


def _rows(current: OpenGame) -> Iterator[dict[str, Any]]:
    """Yield the rows of the scoresheet as `RowSerializer` describes them."""
    state, corrected = current.state, corrected_numbers(current.log)
    rounds = {result.number: place for place, result in enumerate(state.rounds, start=1)}
    event = fields.EventField()
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
            "text": _in_words(current, step),
        }


def _cells(figures: Mapping[str, int], columns: Sequence[str]) -> list[int | None]:
    return [figures.get(player) for player in columns]


def _in_words(current: OpenGame, step: Step) -> str:
    state, people, table = current.state, current.people, current.game.table
    return play_in_words(step.event, number=step.number, state=state, people=people, table=table)
