"""The shares of an expense in its form: equal parts, parts, or amounts.

Each member has a box, and a field whose number is a part, or an amount if `split` says so. A member with a
tick and no number has one part.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from games.common.names import Person
from games.common.typed import NO_CENTS, has_cents_too_many, read_amount, region_typed_in, typed_amount
from games.models import Member, Table
from games.money.costs import MOST_PARTS, CostWords, borne_by_parts
from games.scoring.errors import RuleError
from games.scoring.words import _
from games.tables.people import People, person_of

FOR, SHARE = "for-", "share-"  # the beginnings of a member's box and number, such as “for-ana”
AMOUNTS = "amounts"  # the value of `split` with which the numbers are amounts


def read_borne(
    sent: Mapping[str, str], payer: Member, amount: int, table: Table, people: People
) -> Mapping[Member, int]:
    """Return what each member bears by the form data. Raise RuleError at the field that is wrong."""
    texts = {slug: sent.get(f"{SHARE}{slug}", "").strip() for slug in people.by_slug}
    numbers = {people.by_slug[slug]: text for slug, text in texts.items() if text}
    if sent.get("split") == AMOUNTS:
        return {member: _read_amount(text, sent, table) for member, text in numbers.items()}
    ticked = [member for slug, member in people.by_slug.items() if f"{FOR}{slug}" in sent]
    if not ticked and not numbers:
        raise RuleError(_("Choose for whom it was paid."), field="sharers")
    if not {*numbers.values()} <= {str(part) for part in range(MOST_PARTS + 1)}:
        raise RuleError(_("Parts are numbers from 0 to {most}.", most=MOST_PARTS), field="parts")
    parts = dict.fromkeys(ticked, 1) | {member: int(text) for member, text in numbers.items()}
    return borne_by_parts(amount, payer, parts, people, is_forgiven="forgiven" in sent)


def _read_amount(text: str, sent: Mapping[str, str], table: Table) -> int:
    region = region_typed_in(sent)
    amount = read_amount(text, table, region)
    if amount is None:
        wrong = _("Each number is an amount, or nothing.")
        raise RuleError(NO_CENTS if has_cents_too_many(text, table, region) else wrong, field=AMOUNTS)
    return amount


def shares_shown(sent: Mapping[str, str], members: Collection[Member]) -> list[tuple[Person, bool, str]]:
    """Return each member with whether their box is ticked, and the number typed for them."""
    return [
        (person_of(one), f"{FOR}{one.slug}" in sent, sent.get(f"{SHARE}{one.slug}", "")) for one in members
    ]


def shares_typed(words: CostWords, table: Table) -> dict[str, Any]:
    """Return the texts with which the form is filled in for this expense, by field name."""
    ticked = {f"{FOR}{member.slug}": "yes" for member in words.borne}
    if words.is_equal:
        return ticked
    amounts = {f"{SHARE}{member.slug}": typed_amount(part, table) for member, part in words.borne.items()}
    return {**ticked, "split": AMOUNTS, **amounts}
