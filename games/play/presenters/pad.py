"""The pad: the choices of closer and closing, the hands to fill in, and a key for every card of the pack."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import assert_never

from django.utils.translation import gettext as _
from django.utils.translation import ngettext, pgettext

from games.common import amounts, naming, texts
from games.common.event_sentences import PersonsById
from games.scoring.card_points import HeldPoints, LeftoverPoints, MeldPoints, TypedPoints
from games.scoring.cards import JOKER, JOKER_SIGN, PLACES, Deck, parse_card
from games.scoring.rounds import RoundEntry, hand_field
from games.scoring.rule_types import CloserHand, Closing, ClosingKind, Rules
from games.scoring.state import GameState
from games.scoring.text.notation_writer import write_hand

# The width of a name in ems, by the number of hands side by side; seven and eight hands take two rows.
NAME_WIDTHS, MIN_NAME_WIDTH = {2: 10.0, 3: 6.9, 5: 3.9, 6: 3.0}, 5.2


class HandEntryKind(StrEnum):
    """The kind of hand entry: held cards, melds and held cards, leftover cards, or points."""

    HELD = "held"
    MELDS = "melds"
    LEFTOVER = "leftover"
    TYPED = "typed"


@dataclass(frozen=True)
class PadValues:
    """The initial values of the entry form: those of a recorded round, or as they were posted."""

    closer: str = ""
    closing: str = ""
    hands: Mapping[str, str] = field(default_factory=dict)

    @classmethod
    def from_entry(cls, entry: RoundEntry) -> PadValues:
        return cls(
            closer=entry.closer or naming.NOBODY,
            closing=entry.closing,
            hands={player: write_hand(hand) for player, hand in entry.hands},
        )

    @classmethod
    def from_post(cls, post: Mapping[str, str], state: GameState) -> PadValues:
        return cls(
            closer=post.get("closer", ""),
            closing=post.get("closing", ""),
            hands={player.id: post.get(hand_field(player.id), "") for player in state.playing},
        )


def entry_kind(rules: Rules) -> HandEntryKind:
    match rules.scoring:
        case HeldPoints():
            return HandEntryKind.HELD
        case MeldPoints():
            return HandEntryKind.MELDS
        case LeftoverPoints():
            return HandEntryKind.LEFTOVER
        case TypedPoints():
            return HandEntryKind.TYPED
        case _:
            assert_never(rules.scoring)


def closer_question(rules: Rules) -> tuple[str, str]:
    """Return the question above the choice of the closer, and the instruction at the top of the entry page.

    In a game without a closer, the question asks for the player whose points are entered.
    """
    match entry_kind(rules):
        case HandEntryKind.HELD | HandEntryKind.MELDS:
            return _("Who went out?"), _("Tap the player who went out")
        case HandEntryKind.LEFTOVER:
            return _("Who cut?"), _("Tap the player who cut")
        case HandEntryKind.TYPED if rules.asks_closer:
            return _("Who went out?"), _("Tap the player who went out")
        case HandEntryKind.TYPED:
            return _("Whose points?"), _("Everyone's points")
        case _ as kind:
            assert_never(kind)


def typing_help(rules: Rules) -> str:
    """Return an instruction for typing a hand without the on-screen pad."""
    match entry_kind(rules):
        case HandEntryKind.HELD if rules.buy_points:
            return _(
                "Points (23) or cards ([K 7 *], * is a joker), bought cards as +2. Leave it blank for the "
                "player who went out, or 0+2 for bought cards."
            )
        case HandEntryKind.HELD:
            return _(
                "Points, such as 23, or cards, such as [K 7 *], where * is a joker. Leave it blank for the "
                "player who went out."
            )
        case HandEntryKind.MELDS:
            return _(
                "Melds in braces, the hand in brackets, [] if empty: {9 9 9}{10 2 Q * A}[4 A]. Or points, "
                "melds minus hand. The player who went out has only melds."
            )
        case HandEntryKind.LEFTOVER:
            return _(
                "Cards left over as points (23) or cards (12 7 4), or all seven cards with suits, such as 5o "
                "6o 7o 4b 1c 3e 10b. The player who cut too."
            )
        case HandEntryKind.TYPED if rules.asks_closer:
            return _(
                "Each player's points in this round, such as 23 or -5. Leave it blank for the player who "
                "went out, or enter points of their own."
            )
        case HandEntryKind.TYPED:
            return _("Each player's points in this round, such as 23 or -5, or 0 for none.")
        case _ as kind:
            assert_never(kind)


OTHER = "other"  # in the form of an own hand, the closer is another player


def closer_choices(
    state: GameState,
    people: PersonsById,
    values: PadValues,
    *,
    only_player: str = "",
    is_fixed: bool = False,
) -> list[tuple[str, str, bool]]:
    """Return the choices for the closer of the round: the value, the name, and whether it is chosen.

    A game that does not ask for a closer has only “No one”. A form of a player's own hand has only this
    player (`only_player`) and “Not me”. With `is_fixed`, only the chosen one is left.
    """
    choices = _all_closer_choices(state, people, values, only_player)
    return [choice for choice in choices if choice[2]] if is_fixed else choices


def _all_closer_choices(
    state: GameState, people: PersonsById, values: PadValues, only_player: str
) -> list[tuple[str, str, bool]]:
    if not state.rules.asks_closer:
        return [(naming.NOBODY, _("No one"), True)]
    closers = [
        (player.id, naming.isolate(people[player.id].name), values.closer == player.id)
        for player in state.playing
        if only_player in ("", player.id)
    ]
    if only_player:
        return [*closers, (OTHER, _("Not me"), values.closer != only_player)]
    if any(not closing.by_player for closing in state.rules.closings):
        closers.append((naming.NOBODY, _("No one"), values.closer == naming.NOBODY))
    return closers


def closing_choices(
    state: GameState, values: PadValues, *, is_fixed: bool = False
) -> list[dict[str, object]]:
    """Return the ways to close the round, with the `points` that each gives to the closer.

    `closer_hand` tells how the closer's hand is entered. Without a posted or recorded closing, the usual one
    is `checked`. With `is_fixed`, only that one is left.
    """
    rules = state.rules
    is_nobody = values.closer == naming.NOBODY or not rules.asks_closer
    fitting = (candidate.key for candidate in rules.closings if candidate.by_player != is_nobody)
    chosen = values.closing or next(fitting, rules.closings[0].key)
    return [
        {
            "key": closing.key,
            "label": texts.translate(closing.name),
            "short": texts.translate(closing.short),
            "question": texts.translate(closing.key_label or closing.name),
            "by_player": closing.by_player,
            "closer_hand": closing.closer_hand.value,
            "wins_game": closing.wins_game,
            "points": amounts.points(_closer_points(rules, closing, len(state.playing)), signed=True),
            "checked": closing.key == chosen,
        }
        for closing in rules.closings
        if closing.key == chosen or not is_fixed
    ]


def _closer_points(rules: Rules, closing: Closing, players: int) -> int:
    """Return the points that this closing gives to the closer, besides those of the hand."""
    if not isinstance(rules.scoring, LeftoverPoints):
        return closing.bonus_among(players)
    is_all_in_games = closing.by_player and closing.closer_hand is CloserHand.NOTHING
    is_rewarded = is_all_in_games and closing.kind is not ClosingKind.ONE_RUN
    return rules.scoring.nothing_left if is_rewarded else closing.bonus


def hand_inputs(
    state: GameState,
    people: PersonsById,
    values: PadValues,
    errors: Mapping[str, str],
    *,
    only_player: str = "",
    asked: Collection[str] = (),
) -> list[dict[str, object]]:
    """Return a hand to fill in for each player dealt in, with its typed text and any error.

    With `only_player`, return only theirs. With `asked`, the hands of all others are known and stay as they
    are. `short` is the name cut to fit among all hands.
    """
    names = [people[player.id].name for player in state.playing]
    cut = naming.shorten(names, NAME_WIDTHS.get(len(names), MIN_NAME_WIDTH))
    return [
        {
            "person": people[player.id],
            "short": short,
            "field": hand_field(player.id),
            "total": state.rules.displayed_total(player.total),
            "value": values.hands.get(player.id, ""),
            "is_known": bool(asked) and player.id not in asked,
            "error": errors.get(hand_field(player.id), ""),
        }
        for player, short in zip(state.playing, cut, strict=True)
        if only_player in ("", player.id)
    ]


COURT_CARDS = frozenset({"J", "Q", "K", "10", "11", "12"})


@dataclass(frozen=True, kw_only=True)
class PadKey:
    """A key of the pad for one card.

    `text` is the card in the notation, and `value` its points in hand. `sub` is the small text below the
    `label`. `spoken` is the text for screen readers, and `name` the card's name without its points. In Loba
    de Más, `set_value` and `run_value` are the points in a set and in a run, and `place` is the card's place
    in a run; the ace has two keys, for both ends of a run. All three are None for a joker and in other games.
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
        return amounts.css_classes("k", court=self.text in COURT_CARDS and self.name != self.text)


