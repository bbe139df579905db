"""The preview of a correction: every figure that would change and why, and the questions that it raises.

A corrected round may contradict a later event, for example the re-entry of a player who is no longer bust.
Such a conflict is a question to the user, who chooses how to resolve it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.common import amounts, event_sentences, naming, texts
from games.common.event_sentences import PersonsById
from games.common.naming import Person
from games.models import Table
from games.play.presenters import house_rules, scoresheet_columns
from games.scoring.conflicts import Choice, Conflict, ConflictKind, Remedy
from games.scoring.events import PlayerJoined, PlayerReentered, PlayerStayedOut
from games.scoring.ledger import nets
from games.scoring.money import pot_amount, reentry_fee
from games.scoring.preview import Preview
from games.scoring.rounds import PlayerId
from games.scoring.state import GameState, Seat, Step


@dataclass(frozen=True)
class Change:
    """A figure before and after a correction; `what` is its title.

    `person` is the player whose figure it is; None for a figure of the whole game.
    """

    what: str
    before: str
    after: str
    person: Person | None = None
    detail: str = ""


def changed_figures(tried: Preview, people: PersonsById, table: Table) -> tuple[Change, ...]:
    """Return every figure that the correction would change; () while something is missing that it needs."""
    if tried.after is None:
        return ()
    return tuple(_all_changes(tried.before, tried.after, people, table))


def _all_changes(before: GameState, after: GameState, people: PersonsById, table: Table) -> Iterator[Change]:
    yield from _round_changes(before, after, people)
    yield from _total_changes(before, after, people)
    if [player.id for player in before.players] != [player.id for player in after.players]:
        order = ", ".join(naming.isolate(people[player.id].name) for player in after.players)
        yield Change(_("Seating order"), "", "", detail=order)
    yield from _rule_changes(before, after, table)
    if before.direction != after.direction:
        yield Change(
            _("The deal goes"),
            house_rules.direction_label(before.direction),
            house_rules.direction_label(after.direction),
        )
    if _outcome_key(before) != _outcome_key(after):
        reason = "" if after.outcome is None else event_sentences.reason_label(after.outcome.reason)
        yield Change(
            _("The game"),
            _outcome_label(before, people),
            _outcome_label(after, people),
            detail=reason,
        )
    elif before.dealer != after.dealer:
        yield Change(
            _("Deals next"),
            naming.isolate(people[str(before.dealer)].name),
            naming.isolate(people[str(after.dealer)].name),
        )
    if before.contract != after.contract and not before.is_over and not after.is_over:
        yield Change(
            _("Next contract"),
            scoresheet_columns.contract_label(before.contract),
            scoresheet_columns.contract_label(after.contract),
        )
    yield from _money_changes(before, after, people, table)


def _total_changes(before: GameState, after: GameState, people: PersonsById) -> Iterator[Change]:
    """Yield the changed totals, including those of players who are only in one of the two states."""
    old = {player.id: player for player in before.players}
    for player in after.players:
        was = old.get(player.id)
        person = people[player.id]
        if was is None:
            yield Change(
                naming.isolate(person.name),
                "",
                amounts.points(after.rules.displayed_total(player.total)),
                person,
            )
        elif (was.total, was.seat) != (player.total, player.seat):
            causes = total_change_reasons(before, after, player.id)
            detail = " · ".join(filter(None, (_seat_change(was.seat, player.seat), *causes)))
            yield Change(
                naming.isolate(person.name),
                amounts.points(before.rules.displayed_total(was.total)),
                amounts.points(after.rules.displayed_total(player.total)),
                person,
                detail[:1].upper() + detail[1:],
            )
    player_ids = {player.id for player in after.players}
    for gone in (player for player in before.players if player.id not in player_ids):
        yield Change(
            _("%(name)s, total") % {"name": naming.isolate(people[gone.id].name)},
            amounts.points(before.rules.displayed_total(gone.total)),
            "–",
            people[gone.id],
        )


def _round_changes(before: GameState, after: GameState, people: PersonsById) -> Iterator[Change]:
    old = {result.number: result.points for result in before.rounds}
    for place, result in enumerate(after.rounds, start=1):
        was = old.get(result.number, {})
        for player, new_points in result.points.items():
            if was.get(player) != new_points:
                params = {"name": naming.isolate(people[player].name), "number": place}
                what, old_points = _("%(name)s, round %(number)s") % params, was.get(player)
                figure = "–" if old_points is None else amounts.points(old_points)
                yield Change(what, figure, amounts.points(new_points), people[player])


def _money_changes(
    before: GameState, after: GameState, people: PersonsById, table: Table
) -> Iterator[Change]:
    if pot_amount(before) != pot_amount(after):
        yield Change(
            _("Pot"), amounts.money(pot_amount(before), table), amounts.money(pot_amount(after), table)
        )
    old, new = nets(before), nets(after)
    for player in new:
        if old.get(player, 0) != new[player]:
            yield Change(
                _("%(name)s, money so far") % {"name": naming.isolate(people[player].name)},
                amounts.money(old.get(player, 0), table, signed=True),
                amounts.money(new[player], table, signed=True),
                people[player],
            )


def _seat_change(was: Seat, new_seat: Seat) -> str:
    if was is not new_seat:
        return f"{_seat_label(was)} → {_seat_label(new_seat)}"
    return _seat_label(new_seat) if new_seat is Seat.PENDING else ""


def _seat_label(seat: Seat) -> str:
    return {
        Seat.IN: _("in"),
        Seat.PENDING: _("bust, can come back"),
        Seat.OUT: _("out"),
        Seat.SITTING_OUT: _("sits out"),
        Seat.LEFT: _("went home"),
    }[seat]


def _outcome_key(state: GameState) -> tuple[object, ...]:
    return (state.outcome.reason, state.outcome.winners) if state.outcome else ()


def _outcome_label(state: GameState, people: PersonsById) -> str:
    if state.outcome is None:
        return _("still going")
    names = () if state.outcome.agreed else [people[winner].name for winner in state.outcome.winners]
    return event_sentences.won_by_label(names, is_shared=state.outcome.agreed)


def _rule_changes(before: GameState, after: GameState, table: Table) -> Iterator[Change]:
    for key, value in after.house.options:
        was = dict(before.house.options).get(key, value)
        if was != value:
            option = after.variant.option(key)
            before_now = (
                event_sentences.option_value_label(option, was, table),
                event_sentences.option_value_label(option, value, table),
            )
            yield Change(texts.translate(option.label), *before_now)


# a remedy for a conflict: its value, its label such as “Ana stays in”, and whether it is chosen
Answer = tuple[str, str, bool]


def conflict_questions(
    tried: Preview, people: PersonsById, table: Table
) -> list[tuple[str, str, list[Answer]]]:
    """Return each conflict of the correction as the name of a form field, a question and its answers."""
    return [
        (
            f"conflict-{conflict.key}",
            _conflict_sentence(conflict, people, table),
            [
                (
                    choice.remedy,
                    _remedy_label(choice, conflict, tried.before, people, table),
                    choice.remedy is conflict.chosen,
                )
                for choice in conflict.choices
            ],
        )
        for conflict in tried.conflicts
    ]


def instead_choices(missing: Conflict, people: PersonsById) -> tuple[tuple[str, str], ...]:
    """Return the answers, as (value, label), that may be given instead of the hands that are missing."""
    return tuple(
        (
            choice.remedy,
            _("This round wasn't played: remove it")
            if choice.remedy is Remedy.STRIKE
            else _("%(name)s had gone home by then") % {"name": naming.isolate(people[missing.player].name)},
        )
        for choice in missing.choices
    )


def _conflict_sentence(conflict: Conflict, people: PersonsById, table: Table) -> str:
    name = naming.isolate(people[conflict.player].name) if conflict.player in people else ""
    sentence = event_sentences.play_sentence(
        conflict.event,
        number=conflict.number,
        state=conflict.before,
        people=people,
        table=table,
        played=conflict.round_number,
    )
    params = {
        "name": name,
        "number": event_sentences.round_number(conflict.before, conflict.number),
        "what": sentence,
    }
    match conflict.kind:
        case ConflictKind.ANSWER_WITHOUT_BUST:
            if isinstance(conflict.event, PlayerStayedOut):
                return _("%(name)s is not bust anymore, but was out after round %(number)s") % params
            if conflict.before.player(conflict.player).seat is Seat.OUT:
                return _("%(name)s is out after round %(number)s, but came back") % params
            return _("%(name)s is not bust anymore, but came back after round %(number)s") % params
        case ConflictKind.BUST_PLAYED_ON:
            return _("%(name)s is bust after round %(number)s but played on") % params
        case ConflictKind.OTHER_TOTAL:
            return _("%(name)s comes back at another total after round %(number)s") % params
        case ConflictKind.AFTER_THE_END:
            return _("Now the game ends with round %(number)s, but it went on") % params
        case ConflictKind.FITS_NO_MORE:
            return _("This no longer adds up: %(what)s") % params
        case ConflictKind.MISSED_ROUNDS | ConflictKind.NO_ANSWER:
            raise AssertionError("a page of its own asks for this (views/missing.py)")


def _remedy_label(
    choice: Choice, conflict: Conflict, before: GameState, people: PersonsById, table: Table
) -> str:
    name = naming.isolate(people[conflict.player].name) if conflict.player in people else ""
    match choice.remedy:
        case Remedy.VOID if isinstance(conflict.event, PlayerStayedOut):
            return _("%(name)s stays in") % {"name": name}
        case Remedy.VOID:
            fee = event_sentences.fee_paid(before, conflict.number)
            if not fee:
                return _("Undo that re-entry")
            returned = {"fee": amounts.money(fee, table), "name": name}
            return _("Undo that re-entry and return %(fee)s to %(name)s") % returned
        case Remedy.REENTER:
            player = conflict.before.player(conflict.player)
            assert player.reentry_total is not None
            names = {
                "name": name,
                "total": amounts.points(conflict.before.rules.displayed_total(player.reentry_total)),
                "margin": scoresheet_columns.margin_label(conflict.before, player.reentry_total, people),
                "fee": amounts.money(reentry_fee(conflict.before, conflict.player), table),
            }
            if not conflict.before.rules.pot:
                return _("%(name)s came back at %(total)s (%(margin)s)") % names
            return _("%(name)s came back at %(total)s (%(margin)s) for %(fee)s") % names
        case Remedy.STAY_OUT if conflict.kind is ConflictKind.OTHER_TOTAL:
            return _("%(name)s stayed out") % {"name": name}
        case Remedy.STAY_OUT if conflict.kind is ConflictKind.FITS_NO_MORE:
            return _("%(name)s didn't play there; those hands are removed") % {"name": name}
        case Remedy.STAY_OUT:
            return _("%(name)s was out by then; the later hands are removed") % {"name": name}
        case Remedy.STRIKE:
            is_one = len(choice.changes) == 1
            return _("Remove it") if is_one else _("Remove everything recorded after it")
        case Remedy.LEAVE:
            raise AssertionError("`instead_choices` names this")


def total_change_reasons(before: GameState, after: GameState, player: PlayerId) -> Iterator[str]:
    """Yield the reasons, other than changed rounds and penalties, why a correction changes a player's total.

    Each is a text about a re-entry, about joining the game, or about rounds whose points no longer count.
    """
    if after.player(player).total == before.player(player).total + _round_difference(before, after, player):
        return
    was, new_steps = _entry_steps(before, player), _entry_steps(after, player)
    for number in dict.fromkeys((*new_steps, *was)):
        old, new = was.get(number), new_steps.get(number)
        if new is None:
            yield _("no longer comes back after round %(number)s at %(was)s") % {
                "number": event_sentences.round_number(before, number),
                "was": amounts.points(before.rules.displayed_total(was[number].totals[player])),
            }
        elif old is None or old.moved[player] != new.moved[player]:
            yield _entry_sentence(old, new, after, player)
    if gone := _dropped_rounds(before, after, player):
        yield ngettext(
            "without the points of round %(numbers)s", "without the points of rounds %(numbers)s", len(gone)
        ) % {"numbers": naming.join_names(gone)}


def _round_difference(before: GameState, after: GameState, player: PlayerId) -> int:
    """Return the change of this player's points in the rounds that count after the correction."""
    old = {result.number: result.points for result in before.rounds}
    return sum(
        result.points[player] - old.get(result.number, {}).get(player, 0)
        for result in after.rounds
        if player in result.points
    )


