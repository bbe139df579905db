"""The stakes and prices of a game in words: before it begins, while it runs, and with its result."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import assert_never

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.common import amounts, naming, texts
from games.common.event_sentences import PersonsById
from games.models import Table
from games.scoring import reentry_terms, rule_types
from games.scoring.card_points import LeftoverPoints
from games.scoring.money import reentry_fee
from games.scoring.state import GameState

MAX_NAME_LETTERS = 16  # of all names shown beside their prices
MAX_PRICES = 3  # enough to show how a rising price continues


def stake_labels(rules: rule_types.Rules, table: Table) -> Iterator[str]:
    """Yield each amount that the rules charge, such as the stake and the prizes, except re-entries."""
    winning = rules.winning_closing
    for rule in rules.money:
        match rule:
            case rule_types.Pot(stake) if stake:
                yield _("stake %(stake)s") % {"stake": amounts.short_money(stake, table)}
            case rule_types.Pairs(value) | rule_types.ToWinner(value) | rule_types.OwnTotals(value):
                yield _("%(value)s a point") % {"value": amounts.short_money(value, table)}
            case rule_types.RoundPrize(amount) if amount:
                is_cut = isinstance(rules.scoring, LeftoverPoints)
                text = _("%(amount)s for a cut") if is_cut else _("%(amount)s for each round")
                yield text % {"amount": amounts.short_money(amount, table)}
            case rule_types.InstantPrize(amount) if amount and winning is not None:
                details = {
                    "closing": texts.translate(winning.short),
                    "amount": amounts.short_money(amount, table),
                }
                yield _("%(amount)s for a %(closing)s") % details
            case (
                rule_types.Pot()
                | rule_types.RoundPrize()
                | rule_types.InstantPrize()
                | rule_types.NotebookNets()
            ):
                pass  # a stake or prize of 0, or the result of an old notebook, which has no stakes
            case _:
                assert_never(rule)


def reentries_label(rules: rule_types.Rules, table: Table) -> str:
    """Return the number of re-entries that a game for money allows, with their price; "" for none."""
    reentry = rules.reentry
    if not rules.money or not reentry or not isinstance(rules.ending, rule_types.LastIn) or reentry.cap == 0:
        return ""
    if reentry.cap is None:
        text = _("unlimited re-entries")
    else:
        text = ngettext("up to %(count)s re-entry", "up to %(count)s re-entries", reentry.cap)
        text %= {"count": reentry.cap}
    prices = _prices_label(reentry, table)
    return _("%(reentries)s at %(prices)s") % {"reentries": text, "prices": prices} if prices else text


def reentry_price_labels(state: GameState, people: PersonsById, table: Table) -> list[str]:
    """Return the current prices of a re-entry (volver): the most common one, then the others with names.

    If the names are too long, return the lowest and highest price. Return [] without a pot, or if nobody can
    come back for money.
    """
    reentry, totals = state.rules.reentry, [player.total for player in state.playing]
    if state.is_over or not reentry or not state.rules.pot or state.rules.entry_total(max(totals)) is None:
        return []
    prices = {
        player.id: reentry_fee(state, player.id)
        for player in state.players
        if player in (*state.playing, *state.pending)
        and (reentry.cap is None or player.reentries < reentry.cap)
    }
    if not any(prices.values()):
        return []
    [(usual, _count)] = Counter(prices.values()).most_common(1)
    others = [
        (naming.isolate(people[player].name), price) for player, price in prices.items() if price != usual
    ]
    if sum(len(name) for name, _price in others) > MAX_NAME_LETTERS:
        least, most = (amounts.money(price, table) for price in (min(prices.values()), max(prices.values())))
        return [_("%(least)s to %(most)s") % {"least": least, "most": most}]
    return [amounts.money(usual, table), *(f"{name} {amounts.money(price, table)}" for name, price in others)]


def _prices_label(reentry: reentry_terms.Reentry, table: Table) -> str:
    """Return the prices of a player's re-entries, such as `$10, $20, $30…`; "" if they are free."""
    if not reentry_terms.reentry_price(reentry.price, 1):
        return ""
    if isinstance(reentry.price, reentry_terms.Flat):
        return amounts.short_money(reentry.price.fee, table)
    count = MAX_PRICES if reentry.cap is None else min(reentry.cap, MAX_PRICES)
    prices = ", ".join(
        amounts.short_money(reentry_terms.reentry_price(reentry.price, number), table)
        for number in range(1, count + 1)
    )
    return prices if count == reentry.cap else f"{prices}…"
