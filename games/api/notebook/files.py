"""The file of a table: everything of it to take home, and to bring to another installation."""

from __future__ import annotations

from collections.abc import Mapping
from typing import IO, Any

from django.http import HttpResponse
from drf_spectacular.utils import extend_schema
from rest_framework.parsers import BaseParser
from rest_framework.request import Request
from rest_framework.response import Response

from games.api.common.bodies import read_body
from games.api.common.endpoints import Endpoint, answer, check_all_tables, somebody
from games.api.common.limits import Counting, PerUser
from games.api.common.problems import Problem
from games.api.common.schema import CODE, refusals
from games.api.common.writing import KEY, key_sent
from games.api.notebook import payloads
from games.notebook.fields import Unreadable
from games.notebook.reading import LARGEST, MOST_STEPS, read_table
from games.notebook.restoring import TRIED, HereAlready, restore_table
from games.notebook.writing import write_table
from games.scoring.words import _

JSON = "application/json"


class WholeFile(BaseParser):
    """Takes a file as it comes: what reads it says what is wrong in it, and where."""

    media_type = JSON

    def parse(  # type: ignore[override]  # a file is bytes
        self, stream: IO[Any], media_type: str | None = None, parser_context: Mapping[str, Any] | None = None
    ) -> bytes:
        """The bytes; Problem where they are too many or too slow."""
        assert parser_context is not None
        return read_body(stream, parser_context["request"].META, most=LARGEST)


class TableFile(Endpoint):
    """A table to take home."""

    throttle_classes = [PerUser, Counting]

    @extend_schema(
        operation_id="export_table",
        summary="Take a table home",
        description=(
            "The whole table as one file, for whoever reads its accounts: every game, payment, plan and note, the "
            "same to the byte each time. Who may do what stays where it is."
        ),
        parameters=[CODE],
        responses={200: payloads.TABLE_FILE, **refusals("not_found")},
    )
    def get(self, request: Request, code: str) -> HttpResponse:
        """The file."""
        return HttpResponse(write_table(self.accounts_opened(code)), content_type=JSON)


class TableFiles(Endpoint):
    """Tables brought from elsewhere."""

    parser_classes = [WholeFile]
    throttle_classes = [PerUser, Counting]

    @extend_schema(
        operation_id="import_table",
        summary="Bring a table",
        description=(
            "The file of a table, checked whole and read in as a new table, which whoever sends it owns from then "
            "on. The same file under the same key gives the same table. A few files in a quarter of an hour."
        ),
        parameters=[KEY, payloads.AGAIN],
        request={JSON: payloads.TABLE_FILE},
        responses={201: payloads.TableBrought, **refusals("body", "here_already")},
    )
    def post(self, request: Request) -> Response:
        """The table there is now."""
        check_all_tables(self.visitor, for_owning=True)
        key, again = key_sent(request), _again_sent(request)
        file: object = request.data  # which is no file where nothing was sent
        if not isinstance(file, bytes):
            raise Problem("malformed")
        if not TRIED.take(request.META.get("REMOTE_ADDR", "")):
            raise Problem("too_many_requests")
        try:
            contents = read_table(file, most=MOST_STEPS)
            table = restore_table(contents, key=key, by=somebody(request, key=key), again=again)
        except Unreadable as wrong:
            raise Problem("misshapen", wrong.problems[0]) from None
        except HereAlready:
            raise Problem("here_already") from None
        return answer({"code": table.code, "name": table.name, "games": table.games.count()}, status=201)


def _again_sent(request: Request) -> bool:
    """Whether a second table of the same file is meant."""
    text = request.query_params.get("again", "false")
    if text not in ("true", "false"):
        raise Problem("bad_request", _("“again” is “true” or “false”."), field="again")
    return text == "true"
