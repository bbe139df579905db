"""The serializer of an imported table, and the schema of a table's file.

A method `tell_x` returns the value of the field `x` in an answer.
"""

from __future__ import annotations

from drf_spectacular.utils import OpenApiParameter
from rest_framework import serializers

from games.api.common.serializers import Answer
from games.models import Table
from games.shown.notebook.spreadsheets import SPREADSHEETS

TABLE_FILE = {
    "type": "object",
    "description": (
        "The file of a table, as it is taken home. `batches` have the events that were recorded together, `by` is a member's id or “guest”. "
        "`id` stands for the table "
        "wherever there is a copy of it: send “” for a new one. A game's `code` is the end of its address: send “”, "
        "and it gets a new one, as it does if another game has its code. A `key` is any text that no other game, "
        "batch of the game or cost has; payments recorded together share one. `entries` say what each of them moved, "
        "and `debts` to what that led: a file in which they do not add up is refused. `shape` is that of the site's database: "
        "a file with another one is refused."
    ),
}
SPREADSHEET = OpenApiParameter(
    "what",
    {"type": "string", "enum": list(SPREADSHEETS)},
    OpenApiParameter.PATH,
    description="The name of the spreadsheet.",
)
AGAIN = OpenApiParameter(
    "again",
    {"type": "boolean", "default": False},
    OpenApiParameter.QUERY,
    description="Whether to import the file although you have a table with games from it.",
)


class TableBrought(Answer):
    """A table created from a file, with the number of its games."""

    code = serializers.CharField()
    name = serializers.CharField()
    games = serializers.IntegerField()

    def tell_games(self, table: Table) -> int:
        """Return the number of games at the table."""
        return table.games.count()
