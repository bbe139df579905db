"""Events between rounds: penalties, departures, the deal, seats handed over, and an early end."""

from __future__ import annotations

import pytest
from django.urls import resolve, reverse

from games.models import Member, Record, Result
from games.scoring.events import GameStopped, PlayerLeft, PlayerStayedOut, PointsAdjusted, Stop
from games.scoring.money import pot_amount
from games.tables.services import membership
from tests.factories import build_round, new_key, start, totals
from tests.reader import Walker, change_lines, fields, open_page, read_page

pytestmark = pytest.mark.django_db


@pytest.fixture
def game(table, owner, write):
    """A game that a newcomer may join. Eva, a member, does not play; Beto is out, and Dani has 9 points."""
    game = start(table, owner, stake=100, late_entry="on")
    membership.add(table, "Eva")
    write(game, build_round("ana", beto=101, caro=40, dani=9))
    write(game, PlayerStayedOut("beto"))
    return game


def post(client, game, name, **values):
    data = fields(**{"after": len(game.log()), "key": new_key(), **values})
    return client.post(reverse(name, args=[game.code]), data)


def event_page(client, game, name="more"):
    return open_page(client, reverse(name, args=[game.code]))


# --- recorded ---------------------------------------------------------------------------------------------------------

PENALTY = {"penalty_player": "dani", "points": "10", "reason": "se paró"}
RECORDED = [
    ("adjust", {**PENALTY, "reason": "<b>se paró</b>"}, "Dani +10: <b>se paró</b>"),
    ("adjust", {**PENALTY, "reason": " "}, "Dani +10: penalty"),
    ("adjust", {**PENALTY, "points": "−5", "reason": ""}, "Dani −5: bonus"),
    ("leave", {"leave_player": "dani"}, "Dani went home"),
    ("deal", {"deal_player": "dani"}, "Dani deals next"),
    ("replace", {"seat_player": "dani", "to_name": "Fede"}, "Fede takes over for Dani"),
    ("replace", {"seat_player": "dani", "to": "eva", "to_name": ""}, "Eva takes over for Dani"),
    ("join", {"newcomer_name": "Fede", "after_player": "ana"}, "Fede joined"),
    ("join", {"newcomer": "eva", "newcomer_name": "", "after_player": "ana"}, "Eva joined"),
]


@pytest.mark.parametrize(("name", "values", "sentence"), RECORDED)
def test_an_event_is_named_on_the_sheet(ana, game, name, values, sentence):
    response = post(ana, game, name, **values)

    assert f"/g/{game.code}/" == response.url
    assert [sentence] == read_page(ana.get(response.url)).last


def test_an_event_leads_to_the_question_of_a_re_entry_or_to_the_result(ana, game):
    bust = post(ana, game, "adjust", **{**PENALTY, "points": "101"})
    assert reverse("reentry", args=[game.code]) == bust.url
    post(ana, game, "undo-last")
    post(ana, game, "leave", leave_player="dani")
    assert reverse("settlement", args=[game.code]) == post(ana, game, "leave", leave_player="caro").url


def test_an_early_end_is_recorded_once_it_was_seen_who_wins_and_who_pays_whom(ana, game):
    before = Record.objects.count()
    walker = Walker(ana)
    walker.open(reverse("stop", args=[game.code]))
    page = walker.press("See changes", how="lowest_wins")
    accounts = [item.text for item in page.only("ul", id="in-accounts").every("li")]

    assert [line for line in change_lines(page) if "won by Ana" in line]
    assert [line for line in accounts if "Dani → Ana" in line]
    assert before == Record.objects.count()
    walker.press("Save")
    assert (before + 1, "Ana") == (Record.objects.count(), Result.objects.get(won=True).member.name)


# --- refused ----------------------------------------------------------------------------------------------------------

