"""The parts shared by pages with debts: what they show after a debt is settled, an undo or a refusal.

Each form sends the URL of its page. The response redirects there, or renders that page with the refusal.
These pages poll, so that they follow what other phones record.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

from django.contrib.auth.models import User
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import ResolverMatch, reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from games.common import amounts, request_handling, roles, texts
from games.common.locks import IdempotencyKeyReused
from games.common.poll_tickets import PageVersion
from games.common.request_handling import PageRefusal
from games.models import Access, Method, Payment, PaymentState, Role, SharedCost, Table
from games.money.forms import KEY_REUSED, confirmation_value
from games.money.presenters import account_display, debt_list, expense_display, payment_questions
from games.money.services import expense_corrections, payments, proposals, starting_balances
from games.money.services.accounting import StaleAccounts
from games.money.services.payments import PaymentQuestion
from games.scoring.errors import ScoringError
from games.tables.services import authorization
from games.tables.services.roster import People
from games.tables.views.lobby import no_news, poll_context

PAGE_SIZE = 30
MAX_PAGE = 10_000


def refusal_for(refusal: ScoringError | StaleAccounts | IdempotencyKeyReused, table: Table) -> PageRefusal:
    """Return the status and messages that a page shows for this exception."""
    match refusal:
        case StaleAccounts():
            return PageRefusal(
                request_handling.CONFLICT,
                news=_("Not recorded: the accounts have changed. This is how they are now."),
            )
        case IdempotencyKeyReused():
            return PageRefusal(request_handling.CONFLICT, {"": str(KEY_REUSED)})
        case _error:
            return PageRefusal(
                request_handling.UNPROCESSABLE,
                {refusal.field: texts.translate(refusal.text, amounts.money_formatter(table))},
            )


@dataclass(frozen=True)
class TickRefusal(PageRefusal):
    """The question whether a debt that went to somebody else was paid, and the fields that answer yes."""

    question: str = ""
    action: str = ""
    fields: Mapping[str, str] = field(default_factory=dict)


def ask(request: HttpRequest, asked: PaymentQuestion, table: Table, action: str, *names: str) -> HttpResponse:
    """Render the page that sent a form again, with a question whose yes sends these fields to `action`."""
    page = source_page(request, table)
    fields = {
        **{name: request.POST.get(name, "") for name in names},
        "page": _page_url(page),
        "sure": confirmation_value(asked.payer, asked.payee, asked.amount),
    }
    question = payment_questions.question_sentence(asked, table)
    refusal = TickRefusal(request_handling.CONFLICT, question=question, action=action, fields=fields)
    return show_refusal(request, table, refusal)


def requested_page(request: HttpRequest) -> int:
    """Return the page number in the query string, from 1 to MAX_PAGE; 1 if it is missing or invalid."""
    return min(max(request_handling.parse_int(request.GET.get("page", ""), most_digits=8), 1), MAX_PAGE)


# --- polls ------------------------------------------------------------------------------------------------------------

PASSING = {"done", "shared", "opened"}  # fields of a query string about what the last form did


@require_safe
def live_page(
    request: HttpRequest, table_code: str, version: PageVersion, *, page: str, **arguments: str
) -> HttpResponse:
    """Answer the poll of a page with debts that shows `version`; 204 if nothing has changed.

    `page` is the page's URL name.
    """
    access = authorization.get_accounts_access(request.user, table_code)
    if version == PageVersion.of(access.table):
        return no_news(request, access)
    request.path = reverse(page, args=[table_code, *arguments.values()])  # its forms send this as their page
    return DEBT_PAGES[page](request, table_code, **arguments)


def live_context(
    request: HttpRequest, access: Access, page: str, *arguments: str, keeps: bool = False
) -> dict[str, object]:
    """Return the template variables of a page with debts that polls.

    With `keeps`, the page stays as it is, because it shows a form or a refusal, and says that there is news.
    """
    table = access.table
    poll = poll_context(request, access, f"live-{page}", table.code, *arguments, PageVersion.of(table))
    fields = request.GET.copy()
    for name in PASSING & fields.keys():
        del fields[name]
    return {**poll, "live": "?".join(filter(None, (poll["live"], fields.urlencode()))), "keeps": keeps}


# --- after a debt is settled ------------------------------------------------------------------------------------------


DebtPageView: TypeAlias = Callable[..., HttpResponse]
# The functions that render a page with a refusal, by the page's URL name.
DEBT_PAGES: dict[str, DebtPageView] = {}


def register_page(name: str) -> Callable[[DebtPageView], DebtPageView]:
    """Return a decorator that registers the function that renders a page with a refusal, by its URL name."""

    def decorator(show: DebtPageView) -> DebtPageView:
        DEBT_PAGES[name] = show
        return show

    return decorator


def source_page(request: HttpRequest, table: Table) -> ResolverMatch:
    """Return the page that sent the form, or the accounts if it is not in DEBT_PAGES."""
    page = request_handling.resolve_path(request.POST.get("page", ""))
    if page is None or page.url_name not in DEBT_PAGES:
        page = request_handling.resolve_path(reverse("accounts", args=[table.code]))
    assert page is not None
    return page


def _page_url(page: ResolverMatch) -> str:
    return reverse(str(page.url_name), kwargs=page.kwargs)


def redirect_back(request: HttpRequest, row: Payment | SharedCost, *, is_news: bool = True) -> HttpResponse:
    """Redirect to the page that sent the form, with a notice about the row unless `is_news` is False."""
    url, name = _page_url(source_page(request, row.table)), "done" if isinstance(row, Payment) else "shared"
    return redirect(f"{url}?{name}={row.pk}#debts" if is_news else url)


def show_refusal(request: HttpRequest, table: Table, refusal: PageRefusal) -> HttpResponse:
    """Render the page that sent the form again, with the refusal and the current debts."""
    page = source_page(request, table)
    request.path = _page_url(page)  # the forms on the page send this as their page
    return DEBT_PAGES[str(page.url_name)](request, refusal=refusal, **page.kwargs)


@dataclass(frozen=True)
class ActionNotice:
    """A notice about something just recorded or undone, with the URL and form fields that undo it.

    `action` is "" if it cannot be undone. `others` are other payment methods, each with a label such as “It
    was cash”.
    """

    sentence: str
    action: str
    fields: Mapping[str, str]
    others: Sequence[tuple[str, str]] = ()
    debtor: str = ""  # the payer's slug


def action_notice(request: HttpRequest, table: Table, people: People, role: Role) -> ActionNotice | None:
    """Return the notice about the row that the query string names, None if this table has no such row."""
    number, shared, opening_number = (
        request_handling.parse_pk(request.GET.get(name, "")) for name in ("done", "shared", "opened")
    )
    if opening_number and starting_balances.list_valid(table).filter(number=opening_number).exists():
        action = reverse("undo-balances", args=[table.code, opening_number]) if role is Role.OWNER else ""
        return ActionNotice(_("Starting balances saved"), action, {})
    if cost := table.costs.filter(pk=shared).first() if shared else None:
        cost.table = table
        return _expense_notice(request, cost, people, role)
    payment = table.payments.filter(pk=number).first() if number else None
    if payment is None:
        return None
    payment.table = table
    user = request_handling.current_user(request)
    act = undo_act(payment, people, user) or ("take-back" if payments.can_undo_freely(payment, user) else "")
    action = reverse("payment", args=[table.code, payment.pk]) if act else ""
    fields = {"act": act, "page": request.path}
    others = [
        (method, OTHER_METHOD_LABELS[method]())
        for method, _label in account_display.allowed_methods(payment, user)
        if method != payment.method and payment.ended_at is None
    ]
    payer = people.by_pk[payment.payer_id].slug
    return ActionNotice(debt_list.action_sentence(payment, people, table), action, fields, others, payer)


def _expense_notice(request: HttpRequest, cost: SharedCost, people: People, role: Role) -> ActionNotice:
    act = expense_undo_act(cost, people, request_handling.current_user(request), role)
    action = "" if act is None else reverse("cost", args=[cost.table.code, cost.pk])
    fields = {"act": act, "page": request.path} if act else {}
    return ActionNotice(expense_display.expense_action_sentence(cost, cost.table), action, fields)


def expense_undo_act(cost: SharedCost, people: People, user: User, role: Role) -> str | None:
    """Return the act that undoes what this user did tonight about an expense, None if there is none.

    "" voids the expense.
    """
    if role in roles.WRITERS and proposals.can_undo_answer(cost, user):
        return "undo-answer"
    if role in roles.WRITERS and expense_corrections.can_undo(cost, user):
        return "undo-correction"
    may_void = role in roles.WRITERS and cost.counts and payments.can_undo_freely(cost, user)
    is_own = cost.ended_at is None and proposals.can_take_back(cost, people, by=user)
    return "" if may_void or is_own else None


def undo_act(payment: Payment, people: People, user: User) -> str:
    """Return the act that undoes this user's answer of tonight about a payment, "" if there is none."""
    if payments.can_undo_confirmation(payment, user):
        return "unconfirm"
    if payments.can_undo_denial(payment, people, user):
        return "undo-denial"
    is_payee = people.by_pk[payment.payee_id].belongs_to(user)
    if payment.state is PaymentState.DISPUTED and payment.disputed_by_id == user.pk and is_payee:
        return "confirm"
    return ""


OTHER_METHOD_LABELS: Mapping[Method, Callable[[], str]] = {
    Method.CASH: lambda: _("It was cash"),
    Method.TRANSFER: lambda: _("It was a transfer"),
}
