"""The lists of the desk: users, tables, tokens, reports and the log of acts.

Each shows only the columns named here: never a game, a payment or a member's payment details. Rows change
only by the functions in `acts.py`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import TYPE_CHECKING, Any

from django import forms
from django.conf import settings
from django.contrib import admin, messages
from django.contrib.auth.models import User
from django.db.models import Count, Max, Model, Q, QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import URLPattern, path, reverse
from django.utils.html import format_html, format_html_join
from django.utils.timezone import localdate, localtime, now
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext, pgettext_lazy

from games.desk import acts
from games.desk.forms import ActForm
from games.desk.site import desk
from games.models import Act, Member, OperatorAct, Record, Report, Role, Table, Token
from games.people.deletion import OwnsAlone
from games.people.erasing import GoneForGood
from games.people.suspension import suspension_of
from games.people.users import is_deleted, own_name
from games.shown.common.days import date_in_figures, moment_in_figures
from games.shown.people.invites import role_in_words
from games.views.common.opened import user_of
from games.views.common.recording import CONFLICT, UNPROCESSABLE

if TYPE_CHECKING:
    Admin = admin.ModelAdmin[Any]
else:
    Admin = admin.ModelAdmin

STATE = "state"  # the only query parameter by which a list can be filtered
WORDS = {
    Act.TABLE_SUSPENDED: gettext_lazy("Table suspended"),
    Act.TABLE_RELEASED: gettext_lazy("Table open again"),
    Act.TABLE_ERASED: gettext_lazy("Table erased"),
    Act.TABLE_BACK: gettext_lazy("Table brought back"),
    Act.USER_SUSPENDED: gettext_lazy("User suspended"),
    Act.USER_RELEASED: gettext_lazy("Suspension of a user ended"),
    Act.SESSIONS_ENDED: gettext_lazy("Signed out everywhere"),
    Act.LET_IN: gettext_lazy("Sign-in link made"),
    Act.USER_DELETED: gettext_lazy("Account deleted"),
    Act.TOKEN_REVOKED: gettext_lazy("Token revoked"),
    Act.ADDRESS_RELEASED: gettext_lazy("Client released"),
    Act.REPORT_CLOSED: gettext_lazy("Report closed"),
}


@dataclass(frozen=True)
class Choice:
    """An act that the page of a row offers while `is_possible` returns True for the row.

    `run` does it, e.g. `acts.suspend_table`. It returns the token of a sign-in link if the act makes one.
    """

    name: str
    label: Any
    run: Callable[..., str | None]
    is_possible: Callable[[Any], bool]


class Rows(Admin):
    """The base class of the lists: a read-only `ModelAdmin`, with a page for each row that offers acts."""

    place = ""  # the part of the URL, such as "tables"
    heading: Any = ""
    choices: Sequence[Choice] = ()
    actions = None
    show_facets = admin.ShowFacets.NEVER
    list_per_page = 50
    show_full_result_count = False
    change_list_template = "desk/list.html"

    @property
    def media(self) -> forms.Media:
        """An empty set of scripts, because these pages have none of the admin's actions and form fields."""
        return forms.Media()

    @property
    def changelist(self) -> str:
        """The URL name of the list."""
        return f"{self.opts.app_label}_{self.opts.model_name}_changelist"

    def has_view_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        """Return True for operators."""
        return desk.has_permission(request)

    def has_add_permission(self, request: HttpRequest, *_row: object) -> bool:
        """Return False: the desk adds no rows."""
        return False

    def has_change_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        """Return False: only acts change a row."""
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        """Return False: only acts delete a row."""
        return False

    def lookup_allowed(self, lookup: str, value: str, request: HttpRequest | None = None) -> bool:
        """Return whether the query string may filter by this field: only by the state of the rows.

        Django would also allow other fields, e.g. the hashes of passwords.
        """
        return lookup == STATE

    def get_urls(self) -> list[URLPattern]:
        """Return the URLs of the list and of its rows, without the admin's for adding, changing, deleting."""
        guard = self.admin_site.admin_view
        row_name = self.changelist.removesuffix("list")
        return [
            path("", guard(self.changelist_view), name=self.changelist),
            path("<int:pk>/", guard(self.row_view), name=row_name),
        ]

    def changelist_view(
        self, request: HttpRequest, extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        """Show the list."""
        if request.method not in ("GET", "HEAD"):
            raise Http404
        return super().changelist_view(request, {"title": self.heading, "subtitle": None})

    def row_view(self, request: HttpRequest, pk: int) -> HttpResponse:
        """Show a row with the acts done to it; with POST, do the chosen act."""
        row = self.get_object(request, str(pk))
        if row is None:
            raise Http404
        offered = [choice for choice in self.choices if choice.is_possible(row)]
        form = ActForm(
            [(choice.name, choice.label) for choice in offered],
            request.POST if request.method == "POST" else None,
        )
        if not form.is_valid():
            return self._show(request, row, form, status=UNPROCESSABLE if form.errors else 200)
        (choice,) = (choice for choice in offered if choice.name == form.cleaned_data["act"])
        return self._do(request, row, form, choice)

    def _do(self, request: HttpRequest, row: Any, form: ActForm, choice: Choice) -> HttpResponse:
        """Do the act. Show its sign-in link if it made one; otherwise redirect to the page of the row."""
        try:
            token = choice.run(row, by=user_of(request), reason=form.cleaned_data["reason"])
        except OwnsAlone:
            form.add_error("act", _("A table would be left without an owner: erase it first."))
            return self._show(request, row, form, status=UNPROCESSABLE)
        except (acts.Outdated, GoneForGood):
            form.add_error("act", _("Not done: this has changed meanwhile. Check it and try again."))
            return self._show(request, row, form, status=CONFLICT)
        if token is not None:
            # The Host header, which a client may forge, is only used if SITE_URL is not set.
            site = settings.SITE_URL or request.build_absolute_uri("/").rstrip("/")
            link = f"{site}{reverse('sign-in-link', args=[token])}"
            return self._show(request, row, ActForm([]), link=link)
        messages.success(request, _("Done."))
        return redirect(request.path)

    def _show(
        self, request: HttpRequest, row: Any, form: ActForm, *, status: int = 200, link: str = ""
    ) -> HttpResponse:
        context = {
            **self.admin_site.each_context(request),
            "title": str(self.title_of(row)),
            "heading": self.heading,
            "changelist": f"admin:{self.changelist}",
            "facts": [(label, _plain(fact)) for label, fact in self.facts(row)],
            "done": [_in_words(act) for act in self.done_to(row)[:20]],
            "form": form,
            "readers": self.readers(row),
            "link": link,
        }
        return render(request, "desk/row.html", context, status=status)

    def title_of(self, row: Any) -> str:
        """Return the title of a row's page."""
        return str(row)

    def facts(self, row: Any) -> Sequence[tuple[Any, Any]]:
        """Return the pairs of label and value that a row's page shows."""
        raise NotImplementedError

    def readers(self, row: Any) -> str:
        """Return a sentence that says who except operators can read the reason of an act."""
        return _("Only operators can read it.")

    def done_to(self, row: Any) -> QuerySet[OperatorAct]:
        """Return the queryset of the acts about a row."""
        return OperatorAct.objects.none()


def _in_words(act: OperatorAct) -> dict[str, object]:
    return {"what": WORDS[Act(act.what)], "act": act, "by": own_name(act.by) if act.by else ""}


def _link(row: Table | User, text: str) -> str:
    name = "games_table" if isinstance(row, Table) else "auth_user"
    return format_html('<a href="{}">{}</a>', reverse(f"admin:{name}_change", args=[row.pk]), text)


def called(user: User) -> str:
    """Return the name of a user on the desk: the user name, or a label for a guest or a deleted account."""
    if is_deleted(user):
        return _("deleted account")
    if user.has_usable_password():
        return user.username
    return _("guest %(name)s") % {"name": user.first_name or f"#{user.pk}"}


def state_filter(*states: tuple[str, Any, Q]) -> type[admin.SimpleListFilter]:
    """Return a filter class for a list of rows, which offers these states.

    Each state is a tuple of its name in the URL, its label, and the condition that its rows fulfil.
    """

    class StateFilter(admin.SimpleListFilter):
        title, parameter_name = gettext_lazy("State"), STATE

        def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, Any]]:
            return [(name, label) for name, label, _condition in states]

        def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:
            conditions = [condition for name, _label, condition in states if name == self.value()]
            return queryset.filter(*conditions).distinct() if conditions else queryset

    return StateFilter


