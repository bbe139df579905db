"""Hands drawn as cards, in a round or as examples above a game's rules, and sentences for newcomers."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from games.common import amounts, texts
from games.play.presenters import interpretations, pad
from games.play.presenters.interpretations import InterpretedHand
from games.scoring.card_points import HeldPoints
from games.scoring.cards import JOKER, JOKER_SIGN, parse_card
from games.scoring.options import House, Variant
from games.scoring.rounds import Hand
from games.scoring.rule_types import Rules
from games.scoring.text.notation import parse_hand

SUIT_SIGNS = {"S": "♠", "H": "♥", "D": "♦", "C": "♣"}

# The name of a group of cards, such as "run" or "left over" ("" if it needs none), and the cards.
# A card has its rank as `label`, and either its points as `sub`, or its `suit` and the suit's name.
CardGroup = tuple[str, list[dict[str, str]]]


def build_lesson(
    variant: Variant, house: House, money: Callable[[int], str]
) -> tuple[list[str], list[tuple[list[CardGroup], str]]]:
    """Return the sentences and example hands of a card game's lesson, counted by these house rules.

    Each hand has its cards in groups, and its points in words. Both lists are empty for a game without a
    lesson. `money` formats an amount in the sentences.
    """
    if variant.lesson is None:
        return [], []
    lesson, rules = variant.lesson(house), variant.build(house)
    readings = [interpretations.interpret_hand(rules, parse_hand(hand)) for hand in lesson.hands]
    hands = [
        ([*_card_groups(rules, reading)], amounts.points_label(reading.points or 0)) for reading in readings
    ]
    return [texts.translate(sentence, money) for sentence in lesson.sentences], hands


def hand_groups(rules: Rules, hand: Hand | None) -> list[CardGroup]:
    """Return the cards of a hand in groups; [] if only its points were entered."""
    return [*_card_groups(rules, interpretations.interpret_hand(rules, hand))] if hand and hand.cards else []


def _card_groups(rules: Rules, reading: InterpretedHand) -> Iterator[CardGroup]:
    for meld in reading.melds:
        yield f"{meld.name} {amounts.points(meld.value or 0, signed=True)}", _card_contexts(rules, meld.cards)
    for group in reading.groups:
        yield group.name, _card_contexts(rules, group.cards)
    hand_cards = parse_hand(reading.text).held or ()
    leftover_cards = reading.left if reading.groups else tuple(map(str, hand_cards))
    if leftover_cards:
        name = _("left over") if reading.groups else pgettext("cards", "in hand") if reading.melds else ""
        yield name, _card_contexts(rules, leftover_cards)


def _card_contexts(rules: Rules, cards: Iterable[str]) -> list[dict[str, str]]:
    return [_card_context(rules, text) for text in cards]


def _card_context(rules: Rules, text: str) -> dict[str, str]:
    if text == JOKER:
        value = amounts.points(rules.scoring.values[JOKER]) if isinstance(rules.scoring, HeldPoints) else ""
        return {"label": JOKER_SIGN, "sub": value}
    card = parse_card(text)
    if isinstance(rules.scoring, HeldPoints):
        return {"label": card.rank, "sub": amounts.points(rules.scoring.values[card.rank])}
    names = SUIT_SIGNS | dict(pad.suit_choices(rules))
    return {"label": card.rank, "suit": card.suit, "suit_name": names.get(card.suit, "")}
