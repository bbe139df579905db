"""The admin site of the desk, at `/operator/`: Django's lists and templates, with our own pages for acts.

Everybody except operators gets 404, as for an unknown address. Operators sign in at `/login/`.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.contrib import messages
from django.contrib.admin import AdminSite
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.template.response import TemplateResponse
from django.urls import URLPattern, URLResolver, include, path
from django.utils.timezone import localtime
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from games.desk import acts
from games.desk.forms import ActForm
from games.models import Report
from games.people.throttled import Throttled, throttled
from games.views.common.opened import user_of
from games.views.common.recording import UNPROCESSABLE

View = Callable[..., Any]
KINDS = {  # the rate limits, by kind (`games/people/tries.py`)
    "login": gettext_lazy("Signing in under one name"),
    "login-here": gettext_lazy("Signing in from one address"),
    "login-name": gettext_lazy("Signing in under one name, from everywhere"),
    "invitation": gettext_lazy("Wrong links"),
    "accept": gettext_lazy("Accepting an invitation"),
    "guest": gettext_lazy("New users from one address"),
    "token": gettext_lazy("Wrong tokens"),
    "mail-here": gettext_lazy("Mails asked for from one address"),
    "credentials": gettext_lazy("Changing a password"),
    "flag": gettext_lazy("Doubts about entries"),
    "face": gettext_lazy("Faces tapped and names entered"),
    "offer": gettext_lazy("Hands sent from one’s own phone"),
    "trial": gettext_lazy("Tables for trying the API from one address"),
    "import": gettext_lazy("Restoring a table from a file"),
}


class Desk(AdminSite):
    """The admin site for operators, without the admin's views that add, change or delete a row."""

    site_title = site_header = index_title = gettext_lazy("The operator’s desk")
    enable_nav_sidebar = False

    def has_permission(self, request: HttpRequest) -> bool:
        """Return whether the request is an operator's."""
        return acts.is_operator(request.user)

    def admin_view(self, view: View, cacheable: bool = False) -> Any:
        """Return the view, wrapped so that everybody except operators gets 404."""
        inner = super().admin_view(view, cacheable)

        @wraps(view)
        def guarded(request: HttpRequest, *args: object, **kwargs: object) -> HttpResponse:
            if not self.has_permission(request):
                raise Http404
            response: HttpResponse = inner(request, *args, **kwargs)
            return response

        # `inner` checks the CSRF token. Checked earlier, a stranger's POST would be refused with 403 instead
        # of 404.
        guarded.csrf_exempt = True  # type: ignore[attr-defined]
        return guarded

    def get_urls(self) -> list[URLPattern | URLResolver]:
        """Return the URLs of the index, of the throttled clients and of each list."""
        lists = [
            path(f"{admin.place}/", include(admin.get_urls()))  # type: ignore[attr-defined]
            for admin in self._registry.values()
        ]
        return [
            path("", self.admin_view(self.index), name="index"),
            path("throttled/", self.admin_view(self.throttled), name="throttled"),
            *lists,
        ]

    def index(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> TemplateResponse:
        """Show the first page: links to the lists, and the numbers of open reports and throttled clients."""
        lists = [(f"admin:{admin.changelist}", admin.heading) for admin in self._registry.values()]  # type: ignore[attr-defined]
        context = {
            **self.each_context(request),
            "title": self.index_title,
            "lists": lists,
            "open_reports": Report.objects.filter(closed_at=None).count(),
            "throttled": len(throttled()),
        }
        return TemplateResponse(request, "desk/index.html", context)

    def each_context(self, request: HttpRequest) -> dict[str, Any]:
        """Return the template variables of every page, without the admin's list of apps, which none shows."""
        return {"site_title": self.site_title, "site_header": self.site_header, "has_permission": True}

    def throttled(self, request: HttpRequest) -> HttpResponse:
        """List the clients that exceed a rate limit; with POST, release the chosen one."""
        rows = {row.mark: row for row in throttled()}
        choices = [(mark, _in_words(row)) for mark, row in rows.items()]
        form = ActForm(choices, request.POST if request.method == "POST" else None)
        if form.is_valid():
            row = rows[form.cleaned_data["act"]]
            acts.release_address(row, by=user_of(request), reason=form.cleaned_data["reason"])
            messages.success(request, _("Released."))
            return redirect("admin:throttled")
        context = {**self.each_context(request), "title": _("Throttled"), "form": form}
        return render(request, "desk/throttled.html", context, status=UNPROCESSABLE if form.errors else 200)


def _in_words(row: Throttled) -> str:
    return _("%(client)s · %(limit)s · until %(time)s at the latest") % {
        "client": row.who,
        "limit": KINDS.get(row.kind, row.kind),
        "time": f"{localtime(row.until):%H:%M}",
    }


desk = Desk(name="admin")