def column(field: str, label: Any) -> Callable[[Any], Any]:
    """Return a list column: a function that returns this field of a row, with a translated label."""

    @admin.display(description=label, ordering=field)
    def value(row: Any) -> Any:
        return _plain(getattr(row, field))

    value.__name__ = field
    return value


def _plain(value: Any) -> Any:
    """Return a datetime or a date formatted as on other pages; any other value unchanged."""
    if isinstance(value, datetime):
        return moment_in_figures(localtime(value))
    return date_in_figures(value) if isinstance(value, date) else value


NAME, MADE = column("name", gettext_lazy("Name")), column("made_at", gettext_lazy("Made"))
TABLE = column("table", gettext_lazy("Table"))


# --- tables -----------------------------------------------------------------------------------------------


@admin.register(Table, site=desk)
class Tables(Rows):
    """The tables: their names, sizes and states."""

    place, heading = "tables", gettext_lazy("Tables")
    list_display = (NAME, column("code", gettext_lazy("Code")), "day", "state")
    list_filter = (
        state_filter(
            ("suspended", gettext_lazy("suspended"), Q(suspended_at__isnull=False)),
            ("erased", gettext_lazy("erased"), Q(erased_at__isnull=False)),
            ("reported", gettext_lazy("reported"), Q(reports__in=Report.objects.filter(closed_at=None))),
        ),
    )
    search_fields = ("name", "code")
    ordering = ("-created_at", "-pk")
    choices = (
        Choice(
            "suspend",
            gettext_lazy("Suspend: nobody can open it; phones keep their copies"),
            acts.suspend_table,
            lambda table: table.suspended_at is None and table.erased_at is None,
        ),
        Choice(
            "release",
            gettext_lazy("Open it again"),
            acts.release_table,
            lambda table: table.suspended_at is not None,
        ),
        Choice(
            "erase",
            gettext_lazy("Erase: after seven days it is gone for good"),
            acts.erase_table,
            lambda table: table.erased_at is None,
        ),
        Choice(
            "back",
            gettext_lazy("Bring it back"),
            acts.bring_table_back,
            lambda table: table.erased_by_operator and table.gone_at > now(),
        ),
    )

    @admin.display(description=gettext_lazy("Since"), ordering="created_at")
    def day(self, table: Table) -> Any:
        """Return the day on which the table was made."""
        return _plain(localdate(table.created_at))

    @admin.display(description=gettext_lazy("State"))
    def state(self, table: Table) -> str:
        """Return a word for the table's state: open, suspended or erased."""
        if table.erased_at is not None:
            return _("erased by an operator") if table.erased_by_operator else _("erased by an owner")
        return _("suspended") if table.suspended_at is not None else _("open")

    def facts(self, table: Table) -> Sequence[tuple[Any, Any]]:
        """Return the labelled values of the table: state, counts and owners."""
        owners = [grant.user for grant in table.grants.owning().select_related("user")]
        return [
            (_("Code"), table.code),
            (_("Since"), table.created_at),
            (_("State"), self.state(table)),
            (_("Members"), Member.objects.filter(table=table).count()),
            (_("People with access"), table.grants.standing().count()),
            (_("Games"), table.games.count()),
            (_("Entries"), Record.objects.filter(game__table=table).count()),
            (_("Owners"), format_html_join(", ", "{}", ((_link(user, called(user)),) for user in owners))),
            (_("Open reports"), table.reports.filter(closed_at=None).count()),
        ]

    def readers(self, table: Table) -> str:
        """Return the sentence that the owners can read the reason."""
        return _("The owners of the table can read it.")

    def done_to(self, table: Table) -> QuerySet[OperatorAct]:
        """Return the acts about the table."""
        return OperatorAct.objects.filter(table_code=table.code).select_related("by")


