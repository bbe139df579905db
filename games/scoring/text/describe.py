"""The rules of a game as sentences, derived from the variant's own values."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from itertools import groupby
from typing import assert_never

from .. import card_points, rule_types
from ..card_points import HeldPoints, LeftoverPoints, MeldPoints, Placing, Rewarded, TypedPoints
from ..cards import FRENCH_RANKS, JOKER, PLACES
from ..endings import can_name_winners
from ..i18n import CardsParam, MoneyParam, Text, _
from ..options import House, Variant
from .endings import SEPARATOR, ending_sentences, reentry_sentences

_FROM_TWO_UP = PLACES[1:]


def describe(
    variant: Variant, house: House, direction: str = "", *, code: Callable[[str], str] = str
) -> tuple[Text, ...]:
    """Return a sentence for each rule in force; options that are only noted (they change no score) come last.

    `direction` is the direction of the deal, "" for the variant's usual one. `code` turns a contract's key,
    such as "2T1E", into the abbreviation used in the reader's language.
    """
    rules = variant.build(house)
    return (
        *_cards(variant, rules),
        *_scoring(rules),
        *_closings(rules),
        *ending_sentences(rules, code),
        *(reentry_sentences(rules, rules.reentry) if rules.reentry else ()),
        *_money(rules),
        *_seats(rules, rule_types.Direction(direction or variant.direction)),
        *_noted_option_sentences(variant, house),
    )


def option_differences(variant: Variant, house: House, *, excluded: Collection[str]) -> tuple[Text, ...]:
    """Return “Label: value” for each option that matters and differs from its default.

    Options with a key in `excluded` are left out.
    """
    usual, chosen = dict(variant.defaults_for(house).options), dict(house.options)
    return tuple(
        _("{label}: {value}", label=option.label, value=option.value_in_words(house[option.key]))
        for option in variant.options
        if option.key not in excluded
        and house[option.key] != usual[option.key]
        and option.matters(None, chosen)
    )


def _cards(variant: Variant, rules: rule_types.Rules) -> Iterator[Text]:
    deck = rules.deck
    least, most = variant.min_players, rules.max_players or variant.max_players
    cards = sum(deck.copies_of(rank) for rank in deck.ranks_with_jokers())
    if not cards:
        yield _("{least} to {most} players.", least=least, most=most)
    elif deck.jokers:
        yield _(
            "{least} to {most} players, {cards} cards with {jokers} jokers ({sign}), {dealt} each.",
            least=least,
            most=most,
            cards=cards,
            jokers=deck.jokers,
            sign=CardsParam(JOKER),
            dealt=_dealt_label(rules),
        )
    else:
        yield _(
            "{least} to {most} players, {cards} cards, {dealt} each.",
            least=least,
            most=most,
            cards=cards,
            dealt=_dealt_label(rules),
        )
    if not can_name_winners(rules):
        yield _("Fewest points wins.") if rules.lowest_wins else _("Most points wins.")


def _dealt_label(rules: rule_types.Rules) -> int | str:
    if not (rules.buys_freely and rules.contracts):
        return rules.cards_dealt
    dealt = [rules.cards_dealt_for(contract) for contract in rules.contracts]
    return f"{min(dealt)}–{max(dealt)}"


def _scoring(rules: rule_types.Rules) -> Iterator[Text]:
    match rules.scoring:
        case HeldPoints(values):
            yield from _won_by(rules.scoring)
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


def _won_by(scoring: HeldPoints) -> Iterator[Text]:
    if scoring.difference is None:
        yield _("Going out scores 0; everyone else adds up the cards in their hand.")
        return
    yield Text("The player who ends the round scores what the others have left, less their own points.")
    bonus = scoring.difference.beaten_bonus
    more = f", and {bonus} more" if bonus else ""
    yield Text(
        f"If they show their hand and another player has as few points, that player scores instead{more}."
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
    *numbered, jack, knight, king = rules.deck.ranks
    yield _(
        "{first} to {last}: face value; jack {jack}, knight {knight}, king {king}.",
        first=numbered[0],
        last=numbered[-1],
        jack=scoring.values[jack],
        knight=scoring.values[knight],
        king=scoring.values[king],
    )
    for wild in sorted(scoring.wild_cards):
        if wild == JOKER:
            yield _("A joker stands for any card; left over it counts {points}.", points=scoring.wild_value)
        else:
            yield _(
                "The ace of coins stands for any card; left over it counts {points}.",
                points=scoring.wild_value,
            )
    yield from _placing(scoring.placing)
    yield _("Cut with {points} points or fewer.", points=scoring.cut_max)
    if scoring.strict_cut:
        yield _("A cut with more is refused, and so is one with points that would make you bust.")
    elif scoring.free_cut:
        yield _("Free cut: you may cut even if the points you have left over make you bust.")
    else:
        yield _("You shouldn't cut if the points you have left over make you bust.")
    if scoring.nothing_left:
        yield _nothing_left(scoring.nothing_left_for, scoring.nothing_left)


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


def _closings(rules: rule_types.Rules) -> Iterator[Text]:
    for closing in rules.closings:
        if closing.rule is not None:
            yield closing.rule
        elif closing.wins_game:
            yield _("{closing}: wins the game instantly.", closing=closing.name)
        elif closing.bonus_per_player:
            yield _bonus_by_players(closing)
        elif closing.bonus or closing.kind is rule_types.ClosingKind.ONE_RUN:
            yield _("{closing}: {points}.", closing=closing.name, points=closing.bonus)
    if rules.floor is not None:
        yield _("A total never falls below {floor}.", floor=rules.floor)


def _bonus_by_players(closing: rule_types.Closing) -> Text:
    name, each = closing.name, closing.bonus_per_player
    if closing.bonus == 0:
        return _(
            "{closing}: {each} more for each player in the round, yourself included.", closing=name, each=each
        )
    if closing.bonus == -each:
        return _("{closing}: {each} more for each other player in the round.", closing=name, each=each)
    return _(
        "{closing}: {points} more, and {each} for each player in the round, yourself included.",
        closing=name,
        points=closing.bonus,
        each=each,
    )


def _money(rules: rule_types.Rules) -> Iterator[Text]:
    if not rules.money:
        yield _("No money, only points.")
    for rule in rules.money:
        match rule:
            case rule_types.Pot(stake):
                yield _(
                    "Everyone puts {stake} into the pot; the winner takes it all.", stake=MoneyParam(stake)
                )
            case rule_types.Pairs(point_value):
                yield _(
                    "Each pair of players settles the difference between their totals, {value} a point.",
                    value=MoneyParam(point_value),
                )
            case rule_types.ToWinner(point_value):
                yield _(
                    "Everyone else pays the winner {value} for each point they have.",
                    value=MoneyParam(point_value),
                )
            case rule_types.OwnTotals(point_value):
                yield _(
                    "Everyone collects, or pays, {value} for each point of their own total.",
                    value=MoneyParam(point_value),
                )
            case rule_types.RoundPrize(amount):
                if amount:
                    yield _round_prize(rules, amount)
            case rule_types.InstantPrize(amount):
                if amount and rules.winning_closing is not None:
                    yield _(
                        "Winning with a {closing} earns {prize} from everyone still in.",
                        prize=MoneyParam(amount),
                        closing=rules.winning_closing.short,
                    )
            case rule_types.NotebookNets():
                pass  # an old notebook is not a game to play
            case _:
                assert_never(rule)


def _round_prize(rules: rule_types.Rules, amount: int) -> Text:
    if isinstance(rules.scoring, LeftoverPoints):
        return _(
            "The player who cuts gets {prize} from everyone else in the round.", prize=MoneyParam(amount)
        )
    return _(
        "The player who goes out gets {prize} from everyone else in the round, and twice that in one go.",
        prize=MoneyParam(amount),
    )


def _seats(rules: rule_types.Rules, direction: rule_types.Direction) -> Iterator[Text]:
    match direction:
        case rule_types.Direction.LEFT:
            yield _("The deal passes to the left, clockwise.")
        case rule_types.Direction.RIGHT:
            yield _("The deal passes to the right, counterclockwise.")
        case _:
            assert_never(direction)
    if rules.late_entry:
        yield from _newcomers(rules)
    if rules.entry.limit is not None and (rules.reentry or rules.late_entry):
        yield _(
            "Nobody comes back or joins once a player still in has more than {limit}.",
            limit=rules.entry.limit,
        )
    if rules.winner_deals:
        yield _("The winner deals the next game, in the other direction.")


def _newcomers(rules: rule_types.Rules) -> Iterator[Text]:
    if rules.pot and rules.entry.above:
        yield _("A newcomer pays the stake and starts one above the highest total.")
    elif rules.pot:
        yield _("A newcomer pays the stake and starts at the highest total.")
    elif rules.entry.above:
        yield _("A newcomer starts one above the highest total.")
    else:
        yield _("A newcomer starts at the highest total.")


def _noted_option_sentences(variant: Variant, house: House) -> Iterator[Text]:
    """Yield “Label: value.” for options that are only noted, and for values that no other sentence shows."""
    for option in variant.options:
        if option.noted or house[option.key] in option.described_by_label:
            value = option.value_in_words(house[option.key])
            yield _("{label}: {value}.", label=option.label, value=value)
