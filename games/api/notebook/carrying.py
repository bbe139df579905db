"""A new table of the same people that plays for something else: what comes of it, and then it is open."""

from __future__ import annotations

import re
from fractions import Fraction
from typing import Any

from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from games.api.common.amounts import money_said
from games.api.common.endpoints import Endpoint, answer
from games.api.common.problems import Problem
from games.api.common.schema import CODE, refusals
from games.api.common.writing import KEY, key_sent
from games.models import DECIMALS, TABLE_NAME_LENGTH, UNIT_LENGTH, Table
from games.notebook import carrying
from games.notebook.carrying import Carried, Wanted
from games.scoring.words import _
from games.shown.common.sentences import translate

LONGEST = 200
RATE = r"[0-9]{1,18}(\.[0-9]{1,6})?"
RATE_TOLD = "How many of the table’s unit one of the new unit is: a number such as 1450 or 1450.50."


class CarriedBalance(serializers.Serializer[Any]):
    """What one of them has at the old table, and at the new one; each in the smallest coin of its table."""

    member = serializers.CharField()
    before = serializers.IntegerField()
    after = serializers.IntegerField()


class CarriedSaid(serializers.Serializer[Any]):
    """What would become of the balances; they add up to zero before and after."""

    unit = serializers.CharField(help_text="Of the table as it is.")
    decimals = serializers.IntegerField(min_value=0, max_value=DECIMALS)
    seen = serializers.CharField()
    balances = CarriedBalance(many=True)
    wrong = serializers.CharField(
        allow_blank=True, help_text="Why no table can be opened; empty where one can."
    )


class CarrySent(serializers.Serializer[Any]):
    """The new table, as it was looked at."""

    name = serializers.CharField(max_length=TABLE_NAME_LENGTH)
    unit = serializers.CharField(max_length=UNIT_LENGTH)
    decimals = serializers.IntegerField(min_value=0, max_value=DECIMALS)
    rate = serializers.RegexField(f"^{RATE}$", help_text=RATE_TOLD)
    seen = serializers.CharField(max_length=40, help_text="The one of the preview.")


class Opened(serializers.Serializer[Any]):
    """The table that was opened."""

    code = serializers.CharField()


def _asked(name: str, kind: Any, told: str) -> OpenApiParameter:
    return OpenApiParameter(name, kind, required=True, description=told)


ASKED = [
    _asked("name", OpenApiTypes.STR, "What the new table is called."),
    _asked("unit", OpenApiTypes.STR, "What it plays for."),
    _asked("decimals", OpenApiTypes.INT, "How many decimals its amounts have."),
    _asked("rate", OpenApiTypes.STR, RATE_TOLD),
]


class CarriedTable(Endpoint):
    """A table that goes on with another unit."""

    @extend_schema(
        operation_id="preview_carrying_over",
        summary="See what another unit brings",
        description="For owners. Nothing is written: each balance before and after.",
        parameters=[CODE, *ASKED],
        responses={200: CarriedSaid, **refusals("not_found", "refused")},
    )
    def get(self, request: Request, code: str) -> Response:
        """What comes of it."""
        table = self.accounts_opened(code, for_owning=True)
        asked = request.query_params
        decimals = asked.get("decimals", "")
        if not re.fullmatch("[0-9]", decimals):
            raise Problem(
                "refused", _("Amounts have from 0 to {most} decimals.", most=DECIMALS), field="decimals"
            )
        rate = _rate(asked.get("rate", ""))
        wanted = Wanted(asked.get("name", ""), asked.get("unit", ""), int(decimals), rate)
        return answer(_said(carrying.carried(table, wanted), table))

    @extend_schema(
        operation_id="carry_over",
        summary="Open a new table with another unit",
        description=(
            "For owners, and as it was “seen” in the preview: stale where it would come out otherwise. The new table has "
            "the same members and begins with payments of method “opening”; others settle the old one. Claims and grants "
            "stay behind."
        ),
        parameters=[CODE, KEY],
        request=CarrySent,
        responses={201: Opened, **refusals("body", "not_found", "stale", "key_reused")},
    )
    def post(self, request: Request, code: str) -> Response:
        """The new table."""
        table = self.accounts_opened(code, for_owning=True)
        key, sent = key_sent(request), self.sent("name", "unit", "decimals", "rate", "seen")
        wanted = Wanted(
            sent.text("name", longest=LONGEST),
            sent.text("unit", longest=LONGEST),
            sent.whole("decimals", least=0, most=DECIMALS),
            _rate(sent.text("rate", longest=LONGEST)),
        )
        seen = sent.text("seen", longest=40)
        opened = carrying.carry_over(table, wanted, seen=seen, key=key, by=self.user)
        return answer({"code": opened.code}, status=201)


def _rate(text: str) -> Fraction:
    if not re.fullmatch(RATE, text):
        raise Problem("refused", _("Write a number, such as 1450 or 1450.50."), field="rate")
    return Fraction(text)


def _said(found: Carried, table: Table) -> dict[str, Any]:
    return {
        **money_said(table),
        "seen": found.seen,
        "balances": [
            {"member": one.member.slug, "before": one.balance, "after": found.after[one.member.slug]}
            for one in found.before
        ],
        "wrong": "" if found.wrong is None else translate(found.wrong),
    }
