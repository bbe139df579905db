"""The scoresheet: a column for each seat, and a row for each valid event."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from games.api.common.endpoints import answer
from games.api.common.schema import refusals
from games.api.common.writing import TAG
from games.api.play import game_payloads as payloads
from games.api.play.opened import GameEndpoint, Opened
from games.scoring.columns import players_by_column
from games.scoring.events import corrected_numbers
from games.scoring.state import Step
from games.scoring.text.codec import kind_of, to_data
from games.shown.common.words import play_in_words


class Sheet(GameEndpoint):
    """The endpoint that returns the scoresheet of a game."""

    @extend_schema(
        operation_id="sheet",
        summary="The scoresheet of a game",
        description=(
            "The rows of the scoresheet: for every valid event its points in each column, the totals after "
            "it, and a sentence. Each row names the players of the columns, because a seat can be handed "
            "over."
        ),
        parameters=[TAG],
        responses={200: payloads.SheetSaid, **refusals("not_found")},
    )
    def get(self, request: Request, code: str) -> Response:
        """Return the scoresheet of the game."""
        current = self.opened(code)
        players, rows = current.state.players, _rows(current)
        parts = {"code": code, "after": current.after, "columns": players, "rows": rows}
        return answer(payloads.SheetSaid.of(parts), version=current.after)


def _rows(current: Opened) -> Iterator[dict[str, object]]:
    state, corrected = current.state, corrected_numbers(current.log)
    places = {result.number: place for place, result in enumerate(state.rounds, start=1)}
    for step, columns in zip(state.steps, players_by_column(state), strict=True):
        place = places.get(step.number)
        yield {
            "number": step.number,
            "kind": kind_of(step.event),
            "data": to_data(step.event),
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


def _in_words(current: Opened, step: Step) -> str:
    state, people, table = current.state, current.people, current.game.table
    return play_in_words(step.event, number=step.number, state=state, people=people, table=table)
