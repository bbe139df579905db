"""The smallest coin of a table: a new one has cents if its currency has; a table without cents says so.

An owner can change it until an amount is recorded.
"""

from __future__ import annotations

import pytest
from django.urls import reverse

from games.models import Game, SharedCost, Table
from games.money.services import starting_balances
from games.play.services import recording
from games.scoring.errors import RuleError
from games.tables.services import setup
from tests.factories import new_key, start
from tests.reader import Walker, read_page

pytestmark = pytest.mark.django_db

AT_THE_DOOR = {"variant": "loba_menos", "new-1": "Ana", "new-2": "Beto", "new-3": "Caro"}


def get_stake(game):
    return game.state().house["stake"]


def loba_form_fields(phone):
    """Return the fields of a new table's form with Loba de Menos, since the region decides the first game."""
    first = read_page(phone.get("/new/")).only("form", class_="sheetform").fields
    page = read_page(phone.post("/new/", {**first, "variant": "loba_menos", "choose": "yes"}))
    return page.only("form", class_="sheetform").fields


@pytest.mark.parametrize(
    ("language", "unit", "stake_text", "stake", "pot"),
    [
        ("es-ES", "€", "50", 50_00, "150,00 €"),
        ("es-ES", "fichas", "50", 50, "150 fichas"),
        ("es-AR", "$", "50", 50, "$ 150"),
        ("es-AR", "U$S", "0,50", 50, "U$S 1,50"),
        ("es-MX", "$", "1,500.5", 1500_50, "$4,501.50"),
    ],
)
def test_a_new_table_has_cents_where_its_money_has(client_for, owner, language, unit, stake_text, stake, pot):
    phone = client_for(owner, language=language)
    data = {**loba_form_fields(phone), **AT_THE_DOOR}
    phone.post("/new/", {**data, "unit": unit, "option-stake": stake_text})
    state = Game.objects.get().state()

    assert stake == state.house["stake"]
    assert pot in read_page(phone.get("/")).text


def test_another_unit_keeps_the_typed_amounts(subtests, client_for, owner):
    """The usual stake stays the usual one. An amount without a coin in the new unit is refused when sent."""
    phone = client_for(owner, language="es-ES")
    data = {**loba_form_fields(phone), **AT_THE_DOOR, "choose": "yes"}
    assert ("€", "1,00") == (data["shown-unit"], data["option-stake"])
    for before, after in [("1,00", "10"), ("20,00", "20"), ("0,50", "0,50"), ("mucho", "mucho")]:
        with subtests.test(before):
            page = read_page(phone.post("/new/", {**data, "unit": "fichas", "option-stake": before}))

            assert ("fichas", after) == (page.typed("shown-unit"), page.typed("option-stake"))


@pytest.fixture
def table_without_cents(table):
    """A table in Argentina whose money has no cents."""
    setup.change_settings(table, region="es-AR")
    return table


@pytest.fixture
def walker(ana) -> Walker:
    return Walker(ana)


def open_form(walker: Walker, name: str, *place: object) -> None:
    walker.open(reverse(name, args=place))
    assert 200 == walker.status


def test_an_owner_chooses_the_smallest_coin_until_an_amount_is_recorded(
    walker, table_without_cents, owner, play
):
    """Then a dinner costs 37,50. A game for points alone does not prevent the change."""
    start(table_without_cents, owner, settlement="none")
    open_form(walker, "accounts", table_without_cents.code)
    assert "$, without cents" in walker.page.text
    open_form(walker, "change-settings", table_without_cents.code, "money")
    coins = [label.text for label in walker.page.every("label") if label.every("input", name="decimals")]
    assert ["without cents", "with cents"] == coins
    walker.send("Save", {"decimals": "2"})
    assert 2 == Table.objects.get().decimals

    played = play("ana", "beto")
    open_form(walker, "accounts", table_without_cents.code)
    assert "without cents" not in walker.page.text
    walker.send("Record the expense", {"payer": "beto", "for-ana": "yes", "amount": "37,50"})
    assert 37_50 == SharedCost.objects.get().amount

    message = (
        "This table already has amounts, so its smallest coin can't change. For a different one, create a new table "
        "with starting balances."
    )
    open_form(walker, "change-settings", table_without_cents.code, "money")
    assert message in walker.page.text
    assert [] == walker.page.every("input", name="decimals")
    address = reverse("change-settings", args=[table_without_cents.code, "money"])
    response = walker.client.post(address, {"unit": "€", "decimals": "0"})
    assert (422, message) == (response.status_code, read_page(response).only(id="decimals-error").text)
    assert ("$", 2) == (Table.objects.get().unit, Table.objects.get().decimals)
    assert played.state().house["stake"] == 100


