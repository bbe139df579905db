"""The forms of the accounts: payments and expenses, and the texts that go with actions on them."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from datetime import date, datetime
from functools import partial
from typing import Any, NamedTuple

from django import forms
from django.contrib.auth.models import User
from django.core.exceptions import ValidationError
from django.urls import reverse
from django.utils.timezone import now
from django.utils.translation import gettext_lazy as _

from games.common import amounts, days, locks, naming, parsing, request_handling
from games.common.forms import BaseForm, day_field, line_field
from games.common.locks import IdempotencyKeyReused
from games.common.naming import Person
from games.models import NOTE_LENGTH, ExpenseState, Member, Method, Payment, Role, SharedCost, Table
from games.money.presenters import (
    account_display,
    expense_display,
    expense_sentences,
    payment_questions,
    payment_sentences,
)
from games.money.presenters.debt_list import PageReader
from games.money.services import debt_settlement, expenses, night_summary, payments
from games.money.services.expenses import Expense, StaleExpense
from games.money.services.payments import MoreThanOwed, PaymentQuestion
from games.scoring.errors import RuleError
from games.tables.services import roster
from games.tables.services.roster import People

WRONG_DAY = _("Write the day like this: 2024-05-31.")
MOST_FACES = 5  # more payers to choose from are folded into a row
WRONG_METHOD = _("Choose how it was paid.")
CHANGED = _("Not recorded: this expense has changed meanwhile.")
KEY_REUSED = _("This form already recorded another payment. Check the payments.")


def confirmation_value(payer: Member, payee: Member, amount: int) -> str:
    """Return the value that confirms this overpayment. It matches no other payment."""
    return f"{payer.slug} {payee.slug} {amount}"


def member_field(label: Any, wrong: Any) -> forms.CharField:
    """Return a field that picks a member of the table. `wrong` is its error if none is picked."""
    look: dict[str, Any] = {"template_name": "tables/_member_picker_field.html"}
    return forms.CharField(label=label, error_messages={"required": wrong}, **look)


def settle_debt(
    table: Table,
    payer: Member,
    payee: Member,
    data: Mapping[str, str],
    *,
    by: User,
    role: Role,
    at: datetime | None = None,
) -> Payment:
    """Record that the debt that a form (`data`) shows was paid, and return the payment.

    The form names a method only if the user copied the payee's alias. Raise the exceptions of
    `debt_settlement.settle`, but no PaymentQuestion that the form answers with yes.
    """
    record = partial(
        debt_settlement.settle,
        *(table, payer, payee),
        version=request_handling.parse_pk(data.get("version", "")),
        claims=request_handling.parse_pk(data.get("claims", "")),
        by=by,
        role=role,
        at=at,
        method=Method.TRANSFER if data.get("method") == Method.TRANSFER else None,
    )
    try:
        return record()
    except PaymentQuestion as asked:
        if data.get("sure") != confirmation_value(asked.payer, asked.payee, asked.amount):
            raise
        return record(is_sure=True)


class ServiceForm(BaseForm):
    """A form whose service may also refuse a reused key, or an expense that has changed: a 409."""

    is_stale = False

    def refuse(self, refusal: RuleError | IdempotencyKeyReused | StaleExpense) -> None:
        """Show a refusal of the service."""
        if isinstance(refusal, RuleError):
            super().refuse(refusal)
        else:
            self.is_stale = True
            self.add_error(None, CHANGED if isinstance(refusal, StaleExpense) else KEY_REUSED)

    @property
    def status(self) -> int:
        return request_handling.CONFLICT if self.is_stale else super().status


class MovementForm(ServiceForm):
    """The base of the forms for payments and expenses: a payer and an amount.

    The page shows the form open (`is_open`) if it was submitted or prefilled by the URL.
    """

    payer = member_field(_("Who paid"), _("Choose who paid."))
    amount = line_field(
        parsing.LONGEST,
        _("How much"),
        attrs={"class": "big", "data-amount": True},
        template_name="money/_amount_field.html",
    )

    def __init__(
        self, table: Table, people: People, data: Mapping[str, str] | None = None, **kwargs: Any
    ) -> None:
        super().__init__(data, **kwargs)
        self.table, self.people, self.key = table, people, locks.new_form_key()
        self.money = amounts.money_formatter(table)
        self.choosable = [roster.to_person(member) for member in people.current_members]
        self.is_open = self.is_bound or bool(self.initial)
        self.fields["amount"].widget.attrs["inputmode"] = parsing.input_mode(table)

    def clean_payer(self) -> Member | None:
        return self.get_member("payer")

    def get_member(self, field: str) -> Member:
        """Return the chosen member. A merged member resolves to the one they became."""
        member = self.people.by_slug.get(self.cleaned_data[field])
        if member is None:
            raise ValidationError(self.fields[field].error_messages["required"])
        return member

    def clean_amount(self) -> int:
        """Return the amount in the table's smallest coin."""
        text, region = self.cleaned_data["amount"], parsing.form_region(self.data)
        amount = parsing.parse_amount(text, self.table, region)
        if not amount:
            otherwise = str(_("Enter the amount paid, such as %(example)s."))
            raise ValidationError(parsing.amount_error(text, self.table, region, otherwise))
        return amount


