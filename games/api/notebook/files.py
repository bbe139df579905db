"""Exports of a table (a file, spreadsheets) and of a game (text, JSON), and importing a table."""

from __future__ import annotations

from collections.abc import Mapping
from typing import IO, Any

from django.http import Http404, HttpResponse, StreamingHttpResponse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework.parsers import BaseParser
from rest_framework.request import Request
from rest_framework.response import Response

from games.api.common.bodies import read_body
from games.api.common.endpoints import Endpoint, answer, check_all_tables, somebody
from games.api.common.limits import Counting, PerUser
from games.api.common.problems import Problem
from games.api.common.schema import refusals
from games.api.common.writing import KEY, key_sent
from games.api.notebook import payloads
from games.models import Table
from games.network import client_key
from games.notebook.fields import Unreadable
from games.notebook.proving import check_ledger
from games.notebook.reading import LARGEST, MOST_STEPS, read_table
from games.notebook.restoring import TRIED, AlreadyImported, restore_table
from games.notebook.writing import write_table
from games.people.access import BeingErased
from games.scoring.text.writing import write_game
from games.scoring.words import _
from games.shown.notebook.spreadsheets import SPREADSHEETS, write_lines

JSON, TEXT, CSV = "application/json", "text/plain; charset=utf-8", "text/csv; charset=utf-8"


class WholeFile(BaseParser):
    """A parser that returns the bytes of a table's file unparsed.

    The import parses the bytes itself, so that it can name the place of an error in the file.
    """

    media_type = JSON

    def parse(  # type: ignore[override]  # this parser returns bytes
        self, stream: IO[Any], media_type: str | None = None, parser_context: Mapping[str, Any] | None = None
    ) -> bytes:
        """Return the bytes; raise Problem if the file is too large or incomplete."""
        assert parser_context is not None
        return read_body(stream, parser_context["request"].META, most=LARGEST)


class TableFile(Endpoint):
    """The endpoint that exports a whole table as a file, from which it can be restored."""

    throttle_classes = [PerUser, Counting]

    @extend_schema(
        operation_id="export_table",
        summary="Export a table",
        description=(
            "The whole table as one file, for users who may read its accounts: every game, payment, plan "
            "and note. Exporting an unchanged table again gives the same bytes. Grants are not exported."
        ),
        responses={200: payloads.TABLE_FILE, **refusals("not_found")},
    )
    def get(self, request: Request, code: str) -> HttpResponse:
        """Return the table as a file (JSON)."""
        return HttpResponse(write_table(_table_to_export(self, code)), content_type=JSON)


class TableSpreadsheet(Endpoint):
    """The endpoint that exports a table as spreadsheets."""

    throttle_classes = [PerUser, Counting]

    @extend_schema(
        operation_id="export_spreadsheet",
        summary="Export a table as a spreadsheet",
        description=(
            "The rounds, the results or the payments of a table, a row for each, for users who may read the"
            " accounts. The names of the columns are in the reader's language."
        ),
        parameters=[payloads.SPREADSHEET],
        responses={(200, "text/csv"): OpenApiTypes.STR, **refusals("not_found")},
    )
    def get(self, request: Request, code: str, what: str) -> StreamingHttpResponse:
        """Return the spreadsheet named `what` as CSV, streamed line by line.

        The names are the keys of `SPREADSHEETS`, e.g. "rounds". Raise Http404 for an unknown name.
        """
        table = _table_to_export(self, code)
        if what not in SPREADSHEETS:
            raise Http404
        return StreamingHttpResponse(write_lines(what, table), content_type=CSV)


class GameText(Endpoint):
    """The endpoint that exports a game as text."""

    @extend_schema(
        operation_id="export_game_text",
        summary="Export a game as text",
        description="A line for each event, in the notation that `score/` reads.",
        responses={(200, "text/plain"): OpenApiTypes.STR, **refusals("not_found")},
    )
    def get(self, request: Request, code: str) -> HttpResponse:
        """Return the game as text."""
        return HttpResponse(write_game(self.game_opened(code).log()), content_type=TEXT)


def _table_to_export(endpoint: Endpoint, code: str) -> Table:
    """Return the table to be exported; raise PermissionDenied for a user who may not read its accounts.

    An owner may also export an erased table that can still be restored.
    """
    try:
        return endpoint.accounts_opened(code)
    except BeingErased as erased:
        return erased.table


class TableFiles(Endpoint):
    """The endpoint that imports a table from its file."""

    query = ("again",)

    parser_classes = [WholeFile]
    throttle_classes = [PerUser, Counting]

    @extend_schema(
        operation_id="import_table",
        summary="Import a table",
        description=(
            "The file of a table is checked and restored as a new table, which the user then owns. The same"
            " file under the same key gives the same table. A client address can send ten files in a quarter of an "
            "hour, wrong ones included. "
        ),
        parameters=[KEY, payloads.AGAIN],
        request={JSON: payloads.TABLE_FILE},
        responses={201: payloads.TableBrought, **refusals("body", "here_already")},
    )
    def post(self, request: Request) -> Response:
        """Restore the table from its file and return it.

        A repeated request with the same idempotency key creates no second table.
        """
        check_all_tables(self.visitor, for_writing=True)
        key, again = key_sent(request), _again_sent(request)
        file: object = request.data  # not bytes if the request has no body
        if not isinstance(file, bytes):
            raise Problem("malformed")
        if not TRIED.take(client_key(request.META.get("REMOTE_ADDR", ""))):
            raise Problem("too_many_requests")
        try:
            contents = read_table(file, most=MOST_STEPS)
            check_ledger(contents)
            table = restore_table(contents, key=key, by=somebody(request, key=key), again=again)
        except Unreadable as wrong:
            raise Problem("misshapen", wrong.problems[0]) from None
        except AlreadyImported as here:
            raise Problem("here_already", table=here.table.code) from None
        return answer(payloads.TableBrought.of(table), status=201)


def _again_sent(request: Request) -> bool:
    """Return whether the query string asks (`again=true`) to import a file again, as a second table."""
    text = request.query_params.get("again", "false")
    if text not in ("true", "false"):
        raise Problem("bad_request", _("“again” must be “true” or “false”."), field="again")
    return text == "true"
