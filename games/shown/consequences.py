"""What a round or a correction would do, in sentences and rows, before anybody saves it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from django.utils.translation import gettext as _

from games.messages import translate
from games.models import Table
from games.scoring.describe import value_in_words
from games.scoring.ledger import nets
from games.scoring.money import pot_of, reentry_fee
from games.scoring.preview import Conflict, ConflictKind, Preview, Remedy
from games.scoring.rounds import Doubt
from games.scoring.rules import CutPrize, FirstTo, InstantPrize, Value
from games.scoring.state import GameState, Reason, Seat
from games.shown.amounts import money, points
from games.shown.contracts import contract_in_words
from games.shown.people import Person
from games.shown.sheet import margin_in_words
from games.shown.words import People, play_in_words, reason_in_words, round_number, winners_in_words

AMOUNTS = ("stake", "reentry_fee", "point_value", "cut_prize")  # the options that are money


@dataclass(frozen=True)
class Consequence:
    """One sentence; `tone` is a colour class, never the only sign."""

    text: str
    tone: str = ""


@dataclass(frozen=True)
class Change:
    """A figure before and after, with whose it is."""

    what: str
    before: str
    after: str
    person: Person | None = None
    detail: str = ""


@dataclass(frozen=True)
class Option:
    """A way to settle a conflict."""

    value: str
    text: str
    chosen: bool


@dataclass(frozen=True)
class Question:
    """A conflict, put as a question."""

    name: str
    text: str
    options: tuple[Option, ...]


def of_round(after: GameState, people: People, table: Table, *, is_last: bool) -> Iterator[Consequence]:
    """What a round just tried out would lead to; `after` is the state with it, `is_last` where none follows it.

    What matters most comes first, since a small screen may not show the rest at once.
    """
    if after.is_over:
        yield from _end(after, people, table)
    for player in after.pending:
        yield Consequence(_reentry_offer(after, player.id, people, table), "red")
    bust_now = len(after.steps)
    for player in after.players:
        if player.seat is Seat.OUT and player.bust_at == bust_now:
            text = _("%(name)s is out with %(total)s") % {
                "name": people[player.id].name,
                "total": points(player.total),
            }
            yield Consequence(text, "red")
    yield from doubtful(after.rounds[-1].doubts)
    yield from _prizes(after, people, table)
    yield from _target_reached(after, people)
    if is_last and not after.is_over:
        yield _who_deals(after, people)


def doubtful(doubts: Iterable[Doubt]) -> Iterator[Consequence]:
    """What is odd in a round; it may be saved all the same."""
    for doubt in doubts:
        yield Consequence(translate(doubt.text), "gold")


def _prizes(state: GameState, people: People, table: Table) -> Iterator[Consequence]:
    """What the others pay at once to whoever closed the round."""
    result = state.rounds[-1]
    if result.closer is None:
        return
    named = {"name": people[result.closer].name}
    for rule in state.rules.money:
        if isinstance(rule, CutPrize) and rule.amount:
            paid = {**named, "prize": money(rule.amount, table)}
            yield Consequence(_("Cut: each of the others pays %(name)s %(prize)s") % paid, "gold")
        if isinstance(rule, InstantPrize) and rule.amount and _won_at_once(state):
            paid = {**named, "prize": money(rule.amount, table)}
            yield Consequence(_("Chinchón: each of the others pays %(name)s %(prize)s") % paid, "gold")


def _won_at_once(state: GameState) -> bool:
    return state.outcome is not None and state.outcome.reason is Reason.INSTANT_WIN


def _reentry_offer(state: GameState, player: str, people: People, table: Table) -> str:
    found = state.player(player)
    assert found.reentry_total is not None
    said = {
        "name": people[player].name,
        "total": points(found.total),
        "back": points(found.reentry_total),
        "fee": money(reentry_fee(state, player), table),
    }
    if not state.rules.pot:
        return _("%(name)s is bust with %(total)s; may come back with %(back)s") % said
    return _("%(name)s is bust with %(total)s; may come back with %(back)s for %(fee)s") % said


def _target_reached(state: GameState, people: People) -> Iterator[Consequence]:
    """Who has as many points as end the game, and whether another round is needed to tell them apart."""
    ending = state.rules.ending
    if not isinstance(ending, FirstTo):
        return
    reached = [player for player in state.playing if player.total >= ending.target]
    for player in reached:
        said = {
            "name": people[player.id].name,
            "total": points(player.total),
            "target": points(ending.target),
        }
        yield Consequence(_("%(name)s reaches %(target)s with %(total)s") % said, "gold")
    if reached and not state.is_over:
        yield Consequence(_("The highest total is shared: another round is played"), "gold")


def _who_deals(state: GameState, people: People) -> Consequence:
    name = people[str(state.dealer)].name
    if state.contract is None:
        return Consequence(_("%(name)s deals next") % {"name": name})
    said = {"name": name, "contract": contract_in_words(state.contract)}
    return Consequence(_("%(name)s deals next; the contract: %(contract)s") % said)


def _end(state: GameState, people: People, table: Table) -> Iterator[Consequence]:
    """How the game ends; with a pot alone what one winner takes, else what everybody wins or loses."""
    assert state.outcome is not None
    text = _("The game ends: %(result)s") % {"result": winners_in_words(state, people)}
    net = nets(state)
    if state.rules.money == (state.rules.pot,):
        winners = state.outcome.winners
        won = f", {money(net[winners[0]], table, signed=True)}" if len(winners) == 1 else ""
        yield Consequence(text + won, "green")
        return
    yield Consequence(text, "green")
    moved = [
        f"{people[player].name} {money(amount, table, signed=True)}"
        for player, amount in net.items()
        if amount
    ]
    if moved:
        yield Consequence(", ".join(moved))


def of_correction(tried: Preview, people: People, table: Table) -> tuple[Change, ...]:
    """Every total, seat, deal, pot and person's money that a correction would change."""
    if tried.after is None:
        return ()
    return tuple(_changes(tried.before, tried.after, people, table))


