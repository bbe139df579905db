"""The import of a table from the file of another installation."""

from __future__ import annotations

from collections.abc import Sequence

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods

from games.network import client_key
from games.notebook.contents import Contents
from games.notebook.fields import Unreadable
from games.notebook.proving import check_ledger
from games.notebook.reading import LARGEST, MOST_STEPS, read_table
from games.notebook.restoring import TRIED, AlreadyImported, restore_table
from games.people.access import ensure_guest
from games.people.guest_keys import guest_key
from games.scoring.errors import RuleError
from games.shown.common.sentences import translate
from games.views.common.recording import CONFLICT, TOO_MANY, UNPROCESSABLE, sent_key


@require_http_methods(["GET", "POST"])
def import_table(request: HttpRequest) -> HttpResponse:
    """Check the file of a table and import it; the user becomes the owner of the new table."""
    if request.method == "GET":
        return _show(request, ())
    file = request.FILES.get("file")
    if file is None:
        return _show(request, [_("Choose the file of a table.")], UNPROCESSABLE)
    if file.size is None or file.size > LARGEST:
        large = _("This file is too large. The site's operator can import it from the command line.")
        return _show(request, [large], UNPROCESSABLE)
    if not TRIED.take(client_key(request.META["REMOTE_ADDR"])):
        return _show(request, [_told_to_wait()], TOO_MANY)
    try:
        contents = read_table(file.read(), most=MOST_STEPS)
        check_ledger(contents)
        return _restore(request, contents)
    except Unreadable as unreadable:
        return _show(request, [translate(problem) for problem in unreadable.problems], UNPROCESSABLE)
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
        return _show(request, _messages_about(here), CONFLICT, here=here.table, again=contents.digest)
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
