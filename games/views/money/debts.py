"""The forms of the list of who pays whom: tick a debt, take that back, and *paid on the spot*.

A form sends the address of its page. The answer leads back there, or shows that page with the refusal.
"""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import Resolver404, ResolverMatch, resolve, reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from games.models import Payment, Role, Table
from games.money import payments
from games.money.balances import People, StaleAccounts
from games.money.payments import MoreThanOwed
from games.money.spot import owe_again, pay_on_the_spot
from games.people.access import accounts_open_to
from games.scoring.errors import RuleError
from games.shown.common.amounts import money_of
from games.shown.common.sentences import translate
from games.views.common.numbers import LONGEST, whole_number
from games.views.common.opened import open_game, user_of
from games.views.common.recording import CONFLICT, UNPROCESSABLE, Refused
from games.views.common.ticked import PAGES


@require_POST
def tick(request: HttpRequest, table_code: str) -> HttpResponse:
    """Record that a debt of the list was paid whole, in cash."""
    table, role = accounts_open_to(request, table_code)
    try:
        payment = _tick(request, table, role)
    except StaleAccounts:
        return _refuse(request, table, _stale())
    except MoreThanOwed as question:
        return redirect("payment", table.code, question.payment)
    except RuleError as refusal:
        return _refuse(request, table, _wrong(refusal, table))
    return redirect(f"{_page(request, table)}?done={payment.pk}#debts")


def _tick(request: HttpRequest, table: Table, role: Role) -> Payment:
    by_slug = People.of(table).by_slug
    payer, payee = (by_slug.get(request.POST.get(field, "")) for field in ("payer", "payee"))
    version, claims = (
        whole_number(request.POST.get(field, ""), most_digits=LONGEST) for field in ("version", "claims")
    )
    if payer is None or payee is None:
        raise StaleAccounts
    return payments.tick(
        table, payer, payee, version=version, claims=claims, by=user_of(request), role=role, is_asking=True
    )


@require_POST
def untick(request: HttpRequest, table_code: str, number: int) -> HttpResponse:
    """Take a payment of the list back."""
    table, role = accounts_open_to(request, table_code)
    payment = get_object_or_404(table.payments.select_related("table"), pk=number)
    try:
        payments.take_back(payment, by=user_of(request), role=role)
    except RuleError as refusal:
        return _refuse(request, table, _wrong(refusal, table))
    return redirect(f"{_page(request, table)}?done={payment.pk}#debts")


@require_POST
def spot(request: HttpRequest, code: str) -> HttpResponse:
    """Mark that a game's money was paid with cash on the table, or take the mark back (`paid` is yes or no)."""
    game_page = open_game(request, code, for_writing=True)
    act = pay_on_the_spot if request.POST.get("paid") == "yes" else owe_again
    try:
        act(game_page.game, by=user_of(request))
    except RuleError as refusal:
        return _refuse(request, game_page.table, _wrong(refusal, game_page.table))
    return redirect(f"{reverse('settlement', args=[code])}#debts")


def _stale() -> Refused:
    return Refused(CONFLICT, news=_("Not recorded: that is no longer owed. This is owed now."))


def _wrong(refusal: RuleError, table: Table) -> Refused:
    return Refused(UNPROCESSABLE, {"": translate(refusal.text, money_of(table))})


def _sent_from(request: HttpRequest) -> ResolverMatch | None:
    """Return the page of the list that sent the form; None if the form names no such page."""
    try:
        page = resolve(request.POST.get("page", ""))
    except Resolver404:
        return None
    return page if page.url_name in PAGES else None


def _page(request: HttpRequest, table: Table) -> str:
    """Return the address of the page that sent the form; that of the accounts if the form names none."""
    page = _sent_from(request)
    if page is None:
        return reverse("accounts", args=[table.code])
    return reverse(str(page.url_name), kwargs=page.kwargs)


def _refuse(request: HttpRequest, table: Table, refused: Refused) -> HttpResponse:
    """Show the page that sent the form again, with the refusal and the present list."""
    page = _sent_from(request)
    if page is not None:
        request.path = _page(request, table)  # the page's own forms name it
        return PAGES[str(page.url_name)](request, refused=refused, **page.kwargs)
    context = {"table": table, "refused": refused}
    return render(request, "games/money/refused.html", context, status=refused.status)
