"""The version of a table: every write of a service raises it, and a call that writes nothing does not."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import Any
from unicodedata import normalize

import pytest
from django.utils.timezone import now

from games.files.services import audit, imports
from games.models import Result, Table
from games.money.services import (
    accounting,
    cash_settlement,
    debt_settlement,
    expenses,
    fewest_payments,
    member_merges,
    payments,
    starting_balances,
)
from games.play.services import recording, seating
from games.play.services.seating import NewGameSeating, NewPlayer
from games.scoring.events import Corrected
from games.scoring.text.notation import parse_line
from games.scoring.variants import get_variant
from games.seasons.services import season_setup
from games.tables.services import membership, setup
from tests.factories import (
    build_expense,
    build_round,
    confirm_as_member,
    end_season,
    get_last_night,
    new_key,
    start,
)
from tests.notebook_imports import run_nights_import

pytestmark = [pytest.mark.django_db, pytest.mark.postgres]

DAY = timedelta(days=1)
NOTEBOOK = "fecha;Ana;Eva\n1/5/24;-7;7\n2/5/24;3;-3\n"


def get_version(table):
    return Table.objects.values_list("version", flat=True).get(pk=table.pk)


def decompose(text: str) -> str:
    """Return the text with separate accents, as some phones send it. Services store it in NFC."""
    return normalize("NFD", text)


Do = Callable[[str, Callable[[], Any]], Any]


def run_game_services(table, owner, do: Do):
    """Call every service that writes: `do(name, call)` makes each call and returns its result."""
    game = do("start_game", lambda: start(table, owner, stake=100))
    eva = do("add_member", lambda: membership.add(table, decompose("Éva")))
    do(
        "change_settings",
        lambda: setup.change_settings(table, name=decompose("Mesa de los sábados"), region="es-CL"),
    )
    do("change_member", lambda: membership.update(eva, name=decompose("Evíta"), colour=3))
    do("set_account", lambda: membership.set_payment_details(eva, decompose("éva.loba.mp")))
    do("retire", lambda: membership.retire(eva))
    do("bring_back", lambda: membership.reactivate(eva))
    do("record", lambda: recording.record(game, sample_round(), after=1, key=new_key(), by=owner))
    do("undo", lambda: recording.undo(game, after=2, key=new_key(), by=owner))
    do("redo", lambda: recording.redo(game, after=3, key=new_key(), by=owner))
    do("record", lambda: correct(game, 2, owner))
    stop = parse_line("stop lowest_wins")
    do("record", lambda: recording.record(game, *stop, after=len(game.log()), key=new_key(), by=owner))
    run_money_services(table, game, owner, do)
    do(
        "sit_down",
        lambda: seating.start_with_newcomers(table, chinchon_start(table), key=new_key(), by=owner),
    )
    do("discard_game", lambda: recording.discard_game(game))
    do("restore_game", lambda: recording.restore_game(game))
    run_merge_services(table, owner, do)
    run_season_services(table, do)
    run_notebook_services(table, owner, do)


def run_money_services(table, game, owner, do: Do):
    who = {member.slug: member for member in table.members.all()}
    debt = accounting.load_accounts(table).debts[0]
    seen = {"version": debt.version, "claims": debt.claims, "by": owner}
    do("tick", lambda: debt_settlement.settle(table, debt.payer, debt.payee, **seen))
    do("pay_on_the_spot", lambda: cash_settlement.mark_paid(game, by=owner))
    do("owe_again", lambda: cash_settlement.unmark_paid(game, by=owner))
    beto, ana = who["beto"], who["ana"]
    payment = do(
        "pay", lambda: payments.create(table, beto, ana, 60, note=decompose("seña"), key=new_key(), by=owner)
    )
    confirm_as_member(owner, ana)
    do("dispute", lambda: payments.dispute(payment, by=owner, objection=decompose("no me llegó")))
    do("confirm", lambda: payments.confirm(payment, by=owner))
    do("take_back", lambda: payments.void(payment, by=owner, reason=decompose("no fue así")))
    run_expense_services(table, owner, who, do)
    before = {"ana": 5, "beto": -5}
    options = {"seen": accounting.latest_entry_number(table), "key": new_key(), "by": owner}
    opening = do("open_balances", lambda: starting_balances.record(table, before, **options))
    do("take_balances_back", lambda: starting_balances.void(table, opening.number, by=owner))
    for payer, payee in (("dani", "caro"), ("beto", "dani")):  # a chain of two debts
        payments.create(table, who[payer], who[payee], 900, key=new_key(), by=owner)
    week_later, seen_then = (
        now() + 7 * DAY,
        accounting.latest_entry_number(table),
    )  # nobody is a visitor any more
    do(
        "set_fewest",
        lambda: fewest_payments.update(table, is_on=True, seen=seen_then, by=owner, at=week_later),
    )
    Result.objects.filter(game=game).update(points=99)
    do("check_table", lambda: audit.check_table(table, repair=True))
    do("retire", lambda: membership.retire(who["dani"]))


def run_expense_services(table, owner, who, do: Do):
    night = get_last_night(table)
    pizza = build_expense(who["beto"], 1000, (who["ana"], who["beto"]), decompose("pizza de jamón"))
    cost = do("share_cost", lambda: expenses.create(table, night, pizza, key=new_key(), by=owner))
    do("cancel_cost", lambda: expenses.void(cost, by=owner, reason=decompose("no fue así")))


def run_merge_services(table, owner, do: Do):
    caro, carolina = table.members.get(slug="caro"), membership.add(table, "Carolina")
    do(
        "merge",
        lambda: member_merges.merge(
            carolina, caro, seen=member_merges.preview(carolina, caro).digest, by=owner
        ),
    )
    do("unmerge", lambda: member_merges.unmerge(carolina, by=owner))


def run_season_services(table, do: Do):
    season = table.seasons.get()
    do(
        "change_season",
        lambda: season_setup.update(season, name=decompose("Primavéra"), first_day=season.starts_on - DAY),
    )
    last_day = season.starts_on
    do("begin_season", lambda: end_season(season.table, last_day=last_day, next_name=decompose("Otoño")))
    do("drop_season", lambda: season_setup.delete(table.seasons.latest("starts_on")))


def run_notebook_services(table, owner, do: Do):
    membership.add(table, "Eva")
    at = now()
    do("bring", lambda: run_nights_import(table, NOTEBOOK, at=at))
    do("take_back", lambda: imports.revert(table.arrivals.get(at=at), by=owner))


def chinchon_start(table):
    """Return the start of a game of Chinchón with the member Ana and a newcomer."""
    variant = get_variant("chinchon")
    people = [NewPlayer("ana"), NewPlayer(name="Zulema")]
    return NewGameSeating(variant, variant.house({}), people, variant.direction)


def sample_round():
    return build_round("ana", beto=23, caro=40, dani=9)


def correct(game, number, by):
    """Correct this event to a round in which Beto has 12 points."""
    entry = build_round("ana", beto=12, caro=40, dani=9)
    return recording.record(game, Corrected(number, entry), after=len(game.log()), key=new_key(), by=by)


def test_every_service_that_writes_raises_the_version(table, owner):
    def raising(name, act):
        before = get_version(table)
        came_to = act()
        assert get_version(table) > before, name
        return came_to

    run_game_services(table, owner, raising)


def test_what_records_nothing_new_leaves_the_version(table, owner, game):
    key = new_key()
    recording.record(game, sample_round(), after=1, key=key, by=owner)
    before = get_version(table)

    recording.record(game, sample_round(), after=1, key=key, by=owner)
    recording.restore_game(game)
    setup.change_settings(table, name=table.name)
    ana = table.members.get(slug="ana")
    membership.update(ana, name=ana.name, colour=ana.colour)
    membership.reactivate(ana)
    membership.set_payment_details(ana, "")

    assert before == get_version(table)
