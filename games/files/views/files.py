"""A table's file: imported as a new table or into an existing one, and exported, also as spreadsheets."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from django.core.files.uploadedfile import UploadedFile
from django.core.signing import BadSignature, Signer
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.text import slugify
from django.utils.timezone import now
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_safe

from games.common import amounts, body_limits, lanes, naming, network, request_handling, texts
from games.common.json_reader import InvalidFile
from games.common.locks import ConcurrentChange
from games.common.rate_limits import RateLimit
from games.files.models import FILE_LENGTH
from games.files.presenters import import_text, spreadsheets
from games.files.services import (
    file_reader,
    file_writer,
    import_preview,
    imports,
    member_matching,
    notebook_reader,
    other_apps,
    table_import,
)
from games.files.services.file_contents import FileContents
from games.files.services.import_preview import ImportPreview
from games.files.services.table_import import AlreadyImported
from games.models import Arrival, Role, Table
from games.money.presenters import account_display
from games.scoring.errors import RuleError
from games.scoring.step_budget import count_steps
from games.tables.services import authorization, guests
from games.tables.services.authorization import TableErased
from games.tables.services.roster import People
from games.tables.views.creation_closed import requires_table_creation

# A file is sent for the preview, again with each answer, and for the import itself.
PREVIEW_LIMIT = RateLimit("bring", most=40)
ARRIVAL_SIGNER = Signer(salt="games.files.views.files")  # signs the moment when a file arrived
JSON, CSV = "application/json", "text/csv; charset=utf-8"


class InvalidUpload(Exception):
    """No valid file was sent; `problems` are sentences that say why, `status` is that of the response."""

    def __init__(self, problems: Sequence[str], status: int = request_handling.UNPROCESSABLE) -> None:
        super().__init__(*problems)
        self.problems, self.status = problems, status


def _read_upload(request: HttpRequest, tried: RateLimit) -> FileContents:
    """Return the contents of the uploaded file. Raise InvalidUpload if it is missing, invalid or too much."""
    file = request.FILES.get("file")
    if file is None:
        raise InvalidUpload([_("Choose a table file.")])
    if file.size is None or file.size > file_reader.LARGEST:
        raise InvalidUpload(
            [_("This file is too large. The site's operator can import it from the command line.")]
        )
    if not tried.hit(network.client_key(request.META["REMOTE_ADDR"])):
        raise InvalidUpload([_wait_sentence()], request_handling.TOO_MANY)
    try:
        return file_reader.read_checked(file.read())
    except InvalidFile as unreadable:
        raise InvalidUpload([texts.translate(problem) for problem in unreadable.problems]) from None


def read_upload(file: UploadedFile[bytes]) -> bytes:
    """Return the bytes of an uploaded file, which may have been read before."""
    file.seek(0)
    content: bytes = file.read()
    return content


def uploaded_notebook(request: HttpRequest) -> str:
    """Return the text of the uploaded file if it seems to be a notebook; "" otherwise."""
    file = request.FILES.get("file")
    if file is None or (file.size or 0) > notebook_reader.LONGEST:
        return ""
    content = read_upload(file)
    return notebook_reader.decode(content) if other_apps.find_advice(content) is other_apps.NOTEBOOK else ""


# --- as a new table ---------------------------------------------------------------------------------------------------


@body_limits.limit_body(body_limits.LARGEST_UPLOAD)
@request_handling.require_form
@requires_table_creation
def import_table(request: HttpRequest) -> HttpResponse:
    """Import a table from its file; the user becomes the owner of the new table."""
    if request.method != "POST":
        return _render_import(request, ())
    with lanes.WHOLE_TABLES.hold():
        try:
            return _create_table(request, _read_upload(request, table_import.IMPORT_LIMIT))
        except InvalidUpload as refusal:
            return _render_import(request, refusal.problems, refusal.status)
        except RuleError as refusal:
            return _render_import(request, [texts.translate(refusal.text)], request_handling.UNPROCESSABLE)


def _create_table(request: HttpRequest, contents: FileContents) -> HttpResponse:
    """Import the table of the file and redirect to it.

    If the user has it already, show the existing table and ask whether to import a second one. The form's
    `again` confirms this.
    """
    user = authorization.get_or_create_guest(request, key=request_handling.form_key(request))
    again = request.POST.get("again") == contents.digest  # confirmed for exactly this file
    try:
        table = table_import.create_table(
            contents, key=request_handling.form_key(request), by=user, again=again
        )
    except AlreadyImported as here:
        about = {
            "here": here.table,
            "owns": authorization.find_role(user, here.table) is Role.OWNER,
            "again": contents.digest,
        }
        messages = [
            _("You already have “%(name)s”.") % {"name": naming.isolate(here.table.name)},
            _("Importing it anyway creates a second table."),
        ]
        return _render_import(request, messages, request_handling.CONFLICT, **about)
    request_handling.remember_table(request, table)
    return request_handling.redirect_with_notice(request, "imported", "table-settings", table.code)


def _wait_sentence() -> str:
    wait = ngettext(
        "Too many files. Wait %(count)s minute.",
        "Too many files. Wait %(count)s minutes.",
        table_import.IMPORT_LIMIT.minutes,
    )
    return wait % {"count": table_import.IMPORT_LIMIT.minutes}


def _render_import(
    request: HttpRequest, problems: Sequence[str], status: int = 200, **about: object
) -> HttpResponse:
    context = {
        "problems": problems,
        "key": guests.issue_form_key(request),
        "notebook": uploaded_notebook(request),
        **about,
    }
    return render(request, "files/import_table.html", context, status=status)


# --- into an existing table -------------------------------------------------------------------------------------------


class ImportPage:
    """A page for an import into an existing table: it previews, runs and reverts the import."""

    page = ""  # the name of its URL and, with underscores, of its template

    def __init__(self, request: HttpRequest, table_code: str) -> None:
        self.request = request
        self.table = authorization.get_table(request.user, table_code, for_owning=True)[0]
        self._user = request_handling.current_user(request)
        names = [name for name in request.POST if name.startswith("who-") and request.POST[name]]
        self._answers = {name.removeprefix("who-"): request.POST[name] for name in names}

    @classmethod
    def serve(cls, request: HttpRequest, table_code: str) -> HttpResponse:
        """Return the page, or the response to its form. Raise LaneFull if all places are taken."""
        if request.method != "POST":
            return cls(request, table_code).respond()
        with lanes.WHOLE_TABLES.hold():
            return cls(request, table_code).respond()

    def read(self) -> FileContents:
        """Return the contents of the upload. Raise InvalidUpload if it is invalid."""
        raise NotImplementedError

    def extra_context(self, preview: ImportPreview | None) -> dict[str, object]:
        """Return further template variables of the page."""
        return {}

    def write_report(self, at: datetime) -> str:
        """Return a report on the import that arrived at this time, which `done_context` reads."""
        return ""

    def done_context(self, report: str) -> dict[str, object]:
        """Return the template variables that say once what was imported."""
        return {"done": _("Everything was imported.")}

    def respond(self) -> HttpResponse:
        """Show a preview of the import. With `take`, run it, unless it has changed since the preview.

        With `remove`, show the balances without a past import; with `undo`, revert it.
        """
        data = self.request.POST
        try:
            if self.request.method != "POST":
                return self._render()
            if "undo" in data:
                imports.revert(self._get_arrival(data["undo"]), by=self._user)
                return redirect(self.page, self.table.code)
            if "remove" in data:
                return self._render_preview_without(self._get_arrival(data["remove"]))
            return self._run_import(self.read()) if "take" in data else self._render_preview(self.read())
        except InvalidUpload as refusal:
            return self._render(refusal.status, problems=refusal.problems)
        except RuleError as refusal:
            problems = [texts.translate(refusal.text, amounts.money_formatter(self.table))]
            return self._render(request_handling.UNPROCESSABLE, problems=problems)

    def _run_import(self, contents: FileContents) -> HttpResponse:
        data, at = self.request.POST, _unsign_arrival(self.request.POST.get("key", ""))

        def look() -> ImportPreview:
            return self._build_preview(contents, at)

        try:
            seen, file = data.get("seen", ""), uploaded_file_name(self.request)
            imports.run(self.table, look, seen=seen, by=self._user, at=at, file=file)
        except ConcurrentChange as changed:
            return self._render_preview(contents, texts.translate(changed.text))
        return request_handling.redirect_with_notice(
            self.request, "brought", self.page, self.table.code, of=self.write_report(at)
        )

    def _get_arrival(self, number: str) -> Arrival:
        """Return the arrival with this number, unless it was reverted."""
        pk = request_handling.parse_int(number, most_digits=15)
        return get_object_or_404(self.table.arrivals.filter(ended_at=None), pk=pk)

    def _render_preview_without(self, arrival: Arrival) -> HttpResponse:
        people, balances = People.of(self.table), imports.balances_without(arrival, by=self._user)
        rows = [
            account_display.balance_item(member, balances[member.slug], self.table)
            for member in people.current_members
        ]
        return self._render(out=import_text.arrival_item(arrival, people), balances=rows)

    def _build_preview(self, contents: FileContents, at: datetime) -> ImportPreview:
        with count_steps(file_reader.MOST_STEPS):
            return import_preview.build(self.table, contents, self._answers, by=self._user, at=at)

    def _render_preview(self, contents: FileContents, notice: str = "") -> HttpResponse:
        """Show the preview. Questions that the sent form left unanswered are marked at their fields."""
        at = now()
        preview = self._build_preview(contents, at)
        is_tick = self.request.POST.get("look") == "tick"
        has_answers = any(name.startswith("who-") for name in self.request.POST)
        is_unanswered = preview.is_open and has_answers and not is_tick
        context = {
            "words": import_text.preview_sentences(preview, self.table),
            "members": People.of(self.table).current_members,
            "new": member_matching.NEW_MEMBER,
            "notice": notice,
            "is_unanswered": is_unanswered,
            "key": ARRIVAL_SIGNER.sign(at.isoformat()),
        }
        status = (
            request_handling.UNPROCESSABLE if is_unanswered else request_handling.CONFLICT if notice else 200
        )
        return self._render(status, preview, **context)

    def _render(
        self, status: int = 200, preview: ImportPreview | None = None, **context: object
    ) -> HttpResponse:
        people = People.of(self.table)
        arrivals = self.table.arrivals.select_related("user", "ended_by")
        act, report = request_handling.pop_notice(self.request, "brought")
        context |= {
            "table": self.table,
            "coming": preview,
            "arrivals": [import_text.arrival_item(arrival, people) for arrival in arrivals],
            "page": self.page,
        }
        template = f"files/{self.page.replace('-', '_')}.html"
        context |= self.extra_context(preview) | (self.done_context(report) if act else {})
        return render(self.request, template, context, status=status)


def uploaded_file_name(request: HttpRequest) -> str:
    """Return the printable part of the uploaded file's name; "" without a file."""
    file = request.FILES.get("file")
    name = (file.name or "") if file else ""
    return "".join(letter for letter in name if letter.isprintable())[:FILE_LENGTH]


