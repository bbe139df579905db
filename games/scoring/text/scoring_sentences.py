"""Sentences about what cards and melds count."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import groupby
from typing import assert_never

from .. import card_points, rule_types
from ..card_points import (
    HeldPoints,
    LeftoverPoints,
    MeldPoints,
    Placing,
    Rewarded,
    RoundDifference,
    TypedPoints,
)
from ..cards import FRENCH_RANKS, JOKER, PLACES
from ..i18n import CardsParam, Text, _
from ..variants.chinchon import ACE_OF_COINS
from .endings import SEPARATOR

_FROM_TWO_UP = PLACES[1:]


def scoring_sentences(rules: rule_types.Rules) -> Iterator[Text]:
    match rules.scoring:
        case HeldPoints(values):
            yield from _hand_sentences(rules, rules.scoring.difference)
            yield from _hand_value_sentences(values)
            if rules.buy_points:
                yield _("Each card bought out of turn: {points}.", points=rules.buy_points)
            elif rules.buys_freely:
                yield _("Cards bought out of turn cost nothing.")
        case MeldPoints() as scoring:
            yield from _melds(scoring)
        case LeftoverPoints() as scoring:
            yield from _leftovers(rules, scoring)
        case TypedPoints():
            yield _("Each round, write down each player's points; they may be negative.")
            if rules.asks_closer and rules.is_zero_sum:
                yield _("The player who goes out gets what the others lose.")
            elif rules.asks_closer:
                yield _("The player who goes out has 0, or points of their own, such as -10.")
            if rules.is_zero_sum:
                yield _("The points of a round add up to 0; there are no penalties.")
        case _:
            assert_never(rules.scoring)


def _hand_sentences(rules: rule_types.Rules, difference: RoundDifference | None) -> Iterator[Text]:
    if difference is not None:
        yield from _difference_sentences(rules, difference)
    elif any(closing.by_player and closing.closer_hand.is_optional for closing in rules.closings):
        yield _("Going out scores 0; everyone else adds up the cards in their hand.")
    else:
        yield Text("Everyone adds up the cards in their hand.")


def _difference_sentences(rules: rule_types.Rules, difference: RoundDifference) -> Iterator[Text]:
    yield Text("The player who ends the round scores what the others have left, less their own points.")
    if not _shows_rest(rules):
        return
    bonus = difference.beaten_bonus
    more = f", and {bonus} more" if bonus else ""
    yield Text(
        f"If they show their hand and another player has as few points, that player scores instead{more}."
    )


def _shows_rest(rules: rule_types.Rules) -> bool:
    """Return whether a player can end a round while they have cards left."""
    return any(
        closing.by_player and closing.closer_hand is rule_types.CloserHand.REST for closing in rules.closings
    )


def _hand_value_sentences(values: Mapping[str, int]) -> Iterator[Text]:
    numbered = [rank for rank in values if rank.isdigit()]
    others = values
    if numbered and all(int(rank) == values[rank] for rank in numbered):
        yield _("{first} to {last}: face value.", first=numbered[0], last=numbered[-1])
        others = {rank: value for rank, value in values.items() if rank not in numbered}
    for value, ranks in groupby(others, key=others.__getitem__):
        yield _("{ranks}: {value}.", ranks=_ranks_label(ranks), value=value)


def _ranks_label(ranks: Iterable[str]) -> CardsParam:
    """Return ranks as shown to people; three or more consecutive ranks are written as first–last."""
    rank_list = list(ranks)
    in_a_row = len(rank_list) > 2 and SEPARATOR.join(rank_list) in SEPARATOR.join(FRENCH_RANKS)
    return CardsParam(f"{rank_list[0]}–{rank_list[-1]}" if in_a_row else " ".join(rank_list))


def _custom_melds(scoring: MeldPoints) -> Iterator[Text]:
    """Yield the sentences for melds of a custom game."""
    if scoring.sets is not None:
        sizes, suits = scoring.set_sizes, scoring.sets.suits
        in_suits = "" if suits is None else f", in {card_points.range_label(suits)} different suits"
        yield Text(
            f"A set: {card_points.range_label(sizes)} cards of one rank{in_suits}, with {card_points.wild_limit(scoring.sets.wilds)}."
        )
    if scoring.run_sizes:
        limit = (
            "any number of wild cards"
            if scoring.run_wilds is None
            else card_points.wild_limit(scoring.run_wilds)
        )
        with_wilds = f", with {limit}" if scoring.wilds else ""
        yield Text(
            f"A run: {card_points.range_label(scoring.run_sizes)} cards of one suit in sequence{with_wilds}."
        )
    if scoring.wild_values is not None:
        values = ", ".join(f"{rank} {scoring.wild_values[rank]}" for rank in sorted(scoring.wilds))
        yield Text(f"A wild card counts its own value: {values}.")
    for bonus in scoring.bonuses:
        yield Text(
            f"A meld of {bonus.cards} cards or more: {bonus.natural} more, {bonus.mixed} with a wild card."
        )


def _melds(scoring: MeldPoints) -> Iterator[Text]:
    yield _("Melds you lay down add points; cards left in your hand subtract points.")
    counted = {
        rank: (scoring.in_set[rank], scoring.in_hand[rank])
        for rank in _FROM_TWO_UP
        if rank in scoring.in_set and rank in scoring.in_hand
    }
    for (on_table, in_hand), ranks in groupby(counted, key=counted.__getitem__):
        yield _(
            "{ranks}: {laid} on the table, {held} in hand.",
            ranks=_ranks_label(ranks),
            laid=on_table,
            held=in_hand,
        )
    if scoring.run_sizes:
        yield _("An ace below the 2 in a run: {laid}.", laid=scoring.in_run[0])
    if JOKER in scoring.in_hand:
        yield _("A joker left in hand: {held}.", held=scoring.in_hand[JOKER])
    if not scoring.is_of_loba:
        yield from _custom_melds(scoring)
        return
    yield _(
        "A set: {least} to {most} cards of one rank, in exactly three suits and without wild cards.",
        least=scoring.set_sizes[0],
        most=scoring.set_sizes[-1],
    )
    yield _(
        "A run: {least} to {most} cards of one suit in sequence; jokers and twos stand for any card.",
        least=scoring.run_sizes[0],
        most=scoring.run_sizes[-1],
    )
    dearest = max(scoring.as_wild)
    yield _(
        "A joker, or a 2, standing for another card: {most} for {first} and higher, {least} for lower ones.",
        most=dearest,
        first=PLACES[scoring.as_wild.index(dearest)],
        least=min(scoring.as_wild),
    )


def _leftovers(rules: rule_types.Rules, scoring: LeftoverPoints) -> Iterator[Text]:
    yield _("Only cards left over count: those in none of your sets and runs.")
    if scoring.difference is not None:
        yield from _difference_sentences(rules, scoring.difference)
    yield from _leftover_values(rules.deck.ranks, scoring)
    for wild in sorted(scoring.wild_cards):
        if wild == JOKER:
            yield _("A joker stands for any card; left over it counts {points}.", points=scoring.wild_value)
        elif wild == ACE_OF_COINS:
            yield _(
                "The ace of coins stands for any card; left over it counts {points}.",
                points=scoring.wild_value,
            )
        else:
            yield Text(f"{wild} stands for any card; left over it counts {scoring.wild_value}.")
    yield from _placing(scoring.placing)
    if _shows_rest(rules):
        yield from _cut_sentences(rules, scoring)
    if scoring.nothing_left:
        yield _nothing_left(scoring.nothing_left_for, scoring.nothing_left)


def _leftover_values(ranks: tuple[str, ...], scoring: LeftoverPoints) -> Iterator[Text]:
    *numbered, jack, knight, king = ranks if len(ranks) > 3 else (*ranks, "", "", "", "")
    values = scoring.values
    if [jack, knight, king] != ["10", "11", "12"] or any(int(rank) != values[rank] for rank in numbered):
        yield from _hand_value_sentences({rank: values[rank] for rank in ranks})
        return
    yield _(
        "{first} to {last}: face value; jack {jack}, knight {knight}, king {king}.",
        first=numbered[0],
        last=numbered[-1],
        jack=values[jack],
        knight=values[knight],
        king=values[king],
    )


def _cut_sentences(rules: rule_types.Rules, scoring: LeftoverPoints) -> Iterator[Text]:
    """Yield the sentences about a cut: its limit, and what busts its player where players go bust."""
    if scoring.cut_max:
        yield _("Cut with {points} points or fewer.", points=scoring.cut_max)
    else:
        yield _("Cut with nothing left over.")
    if rules.out_at is None:
        if scoring.strict_cut:
            yield Text("A cut with more is refused.")
    elif scoring.strict_cut:
        yield _("A cut with more is refused, and so is one with points that would make you bust.")
    elif scoring.free_cut:
        yield _("Free cut: you may cut even if the points you have left over make you bust.")
    else:
        yield _("You shouldn't cut if the points you have left over make you bust.")


def _placing(placing: Placing) -> Iterator[Text]:
    anywhere = _(
        "Cards left over may be laid off on anyone's sets and runs: first by the player who cut, "
        "then in turn."
    )
    match placing:
        case Placing.ON:
            yield anywhere
        case Placing.OFF:
            yield _("Cards left over are not laid off on others' sets and runs.")
        case Placing.UNLESS_CLOSED:
            yield anywhere
            yield _("Nothing is laid off if the player who cut has every card in their own sets and runs.")
        case Placing.ON_CUTTER:
            yield Text(
                "The others may lay off cards left over on the sets and runs of the player who cut, in turn."
            )
            yield _("Nothing is laid off if the player who cut has every card in their own sets and runs.")
        case _:
            assert_never(placing)


def _nothing_left(rewarded: Rewarded, points: int) -> Text:
    match rewarded:
        case Rewarded.ANYONE:
            return _("With nothing left over, you score {points}.", points=points)
        case Rewarded.CUTTER:
            return _("Cutting with nothing left over scores {points}.", points=points)
        case Rewarded.CLOSED_HAND:
            return _("Cutting with every card in your own sets and runs scores {points}.", points=points)
        case _:
            assert_never(rewarded)
