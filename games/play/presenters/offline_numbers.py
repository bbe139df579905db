"""The numbers that a phone needs to count rounds while there is no network.

They are printed into the page and read by `scripts/play/arithmetic.js`.
"""

from __future__ import annotations

from typing import assert_never

from games.play.presenters import scoresheet_columns
from games.scoring import rule_types
from games.scoring.card_points import HeldPoints, LeftoverPoints, MeldPoints, TypedPoints
from games.scoring.money import pot_amount
from games.scoring.state import GameState, PlayerState


def build(state: GameState, after: int) -> dict[str, object]:
    """Return the numbers that the phone needs to count the next round, ready for JSON.

    They are the points of cards and closings, the limits of the game and of re-entries, and the seats.
    `after` is the number of the last event of the log. Points that only the server can compute, such as those
    of a meld, are left out; the phone leaves the totals of such a round unknown.
    """
    rules = state.rules
    return {
        "after": after,
        "round": len(state.rounds) + 1,
        "cards": rules.cards_dealt_for(state.contract),
        "suits": rules.deck.suits,
        "buy": rules.buy_points,
        "floor": rules.floor,
        "wins_at": rules.wins_at,
        "lowest": rules.lowest_wins,
        "zero_sum": rules.is_zero_sum,
        "down": rules.counts_down,
        "closings": {closing.key: _closing(closing) for closing in rules.closings},
        **_scoring(rules),
        **_ending(state),
        **({"play_off": True} if state.is_play_off else {}),
        "cap": rules.reentry.cap if rules.reentry else 0,
        "above": rules.entry.above,
        "open_to": rules.entry_open_to,
        "pot": pot_amount(state) if rules.pot else None,
        "deals": state.dealer,
        "seats": [_seat(player) for player in state.players],
        "over": state.outcome.reason.value if state.outcome else "",
    }


def _closing(closing: rule_types.Closing) -> dict[str, object]:
    return {
        "bonus": closing.bonus,
        "each": closing.bonus_per_player,
        "by": closing.by_player,
        "hand": closing.closer_hand.value,
        "wins": closing.wins_game,
        "kind": closing.kind.value,
        "wild": closing.with_wild,
    }


def _scoring(rules: rule_types.Rules) -> dict[str, object]:
    match rules.scoring:
        case HeldPoints(values):
            return {"kind": "held", "values": dict(values)}
        case MeldPoints(in_hand=values, set_sizes=sizes):
            return {"kind": "melds", "values": dict(values), "set": sizes[-1]}
        case LeftoverPoints() as scoring:
            return {
                "kind": "leftover",
                "values": dict(scoring.values),
                "wilds": dict.fromkeys(sorted(scoring.wild_cards), scoring.wild_value),
                "nothing": scoring.nothing_left,
                "nothing_for": scoring.nothing_left_for,
            }
        case TypedPoints():
            return {"kind": "typed", "values": {}}
        case _:
            assert_never(rules.scoring)


def _ending(state: GameState) -> dict[str, object]:
    """Return the numbers about the end of the game, such as its limit or target.

    A contract game has the contracts still to be played, each in words with the number of cards dealt.
    """
    ending, rules = state.rules.ending, state.rules
    match ending:
        case rule_types.LastIn(limit):
            return {"ending": "last_in", "limit": limit}
        case rule_types.FirstOut(limit):
            return {"ending": "first_out", "limit": limit}
        case rule_types.FirstTo(target):
            return {"ending": "first_to", "limit": None, "target": target}
        case rule_types.AfterContracts(contracts):
            to_come = [
                [scoresheet_columns.contract_label(contract), rules.cards_dealt_for(contract)]
                for contract in contracts[len(state.rounds) :]
            ]
            return {"ending": "contracts", "limit": None, "contracts": to_come}
        case rule_types.AfterRounds(rounds):
            return {"ending": "rounds", "limit": None, "rounds": rounds}
        case rule_types.WhenStopped():
            return {"ending": "open", "limit": None}
        case _:
            assert_never(ending)


def _seat(player: PlayerState) -> dict[str, object]:
    return {
        "id": player.id,
        "total": player.total,
        "seat": player.seat.value,
        "reentries": player.reentries,
        "back": player.reentry_total,
    }