def card_keys(rules: Rules) -> list[PadKey]:
    """Return the keys for a game with these rules, in the order of a run, the joker last.

    Return [] for a game whose points are typed and not counted from cards.
    """
    match rules.scoring:
        case HeldPoints(values):
            return [_hand_key(rank, values[rank], rules.deck) for rank in rules.deck.ranks_with_jokers()]
        case MeldPoints() as scoring:
            return [*_meld_keys(scoring, rules.deck), _joker_key(scoring.in_hand[JOKER], rules.deck)]
        case LeftoverPoints() as scoring:
            return list(_leftover_keys(scoring, rules.deck))
        case TypedPoints():
            return []
        case _:
            assert_never(rules.scoring)


def key_ways(rules: Rules) -> tuple[tuple[str, str], ...]:
    """Return the ways to enter a hand as (name, label), each with its keys; () if there are only digits."""
    points = ("digits", _("Points"))
    match entry_kind(rules):
        case HandEntryKind.HELD:
            return ("cards", _("Cards")), points
        case HandEntryKind.MELDS:
            set_label, run_label = pgettext("cards", "Set"), pgettext("cards", "Run")
            return ("set", set_label), ("run", run_label), ("hand", _("In hand")), points
        case HandEntryKind.LEFTOVER:
            return ("left", _("Left over")), ("seven", _("All 7 cards")), points
        case HandEntryKind.TYPED:
            return ()
        case _ as kind:
            assert_never(kind)


