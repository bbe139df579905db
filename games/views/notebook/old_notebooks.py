"""The import of an old notebook (a spreadsheet of past nights).

The page reads the notebook, shows a preview, records the games once confirmed, and can undo the import.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.timezone import now
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from games.keys import KeyReused, new_key
from games.models import Table
from games.names import Alike
from games.nights import night_of
from games.notebook.figures import write_day
from games.notebook.old_games import ImportPreview, import_preview_of
from games.notebook.old_nights import EXAMPLE, Figures, OldNotebook, read_old_notebook
from games.notebook.taking_over import StaleOutlook, take_back, take_over
from games.people.access import get_table_or_404
from games.regions import current_region
from games.scoring.errors import RuleError
from games.scoring.events import NightImported
from games.scoring.variants import VARIANTS
from games.shown.common.amounts import money, points_in_words, tone_of
from games.shown.common.people import Person
from games.shown.common.sentences import translate
from games.shown.common.words import winners_in_words
from games.shown.notebook.old_notebook import (
    figures_in_words,
    problems_in_words,
    understood,
)
from games.views.common.opened import OpenGame, open_game, user_of
from games.views.common.recording import CONFLICT, UNPROCESSABLE, sent_key
from games.views.notebook.sent import text_problem, text_sent


@dataclass(frozen=True)
class Wanted:
    """The values of the HTML form for an import."""

    text: str = ""
    figures: Figures = Figures.MONEY
    variant: str = ""
    paid: bool = True
    apart: Sequence[str] = ()  # new names that differ from others only in accents

    @classmethod
    def sent(cls, request: HttpRequest) -> Wanted:
        """Return the values of the submitted form; an uploaded file takes precedence over the text field."""
        post = request.POST
        figures, variant = post.get("figures", ""), post.get("variant", "")
        return cls(
            text=text_sent(request),
            figures=Figures(figures) if figures in set(Figures) else Figures.MONEY,
            variant=variant if variant in VARIANTS else "",
            paid=post.get("paid") != "no",
            apart=post.getlist("apart"),
        )


@require_http_methods(["GET", "POST"])
def import_nights(request: HttpRequest, table_code: str) -> HttpResponse:
    """Show a preview of the notebook. If the form has `take`, import it, unless the preview has changed."""
    table = get_table_or_404(request, table_code, for_owning=True)
    if request.method == "GET":
        return _show(request, table, Wanted())
    wanted = Wanted.sent(request)
    problem = text_problem(request, wanted.text)
    if problem:
        return _show(request, table, wanted, [problem], status=UNPROCESSABLE)
    if "take" in request.POST:
        return _take(request, table, wanted)
    return _look(request, table, wanted)


@require_POST
def undo_nights(request: HttpRequest, table_code: str) -> HttpResponse:
    """Undo an import: discard all games that it recorded."""
    table = get_table_or_404(request, table_code, for_owning=True)
    try:
        take_back(table, key=sent_key(request), by=user_of(request))
    except RuleError as refusal:
        return _show(request, table, Wanted(), [translate(refusal.text)], status=UNPROCESSABLE)
    return redirect("import-nights", table.code)


def _read(table: Table, wanted: Wanted) -> OldNotebook:
    today = night_of(now(), table)
    return read_old_notebook(
        wanted.text,
        decimals=table.decimals,
        today=today,
        figures=wanted.figures,
        is_month_first=current_region().is_month_first,
    )


def _take(request: HttpRequest, table: Table, wanted: Wanted) -> HttpResponse:
    notebook, key = _read(table, wanted), sent_key(request)
    try:
        take_over(
            table,
            lambda: _outlook(table, wanted, notebook),
            seen=request.POST.get("seen", ""),
            paid=wanted.paid,
            apart=wanted.apart,
            key=key,
            by=user_of(request),
        )
    except StaleOutlook as stale:
        notice = _("The result has changed since you saw it. Nothing was saved; check it again.")
        return _preview(request, table, wanted, notebook, stale.outlook, notice)
    except Alike as alike:
        outlook, notice = _outlook(table, wanted, notebook), translate(alike.text)
        return _preview(
            request, table, wanted, notebook, outlook, notice, alike=alike.name, status=UNPROCESSABLE
        )
    except KeyReused:
        return _show(request, table, wanted, [_key_reused()], status=CONFLICT)
    except RuleError as refusal:
        return _show(request, table, wanted, [translate(refusal.text)], status=UNPROCESSABLE)
    return redirect(f"{reverse('import-nights', args=[table.code])}?done={key}")


def _key_reused() -> str:
    return _("The key belongs to an earlier entry with other content. Nothing was recorded; use a new key.")


def _look(request: HttpRequest, table: Table, wanted: Wanted) -> HttpResponse:
    notebook = _read(table, wanted)
    return _preview(request, table, wanted, notebook, _outlook(table, wanted, notebook))


def _outlook(table: Table, wanted: Wanted, notebook: OldNotebook) -> ImportPreview:
    return import_preview_of(table, notebook, variant=wanted.variant)


def _preview(
    request: HttpRequest,
    table: Table,
    wanted: Wanted,
    notebook: OldNotebook,
    outlook: ImportPreview,
    notice: str = "",
    *,
    alike: str = "",
    status: int = CONFLICT,
) -> HttpResponse:
    if outlook.problems:
        problems = problems_in_words(outlook.problems, table)
        return _show(request, table, wanted, problems, status=UNPROCESSABLE)
    context = {
        **_form(table, wanted),
        "understood": understood(notebook, outlook, table),
        "seen": outlook.seen,
        "count": len(outlook.games),
        "notice": notice,
        "alike": alike,
    }
    return render(request, "games/notebook/import_nights.html", context, status=status if notice else 200)


def _show(
    request: HttpRequest,
    table: Table,
    wanted: Wanted,
    problems: Sequence[str] = (),
    *,
    status: int = 200,
) -> HttpResponse:
    done = request.GET.get("done", "")
    done = done if done.isprintable() else ""
    context = {
        **_form(table, wanted),
        "problems": problems,
        "done": done,
        "brought": table.games.filter(key__startswith=f"{done}:", discarded_at=None).count() if done else 0,
    }
    return render(request, "games/notebook/import_nights.html", context, status=status)


def _form(table: Table, wanted: Wanted) -> dict[str, object]:
    is_month_first = current_region().is_month_first
    return {
        "table": table,
        "wanted": wanted,
        "first_day": write_day(EXAMPLE, is_month_first=is_month_first),
        "second_day": write_day(EXAMPLE + timedelta(days=7), is_month_first=is_month_first),
        "figures": figures_in_words(),
        "variants": [(variant.key, translate(variant.name)) for variant in VARIANTS.values()],
        "key": new_key(),
    }


# --- a night of an old notebook ---------------------------------------------------------------------------


@dataclass(frozen=True)
class Placed:
    """The result of one player on a night of an old notebook."""

    place: int
    person: Person
    total: str
    net: str
    tone: str


@require_GET
def old_night(request: HttpRequest, code: str) -> HttpResponse:
    """Show a night that was imported from an old notebook."""
    game_page = open_game(request, code, or_old_night=True)
    night = game_page.state.imported
    if night is None:
        return redirect("sheet", code)
    context = {
        **game_page.context,
        "day": night_of(game_page.game.started_at, game_page.table),
        "title": winners_in_words(game_page.state, game_page.people),
        "placed": _placed(game_page, night),
        "note": night.note,
        "is_paid": game_page.game.spot_nets is not None,
        "may_record": game_page.may_record and game_page.game.discarded_at is None,
    }
    return render(request, "games/notebook/old_night.html", context)


def _placed(game_page: OpenGame, night: NightImported) -> list[Placed]:
    """Return the results of the players of the night, best place first."""
    totals, nets = dict(night.totals), dict(night.nets)
    return [
        Placed(
            place=place,
            person=game_page.people[slug],
            total=points_in_words(totals[slug]) if totals else "",
            net=money(nets[slug], game_page.table, signed=True) if nets else "",
            tone=tone_of(nets.get(slug, 0)),
        )
        for slug, place in sorted(night.places, key=lambda placed: placed[1])
    ]