class PaymentForm(MovementForm):
    """A payment between two members. An overpayment asks for confirmation before it is recorded."""

    payee = member_field(_("To whom"), _("Choose who was paid."))
    method = forms.TypedChoiceField(
        label=_("How"),
        choices=lambda: [(method, account_display.method_label(method)) for method in Method],
        coerce=Method,
        widget=forms.RadioSelect,
        initial=Method.CASH,
        error_messages={"required": WRONG_METHOD, "invalid_choice": WRONG_METHOD},
    )
    note = line_field(NOTE_LENGTH, _("Note (optional)"))
    day = day_field(_("Date, if not today"), WRONG_DAY, required=False)
    field_order = ("payer", "payee", "amount", "method", "note", "day")
    sure, answer = "", ""  # the value that answers the question with yes, and the label of that key
    sentence = ""  # what the script of the form needs, as JSON

    def __init__(
        self,
        table: Table,
        people: People,
        *args: Mapping[str, str],
        payer: Member | None = None,
        **kwargs: Any,
    ) -> None:
        super().__init__(table, people, *args, **kwargs)
        self.fields["payer"].initial = payer and payer.slug
        night = days.night_for(now(), table)
        self.today = days.format_day(night)
        self.fields["day"].widget.attrs["max"] = night.isoformat()

    def clean_payee(self) -> Member:
        return self.get_member("payee")

    @property
    def payment_data(self) -> Mapping[str, Any]:
        """The keyword arguments for `payments.create`."""
        cleaned = self.cleaned_data
        sure = confirmation_value(cleaned["payer"], cleaned["payee"], cleaned["amount"])
        return {**cleaned, "is_asking": self.data.get("sure") != sure}

    def ask(self, excess: MoreThanOwed, by: User) -> None:
        self.question = payment_questions.question_sentence(excess, self.table)
        self.answer = payment_sentences.answer_label(excess, self.cleaned_data["method"], self.table, by)
        self.sure = confirmation_value(excess.payer, excess.payee, excess.amount)


class ShareRow(NamedTuple):
    """A row of the expense form: a person, whether they are ticked, and what was typed as share and as paid."""

    person: Person
    is_ticked: bool
    share: str
    paid: str


