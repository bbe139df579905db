"""The scoresheet: a column for each seat, a row for each valid event, and the causes of the money."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from games.api.play import game_payloads as payloads
from games.api.play.opened import Opened
from games.scoring.columns import players_by_column
from games.scoring.events import corrected_numbers
from games.scoring.money import movements
from games.scoring.state import Step
from games.scoring.text.codec import kind_of, to_data
from games.shown.common.words import play_in_words


def sheet_of(current: Opened) -> dict[str, object]:
    """Return the columns and rows of the game's scoresheet, and the causes of its money, as JSON."""
    state = current.state
    parts = {"columns": state.players, "rows": _rows(current), "causes": movements(state)}
    return payloads.SheetSaid.of(parts)


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