CHOOSE, UNKNOWN, TAKEN = (
    "Choose a player.",
    "zed is not at this table.",
    "This table already has a member called Caro. Choose another name.",
)
NUMBER = "Write a number of points, such as 10 or -5."
ENTER = "Choose a player or enter a name."
USUAL = {
    "adjust": PENALTY,
    "leave": {"leave_player": "dani"},
    "deal": {"deal_player": "dani"},
    "replace": {"seat_player": "dani", "to_name": "Fede"},
    "join": {"newcomer_name": "Fede", "after_player": "ana"},
    "stop": {"how": "refund"},
}
REFUSED = [
    ("adjust", {"penalty_player": ""}, "penalty-player", CHOOSE),
    ("adjust", {"penalty_player": "zed"}, "penalty-player", UNKNOWN),
    ("adjust", {"points": ""}, "points", NUMBER),
    ("adjust", {"points": "1" * 30}, "points", NUMBER),
    ("adjust", {"points": "100001"}, "points", "A penalty is at most 100,000 points."),
    ("adjust", {"reason": "a" * 201}, "reason", "At most 200 characters fit here."),
    ("leave", {"leave_player": ""}, "leave-player", CHOOSE),
    ("leave", {"leave_player": "zed"}, "leave-player", UNKNOWN),
    ("leave", {"leave_player": "\x01"}, "leave-player", "\x01 is not at this table."),
    ("deal", {"deal_player": ""}, "deal-player", CHOOSE),
    ("deal", {"deal_player": "zed"}, "deal-player", UNKNOWN),
    ("deal", {"deal_player": "beto"}, "deal-player", "Beto is not in the game."),
    ("replace", {"seat_player": ""}, "seat-player", CHOOSE),
    ("replace", {"seat_player": "zed"}, "seat-player", UNKNOWN),
    ("replace", {"to_name": ""}, "to-name", ENTER),
    ("replace", {"to_name": "caro"}, "to-name", TAKEN),
    ("replace", {"to": "zed"}, "to-name", CHOOSE),
    ("replace", {"to": "caro"}, "to-name", "Caro is already at the table."),
    ("join", {"newcomer_name": ""}, "newcomer-name", ENTER),
    ("join", {"newcomer_name": "CARO"}, "newcomer-name", TAKEN),
    ("join", {"newcomer": "zed"}, "newcomer-name", CHOOSE),
    ("join", {"newcomer": "\x00"}, "newcomer-name", CHOOSE),
    ("join", {"newcomer": "caro"}, "newcomer-name", "Caro is already at the table."),
    ("join", {"after_player": "zed"}, "after-player", CHOOSE),
    ("stop", {"how": ""}, "how", "Choose how to stop."),
    ("stop", {"how": "<b>"}, "how", "Choose how to stop."),
    ("stop", {"how": "highest_wins"}, "how", "This game can't be won that way."),
]


def test_a_wrong_field_is_refused_beside_it_on_its_page_with_all_that_was_typed(subtests, ana, game):
    before = Record.objects.count(), Member.objects.count()
    for name, changes, field, sentence in REFUSED:
        with subtests.test(name=name, **changes):
            usual = USUAL[name]
            response = post(ana, game, name, **{**usual, **changes})
            page = read_page(response)

            assert (422, sentence) == (response.status_code, page.said_at(field))
            assert [] == page.alerts
            for field_name, text in fields(**usual).items():
                assert changes.keys() & {field_name.replace("-", "_")} or text == page.typed(field_name)
            assert before == (Record.objects.count(), Member.objects.count())


def test_an_empty_penalty_form_shows_all_its_errors_at_once(ana, game):
    page = read_page(post(ana, game, "adjust", penalty_player="", points="", reason=""))

    assert [CHOOSE, NUMBER] == [page.said_at(field) for field in ("penalty-player", "points")]


# --- a newcomer -------------------------------------------------------------------------------------------------------

FULL = "The table is full."


@pytest.fixture
def four_player_game(table, owner, write):
    """A game of four that a fifth player may join."""
    game = start(table, owner, stake=100, late_entry="on")
    write(game, build_round("ana", beto=23, caro=40, dani=9))
    return game


def post_join(client, game, **values):
    return post(client, game, "join", **{"newcomer_name": "Eva", "after_player": "ana", **values})


def test_a_player_who_left_can_come_back(ana, four_player_game, write):
    write(four_player_game, PlayerLeft("caro"))
    assert ["caro"] == event_page(ana, four_player_game, "join").form_with("Joins")[0].allowed("newcomer")
    response = post_join(ana, four_player_game, newcomer="caro", newcomer_name="")
    state = four_player_game.state()

    assert ["Caro joined"] == read_page(ana.get(response.url)).last
    assert ["ana", "caro", "beto", "dani"] == [player.id for player in state.players]
    assert (23, True, 500) == (state.player("caro").total, state.player("caro").is_in, pot_amount(state))


def test_a_full_table_offers_three_packs_in_one_tap_and_takes_no_other_number(
    subtests, ana, four_player_game
):
    post_join(ana, four_player_game)
    before = four_player_game.state()
    for packs in ("", "2", "4", "<b>"):
        with subtests.test(packs=packs):
            page = read_page(post_join(ana, four_player_game, newcomer_name="Fede", packs=packs))
            assert (FULL, "Fede") == (page.said_at("newcomer-name"), page.typed("newcomer-name"))
            assert not Member.objects.filter(name="Fede").exists()
    form, button = page.form_with("Joins, with 3 packs")
    response = ana.post(form.attrs["action"], {**form.fields, "packs": button.attrs["value"]})
    after = four_player_game.state()

    assert ["Fede joined"] == read_page(ana.get(response.url)).last
    assert ["ana", "fede", "eva", "beto", "caro", "dani"] == [player.id for player in after.players]
    assert (3, 40) == (after.house["packs"], after.player("fede").total)
    assert {player.id: player.total for player in before.players}.items() <= totals(four_player_game).items()

    post(ana, four_player_game, "undo-last")
    assert (before.house, before.players) == (
        four_player_game.state().house,
        four_player_game.state().players,
    )


