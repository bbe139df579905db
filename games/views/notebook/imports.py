"""The imports of a table's file: as a new table, or into a table that exists."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime

from django.core.signing import BadSignature, Signer
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.http import urlencode
from django.utils.timezone import now
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods

from games.locks import ChangedMeanwhile
from games.models import Role, Table
from games.money.balances import People
from games.network import client_key
from games.notebook.bringing import bring, has_arrived, take_back
from games.notebook.coming import NEW, Coming, coming_from
from games.notebook.contents import Contents
from games.notebook.fields import Unreadable
from games.notebook.proving import check_ledger
from games.notebook.reading import LARGEST, MOST_STEPS, read_table
from games.notebook.restoring import TRIED, AlreadyImported, restore_table
from games.people.access import ensure_guest, get_table_or_404, role_at
from games.people.guest_keys import guest_key
from games.people.limits import Limit
from games.scoring.effort import counting_steps
from games.scoring.errors import RuleError
from games.shown.common.amounts import money_of
from games.shown.common.sentences import translate
from games.shown.notebook.coming import coming_in_words
from games.views.common.current import make_current
from games.views.common.opened import user_of
from games.views.common.recording import CONFLICT, TOO_MANY, UNPROCESSABLE, sent_key

LOOKED = Limit("bring", most=40)  # a file is sent for its preview, with each answer and to be brought
ARRIVAL = Signer(salt="games.views.notebook.imports")  # signs the moment at which a file arrived


class _Refused(Exception):
    """Raised if no valid file was sent, with the sentences that say why and the status of the answer."""

    def __init__(self, problems: Sequence[str], status: int = UNPROCESSABLE) -> None:
        super().__init__(*problems)
        self.problems, self.status = problems, status


def _contents_sent(request: HttpRequest, tried: Limit) -> Contents:
    """Return the contents of the file that was sent."""
    file = request.FILES.get("file")
    if file is None:
        raise _Refused([_("Choose the file of a table.")])
    if file.size is None or file.size > LARGEST:
        raise _Refused(
            [_("This file is too large. The site's operator can import it from the command line.")]
        )
    if not tried.take(client_key(request.META["REMOTE_ADDR"])):
        raise _Refused([_told_to_wait()], TOO_MANY)
    try:
        contents = read_table(file.read(), most=MOST_STEPS)
        check_ledger(contents)
    except Unreadable as unreadable:
        raise _Refused([translate(problem) for problem in unreadable.problems]) from None
    return contents


# --- as a new table ---------------------------------------------------------------------------------------------------


@require_http_methods(["GET", "POST"])
def import_table(request: HttpRequest) -> HttpResponse:
    """Check the file of a table and import it; the user becomes the owner of the new table."""
    if request.method == "GET":
        return _show(request, ())
    try:
        return _restore(request, _contents_sent(request, TRIED))
    except _Refused as refusal:
        return _show(request, refusal.problems, refusal.status)
    except RuleError as refusal:
        return _show(request, [translate(refusal.text)], UNPROCESSABLE)


def _restore(request: HttpRequest, contents: Contents) -> HttpResponse:
    """Import the table of the file and redirect to it.

    If this site has the table already, show the existing one, and ask whether to import a second one. The
    form's `again` confirms this.
    """
    user = ensure_guest(request, key=sent_key(request))
    again = request.POST.get("again") == contents.digest  # confirmed for exactly this file
    try:
        table = restore_table(contents, key=sent_key(request), by=user, again=again)
    except AlreadyImported as here:
        about = {
            "here": here.table,
            "owns": role_at(user, here.table) is Role.OWNER,
            "again": contents.digest,
        }
        return _show(request, _messages_about(here), CONFLICT, **about)
    make_current(request, table)
    return redirect(f"{reverse('table-settings', args=[table.code])}?imported=1")


def _told_to_wait() -> str:
    wait = ngettext(
        "Too many files. Wait %(count)s minute.", "Too many files. Wait %(count)s minutes.", TRIED.minutes
    )
    return wait % {"count": TRIED.minutes}


def _messages_about(here: AlreadyImported) -> list[str]:
    """Return the messages that the table exists already, and that another import creates a second table."""
    games = ngettext(
        "“%(name)s” already has %(count)s game of this file.",
        "“%(name)s” already has %(count)s games of this file.",
        here.games,
    )
    return [
        games % {"name": here.table.name, "count": here.games},
        _("Importing it anyway makes a second table."),
    ]


def _show(request: HttpRequest, problems: Sequence[str], status: int = 200, **about: object) -> HttpResponse:
    context = {"problems": problems, "key": guest_key(request), **about}
    return render(request, "games/notebook/import_table.html", context, status=status)


# --- into a table that exists -----------------------------------------------------------------------------------------


@require_http_methods(["GET", "POST"])
def bring_file(request: HttpRequest, table_code: str) -> HttpResponse:
    """Show what a table's file would bring into this table. With `take`, bring it; with `undo`, take it back."""
    table = get_table_or_404(request, table_code, for_owning=True)
    try:
        if request.method == "GET":
            return _show_into(request, table)
        if "undo" in request.POST:
            take_back(table, arrived_at=_arrival(request.POST["undo"]), by=user_of(request))
            return redirect("bring-file", table.code)
        return _bring(request, table, _contents_sent(request, LOOKED))
    except _Refused as refusal:
        return _show_into(request, table, refusal.problems, status=refusal.status)
    except RuleError as refusal:
        return _show_into(request, table, [translate(refusal.text, money_of(table))], status=UNPROCESSABLE)