@pytest.mark.parametrize("recorded", ["stake", "payment", "discarded", "balances"])
def test_any_recorded_amount_keeps_the_smallest_coin(table_without_cents, owner, pay, recorded):
    if recorded == "payment":
        pay("beto", "ana", 100)
    elif recorded == "balances":
        starting_balances.record(
            table_without_cents, {"ana": 300, "beto": -300}, seen=0, key=new_key(), by=owner
        )
    else:
        game = start(table_without_cents, owner, stake=100)
        if recorded == "discarded":
            recording.discard_game(game)
    with pytest.raises(RuleError, match="This table already has amounts"):
        setup.change_settings(table_without_cents, decimals=2)


def test_a_form_whose_unit_was_changed_without_scripts_starts_the_game_in_that_unit(client_for, owner):
    phone = client_for(owner, language="es-ES")
    data = {**read_page(phone.get("/new/")).only("form", class_="sheetform").fields, **AT_THE_DOOR}
    phone.post("/new/", {**data, "unit": "fichas"})

    assert ("fichas", 0) == (Table.objects.get().unit, Table.objects.get().decimals)
    assert 10 == Game.objects.get().state().house["stake"]


def test_cents_are_chosen_beside_the_sign_and_amounts_stay_the_same_number_of_units(client_for, owner):
    phone = client_for(owner, language="es-AR")
    data = {**loba_form_fields(phone), **AT_THE_DOOR, "option-stake": "10"}
    assert ("$", "0") == (data["unit"], data["decimals"])
    page = read_page(phone.post("/new/", {**data, "decimals": "2", "choose": "yes"}))
    assert ("2", "10,00") == (page.typed("shown-decimals"), page.typed("option-stake"))
    phone.post("/new/", {**data, "decimals": "2", "option-stake": "0,50"})

    assert ("$", 2, 50) == (
        *Table.objects.values_list("unit", "decimals").get(),
        get_stake(Game.objects.get()),
    )


def test_cents_at_a_new_table_without_them_are_one_tap_away(client_for, owner):
    phone = client_for(owner, language="en-GB")
    data = {**loba_form_fields(phone), **AT_THE_DOOR, "unit": "beans", "option-stake": "0.50"}
    page = read_page(response := phone.post("/new/", data))
    assert (422, 0) == (response.status_code, Table.objects.count())
    assert "You play without cents: enter a whole amount, or use cents." == page.only(id="stake-error").text
    form, button = page.form_with("Use cents")
    phone.post("/new/", {**form.fields, button.attrs["name"]: button.attrs["value"]})

    assert ("beans", 2, 50) == (
        *Table.objects.values_list("unit", "decimals").get(),
        get_stake(Game.objects.get()),
    )


def test_where_a_table_is_opened_without_a_game_the_sign_chooses_too(client_for, owner):
    phone = client_for(owner, language="es-AR")
    form = {
        **read_page(phone.get("/bring/?what=nothing")).only("form", class_="sheetform").fields,
        "people": "Ana\nBeto",
    }
    for unit, choice, decimals in [("U$S", "0", 2), ("U$S", "2", 2), ("$", "2", 2), ("$", "0", 0)]:
        phone.post("/bring/", {**form, "unit": unit, "decimals": choice, "key": new_key()})
        assert (unit, decimals) == Table.objects.order_by("-pk").values_list("unit", "decimals")[0]