# --- users ------------------------------------------------------------------------------------------------


@admin.register(User, site=desk)
class Users(Rows):
    """The users: people with a name and a password, and guests."""

    place, heading = "users", gettext_lazy("Users")
    list_display = ("name", "seen", "state")
    list_filter = (
        state_filter(
            ("inactive", gettext_lazy("cannot sign in"), Q(is_active=False)),
            ("operators", gettext_lazy("operator"), Q(is_staff=True)),
        ),
    )
    search_fields = ("username", "first_name")
    ordering = ("-date_joined", "-pk")
    choices = (
        Choice(
            "end-sessions",
            gettext_lazy("Sign out on every device"),
            acts.end_sessions,
            lambda user: user.has_usable_password(),
        ),
        Choice(
            "suspend",
            gettext_lazy("Suspend: sessions and tokens stop, the tables continue"),
            acts.suspend_user,
            lambda user: user.is_active,
        ),
        Choice(
            "release",
            gettext_lazy("End the suspension"),
            acts.release_user,
            lambda user: suspension_of(user) is not None,
        ),
        Choice(
            "let-in",
            gettext_lazy("Make a link to sign in once, within an hour"),
            acts.let_in,
            lambda user: user.is_active and user.has_usable_password(),
        ),
        Choice(
            "delete",
            gettext_lazy("Delete the account for good"),
            acts.delete_user,
            lambda user: not is_deleted(user),
        ),
    )

    def get_queryset(self, request: HttpRequest) -> QuerySet[User]:
        """Return the users, each with the day they were last seen and the number of devices."""
        return User.objects.annotate(seen_on=Max("devices__seen_on"), phones=Count("devices"))

    @admin.display(description=gettext_lazy("Name"), ordering="username")
    def name(self, user: User) -> str:
        """Return the user's name."""
        return called(user)

    @admin.display(description=gettext_lazy("Last seen"), ordering="seen_on")
    def seen(self, user: Any) -> Any:
        """Return the day on which the user was last seen."""
        return _plain(user.seen_on)

    @admin.display(description=gettext_lazy("State"))
    def state(self, user: User) -> str:
        """Return a word for the user's state: deleted, suspended, operator …; "" for a usual user."""
        if is_deleted(user):
            return _("deleted")
        if not user.is_active:
            return _("suspended") if suspension_of(user) else _("cannot sign in")
        return _("operator") if user.is_staff else ""

    def title_of(self, user: User) -> str:
        """Return the user's name."""
        return called(user)

    def facts(self, user: Any) -> Sequence[tuple[Any, Any]]:
        """Return the labelled values of the user: state, counts and tables."""
        tables = [grant.table for grant in user.grants.standing().select_related("table")]
        return [
            (_("State"), self.state(user)),
            (_("Since"), user.date_joined),
            (_("Last seen"), user.seen_on),
            (_("Devices"), user.phones),
            (_("Tokens"), user.tokens.standing().count()),
            (_("Tables"), format_html_join(", ", "{}", ((_link(table, table.name),) for table in tables))),
        ]

    def readers(self, user: User) -> str:
        """Return the sentence that a suspended user can read the reason."""
        return _("The user can read it if you suspend them; otherwise only operators can.")

    def done_to(self, user: User) -> QuerySet[OperatorAct]:
        """Return the acts about the user."""
        return OperatorAct.objects.filter(user=user).select_related("by")


