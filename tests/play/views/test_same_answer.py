"""The golden games, recorded through the pages alone, show the results that the rules calculate."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

import pytest
from django.urls import reverse

from games.models import Game, Member
from games.play.services import recording
from games.scoring.game_statistics import pot_won
from games.scoring.ledger import nets, pair_nets, transfers
from games.scoring.money import movements, pot_amount
from games.scoring.state import GameState, Seat
from games.scoring.text.game_file import play_game_file
from tests.factories import make_table, new_key
from tests.form_scorer import FormScorer, NoPageForEvent
from tests.golden_games import create_members, each_golden_game, read_golden
from tests.reader import Node, Walker, parse_whole_number

pytestmark = pytest.mark.django_db

SAMPLED = 40  # the quick run plays one of this many games
SEATS = {"bust": Seat.PENDING, "out": Seat.OUT, "sits out": Seat.SITTING_OUT, "went home": Seat.LEFT}
# The games with lines that no page can enter: they are recorded past the pages, and all others on the pages. Who deals
# first has the first seat; which game it is and who plays stay; whoever is bust answers in the order of the seats; only
# a round is put in before something else; a stop is taken out and said anew, and one with an open answer asks for it
# first; no page asks for totals agreed on.
NOT_ON_PAGES = {
    *("before_a_forgotten_join", "chinchon_correction", "chinchon_everybody_bust", "chinchon_free_cut"),
    *("chinchon_pending_and_prizes", "chinchon_players", "chinchon_stop", "chinchon_to_winner_leavers"),
    *("chinchon_two_bust", "chinchon_wild_chinchon", "chinchon_wins_at", "conflict_d_agree_stays"),
    *("contracts_correction", "points_pool_rummy", "points_kalookie", "points_rummikub"),
    *("contracts_defaults", "contracts_settlements", "contracts_ties_shared", "contracts_values"),
    *("correct_game", "correct_players", "corrections", "corrections_in_one_line"),
    *("corrections_keep_the_order_written", "mas_joint_winners", "mas_stop", "names_and_comments"),
    *("option_late_entry", "packs_three_for_a_newcomer", "refused_starts", "ruling_agree", "ruling_dealer"),
    *("ruling_h_stays", "ruling_two_bust", "ruling_two_bust_one_answers", "stop_is_corrected"),
    *("chinchon_strict_cut", "conflict_a_stay_out", "conflict_c_missed_rounds"),
    *("packs_three_back_to_two", "points_gin", "points_named_money", "points_phase_10", "points_play_off"),
    *("points_play_off_target", "stopped_lowest_wins", "stopped_split_pot_pending"),
}
# It corrects the rules to an option that cannot be met. A text is read with it, and a site refuses it (RULES 1.4).
REFUSED = {"chinchon_wild_chinchon_ace"}


@each_golden_game(SAMPLED, without=REFUSED)
def test_a_golden_game_recorded_through_the_pages_shows_the_calculated_results(ana, owner, path):
    played = play_game_file(lines := read_golden(path))
    assert played.state is not None
    table = make_table(owner, people=())
    names = distinguish_names(create_members(table, played.log))
    keeper = FormScorer(Walker(ana, follows=False))
    is_passed_over = record_game(keeper, table, owner, [line for line in lines if line.events])

    assert len(played.log) == Game.objects.get(code=keeper.code).records.count()
    assert expected_results(played.state, [*names]) == page_results(
        keeper, {name: slug for slug, name in names.items()}
    )
    assert (path.stem in NOT_ON_PAGES) == is_passed_over


def distinguish_names(names):
    """Rename members with equal names, so that pages are unambiguous. Return all names by player id."""
    for slug, name in names.items():
        if [*names.values()].count(name) > 1:
            Member.objects.filter(slug=slug).update(name=f"{name} {slug}")
    return dict(Member.objects.values_list("slug", "name"))


def record_game(keeper, table, owner, lines):
    """Record a game line by line through the pages. Return whether a line had to be recorded directly."""
    first, *others = lines
    is_passed_over = False
    try:
        keeper.start(table, *first.events)
    except NoPageForEvent:
        is_passed_over = True
        keeper.code = recording.start_game(table, *first.events, key=new_key(), by=owner).code
    for line in others:
        rest = line.events
        try:
            while rest:
                rest = keeper.record(*rest)
        except NoPageForEvent:
            is_passed_over = True
            game = Game.objects.get(code=keeper.code)
            recording.record(game, *rest, after=len(game.log()), key=new_key(), by=owner)
    return is_passed_over


# --- what it comes to, and what the pages show ------------------------------------------------------------------------


def expected_results(state: GameState, join_order: list[str]) -> dict[str, Any]:
    """Return a game's outcome as the scoring package calculates it. `join_order` is the order of joining."""
    ids, net = [player.id for player in state.players], nets(state)
    won = pair_nets(movements(state)) if state.is_over else {}
    debts = transfers({player: net.get(player, 0) for player in join_order}) if state.is_over else ()
    return {
        "totals": {player.id: state.rules.displayed_total(player.total) for player in state.players},
        "seats": {player.id: player.seat for player in state.players},
        "dealer": state.dealer,
        "pot": pot_won(state) if state.is_over else pot_amount(state),
        "nets": net,
        "winners": crowned(state),
        "pairwise": {
            player: {other: won[player, other] for other in ids if other != player} for player in ids
        }
        if any(won.values())
        else {},
        "transfers": sorted((debt.payer, debt.payee, debt.amount) for debt in debts),
    }


