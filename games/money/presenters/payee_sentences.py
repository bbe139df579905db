"""The sentences that say why a debt is owed to its creditor (`services/payee_reasons.py`)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.common import days, naming
from games.money.presenters.cause_titles import CauseTitles
from games.money.services.payee_reasons import PayeeReason, ReasonForm, Reasons
from games.tables.services.roster import Ends, People


@dataclass(frozen=True)
class PayeeSentence:
    """The reason of a debt's payee in words, with the URL of the entry's cause, "" if it has no page."""

    text: str
    href: str


Sentences = Mapping[Ends, PayeeSentence]


def build(reasons: Reasons, titles: CauseTitles, reader: str = "") -> Sentences:
    """Return a sentence for each reason, by the slugs of debtor and creditor. `reader` is a slug.

    `titles` must have the rows of the reasons' entries (`causes`).
    """
    sentences = {}
    for ends, reason in reasons.items():
        cause = reason.row.cause
        href = "" if cause is None else titles.url(cause)
        sentences[ends] = PayeeSentence(_sentence(reason, ends, titles, reader), href)
    return sentences


def _sentence(reason: PayeeReason, ends: Ends, titles: CauseTitles, reader: str) -> str:
    match reason.form:
        case ReasonForm.OWN:
            assert reason.row.cause is not None
            title = titles.title(reason.row.cause, ends[0], reader)
            return _("From: %(title)s, %(day)s.") % {"title": title, "day": days.format_day(reason.row.night)}
        case ReasonForm.FEWER:
            text = ngettext(
                "From joining %(people)s accounts: %(count)s payment, not %(plain)s.",
                "From joining %(people)s accounts: %(count)s payments, not %(plain)s.",
                reason.payments,
            )
            counts = {"count": reason.payments, "plain": reason.plain_payments}
            return text % {"people": len(reason.people), **counts}
        case ReasonForm.JOINED:
            names = naming.join_names([_name(slug, titles.people) for slug in reason.people])
            return _("From joining the accounts of %(names)s.") % {"names": names}
    return _chain_sentence(reason, ends, titles.people, reader)


def _chain_sentence(reason: PayeeReason, ends: Ends, people: People, reader: str) -> str:
    debtor, creditor = ends
    slugs = dict(zip(("payer", "one", "two"), (debtor, *reason.between), strict=False)) | {"payee": creditor}
    role = next((role for role, slug in slugs.items() if slug == reader), "")
    text = CHAINS[reason.form][role]()
    sentence = text % {name: _name(slug, people) for name, slug in slugs.items()}
    if reason.is_part:
        is_own = role in ("payer", "payee")
        sentence = _("In part: %(sentence)s") % {
            "sentence": sentence[:1].lower() + sentence[1:] if is_own else sentence
        }
    if reason.payments < reason.plain_payments:
        text = (
            _("That is one payment instead of %(plain)s.")
            if reason.payments == 1
            else _("That is %(count)s payments instead of %(plain)s.")
        )
        sentence += " " + text % {"count": reason.payments, "plain": reason.plain_payments}
    return sentence


# The sentences by form and by the role of the reader, "" for somebody else.
CHAINS = {
    ReasonForm.THROUGH: {
        "": lambda: _("%(payer)s pays %(payee)s because %(payer)s owed %(one)s, who owed %(payee)s."),
        "payer": lambda: _("You pay %(payee)s because you owed %(one)s, who owed %(payee)s."),
        "one": lambda: _("%(payer)s pays %(payee)s because %(payer)s owed you, and you owed %(payee)s."),
        "payee": lambda: _("%(payer)s pays you because %(payer)s owed %(one)s, who owed you."),
    },
    ReasonForm.CHAIN: {
        "": lambda: _(
            "%(payer)s pays %(payee)s because %(payer)s owed %(one)s, who owed %(two)s, who owed %(payee)s."
        ),
        "payer": lambda: _(
            "You pay %(payee)s because you owed %(one)s, who owed %(two)s, who owed %(payee)s."
        ),
        "one": lambda: _(
            "%(payer)s pays %(payee)s because %(payer)s owed you, you owed %(two)s, and they owed %(payee)s."
        ),
        "two": lambda: _(
            "%(payer)s pays %(payee)s because %(payer)s owed %(one)s, who owed you, and you owed %(payee)s."
        ),
        "payee": lambda: _(
            "%(payer)s pays you because %(payer)s owed %(one)s, who owed %(two)s, who owed you."
        ),
    },
}


def _name(slug: str, people: People) -> str:
    return naming.isolate(people.by_slug[slug].name)