# --- tokens and reports -----------------------------------------------------------------------------------


@admin.register(Token, site=desk)
class Tokens(Rows):
    """The access tokens of programs."""

    place, heading = "tokens", gettext_lazy("Tokens")
    list_display = (NAME, "maker", TABLE, "state")
    list_select_related = ("user", "table")
    search_fields = ("name", "user__username")
    ordering = ("-made_at", "-pk")
    choices = (
        Choice("revoke", gettext_lazy("Revoke"), acts.end_token, lambda token: token.revoked_at is None),
    )

    @admin.display(description=gettext_lazy("Maker"))
    def maker(self, token: Token) -> str:
        """Return the name of the token's maker."""
        return called(token.user)

    @admin.display(description=gettext_lazy("State"))
    def state(self, token: Token) -> str:
        """Return a word for the token's state: revoked or expired; "" for a valid one."""
        if token.revoked_at is not None:
            return _("revoked")
        return _("expired") if token.expires_at <= now() else ""

    def facts(self, token: Token) -> Sequence[tuple[Any, Any]]:
        """Return the labelled values of the token: maker, rights and times."""
        return [
            (_("Maker"), _link(token.user, called(token.user))),
            (_("Table"), _link(token.table, token.table.name) if token.table else _("all tables")),
            (_("Rights"), role_in_words(Role(token.role))),
            (_("Made"), token.made_at),
            (_("Until"), token.expires_at),
            (_("Last used"), token.used_on),
            (_("State"), self.state(token)),
        ]

    def readers(self, token: Token) -> str:
        """Return the sentence that the owners of the token's table, if it has one, can read the reason."""
        return _("The owners of the table can read it.") if token.table else super().readers(token)


