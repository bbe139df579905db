"""Sentences about the end of a game, and about re-entries."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import reduce
from itertools import groupby
from typing import assert_never

from .. import reentry_terms, rule_types
from ..i18n import MoneyParam, Text, _, ngettext
from ..solvers.contracts import CONTRACTS
from .contracts import LONG_RUNS, contract_text

LISTED_FEES = 4
SEPARATOR = " · "


def ending_sentences(rules: rule_types.Rules, code: Callable[[str], str]) -> Iterator[Text]:
    """Yield the sentences about the end of the game and its winner. `code` abbreviates a contract's key."""
    if rules.wins_at is not None:
        yield _("A total of {total} or less wins the game instantly.", total=rules.wins_at)
    match rules.ending:
        case rule_types.LastIn(limit) | rule_types.FirstOut(limit):
            yield from _elimination_sentences(rules, limit)
        case rule_types.FirstTo(target) as best_total:
            yield (
                _(
                    "The game ends after the round in which a player reaches {target}; the "
                    "lowest total wins.",
                    target=target,
                )
                if rules.lowest_wins
                else _(
                    "The game ends after the round in which a player reaches {target}; the "
                    "highest total wins.",
                    target=target,
                )
            )
            yield from _best_total_sentences(rules, best_total)
        case rule_types.AfterContracts() as ending:
            yield from _contracts(rules, ending, code)
        case rule_types.AfterRounds(rounds) as best_total:
            yield ngettext(
                "The game ends after {count} round.", "The game ends after {count} rounds.", rounds
            )
            yield from _best_total_sentences(rules, best_total)
        case rule_types.WhenStopped(named=True):
            yield _("The game ends when someone reaches its goal: you say who has won.")
            yield (
                _("The others are placed by the fewest points.")
                if rules.lowest_wins
                else _("The others are placed by the most points.")
            )
        case rule_types.WhenStopped():
            yield _("The game ends when you stop it, whatever the totals.")
            yield _tie_sentence(rules, play_on=False)
        case _:
            assert_never(rules.ending)


def _elimination_sentences(rules: rule_types.Rules, limit: int) -> Iterator[Text]:
    if isinstance(rules.ending, rule_types.LastIn):
        if rules.counts_down:
            yield _("Totals count down from {limit}: at 0 or less, you're bust.", limit=limit)
        yield _("A player with {limit} or more is out; the last one in wins.", limit=limit)
        yield (
            _("If everyone goes bust in the same round, the lowest total wins.")
            if rules.lowest_wins
            else Text("If everyone goes bust in the same round, the highest total wins.")
        )
    elif rules.lowest_wins:
        yield _("The game ends when a player has {limit} or more; the lowest total wins.", limit=limit)
    else:
        yield Text(f"The game ends when a player has {limit} or more; the highest total wins.")


def _contracts(
    rules: rule_types.Rules, ending: rule_types.AfterContracts, code: Callable[[str], str]
) -> Iterator[Text]:
    contracts = ending.contracts
    yield _(
        "{count} rounds, each with its contract: {contracts}.",
        count=len(contracts),
        contracts=SEPARATOR.join(map(code, contracts)),
    )
    yield _("T is a trio, {run} a run of four.", run=code("2E")[-1])
    yield from (LONG_RUNS[contract] for contract in contracts if contract in LONG_RUNS)
    longer = [contract for contract in contracts if rules.cards_dealt_for(contract) > rules.cards_dealt]
    for dealt, group in groupby(longer, rules.cards_dealt_for):
        names = reduce(_join_texts, (contract_text(CONTRACTS[contract]) for contract in group))
        yield _("For {contracts}, deal {dealt} cards each.", contracts=names, dealt=dealt)
    if ending.down_is_out:
        yield _(
            "In the last contract, a player who goes down has no cards left: they go out, and the round ends."
        )
    yield (
        _("The lowest total after the last contract wins.")
        if rules.lowest_wins
        else Text("The highest total after the last contract wins.")
    )
    if ending.by_rounds_won:
        yield _("Ties: most rounds won; if still tied, they share the win.")
    else:
        yield _tie_sentence(rules, play_on=False)


def _best_total_sentences(
    rules: rule_types.Rules, ending: rule_types.FirstTo | rule_types.AfterRounds
) -> Iterator[Text]:
    if ending.play_off and rules.lowest_wins:
        yield _("If the lowest total is tied, only those players play on, until one of them is alone lowest.")
    elif ending.play_off:
        yield _(
            "If the highest total is tied, only those players play on, until one of them is alone highest."
        )
    else:
        yield _tie_sentence(rules, play_on=ending.play_on)
    if ending.bonuses:
        yield _("After the end, points may be added to the totals; then the best total wins.")


def _tie_sentence(rules: rule_types.Rules, *, play_on: bool) -> Text:
    if play_on and rules.lowest_wins:
        return _("If the lowest total is tied, play another round.")
    if play_on:
        return _("If the highest total is tied, play another round.")
    if rules.lowest_wins:
        return _("Players tied for the lowest total share the win.")
    return _("Players tied for the highest total share the win.")


def reentry_sentences(rules: rule_types.Rules, reentry: reentry_terms.Reentry) -> Iterator[Text]:
    if reentry.cap == 0:
        yield _("No re-entries.")
        return
    if reentry.cap is None:
        yield _("Any number of re-entries, while two or more players are still in.")
    else:
        yield ngettext(
            "{count} re-entry each, while two or more players are still in.",
            "{count} re-entries each, while two or more players are still in.",
            reentry.cap,
        )
    if rules.entry.above:
        yield _("You come back one above the highest total of those still in.")
    else:
        yield _("You come back at the highest total of those still in.")
    if rules.pot:
        steps = [
            reentry_terms.reentry_price(reentry.price, count)
            for count in range(1, min(reentry.cap or LISTED_FEES, LISTED_FEES) + 1)
        ]
        if len(set(steps)) == 1:
            yield _("A re-entry costs {fee}, into the pot.", fee=MoneyParam(steps[0]))
        else:
            fees = reduce(_join_texts, (Text("{fee}", {"fee": MoneyParam(fee)}) for fee in steps))
            yield _("Each player's re-entries cost {fees}, into the pot.", fees=fees)
            if reentry.cap is None or reentry.cap > LISTED_FEES:
                if isinstance(reentry.price, reentry_terms.Doubling):
                    yield _("Each one after that costs double the one before.")
                else:
                    yield _("Each one after that costs {fee} more.", fee=MoneyParam(reentry.price.fee))


def _join_texts(first: Text, second: Text) -> Text:
    return Text("{first}, {second}", {"first": first, "second": second})
