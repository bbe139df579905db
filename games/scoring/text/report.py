"""The results that the command line prints: a game as a table of text or as JSON, the points of a hand.

The JSON objects are described in NOTATION, Command line.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from ..columns import players_by_column
from ..endings import elimination_reasons
from ..going_down import NotDown
from ..i18n import Text
from ..ledger import nets, pair_nets, payments, settlement
from ..money import movements, pot_amount, reentry_fee
from ..solvers.contracts import Bajada, Contract, Lacking
from ..state import GameState, Step
from .notation_writer import write_event


def summary(state: GameState) -> dict[str, object]:
    """Return the state of the game as one JSON object: players, rounds, pot, payments …"""
    net = nets(state)
    return {
        "variant": state.variant.key,
        "over": state.outcome.reason if state.outcome else None,
        "winners": list(state.outcome.winners) if state.outcome else [],
        "pot": pot_amount(state),
        "dealer": state.dealer,
        "contract": state.contract,
        "players": [
            {
                "id": player.id,
                "name": player.name,
                "total": player.total,
                "seat": player.seat,
                "reentries": player.reentries,
                "net": net[player.id],
            }
            for player in state.players
        ],
        "rounds": [
            {
                "number": result.number,
                "closer": result.closer,
                "closing": result.closing,
                "points": dict(result.points),
            }
            for result in state.rounds
        ],
        "pending": [
            {"id": player.id, "total": player.reentry_total, "fee": reentry_fee(state, player.id)}
            for player in state.pending
        ],
        "transfers": [
            {"from": paid.payer, "to": paid.payee, "amount": paid.amount} for paid in payments(state)
        ],
    }


def going_down_summary(variant: str, contract: Contract, result: Bajada | NotDown) -> dict[str, object]:
    """Return the result of laying down a contract as one JSON object.

    It has the melds (`games`) that can be laid, the cards kept with their points, and what is missing.
    """
    layout = result.lacking if isinstance(result, NotDown) else result
    sets, runs, ranks = (
        (layout.sets, layout.runs, layout.ranks) if isinstance(layout, Lacking) else (0, 0, ())
    )
    return {
        "variant": variant,
        "contract": contract.key,
        "fulfilled": isinstance(layout, Bajada),
        "games": [[str(card) for card in game] for game in layout.games],
        "kept": [str(card) for card in layout.kept],
        "points": layout.left,
        "missing": {"trios": sets, "escaleras": runs, "ranks": list(ranks)},
    }


def full_summary(state: GameState, say: Callable[[Text], str] = str) -> dict[str, object]:
    """Return the `summary` with pairwise winnings, doubts, and agreed totals that differ.

    `say` turns the `Text` of a doubt into a string, such as a sentence in the reader's language.
    """
    won = pair_nets(movements(state))
    ids = [player.id for player in state.players]
    return {
        **summary(state),
        "pairwise": {
            player: {other: won[player, other] for other in ids if other != player} for player in ids
        }
        if won
        else {},
        "doubts": [
            {
                "round": result.number,
                "id": doubt.player,
                "text": say(doubt.text),
                "closing": doubt.closing or None,
            }
            for result in state.rounds
            for doubt in result.doubts
        ],
        "disagreements": [
            {
                "number": differs.number,
                "id": differs.player,
                "agreed": differs.agreed,
                "counted": differs.counted,
            }
            for differs in state.disagreements
        ],
    }


def sheet(state: GameState) -> str:
    """Return the scoresheet as a table of text, followed by the result, the money and the payments."""
    lines = (*_table_lines(state), "", *_result_lines(state), *_money_lines(state), *_hint_lines(state))
    return "\n".join(lines) + "\n"


def _table_lines(state: GameState) -> Iterator[str]:
    widths = [max(6, len(player.name)) for player in state.players]
    yield _row("", [player.name for player in state.players], widths)
    for place, columns in list(enumerate(players_by_column(state), start=1))[1:]:
        step = state.steps[place - 1]
        cells = _row(str(step.number), [_cell(step, player) for player in columns], widths)
        out = "".join(f" ({reason})" for _player, reason in elimination_reasons(state, place))
        yield cells + _remark(state, step) + out
    yield _row("", [str(state.rules.displayed_total(player.total)) for player in state.players], widths)


def _row(head: str, cells: Iterable[str], widths: Iterable[int]) -> str:
    return f"{head:>4}  " + "  ".join(f"{cell:>{width}}" for cell, width in zip(cells, widths, strict=True))


def _cell(step: Step, player: str) -> str:
    return str(step.moved[player]) if player in step.moved else "·"


def _remark(state: GameState, step: Step) -> str:
    played = next((result for result in state.rounds if result.number == step.number), None)
    if played is None:
        return f"   {write_event(step.event)}"
    doubts = "".join(f" ({doubt.text})" for doubt in played.doubts)
    return f"   {played.closer or 'nobody'} {played.closing}{doubts}"


def _result_lines(state: GameState) -> Iterator[str]:
    if state.outcome is None:
        yield f"Playing; {state.player_name(str(state.dealer))} deals."
    else:
        winners = ", ".join(state.player_name(winner) for winner in state.outcome.winners) or "nobody"
        yield f"Over ({state.outcome.reason}); won by {winners}."
    for player in state.pending:
        back = state.rules.displayed_total(player.reentry_total or 0)
        yield f"{player.name} may re-enter with {back} for {reentry_fee(state, player.id)}."
    for differs in state.disagreements:
        yield f"{state.player_name(differs.player)}: {differs.agreed} was agreed, {differs.counted} is counted here."


def _hint_lines(state: GameState) -> Iterator[str]:
    """Yield the hints for a game with so many players, as the page of a new game shows them."""
    for hint in state.variant.hints:
        if len(state.players) > hint.most and all(state.house[key] != v for key, v in hint.unless.items()):
            yield str(hint.text)


def _money_lines(state: GameState) -> Iterator[str]:
    if not state.rules.money:
        return
    pot = f"Pot {pot_amount(state)}; " if state.rules.pot else ""
    yield pot + ", ".join(
        f"{state.player_name(player)} {amount:+d}" for player, amount in nets(state).items()
    )
    if not state.is_over:
        return
    result = settlement(nets(state))
    for paid in result.transfers:
        yield f"{state.player_name(paid.payer)} pays {state.player_name(paid.payee)} {paid.amount}"
    if not result.is_exact:
        yield str(result.text)
