"""The form of a table's next game: members to choose from, and the last game's rules filled in.

`browser/test_new_game.py` has what scripts do on the form.
"""

from __future__ import annotations

import secrets

import pytest
from django.urls import reverse
from django.utils.timezone import now

from games.models import Game
from games.scoring.events import PlayerLeft
from games.scoring.rule_types import Value
from games.scoring.variants import VARIANTS, get_variant
from games.tables.services import membership
from tests.factories import PEOPLE, build_round, new_key, start
from tests.reader import Walker, fields, read_page

pytestmark = pytest.mark.django_db


def _address(table):
    return reverse("new-game", args=[table.code])


def _payload(**changes):
    """Return the form's fields for a game of Dani, Ana and a newcomer with a stake of 50."""
    usual = {
        "key": new_key(), "variant": "loba_menos", "seat_1": "dani", "seat_2": "ana", "new_3": "Eva",
        "option_stake": "50",
    }  # fmt: skip
    return fields(**{**usual, **changes})


def test_a_game_starts_with_members_and_a_newcomer_in_the_order_of_the_seats(ana, table):
    response = ana.post(_address(table), _payload())
    game = Game.objects.get()

    assert f"/g/{game.code}/" == response.url
    assert ["dani", "ana", "eva"] == [player.id for player in game.state().players]
    assert "dani" == game.state().dealer
    assert "Eva" == table.members.get(slug="eva").name


def test_the_form_offers_all_members_and_the_last_rules_and_starts_one_game_with_them(
    ana, table, owner, write
):
    last = start(table, owner, stake=300, reentries="unlimited", reentry_price="linear", floor=-20)
    write(last, build_round("ana", beto=1, caro=2, dani=3))
    form, _button = read_page(ana.get(_address(table))).form_with("Start")

    assert ["", "ana", "beto", "caro", "dani"] == form.allowed("seat-1")
    assert ("300", "linear") == (form.fields["option-stake"], form.fields["option-reentry_price"])
    assert "" == form.fields["option-reentry_fee"]
    assert "table-name" not in form.fields

    first, second = (ana.post(_address(table), form.fields) for _tap in range(2))
    game = Game.objects.exclude(pk=last.pk).get()
    assert (f"/g/{game.code}/", first.url) == (first.url, second.url)
    assert last.state().house == game.state().house


def test_those_who_stayed_in_the_last_game_are_preselected_beginning_with_the_next_dealer(
    ana, table, owner, write
):
    def selected_seats():
        page = read_page(ana.get(_address(table)))
        return [page.typed(f"seat-{number}") for number in range(1, 6)]

    game = start(table, owner)
    write(game, build_round("ana", beto=1, caro=2, dani=3))
    write(game, PlayerLeft("beto"))
    assert ["caro", "dani", "ana", "", ""] == selected_seats()

    table.members.filter(slug="dani").update(retired_at=now())
    table.members.filter(slug="caro").update(merged_into=membership.add(table, "Eva"))
    assert ["eva", "ana", "", "", ""] == selected_seats()


def test_a_rule_that_needs_another_is_cleared_without_it(ana, table):
    chosen = {"variant": "chinchon", "option_wilds": "none", "option_wild_chinchon": "-25"}
    ana.post(_address(table), _payload(**chosen))

    assert "wins" == Game.objects.get().state().house["wild_chinchon"]


def test_the_first_dealer_is_drawn_and_the_order_around_the_table_stays(ana, table, monkeypatch):
    drawn = iter(range(3))
    monkeypatch.setattr(secrets, "randbelow", lambda players: next(drawn) % players)
    pages = [read_page(ana.post(_address(table), {**_payload(), "draw": "yes"})) for _draw in range(3)]

    assert [
        ("dani", "ana", "Eva", "", ""),
        ("ana", "Eva", "dani", "", ""),
        ("Eva", "dani", "ana", "", ""),
    ] == [
        tuple(page.typed(f"seat-{number}") or page.typed(f"new-{number}") for number in range(1, 6))
        for page in pages
    ]
    assert not Game.objects.exists()