def test_joining_is_offered_with_its_total_while_the_rules_allow_it(ana, table, owner, write):
    game = start(table, owner, late_entry="on", entry_total="above", entry_limit=40)
    write(game, build_round("ana", beto=23, caro=40, dani=9))
    assert "They pay the stake and start at 41" in event_page(ana, game, "join").only("h1").text
    write(game, build_round("ana", beto=0, caro=1, dani=0))

    for closed, sentence in (
        (game, "The totals are too high for a newcomer."),
        (start(table, owner), "In this game nobody can join after the start."),
    ):
        page = read_page(post_join(ana, closed))
        assert ([sentence], []) == (page.alerts, page.every("input", name="newcomer-name"))


# --- the list, and the page of each form ------------------------------------------------------------------------------

PLAYED = {"adjust", "leave", "replace", "join", "deal", "stop", "recorded-rounds"}
ALWAYS = {"accounts", "sheet", "rules", "board", "seats", "export", "lobby", "discard", "between"}


def linked_pages(page):
    """Return the names of the game's or table's pages that the page's links and forms lead to."""
    addresses = [
        *(link.attrs["href"] for link in page.only("main").every("a")),
        *(form.attrs["action"] for form in page.only("main").every("form")),
    ]
    return {resolve(address.partition("?")[0]).url_name for address in addresses if address.startswith("/")}


def test_what_the_list_of_forms_reached_is_at_most_one_page_further(ana, table, owner, game, write):
    assert PLAYED | ALWAYS == linked_pages(event_page(ana, game))
    for name in PLAYED - {"recorded-rounds"}:
        assert {name, "more", "rules"} == linked_pages(event_page(ana, game, name))
    assert (
        {"correct", "more"}
        == linked_pages(event_page(ana, game, "recorded-rounds"))
        == linked_pages(event_page(ana, game, "between"))
    )

    write(game, GameStopped(Stop.LOWEST_WINS))
    assert ALWAYS | {"recorded-rounds"} == linked_pages(event_page(ana, game))
    assert ALWAYS - {"between"} | PLAYED - {"join", "recorded-rounds"} == linked_pages(
        event_page(ana, start(table, owner))
    )


def test_a_form_that_the_game_cannot_take_leads_back_to_the_list(subtests, ana, table, owner, finished):
    points_game = start(table, owner, variant="points", settlement="own", point_value=1)
    for of_game, name in [
        *((finished, name) for name in USUAL),
        (points_game, "adjust"),
        (points_game, "join"),
    ]:
        with subtests.test(name=name):
            response = ana.get(reverse(name, args=[of_game.code]))
            assert reverse("more", args=[of_game.code]) == response.url


def test_the_face_that_was_tapped_is_chosen_in_its_form(ana, game):
    page = open_page(ana, reverse("replace", args=[game.code]) + "?of=dani")
    assert "dani" == page.typed("seat-player")


def test_each_form_offers_only_whom_and_what_it_can_take(ana, table, owner, game, write):
    write(game, PlayerLeft("caro"))

    assert ["ana", "dani"] == event_page(ana, game, "adjust").form_with("Record it")[0].allowed(
        "penalty-player"
    )
    assert ["caro", "eva"] == sorted(event_page(ana, game, "join").form_with("Joins")[0].allowed("newcomer"))
    assert ["eva"] == event_page(ana, game, "replace").form_with("Take over the seat")[0].allowed("to")
    for_points = event_page(ana, start(table, owner, settlement="none"), "stop")
    assert ["lowest_wins", "refund"] == for_points.form_with("See changes")[0].allowed("how")
    for_most = start(table, owner, variant="loba_mas")
    assert "Points: −10 is a penalty, 10 a bonus" in event_page(ana, for_most, "adjust").only("main").text
    assert "The differences are settled right away" in event_page(ana, for_most, "leave").only("h1").text


def test_what_was_recorded_links_to_its_correction_newest_first(ana, game, write):
    write(game, PointsAdjusted("dani", 5, "se paró"))
    write(game, build_round("ana", caro=4, dani=9))
    write(game, PlayerLeft("dani"))

    event_links = event_page(ana, game, "between").only("div", **{"class": "card menu"}).every("a")
    rounds = event_page(ana, game, "recorded-rounds").only("div", **{"class": "card menu"}).every("a")
    assert [("Dani went home", 6), ("Dani +5: se paró", 4), ("Beto stays out", 3)] == [
        (link.text, int(link.attrs["href"].split("/")[-2])) for link in event_links
    ]
    assert ["Round 2: Ana went out", "Round 1: Ana went out"] == [link.text for link in rounds]
    assert {200} == {ana.get(link.attrs["href"]).status_code for link in [*event_links, *rounds]}
