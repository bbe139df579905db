"""The import of an old notebook (a spreadsheet of past nights), and the page of a night from a notebook."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from datetime import datetime, timedelta

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.timezone import now
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from games.common import amounts, body_limits, days, event_sentences, request_handling, texts
from games.files.presenters import import_text
from games.files.services import notebook_games, notebook_reader, other_apps
from games.files.services.file_contents import FileContents
from games.files.services.import_preview import ImportPreview
from games.files.services.notebook_reader import Figures, OldNotebook
from games.files.services.reading_report import ReadingReport
from games.files.views.files import ImportPage, InvalidUpload, read_upload
from games.models import Table
from games.play.presenters import open_game
from games.play.presenters.open_game import OpenGame
from games.scoring.events import NightImported
from games.scoring.variants import VARIANTS

LONGEST_REPEATED = 20_000  # characters of a refused file that the form shows again, to be corrected there
LARGEST_BODY = 2_500_000  # bytes of the form, where a character may take several
TICK = "tick-"  # and the key of a possible sum: the name of its box


@dataclass(frozen=True)
class NotebookFormData:
    """The values of the form for an import. `ticked` are the keys of the possible sums with a tick."""

    text: str
    figures: Figures
    variant: str
    paid: bool
    ticked: Sequence[str] = ()
    is_text_unread: bool = False  # because a file was read instead

    @classmethod
    def from_request(cls, request: HttpRequest) -> NotebookFormData:
        """Return the values of the submitted form. An uploaded file takes precedence over the text field."""
        post = request.POST
        figures, variant = post.get("figures", ""), post.get("variant", "")
        text, typed = submitted_text(request), post.get("text", "").split()
        return cls(
            text=text,
            figures=Figures(figures) if figures in set(Figures) else Figures.MONEY,
            variant=variant if variant in VARIANTS else "",
            paid=post.get("paid") != "no",
            ticked=[name.removeprefix(TICK) for name in post if name.startswith(TICK)],
            is_text_unread=bool(typed) and typed != text.split(),
        )

    def read(self, table: Table) -> OldNotebook:
        """Return the nights of the text, in the money and at the time of the table."""
        today = days.night_for(now(), table)
        return notebook_reader.read_notebook(
            self.text, table, today=today, figures=self.figures, ticked=self.ticked
        )

    def report_sentences(self, report: ReadingReport | None) -> list[str]:
        """Return what the page says of the reading. `report` is None if it was refused."""
        unread = [_("The file was read, not the text in the box.")] if self.is_text_unread else []
        return [*unread, *(import_text.report_sentences(report) if report else [])]

    def without_long_file(self, request: HttpRequest) -> NotebookFormData:
        """Return the values without the text of a long file, which the user still has."""
        is_long = "file" in request.FILES and len(self.text) > LONGEST_REPEATED
        return replace(self, text="") if is_long else self


def form_context() -> dict[str, object]:
    """Return the template variables of every form for a notebook: its choices, and the days of an example."""
    return {
        "figures": import_text.figure_choices(),
        "variants": [(variant.key, texts.translate(variant.name)) for variant in VARIANTS.values()],
        "first_day": days.format_numeric_date(notebook_reader.EXAMPLE_DATE),
        "second_day": days.format_numeric_date(notebook_reader.EXAMPLE_DATE + timedelta(days=7)),
    }


class _NotebookImportPage(ImportPage):
    """The page for importing the nights of a notebook."""

    page = "import-nights"

    def __init__(self, request: HttpRequest, table_code: str) -> None:
        super().__init__(request, table_code)
        self._form_data = NotebookFormData.from_request(request)
        self._notebook = self._form_data.read(self.table)

    def read(self) -> FileContents:
        problem = text_problem(self.request, self._form_data.text)
        if problem:
            raise InvalidUpload([problem])
        form_data = self._form_data
        contents = notebook_games.build_contents(
            self.table, self._notebook, variant=form_data.variant, paid=form_data.paid
        )
        if self._notebook.problems:
            raise InvalidUpload(import_text.problem_sentences(self._notebook.problems, self.table))
        return contents

    def extra_context(self, preview: ImportPreview | None) -> dict[str, object]:
        return {
            **form_context(),
            "wanted": self._form_data if preview else self._form_data.without_long_file(self.request),
            "sums": import_text.sums_context(self._notebook),
            "report": self._form_data.report_sentences(self._count(preview) if preview else None),
            **(import_text.notebook_context(preview, self.table) if preview else {}),
        }

    def write_report(self, at: datetime) -> str:
        """Return the report with the numbers of nights that were new and known.

        A form sent again has the same report: its nights are known by then, but they arrived at the same time.
        """
        arrived = sum(arrival.games for arrival in self.table.arrivals.filter(at=at))
        known = len(self._notebook.nights) - arrived - len(self._preview.skipped)
        return dump_report(replace(self._notebook.report, nights=arrived, known=known))

    def done_context(self, report: str) -> dict[str, object]:
        if not report:
            return super().done_context(report)
        return import_text.done_context(ReadingReport(**json.loads(report)))

    def _build_preview(self, contents: FileContents, at: datetime) -> ImportPreview:
        self._preview = super()._build_preview(contents, at)
        return self._preview

    def _count(self, preview: ImportPreview) -> ReadingReport:
        """Return the report with the numbers of nights that are new and known."""
        report = self._notebook.report
        if preview.is_open:
            return report
        return replace(report, nights=len(preview.games), known=preview.known_count)


def dump_report(report: ReadingReport) -> str:
    """Return the report as JSON, for the page after the import."""
    return json.dumps(asdict(report))


@body_limits.limit_body(LARGEST_BODY, text=notebook_reader.LONGEST)
@request_handling.require_form
def import_nights(request: HttpRequest, table_code: str) -> HttpResponse:
    return _NotebookImportPage.serve(request, table_code)


# --- a night of an old notebook ---------------------------------------------------------------------------


@require_safe
def old_night(request: HttpRequest, code: str) -> HttpResponse:
    """Show a night that was imported from an old notebook."""
    game_page = open_game.get_or_404(request, code, or_old_night=True)
    night = game_page.state.imported_night
    if night is None:
        return redirect("sheet", code)
    context = {
        **game_page.context,
        "day": days.night_for(game_page.game.started_at, game_page.table),
        "title": event_sentences.winners_sentence(game_page.state, game_page.people),
        "placed": _result_rows(game_page, night),
        "note": night.note,
        "is_paid": game_page.game.spot_nets is not None,
        "may_record": game_page.has_role and game_page.game.discarded_at is None,
    }
    return render(request, "files/old_night.html", context)


def _result_rows(game_page: OpenGame, night: NightImported) -> list[dict[str, object]]:
    """Return the results of the night's players, best place first."""
    totals, nets = dict(night.totals), dict(night.nets)
    return [
        {
            "place": place,
            "person": game_page.people[slug],
            "total": amounts.points_label(totals[slug]) if totals else "",
            "net": amounts.money(nets[slug], game_page.table, signed=True) if nets else "",
            "tone": amounts.tone(nets.get(slug, 0)),
        }
        for slug, place in sorted(night.places, key=lambda item: item[1])
    ]


LARGEST = 2 * notebook_reader.LONGEST  # bytes; most characters take one byte, so LONGEST characters fit


def submitted_text(request: HttpRequest) -> str:
    """Return the text of the uploaded file or, without a file, of the text field.

    A file that is too large counts as no file.
    """
    file = request.FILES.get("file")
    is_sent = file is not None and file.size is not None and 0 < file.size <= LARGEST
    return notebook_reader.decode(read_upload(file)) if file and is_sent else request.POST.get("text", "")


def text_problem(request: HttpRequest, text: str) -> str:
    """Return why this upload cannot be a notebook; "" if it may be one."""
    file = request.FILES.get("file")
    if file is not None and (file.size or 0) > LARGEST:
        return _("This file is too large for a notebook.")
    content = read_upload(file) if file is not None else text.encode(errors="replace")
    if not content.strip() and file is None:
        return _("Choose a file, or paste the notebook.")
    seems = other_apps.find_advice(content)
    return "" if seems is None or seems is other_apps.NOTEBOOK else texts.translate(seems)
