"""The lesson above a game's rules: sentences for newcomers, and example hands with their points."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from games.common.amounts import points, points_in_words
from games.common.words import translate
from games.play.pages.keys import suits_of
from games.play.pages.readings import Reading, reading_alone
from games.scoring.card_points import HeldPoints, LeftoverPoints, Placing
from games.scoring.cards import JOKER, read_card
from games.scoring.counting.leftover import solver_of
from games.scoring.kinds import Rules
from games.scoring.options import House, Variant
from games.scoring.solvers.placing import place_all
from games.scoring.text.notation import read_hand

SIGNS = {"S": "♠", "H": "♥", "D": "♦", "C": "♣"}


@dataclass(frozen=True)
class DrawnCard:
    """A card drawn on the page: its rank (`label`), and either its points (`sub`) or its suit."""

    label: str
    sub: str = ""
    suit: str = ""
    suit_name: str = ""


# Cards that lie together, and before them their name, such as "run" or "left over"; "" if they need none.
Group = tuple[str, list[DrawnCard]]


@dataclass(frozen=True)
class DrawnHand:
    """An example hand: its cards in groups, its points in words (`sum`), and a note above it."""

    groups: tuple[Group, ...]
    sum: str
    note: str = ""


def lesson_of(
    variant: Variant, house: House, money: Callable[[int], str]
) -> tuple[list[str], list[DrawnHand]]:
    """Return the sentences and example hands of a card game's lesson, counted by these house rules.

    Both are empty for a game without a lesson. `money` formats an amount in the sentences.
    """
    if variant.lesson is None:
        return [], []
    lesson, rules = variant.lesson(house), variant.build(house)
    readings = [reading_alone(rules, read_hand(hand)) for hand in lesson.hands]
    drawn = [DrawnHand(tuple(_groups(rules, one)), points_in_words(one.points or 0)) for one in readings]
    return [translate(sentence, money) for sentence in lesson.sentences], [*drawn, *_placed(rules, readings)]


def _placed(rules: Rules, readings: Sequence[Reading]) -> Iterator[DrawnHand]:
    """Yield an example of placing cards on another player's meld, if the game allows that.

    The example is the last hand of the lesson again. Those of its cards that fit are placed on the last meld
    of the lesson's first hand, which stands for another player's.
    """
    if not isinstance(rules.scoring, LeftoverPoints) or rules.scoring.placing is Placing.OFF:
        return
    shown, own = readings[0].groups[-1], read_hand(readings[-1].text).cards
    placed = place_all(solver_of(rules), {"other": tuple(map(read_card, shown.cards)), "own": own})["own"]
    others = (
        (_("another player's run"), _cards(rules, map(str, one.group.cards))) for one in placed.additions
    )
    own_melds = ((group.name, _cards(rules, group.cards)) for group in readings[-1].groups)
    left = (_("left over"), _cards(rules, map(str, placed.left)))
    yield DrawnHand(
        (*own_melds, *others, left), points_in_words(placed.points), _("The same hand with a card placed:")
    )


def _groups(rules: Rules, reading: Reading) -> Iterator[Group]:
    for meld in reading.melds:
        yield f"{meld.name} {points(meld.value or 0, signed=True)}", _cards(rules, meld.cards)
    for group in reading.groups:
        yield group.name, _cards(rules, group.cards)
    held = read_hand(reading.text).held or ()
    left = reading.left if reading.groups else tuple(map(str, held))
    if left:
        name = _("left over") if reading.groups else pgettext("cards", "in hand") if reading.melds else ""
        yield name, _cards(rules, left)


def _cards(rules: Rules, cards: Iterable[str]) -> list[DrawnCard]:
    return [_card(rules, text) for text in cards]


def _card(rules: Rules, text: str) -> DrawnCard:
    if text == JOKER:
        value = points(rules.scoring.values[JOKER]) if isinstance(rules.scoring, HeldPoints) else ""
        return DrawnCard("★", value)
    card = read_card(text)
    if isinstance(rules.scoring, HeldPoints):
        return DrawnCard(card.rank, points(rules.scoring.values[card.rank]))
    names = SIGNS | dict(suits_of(rules))
    return DrawnCard(card.rank, suit=card.suit, suit_name=names.get(card.suit, ""))
