"""The keys of the on-screen pad: every card of the pack, with its value in this game."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import assert_never

from django.utils.translation import gettext as _

from games.common.amounts import class_names, points
from games.scoring.card_points import HeldPoints, LeftoverPoints, MeldPoints, TypedPoints
from games.scoring.cards import JOKER, PLACES, Deck, read_card
from games.scoring.kinds import Rules

COURT = frozenset({"J", "Q", "K", "10", "11", "12"})


@dataclass(frozen=True, kw_only=True)
class Key:
    """A key of the pad for one card.

    `text` is the card in the notation, and `value` its points in hand. `sub` is the small text below the
    `label`. `spoken` is the text for screen readers, `name` the card's name without its points. In Loba de
    Más, `set_value` and `run_value` are the points in a set and in a run, and `place` is the card's place in
    a run. The ace has two keys there, for both ends of a run. All three are None for a joker and in other
    games.
    """

    text: str
    label: str
    sub: str
    name: str
    spoken: str
    value: int
    copies: int
    place: int | None = None
    set_value: int | None = None
    run_value: int | None = None

    @property
    def marks(self) -> str:
        """The CSS classes of the key, with “court” for court cards: the 10 is one only in a Spanish pack."""
        return class_names("k", court=self.text in COURT and self.name != self.text)


def keys_of(rules: Rules) -> list[Key]:
    """Return the keys for a game with these rules, in the order of a run, the joker last.

    Return [] for a game in which points are typed and not counted from cards.
    """
    match rules.scoring:
        case HeldPoints(values):
            return [_held(rank, values[rank], rules.deck) for rank in rules.deck.ranks_with_jokers()]
        case MeldPoints() as scoring:
            return [*_melded(scoring, rules.deck), _joker(scoring.in_hand[JOKER], rules.deck)]
        case LeftoverPoints() as scoring:
            return list(_left(scoring, rules.deck))
        case TypedPoints():
            return []
        case _:
            assert_never(rules.scoring)


def suits_of(rules: Rules) -> tuple[tuple[str, str], ...]:
    """Return the suits of the pack as (letter, name), for a game in which whole hands can be entered.

    Such a game, for example Chinchón, needs the suits to find melds. Return an empty tuple for other games.
    """
    if not isinstance(rules.scoring, LeftoverPoints):
        return ()
    names = {"o": _("coins"), "c": _("cups"), "e": _("swords"), "b": _("clubs")}
    return tuple((letter, names[letter]) for letter in rules.deck.suits)


def _key(text: str, name: str, value: int, copies: int) -> Key:
    """Return the key of a card that counts by its rank alone."""
    sub = points(value)
    spoken = _("%(card)s, %(points)s points") % {"card": name, "points": sub}
    return Key(text=text, label=text, sub=sub, name=name, spoken=spoken, value=value, copies=copies)


def _held(rank: str, value: int, deck: Deck) -> Key:
    if rank == JOKER:
        return _joker(value, deck)
    return _key(rank, _french_name(rank), value, deck.copies_of(rank))


def _joker(value: int, deck: Deck) -> Key:
    key = _key(JOKER, _("joker"), value, deck.copies_of(JOKER))
    return replace(key, label="★", sub=f"{key.name} {key.sub}")


def _melded(scoring: MeldPoints, deck: Deck) -> Iterator[Key]:
    """Yield the keys for Loba de Más: one for each place in a run, from the low ace to the high ace."""
    for place, rank in enumerate(PLACES):
        held, laid = scoring.in_hand[rank], scoring.in_run[place]
        words = {
            "card": _french_name(rank) if place else _("ace low"),
            "laid": points(laid),
            "held": points(held),
        }
        yield replace(
            _key(rank, _french_name(rank), held, deck.copies_of(rank)),
            spoken=_("%(card)s: %(laid)s laid down, %(held)s in hand") % words,
            place=place,
            set_value=scoring.in_set[rank],
            run_value=laid,
        )


def _left(scoring: LeftoverPoints, deck: Deck) -> Iterator[Key]:
    """Yield the keys for a game that counts leftover cards, such as Chinchón.

    There is one for each rank of the Spanish pack, one for the ace of coins if it is wild, and one for jokers
    if the pack has any.
    """
    wild_aces = {read_card(card).rank: card for card in scoring.wild_cards if card != JOKER}
    for rank in deck.ranks:
        wild = wild_aces.get(rank)
        copies = deck.copies_of(rank) - (deck.copies if wild else 0)
        yield _key(rank, _spanish_name(rank), scoring.values[rank], copies)
        if wild:
            yield _key(wild, _("ace of coins"), scoring.wild_value, deck.copies)
    if deck.jokers:
        yield _joker(scoring.wild_value, deck)


def _french_name(rank: str) -> str:
    return {"A": _("ace"), "J": _("jack"), "Q": _("queen"), "K": _("king")}.get(rank, rank)


def _spanish_name(rank: str) -> str:
    return {"1": _("ace"), "10": _("sota"), "11": _("knight"), "12": _("king")}.get(rank, rank)
