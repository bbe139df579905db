"""The columns (columnas) of the scoresheet: each seat's player, total and margin; and contracts in words.

Depending on the game, the *margin* of a total is the points that would make the player bust, the points
missing to the target, or the points behind the leader.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import assert_never

from django.utils.translation import gettext as _
from django.utils.translation import ngettext, pgettext

from games.common import amounts, naming, texts
from games.common.event_sentences import PersonsById
from games.common.naming import Person
from games.scoring.ledger import places
from games.scoring.rule_types import AfterContracts, AfterRounds, FirstOut, FirstTo, LastIn, WhenStopped
from games.scoring.solvers.contracts import CONTRACTS, LongRun
from games.scoring.state import GameState, PlayerState, Seat
from games.scoring.text.contracts import contract_sentences, contract_text

CLOSE_SHARE = 0.85  # a total is red from this share of the limit on
LONGEST_LEADER_NAME = 10  # the most letters of a leader's name under a total

# Widths in ems: all names together at the head of the sheet; a name under a face with up to four seats; a
# name under a face with more seats; a name on the board.
SHEET_WIDTH, FACE_NAME_WIDTH, NARROW_NAME_WIDTH, BOARD_NAME_WIDTH = 24, 4.8, 3.4, 4
GONE_SEATS = (Seat.OUT, Seat.SITTING_OUT, Seat.LEFT)  # of players who play no more rounds
BOARD_ROUNDS = 5  # a player's newest rounds on the board


@dataclass(frozen=True)
class Column:
    """A column of the scoresheet: the player in that seat, the total, and the margin.

    `short` and `brief` are the name cut for two widths. `status` is a word for screen readers on a player who
    leads or has won. `filled` is how much of the player's glass is full, in percent; None if there is no
    glass. The `…_marks` are CSS classes.
    """

    person: Person
    short: str
    brief: str
    total: str
    reentries: int
    margin: str
    margin_number: str
    is_in: bool
    is_gone: bool
    is_leading: bool
    status: str
    is_close: bool
    deals: bool
    filled: int | None

    @property
    def unfilled(self) -> int:
        return 100 - (self.filled or 0)

    @property
    def glass_marks(self) -> str:
        return amounts.css_classes("glass", lead=self.is_leading, red=self.is_close or not self.is_in)

    @property
    def reentries_label(self) -> str:
        return ngettext("%(count)s× back", "%(count)s× back", self.reentries) % {"count": self.reentries}

    @property
    def who_marks(self) -> str:
        return amounts.css_classes("who", gone=self.is_gone)

    @property
    def spot_marks(self) -> str:
        return amounts.css_classes("spot", gone=self.is_gone, deals=self.deals, first=self.is_leading)

    @property
    def total_marks(self) -> str:
        is_red = not self.is_gone and (self.is_close or not self.is_in)
        return amounts.css_classes("total", lead=self.is_leading, soft=self.is_gone, red=is_red)

    @property
    def margin_marks(self) -> str:
        return amounts.css_classes("margin", red=self.is_close or (not self.is_in and not self.is_gone))


def build_columns(state: GameState, people: PersonsById) -> tuple[Column, ...]:
    place = places(state)
    names = [people[player.id].name for player in state.players]
    under_faces = FACE_NAME_WIDTH if len(names) < 5 else NARROW_NAME_WIDTH
    cut = zip(
        naming.shorten(names, SHEET_WIDTH / len(names)), naming.shorten(names, under_faces), strict=True
    )
    return tuple(
        _build_column(state, player, people, cut=both, place=place[player.id])
        for player, both in zip(state.players, cut, strict=True)
    )


def board_seats(state: GameState, people: PersonsById) -> list[tuple[Column, str, list[str]]]:
    """Return the seats of the board, ordered by the places that the players would have now.

    Each has the column, the name cut to fit, and the points of the newest rounds. Equal places keep the order
    of the seats.
    """
    columns, newest, place = build_columns(state, people), state.rounds[-BOARD_ROUNDS:], places(state)
    cuts = naming.shorten([column.person.name for column in columns], BOARD_NAME_WIDTH)
    seats = zip(columns, cuts, state.players, strict=True)
    return [
        (
            column,
            cut,
            [amounts.points(result.points[player.id]) for result in newest if player.id in result.points],
        )
        for column, cut, player in sorted(seats, key=lambda seat: place[seat[2].id])
    ]


def goal_label(state: GameState) -> str:
    """Return the limit, the target or the number of rounds in words; "" in games without one."""
    match state.rules.ending:
        case LastIn(limit) if state.rules.counts_down:
            return _("Counts down from %(limit)s") % {"limit": amounts.points(limit)}
        case LastIn(limit):
            return _("Limit %(limit)s") % {"limit": amounts.points(limit)}
        case FirstOut(limit) | FirstTo(limit):
            return _("Ends at %(limit)s") % {"limit": amounts.points(limit)}
        case AfterRounds(rounds):
            return ngettext("%(count)s round", "%(count)s rounds", rounds) % {"count": rounds}
        case AfterContracts() | WhenStopped():
            return ""
        case _:
            assert_never(state.rules.ending)


def contract_steps(state: GameState) -> list[str]:
    """Return the CSS class of each contract: of those played, of the next round's, of those to be played."""
    done = len(state.rounds)
    ahead = len(state.rules.contracts) - done - 1
    return [*["done"] * done, "next", *[""] * ahead] if state.contract else []