def suit_choices(rules: Rules) -> tuple[tuple[str, str], ...]:
    """Return the suits of the pack as (letter, name), for a game whose hands can be entered as a whole.

    Such a game, for example Chinchón, needs the suits to find melds. Other games have ().
    """
    if not isinstance(rules.scoring, LeftoverPoints):
        return ()
    names = {"o": _("coins"), "c": _("cups"), "e": _("swords"), "b": _("clubs")}
    return tuple((letter, names[letter]) for letter in rules.deck.suits)


def _rank_key(text: str, name: str, value: int, copies: int) -> PadKey:
    sub = amounts.points(value)
    spoken = ngettext("%(card)s, %(points)s point", "%(card)s, %(points)s points", abs(value)) % {
        "card": name,
        "points": sub,
    }
    return PadKey(text=text, label=text, sub=sub, name=name, spoken=spoken, value=value, copies=copies)


def _hand_key(rank: str, value: int, deck: Deck) -> PadKey:
    if rank == JOKER:
        return _joker_key(value, deck)
    return _rank_key(rank, _french_name(rank), value, deck.copies_of(rank))


def _joker_key(value: int, deck: Deck) -> PadKey:
    return replace(_rank_key(JOKER, _("joker"), value, deck.copies_of(JOKER)), label=JOKER_SIGN)


def _meld_keys(scoring: MeldPoints, deck: Deck) -> Iterator[PadKey]:
    """Yield the keys for Loba de Más: one for each place in a run, from the low ace to the high ace."""
    for place, rank in enumerate(PLACES):
        hand_value, run_value = scoring.in_hand[rank], scoring.in_run[place]
        params = {
            "card": _french_name(rank) if place else _("ace low"),
            "laid": amounts.points(run_value),
            "held": amounts.points(hand_value),
        }
        yield replace(
            _rank_key(rank, _french_name(rank), hand_value, deck.copies_of(rank)),
            spoken=_("%(card)s: %(laid)s laid down, %(held)s in hand") % params,
            place=place,
            set_value=scoring.in_set[rank],
            run_value=run_value,
        )


def _leftover_keys(scoring: LeftoverPoints, deck: Deck) -> Iterator[PadKey]:
    """Yield the keys for a game that counts leftover cards, such as Chinchón.

    Each rank of the Spanish pack has a key. The ace of coins has its own if it is wild, and so do the jokers
    if the pack has any.
    """
    wild_aces = {parse_card(card).rank: card for card in scoring.wild_cards if card != JOKER}
    for rank in deck.ranks:
        wild = wild_aces.get(rank)
        copies = deck.copies_of(rank) - (deck.copies if wild else 0)
        yield _rank_key(rank, _spanish_name(rank), scoring.values[rank], copies)
        if wild:
            yield _rank_key(wild, _("ace of coins"), scoring.wild_value, deck.copies)
    if deck.jokers:
        yield _joker_key(scoring.wild_value, deck)


def _french_name(rank: str) -> str:
    return {"A": _("ace"), "J": pgettext("French pack", "jack"), "Q": _("queen"), "K": _("king")}.get(
        rank, rank
    )


def _spanish_name(rank: str) -> str:
    return {"1": _("ace"), "10": pgettext("Spanish pack", "jack"), "11": _("knight"), "12": _("king")}.get(
        rank, rank
    )
