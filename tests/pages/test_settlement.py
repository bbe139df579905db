"""The result: places, every amount with its causes, who pays whom, and the text for the group."""

from __future__ import annotations

import re
from urllib.parse import parse_qs, urlsplit

import pytest
from django.urls import reverse

from games import services
from games.scoring.events import (
    GameStopped,
    Player,
    PlayerJoined,
    PlayerLeft,
    PlayerReentered,
    RoundPlayed,
    SeatHandedOver,
    Stop,
)
from games.scoring.ledger import nets, payments
from games.scoring.rounds import Hand, RoundEntry
from tests.pages.reader import read_page
from tests.tables import a_round, make_table, make_user, start

pytestmark = pytest.mark.django_db


def _page(client, game):
    response = client.get(reverse("settlement", args=[game.code]))
    assert 200 == response.status_code
    return read_page(response)


def amount(text):
    """The whole number in an amount: `−$ 1,200` is -1200."""
    figure = int(re.sub(r"[^0-9]", "", text))
    return -figure if "−" in text else figure


def standings(page):
    """By name: the amount shown, and the causes behind it."""
    folds = [fold for fold in page.every("details") if fold.every("span", class_="name")]
    return {
        fold.only("span", class_="name").text: (
            amount(next(span.text for span in fold.every("span") if "figure" in span.attrs.get("class", ""))),
            [(row.only("dt").text, amount(row.only("dd").text)) for row in fold.only("dl").every("div")],
        )
        for fold in folds
    }


def test_the_winner_and_everybodys_money_are_shown(ana, finished):
    page = _page(ana, finished)

    assert "Ana wins" in page.only("h1").text
    assert {"Ana": 400, "Beto": -200, "Caro": -100, "Dani": -100} == {
        name: net for name, (net, _causes) in standings(page).items()
    }


def test_every_amount_opens_to_its_causes(ana, finished):
    assert {
        "Ana": (400, [("Stake", -100), ("The pot", 500)]),
        "Beto": (-200, [("Stake", -100), ("Re-entry 1, after round 1", -100)]),
        "Caro": (-100, [("Stake", -100)]),
        "Dani": (-100, [("Stake", -100)]),
    } == standings(_page(ana, finished))


def split(game, write):
    write(game, a_round("ana", beto=101, caro=40, dani=60))
    write(game, PlayerReentered("beto"))
    write(game, PlayerLeft("dani"))
    write(game, GameStopped(Stop.SPLIT_POT))


def refund(game, write):
    write(game, a_round("ana", beto=101, caro=40, dani=60))
    write(game, PlayerReentered("beto"))
    write(game, GameStopped(Stop.REFUND))


def newcomer(game, write):
    services.add_member(game.table, "Eva")
    write(game, a_round("ana", beto=50, caro=40, dani=60))
    write(game, PlayerJoined(Player("eva", "Eva"), after="ana"))
    write(game, a_round("ana", beto=51, caro=61, dani=41, eva=41))


def handover(game, write):
    services.add_member(game.table, "Eva")
    write(game, a_round("ana", beto=101, caro=40, dani=60))
    write(game, PlayerReentered("beto"))
    write(game, SeatHandedOver("beto", Player("eva", "Eva")))
    write(game, a_round("ana", eva=51, caro=61, dani=41))


@pytest.mark.parametrize("played", [split, refund, newcomer, handover])
def test_the_causes_add_up_to_each_net_and_the_nets_to_nothing(ana, table, owner, write, played):
    game = start(table, owner, stake=101, late_entry="on", reentries="unlimited", reentry_price="double")
    played(game, write)
    state = game.state()
    shown = standings(_page(ana, game))

    assert {state.name(player): net for player, net in nets(state).items()} == {
        name: net for name, (net, _causes) in shown.items()
    }
    for net, causes in shown.values():
        assert net == sum(moved for _why, moved in causes)
    assert 0 == sum(net for net, _causes in shown.values())


def test_the_payments_clear_every_net(ana, finished):
    page = _page(ana, finished)
    paid = [fold.only("summary").text for fold in page.only("div", id="payments").every("details")]

    assert ["Beto → Ana $ 200", "Caro → Ana $ 100", "Dani → Ana $ 100"] == paid
    assert 3 == len(payments(finished.state()))


def test_the_text_for_the_group_says_all_of_it_and_whatsapp_gets_the_same(ana, finished):
    page = _page(ana, finished)
    text = page.only("textarea").text
    (link,) = [link for link in page.every("a") if "wa.me" in link.attrs["href"]]

    for part in ("Mesa de los jueves", "Ana wins", "Beto → Ana: $ 200", "Out at 101", "stake $ 100"):
        assert part in text
    sent = parse_qs(urlsplit(link.attrs["href"]).query)["text"][0]
    assert text == " ".join(sent.split())


def test_a_game_for_points_shows_no_money(ana, table, owner, write):
    game = start(table, owner, settlement="none")
    write(game, a_round("ana", beto=101, caro=102, dani=103))
    page = _page(ana, game)

    assert "$" not in page.only("main").text
    assert "Who pays whom" not in page.only("main").text


def test_a_refund_has_no_winner(ana, game, write):
    refund(game, write)
    page = _page(ana, game)

    assert (
        "Nobody wins, everybody takes his money back" in page.only("h1").text
        or "Nobody wins" in page.only("h1").text
    )
    assert "Nobody owes anything." in page.only("main").text


def test_a_running_game_has_no_result_yet(ana, game):
    assert reverse("sheet", args=[game.code]) == ana.get(reverse("settlement", args=[game.code])).url


def test_hostile_names_do_no_harm(phone_of, db, write):
    owner = make_user("olga")
    table = make_table(owner, people=("<script>", "A&B=1", "#x"), name="</textarea><b>")
    game = start(table, owner)
    first, *others = table.members.values_list("slug", flat=True)
    hands = tuple((slug, Hand(points=101)) for slug in others)
    write(game, RoundPlayed(RoundEntry(first, "out", hands)), by=owner)
    page = _page(phone_of(owner), game)

    assert "</textarea><b>" in page.only("textarea").text
    (link,) = [link for link in page.every("a") if "wa.me" in link.attrs["href"]]
    assert "A&B=1" in parse_qs(urlsplit(link.attrs["href"]).query)["text"][0]


def test_the_result_speaks_spanish(phone_of, owner, finished):
    page = _page(phone_of(owner, language="es-AR"), finished)

    assert "Ana" in page.only("h1").text
    assert "wins" not in page.only("h1").text
