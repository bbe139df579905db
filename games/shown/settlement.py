"""The result of a game: places, every amount with its causes, the payments, and the text for the group's chat."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.messages import translate
from games.models import Table
from games.scoring.describe import changed_options
from games.scoring.ledger import Transfer, nets, payments, places
from games.scoring.money import Cause, Movement, movements
from games.scoring.state import GameState, Seat
from games.shown.amounts import money, points
from games.shown.people import Person
from games.shown.words import People, reason_in_words, round_number, winners_in_words

LENGTHS = ("out_at", "target")  # the options that say when a game is over


@dataclass(frozen=True)
class Reasoned:
    """One cause of an amount."""

    text: str
    amount: str


@dataclass(frozen=True)
class Standing:
    """One player's result and the causes behind his money, which add up to it."""

    person: Person
    place: int
    won: bool
    detail: str
    net: str
    tone: str
    causes: tuple[Reasoned, ...]


@dataclass(frozen=True)
class Payment:
    """Who pays whom, and where each of the two stands."""

    payer: Person
    payee: Person
    amount: str
    causes: tuple[Reasoned, ...]


@dataclass(frozen=True)
class Settlement:
    """Everything the settlement page shows."""

    title: str
    reason: str
    has_money: bool
    standings: tuple[Standing, ...]
    payments: tuple[Payment, ...]


@dataclass(frozen=True)
class PaidIn:
    """What one player has put into a game that still runs, and why."""

    person: Person
    net: str
    causes: tuple[Reasoned, ...]


def money_so_far(state: GameState, people: People, table: Table) -> tuple[PaidIn, ...]:
    """Everybody's money up to now, with its causes, in seat order."""
    net = nets(state)
    return tuple(
        PaidIn(people[player], money(amount, table, signed=True), tuple(_causes(state, player, table)))
        for player, amount in net.items()
    )


def settlement_of(state: GameState, people: People, table: Table) -> Settlement:
    """The result of a game that is over."""
    assert state.outcome is not None, "a running game has no result"
    place = places(state)
    order = sorted(state.players, key=lambda player: place[player.id])
    return Settlement(
        title=winners_in_words(state, people),
        reason=reason_in_words(state.outcome.reason),
        has_money=bool(state.rules.money),
        standings=tuple(_standing(state, player.id, place[player.id], people, table) for player in order),
        payments=tuple(_payment(paid, state, people, table) for paid in payments(state)),
    )


def _standing(state: GameState, player: str, place: int, people: People, table: Table) -> Standing:
    assert state.outcome is not None
    net = nets(state)[player]
    return Standing(
        person=people[player],
        place=place,
        won=player in state.outcome.winners,
        detail=_detail(state, player),
        net=money(net, table, signed=True),
        tone="green" if net > 0 else "red" if net < 0 else "soft",
        causes=tuple(_causes(state, player, table)),
    )


def _detail(state: GameState, player: str) -> str:
    found = state.player(player)
    said = [ngettext("%(points)s point", "%(points)s points", found.total) % {"points": points(found.total)}]
    if found.seat is Seat.OUT:
        said.append(_("out"))
    elif found.seat is Seat.LEFT:
        said.append(_("went home"))
    if found.reentries:
        said.append(
            ngettext("%(count)s re-entry", "%(count)s re-entries", found.reentries)
            % {"count": found.reentries}
        )
    return " · ".join(said)


def _causes(state: GameState, player: str, table: Table) -> Iterator[Reasoned]:
    for movement in movements(state):
        if player in (movement.payer, movement.payee):
            amount = movement.amount if movement.payee == player else -movement.amount
            yield Reasoned(cause_in_words(state, movement), money(amount, table, signed=True))


def cause_in_words(state: GameState, movement: Movement) -> str:
    """Why this money moved."""
    match movement.cause:
        case Cause.STAKE:
            return _("Stake")
        case Cause.REENTRY:
            return _("Re-entry %(count)s, after round %(number)s") % {
                "count": movement.count,
                "number": round_number(state, movement.number),
            }
        case Cause.POT:
            assert state.outcome is not None
            if len(state.outcome.winners) > 1:
                return _("Share of the pot")
            return _("The pot")
        case Cause.REFUND:
            return _("Taken back from the pot")
        case Cause.DIFFERENCE:
            return _("Difference of totals")
        case Cause.POINTS:
            return _("Own points, to the winner")
        case Cause.WON_POINTS:
            return _("The others' points")
        case Cause.CUT_PRIZE:
            return _("Prize for the cut of round %(number)s") % {
                "number": round_number(state, movement.number)
            }
        case Cause.INSTANT_PRIZE:
            return _("Prize for the chinchón")
        case Cause.NOTEBOOK:
            return _("As the old notebook has it")


def _payment(paid: Transfer, state: GameState, people: People, table: Table) -> Payment:
    net = nets(state)
    return Payment(
        payer=people[paid.payer],
        payee=people[paid.payee],
        amount=money(paid.amount, table),
        causes=(
            *_causes(state, paid.payer, table),
            Reasoned(_("%(name)s lost") % {"name": people[paid.payer].name}, money(-net[paid.payer], table)),
            Reasoned(_("%(name)s won") % {"name": people[paid.payee].name}, money(net[paid.payee], table)),
        ),
    )


def message_of(state: GameState, people: People, table: Table) -> str:
    """The result as text for the group's chat, house rules at its foot."""
    assert state.outcome is not None, "a running game has no result"
    result = settlement_of(state, people, table)
    lines = [f"{translate(state.variant.name)} · {table.name}", result.title, ""]
    for standing in result.standings:
        line = f"{standing.person.name} · {standing.detail}"
        if not state.outcome.refunded:
            line = f"{standing.place}. {line}"
        lines.append(f"{line} · {standing.net}" if result.has_money else line)
    if result.payments:
        lines += ["", _("Who pays whom:")]
        lines += [f"{paid.payer.name} → {paid.payee.name}: {paid.amount}" for paid in result.payments]
    return "\n".join((*lines, "", rules_in_short(state, table)))


def rules_in_short(state: GameState, table: Table) -> str:
    """The house rules in one line: the limit, the stake, and whatever differs from the usual."""
    variant, house = state.variant, state.house
    said = [
        f"{translate(variant.option(key).label)} {value}" for key, value in house.options if key in LENGTHS
    ]
    if state.rules.pot:
        said.append(_("stake %(stake)s") % {"stake": money(state.rules.pot.stake, table)})
    said += [translate(changed) for changed in changed_options(variant, house, but=(*LENGTHS, "stake"))]
    return " · ".join(said)
