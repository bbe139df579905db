"""The accounts and nights of a table in the API."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from django.db.models import Count
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema, extend_schema_serializer
from rest_framework import serializers
from rest_framework.exceptions import NotFound
from rest_framework.request import Request
from rest_framework.response import Response

from games.common import parsing
from games.common.api import write_headers
from games.common.api.problems import ApiProblem
from games.common.api.serializers import (
    AmountsField,
    MemberField,
    MoneyMixin,
    NightField,
    StrictBooleanField,
    StrictIntegerField,
    StrictSerializer,
)
from games.models import MOST_MONEY
from games.money.presenters import payee_sentences
from games.money.presenters.cause_titles import CauseTitles
from games.money.presenters.payee_sentences import Sentences
from games.money.services import accounting, fewest_payments, night_summary, payee_reasons, starting_balances
from games.money.services.accounting import OwedDebt
from games.money.services.balance_causes import BalanceCause
from games.money.services.entry_history import EntryHistory
from games.scoring.i18n import _
from games.tables.api.permissions import CanViewAccounts, IsOwner, IsScorer
from games.tables.api.views import PagedViewSetBase, TableViewSetBase

VERSION = "The version of the accounts: any change of them changes it."
SAME_VERSION = "The same as `accounts_version`."
MOST_REASONS = 50  # of a member
BALANCES = "By the id of a member: above zero it is owed to the member, below zero the member owes it."


class DebtSerializer(serializers.Serializer[Any]):
    """A debt of the accounts."""

    payer, payee = MemberField(), MemberField()
    amount = serializers.IntegerField()
    version = serializers.IntegerField(help_text="Any change of the debt changes it.")
    claimed = serializers.IntegerField(
        help_text="What the payer says to have paid, and nobody has confirmed yet."
    )
    account = serializers.CharField(allow_blank=True, help_text="The payment details of the payee, in words.")
    why = serializers.CharField(
        allow_blank=True,
        help_text="Why the payer pays this payee; empty if it follows from the payer's own reasons.",
    )


class ReasonSerializer(serializers.Serializer[Any]):
    """A reason of a balance: a cause with its effect on the member since they were last even."""

    cause = serializers.CharField(
        help_text="The kind of the cause (game, payment, cost or opening), a slash, and its number."
    )
    game = serializers.CharField(allow_null=True, help_text="The code of the game, if it is one.")
    title = serializers.CharField()
    named = serializers.ListField(
        child=serializers.CharField(), help_text="The ids of the members that the title names."
    )
    amount = serializers.IntegerField()
    is_rest = serializers.BooleanField(
        help_text="Whether it is only what a correction changed since the member was even."
    )
    night = serializers.DateField()


FEWEST = "Whether every entry ends with settling all debts by the fewest payments."


class AccountsSerializer(MoneyMixin):
    """The accounts of a table in their present state."""

    fewest = serializers.BooleanField(help_text=FEWEST)
    accounts_version = serializers.IntegerField(help_text=VERSION)
    version = serializers.IntegerField(help_text=SAME_VERSION)
    balances = AmountsField(help_text=BALANCES)
    debts = DebtSerializer(many=True)
    reasons = serializers.DictField(
        child=ReasonSerializer(many=True),
        help_text=(
            "By the id of a member: why their balance is what it is, by whole nights, the newest at the end; at most "
            f"{MOST_REASONS}. With `earlier` the amounts add up to the balance."
        ),
    )
    earlier = AmountsField(
        help_text="By the id of a member: the sum of the reasons that `reasons` leaves out, if there are any."
    )


@extend_schema_serializer(component_name="FewestChange")
class FewestRequestSerializer(StrictSerializer):
    """The setting, and the version of the accounts that was seen; a preview, or turning it off, needs none."""

    fewest = StrictBooleanField(help_text=FEWEST)
    after = StrictIntegerField(
        required=False,
        min_value=0,
        max_value=write_headers.HIGHEST,
        help_text="The `accounts_version` of the preview.",
    )


class PreviewQuery(StrictSerializer):
    """The choice to record or only to preview."""

    preview = serializers.BooleanField(
        default=False, help_text="Whether to answer with the effect only, and record nothing."
    )


@extend_schema_serializer(component_name="Due")
class DuePaymentSerializer(serializers.Serializer[Any]):
    """A payment that is due: payer, payee and amount."""

    payer, payee = serializers.CharField(), serializers.CharField()
    amount = serializers.IntegerField()


@extend_schema_serializer(component_name="Fewest")
class FewestSerializer(MoneyMixin):
    """The setting, and all debts of the table before and after the request."""

    fewest = serializers.BooleanField(help_text=FEWEST)
    accounts_version = serializers.IntegerField(source="seen", help_text=VERSION)
    version = serializers.IntegerField(source="seen", help_text=SAME_VERSION)
    before = DuePaymentSerializer(many=True, help_text="The debts as they are.")
    after = DuePaymentSerializer(many=True, help_text="The debts as they would be, or are by now.")


class OpeningSerializer(StrictSerializer, MoneyMixin):
    """Starting balances: the members' debts from before the table was opened. They add up to zero."""

    balances = serializers.DictField(
        source="differences",
        child=StrictIntegerField(min_value=-MOST_MONEY, max_value=MOST_MONEY),
        help_text=BALANCES,
    )
    after = StrictIntegerField(
        min_value=0,
        max_value=write_headers.HIGHEST,
        write_only=True,
        help_text="The `accounts_version` that was seen.",
    )
    accounts_version = serializers.IntegerField(source="number", read_only=True, help_text=VERSION)
    version = serializers.IntegerField(source="number", read_only=True, help_text=SAME_VERSION)


