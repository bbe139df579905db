"""The scoresheet: a column for each seat and a row for each round.

An event between two rounds is a note in its player's cell of the round before it.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from django.urls import reverse
from django.utils.translation import gettext as _

from games.common import amounts, event_sentences, naming, texts
from games.common.event_sentences import PersonsById
from games.models import Game
from games.play.presenters import scoresheet_columns
from games.play.presenters.scoresheet_columns import Column
from games.scoring import corrections, events
from games.scoring.columns import players_by_column
from games.scoring.endings import elimination_reasons
from games.scoring.rounds import Hand, RoundEntry, get_closing
from games.scoring.rule_types import Rules
from games.scoring.state import GameState, RoundResult, Seat, Step

MAX_COLUMNS_WITH_WORDS = 5  # the most columns with room for words under the totals
MAX_COLUMNS_WITH_CELL_WORDS = 3  # the most columns with room for a word in each cell
MIN_DIGITS, MAX_DIGITS = 2, 6  # the lengths of totals that have a font size
# The numbers of newest rows that stay if the older ones fold. The style sheet (folded.css) picks one by height.
KEPT_ROWS = (2, 3, 4, 5, 6, 7, 8, 10, 12, 16, 20)


@dataclass(frozen=True)
class CellNote:
    """An event after a round, in its player's cell, such as `back: 81`, or a closing that won the game.

    `label` is the whole event as a sentence, for screen readers.
    """

    text: str
    icon: str = ""
    tone: str = ""
    label: str = ""


@dataclass(frozen=True)
class ScoreCell:
    """A player's cell in a row: the points of a round, and the events after it.

    `href` leads to the page of the hand; "" in an example. `label` is for screen readers: it replaces the
    text of a link, and follows any other text.
    """

    text: str = ""
    href: str = ""
    label: str = ""
    marks: str = ""
    notes: tuple[CellNote, ...] = ()


@dataclass(frozen=True)
class ScoreRow:
    """A row of the scoresheet: a round, or a line with a sentence about an event that has no cell.

    `head` is the number of the round, `contract` the code of its contract, and `contract_label` the contract
    in words. `href` leads to the page of the round, and `last_step` is the number of the last step that the
    row shows.
    """

    head: str = ""
    cells: tuple[ScoreCell, ...] = ()
    sentence: str = ""
    contract: str = ""
    contract_label: str = ""
    is_corrected: bool = False
    href: str = ""
    last_step: int = 0

    def with_note(self, place: int, note: CellNote, *, step: int) -> ScoreRow:
        """Return the row with one more note in this cell, from this step."""
        cell = self.cells[place]
        label = ". ".join(filter(None, (cell.label, note.label))) if cell.href else cell.label
        cells = list(self.cells)
        cells[place] = replace(cell, label=label, notes=(*cell.notes, note))
        return replace(self, cells=tuple(cells), last_step=step)


@dataclass(frozen=True)
class RowSummary:
    """A row in place of all but the newest `kept` rows, with the total of each column after them.

    `head` are the numbers of its rounds, such as `1–6`.
    """

    kept: int
    head: str
    totals: tuple[str, ...]


@dataclass(frozen=True)
class Scoresheet:
    """The whole scoresheet.

    `contract` is the place of the next round's contract among all contracts, such as “3 of 7”. `margins` is
    the heading of the margins, such as "to bust". `ahead` are the contracts still to be played. `brim` is the
    total of a full glass.
    """

    columns: tuple[Column, ...]
    row_data: _RowData
    goal: str
    contract: str
    margins: str
    brim: str = ""
    ahead: Sequence[tuple[int, str, str]] = ()

    @cached_property
    def rows(self) -> tuple[ScoreRow, ...]:
        """The rows, built only when a page asks for them: a page often has the table already rendered."""
        return _build_rows(self.row_data)

    @cached_property
    def folds(self) -> tuple[RowSummary, ...]:
        """The rows for the older rounds, one for each number of rows that may stay; the page shows one at most."""
        lengths = [kept for kept in KEPT_ROWS if kept + 1 < len(self.rows)]
        folded = ((kept, self.rows[:-kept]) for kept in lengths)
        return tuple(_fold(self.row_data.state, rows, kept) for kept, rows in folded)

    @property
    def has_goal(self) -> bool:
        """True if the total of a full glass wins the game."""
        return scoresheet_columns.winning_total(self.row_data.state) is not None

    @property
    def is_crowded(self) -> bool:
        return len(self.columns) > MAX_COLUMNS_WITH_WORDS

    @property
    def digits(self) -> int:
        """The length of the longest total, within limits; it decides the font size of all totals."""
        longest = max(len(column.total) for column in self.columns)
        return min(max(longest, MIN_DIGITS), MAX_DIGITS)

    @property
    def has_glasses(self) -> bool:
        return any(column.filled is not None for column in self.columns)

    @property
    def has_margins(self) -> bool:
        return any(column.margin_number for column in self.columns)

    @property
    def has_contracts(self) -> bool:
        return bool(self.ahead) or any(row.contract for row in self.rows)


def build(
    game: Game,
    log: events.Log,
    state: GameState,
    people: PersonsById,
    *,
    for_writing: bool = True,
    is_example: bool = False,
    doubted: Collection[tuple[int, str]] = (),
) -> Scoresheet:
    """Return the scoresheet of a game. The hands in `doubted`, by event and player, are marked.

    The points of a round link to its page, which corrects them with `for_writing`, except in an example.
    """
    of_all = {"number": len(state.rounds) + 1, "count": len(state.rules.contracts)}
    return Scoresheet(
        columns=scoresheet_columns.build_columns(state, people),
        row_data=_RowData(game, log, state, people, for_writing, is_example, doubted),
        goal=scoresheet_columns.goal_label(state),
        contract=_("%(number)s of %(count)s") % of_all if state.contract else "",
        margins=scoresheet_columns.margins_heading(state),
        brim=scoresheet_columns.brim_label(state),
        ahead=scoresheet_columns.remaining_contracts(state),
    )


# --- rows -------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class _RowData:
    """The data shared by all rows of the scoresheet."""

    game: Game
    log: events.Log
    state: GameState
    people: PersonsById
    for_writing: bool
    is_example: bool
    doubted: Collection[tuple[int, str]]

    @cached_property
    def addresses(self) -> tuple[str, str]:
        """The URL of an event's page, as its parts before and after the number of the event."""
        address = reverse("correct", args=[self.game.code, 0])
        before, _zero, behind = address.rpartition("0")
        return before, behind

    @cached_property
    def label(self) -> str:
        """The format string of the links' labels for screen readers, translated once for all cells."""
        if self.for_writing:
            return _("%(name)s, round %(number)s: %(points)s, correct it")
        return _("%(name)s, round %(number)s: %(points)s, view")

    def address(self, number: int, player: str = "") -> str:
        if self.is_example:
            return ""
        return str(number).join(self.addresses) + (f"?hand={player}" if player else "")