def _entry_steps(state: GameState, player: PlayerId) -> dict[int, Step]:
    """Return the steps of this player's joining and re-entries, by event number."""
    return {
        step.number: step
        for step in state.steps
        if player in step.moved and isinstance(step.event, PlayerJoined | PlayerReentered)
    }


def _dropped_rounds(before: GameState, after: GameState, player: PlayerId) -> list[str]:
    """Return the numbers, as text, of the player's rounds that no longer count after the correction."""
    remaining_numbers = {result.number for result in after.rounds if player in result.points}
    return [
        str(place)
        for place, result in enumerate(before.rounds, start=1)
        if player in result.points and result.number not in remaining_numbers
    ]


def _entry_sentence(old: Step | None, new: Step, after: GameState, player: PlayerId) -> str:
    total, display = new.totals[player], after.rules.displayed_total
    params = {
        "number": event_sentences.round_number(after, new.number),
        "bust": amounts.points(display(total - new.moved[player])),
        "total": amounts.points(display(total)),
        "was": "" if old is None else amounts.points(display(old.totals[player])),
    }
    if isinstance(new.event, PlayerJoined):
        return _("joins after round %(number)s at %(total)s instead of %(was)s") % params
    if old is None:
        return _("bust with %(bust)s in round %(number)s, comes back at %(total)s") % params
    return _("comes back after round %(number)s at %(total)s instead of %(was)s") % params
