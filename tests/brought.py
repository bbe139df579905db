"""Nights of a notebook that are brought into a table, as its preview says."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date, datetime
from typing import Any

from django.utils.timezone import now

from games.files.bringing import bring
from games.files.coming import Incoming, coming_from
from games.files.old_games import contents_of
from games.files.old_nights import Figures, read_old_notebook
from games.models import Table

TODAY = date(2026, 10, 1)


def nights_coming(
    table: Table,
    text: str,
    answers: Mapping[str, str] | None = None,
    *,
    at: datetime | None = None,
    figures: Figures = Figures.MONEY,
    **how: Any,
) -> Incoming:
    """Return what the nights in this text would bring. Raise ValueError for a notebook with problems."""
    notebook = read_old_notebook(text, table, today=TODAY, figures=figures)
    contents = contents_of(table, notebook, **how)
    if notebook.problems:
        raise ValueError([(problem.line, str(problem.text)) for problem in notebook.problems])
    return coming_from(table, contents, answers or {}, by=_owner_of(table), at=at or now())


def bring_nights(
    table: Table,
    text: str,
    answers: Mapping[str, str] | None = None,
    *,
    at: datetime | None = None,
    **how: Any,
) -> datetime:
    """Bring the nights in this text and return the moment at which they arrived."""
    at = at or now()

    def look() -> Incoming:
        return nights_coming(table, text, answers, at=at, **how)

    bring(table, look, seen=look().preview_digest, by=_owner_of(table), at=at)
    return at


def _owner_of(table: Table):
    return table.accesses.get(role="owner").user
