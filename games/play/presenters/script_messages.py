"""The sentences that scripts show: a page gives them to its scripts in `data-words`.

A name in braces is filled in by the script. A sentence with a count has one text for each plural form of
Spanish and English, as `Intl.PluralRules` names them (`counted` in `scripts/base/dom.js`).
"""

from __future__ import annotations

from collections.abc import Callable

from django.utils.translation import gettext as _
from django.utils.translation import ngettext, pgettext

from games.play.presenters import pad
from games.play.presenters.pad import HandEntryKind
from games.scoring.rule_types import FirstTo, Rules

PLURAL_FORMS = {"one": 1, "other": 0}  # each with a number that takes it


def _plural_forms(name: str, sentence: Callable[[int], str]) -> dict[str, str]:
    return {f"{name}_{form}": sentence(count) for form, count in PLURAL_FORMS.items()}


def page_messages(*, is_alone: bool) -> dict[str, str]:
    """Return the sentences about failed requests and about queued entries."""
    network_messages = {} if is_alone else _network_messages()
    return {**_failure_messages(is_alone=is_alone), **network_messages, **_outbox_messages()}


def _failure_messages(*, is_alone: bool) -> dict[str, str]:
    if is_alone:
        connection_messages = {
            "open": _("This could not be opened: try again."),
            "record": _("Not recorded: try again."),
            "ask": _("The changes can't be shown: try again."),
            "full": _("This phone's storage is full. Nothing was recorded: free some space and try again."),
            "slow": _("Opening it on this phone…"),
        }
    else:
        connection_messages = {
            "open": _("No connection: this could not be opened."),
            "record": _("Not recorded: no connection."),
            "ask": _("No connection: the changes can't be shown."),
        }
    return {
        **connection_messages,
        "unheard": _("No reply: it may not have been saved. Check before retrying."),
        "broken": _("An error on our side. Nothing was recorded: try again."),
        "shut": _("An error on our side: this could not be opened."),
        "kept": _("No connection: kept on this phone and sent automatically."),
        "later": _("The site is busy: kept on this phone and sent automatically."),
    }


def _network_messages() -> dict[str, str]:
    return {
        "network": _("This network asks for something first."),
        "held": _("This network asks for something first: kept on this phone and sent automatically."),
    }


def _outbox_messages() -> dict[str, str]:
    return {
        **_plural_forms(
            "many", lambda count: ngettext("{count} unsent entry", "{count} unsent entries", count)
        ),
        **_plural_forms(
            "others",
            lambda count: ngettext(
                "{count} unsent entry by someone else",
                "{count} unsent entries by someone else",
                count,
            ),
        ),
        **_plural_forms(
            "away",
            lambda count: ngettext(
                "{count} unsent entry: sign in as {name} to send it",
                "{count} unsent entries: sign in as {name} to send them",
                count,
            ),
        ),
        "safe": _("Nothing is lost: it is sent automatically."),
        "signin": _("Sign in"),
        "account": _("Your account"),
        "drop": pgettext("entry", "Delete it"),
        **_plural_forms(
            "sure",
            lambda count: ngettext(
                "Tap again: {count} unsent entry will be lost",
                "Tap again: {count} unsent entries will be lost",
                count,
            ),
        ),
        "seen": _("No connection · copy: {time}"),
        "fix": pgettext("to open", "Open"),
        "again": _("Send again"),
        "yes": pgettext("answer", "Record it"),
        "refused": _("An entry from this phone was not recorded: check it"),
        "unkept": _("This phone's storage is full: leave this page open until the entry is recorded."),
    }


def queue_messages(*, has_target: bool, is_bar: bool) -> dict[str, str]:
    """Return the sentences about a game's queued entries, for the bar above its sheet or for its pad."""
    messages = {
        "refused": _("Not recorded: check it"),
        "here": _("On this phone"),
        "record": _("Round {number}"),
        "question": _("Is {name} coming back?"),
        "later": _("calculated once you're online"),
        "out": _("out"),
        "bust": _("bust"),
        **_margin_messages(has_target=has_target),
    }
    if is_bar:
        return messages | {
            "round": _("round {number}"),
            "ended": pgettext("the game", "over"),
            **_plural_forms("unsent", lambda count: ngettext("{count} not sent", "{count} not sent", count)),
        }
    return messages | {
        "reenters": _("comes back"),
        "stays": _("stays out"),
        "goon": _("Continue"),
        "ends": _("The game may be over: the site says who won once you're online."),
        "unsure": _(
            "You'll see who plays on once you're online. To know now, undo the round and type its points."
        ),
    }


def _margin_messages(*, has_target: bool) -> dict[str, str]:
    if has_target:
        return _plural_forms("margin", lambda count: ngettext("{points} to go", "{points} to go", count))
    return _plural_forms(
        "margin", lambda count: ngettext("{points} to\u00a0bust", "{points} to\u00a0bust", count)
    )