class ExpenseForm(MovementForm):
    """An expense of a night that this reader records or proposes, or the correction of `cost`, whose night stays.

    An empty form has everybody ticked who played that night.
    """

    payer_label = ""  # the chosen payer, for a row in place of many faces
    sharers = forms.Field(required=False)  # the checkboxes and numbers, which `_parse_shares` reads
    forgiven = forms.BooleanField(
        label=_("Forgive together"),
        help_text=_(
            "No money changes hands: the people checked forgive the person chosen above in equal shares. That "
            "person bears none."
        ),
        required=False,
    )
    note = line_field(NOTE_LENGTH, _("What it was for, such as pizza"))
    night = day_field(_("Night"), WRONG_DAY)
    reason = line_field(NOTE_LENGTH, _("Why"))
    error_fields = {"parts": "sharers", expense_display.SPLIT_BY_AMOUNTS: "sharers", "payers": "payer"}

    def __init__(
        self,
        table: Table,
        people: People,
        *args: Mapping[str, str],
        reader: PageReader,
        cost: SharedCost | None = None,
        **kwargs: Any,
    ) -> None:
        super().__init__(table, people, *args, id_suffix="-expense", **kwargs)
        self.cost, self.is_proposal = cost, not reader.is_scorer
        ends = [] if cost is None else [cost.pk]
        self.action = reverse("correct-cost" if ends else "share-cost", args=[table.code, *ends])
        self.way_out = reverse("cost" if ends else "accounts", args=[table.code, *ends])
        self.title = _("Correct an expense") if ends else _("An expense")
        self.sentence = json.dumps(expense_sentences.script_data(reader.member, table))
        values, tonight = self.data or self.initial, days.night_for(now(), table)
        self.has_amounts = values.get("split") == expense_display.SPLIT_BY_AMOUNTS
        self.is_tonight = values.get("night", tonight.isoformat()) == tonight.isoformat()
        members = self._load_shares(values, tonight)
        self.has_several_payers = any(row.paid.strip() for row in self.shares)
        self.is_split = self.has_amounts or any(row.share.strip() for row in self.shares)
        self.fields["payer"].required = not self.has_several_payers
        self.fields["night"].initial = tonight
        self.fields["night"].widget.attrs["max"] = tonight.isoformat()
        self._choose_payer(people.by_slug.get(values.get("payer", "")), reader.member, members)
        if cost is not None:
            del self.fields["night"]
        if self.is_proposal:
            del self.fields["forgiven"]
        is_free = cost is None or cost.state is ExpenseState.WAITS
        if is_free or (reader.user and cost and payments.can_undo_freely(cost, reader.user)):
            del self.fields["reason"]

    def _load_shares(self, values: Mapping[str, str], tonight: date) -> list[Member]:
        """Set the rows of the people to choose from, and return these people.

        They are the members who still play, those who played that night, and those of a given expense.
        """
        prefixes = (expense_display.FOR_PREFIX, expense_display.SHARE_PREFIX, expense_display.PAID_PREFIX)
        night = parsing.parse_day(values.get("night", "")) or tonight
        players = night_summary.players_on(night, self.table, self.people)
        payer = self.people.by_slug.get(values.get("payer", ""))
        members = [
            member
            for member in self.people.current_members
            if member.retired_at is None
            or member in players
            or member == payer
            or any(f"{prefix}{member.slug}" in values for prefix in prefixes)
        ]
        ticked, shares, paid = (
            {self.people.by_slug[slug]: text for slug, text in self._filled(prefix, values).items()}
            for prefix in prefixes
        )
        if not self.is_bound and "amount" not in values:
            ticked = dict.fromkeys(players or members, "yes")
        self.choosable = [roster.to_person(member) for member in members]
        self.shares = [
            ShareRow(person, member in ticked, shares.get(member, ""), paid.get(member, ""))
            for person, member in zip(self.choosable, members, strict=True)
        ]
        return members

    def _choose_payer(
        self, chosen: Member | None, reader: Member | None, members: Collection[Member]
    ) -> None:
        """Preset the reader as the payer. Of many people, fold the faces into a row that names the payer."""
        if not self.is_bound and reader in members:
            self.fields["payer"].initial = reader.slug if reader else ""
            chosen = chosen or reader
        if chosen and len(members) > MOST_FACES:
            text = _("You paid") if chosen == reader else _("{name} paid")
            self.payer_label = str(text).format(name=naming.isolate(chosen.name))

    def clean(self) -> None:
        """Parse the shares, which depend on the payer and the amount."""
        if self.errors:
            return
        try:
            paid = self.cleaned_data["paid"] = self._parse_payers(self.cleaned_data["amount"])
            self.cleaned_data["borne"] = self._parse_shares(paid, self.cleaned_data["amount"])
        except ValidationError as wrong:
            self.add_error("payer" if "paid" not in self.cleaned_data else "sharers", wrong)
        except RuleError as refusal:
            self.refuse(refusal)

    def clean_payer(self) -> Member | None:
        return None if self.has_several_payers else super().clean_payer()

    def _parse_payers(self, amount: int) -> Mapping[Member, int]:
        if not self.has_several_payers:
            return {self.cleaned_data["payer"]: amount}
        return +self._parse_amounts(self._filled(expense_display.PAID_PREFIX, self.data))

    def _filled(self, prefix: str, values: Mapping[str, str]) -> Mapping[str, str]:
        """Return the texts of the filled fields with this prefix by slug, which may be a merged member's."""
        texts = ((slug, values.get(f"{prefix}{slug}", "").strip()) for slug in self.people.by_slug)
        return {slug: text for slug, text in texts if text}

    def _parse_shares(self, paid: Mapping[Member, int], amount: int) -> Mapping[Member, int]:
        """Return each member's share of the amount. Raise ValidationError if ticks and numbers contradict."""
        by_slug, is_forgiven = self.people.by_slug, self.cleaned_data.get("forgiven", False)
        prefixes = (expense_display.FOR_PREFIX, expense_display.SHARE_PREFIX)
        ticked, numbers = (self._filled(prefix, self.data) for prefix in prefixes)
        if self.has_amounts:
            borne = self._parse_amounts(numbers)
            known = {*borne, *(paid if is_forgiven else ())}
            if sum(borne.values()) == amount:  # otherwise it is refused with the difference
                self._refuse_people(
                    [by_slug[slug] for slug in ticked if by_slug[slug] not in known],
                    _("Checked, but without an amount: %(names)s. Enter the amount, or uncheck them."),
                )
            return borne
        if not ticked and not numbers:
            raise ValidationError(_("Choose who it was for."))
        if not {*numbers.values()} <= {str(part) for part in range(expenses.MAX_PARTS + 1)}:
            raise ValidationError(_("Shares are numbers from 0 to {most}.").format(most=expenses.MAX_PARTS))
        sharing = [slug for slug, text in numbers.items() if text != "0"]
        self._refuse_people(
            [by_slug[slug] for slug in sharing if slug not in ticked],
            _("With a share, but not checked: %(names)s. Check them, or clear the share."),
        )
        if is_forgiven and any(by_slug[slug] in paid for slug in sharing):
            raise ValidationError(_("The person who is forgiven bears no share."))
        parts = Counter[Member]()
        for slug in {**ticked, **numbers}:
            parts[by_slug[slug]] += int(numbers.get(slug, "1"))
        return expenses.split_by_parts(amount, paid, parts, self.people, is_forgiven=is_forgiven)

    def _refuse_people(self, members: Sequence[Member], sentence: Any) -> None:
        """Raise ValidationError with this sentence unless there are none of these members."""
        if members:
            names = naming.join_names([member.name for member in members])
            raise ValidationError(sentence % {"names": names})

    def _parse_amounts(self, numbers: Mapping[str, str]) -> Counter[Member]:
        """Return the sums of these typed amounts by member. `numbers` are by slug."""
        sums = Counter[Member]()
        for slug, text in numbers.items():
            sums[self.people.by_slug[slug]] += self._parse_amount(text)
        return sums

    def _parse_amount(self, text: str) -> int:
        region = parsing.form_region(self.data)
        amount = parsing.parse_amount(text, self.table, region)
        if amount is None:
            otherwise = str(_("Each number is an amount, or nothing."))
            raise ValidationError(parsing.amount_error(text, self.table, region, otherwise))
        return amount

    @property
    def expense_data(self) -> tuple[date, Expense]:
        """The night and the expense, as positional arguments for `expenses.create`."""
        cleaned = self.cleaned_data
        return cleaned["night"] if self.cost is None else self.cost.night, Expense(
            paid=cleaned["paid"],
            amount=cleaned["amount"],
            borne=cleaned["borne"],
            note=cleaned["note"],
            is_forgiven=cleaned.get("forgiven", False),
        )


class MovementActionForm(ServiceForm):
    """The texts that go with disputing, changing or voiding a payment, or voiding an expense."""

    objection = line_field(NOTE_LENGTH, _("What is wrong (optional)"))
    note = line_field(NOTE_LENGTH, _("Note"))
    reason = line_field(NOTE_LENGTH, _("Why"))
