"""The accounts of a table: who pays whom, everybody's balance and where it comes from, and who plays on."""

from __future__ import annotations

from collections.abc import Sequence

from django.contrib.auth.models import User
from django.db.models import Count, Window
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_POST

from games.keys import KeyReused, new_key
from games.models import Member, Payment, Role, Table
from games.money.balances import Account, People, awaiting, entries_of, read_accounts
from games.money.closings import closing_of, last_night
from games.money.payments import StaleAccounts, bring_back, retire, set_account
from games.people.access import WRITERS, accounts_open_to
from games.scoring.errors import RuleError
from games.shown.common.amounts import money, tone_of
from games.shown.common.days import day_in_words, moment_in_words
from games.shown.common.members import person_of
from games.shown.money import accounts as shown
from games.shown.money.plans import PlanLine, fewest_in_words, plan_change, plan_lines
from games.shown.people.claims import claims_of
from games.views.common.opened import user_of
from games.views.common.paying import PAGE, asked_page, refused_at
from games.views.common.recording import Refused, sent_key

PAYMENTS_SHOWN = 5
CHANGES_SHOWN = 10


@require_GET
def accounts(request: HttpRequest, table_code: str) -> HttpResponse:
    """Who pays whom, everybody's balance, the last payments, the last night."""
    table, role = accounts_open_to(request, table_code)
    found = read_accounts(table, People(tuple(table.members.select_related("user"))))
    payments = list(table.payments.all()[:PAYMENTS_SHOWN])
    context = {
        "table": table,
        "may_write": role in WRITERS,
        **_waiting(user_of(request), role, found.people, table),
        "lines": plan_lines(found, table),
        "to_pay": len(found.to_pay),
        "fewest": fewest_in_words(found),
        "change": found.plan and plan_change(found.plan, found.people, table),
        "balances": shown.balance_rows(found, table),
        "retired": shown.retired_rows(found, table),
        "total": money(sum(found.balances.values()), table),
        "payments": [shown.payment_row(payment, found.people, table) for payment in payments],
        "night": _last_night(table, found.people),
        "done": _just_paid(request.GET.get("done", ""), payments, found.people, table),
        "message": shown.message_of(found, table),
    }
    return render(request, "games/money/accounts.html", context)


def _waiting(user: User, role: Role, people: People, table: Table) -> dict[str, object]:
    """What waits for whoever looks: the payments to him, how many and the newest, and who an owner is to agree is who."""
    mine = [pk for member in people.own if member.is_of(user) for pk in people.rows_of(member)]
    counted = awaiting(user, mine).annotate(count=Window(Count("pk")))
    payments = list(counted[:PAYMENTS_SHOWN]) if mine else []
    claims = claims_of(people.own, besides=user) if role is Role.OWNER else ()
    return {
        "waiting": payments[0].count if payments else 0,
        "to_confirm": [shown.payment_row(payment, people, table) for payment in payments],
        "claims": [claim for claim in claims if not claim.is_agreed],
    }


def _last_night(table: Table, people: People) -> dict[str, object] | None:
    """The newest night: its day, whether it was closed, and whether what everybody saw still holds."""
    night = last_night(table)
    if night is None:
        return None
    closing = closing_of(night, table, people)
    return {
        "day": day_in_words(night),
        "night": night.isoformat(),
        "closed": closing and moment_in_words(closing.note.made_at, table),
        "is_broken": closing and closing.is_broken,
    }


def _just_paid(
    done: str, payments: Sequence[Payment], people: People, table: Table
) -> dict[str, object] | None:
    """The payment just recorded, one of the last, to be taken back with a tap."""
    payment = next((payment for payment in payments if str(payment.pk) == done and payment.counts), None)
    if payment is None:
        return None
    said = {"payment": shown.payment_in_words(payment, people), "amount": money(payment.amount, table)}
    return {"pk": payment.pk, "said": _("Recorded: %(payment)s, %(amount)s") % said}


# --- one member -------------------------------------------------------------------------------------------------------


@require_GET
def account(request: HttpRequest, table_code: str, member: str) -> HttpResponse:
    """A member's balance, and every game and payment it comes from."""
    table, role = accounts_open_to(request, table_code)
    return _show_account(request, table, role, member)