# --- six games --------------------------------------------------------------------------------------------------------


@pytest.fixture
def walker(ana, table):
    walker = Walker(ana)
    walker.open(_address(table))
    return walker


CHOOSE = "Show the rules of this game"
WITHOUT_PRIZES: dict[str, Value] = {"cut_prize": 0, "chinchon_prize": 0, "reentry_price": "flat"}


@pytest.mark.parametrize("key", VARIANTS)
def test_every_variant_can_be_dealt_with_its_usual_rules(walker, key):
    walker.press(CHOOSE, variant=key)
    walker.press("Start", seat_1="dani", seat_2="ana", seat_3="beto")
    game, variant = Game.objects.get(), get_variant(key)

    house = variant.house(WITHOUT_PRIZES if key == "chinchon" else {})
    assert f"/g/{game.code}/" == walker.address
    assert (variant, house, variant.direction) == (
        game.state().variant,
        game.state().house,
        game.state().direction,
    )


def test_a_variant_dealt_without_showing_its_rules_uses_the_usual_rules(walker):
    """Loba de Menos was shown with two re-entries. Chinchón gets its usual rules; only the stake is kept."""
    walker.press("Start", variant="chinchon", seat_1="dani", seat_2="ana", option_stake="70")

    assert get_variant("chinchon").house({"stake": 70, **WITHOUT_PRIZES}) == Game.objects.get().state().house


def test_prizes_and_rising_fees_are_those_that_the_table_last_played_for(walker, table, owner):
    page = walker.press(CHOOSE, variant="chinchon", option_stake="70")
    assert "stake $70 · unlimited re-entries at $70" in page.only("button", id="says").text

    start(table, owner, variant="chinchon", stake=300, cut_prize=20, reentry_price="double")
    walker.open(_address(table))
    assert (
        "stake $300 · $20 for a cut · $300 for a chinchón · unlimited re-entries at $300, $600, $1,200…"
        in walker.page.only("button", id="says").text
    )


def test_another_variant_has_the_rules_of_its_own_last_game_and_keeps_players_and_stake(walker, table, owner):
    start(table, owner, variant="chinchon", stake=300, cut_max=5)
    start(table, owner, stake=20, joker=25)
    page = walker.open(_address(table))
    assert ("loba_menos", "25") == (page.typed("variant"), page.typed("option-joker"))

    page = walker.press(CHOOSE, variant="chinchon", seat_1="dani", new_5="Eva", option_stake="50")
    assert ("5", "50") == (page.typed("option-cut_max"), page.typed("option-stake"))
    assert ("dani", "Eva") == (page.typed("seat-1"), page.typed("new-5"))


def test_every_variant_keeps_its_own_stake_until_another_is_typed(walker, table, owner):
    start(table, owner, variant="chinchon", stake=300, cut_prize=20)
    start(table, owner, stake=20)
    walker.open(_address(table))

    for variant, data, offered in [
        ("chinchon", {}, "300"),
        ("carioca_cl", {}, "20"),  # never played: as in the last game
        ("chinchon", {}, "300"),
        ("loba_menos", {}, "20"),
        ("chinchon", {"option_stake": "70"}, "70"),
        ("loba_menos", {}, "70"),
        ("points", {}, "70"),  # without money
        ("loba_menos", {}, "70"),
    ]:
        page = walker.press(CHOOSE, variant=variant, **data)
        assert (variant, offered) == (page.typed("variant"), page.typed("option-stake"))


