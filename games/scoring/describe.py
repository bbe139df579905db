"""The rules in force, in words, from the variant's own values."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby
from typing import assert_never

from games.scoring.cards import JOKER
from games.scoring.rules import (
    FirstOut,
    HeldPoints,
    House,
    LastIn,
    Pot,
    Reentry,
    Rules,
    Value,
    Variant,
    price_of,
)
from games.scoring.words import Amount, Text, _, ngettext

LADDER_SHOWN = 4


def describe(variant: Variant, house: House) -> tuple[Text, ...]:
    """A sentence for each rule in force at a table, those only noted last."""
    rules = variant.build(house)
    return (
        *_cards(variant, rules),
        *_scoring(rules),
        *_closings(rules),
        *_ending(rules),
        *(_reentry(rules, rules.reentry) if rules.reentry else ()),
        *_money(rules),
        *_seats(rules),
        *_in_words(variant, house),
    )


def value_in_words(variant: Variant, key: str, value: Value) -> Text:
    """An option's value as players say it."""
    words = variant.option(key).allowed.words
    return words[value] if isinstance(value, str) else _("{value}", value=value)


def changed_options(variant: Variant, house: House) -> tuple[Text, ...]:
    """“Label: value” for each option that differs from the game's defaults."""
    usual = dict(variant.house({"stake": house["stake"]}).options)
    return tuple(
        _("{label}: {value}", label=variant.option(key).label, value=value_in_words(variant, key, value))
        for key, value in house.options
        if key != "stake" and value != usual[key]
    )


def _cards(variant: Variant, rules: Rules) -> Iterator[Text]:
    deck = rules.deck
    yield _(
        "{least} to {most} players, {cards} cards with {jokers} jokers, {dealt} each.",
        least=variant.min_players,
        most=variant.max_players,
        cards=sum(deck.copies_of(rank) for rank in deck.ranks_with_jokers()),
        jokers=deck.jokers,
        dealt=rules.cards_dealt,
    )
    if rules.lowest_wins:
        yield _("Fewest points wins.")


def _scoring(rules: Rules) -> Iterator[Text]:
    match rules.scoring:
        case HeldPoints(values):
            at_face_value = [rank for rank, value in values.items() if rank == str(value)]
            yield _(
                "Whoever did not go out counts the cards in hand: {first} to {last} their number.",
                first=at_face_value[0],
                last=at_face_value[-1],
            )
            others = [(value, rank) for rank, value in values.items() if rank not in at_face_value]
            for value, group in groupby(others, key=lambda pair: pair[0]):
                ranks = " ".join("★" if rank == JOKER else rank for _value, rank in group)
                yield _("{ranks}: {value}.", ranks=ranks, value=value)
        case _:
            assert_never(rules.scoring)


def _closings(rules: Rules) -> Iterator[Text]:
    for closing in rules.closings:
        if not closing.by_player:
            yield _("When the stock runs out, nobody goes out and everybody counts.")
        elif closing.bonus:
            yield _("{closing}: {points}.", closing=closing.name, points=closing.bonus)
        else:
            yield _("Whoever goes out scores 0.")
    if rules.floor is not None:
        yield _("A round never takes a total below {floor}.", floor=rules.floor)


def _ending(rules: Rules) -> Iterator[Text]:
    match rules.ending:
        case LastIn(limit):
            yield _("Out with {limit} or more; the last one in wins.", limit=limit)
            yield _("If all are out in the same round, the lowest total wins.")
        case FirstOut(limit):
            yield _("Over as soon as somebody has {limit} or more; the lowest total wins.", limit=limit)
        case _:
            assert_never(rules.ending)


def _reentry(rules: Rules, reentry: Reentry) -> Iterator[Text]:
    if reentry.cap == 0:
        yield _("No re-entries.")
        return
    if reentry.cap is None:
        yield _("Any number of re-entries, while two or more are left in.")
    else:
        yield ngettext(
            "{count} re-entry each, while two or more are left in.",
            "{count} re-entries each, while two or more are left in.",
            reentry.cap,
        )
    yield _("Whoever re-enters comes back with the highest total of those still in.")
    if rules.pot:
        steps = [
            price_of(reentry.price, count)
            for count in range(1, min(reentry.cap or LADDER_SHOWN, LADDER_SHOWN) + 1)
        ]
        if len(set(steps)) == 1:
            yield _("A re-entry costs {fee}, into the pot.", fee=Amount(steps[0]))
        else:
            yield from (
                _("Re-entry number {count} costs {fee}, into the pot.", count=count, fee=Amount(fee))
                for count, fee in enumerate(steps, start=1)
            )


def _money(rules: Rules) -> Iterator[Text]:
    if not rules.money:
        yield _("No money, points only.")
    for rule in rules.money:
        match rule:
            case Pot(stake):
                yield _("Everybody puts {stake} into the pot; the winner takes it all.", stake=Amount(stake))
            case _:
                assert_never(rule)


def _seats(rules: Rules) -> Iterator[Text]:
    if rules.late_entry:
        yield _("A newcomer pays the stake and enters with the highest total.")


def _in_words(variant: Variant, house: House) -> Iterator[Text]:
    """The options no number of the rules shows: what happens to the stock, and what is only noted."""
    for option in variant.options:
        if option.noted or option.key == "stock_end":
            value = value_in_words(variant, option.key, house[option.key])
            yield _("{label}: {value}.", label=option.label, value=value)