@require_POST
def set_account_text(request: HttpRequest, table_code: str, member: str) -> HttpResponse:
    """Keeps where to send money to this member: an owner says so, or the member himself."""
    table, role = accounts_open_to(request, table_code)
    found = _member_or_404(table, member)
    if role is not Role.OWNER and not found.is_of(user_of(request)):
        accounts_open_to(request, table_code, for_owning=True)
    try:
        set_account(found, request.POST.get("account", ""))
    except RuleError as refusal:
        return _show_account(request, table, role, member, refused_at(refusal, table))
    return redirect("account", table_code, member)


@require_POST
def retire_member(request: HttpRequest, table_code: str, member: str) -> HttpResponse:
    """Lets somebody go, with what he owes or is owed written off where the form says how much that is."""
    table, role = accounts_open_to(request, table_code, for_owning=True)
    found = _member_or_404(table, member)
    try:
        retire(
            found,
            written_off=_whole(request.POST.get("written_off", "")),
            key=sent_key(request),
            by=user_of(request),
        )
    except (RuleError, StaleAccounts, KeyReused) as refusal:
        return _show_account(request, table, role, member, refused_at(refusal, table))
    return redirect("account", table_code, member)


@require_POST
def bring_member_back(request: HttpRequest, table_code: str, member: str) -> HttpResponse:
    """Somebody plays again."""
    table, _role = accounts_open_to(request, table_code, for_owning=True)
    bring_back(_member_or_404(table, member))
    return redirect("account", table_code, member)


def _whole(text: str) -> int:
    """A whole number with an optional sign; 0 where it is none."""
    digits = text.removeprefix("-")
    return int(text) if digits.isascii() and digits.isdigit() and len(digits) < 19 else 0


def _member_or_404(table: Table, slug: str) -> Member:
    found = table.members.filter(slug=slug, merged_into=None).first()
    if found is None:
        raise Http404
    return found


def _show_account(
    request: HttpRequest, table: Table, role: Role, slug: str, refused: Refused | None = None
) -> HttpResponse:
    found = read_accounts(table)
    if slug not in found.accounts:
        merged = found.people.by_slug.get(slug)
        if merged is None:
            raise Http404
        return redirect("account", table.code, merged.slug)
    one = found.accounts[slug]
    is_own = one.member.is_of(user_of(request))
    context = {
        "table": table,
        **_balance(one, table),
        "lines": [line for line in plan_lines(found, table) if _is_in(slug, line)],
        **_entries(one, found.people, table, asked_page(request)),
        "may_write": role in WRITERS,
        "may_say_account": role is Role.OWNER or is_own,
        "may_retire": role is Role.OWNER,
        "typed": request.POST.get("account", one.member.account),
        "key": new_key(),
        "errors": refused.errors if refused else {},
        "refused": refused and refused.beside("account"),
    }
    return render(request, "games/money/account.html", context, status=refused.status if refused else 200)


def _balance(one: Account, table: Table) -> dict[str, object]:
    """Who it is, what they owe or are owed, and what that is made of."""
    return {
        "person": person_of(one.member),
        "member": one.member,
        "owes": shown.owes_in_words(one.member.name, one.balance),
        "balance": money(abs(one.balance), table),
        "signed": money(one.balance, table, signed=True),
        "tone": tone_of(one.balance),
        "composition": shown.composition(one, table),
        "written_off": one.balance,
    }


def _entries(one: Account, people: People, table: Table, page: int) -> dict[str, object]:
    """One page of the games and payments a balance comes from."""
    entries, has_older = entries_of(one, people, start=(page - 1) * PAGE, count=PAGE)
    return {
        "entries": [shown.entry_row(entry, one, people, table) for entry in entries],
        "older": page + 1 if has_older else None,
        "newer": page - 1 if page > 1 else None,
    }


def _is_in(slug: str, line: PlanLine) -> bool:
    return not line.is_paid and slug in (line.payer.id, line.payee.id)


# --- why the plan changed ---------------------------------------------------------------------------------------------


@require_GET
def plan_changes(request: HttpRequest, table_code: str) -> HttpResponse:
    """Every change of who pays whom: when, why, whose lines."""
    table, _role = accounts_open_to(request, table_code)
    people, page = People.of(table), asked_page(request)
    start = (page - 1) * CHANGES_SHOWN
    plans = list(table.plans.select_related("game", "payment")[start : start + CHANGES_SHOWN + 1])
    changes = (plan_change(plan, people, table) for plan in plans[:CHANGES_SHOWN])
    context = {
        "table": table,
        "changes": [change for change in changes if change is not None],
        "older": page + 1 if len(plans) > CHANGES_SHOWN else None,
        "newer": page - 1 if page > 1 else None,
    }
    return render(request, "games/money/plan_changes.html", context)
