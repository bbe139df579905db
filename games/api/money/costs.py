"""The shared costs of a table's nights: listing, showing, recording, amending and cancelling them.

A shared cost is what one member paid for several on a night, e.g. a meal. Its steps are its history: the
amendments and the cancellation.
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
from games.api.common.serializers import Parts
from games.api.common.writing import KEY, key_sent
from games.api.money import cost_payloads as payloads
from games.api.money.payloads import TurnSent
from games.models import Member, SharedCost, Table
from games.money import costs as services
from games.money.balances import People
from games.money.costs import CostWords
from games.scoring.words import _


class Costs(Endpoint):
    """The endpoint that lists or records shared costs of a table."""

    query = ("cursor", "limit")

    @extend_schema(
        operation_id="costs",
        summary="The shared costs of a table",
        description="For users who may record, and for members: newest first, including cancelled costs.",
        parameters=[*PAGED],
        responses={200: payloads.CostsSaid, **refusals("not_found")},
    )
    def get(self, request: Request, code: str) -> Response:
        """Return a page of the shared costs, newest first, including cancelled ones."""
        table = self.accounts_opened(code)
        page = page_of(request, table.costs.select_related("payer"), "-made_at")
        return answer(payloads.CostsSaid.of({"costs": page.rows, "next": page.next}, table=table))

    @extend_schema(
        operation_id="share_cost",
        summary="Record a shared cost",
        description=(
            "For users who may record: what one member paid for several on a night, in equal parts; odd coins "
            "go one each to the sharers in the order of joining, beginning after the payer. It changes balances, "
            "and no game, standing or record. A second cost of the same night is refused."
        ),
        parameters=[KEY],
        request=payloads.CostSent,
        responses={201: payloads.CostInFull, **refusals("body", "not_found", "key_reused")},
    )
    def post(self, request: Request, code: str) -> Response:
        """Record the cost; a repeated request with the same idempotency key records nothing twice.

        Without `sharers` in the body, all who played on the night share the cost.
        """
        table = self.accounts_opened(code, for_writing=True)
        key, people = key_sent(request), People.of(table)
        sent = self.sent(payloads.CostSent)
        night = sent["night"]
        sharers = _sharers(sent, people) if "sharers" in sent else services.present_at(night, table, people)
        words = _words(sent, people, sharers)
        if not sharers and "sharers" not in sent:
            raise Problem("refused", _("Nobody played on that night."), field="sharers")
        cost = services.share_cost(table, night, words, key=key, by=self.user)
        return answer(_in_full(cost, table), status=201)


class OneCost(Endpoint):
    """The endpoint that returns one shared cost."""

    @extend_schema(
        operation_id="cost",
        summary="A shared cost with its steps",
        responses={200: payloads.CostInFull, **refusals("not_found")},
    )
    def get(self, request: Request, code: str, cost: int) -> Response:
        """Return the shared cost with everybody's part and its steps."""
        table = self.accounts_opened(code)
        return answer(_in_full(_cost_or_404(table, cost), table))


class AmendCost(Endpoint):
    """The endpoint that amends a shared cost."""

    @extend_schema(
        operation_id="amend_cost",
        summary="Amend a shared cost",
        description=(
            "For users who may record. All of payer, amount, sharers and note are sent; the night stays. The "
            "earlier values stay visible."
        ),
        request=payloads.CostAmendment,
        responses={200: payloads.CostInFull, **refusals("body", "not_found", "stale")},
    )
    def post(self, request: Request, code: str, cost: int) -> Response:
        """Replace the payer, amount, sharers and note of the cost; a step keeps the earlier values."""
        table = self.accounts_opened(code, for_writing=True)
        amended, people = _cost_or_404(table, cost), People.of(table)
        sent = self.sent(payloads.CostAmendment)
        words = _words(sent, people, _sharers(sent, people))
        after, text = sent["after"], sent.get("text", "")
        amended = services.amend_cost(amended, words, after=after, by=self.user, text=text)
        return answer(_in_full(amended, table))


class CancelCost(Endpoint):
    """The endpoint that cancels a shared cost."""

    @extend_schema(
        operation_id="cancel_cost",
        summary="Cancel a shared cost",
        description=(
            "For users who may record. A cancelled cost stays visible but does not count, and the night may have "
            "another. Repeating the request changes nothing."
        ),
        request=TurnSent,
        responses={200: payloads.CostInFull, **refusals("body", "not_found")},
    )
    def post(self, request: Request, code: str, cost: int) -> Response:
        """Cancel the shared cost, so that it no longer changes balances."""
        table = self.accounts_opened(code, for_writing=True)
        cancelled, text = _cost_or_404(table, cost), self.sent(TurnSent).get("text", "")
        return answer(_in_full(services.cancel_cost(cancelled, by=self.user, text=text), table))


def _words(sent: Parts, people: People, sharers: tuple[Member, ...]) -> CostWords:
    return CostWords(_member(sent["payer"], people, "payer"), sent["amount"], sharers, sent.get("note", ""))


def _sharers(sent: Parts, people: People) -> tuple[Member, ...]:
    return tuple(_member(slug, people, "sharers") for slug in sent["sharers"])


def _member(slug: object, people: People, field: str) -> Member:
    member = people.by_slug.get(slug) if isinstance(slug, str) else None
    if member is None:
        raise Problem("refused", _("No member has this id."), field=field)
    return member


def _cost_or_404(table: Table, number: int) -> SharedCost:
    costs = table.costs.select_related("table", "payer", "recorded_by")
    return get_object_or_404(costs, pk=number)


def _in_full(cost: SharedCost, table: Table) -> dict[str, Any]:
    """Return the cost with everybody's part and its steps, oldest first, as JSON."""
    steps = list(cost.steps.select_related("by", "payer"))
    return payloads.CostInFull.of(cost, table=table, people=People.of(table), steps=steps)
