"""Faults that make a custom game unplayable, each a sentence that says what to write instead."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping

from .card_points import WILDS, HeldPoints, LeftoverPoints, MeldPoints, TypedPoints
from .cards import FRENCH_RANKS, FRENCH_SUITS, JOKER, PLACES, Deck, is_card
from .errors import RuleError
from .i18n import Text
from .options import Variant
from .rule_types import Closing, LastIn, Rules
from .solvers.contracts import CONTRACTS
from .variants.chinchon import FULL_RANKS, SPANISH_SUITS

_KEY = re.compile("[a-z][a-z0-9_]*")
_NO_OPTIONS = ("dealer", "direction")  # written on the same line as the options


def variant_faults(variant: Variant) -> Iterator[str]:
    """Yield the faults of the game's keys, texts and rules.

    The rules are those of the defaults, and of each word of an option with the other defaults.
    """
    yield from _key_faults([variant.key])
    yield from _key_faults((option.key for option in variant.options), reserved=_NO_OPTIONS)
    yield from _text_faults(variant.name, variant.summary, variant.gist)
    for option in variant.options:
        yield from _text_faults(option.label, *option.allowed.words.values())
    for rules in _possible_rules(variant):
        yield from _player_faults(variant, rules)
        yield from _pack_faults(rules.deck)
        yield from _scoring_faults(rules)
        yield from _closing_faults(rules.closings)
        yield from _consistency_faults(rules)


def _possible_rules(variant: Variant) -> Iterator[Rules]:
    yield variant.build(variant.house())
    for option in variant.options:
        for word in option.allowed.words:
            try:
                rules = variant.build(variant.house({option.key: word}))
            except RuleError:  # a word that does not go with the other defaults
                continue
            yield rules


def _key_faults(keys: Iterable[str], *, reserved: Iterable[str] = ()) -> Iterator[str]:
    seen = {*reserved}
    for key in keys:
        if not _KEY.fullmatch(key):
            yield f"“{key}” is no key: write a-z, 0-9 and _, beginning with a letter"
        if key in seen:
            yield f"the key {key} is taken: write another"
        seen.add(key)


def _text_faults(*texts: Text | None, **given: str) -> Iterator[str]:
    for text in texts:
        try:
            str(text and text.filled(**given))
        except (AttributeError, LookupError, ValueError):
            yield f"“{text and text.template}” cannot be filled: write no braces but {{name}} in a Closing's sentence"


def _player_faults(variant: Variant, rules: Rules) -> Iterator[str]:
    least, most = variant.min_players, rules.max_players or variant.max_players
    if not 1 <= least <= most:
        yield f"{least} to {most} players cannot play: write min_players=1 or more, up to max_players"
    if isinstance(rules.scoring, HeldPoints | LeftoverPoints) and rules.scoring.difference is not None:
        if least < 2:
            yield "a difference is between players: write min_players=2 or more"
        if rules.lowest_wins:
            yield "a difference is points for the winner of a round: write lowest_wins=False"
    dealt = max(map(rules.cards_dealt_for, rules.contracts or ("",)))
    cards = sum(map(rules.deck.copies_of, rules.deck.ranks_with_jokers()))
    if most * dealt > cards:
        yield (
            f"{most} players with {dealt} cards each need more than the {cards} of the pack: "
            f"write fewer in max_players or cards_dealt, or a larger pack"
        )


def _pack_faults(deck: Deck) -> Iterator[str]:
    cards = (f"{rank}{suit}" for rank in deck.ranks for suit in deck.suits)
    unwritten = next((card for card in cards if not is_card(card)), None)
    if unwritten is not None:
        yield (
            f"no hand can name the card {unwritten}: write ranks of {' '.join(FRENCH_RANKS)} with the suits "
            f"{FRENCH_SUITS}, or of {' '.join(FULL_RANKS)} with {SPANISH_SUITS}"
        )


def _leftover_faults(scoring: LeftoverPoints, deck: Deck) -> Iterator[str]:
    if scoring.difference is not None and scoring.nothing_left:
        yield "a difference leaves no points to a player with nothing left over: write nothing_left=0"
    cards = {f"{rank}{suit}" for rank in deck.ranks for suit in deck.suits}
    if strange := sorted(scoring.wild_cards - cards - {JOKER}):
        yield f"the pack has no {' '.join(strange)}: write cards of it in wild_cards"
    if (JOKER in scoring.wild_cards) != (deck.jokers > 0):
        yield "each joker of the pack is wild: write * in wild_cards, or a Deck with jokers=0"
    values = (*scoring.values.values(), *(scoring.wild_value for _wild in scoring.wild_cards))
    if min(values, default=1) < 1:
        yield "each card left over counts one point or more: write so in values and wild_value"


def _scoring_faults(rules: Rules) -> Iterator[str]:
    needed: Mapping[str, Mapping[str, int]]
    match rules.scoring:
        case TypedPoints():
            return
        case HeldPoints(values):
            needed = {"values": values}
        case LeftoverPoints(values=values, wild_cards=wilds):
            needed = {"values": {**values, **dict.fromkeys(wilds, 0)}}
            yield from _leftover_faults(rules.scoring, rules.deck)
        case MeldPoints(in_hand=in_hand, in_set=in_set, in_run=in_run, as_wild=as_wild):
            needed = {"in_hand": in_hand, "in_set": {**in_set, JOKER: 0}}  # no joker is in a set
            yield from _meld_faults(rules.scoring)
            has_values = {len(in_run), len(as_wild)} == {len(PLACES)}
            if not has_values and (rules.scoring.run_sizes or in_run or as_wild):
                yield f"a run has {len(PLACES)} places: write as many values in in_run and as_wild"
    if not rules.deck.ranks:
        yield "NO_CARDS goes with TypedPoints() alone: write it, or a Deck"
    for name, values in needed.items():
        missing = [rank for rank in rules.deck.ranks_with_jokers() if rank not in values]
        if missing:
            yield f"{' '.join(missing)} has no value: write it in {name}"


def _meld_faults(scoring: MeldPoints) -> Iterator[str]:
    if strange := sorted({*scoring.wilds} - {*WILDS}):
        yield f"{' '.join(strange)} cannot be wild: write wilds of 2 and * alone"
    if not scoring.set_sizes and not scoring.run_sizes:
        yield "no cards form a meld: write run_sizes or sets"
    if scoring.run_sizes and not 3 <= scoring.run_sizes[0] <= scoring.run_sizes[-1] <= len(PLACES):
        yield f"a run has 3 to {len(PLACES)} cards: write a range in between in run_sizes"
    missing = sorted({*scoring.wilds} - {*(scoring.wild_values or scoring.wilds)})
    if missing:
        yield f"{' '.join(missing)} is wild and has no value: write it in wild_values"


def _closing_faults(closings: tuple[Closing, ...]) -> Iterator[str]:
    if not closings:
        yield "no round can end: write at least one Closing"
    yield from _key_faults(closing.key for closing in closings)
    for closing in closings:
        yield from _text_faults(closing.name, closing.short, closing.key_label, closing.rule)
        yield from _text_faults(closing.sentence, name="Ana")


def _consistency_faults(rules: Rules) -> Iterator[str]:
    for contract in rules.contracts:
        if contract not in CONTRACTS:
            yield f"there is no contract {contract}: write {', '.join(CONTRACTS)}"
    if rules.reentry is not None and not isinstance(rules.ending, LastIn):
        yield "nobody re-enters without LastIn: write reentry=None"
    breaks_zero_sum = rules.reentry is not None or rules.late_entry or rules.floor is not None
    if rules.is_zero_sum and (breaks_zero_sum or not isinstance(rules.scoring, TypedPoints)):
        yield "OwnTotals needs rounds that add up to 0: write TypedPoints(), and no floor, reentry or late_entry"
