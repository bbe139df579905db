"""The shared costs of a table's nights: listing, recording and taking them back.

A shared cost is what one member paid for several on a night, e.g. a meal.
"""

from __future__ import annotations

from typing import Any

from django.shortcuts import get_object_or_404
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from games.api.common.endpoints import Endpoint, answer
from games.api.common.paging import PAGED, page_of
from games.api.common.problems import Problem
from games.api.common.schema import refusals
from games.api.common.writing import KEY, key_sent
from games.api.money import cost_payloads as payloads
from games.api.money.payloads import ReasonSent
from games.models import Member, SharedCost, Table
from games.money import costs as services
from games.money.balances import People
from games.money.costs import CostWords
from games.scoring.words import _

NAMED = ("payer", "recorded_by", "ended_by")  # the users and members whom an answer names


class Costs(Endpoint):
    """The endpoint that lists or records shared costs of a table."""

    query = ("cursor", "limit")

    @extend_schema(
        operation_id="costs",
        summary="The shared costs of a table",
        description="For users who may record, and for members: newest first, including those taken back.",
        parameters=[*PAGED],
        responses={200: payloads.CostsSaid, **refusals("not_found")},
    )
    def get(self, request: Request, code: str) -> Response:
        """Return a page of the shared costs, newest first, including those taken back."""
        table = self.accounts_opened(code)
        page = page_of(request, table.costs.select_related(*NAMED), "-made_at")
        costs = {"costs": page.rows, "next": page.next}
        return answer(payloads.CostsSaid.of(costs, table=table, people=People.of(table)))

    @extend_schema(
        operation_id="share_cost",
        summary="Record a shared cost",
        description=(
            "For users who may record: what one member paid for several on a night, in equal parts; odd coins "
            "go one each to the sharers in the order of joining, beginning after the payer. It changes balances, "
            "and no game, standing or record. With “forgiven” the payer is a debtor whom the sharers forgive this "
            "amount; the debtor bears no part of it, and cannot record it."
        ),
        parameters=[KEY],
        request=payloads.CostSent,
        responses={201: payloads.OneCost, **refusals("body", "not_found", "key_reused")},
    )
    def post(self, request: Request, code: str) -> Response:
        """Record the cost; a repeated request with the same idempotency key records nothing twice.

        Without `sharers` in the body, all who played on the night share the cost.
        """
        table = self.accounts_opened(code, for_writing=True)
        key, people = key_sent(request), People.of(table)
        sent = self.sent(payloads.CostSent)
        night = sent["night"]
        if "sharers" in sent:
            sharers = tuple(_member(slug, people, "sharers") for slug in sent["sharers"])
        else:
            sharers = services.present_at(night, table, people)
        payer = _member(sent["payer"], people, "payer")
        if not sharers and "sharers" not in sent:
            raise Problem("refused", _("Nobody played on that night."), field="sharers")
        words = CostWords(
            payer, sent["amount"], sharers, sent.get("note", ""), is_forgiven=sent.get("forgiven", False)
        )
        cost = services.share_cost(table, night, words, key=key, by=self.user)
        return answer(_in_full(cost, table), status=201)


class CancelCost(Endpoint):
    """The endpoint that takes a shared cost back."""

    @extend_schema(
        operation_id="cancel_cost",
        summary="Take a shared cost back",
        description=(
            "For users who may record. It stays visible but does not count. A reason is needed unless the user "
            "who recorded it takes it back in the same night. Repeating the request changes nothing."
        ),
        request=ReasonSent,
        responses={200: payloads.OneCost, **refusals("body", "not_found")},
    )
    def post(self, request: Request, code: str, cost: int) -> Response:
        """Take the shared cost back, so that it no longer changes balances."""
        table = self.accounts_opened(code, for_writing=True)
        wrong = get_object_or_404(table.costs.select_related("table", *NAMED), pk=cost)
        reason = self.sent(ReasonSent).get("reason", "")
        return answer(_in_full(services.cancel_cost(wrong, by=self.user, reason=reason), table))


def _member(slug: object, people: People, field: str) -> Member:
    member = people.by_slug.get(slug) if isinstance(slug, str) else None
    if member is None:
        raise Problem("refused", _("No member has this id."), field=field)
    return member


def _in_full(cost: SharedCost, table: Table) -> dict[str, Any]:
    """Return the cost with everybody's part as JSON."""
    return payloads.OneCost.of(cost, table=table, people=People.of(table))
