"""The payments of a table: all of them, one, and a new one, recorded by who keeps the accounts or said by its payer."""

from __future__ import annotations

from drf_spectacular.utils import OpenApiExample, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from games.api.common.endpoints import Endpoint, answer
from games.api.common.paging import PAGED, page_of
from games.api.common.payments import BY_HAND, payment_said
from games.api.common.problems import Problem
from games.api.common.schema import CODE, refusals
from games.api.common.writing import KEY, key_sent
from games.api.money import payloads
from games.api.money.told import in_full, payment_or_404
from games.models import MOST_MONEY, NOTE_LENGTH, Member, Method
from games.money import payments as services
from games.money.amendments import Words
from games.money.balances import People
from games.notebook.fields import Fields
from games.people.access import WRITERS
from games.scoring.words import Text, _
from games.shown.money.accounts import question_in_words

LONGEST = 100  # letters of an id or a word
WORDS = ("amount", "method", "note", "day")

SENT = OpenApiExample(
    "paid by transfer",
    value={"payer": "beto", "payee": "ana", "amount": 1500, "method": "transfer", "sure": True},
    request_only=True,
)


class Payments(Endpoint):
    """All the payments of a table."""

    @extend_schema(
        operation_id="payments",
        summary="The payments of a table",
        description="For whoever records there, and its members: the newest first, cancelled ones too.",
        parameters=[CODE, *PAGED],
        responses={200: payloads.PaymentsSaid, **refusals("not_found")},
    )
    def get(self, request: Request, code: str) -> Response:
        """A page of them."""
        table = self.accounts_opened(code)
        page = page_of(request, table.payments.select_related("payer", "payee", "game"), "-made_at")
        return answer({"payments": [payment_said(one, table) for one in page.rows], "next": page.next})

    @extend_schema(
        operation_id="pay",
        summary="Record a payment",
        description=(
            "By whoever records it counts at once. A member who only watches says what he paid himself, which counts "
            "once the payee confirms it or somebody who records accepts it: by a token that may record. What may be one too many, or more than is "
            "owed, is refused as “unusual” until it is sent once more, under the same key, with “sure”."
        ),
        parameters=[CODE, KEY],
        request=payloads.PaymentSent,
        responses={201: payloads.PaymentInFull, **refusals("body", "not_found", "key_reused", "unusual")},
        examples=[SENT],
    )
    def post(self, request: Request, code: str) -> Response:
        """The payment that was recorded, now or under the same key before."""
        table = self.accounts_opened(code)
        key, people = key_sent(request), People.of(table)
        sent = self.sent("payer", "payee", *WORDS, "sure")
        payer, payee, words = _member(sent, "payer", people), _member(sent, "payee", people), words_sent(sent)
        is_sure = sent.has("sure") and sent.truth("sure")
        try:
            payment = services.pay(
                table,
                payer,
                payee,
                words.amount,
                method=words.method,
                note=words.note,
                day=words.day,
                key=key,
                by=self.user,
                is_asking=not is_sure,
                is_claimed=self.role not in WRITERS,
            )
        except services.Unusual as unusual:
            asked = question_in_words(unusual, payer, words.amount, table)
            raise Problem("unusual", Text("{sentence}", {"sentence": asked}), field="sure") from None
        return answer(in_full(payment, table), status=201)


class OnePayment(Endpoint):
    """One payment."""

    @extend_schema(
        operation_id="payment",
        summary="A payment, and what became of it",
        parameters=[CODE, payloads.PAYMENT],
        responses={200: payloads.PaymentInFull, **refusals("not_found")},
    )
    def get(self, request: Request, code: str, payment: int) -> Response:
        """The payment with its steps."""
        table = self.accounts_opened(code)
        return answer(in_full(payment_or_404(table, payment), table))


def words_sent(sent: Fields) -> Words:
    """How much was paid, how, what for and when; Problem where one of these is something else."""
    amount, method = sent.whole("amount", least=1, most=MOST_MONEY), sent.text("method", longest=LONGEST)
    if method not in BY_HAND:
        raise Problem("misshapen", _("Say how it was paid."), field="method")
    note = sent.text("note", longest=NOTE_LENGTH) if sent.has("note") else ""
    return Words(amount, Method(method), note, sent.day("day") if sent.has("day") else None)


def _member(sent: Fields, name: str, people: People) -> Member:
    found = people.by_slug.get(sent.text(name, longest=LONGEST))
    if found is None:
        raise Problem("refused", _("Nobody here has this id."), field=name)
    return found
