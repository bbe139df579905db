"""Django's admin for the site's operators, at `/admin/`: read-only lists and rows.

Everybody else gets 404; operators sign in at `/login/`, which limits guesses. No field shown here has a
token, a hash, payment details or an amount.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import wraps
from typing import Any

from django.contrib.admin import AdminSite, ModelAdmin
from django.contrib.auth.models import User
from django.db.models import Model
from django.http import Http404, HttpRequest, HttpResponse
from django.urls import URLPattern, URLResolver, path
from django.views.generic import RedirectView

from games.models import Access, Game, Member, Table
from games.tables.views.login import LogoutPage

REMOVED_URLS = {"login", "logout", "password_change", "password_change_done", "autocomplete", "view_on_site"}


class OperatorSite(AdminSite):
    """An admin site that exists only for operators: active users marked as staff, with a password."""

    site_title = site_header = index_title = "Anotador"
    enable_nav_sidebar = False

    def has_permission(self, request: HttpRequest) -> bool:
        user = request.user
        return isinstance(user, User) and user.is_active and user.is_staff and user.has_usable_password()

    def admin_view(self, view: Callable[..., Any], cacheable: bool = False) -> Any:
        """Return the view, wrapped so that everybody except operators gets 404."""
        inner = super().admin_view(view, cacheable)

        @wraps(view)
        def guarded(request: HttpRequest, *args: object, **kwargs: object) -> HttpResponse:
            if not self.has_permission(request):
                raise Http404
            response: HttpResponse = inner(request, *args, **kwargs)
            return response

        return guarded

    def get_urls(self) -> list[URLPattern | URLResolver]:
        """Return the URLs of the lists. Those of the account lead to our own pages, with rate limits."""
        urls = [url for url in super().get_urls() if getattr(url, "name", None) not in REMOVED_URLS]
        account = RedirectView.as_view(pattern_name="yours")
        return _leave_csrf_to_admin_view(
            [
                path("logout/", self.admin_view(LogoutPage.as_view()), name="logout"),
                path("password_change/", self.admin_view(account), name="password_change"),
                *urls,
            ]
        )


def _leave_csrf_to_admin_view(urls: Sequence[URLPattern | URLResolver]) -> list[URLPattern | URLResolver]:
    """Return the URLs with their CSRF tokens checked by `admin_view` alone.

    The middleware would check them earlier, and answer a stranger's form with 403 instead of 404.
    """
    for url in urls:
        if isinstance(url, URLResolver):
            _leave_csrf_to_admin_view(url.url_patterns)
        else:
            url.callback.csrf_exempt = True  # type: ignore[attr-defined]
    return list(urls)


class ReadOnlyAdmin(ModelAdmin):  # type: ignore[type-arg]  # a plain class at run time
    """A list of rows that nobody can add, change, delete, or filter by a field that it does not show."""

    ordering = ("-pk",)
    show_full_result_count = False

    def has_view_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return True

    def has_add_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False

    def has_module_permission(self, request: HttpRequest) -> bool:
        return True

    def lookup_allowed(self, lookup: str, value: str, request: HttpRequest) -> bool:
        """Return False: a filter in the URL could reveal a hash letter by letter."""
        return False


MODEL_FIELDS: dict[type[Model], tuple[tuple[str, ...], tuple[str, ...]]] = {  # the fields shown, and searched
    User: (
        ("username", "first_name", "is_staff", "is_active", "date_joined", "last_login"),
        ("username", "first_name"),
    ),
    Table: (("name", "code", "language", "timezone", "created_at", "erased_at"), ("name", "code")),
    Member: (("name", "table", "retired_at"), ("name", "table__name")),
    Access: (
        ("table", "user", "role", "member", "confirmed_at", "until", "ended_at"),
        ("table__name", "user__username"),
    ),
    Game: (
        ("code", "table", "variant", "started_at", "ended_at", "discarded_at"),
        ("code", "table__name"),
    ),
}
site = OperatorSite(name="admin")
for model, (fields, searched) in MODEL_FIELDS.items():
    shown = {"fields": fields, "list_display": fields, "search_fields": searched}
    site.register(model, type(f"{model.__name__}ToRead", (ReadOnlyAdmin,), shown))