def _build_rows(row_data: _RowData) -> tuple[ScoreRow, ...]:
    corrected = corrections.corrected_numbers(row_data.log)
    places_of_rounds = {result.number: place for place, result in enumerate(row_data.state.rounds)}
    rows: list[ScoreRow] = []
    # why players are out, in rows that come after their round and its notes
    reasons: list[ScoreRow] = []
    seats: Mapping[str, Seat] = {}
    for place, columns in enumerate(players_by_column(row_data.state), start=1):
        step = row_data.state.steps[place - 1]
        is_corrected = step.number in corrected
        notes = _step_notes(row_data, step, seats, is_crowded=len(columns) > MAX_COLUMNS_WITH_CELL_WORDS)
        seats = step.seats
        if isinstance(step.event, events.RoundPlayed):
            rows, reasons = [*rows, *reasons], []
            row = _round_row(row_data, columns, places_of_rounds[step.number], is_corrected=is_corrected)
            rows.append(replace(row, last_step=place))
        elif not isinstance(step.event, events.GameStarted) and not (notes and rows and rows[-1].cells):
            sentence = _step_sentence(row_data, step)
            rows.append(ScoreRow(sentence=sentence, is_corrected=is_corrected, last_step=place))
            continue
        for player, note in notes:
            rows[-1] = rows[-1].with_note(columns.index(player), note, step=place)
        reasons += (
            ScoreRow(sentence=texts.translate(reason), last_step=place)
            for _player, reason in elimination_reasons(row_data.state, place)
        )
    return (*rows, *reasons)


def _fold(state: GameState, rows: Sequence[ScoreRow], kept: int) -> RowSummary:
    """Return the row that replaces these oldest rows, while `kept` newer ones stay."""
    place = max(row.last_step for row in rows)
    totals = state.steps[place - 1].totals
    count = sum(bool(row.head) for row in rows)
    return RowSummary(
        kept,
        str(count) if count < 2 else f"1–{count}",
        tuple(
            amounts.points(state.rules.displayed_total(totals[player])) if player in totals else ""
            for player in players_by_column(state)[place - 1]
        ),
    )


