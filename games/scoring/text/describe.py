"""The rules of a game as sentences, derived from the variant's own values."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from typing import assert_never

from .. import rule_types
from ..card_points import LeftoverPoints
from ..cards import JOKER
from ..endings import can_name_winners
from ..i18n import CardsParam, MoneyParam, Text, _
from ..options import House, Variant
from .endings import ending_sentences, reentry_sentences
from .scoring_sentences import scoring_sentences


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
        *scoring_sentences(rules),
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
    least, most = variant.min_players, rules.max_players or variant.max_players
    sentence = _pack_sentence(rules).filled(least=least, most=most)
    if least == most:  # in custom games alone
        players = "{most} players" if most > 1 else "{most} player"
        sentence = Text(sentence.template.replace("{least} to {most} players", players), sentence.params)
    yield sentence
    if not can_name_winners(rules):
        yield _("Fewest points wins.") if rules.lowest_wins else _("Most points wins.")


def _pack_sentence(rules: rule_types.Rules) -> Text:
    deck = rules.deck
    cards = sum(deck.copies_of(rank) for rank in deck.ranks_with_jokers())
    if not cards:
        return _("{least} to {most} players.")
    if deck.jokers:
        return _(
            "{least} to {most} players, {cards} cards with {jokers} jokers ({sign}), {dealt} each.",
            cards=cards,
            jokers=deck.jokers,
            sign=CardsParam(JOKER),
            dealt=_dealt_label(rules),
        )
    return _(
        "{least} to {most} players, {cards} cards, {dealt} each.", cards=cards, dealt=_dealt_label(rules)
    )


def _dealt_label(rules: rule_types.Rules) -> int | str:
    if not (rules.buys_freely and rules.contracts):
        return rules.cards_dealt
    dealt = [rules.cards_dealt_for(contract) for contract in rules.contracts]
    return f"{min(dealt)}–{max(dealt)}"


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
    if all(closing.kind is not rule_types.ClosingKind.IN_ONE_GO for closing in rules.closings):
        return Text(
            "The player who ends the round gets {prize} from everyone else in the round.",
            {"prize": MoneyParam(amount)},
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