def pad_messages(rules: Rules, *, is_own: bool, takes_offers: bool) -> dict[str, str]:
    """Return the sentences of the pad of this game; with `is_own`, those of a player's own hand."""
    kind = pad.entry_kind(rules)
    messages = {
        "closer": pad.closer_question(rules)[1],
        "bust": _("goes bust"),
        "has": _("{total} left") if rules.counts_down else _("{total} so far"),
        "missing": pgettext("a hand", "missing"),
        "need": _("{name}'s points are missing")
        if kind is HandEntryKind.TYPED
        else _("{name}'s hand is missing"),
        "typed": _("Points added up at the table"),
        "take": _("Remove: {card}"),
        "next": _("Next: {name}"),
        **_margin_messages(has_target=isinstance(rules.ending, FirstTo)),
        "previous": _("Back to {name}"),
        "later": _("calculated once you're online"),
        **_kind_messages(kind, rules),
    }
    if takes_offers:
        messages |= {
            "sent": pgettext("a hand", "sent"),
            "phone": pgettext("by phone", "sent"),
            "changed": _("{name} sent another hand:"),
            "closed": _("{name} says they ended the round."),
            "use": _("Use {hand}"),
        }
    return messages | (_offer_messages(kind, rules) if is_own else {})


def _kind_messages(kind: HandEntryKind, rules: Rules) -> dict[str, str]:
    went_out = {"back": _("Who went out"), "need_closer": _("First choose who went out")}
    match kind:
        case HandEntryKind.HELD:
            bought = {"bought": _("The cards {name} bought")} if rules.buy_points else {}
            return {**_card_messages(), **went_out, "nothing": _("Nothing left in hand"), **bought}
        case HandEntryKind.LEFTOVER:
            return {**_card_messages(), **_leftover_messages()}
        case HandEntryKind.MELDS:
            return {**went_out, **_meld_messages()}
        case HandEntryKind.TYPED:
            return {"hand": _("{name}'s points"), **(went_out if rules.asks_closer else {})}


def _card_messages() -> dict[str, str]:
    return {
        "hand": _("What {name} has left"),
        "cards": _("Tap the cards"),
        "count": _("{count} of {dealt} cards"),
        **_plural_forms(
            "left", lambda count: ngettext("{card}: {count} left", "{card}: {count} left", count)
        ),
        "none_left": _("{card}: none left"),
    }


def _leftover_messages() -> dict[str, str]:
    return {
        "seven": _("All seven of {name}'s cards"),
        "rest": _("How many points did {name} cut with?"),
        "cut": _("Points left over at the cut"),
        "up_to": _("up to {points}"),
        "nothing": _("Nothing left over"),
        "back": _("Who cut"),
        "need_closer": _("First choose who cut"),
        **_plural_forms(
            "lacks", lambda count: ngettext("{count} card is missing", "{count} cards are missing", count)
        ),
        "full": _("All {dealt} cards are entered"),
        "left_over": _("left over"),
        "of": _("{rank} of {suit}"),
    }


def _meld_messages() -> dict[str, str]:
    return {
        "hand": _("{name}'s melds and hand"),
        "melds": _("{name}'s melds"),
        "set": _("One tap lays three; another adds one"),
        "more": _("The same card again adds one"),
        "run": _("Tap the first card, then the last"),
        "last": _("Now tap the last card of the run"),
        "wild": _("Tap a card of the run that is a wild card"),
        "held": _("Tap the cards left in hand"),
        "few": _("Not enough {card} left in the packs"),
        "largest": _("A set has at most {cards} cards"),
        "no_run": _("A run has three to thirteen cards"),
        "low": _("low {points}"),
        "high": _("high {points}"),
        "name_set": pgettext("cards", "set"),
        "name_run": pgettext("cards", "run"),
        "in_hand": pgettext("cards", "in hand"),
        "typed": _("Melds minus hand, without the bonus"),
        "stands": _("{wild} for {card}"),
        "turn": _("{card}: turn into a wild or back"),
    }


def _offer_messages(kind: HandEntryKind, rules: Rules) -> dict[str, str]:
    """Return the sentences that differ where a player enters their own hand."""
    hand = {
        HandEntryKind.HELD: {"hand": _("What you have left, {name}")},
        HandEntryKind.LEFTOVER: {
            "hand": _("What you have left, {name}"),
            "seven": _("Your seven cards, {name}"),
            "rest": _("How many points did you cut with, {name}?"),
            "cut": _("Points you had left over at the cut"),
        },
        HandEntryKind.MELDS: {"hand": _("Your melds and hand, {name}"), "melds": _("Your melds, {name}")},
        HandEntryKind.TYPED: {"hand": _("Your points, {name}")},
    }
    return {
        "has": _("you have {total} left") if rules.counts_down else _("you have {total} so far"),
        "need": _("Your hand is missing"),
        "own": _("I cut") if kind is HandEntryKind.LEFTOVER else _("I went out"),
        **hand[kind],
    }
