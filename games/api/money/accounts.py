"""The accounts of a table: balances, payments to confirm, and the plan of payments.

The plan is a list of few payments (who pays whom, and how much) that settle all balances. A payment that the
plan proposes leaves it as it is; any other change of a balance replaces it with a new plan.
"""

from __future__ import annotations

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from games.api.common.endpoints import Endpoint, answer
from games.api.common.paging import USUAL
from games.api.common.schema import refusals
from games.api.money import payloads
from games.money.balances import People, read_accounts, waiting_for
from games.people.access import WRITERS
from games.shown.money.plans import fewest_in_words
from games.shown.money.sentences import plan_in_sentences


class AccountsOfTable(Endpoint):
    """The endpoint that returns the accounts of a table."""

    @extend_schema(
        operation_id="accounts",
        summary="The accounts of a table",
        description=(
            "For users who may record, and for members. A positive balance is owed to the member; all "
            "balances add up to zero. The lines are the payments that settle the balances, as few as "
            f"possible. “waiting” has at most {USUAL} payments, newest first, that wait for the user's "
            "answer: payments made to the user, and for users who may record also claimed and disputed "
            "payments. “sentences” says who pays whom over all games, in the language of the header "
            "Accept-Language."
        ),
        responses={200: payloads.AccountsSaid, **refusals("not_found")},
    )
    def get(self, request: Request, code: str) -> Response:
        """Return the accounts as they are now."""
        table = self.accounts_opened(code)
        people = People.of(table)
        accounts = read_accounts(table, people)
        waiting = waiting_for(self.user, table, people, is_keeper=self.role in WRITERS)
        parts = {
            "seen": accounts.seen,
            "balances": accounts.accounts.values(),
            "lines": accounts.lines,
            "fewest": fewest_in_words(accounts),
            "sentences": plan_in_sentences(accounts, table),
            "waiting": waiting.select_related("payer", "payee", "game")[:USUAL],
        }
        return answer(payloads.AccountsSaid.of(parts, table=table))