def test_the_settlement_decides_which_amounts_are_shown_outside_the_fold_and_which_are_hidden(
    subtests, walker
):
    stakes = {"stake", "reentry_price", "reentry_fee"}
    for key, settlement, visible, hidden in [
        ("loba_menos", "none", [], stakes),
        ("loba_mas", "pot_and_pairs", ["stake", "point_value"], set()),
        ("chinchon", "pot", ["stake", "cut_prize"], {"point_value"}),
        ("chinchon", "to_winner", ["point_value", "cut_prize"], stakes),
    ]:
        with subtests.test(key=key, settlement=settlement):
            walker.press(CHOOSE, variant=key)
            page = walker.press(CHOOSE, option_settlement=settlement)
            fold_inputs = page.only("details", id="house").every("input")
            names = [node.attrs.get("name") for node in page.every("input") if node not in fold_inputs]
            unseen = [node.attrs["name"] for node in page.every("input", type="hidden")]

            assert visible == [
                name
                for name in ("stake", "point_value", "cut_prize")
                if f"option-{name}" in {*names} - {*unseen}
            ]
            assert hidden == {name.removeprefix("option-") for name in unseen if name.startswith("option-")}
            assert settlement == page.typed("option-settlement")


@pytest.mark.parametrize(
    ("field", "is_open"),
    [("option_stake", False), ("option_joker", True)],
    ids=["the stake", "another amount"],
)
def test_the_sheet_of_the_rules_opens_for_what_it_refuses_and_never_covers_the_refused_stake(
    ana, table, field, is_open
):
    response = ana.post(_address(table), _payload(**{field: "x"}))
    assert (422, is_open) == (
        response.status_code,
        "popover" not in read_page(response).only(id="game").attrs,
    )


# --- how many can play ------------------------------------------------------------------------------------------------

CROWD = (*PEOPLE, "Eva", "Fede", "Gabi", "Hugo")


def _seat_fields(count):
    return {f"new-{place}": "" for place in range(1, 9)} | {
        f"{'seat' if place <= 4 else 'new'}-{place}": name.lower() if place <= 4 else name
        for place, name in enumerate(CROWD[:count], start=1)
    }


@pytest.mark.parametrize("key", ["loba_menos", "carioca_cl"])
def test_six_players_with_two_packs_are_refused_with_an_offer_of_three(ana, table, key):
    response = ana.post(_address(table), {**_payload(variant=key), **_seat_fields(6)})
    page = read_page(response)

    assert 422 == response.status_code
    sentence = "Two packs are for at most 5 players. Choose three packs in the house rules."
    assert sentence == page.said_at("seat-1")
    assert "Fede" == page.typed("new-6")
    assert not Game.objects.exists()

    form, button = page.form_with("Use three packs")
    page = read_page(ana.post(_address(table), {**form.fields, button.attrs["name"]: button.attrs["value"]}))
    assert ("3", "Fede") == (page.typed("option-packs"), page.typed("new-6"))
    assert [] == page.every("button", name="remedy")

    form, _button = page.form_with("Start")
    assert 302 == ana.post(_address(table), form.fields).status_code
    assert 6 == len(Game.objects.get().state().players)


def test_a_variant_with_fewer_seats_drops_no_player(ana, table):
    response = ana.post(_address(table), {**_payload(choose="yes"), **_seat_fields(6), "shown": "chinchon"})
    assert ("Eva", "Fede") == tuple(read_page(response).typed(f"new-{place}") for place in (5, 6))


def test_a_game_with_more_than_four_players_shows_a_hint(subtests, walker):
    for key, options, hint in [
        ("chinchon", {}, "With more than four players, two packs are better. Use two packs"),
        ("chinchon", {"option_packs": "2"}, None),
        ("carioca_cl", {}, "Chilean Carioca is usually played by four at most."),
        ("points", {}, None),
    ]:
        with subtests.test(key=key, options=options):
            walker.press(CHOOSE, variant=key)
            page = walker.press(CHOOSE, **options)

            assert ([hint] if hint else []) == [node.text for node in page.every("div", data_over="4")]


# --- which way the deal goes ------------------------------------------------------------------------------------------


def test_the_direction_of_the_last_game_is_preselected_but_in_chinchon_whose_rematches_reverse_it(
    walker, table
):
    walker.press("Start", seat_1="dani", seat_2="ana", direction="right")
    page = walker.open(_address(table))
    assert "right" == page.typed("direction")
    assert "The deal goes: to the right" in page.only("details", id="house").every("summary")[0].text

    walker.press(CHOOSE, variant="chinchon")
    walker.press("Start", seat_1="beto", seat_2="caro", direction="left")

    assert "left" == Game.objects.get(variant="chinchon").state().direction
    assert "right" == walker.open(_address(table)).typed("direction")