def _unsign_arrival(key: str) -> datetime:
    """Return the moment that this key signs. Raise ConcurrentChange if this site did not issue the key."""
    try:
        return datetime.fromisoformat(ARRIVAL_SIGNER.unsign(key))
    except (BadSignature, ValueError):
        raise ConcurrentChange from None


class _FileImportPage(ImportPage):
    """The page for importing the games, payments and expenses of another table's file."""

    page = "bring-file"

    def read(self) -> FileContents:
        return _read_upload(self.request, PREVIEW_LIMIT)

    def extra_context(self, preview: ImportPreview | None) -> dict[str, object]:
        """Return the text of a file that is a notebook. The page passes it on to the import of notebooks."""
        return {"notebook": uploaded_notebook(self.request)}


@body_limits.limit_body(body_limits.LARGEST_UPLOAD)
@request_handling.require_form
def bring_file(request: HttpRequest, table_code: str) -> HttpResponse:
    return _FileImportPage.serve(request, table_code)


# --- a table as a file or as spreadsheets -----------------------------------------------------------------------------


@require_safe
@lanes.WHOLE_TABLES.hold()
def download(request: HttpRequest, table_code: str, what: str) -> HttpResponse:
    """Send the export named `what`: the table as JSON, or one of the spreadsheets."""
    try:
        table, _role = authorization.get_accounts(request.user, table_code)
    except TableErased as erased:  # its owner may still export it
        table = erased.table
    if what == "table":
        return _with_filename(
            HttpResponse(file_writer.write_table(table), content_type=JSON), f"{_file_stem(table)}.json"
        )
    if what not in spreadsheets.SPREADSHEETS:
        raise Http404
    response = HttpResponse(spreadsheets.write(what, table), content_type=CSV)
    title = {"results": _("Results"), "payments": _("Payments"), "entries": _("Entries")}[what]
    return _with_filename(response, f"{_file_stem(table)}-{slugify(title)}.csv")


def _file_stem(table: Table) -> str:
    """Return a name for the table's exports that is valid on every operating system."""
    return slugify(table.name) or table.code


def _with_filename(response: HttpResponse, name: str) -> HttpResponse:
    response["Content-Disposition"] = f'attachment; filename="{name}"'
    return response