def _bring(request: HttpRequest, table: Table, contents: Contents) -> HttpResponse:
    """Show what the file would bring or, if the form has `take`, bring it, unless that has changed."""
    user, answers = user_of(request), _answers(request)

    def look(at: datetime) -> Coming:
        with counting_steps(MOST_STEPS):
            return coming_from(table, contents, answers, by=user, at=at)

    if "take" not in request.POST:
        return _preview(request, table, look)
    at = _arrival(request.POST.get("key", ""))
    try:
        bring(table, lambda: look(at), seen=request.POST.get("seen", ""), by=user, at=at)
    except ChangedMeanwhile as changed:
        return _preview(request, table, look, translate(changed.text))
    done = urlencode({"done": request.POST["key"]})
    return redirect(f"{reverse('bring-file', args=[table.code])}?{done}")


def _preview(
    request: HttpRequest, table: Table, look: Callable[[datetime], Coming], notice: str = ""
) -> HttpResponse:
    """Show what the file would bring. An answer that the form lacks is asked for at its field."""
    at = now()
    coming = look(at)
    is_unanswered = coming.is_open and any(name.startswith("who-") for name in request.POST)
    context = {
        "table": table,
        "coming": coming,
        "words": coming_in_words(coming, table),
        "members": People.of(table).own,
        "new": NEW,
        "notice": notice,
        "is_unanswered": is_unanswered,
        "key": ARRIVAL.sign(at.isoformat()),
    }
    status = UNPROCESSABLE if is_unanswered else CONFLICT if notice else 200
    return render(request, "games/notebook/bring_file.html", context, status=status)


def _answers(request: HttpRequest) -> dict[str, str]:
    """Return who people of the file are here, by their slugs there, as the form's fields `who-…` say."""
    names = [name for name in request.POST if name.startswith("who-")]
    answers = {name.removeprefix("who-"): request.POST.get(name, "") for name in names}
    return {slug: answer for slug, answer in answers.items() if answer}


def _arrival(key: str) -> datetime:
    """Return the moment that this key signs. Raise RuleError for one that this site did not make."""
    try:
        return datetime.fromisoformat(ARRIVAL.unsign(key))
    except (BadSignature, ValueError):
        raise ChangedMeanwhile from None


def _show_into(
    request: HttpRequest, table: Table, problems: Sequence[str] = (), *, status: int = 200
) -> HttpResponse:
    done = request.GET.get("done", "")
    try:
        is_done = bool(done) and has_arrived(table, _arrival(done))
    except ChangedMeanwhile:
        is_done = False
    context = {"table": table, "problems": problems, "done": done if is_done else ""}
    return render(request, "games/notebook/bring_file.html", context, status=status)