FOUR = {"seat_1": "ana", "seat_2": "beto", "seat_3": "caro", "seat_4": "dani", "new_3": ""}


def test_a_game_of_people_who_have_just_started_one_is_asked_about(ana, table, owner):
    game = start(table, owner, stake=100)
    response = ana.post(_address(table), _payload(**FOUR))
    page = read_page(response)
    form, button = page.form_with("Start another")

    assert (422, 1) == (response.status_code, Game.objects.count())

    assert "You already have a game" in page.only(id="asked").text
    assert f"/g/{game.code}/" in [link.attrs["href"] for link in page.every("a")]
    assert ["ana", "beto", "caro", "dani"] == [form.fields[f"seat-{seat}"] for seat in range(1, 5)]
    assert "50" == form.fields["option-stake"]

    assert 302 == ana.post(_address(table), {**form.fields, "sure": button.attrs["value"]}).status_code
    assert 2 == Game.objects.count()


@pytest.mark.parametrize(
    ("language", "first", "played_for"),
    [
        ("es-AR", "loba_menos", "apuesta $ 500 · hasta 2 reenganches a $ 500"),
        ("es-MX", "loba_menos", "apuesta $20 · hasta 2 reenganches a $20"),
        ("es-UY", "loba_menos", "apuesta $ 20 · hasta 2 reenganches a $ 20"),
        ("es-PY", "loba_menos", "apuesta Gs. 5.000 · hasta 2 reenganches a Gs. 5.000"),
        ("en-GB", "loba_menos", "stake £1 · up to 2 re-entries at £1"),
        ("es-CL", "carioca_cl", "solo puntos"),
        ("es-ES", "chinchon", "solo puntos"),
    ],
)
def test_the_region_decides_which_game_is_first_and_the_line_says_what_is_played_for(
    nobody, language, first, played_for
):
    page = read_page(nobody.get(reverse("new-table"), headers={"Accept-Language": language}))

    chosen, *_others = page.every("input", name="variant")
    assert (first, True) == (chosen.attrs["value"], "checked" in chosen.attrs)
    assert played_for in page.only("button", id="says").text


@pytest.mark.parametrize(
    ("language", "unit", "choices"),
    [
        ("es-AR", "$", ["Nada", "500", "1.000", "2.000", "5.000"]),
        ("es-CL", "$", ["Nada", "500", "1.000", "2.000", "5.000"]),
        ("es-UY", "$", ["Nada", "20", "50", "100", "200"]),
        ("es-MX", "$", ["Nada", "20", "50", "100", "200"]),
        ("es-ES", "€", ["Nada", "1", "2", "5", "10"]),
        ("es-PY", "Gs.", ["Nada", "5.000", "10.000", "20.000", "50.000"]),
        ("es-AR", "fichas", ["Nada", "10", "50", "100", "500", "1.000"]),
    ],
)
def test_the_stakes_offered_fit_the_money_and_are_written_as_people_read_them(
    nobody, language, unit, choices
):
    chosen = {"variant": "loba_menos", "shown": "loba_menos", "choose": "yes", "unit": unit}
    response = nobody.post(reverse("new-table"), chosen, headers={"Accept-Language": language})
    stake = read_page(response).only("div", aria_labelledby="stake-label")
    assert choices == [choice.text for choice in stake.every("button") if "data-to" in choice.attrs]


def test_a_stake_that_only_this_table_plays_for_is_preset(walker, table, owner):
    start(table, owner, stake=300)
    assert "300" == walker.open(_address(table)).typed("option-stake")


def test_a_game_for_nothing_says_so(walker):
    page = walker.press(CHOOSE, option_stake="0", option_reentries="0")
    assert "points only" in page.only("button", id="says").text
