"""The accounts of a table: everybody's balance, who pays whom, what waits for a word, and why the plan changed."""

from __future__ import annotations

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from games.api.common.amounts import moment_said, money_said
from games.api.common.endpoints import Endpoint, answer
from games.api.common.paging import PAGED, USUAL, page_of
from games.api.common.payments import payment_said
from games.api.common.schema import CODE, refusals
from games.api.money import payloads
from games.models import Plan, Table
from games.money.balances import Account, Line, People, read_accounts, waiting_for
from games.money.closings import seen_now
from games.money.plans import changes_of
from games.people.access import WRITERS
from games.shown.money.plans import fewest_in_words


class AccountsOfTable(Endpoint):
    """The accounts."""

    @extend_schema(
        operation_id="accounts",
        summary="The accounts of a table",
        description=(
            "For whoever records there, and its members. A balance above zero is owed to the member; all of them add "
            "up to zero. The lines say who pays whom, so that as few payments as may be are left. “waiting” are the "
            f"newest payments, {USUAL} at most, that wait for the word of who asks: those made to him, and for who "
            "records those only claimed or disputed."
        ),
        parameters=[CODE],
        responses={200: payloads.AccountsSaid, **refusals("not_found")},
    )
    def get(self, request: Request, code: str) -> Response:
        """How they stand now."""
        table = self.accounts_opened(code)
        people = People.of(table)
        found = read_accounts(table, people)
        waiting = waiting_for(self.user, table, people, is_keeper=self.role in WRITERS)
        return answer(
            {
                **money_said(table),
                "seen": seen_now(found),
                "balances": [_balance(account) for account in found.accounts.values()],
                "lines": [_line(line) for line in found.lines],
                "fewest": fewest_in_words(found),
                "waiting": [
                    payment_said(payment, table)
                    for payment in waiting.select_related("payer", "payee", "game")[:USUAL]
                ],
            }
        )


class PlanOfTable(Endpoint):
    """Why who pays whom changed."""

    @extend_schema(
        operation_id="plan",
        summary="Why the plan changed",
        description="Every change of who pays whom that was no payment along the plan, the newest first.",
        parameters=[CODE, *PAGED],
        responses={200: payloads.PlansSaid, **refusals("not_found")},
    )
    def get(self, request: Request, code: str) -> Response:
        """A page of the changes."""
        table = self.accounts_opened(code)
        people, page = People.of(table), page_of(request, table.plans.select_related("game"), "-id")
        return answer({"changes": [_plan(plan, people, table) for plan in page.rows], "next": page.next})


def _balance(account: Account) -> dict[str, object]:
    member = account.member
    return {
        "member": member.slug,
        "name": member.name,
        "plays": member.retired_at is None,
        "account": member.account,
        "balance": account.balance,
        "games": account.games,
        "won": account.won,
        "paid": account.paid,
        "received": account.received,
        "written_off": account.written_off,
        "carried": account.carried,
    }


def _line(line: Line) -> dict[str, object]:
    ends = {"payer": line.payer.slug, "payee": line.payee.slug}
    return {**ends, "amount": line.amount, "left": line.left, "claimed": line.claimed}


def _plan(plan: Plan, people: People, table: Table) -> dict[str, object]:
    return {
        "made_at": moment_said(plan.made_at, table),
        "because": plan.because,
        "game": None if plan.game is None else plan.game.code,
        "payment": plan.payment_id,
        "lines": [
            {"payer": change.payer, "payee": change.payee, "before": change.before, "after": change.after}
            for change in changes_of(plan, people)
        ],
    }