@admin.register(Report, site=desk)
class Reports(Rows):
    """The reports that people sent about tables."""

    place, heading = "reports", gettext_lazy("Reports")
    list_display = ("summary", TABLE, MADE, "state")
    list_select_related = ("table",)
    list_filter = (
        state_filter(
            ("open", gettext_lazy("open"), Q(closed_at=None)),
            ("closed", pgettext_lazy("a report", "closed"), Q(closed_at__isnull=False)),
        ),
    )
    choices = (
        Choice("close", gettext_lazy("Close it"), acts.close_report, lambda report: report.closed_at is None),
    )

    @admin.display(description=gettext_lazy("Report"))
    def summary(self, report: Report) -> str:
        """Return the first 60 characters of the report."""
        return f"{report.text[:60]}…" if len(report.text) > 60 else report.text

    @admin.display(description=gettext_lazy("State"))
    def state(self, report: Report) -> str:
        """Return a word for the report's state: open or closed."""
        return _("open") if report.closed_at is None else pgettext("a report", "closed")

    def facts(self, report: Report) -> Sequence[tuple[Any, Any]]:
        """Return the labelled values of the report: text, table, kind of sender, and state."""
        came_from = _("an invitation") if report.is_invited else _("someone at the table")
        return [
            (_("Report"), report.text),
            (_("Table"), _link(report.table, report.table.name)),
            (_("Sent by"), came_from),
            (_("Made"), report.made_at),
            (_("State"), self.state(report)),
            *([(_("Note"), report.note)] if report.note else []),
        ]


@admin.register(OperatorAct, site=desk)
class Log(Rows):
    """The log of all operators' acts."""

    place, heading = "log", gettext_lazy("Log")
    list_display = ("act", column("reason", gettext_lazy("Why")), MADE, "operator", "subject")
    list_display_links = None
    list_select_related = ("by", "user")
    search_fields = ("reason", "table_code")

    @admin.display(description=gettext_lazy("Done"))
    def act(self, act: OperatorAct) -> Any:
        """Return the act in words."""
        return WORDS[Act(act.what)]

    @admin.display(description=gettext_lazy("By"))
    def operator(self, act: OperatorAct) -> str:
        """Return the name of the operator."""
        return own_name(act.by) if act.by else ""

    @admin.display(description=gettext_lazy("About"))
    def subject(self, act: OperatorAct) -> str:
        """Return a text on the subject of the act, such as a table's code or a user's name."""
        return " · ".join(filter(None, (act.table_code, called(act.user) if act.user else "", act.about)))

    def get_urls(self) -> list[URLPattern]:
        """Return only the URL of the list: an act has no page."""
        return super().get_urls()[:1]
