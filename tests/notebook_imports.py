"""Import nights of a notebook into a table, as its preview shows."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date, datetime
from typing import Any

from django.utils.timezone import now

from games.files.services import import_preview, imports, notebook_games, notebook_reader
from games.files.services.import_preview import ImportPreview
from games.files.services.notebook_reader import Figures
from games.models import Table

TODAY = date(2026, 10, 1)


def preview_nights(
    table: Table,
    text: str,
    answers: Mapping[str, str] | None = None,
    *,
    at: datetime | None = None,
    figures: Figures = Figures.MONEY,
    **how: Any,
) -> ImportPreview:
    """Return the preview of importing these nights. Raise ValueError if the notebook has problems."""
    notebook = notebook_reader.read_notebook(text, table, today=TODAY, figures=figures)
    contents = notebook_games.build_contents(table, notebook, **how)
    if notebook.problems:
        raise ValueError([(problem.line, str(problem.text)) for problem in notebook.problems])
    return import_preview.build(table, contents, answers or {}, by=_get_owner(table), at=at or now())


def run_nights_import(
    table: Table,
    text: str,
    answers: Mapping[str, str] | None = None,
    *,
    at: datetime | None = None,
    **how: Any,
) -> datetime:
    """Import these nights and return the time of the import."""
    at = at or now()

    def look() -> ImportPreview:
        return preview_nights(table, text, answers, at=at, **how)

    imports.run(table, look, seen=look().preview_digest, by=_get_owner(table), at=at)
    return at


def _get_owner(table: Table):
    return table.accesses.get(role="owner").user
