"""The consequences of a round in sentences, shown before the round is saved."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.common import amounts, naming, texts
from games.common.event_sentences import PersonsById
from games.models import Table
from games.play.presenters import scoresheet_columns
from games.scoring.card_points import LeftoverPoints
from games.scoring.endings import elimination_reasons
from games.scoring.errors import RuleError
from games.scoring.ledger import nets
from games.scoring.money import prize_multiplier, reentry_fee
from games.scoring.rounds import Doubt, PlayerId, RoundEntry, get_closing
from games.scoring.rule_types import AfterRounds, FirstTo, InstantPrize, RoundPrize, Rules
from games.scoring.state import GameState, Seat


@dataclass(frozen=True)
class Consequence:
    """A sentence about one consequence.

    `tone` is a CSS class for its color; the sentence is clear without the color. `closing` is the key of the
    closing that was probably meant, and `answer` the label of the button that chooses it; "" without one.
    """

    text: str
    tone: str = ""
    closing: str = ""
    answer: str = ""


def build_consequences(
    after: GameState, people: PersonsById, table: Table, *, is_last: bool
) -> Iterator[Consequence]:
    """Yield the consequences of a round before it is saved, the most important first.

    `after` is the state with the round. If it is the latest round (`is_last`), the next dealer is a
    consequence too.
    """
    if after.is_over:
        yield from _end_consequences(after, people, table)
    for player in after.pending:
        yield Consequence(_reentry_sentence(after, player.id, people, table), "red")
    bust_now = len(after.steps)
    reasons = dict(elimination_reasons(after, bust_now))
    for player in after.players:
        if player.id in reasons:
            yield Consequence(texts.translate(reasons[player.id]), "red")
        elif player.seat is Seat.OUT and player.bust_at == bust_now:
            text = _("%(name)s is out with %(total)s") % {
                "name": naming.isolate(people[player.id].name),
                "total": amounts.points(after.rules.displayed_total(player.total)),
            }
            yield Consequence(text, "red")
    yield from doubt_consequences(after.rounds[-1].doubts, after.rules)
    yield from _prize_consequences(after, people, table)
    yield from _target_consequences(after, people)
    if is_last and not after.is_over:
        yield _next_dealer(after, people)


def doubt_consequences(doubts: Iterable[Doubt], rules: Rules) -> Iterator[Consequence]:
    """Yield a sentence for each doubt: a hand or closing in a round that looks odd, but may be saved."""
    for doubt in doubts:
        meant = rules.closing(doubt.closing)
        answer = _("Yes: %(closing)s") % {"closing": texts.translate(meant.short)} if meant else ""
        yield Consequence(texts.translate(doubt.text), "gold", doubt.closing, answer)


def _prize_consequences(state: GameState, people: PersonsById, table: Table) -> Iterator[Consequence]:
    """Yield a sentence for each prize that the others pay at once to the player who closed the new round."""
    result = state.rounds[-1]
    if result.closer is None:
        return
    name, closing = naming.isolate(people[result.closer].name), get_closing(state.rules, result.entry)
    for rule in state.rules.money:
        if not isinstance(rule, RoundPrize | InstantPrize) or not rule.amount:
            continue  # all other money is paid at the end of the game
        paid = {
            "closing": texts.translate(closing.name),
            "name": name,
            "prize": amounts.money(rule.amount, table),
        }
        if isinstance(rule, RoundPrize) and not isinstance(state.rules.scoring, LeftoverPoints):
            prize = amounts.money(rule.amount * prize_multiplier(closing), table)
            yield Consequence(
                _("%(closing)s: everyone else pays %(name)s %(prize)s") % {**paid, "prize": prize},
                "gold",
            )
        elif isinstance(rule, RoundPrize):
            yield Consequence(_("Cut: everyone else pays %(name)s %(prize)s") % paid, "gold")
        elif closing.wins_game:
            yield Consequence(_("%(closing)s: everyone else pays %(name)s %(prize)s") % paid, "gold")


def _reentry_sentence(state: GameState, player: str, people: PersonsById, table: Table) -> str:
    bust = state.player(player)
    assert bust.reentry_total is not None
    figures = {
        "name": naming.isolate(people[player].name),
        "total": amounts.points(state.rules.displayed_total(bust.total)),
        "back": amounts.points(state.rules.displayed_total(bust.reentry_total)),
        "fee": amounts.money(reentry_fee(state, player), table),
    }
    if not state.rules.pot:
        return _("%(name)s is bust with %(total)s; can come back at %(back)s") % figures
    return _("%(name)s is bust with %(total)s; can come back at %(back)s for %(fee)s") % figures


def _target_consequences(state: GameState, people: PersonsById) -> Iterator[Consequence]:
    """Yield sentences on the players who have reached the target, and on a tie that needs another round."""
    ending = state.rules.ending
    target = ending.target if isinstance(ending, FirstTo) else None
    reached = [player for player in state.playing if target is not None and player.total >= target]
    for player in reached:
        figures = {
            "name": naming.isolate(people[player.id].name),
            "total": amounts.points(player.total),
            "target": amounts.points(target or 0),
        }
        yield Consequence(_("%(name)s reaches %(target)s with %(total)s") % figures, "gold")
    were_all_played = isinstance(ending, AfterRounds) and len(state.rounds) >= ending.rounds
    if (reached or were_all_played or state.is_play_off) and not state.is_over:
        if state.is_play_off:
            tied = naming.join_names([naming.isolate(people[player.id].name) for player in state.playing])
            yield Consequence(_("Tied for the best total: only %(names)s play on") % {"names": tied}, "gold")
            return
        lowest = _("Tied for the lowest total: play another round")
        highest = _("Tied for the highest total: play another round")
        yield Consequence(lowest if state.rules.lowest_wins else highest, "gold")


def _next_dealer(state: GameState, people: PersonsById) -> Consequence:
    name = naming.isolate(people[str(state.dealer)].name)
    if state.contract is None:
        return Consequence(_("%(name)s deals next") % {"name": name})
    names = {"name": name, "contract": scoresheet_columns.contract_label(state.contract)}
    return Consequence(_("%(name)s deals next; the contract: %(contract)s") % names)


def _end_consequences(state: GameState, people: PersonsById, table: Table) -> Iterator[Consequence]:
    """Yield sentences on how the game would end, with everybody's amounts.

    If the pot is the only money of the game, only the amount that a single winner gets is named.
    """
    assert state.outcome is not None
    names = [naming.isolate(people[winner].name) for winner in state.outcome.winners]
    text = ngettext(
        "If you save, the game ends: %(names)s wins",
        "If you save, the game ends, won by %(names)s",
        len(names),
    ) % {"names": naming.join_names(names)}
    net = nets(state)
    if state.rules.money == (state.rules.pot,):
        winners = state.outcome.winners
        won = f", {amounts.money(net[winners[0]], table, signed=True)}" if len(winners) == 1 else ""
        yield Consequence(text + won, "green")
        return
    yield Consequence(text, "green")
    net_labels = [
        f"{naming.isolate(people[player].name)} {amounts.money(amount, table, signed=True)}"
        for player, amount in net.items()
        if amount
    ]
    if net_labels:
        yield Consequence(", ".join(net_labels))


TOO_MANY_PARAMS = {"card", "there_are", "counted"}  # the parameters of the error that `Deck.check` raises


def players_with_card(refusal: RuleError, entry: RoundEntry) -> Sequence[PlayerId]:
    """Return the players holding the card that the refused round has too often; () for another refusal."""
    if not refusal.text.params.keys() >= TOO_MANY_PARAMS:
        return ()
    card = refusal.text.params["card"]
    return tuple(
        player
        for player, hand in entry.hands
        if any(card in (hand_card.rank, f"{hand_card.rank}{hand_card.suit}") for hand_card in hand.cards)
    )
