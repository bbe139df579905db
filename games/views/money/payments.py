"""The payments of a table: noting one, all of them, and what becomes of each."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from games.keys import KeyReused, new_key
from games.models import NOTE_LENGTH, Game, Member, Method, Payment, Role, Table
from games.money import payments as services
from games.money.balances import People
from games.money.dues import dues_of
from games.people.access import WRITERS, accounts_open_to
from games.scoring.errors import RuleError
from games.shown.common.amounts import money
from games.shown.common.days import moment_in_words
from games.shown.common.members import known_as, person_of
from games.shown.common.played import game_in_words, game_page
from games.shown.common.typed import read_amount
from games.shown.money import accounts as shown
from games.views.common.opened import user_of
from games.views.common.paying import PAGE, asked_page, refused_at
from games.views.common.recording import UNPROCESSABLE, Refused, sent_key

FIELDS = ("payer", "payee", "amount", "method", "note")


@require_http_methods(["GET", "HEAD", "POST"])
def pay(request: HttpRequest, table_code: str) -> HttpResponse:
    """Notes that somebody paid somebody; the address may say who and how much."""
    table, _role = accounts_open_to(request, table_code, for_writing=True)
    if request.method != "POST":
        return _show_form(request, table)
    people = People.of(table)
    read = read_payment(request.POST, table, people)
    if isinstance(read, Refused):
        return _show_form(request, table, read)
    payer, payee, amount, method = read
    about = _about(payer, payee, amount)
    note, key, by = request.POST.get("note", ""), sent_key(request), user_of(request)
    is_asking = request.POST.get("sure") != about
    try:
        payment = services.pay(
            table, payer, payee, amount, method=method, note=note, key=key, by=by, is_asking=is_asking
        )
    except services.Unusual as unusual:
        asked = shown.question_in_words(unusual, payer, amount, table)
        return _show_form(request, table, asked=asked, sure=about)
    except (RuleError, KeyReused) as refusal:
        return _show_form(request, table, refused_at(refusal, table))
    game = ticked_for(request, table)
    if game is not None:
        return redirect(f"{reverse('settlement', args=[game.code])}?done={payment.pk}#owed")
    return redirect(f"{reverse('accounts', args=[table_code])}?done={payment.pk}")


def _about(payer: Member, payee: Member, amount: int) -> str:
    """What somebody says to be sure about: another pair or amount is asked about again."""
    return f"{payer.slug} {payee.slug} {amount}"


def ticked_for(request: HttpRequest, table: Table) -> Game | None:
    """The game on whose result the payment was ticked off."""
    return table.games.filter(code=request.POST.get("game", "")).first()


def read_payment(
    sent: Mapping[str, str], table: Table, people: People
) -> tuple[Member, Member, int, Method] | Refused:
    """What the form says, or what is wrong with it by field."""
    payer, payee = (people.by_slug.get(sent.get(field, "")) for field in ("payer", "payee"))
    amount = read_amount(sent.get("amount", ""), table)
    method = sent.get("method", "")
    errors = {}
    if payer is None:
        errors["payer"] = _("Say who paid.")
    if payee is None:
        errors["payee"] = _("Say who was paid.")
    if not amount:
        errors["amount"] = _("Write how much was paid, such as %(example)s.") % {
            "example": money(1500 * 10**table.decimals, table)
        }
    if method not in set(Method):
        errors["method"] = _("Say how it was paid.")
    if errors or payer is None or payee is None or not amount:
        return Refused(UNPROCESSABLE, errors)
    return payer, payee, amount, Method(method)


def _show_form(
    request: HttpRequest, table: Table, refused: Refused | None = None, *, asked: str = "", sure: str = ""
) -> HttpResponse:
    """The form, with what is wrong with it, or with what is asked before it is recorded."""
    people = People.of(table)
    sent = request.POST if request.method == "POST" else request.GET
    context = {
        "table": table,
        "people": [person_of(member) for member in people.own],
        "sent": {"method": Method.CASH, **{field: sent[field] for field in FIELDS if field in sent}},
        "methods": [(method, shown.method_in_words(method)) for method in Method],
        "longest": NOTE_LENGTH,
        "key": new_key(),
        "game": ticked_for(request, table),
        "asked": asked,
        "sure": sure,
        "errors": refused.errors if refused else {},
        "refused": refused and refused.beside(*FIELDS),
    }
    status = refused.status if refused else UNPROCESSABLE if asked else 200
    return render(request, "games/money/pay.html", context, status=status)


# --- those there are --------------------------------------------------------------------------------------------------


@require_GET
def payments(request: HttpRequest, table_code: str) -> HttpResponse:
    """Every payment, the newest first, cancelled ones too."""
    table, role = accounts_open_to(request, table_code)
    people, page = People.of(table), asked_page(request)
    start = (page - 1) * PAGE
    found = list(table.payments.all()[start : start + PAGE + 1])
    context = {
        "table": table,
        "may_write": role in WRITERS,
        "payments": [shown.payment_row(payment, people, table) for payment in found[:PAGE]],
        "older": page + 1 if len(found) > PAGE else None,
        "newer": page - 1 if page > 1 else None,
    }
    return render(request, "games/money/payments.html", context)


@require_GET
def payment(request: HttpRequest, table_code: str, number: int) -> HttpResponse:
    """One payment: who, how much, who noted it, and what has become of it."""
    table, role = accounts_open_to(request, table_code)
    return _show_payment(request, role, _payment_or_404(table, number))


@require_POST
def cancel_payment(request: HttpRequest, table_code: str, number: int) -> HttpResponse:
    """Takes a payment back that was not made, or not like that."""
    table, role = accounts_open_to(request, table_code, for_writing=True)
    return _act(request, role, _payment_or_404(table, number), services.cancel)


@require_POST
def confirm_payment(request: HttpRequest, table_code: str, number: int) -> HttpResponse:
    """The payee says that the money came."""
    table, role = accounts_open_to(request, table_code)
    return _act(request, role, _payment_or_404(table, number), services.confirm)


@require_POST
def dispute_payment(request: HttpRequest, table_code: str, number: int) -> HttpResponse:
    """The payee says that it did not."""
    table, role = accounts_open_to(request, table_code)
    objection = request.POST.get("objection", "")
    return _act(request, role, _payment_or_404(table, number), services.dispute, objection=objection)


def _act(
    request: HttpRequest, role: Role, found: Payment, act: Callable[..., Payment], **how: str
) -> HttpResponse:
    try:
        act(found, by=user_of(request), **how)
    except RuleError as refusal:
        found.refresh_from_db()
        return _show_payment(request, role, found, refused_at(refusal, found.table))
    return redirect("payment", found.table.code, found.pk)


def _payment_or_404(table: Table, number: int) -> Payment:
    found = (
        table.payments.select_related("table", "game", "recorded_by", "cancelled_by")
        .filter(pk=min(number, 2**63 - 1))
        .first()
    )
    if found is None:
        raise Http404
    return found


def _show_payment(
    request: HttpRequest, role: Role, found: Payment, refused: Refused | None = None
) -> HttpResponse:
    table, people = found.table, People.of(found.table)
    payee = people.by_pk[found.payee_id]
    may_write, is_cancelled = role in WRITERS, found.cancelled_at is not None
    is_payees = payee.is_of(user_of(request)) and not is_cancelled
    context = {
        "table": table,
        "payment": found,
        "payer": person_of(people.by_pk[found.payer_id]),
        "payee": person_of(payee),
        **_said_of(found, people),
        "may_cancel": may_write and not is_cancelled and found.confirmed_at is None,
        "again": _again(found, people) if may_write and is_cancelled else "",
        "may_confirm": is_payees and found.confirmed_at is None,
        "may_dispute": is_payees and found.disputed_at is None,
        "longest": NOTE_LENGTH,
        "objection": request.POST.get("objection", ""),
        "errors": refused.errors if refused else {},
        "refused": refused and refused.beside("objection"),
    }
    return render(request, "games/money/payment.html", context, status=refused.status if refused else 200)


def _said_of(found: Payment, people: People) -> dict[str, object]:
    """How much, how, when, by whom and for what, and what has become of it."""
    state, tone = shown.state_in_words(found)
    return {
        "amount": money(found.amount, found.table),
        "method": shown.method_in_words(found.method),
        "made": moment_in_words(found.made_at, found.table),
        "by": known_as(found.recorded_by, people),
        "cancelled": found.cancelled_at and moment_in_words(found.cancelled_at, found.table),
        "cancelled_by": found.cancelled_by and known_as(found.cancelled_by, people),
        "game": found.game and game_in_words(found.game),
        "game_href": found.game and game_page(found.game),
        "state": state,
        "tone": tone,
    }


def _again(found: Payment, people: People) -> str:
    """Where a payment is recorded once more: at the game it was for, where that asks for it, or in the form.

    "" where the two have become one.
    """
    payer, payee = people.by_pk[found.payer_id], people.by_pk[found.payee_id]
    if payer == payee:
        return ""
    due = dues_of(found.game, found.game.state()).to_tick if found.game else ()
    if found.game and any((line.payer, line.payee) == (payer, payee) for line in due):
        return game_page(found.game)
    return shown.pay_page(found.table, payer, payee, found.amount, method=found.method, note=found.note)
