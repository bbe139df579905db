"""The summary of a season or a year that is sent: a text, and a picture of the podium and the tales."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.text import slugify

from games.common.names import APP_NAME, isolated
from games.models import Table
from games.seasons.pages.tales import PODIUM, FeatRow, Line


@dataclass(frozen=True)
class Summary:
    """The summary of a season or a year called `name`. `title` says who leads or won it, by which `order`."""

    table: Table
    name: str
    title: str
    extent: str
    order: str
    lines: Sequence[Line]
    tales: Sequence[FeatRow]

    @property
    def podium(self) -> Sequence[Line]:
        """The lines of the first three."""
        return self.lines[:PODIUM]

    @property
    def message(self) -> str:
        """The summary as text for the group's chat."""
        steps = [
            f"{line.rank}. {isolated(line.person.name)} · {line.in_words} · {line.games}"
            for line in self.podium
        ]
        ends = ["", *self._notes, "", self.extent]
        return "\n".join([f"{self.table.name} · {self.name}", self.title, "", *steps, *ends])

    @property
    def drawn(self) -> str:
        """The data from which `static/money/picture.js` draws the summary, as JSON.

        The keys are those of the picture of a game (`picture_of` in `money/pages/sending.py`).
        """
        picture = {
            "occasion": f"{self.table.name} · {self.name}",
            "title": self.title,
            "winners": [line.person.drawn for line in self.podium if line.leads],
            "prize": "",
            "pot": None,
            "reason": self.order,
            "people": [
                {
                    **line.person.drawn,
                    "place": line.rank,
                    "won": line.leads,
                    "below": line.games,
                    "figure": line.in_words,
                    "tone": "",
                }
                for line in self.podium
            ],
            "notes": self._notes,
            "debts": None,
            "rules": self.extent,
            "by": APP_NAME,
        }
        return json.dumps(picture)

    @property
    def file_name(self) -> str:
        """The file name under which the picture is saved."""
        return f"{slugify(self.name) or 'summary'}.png"

    @property
    def _notes(self) -> list[str]:
        return [f"{tale.title}: {tale.value}, {tale.who}" for tale in self.tales]