def _newest_reasons(reasons: Sequence[BalanceCause]) -> Sequence[BalanceCause]:
    """Return the reasons of the newest nights, at most MOST_REASONS; of a longer newest night, its last ones.

    A night is not cut, because a title is told apart from the others of its night.
    """
    newest = reasons[-MOST_REASONS:]
    if newest and len(newest) < len(reasons) and reasons[-len(newest) - 1].night == newest[0].night:
        return [reason for reason in newest if reason.night > newest[0].night] or newest
    return newest


def _reason_rows(
    reasons: Sequence[BalanceCause], slug: str, titles: CauseTitles
) -> Iterator[dict[str, object]]:
    texts = titles.reason_titles(reasons, slug)
    for reason in reasons:
        kind, pk = reason.cause
        yield {
            "cause": f"{kind}/{pk}",
            "game": titles.games[pk].code if kind == "game" else None,
            "title": texts[reason.cause],
            "named": titles.named_slugs(reason.cause, slug),
            "amount": reason.amount,
            "is_rest": reason.is_rest,
            "night": reason.night,
        }


def _debt_row(debt: OwedDebt, why: Sentences) -> dict[str, object]:
    sentence = why.get(debt.ends)
    columns = {name: getattr(debt, name) for name in ("payer", "payee", "amount", "version", "claimed")}
    return {**columns, "account": debt.payee.account, "why": sentence.text if sentence else ""}


class AccountsViewSet(TableViewSetBase):
    """The accounts of a table."""

    serializer_class = AccountsSerializer
    permission_classes = [CanViewAccounts]
    rights = {"fewest": IsScorer, "simplify": IsScorer, "open": IsOwner}
    queries = {"fewest": PreviewQuery, "simplify": PreviewQuery}
    keyed = ("open",)

    @extend_schema(operation_id="accounts")
    def read(self, request: Request, code: str) -> Response:
        """Read balances, and who pays whom.

        For users who may record, and for members. A positive balance is owed to the member; all balances add
        up to zero. The debts add up to the balances: two members have at most one.
        """
        # read first, so that a concurrent entry makes the answer stale
        version = accounting.latest_entry_number(self.table)
        accounts, people = accounting.load_accounts(self.table), self.people
        history = EntryHistory.of_entries(self.table.entries.all(), people)
        reasons = {member.slug: history.causes(member.slug) for member in people.current_members}
        newest_reasons = {slug: _newest_reasons(of_member) for slug, of_member in reasons.items()}
        payee_reasons_by_ends = payee_reasons.find_all(accounts.debts, history)
        causes = {reason.cause for of_member in newest_reasons.values() for reason in of_member}
        causes |= {reason.row.cause for reason in payee_reasons_by_ends.values() if reason.row.cause}
        titles = CauseTitles.load(causes, self.table, people)
        why = payee_sentences.build(payee_reasons_by_ends, titles)
        parts = {
            "fewest": self.table.always_fewest,
            "accounts_version": version,
            "version": version,
            "balances": accounts.balances,
            "debts": [_debt_row(debt, why) for debt in accounts.debts],
            "reasons": {
                slug: [*_reason_rows(of_member, slug, titles)] for slug, of_member in newest_reasons.items()
            },
            "earlier": {
                slug: sum(reason.amount for reason in reasons[slug][: -len(of_member)])
                for slug, of_member in newest_reasons.items()
                if len(of_member) < len(reasons[slug])
            },
        }
        return self.answer(AccountsSerializer, parts)

    @extend_schema(operation_id="fewest", request=FewestRequestSerializer, responses=FewestSerializer)
    def fewest(self, request: Request, code: str) -> Response:
        """Turn “always the fewest payments” on or off.

        For users who record, and not only tonight. While it is on, every entry ends with settling the debts
        among all who still play here by the fewest payments; no balance changes. Turning it on settles them
        at once, turning it off leaves them as they are. With `preview` nothing is recorded. Otherwise, to turn
        it on, send the version of the preview as `after`; it is stale if the accounts have changed since.
        """
        data = self.parsed_body(FewestRequestSerializer)
        effect, is_on = fewest_payments.preview(self.table, self.people, is_on=data["fewest"]), data["fewest"]
        if not self.query["preview"]:
            if is_on and "after" not in data:
                raise ApiProblem("misshapen", _("“{name}” is missing.", name="after"), field="after")
            fewest_payments.update(self.table, is_on=is_on, seen=data.get("after", 0), by=self.user)
        parts = {"fewest": is_on, "seen": effect.seen, "before": effect.before, "after": effect.after}
        return self.answer(FewestSerializer, parts)

    @extend_schema(exclude=True)
    def simplify(self, request: Request, code: str) -> Response:
        """Refuse the act that the setting `fewest` replaced in version 1.2."""
        raise ApiProblem("refused", _("Debts are simplified by the setting “fewest” now."), field="fewest")

    @extend_schema(
        operation_id="open_balances", request=OpeningSerializer, responses={201: OpeningSerializer}
    )
    def open(self, request: Request, code: str) -> Response:
        """Record starting balances.

        For owners, after the version of the accounts that was seen. The debts from before this table are
        added to the members' balances. An owner takes them back on the page.
        """
        data = self.parsed_body(OpeningSerializer)
        entry = starting_balances.record(
            self.table, data["differences"], seen=data["after"], key=self.key, by=self.user
        )
        return self.answer(OpeningSerializer, entry, 201)


