"""Carrying a table over to another currency: a preview, and creating the new table with the same members.

A method `tell_x` returns the value of the field `x` in an answer.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from games.api.common.endpoints import Endpoint, answer
from games.api.common.problems import Problem
from games.api.common.schema import refusals
from games.api.common.serializers import Answer, Body, Line, Money, Whole
from games.api.common.writing import KEY, key_sent
from games.models import DECIMALS, TABLE_NAME_LENGTH, UNIT_LENGTH
from games.money.balances import Account
from games.notebook import carrying
from games.notebook.carrying import CarryOverPreview, NewTable
from games.notebook.fields import Fields
from games.scoring.words import _
from games.shown.common.sentences import translate

LONGEST = 200
RATE = r"[0-9]{1,18}(\.[0-9]{1,6})?"
RATE_HELP = "The number of old units that one new unit is worth, such as 1450 or 1450.50."


class CarriedBalance(Answer):
    """A member's balance at the old and at the new table, each in the smallest coin of its table."""

    member = serializers.CharField(source="member.slug")
    before = serializers.IntegerField(source="balance")
    after = serializers.IntegerField()

    def tell_after(self, account: Account) -> int:
        """Return the balance at the new table."""
        after: Mapping[str, int] = self.context["after"]
        return after[account.member.slug]


class CarriedSaid(Money):
    """The preview of carrying a table over: each member's balance before and after.

    The balances before add up to zero, and so do those after.
    """

    unit = serializers.CharField(help_text="The currency of the old table.")
    decimals = serializers.IntegerField(min_value=0, max_value=DECIMALS)
    seen = serializers.CharField()
    balances = CarriedBalance(many=True)
    wrong = serializers.CharField(
        allow_blank=True, help_text="The reason why no table can be created; empty if one can."
    )

    def tell_balances(self, carried: CarryOverPreview) -> Sequence[Account]:
        """Return the account of each member (the amounts that make up the balance) at the old table."""
        return carried.before

    def tell_wrong(self, carried: CarryOverPreview) -> str:
        """Return the reason why the new table cannot be created, in the reader's language; "" if it can."""
        return "" if carried.wrong is None else translate(carried.wrong)


class Rate(serializers.RegexField):
    """A field for an exchange rate: the number of old units that one new unit is worth."""

    def read(self, values: Fields, name: str) -> Fraction:
        """Return the rate in a request body as an exact fraction.

        `values` are the fields of the body, `name` is the name of this field.
        """
        return _rate(values.text(name, longest=LONGEST))


class CarrySent(Body):
    """The new table to be created, and the version of the preview that the owner saw."""

    name = Line(max_length=TABLE_NAME_LENGTH, longest=LONGEST)
    unit = Line(max_length=UNIT_LENGTH, longest=LONGEST)
    decimals = Whole(min_value=0, max_value=DECIMALS)
    rate = Rate(f"^{RATE}$", help_text=RATE_HELP)
    seen = Line(max_length=40, help_text="The `seen` of the preview.")


class Opened(Answer):
    """The table that was created in the new currency."""

    code = serializers.CharField()


def _asked(name: str, kind: Any, text: str) -> OpenApiParameter:
    return OpenApiParameter(name, kind, required=True, description=text)


ASKED = [
    _asked("name", OpenApiTypes.STR, "The name of the new table."),
    _asked("unit", OpenApiTypes.STR, "The currency of the new table."),
    _asked("decimals", OpenApiTypes.INT, "The number of decimals of its amounts."),
    _asked("rate", OpenApiTypes.STR, RATE_HELP),
]


class CarriedTable(Endpoint):
    """The endpoint that previews or makes a new table in another currency, with the same members."""

    @extend_schema(
        operation_id="preview_carrying_over",
        summary="Preview carrying a table over to another currency",
        description="For owners. Nothing is recorded. The answer has each balance before and after.",
        parameters=[*ASKED],
        responses={200: CarriedSaid, **refusals("not_found", "refused")},
    )
    def get(self, request: Request, code: str) -> Response:
        """Return each balance at the old and at the new table."""
        table = self.accounts_opened(code, for_owning=True)
        query = request.query_params
        decimals = query.get("decimals", "")
        if not re.fullmatch("[0-9]", decimals):
            raise Problem(
                "refused", _("Amounts may have 0 to {most} decimals.", most=DECIMALS), field="decimals"
            )
        rate = _rate(query.get("rate", ""))
        wanted = NewTable(query.get("name", ""), query.get("unit", ""), int(decimals), rate)
        carried = carrying.preview_carry_over(table, wanted)
        return answer(CarriedSaid.of(carried, table=table, after=carried.after))

    @extend_schema(
        operation_id="carry_over",
        summary="Create a new table with another currency",
        description=(
            "For owners, with the “seen” of the preview; stale if the preview has changed. The new table "
            "has the same members and begins with payments of the method “opening”; other payments settle "
            "the old table. Claims and grants are not carried over."
        ),
        parameters=[KEY],
        request=CarrySent,
        responses={201: Opened, **refusals("body", "not_found", "stale", "key_reused")},
    )
    def post(self, request: Request, code: str) -> Response:
        """Create the new table and return it."""
        table = self.accounts_opened(code, for_owning=True)
        key, sent = key_sent(request), self.sent(CarrySent)
        wanted = NewTable(sent["name"], sent["unit"], sent["decimals"], sent["rate"])
        new_table = carrying.carry_over(table, wanted, seen=sent["seen"], key=key, by=self.user)
        return answer(Opened.of(new_table), status=201)


def _rate(text: str) -> Fraction:
    if not re.fullmatch(RATE, text):
        raise Problem("refused", _("Write a number, such as 1450 or 1450.50."), field="rate")
    return Fraction(text)
