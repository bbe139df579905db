"""Serializers for answers of the change feed and of imports, and the schemas of exported files.

A method `tell_x` returns the value of the field `x` in an answer.
"""

from __future__ import annotations

from typing import Any

from drf_spectacular.utils import OpenApiParameter
from rest_framework import serializers

from games.api.common.costs import CostSaid
from games.api.common.events import EventContent
from games.api.common.members import MemberSaid
from games.api.common.payments import PaymentSaid
from games.api.common.serializers import Answer, Arrived
from games.api.notebook.table_example import OLD_TABLE
from games.models import Change, ChangeKind, Table
from games.scoring.text.codec import KINDS
from games.shown.notebook.spreadsheets import SPREADSHEETS

TABLE_FILE = {
    "type": "object",
    "description": (
        "The file of a table, as it is taken home. The example is the least that brings in one old game: `batches` "
        "has the events that were recorded together, `by` is a member's id or “guest”. `id` stands for the table "
        "wherever there is a copy of it: send “” for a new one. A game's `code` is the end of its address: send “”, "
        "and it gets a new one, as it does if another game has its code. A `key` is any text that no other game, "
        "batch of the game or cost has; payments recorded together share one. `entries` say what each of them moved, "
        "and `debts` to what that led: a file in which they do not add up is refused. `shape` is that of the site's database: "
        "a file with another one is refused."
    ),
    "example": OLD_TABLE,
}
GAME_FILE = {"type": "object", "description": "A game, as it is taken home."}
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
SINCE = OpenApiParameter(
    "since",
    {"type": "integer", "minimum": 0, "maximum": 2**53},
    OpenApiParameter.QUERY,
    description=(
        "The `seen` of the previous answer. Without it, the answer only has the number to begin with."
    ),
)


class TableBrought(Answer):
    """A table created from a file, with the number of its games."""

    code = serializers.CharField()
    name = serializers.CharField()
    games = serializers.IntegerField()

    def tell_games(self, table: Table) -> int:
        """Return the number of games at the table."""
        return table.games.count()


class EventTold(Answer):
    """An event of a game, as it was recorded."""

    number = serializers.IntegerField(
        help_text=("The place of the event in the game; the first event has the number 1.")
    )
    kind = serializers.ChoiceField(choices=sorted(KINDS.values()))
    data = EventContent()  # type: ignore[assignment]  # hides an attribute of the base class
    at = serializers.DateTimeField(source="recorded_at")
    arrived_at = Arrived()


class MemberTold(MemberSaid):
    """A member in their present state. Only a change of the payment details has them, as `account`."""

    account = serializers.CharField(required=False, allow_blank=True)


class ChangeTold(Answer):
    """A change: its number, its kind, and the object that changed. The fields for other objects are null."""

    number = serializers.IntegerField(min_value=1)
    what = serializers.ChoiceField(choices=[str(what) for what in ChangeKind])
    at = serializers.DateTimeField(
        source="made_at", help_text=("The time when the change was stored on the server.")
    )
    game = serializers.CharField(allow_null=True, help_text="The code of a game.")
    event = EventTold(allow_null=True, source="record")
    payment = PaymentSaid(allow_null=True)
    cost = CostSaid(allow_null=True)
    member = MemberTold(allow_null=True)

    def tell_game(self, change: Change) -> str | None:
        """Return the code of the game that changed; None for other changes."""
        return None if change.game is None else change.game.code

    def to_representation(self, change: Any) -> dict[str, Any]:
        """Return the change as JSON; a member's payment details are left out unless these changed."""
        parts = super().to_representation(change)
        if parts["member"] is not None and change.what != ChangeKind.ACCOUNT_CHANGED:
            del parts["member"]["account"]
        return parts


class NewsTold(Answer):
    """A page of the change feed, up to the change with the number `seen`.

    `newest` is the number of the table's newest change. While `seen` is less, there are more pages.
    """

    changes = ChangeTold(many=True)
    seen = serializers.IntegerField(help_text="The `since` of the next request.")
    newest = serializers.IntegerField()
    accounts = serializers.BooleanField(
        help_text=(
            "Whether changes of the accounts are included. When this becomes true, read the accounts again."
        )
    )

    def tell_accounts(self, _news: object) -> bool:
        """Return whether the user may read the accounts."""
        return bool(self.context["accounts"])