def _changes(before: GameState, after: GameState, people: People, table: Table) -> Iterator[Change]:
    yield from _round_changes(before, after, people)
    old = {player.id: player for player in before.players}
    for player in after.players:
        was = old.get(player.id)
        person = people[player.id]
        if was is None:
            yield Change(person.name, "", points(player.total), person)
        elif (was.total, was.seat) != (player.total, player.seat):
            yield Change(
                person.name,
                points(was.total),
                points(player.total),
                person,
                _seat_change(was.seat, player.seat),
            )
    here = {player.id for player in after.players}
    for gone in (player for player in before.players if player.id not in here):
        yield Change(
            _("%(name)s, total") % {"name": people[gone.id].name}, points(gone.total), "–", people[gone.id]
        )
    yield from _seat_order_changes(before, after, people)
    yield from _rule_changes(before, after, table)
    if _ends(before) != _ends(after):
        yield Change(_("The game"), _course(before, people), _course(after, people), detail=_reason(after))
    elif before.dealer != after.dealer:
        yield Change(_("Deals next"), people[str(before.dealer)].name, people[str(after.dealer)].name)
    if before.contract != after.contract and not before.is_over and not after.is_over:
        yield Change(
            _("Next contract"), contract_in_words(before.contract), contract_in_words(after.contract)
        )
    yield from _money_changes(before, after, people, table)


def _seat_order_changes(before: GameState, after: GameState, people: People) -> Iterator[Change]:
    seated = [player.id for player in after.players]
    if [player.id for player in before.players] != seated:
        order = ", ".join(people[player].name for player in seated)
        yield Change(_("The order of the seats"), "", "", detail=order)


def _round_changes(before: GameState, after: GameState, people: People) -> Iterator[Change]:
    """The rounds that count otherwise than before, player by player."""
    old = {result.number: result.points for result in before.rounds}
    for place, result in enumerate(after.rounds, start=1):
        was = old.get(result.number, {})
        for player, moved in result.points.items():
            if was.get(player) != moved:
                what = _("%(name)s, round %(number)s") % {"name": people[player].name, "number": place}
                yield Change(
                    what, points(was[player]) if player in was else "–", points(moved), people[player]
                )


def _money_changes(before: GameState, after: GameState, people: People, table: Table) -> Iterator[Change]:
    if pot_of(before) != pot_of(after):
        yield Change(_("Pot"), money(pot_of(before), table), money(pot_of(after), table))
    old, new = nets(before), nets(after)
    for player in new:
        if old.get(player, 0) != new[player]:
            yield Change(
                _("%(name)s, money so far") % {"name": people[player].name},
                money(old.get(player, 0), table, signed=True),
                money(new[player], table, signed=True),
                people[player],
            )