# --- the nights -------------------------------------------------------------------------------------------------------

NIGHT = OpenApiParameter(
    "night", OpenApiTypes.DATE, OpenApiParameter.PATH, description="The day the night began."
)


class NightSerializer(serializers.Serializer[Any]):
    """A night, and the number of its games."""

    night = NightField(source="night_number")
    games = serializers.IntegerField()


class AttendeeSerializer(serializers.Serializer[Any]):
    """A member of a night: their finished games and other movements, which together add up to `left`."""

    member = MemberField()
    name = serializers.CharField(source="member.name")
    games = serializers.IntegerField()
    wins = serializers.IntegerField()
    reentries = serializers.IntegerField()
    net = serializers.IntegerField(help_text="What their games won or lost.")
    expenses = serializers.IntegerField()
    on_the_spot = serializers.IntegerField(help_text="What they got (+) or gave (−) on the table for games.")
    payments = serializers.IntegerField(help_text="What they paid (+) and got (−), and what was forgiven.")
    left = serializers.IntegerField(help_text="By how much the night changed their balance.")
    is_playing = serializers.BooleanField()


@extend_schema_serializer(component_name="NightInFull")
class NightDetailSerializer(MoneyMixin):
    """A night: its games, its players and its pots."""

    night = serializers.DateField()
    games = serializers.ListField(child=serializers.CharField(), help_text="The codes of its games.")
    there = AttendeeSerializer(many=True)
    pots = serializers.IntegerField(help_text="All pots of the night together.")


class NightViewSet(PagedViewSetBase):
    """The nights of a table."""

    serializer_class = NightSerializer
    permission_classes = [CanViewAccounts]
    ordering = ("-night_number",)
    lookup_url_kwarg, lookup_value_converter = "night", "slug"

    @extend_schema(operation_id="nights")
    def list(self, request: Request, code: str) -> Response:
        """List the nights of a table.

        For users who may record, and for members: nights with games, the newest first. A night is named after
        the day it began. It lasts from 6:00 to 6:00 of the next day on the table's clock: a game at 3:00
        belongs to the night of the day before.
        """
        games = self.table.games.filter(discarded_at=None).order_by()
        return self.page(games.values("night_number").annotate(games=Count("pk")), NightSerializer)

    @extend_schema(operation_id="night", parameters=[NIGHT], responses=NightDetailSerializer)
    def retrieve(self, request: Request, code: str, night: str) -> Response:
        """Read a night of a table.

        For users who may record, and for members.
        """
        day = parsing.parse_day(night)
        summary = day and night_summary.summarize(day, self.table, self.people)
        if not summary or not summary.games:
            raise NotFound
        parts = {
            "night": day,
            "games": [game.code for game in summary.games],
            "there": summary.attendees,
            "pots": summary.pots,
        }
        return self.answer(NightDetailSerializer, parts)
