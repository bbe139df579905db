"""Hands drawn as cards: those of a round, and the examples above a game's rules, with sentences for newcomers."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from games.common import amounts, texts
from games.play.pad import suits_of
from games.play.readings import Reading, reading_alone
from games.scoring.card_points import HeldPoints
from games.scoring.cards import JOKER, parse_card
from games.scoring.options import House, Variant
from games.scoring.rounds import Hand
from games.scoring.rule_types import Rules
from games.scoring.text.notation import parse_hand

SIGNS = {"S": "♠", "H": "♥", "D": "♦", "C": "♣"}

# Cards that lie together, and before them their name, such as "run" or "left over"; "" if they need none.
# A card has its rank as `label`, and either its points as `sub`, or its `suit` and the suit's name.
Group = tuple[str, list[dict[str, str]]]


def lesson_of(
    variant: Variant, house: House, money: Callable[[int], str]
) -> tuple[list[str], list[tuple[list[Group], str]]]:
    """Return the sentences and example hands of a card game's lesson, counted by these house rules.

    A hand has its cards in groups, and its points in words. Both lists are empty for a game without a lesson.
    `money` formats an amount in the sentences.
    """
    if variant.lesson is None:
        return [], []
    lesson, rules = variant.lesson(house), variant.build(house)
    readings = [reading_alone(rules, parse_hand(hand)) for hand in lesson.hands]
    hands = [([*_groups(rules, reading)], amounts.points_label(reading.points or 0)) for reading in readings]
    return [texts.translate(sentence, money) for sentence in lesson.sentences], hands


def drawn(rules: Rules, hand: Hand | None) -> list[Group]:
    """Return the cards of a hand in groups; [] if its points alone were entered."""
    return [*_groups(rules, reading_alone(rules, hand))] if hand and hand.cards else []


def _groups(rules: Rules, reading: Reading) -> Iterator[Group]:
    for meld in reading.melds:
        yield f"{meld.name} {amounts.points(meld.value or 0, signed=True)}", _cards(rules, meld.cards)
    for group in reading.groups:
        yield group.name, _cards(rules, group.cards)
    hand_cards = parse_hand(reading.text).held or ()
    leftover_cards = reading.left if reading.groups else tuple(map(str, hand_cards))
    if leftover_cards:
        name = _("left over") if reading.groups else pgettext("cards", "in hand") if reading.melds else ""
        yield name, _cards(rules, leftover_cards)


def _cards(rules: Rules, cards: Iterable[str]) -> list[dict[str, str]]:
    return [_card(rules, text) for text in cards]


def _card(rules: Rules, text: str) -> dict[str, str]:
    if text == JOKER:
        value = amounts.points(rules.scoring.values[JOKER]) if isinstance(rules.scoring, HeldPoints) else ""
        return {"label": "★", "sub": value}
    card = parse_card(text)
    if isinstance(rules.scoring, HeldPoints):
        return {"label": card.rank, "sub": amounts.points(rules.scoring.values[card.rank])}
    names = SIGNS | dict(suits_of(rules))
    return {"label": card.rank, "suit": card.suit, "suit_name": names.get(card.suit, "")}
