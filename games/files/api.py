"""Exports of a table (a file, spreadsheets) and of a game (text), and the import of a table."""

from __future__ import annotations

from collections.abc import Mapping
from typing import IO, Any

from django.http import Http404, HttpResponse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.parsers import BaseParser
from rest_framework.request import Request
from rest_framework.response import Response

from games.common import lanes, network
from games.common.api import parsers
from games.common.api.problems import ApiProblem
from games.common.api.serializers import StrictSerializer
from games.common.json_reader import InvalidFile
from games.files.presenters import spreadsheets
from games.files.services import file_reader, file_writer, table_import
from games.files.services.table_import import AlreadyImported
from games.models import Table
from games.play.services import archive
from games.scoring.text.notation_writer import write_game
from games.tables.api.permissions import CanCreateTables, CanViewAccounts, ScoringThrottle, UserThrottle
from games.tables.api.views import BaseViewSet, GameViewSetBase, TableViewSetBase

JSON, TEXT, CSV = "application/json", "text/plain; charset=utf-8", "text/csv; charset=utf-8"
TABLE_FILE = {
    "type": "object",
    "description": (
        "The file of a table, as it is taken home. `batches` have the events that were recorded together, `by` is "
        "a member's id or “guest”. `id` stands for the table wherever there is a copy of it: send “” for a new "
        "one. A game's `code` is the end of its address: send “”, and it gets a new one, as it does if another "
        "game has its code. A `key` is any text that no other game, batch of the game or cost has; payments "
        "recorded together share one. `entries` say what each of them moved, and `debts` to what that led: a file "
        "in which they do not add up is refused. `shape` is that of the site's database: a file with another one "
        "is refused."
    ),
}
SPREADSHEET = OpenApiParameter(
    "what",
    {"type": "string", "enum": list(spreadsheets.SPREADSHEETS)},
    OpenApiParameter.PATH,
    description="The name of the spreadsheet.",
)


class ReimportQuery(StrictSerializer):
    """The choice to import a file again, as a second table."""

    again = serializers.BooleanField(
        default=False, help_text="Whether to import the file although you have a table with games from it."
    )


class ImportedSerializer(serializers.ModelSerializer[Table]):
    """A table created from a file, with the number of its games."""

    games = serializers.SerializerMethodField(help_text="Discarded games are not counted.")

    class Meta:
        model = Table
        fields = ("code", "name", "games")

    def get_games(self, table: Table) -> int:
        return archive.filter_by_status(table).count()


class RawFileParser(BaseParser):
    """A parser that returns the bytes of a table's file unparsed.

    The import parses the bytes itself, so that it can say where in the file an error is.
    """

    media_type = JSON

    def parse(  # type: ignore[override]  # this parser returns bytes
        self, stream: IO[Any], media_type: str | None = None, parser_context: Mapping[str, Any] | None = None
    ) -> bytes:
        """Return the bytes; raise ApiProblem if the file is too large or incomplete."""
        assert parser_context is not None
        return parsers.read_body(stream, parser_context["request"].META, most=file_reader.LARGEST)


class TableFileViewSet(TableViewSetBase):
    """Exports of a table."""

    permission_classes = [CanViewAccounts]
    throttle_classes = [UserThrottle, ScoringThrottle]

    @extend_schema(operation_id="export_table", responses={(200, JSON): TABLE_FILE})
    def export(self, request: Request, code: str) -> HttpResponse:
        """Export a table.

        The whole table as one file, for users who may read its accounts: every game, payment and debt.
        Exporting an unchanged table again gives the same bytes. The file does not say who has access to the
        table.
        """
        with lanes.WHOLE_TABLES.hold():
            return HttpResponse(file_writer.write_table(self.table), content_type=JSON)

    @extend_schema(
        operation_id="export_spreadsheet",
        parameters=[SPREADSHEET],
        responses={(200, "text/csv"): OpenApiTypes.STR},
    )
    def spreadsheet(self, request: Request, code: str, what: str) -> HttpResponse:
        """Export a table as a spreadsheet.

        The results, the payments or the ledger entries of a table as CSV, one per row, for users who may read
        the accounts. The column headings are in the reader's language.
        """
        if what not in spreadsheets.SPREADSHEETS:
            raise Http404
        with lanes.WHOLE_TABLES.hold():
            return HttpResponse(spreadsheets.write(what, self.table), content_type=CSV)


class GameTextViewSet(GameViewSetBase):
    """A game as text."""

    @extend_schema(operation_id="export_game_text", responses={(200, "text/plain"): OpenApiTypes.STR})
    def export(self, request: Request, code: str) -> HttpResponse:
        """Export a game as text: a line for each event, in the notation that `score/` reads."""
        return HttpResponse(write_game(self.game.log()), content_type=TEXT)


class ImportViewSet(BaseViewSet):
    """The import of a table from its file."""

    parser_classes = [RawFileParser]
    permission_classes = [CanCreateTables]
    throttle_classes = [UserThrottle, ScoringThrottle]
    queries = {"create": ReimportQuery}
    keyed = ("create",)

    @extend_schema(
        operation_id="import_table", request={JSON: TABLE_FILE}, responses={201: ImportedSerializer}
    )
    def create(self, request: Request) -> Response:
        """Import a table.

        The file of a table is checked and restored as a new table, owned by the user. The same file under the
        same key gives the same table. A client address can send ten files in a quarter of an hour, including
        invalid ones.
        """
        file: object = request.data  # not bytes if the request has no body
        if not isinstance(file, bytes):
            raise ApiProblem("malformed")
        with lanes.WHOLE_TABLES.hold():
            return self.answer(ImportedSerializer, self._import(file), 201)

    def _import(self, file: bytes) -> Table:
        if not table_import.IMPORT_LIMIT.hit(network.client_key(self.request.META.get("REMOTE_ADDR", ""))):
            raise ApiProblem("too_many_requests")
        try:
            contents = file_reader.read_checked(file)
            return table_import.create_table(contents, key=self.key, by=self.user, again=self.query["again"])
        except InvalidFile as wrong:
            raise ApiProblem("misshapen", wrong.problems[0]) from None
        except AlreadyImported as known:
            raise ApiProblem("here_already", table=known.table.code) from None