def _seat_change(was: Seat, now: Seat) -> str:
    if was is now:
        return ""
    said: Mapping[Seat, str] = {
        Seat.IN: _("in"),
        Seat.PENDING: _("bust, to be asked"),
        Seat.OUT: _("out"),
        Seat.LEFT: _("went home"),
    }
    return f"{said[was]} → {said[now]}"


def _ends(state: GameState) -> tuple[object, ...]:
    return (state.outcome.reason, state.outcome.winners) if state.outcome else ()


def _course(state: GameState, people: People) -> str:
    if state.outcome is None:
        return _("goes on")
    winners = ", ".join(people[winner].name for winner in state.outcome.winners)
    return _("won by %(names)s") % {"names": winners} if winners else _("nobody won")


def _reason(state: GameState) -> str:
    return "" if state.outcome is None else reason_in_words(state.outcome.reason)


def _rule_changes(before: GameState, after: GameState, table: Table) -> Iterator[Change]:
    """The house rules that change, by their labels."""
    for key, value in after.house.options:
        was = dict(before.house.options).get(key, value)
        if was != value:
            label = translate(after.variant.option(key).label)
            yield Change(
                label, _option_value(after, key, was, table), _option_value(after, key, value, table)
            )


def _option_value(state: GameState, key: str, value: Value, table: Table) -> str:
    if key in AMOUNTS and isinstance(value, int):
        return money(value, table)
    return translate(value_in_words(state.variant, key, value))


def questions_of(tried: Preview, people: People, table: Table) -> tuple[Question, ...]:
    """The conflicts a correction raises, each with its choices."""
    return tuple(_question(conflict, people, table) for conflict in tried.conflicts)


def _question(conflict: Conflict, people: People, table: Table) -> Question:
    return Question(
        name=f"conflict-{conflict.key}",
        text=_conflict_in_words(conflict, people, table),
        options=tuple(
            Option(
                choice.remedy,
                _remedy_in_words(choice.remedy, conflict, len(choice.changes), people, table),
                choice.remedy is conflict.chosen,
            )
            for choice in conflict.choices
        ),
    )


def _conflict_in_words(conflict: Conflict, people: People, table: Table) -> str:
    name = people[conflict.player].name if conflict.player in people else ""
    said = play_in_words(
        conflict.event, number=conflict.number, state=conflict.before, people=people, table=table
    )
    played = round_number(conflict.before, conflict.number)
    match conflict.kind:
        case ConflictKind.ANSWER_WITHOUT_BUST:
            return _("%(name)s is not bust any more, but had answered after round %(number)s") % {
                "name": name,
                "number": played,
            }
        case ConflictKind.BUST_PLAYED_ON:
            return _("%(name)s is bust after round %(number)s, but played on") % {
                "name": name,
                "number": played,
            }
        case ConflictKind.MISSED_ROUNDS:
            return _("%(name)s would be in after round %(number)s, but has no hands later") % {
                "name": name,
                "number": played,
            }
        case ConflictKind.AFTER_THE_END:
            return _("Now the game ends with round %(number)s, but it went on") % {"number": played}
        case ConflictKind.FITS_NO_MORE:
            return _("This no longer fits: %(what)s") % {"what": said}


def _remedy_in_words(remedy: Remedy, conflict: Conflict, count: int, people: People, table: Table) -> str:
    name = people[conflict.player].name if conflict.player in people else ""
    match remedy:
        case Remedy.VOID:
            if not conflict.before.rules.pot:
                return _("Void that answer")
            return _("Void that answer; a fee paid goes back")
        case Remedy.REENTER:
            found = conflict.before.player(conflict.player)
            assert found.reentry_total is not None
            said = {
                "name": name,
                "total": points(found.reentry_total),
                "margin": margin_in_words(conflict.before, found.reentry_total),
                "fee": money(reentry_fee(conflict.before, conflict.player), table),
            }
            if not conflict.before.rules.pot:
                return _("%(name)s re-entered with %(total)s (%(margin)s)") % said
            return _("%(name)s re-entered with %(total)s (%(margin)s) for %(fee)s") % said
        case Remedy.STAY_OUT:
            return _("%(name)s was out from there; the later hands are taken out") % {"name": name}
        case Remedy.LEAVE:
            if not conflict.before.rules.pot:
                return _("%(name)s went home there") % {"name": name}
            return _("%(name)s went home there; the money stays in the pot") % {"name": name}
        case Remedy.STRIKE:
            return _("Take out what was recorded after it") if count > 1 else _("Take it out")