def margin_label(state: GameState, total: int, people: PersonsById) -> str:
    """Return the margin of a player with this total in words, such as `12 to bust`; "" if there is none."""
    margin = _margin_points(state, total)
    if margin is None:
        return ""
    params = {"points": amounts.points(margin)}
    if state.rules.out_at is not None:
        return ngettext("%(points)s to\u00a0bust", "%(points)s to\u00a0bust", margin) % params
    if winning_total(state) is not None:
        return ngettext("%(points)s to go", "%(points)s to go", margin) % params
    return _behind_label(state, params, people)


def margins_heading(state: GameState) -> str:
    """Return the heading of the margins on the scoresheet, such as “to bust”."""
    if state.rules.out_at is not None:
        return _("to bust")
    return _("behind") if winning_total(state) is None else _("to go")


def winning_total(state: GameState) -> int | None:
    """Return the total that wins the game if the most points win; None in other games."""
    ending = state.rules.ending
    return ending.target if isinstance(ending, FirstTo) and not state.rules.lowest_wins else None


def _behind_label(state: GameState, params: dict[str, str], people: PersonsById) -> str:
    """Return a text about the points behind the leader, such as `12 behind Ana`.

    The name is left out if there are several leaders, or if it is too long to fit under a total.
    """
    pick = min if state.rules.lowest_wins else max
    best = pick(player.total for player in state.playing)
    names = [people[player.id].name for player in state.playing if player.total == best]
    if len(names) > 1 or len(names[0]) > LONGEST_LEADER_NAME:
        return _("%(points)s behind") % params
    return _("%(points)s behind %(name)s") % {**params, "name": naming.isolate(names[0])}


def _margin_points(state: GameState, total: int) -> int | None:
    """Return the margin of a player with this total, in points; None if there is none.

    Totals that are counted down have none: each is its own margin.
    """
    limit, target = state.rules.out_at, winning_total(state)
    if state.rules.counts_down:
        return None
    if limit is not None:
        return limit - total
    if target is not None:
        return target - total if total < target else None
    pick = min if state.rules.lowest_wins else max
    return abs(total - pick((player.total for player in state.playing), default=total)) or None


def _build_column(
    state: GameState, player: PlayerState, people: PersonsById, *, cut: tuple[str, str], place: int
) -> Column:
    margin = _margin_points(state, player.total) if player.is_in and not state.is_over else None
    return Column(
        person=people[player.id],
        short=cut[0],
        brief=cut[1],
        total=amounts.points(state.rules.displayed_total(player.total)),
        reentries=player.reentries,
        margin=_margin_or_seat_label(state, player, people),
        margin_number="" if margin is None else amounts.points(margin),
        is_in=player.is_in,
        is_gone=player.seat in GONE_SEATS,
        is_leading=_is_leading(state, player, place),
        status=_status_label(state, player, place),
        is_close=_is_close(state, player),
        deals=state.dealer == player.id,
        filled=None if state.is_over or player.seat in GONE_SEATS else _filled_percent(state, player),
    )


def brim_label(state: GameState) -> str:
    """Return the total of a full glass, such as “101”; "" in games without glasses or where they empty."""
    full = state.rules.out_at or winning_total(state)
    return "" if full is None or state.rules.counts_down else amounts.points(full)


def _filled_percent(state: GameState, player: PlayerState) -> int | None:
    """Return the displayed total in percent of the limit or the target; None without either."""
    full = state.rules.out_at or winning_total(state)
    return None if full is None else min(max(100 * state.rules.displayed_total(player.total) // full, 0), 100)


def _is_leading(state: GameState, player: PlayerState, place: int) -> bool:
    """Return whether the player leads or has won. Nobody has won a pot that was refunded or shared."""
    is_undecided = state.outcome is not None and (state.outcome.refunded or state.outcome.agreed)
    return bool(state.rounds) and player.is_in and place == 1 and not is_undecided


def _status_label(state: GameState, player: PlayerState, place: int) -> str:
    if state.outcome is not None:
        return _("won") if player.id in state.outcome.winners and not state.outcome.agreed else ""
    return _("leads") if _is_leading(state, player, place) else ""


def _is_close(state: GameState, player: PlayerState) -> bool:
    limit = state.rules.out_at
    return limit is not None and player.is_in and not state.is_over and player.total >= CLOSE_SHARE * limit


def _margin_or_seat_label(state: GameState, player: PlayerState, people: PersonsById) -> str:
    if player.seat is Seat.IN:
        return "" if state.is_over else margin_label(state, player.total, people)
    return seat_label(player.seat)


def seat_label(seat: Seat) -> str:
    return {
        Seat.IN: "",
        Seat.PENDING: _("bust"),
        Seat.OUT: _("out"),
        Seat.SITTING_OUT: _("sits out"),
        Seat.LEFT: _("went home"),
    }[seat]


def contract_label(key: str | None) -> str:
    """Return the contract (contrato) with this key in words, such as “2 trios”; "" if `key` is None."""
    return "" if key is None else texts.translate(contract_text(CONTRACTS[key]))


def contract_code(key: str) -> str:
    """Return a short code for this contract: its key, such as `2T1E` (E for escalera), in English `2T1R`."""
    is_named = isinstance(CONTRACTS[key], LongRun)
    return key if is_named else key.replace("E", pgettext("letter of a run", "R"))


def remaining_contracts(state: GameState) -> list[tuple[int, str, str]]:
    """Return the contracts still to be played: the number of the round, the name, and the required cards.

    Return [] in a game without contracts or after its end.
    """
    rules, played = state.rules, len(state.rounds)
    keys = () if state.contract is None else rules.contracts[played:]
    return [
        (number, contract_label(key), _contract_requirements(key, rules.cards_dealt_for(key)))
        for number, key in enumerate(keys, start=played + 1)
    ]


def _contract_requirements(key: str, dealt: int) -> str:
    return " ".join(map(texts.translate, contract_sentences(CONTRACTS[key], dealt)))