def _changed_hands(log: events.Log, result: RoundResult) -> frozenset[str]:
    """Return the ids of the players whose hand or closing in a round was changed since it was recorded."""
    first = log[result.number - 1]
    recorded = first.event if isinstance(first, events.Inserted) else first
    if not isinstance(recorded, events.RoundPlayed):
        return frozenset(result.points)
    return frozenset(
        player
        for player in result.points
        if _player_part(recorded.entry, player) != _player_part(result.entry, player)
    )


def _player_part(entry: RoundEntry, player: str) -> tuple[Hand | None, str]:
    return entry.hand_of(player), entry.closing if entry.closer == player else ""


def _round_row(row_data: _RowData, columns: Sequence[str], place: int, *, is_corrected: bool) -> ScoreRow:
    result, contracts = row_data.state.rounds[place], row_data.state.rules.contracts
    contract = contracts[place] if contracts else ""
    changed_players = _changed_hands(row_data.log, result) if is_corrected else frozenset()
    cells = tuple(
        _round_cell(row_data, place + 1, result, player, is_changed=player in changed_players)
        if player in result.points
        else ScoreCell(marks="x")
        for player in columns
    )
    return ScoreRow(
        head=str(place + 1),
        cells=cells,
        contract=contract and scoresheet_columns.contract_code(contract),
        contract_label=scoresheet_columns.contract_label(contract or None),
        is_corrected=bool(changed_players),
        href=row_data.address(result.number),
    )


def _round_cell(
    row_data: _RowData, place: int, result: RoundResult, player: str, *, is_changed: bool
) -> ScoreCell:
    points_text = amounts.points(result.points[player])
    won = _instant_win_label(row_data.state.rules, result) if result.closer == player else ""
    below = "" if len(result.points) > MAX_COLUMNS_WITH_CELL_WORDS else won
    notes = (CellNote(below),) if below else ()
    doubts = [texts.translate(doubt.text) for doubt in result.doubts if doubt.player == player]
    if (result.number, player) in row_data.doubted:
        doubts.append(_("Someone says it's wrong"))
    if row_data.is_example:
        label = ["" if below else won, *doubts]
    else:
        name = naming.isolate(row_data.people[player].name)
        label = [row_data.label % {"name": name, "number": place, "points": points_text}, won, *doubts]
    return ScoreCell(
        text=points_text,
        href=row_data.address(result.number, player),
        label=". ".join(filter(None, label)),
        marks=amounts.css_classes(cut=result.closer == player, fixed=is_changed, odd=bool(doubts)),
        notes=notes,
    )


def _instant_win_label(rules: Rules, result: RoundResult) -> str:
    """Return the name of this round's closing if it won the game at once; "" for any other closing."""
    closing = get_closing(rules, result.entry)
    return texts.translate(closing.short) if closing.wins_game else ""


def _step_sentence(row_data: _RowData, step: Step) -> str:
    return event_sentences.play_sentence(
        step.event,
        number=step.number,
        state=row_data.state,
        people=row_data.people,
        table=row_data.game.table,
    )


def _step_notes(
    row_data: _RowData, step: Step, before: Mapping[str, Seat], *, is_crowded: bool
) -> list[tuple[str, CellNote]]:
    """Return the notes for this step by player. An event that is not about one player has none.

    `before` has the seats before the step.
    """
    event, notes = step.event, list[tuple[str, CellNote]]()
    match event:
        case events.PlayerReentered(player):
            total = amounts.points(row_data.state.rules.displayed_total(step.totals[player]))
            text = _("back at %(total)s") % {"total": total}
            label = f"{_step_sentence(row_data, step)}, {text}"
            note = (
                CellNote(total, "again", "gold", label) if is_crowded else CellNote(text, "", "gold", label)
            )
            notes.append((player, note))
        case events.PlayerJoined(player=newcomer):
            total = amounts.points(row_data.state.rules.displayed_total(step.totals[newcomer.id]))
            notes.append((newcomer.id, CellNote(total, "join", "gold", _step_sentence(row_data, step))))
        case events.PointsAdjusted(player, amount):
            notes.append(
                (
                    player,
                    CellNote(amounts.points(amount, signed=True), "", "gold", _step_sentence(row_data, step)),
                )
            )
        case _:
            pass
    for player, seat in step.seats.items():
        if seat in scoresheet_columns.GONE_SEATS and before.get(player) not in (None, seat):
            word = scoresheet_columns.seat_label(seat)
            is_said = isinstance(event, events.PlayerStayedOut | events.PlayerLeft)
            label = _step_sentence(row_data, step) if is_said else word
            notes.append((player, CellNote(*("", "close") if is_crowded else (word, ""), "red", label)))
    return notes
