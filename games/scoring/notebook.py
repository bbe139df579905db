"""A night of games from an old notebook, as one game that is over from the start."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from .card_points import HeldPoints
from .cards import TWO_FRENCH_PACKS
from .errors import RefusalCode, RuleError
from .events import NightImported
from .i18n import _
from .rounds import PlayerId
from .rule_types import MAX_POINTS, AfterContracts, NotebookNets, Rules
from .state import GameState, Outcome, PlayerState, Reason
from .text_line import check_writable
from .variants import VARIANTS, get_variant, unknown_game_sentence
from .variants.notebook import NOTEBOOK

MAX_MONEY = 10**12


def notebook_state(night: NightImported) -> GameState:
    """Return the state of the finished game that represents a night of an old notebook.

    Raise RuleError if the night's numbers are impossible, e.g. if wins and losses do not add up to zero.
    """
    _check(night)
    variant = get_variant(night.variant) if night.variant else NOTEBOOK
    totals = dict(night.totals)
    return GameState(
        variant=variant,
        house=variant.house(),
        rules=_build_rules(night),
        direction=variant.direction,
        players=tuple(
            PlayerState(player.id, player.name, total=totals.get(player.id, 0)) for player in night.players
        ),
        due=None,
        outcome=Outcome(
            Reason.IMPORTED, tuple(player for player, place in night.places if place == 1), number=1
        ),
    )


def _build_rules(night: NightImported) -> Rules:
    """Return rules without rounds: the notebook does not record the rules that were played."""
    return Rules(
        deck=TWO_FRENCH_PACKS,
        cards_dealt=0,
        scoring=HeldPoints({}),
        closings=(),
        ending=AfterContracts((), by_rounds_won=False),
        reentry=None,
        money=(NotebookNets(night.nets),) if night.nets else (),
    )


def _check(night: NightImported) -> None:
    ids = [player.id for player in night.players]
    if night.variant and night.variant not in VARIANTS:
        raise RuleError(unknown_game_sentence(night.variant), field="variant")
    if not NOTEBOOK.min_players <= len(ids) <= NOTEBOOK.max_players:
        least, most = NOTEBOOK.min_players, NOTEBOOK.max_players
        raise RuleError(_("A night has {least} to {most} players.", least=least, most=most), field="players")
    if len(set(ids)) != len(ids):
        raise RuleError(_("Someone is named twice."), field="players")
    for player in night.players:
        check_writable(player.name, field="players")
    if night.note:
        check_writable(night.note, field="note")
    _check_complete(night.places, ids, field="places")
    places = sorted(place for _player, place in night.places)
    if places != [1 + places.index(place) for place in places]:  # each is 1 plus the number of players ahead
        raise RuleError(_("Places can't have gaps: after two in 1st comes 3rd."), field="places")
    _check_numbers(night.totals, ids, most=MAX_POINTS, field="totals")
    _check_numbers(night.nets, ids, most=MAX_MONEY, field="nets")
    if sum(net for _player, net in night.nets):
        raise RuleError(_("Wins and losses don't add up to zero."), field="nets")


def _check_numbers(
    numbers: Sequence[tuple[PlayerId, int]], ids: Collection[PlayerId], *, most: int, field: str
) -> None:
    if not numbers:
        return
    _check_complete(numbers, ids, field=field)
    if any(abs(number) > most for _player, number in numbers):
        raise RuleError(_("A number is too large: the limit is {most}.", most=most), field=field)


def _check_complete(
    numbers: Sequence[tuple[PlayerId, int]], ids: Collection[PlayerId], *, field: str
) -> None:
    """Raise RuleError unless each player in `ids` has exactly one of `numbers`, and nobody else has one."""
    named = [player for player, _number in numbers]
    for player in named:
        if player not in ids:
            raise RuleError(
                _("{player} is not at this table.", player=player),
                code=RefusalCode.UNKNOWN_PLAYER,
                field=field,
                player=player,
            )
    if sorted(named) != sorted(ids):
        raise RuleError(_("Each player needs one place, and one of each figure given."), field=field)