def crowned(state: GameState) -> list[str] | None:
    """Return the winners as pages show them: nobody is crowned for a pot that was shared by agreement."""
    if state.outcome is None:
        return None
    return [] if state.outcome.agreed else sorted(state.outcome.winners)


def page_results(keeper: FormScorer, ids: Mapping[str, str]) -> dict[str, Any]:
    page = keeper.open("sheet")
    table = page.only("div", id="sheet")
    player_ids = [ids[head.attrs["title"]] for head in table.every("button")]
    totals = [parse_whole_number(str(node.inside[0])) for node in nodes_with_class(table, "total")]
    seats = [SEATS.get(node.text, Seat.IN) for node in nodes_with_class(table, "margin")]
    dealer, pot = page.every("b", data_now="dealer"), page.every("b", data_now="pot")
    page_shown = {
        "totals": dict(zip(player_ids, totals, strict=True)),
        "seats": dict(zip(player_ids, seats, strict=True)),
        "dealer": ids[dealer[0].attrs["title"]] if dealer else None,
        "pot": parse_whole_number(pot[0].text) if pot else 0,
    }
    if page.every("a", href=reverse("settlement", args=[keeper.code])):
        return page_shown | settlement_results(keeper.open("settlement"), ids)
    paid = page.every("div", id="money")
    paid_in = amounts_by_player(paid[0].every("summary"), ids) if paid else dict.fromkeys(player_ids, 0)
    return page_shown | {"nets": paid_in, "winners": None, "pairwise": {}, "transfers": []}


def settlement_results(page: Node, ids: Mapping[str, str]) -> dict[str, Any]:
    rows = page.only("ol", id="standings").every("li")
    payment_boxes, net = page.every("div", id="payments"), amounts_by_player(rows, ids)
    for row in rows:
        causes = [parse_whole_number(cause.text) for cause in row.every("dd")]
        assert net[player_id(row, ids)] == sum(causes), "the causes of an amount add up to it"
    return {
        "nets": net,
        "winners": sorted(player_id(row, ids) for row in rows if row.attrs["class"] == "pay first"),
        "pairwise": pairwise_amounts(page, ids),
        "transfers": sorted(parse_payment(row, ids) for row in payment_boxes[0].every("summary"))
        if payment_boxes
        else [],
    }


def pairwise_amounts(page: Node, ids: Mapping[str, str]) -> dict[str, dict[str, int]]:
    """Return, for each player, the amount won from each other player; {} without differences of totals."""
    won: dict[str, dict[str, int]] = {}
    rows = page.only("ol", id="standings").every("li")
    player_ids = [player_id(row, ids) for row in rows]
    for row in rows:
        amounts = won.setdefault(player_id(row, ids), dict.fromkeys(player_ids, 0))
        for cause in row.every("dl")[0].every("div") if row.every("dl") else ():
            if match := re.match("With (.+?)(?:, after round.*)?: ", cause.only("dt").text):
                amounts[ids[match[1]]] += parse_whole_number(cause.only("dd").text)
    for player, others in won.items():
        others.pop(player)
    return won if any(map(any, (others.values() for others in won.values()))) else {}


def parse_payment(row: Node, ids: Mapping[str, str]) -> tuple[str, str, int]:
    """Return one payment as the payer's id, the payee's id and the amount."""
    payer, payee = row.only("span", class_="pair").attrs["title"].split(" → ")
    return ids[payer], ids[payee], row_amount(row)


def amounts_by_player(rows: list[Node], ids: Mapping[str, str]) -> dict[str, int]:
    return {player_id(row, ids): row_amount(row) for row in rows}


def player_id(row: Node, ids: Mapping[str, str]) -> str:
    return ids[row.only("span", class_="name").attrs["title"]]


def row_amount(row: Node) -> int:
    """Return the amount at the end of a row, or 0 in a game without money."""
    return sum(parse_whole_number(node.text) for node in nodes_with_class(row, "figure"))


def nodes_with_class(part: Node, mark: str) -> list[Node]:
    """Return the text elements inside that have this class."""
    return [node for node in part.every("span", "b") if mark in node.attrs.get("class", "").split()]
