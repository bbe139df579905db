"""One payment: what it says, and what becomes of it."""

from __future__ import annotations

from collections.abc import Callable

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_POST

from games.models import NOTE_LENGTH, Payment, Role, Table
from games.money import payments as services
from games.money.amendments import amendments_of
from games.money.balances import People
from games.money.dues import dues_of
from games.people.access import WRITERS, accounts_open_to
from games.scoring.errors import RuleError
from games.shown.common.amounts import money
from games.shown.common.days import moment_in_words
from games.shown.common.members import known_as, person_of
from games.shown.common.played import game_in_words, game_page
from games.shown.money import accounts as shown
from games.shown.money.steps import steps_shown, words_typed
from games.views.common.opened import user_of
from games.views.common.paying import refused_at
from games.views.common.recording import Refused


@require_GET
def payment(request: HttpRequest, table_code: str, number: int) -> HttpResponse:
    """One payment: who, how much, who noted it, and what has become of it."""
    table, role = accounts_open_to(request, table_code)
    return show_payment(request, role, payment_or_404(table, number))


@require_POST
def cancel_payment(request: HttpRequest, table_code: str, number: int) -> HttpResponse:
    """Takes a payment back that was not made, or not like that; who said that he made it takes back just that."""
    table, role = accounts_open_to(request, table_code)
    found = payment_or_404(table, number)
    if role in WRITERS:
        return _act(request, role, found, services.cancel, text=request.POST.get("text", ""))
    if not services.is_own_claim(found, user_of(request)):
        accounts_open_to(request, table_code, for_writing=True)
    return _act(request, role, found, services.withdraw)


@require_POST
def confirm_payment(request: HttpRequest, table_code: str, number: int) -> HttpResponse:
    """The payee says that the money came; or who keeps the accounts says so of what was only claimed."""
    table, role = accounts_open_to(request, table_code)
    found = payment_or_404(table, number)
    is_keeper = role in WRITERS and found.is_claimed and not _is_payee(request, found)
    return _act(request, role, found, services.accept if is_keeper else services.confirm)


@require_POST
def dispute_payment(request: HttpRequest, table_code: str, number: int) -> HttpResponse:
    """The payee says that it did not."""
    table, role = accounts_open_to(request, table_code)
    objection = request.POST.get("objection", "")
    return _act(request, role, payment_or_404(table, number), services.dispute, objection=objection)


@require_POST
def uphold_payment(request: HttpRequest, table_code: str, number: int) -> HttpResponse:
    """Answers the payee that it stands all the same."""
    table, role = accounts_open_to(request, table_code, for_writing=True)
    text = request.POST.get("text", "")
    return _act(request, role, payment_or_404(table, number), services.uphold, text=text)


def _act(
    request: HttpRequest, role: Role, found: Payment, act: Callable[..., Payment], **how: str
) -> HttpResponse:
    try:
        act(found, by=user_of(request), **how)
    except RuleError as refusal:
        found.refresh_from_db()
        return show_payment(request, role, found, refused_at(refusal, found.table))
    return redirect("payment", found.table.code, found.pk)


def payment_or_404(table: Table, number: int) -> Payment:
    """The payment of this number at this table."""
    found = (
        table.payments.select_related("table", "game", "recorded_by", "cancelled_by")
        .filter(pk=min(number, 2**63 - 1))
        .first()
    )
    if found is None:
        raise Http404
    return found


def _is_payee(request: HttpRequest, found: Payment) -> bool:
    return People.of(found.table).by_pk[found.payee_id].is_of(user_of(request))


def show_payment(
    request: HttpRequest, role: Role, found: Payment, refused: Refused | None = None
) -> HttpResponse:
    """The payment with what whoever looks may do with it."""
    table, people = found.table, People.of(found.table)
    context = {
        "table": table,
        "payment": found,
        "payer": person_of(people.by_pk[found.payer_id]),
        "payee": person_of(people.by_pk[found.payee_id]),
        **_said_of(found, people),
        **_offered(request, role, found, people),
        "undo": _undo(request, found),
        "longest": NOTE_LENGTH,
        "objection": request.POST.get("objection", ""),
        "text": request.POST.get("text", ""),
        "errors": refused.errors if refused else {},
        "refused": refused and refused.beside("objection", "text"),
    }
    return render(request, "games/money/payment.html", context, status=refused.status if refused else 200)


def _offered(request: HttpRequest, role: Role, found: Payment, people: People) -> dict[str, object]:
    """What whoever looks may do with it now."""
    user, is_keeper = user_of(request), role in WRITERS
    stands, is_confirmed = found.cancelled_at is None, found.confirmed_at is not None
    is_payees = people.by_pk[found.payee_id].is_of(user) and stands
    is_own_claim = services.is_own_claim(found, user)
    may_change = (is_keeper or is_own_claim) and stands and not is_confirmed
    return {
        "may_cancel": may_change,
        "is_own_claim": is_own_claim and not is_keeper,
        "may_amend": may_change,
        "may_answer": is_keeper and found.is_disputed,
        "may_accept": is_keeper and found.stands and found.is_claimed and not is_payees,
        "again": _again(found, people) if is_keeper and not stands else "",
        "may_confirm": is_payees and not is_confirmed,
        "may_dispute": is_payees and found.disputed_at is None,
    }


def _undo(request: HttpRequest, found: Payment) -> dict[str, object] | None:
    """What undoes the amendment just made: the form with what the payment said before."""
    steps = amendments_of(found) if request.GET.get("done") == "amended" else ()
    if not steps or found.cancelled_at is not None or found.confirmed_at is not None:
        return None
    return {
        "said": _("Amended: what it said before stays readable."),
        "fields": {**words_typed(steps[-1], found.table), "after": len(steps)},
    }


def _said_of(found: Payment, people: People) -> dict[str, object]:
    """How much, how, when, by whom and for what, and what has become of it."""
    state, tone = shown.state_in_words(found, people)
    table = found.table
    return {
        "amount": money(found.amount, table),
        "method": shown.method_in_words(found.method),
        "made": shown.paid_in_words(found, table),
        "recorded": found.paid_on and moment_in_words(found.recorded_at, table),
        "by": known_as(found.recorded_by, people),
        "cancelled": found.cancelled_at and moment_in_words(found.cancelled_at, table),
        "cancelled_by": found.cancelled_by and known_as(found.cancelled_by, people),
        "game": found.game and game_in_words(found.game),
        "game_href": found.game and game_page(found.game),
        "waits": found.stands and found.is_claimed,
        "steps": steps_shown(found, people),
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
    more = {"day": found.paid_on.isoformat()} if found.paid_on else {}
    return shown.pay_page(
        found.table, payer, payee, found.amount, method=found.method, note=found.note, **more
    )
