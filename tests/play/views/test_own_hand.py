"""The page of a player's own hand, and the news on the scorer's pad about offers that arrive.

`browser/test_own_hand.py` has the taps on both phones.
"""

from __future__ import annotations

import json
from datetime import timedelta
from urllib.parse import urlencode

import pytest
from django.urls import reverse
from django.utils.timezone import now
from django.utils.translation import override

from games.common.naming import Person
from games.common.poll_tickets import PageVersion
from games.models import Role
from games.play.presenters import offered_hands
from games.play.services import hand_offers, recording
from games.play.services.hand_offers import RoundOffers
from games.scoring.events import PlayerLeft
from games.scoring.variants import VARIANTS
from games.tables.services import confirmations, lobby
from tests.factories import build_round, grant_access, make_user, new_key, start
from tests.reader import read_page

pytestmark = pytest.mark.django_db

CARD = "[K 9 6]"


@pytest.fixture
def phones(table, owner, client_for):
    """`phones["beto"]` is the phone of a viewer who is confirmed as Beto tonight."""
    until = now() + timedelta(hours=5)
    users = {
        slug: grant_access(make_user(f"phone-{slug}"), table, face=slug, until=until).user
        for slug in ("beto", "caro", "dani")
    }
    confirmations.confirm_all(table, by=owner)
    return {slug: client_for(user) for slug, user in users.items()}


def send(client, game, player, text="", *, closing="", after=None):
    fields = {"after": after or game.records.count(), f"hand-{player}": text, "key": new_key()}
    fields |= {"closer": player, "closing": closing} if closing else {"closer": "other", "closing": "out"}
    return client.post(reverse("own-hand", args=[game.code]), fields)


def poll_hands(client, game, **query):
    return client.get(f"{reverse('live-hands', args=[game.code, PageVersion(0)])}?{urlencode(query)}")


def get_pad(client, game, **query):
    return client.get(f"{reverse('play-round', args=[game.code])}?{urlencode(query)}")


def hand_values(response):
    fields = read_page(response).every("input")
    return {
        field.attrs["name"]: field.attrs["value"]
        for field in fields
        if field.attrs.get("name", "").startswith("hand-")
    }


def test_the_sheet_names_the_players_whose_hands_are_missing(phones, ana, waldo, game):
    assert "still counting" not in read_page(waldo.get(reverse("sheet", args=[game.code]))).text
    send(phones["beto"], game, "beto", CARD)
    for client in (ana, waldo, phones["beto"]):
        for name in ("sheet", "board"):
            page = read_page(client.get(reverse(name, args=[game.code])))
            assert "still counting: Ana, Caro and Dani" in page.text


def test_only_a_player_dealt_in_has_a_link_to_their_own_hand(phones, ana, waldo, game, owner, write):
    def has_hand_link(client):
        page = read_page(client.get(reverse("sheet", args=[game.code])))
        return reverse("own-hand", args=[game.code]) in [link.attrs["href"] for link in page.every("a")]

    assert [True, False, False] == [has_hand_link(client) for client in (phones["beto"], waldo, ana)]
    write(game, PlayerLeft("beto"))
    assert [False, True] == [has_hand_link(phones[slug]) for slug in ("beto", "caro")]


def test_a_scorer_who_plays_has_one_link_to_their_hand_once_another_phone_joined(
    table, owner, ana, game, client_for, write
):
    def hand_links():
        page = read_page(ana.get(reverse("sheet", args=[game.code])))
        address = reverse("own-hand", args=[game.code])
        return [link.text for link in page.every("a") if address == link.attrs["href"]]

    lobby.claim(table, owner, face=table.members.get(slug="ana"))
    assert [] == hand_links()
    another = make_user("another")
    grant_access(another, table, face="beto")
    assert ["My hand"] == hand_links()
    write(game, build_round("ana", beto=1, caro=2, dani=3))
    assert ["My hand"] == hand_links()


def test_the_scorers_pad_is_filled_once_the_round_is_closed(phones, ana, game):
    send(phones["beto"], game, "beto", CARD)
    assert {"hand-beto": ""}.items() <= hand_values(get_pad(ana, game)).items()
    send(phones["dani"], game, "dani", closing="in_one_go")

    response = get_pad(ana, game)
    assert {"hand-ana": "", "hand-beto": CARD, "hand-caro": "", "hand-dani": ""} == hand_values(response)
    page = read_page(response)
    chosen = {field.attrs["value"] for field in page.every("input") if "checked" in field.attrs}
    assert {"dani", "in_one_go"} == chosen
    news = json.loads(poll_hands(ana, game).content)
    assert ("dani", "in_one_go", ["beto", "dani"], True) == tuple(
        news[name] for name in ("closer", "closing", "sent", "is_awaiting")
    )
    assert {"beto": CARD, "dani": ""} == {hand["player"]: hand["text"] for hand in news["hands"]}


def test_what_phones_contradict_each_other_in_is_offered_to_the_scorer_as_a_choice(
    phones, ana, table, game, client_for
):
    """Nobody has confirmed yet which of the two is Beto."""
    table.accesses.filter(member__slug="beto").update(confirmed_at=None)
    other = make_user("other")
    grant_access(other, table, face="beto")
    send(phones["beto"], game, "beto", CARD)
    send(client_for(other), game, "beto", "[4]")
    assert {"hand-beto": CARD} == hand_values(phones["beto"].get(reverse("own-hand", args=[game.code])))
    for slug in ("caro", "dani"):
        send(phones[slug], game, slug, closing="out")
    news = json.loads(poll_hands(ana, game, closer="ana").content)
    assert ("", ["Caro and Dani say they ended the round: choose who did."]) == (
        news["closer"],
        news["notes"],
    )
    assert ([], [[CARD, "[4]"]]) == (
        news["hands"],
        [[hand["text"] for hand in choice["hands"]] for choice in news["choices"]],
    )


def test_a_round_stores_who_sent_each_hand_and_whether_it_was_changed_and_undone_it_refills_the_pad(
    phones, ana, game, owner
):
    send(phones["beto"], game, "beto", CARD)
    send(phones["caro"], game, "caro", "8")
    send(phones["dani"], game, "dani", closing="out")
    page = read_page(get_pad(ana, game))
    offer_pks = [field.attrs["value"] for field in page.every("input") if field.attrs["name"] == "brought"]
    fields = {"after": "1", "key": new_key(), "closer": "dani", "closing": "out", "brought": offer_pks}
    fields |= {"hand-ana": "3", "hand-beto": CARD, "hand-caro": "9"}
    assert 302 == ana.post(reverse("play-round", args=[game.code]), fields).status_code

    sources = game.hand_sources.values_list("player", "brought_by__username", "is_changed")
    unchanged = {(slug, f"phone-{slug}", False) for slug in ("beto", "dani")}
    assert {*unchanged, ("caro", "phone-caro", True)} == {*sources}
    recording.undo(game, after=2, key=new_key(), by=owner)
    assert {"hand-ana": "3", "hand-beto": CARD, "hand-caro": "9", "hand-dani": ""} == hand_values(
        get_pad(ana, game)
    )


def test_invalid_offer_ids_record_the_round_without_sources(ana, game):
    offer_pks = ["x", "-1", "9" * 40, "0", "123456"]
    fields = {"after": "1", "key": new_key(), "closer": "dani", "closing": "out", "brought": offer_pks}
    fields |= {"hand-ana": "3", "hand-beto": "1", "hand-caro": "9"}
    assert 302 == ana.post(reverse("play-round", args=[game.code]), fields).status_code
    assert (2, 0) == (game.records.count(), game.hand_sources.count())


def test_a_hand_sent_after_its_round_gets_409_and_stays_visible(phones, game, write):
    write(game, build_round("ana", beto=1, caro=2, dani=3))
    answer = send(phones["beto"], game, "beto", CARD, after=1)

    assert (409, {"hand-beto": CARD}) == (answer.status_code, hand_values(answer))
    assert "That round is over: this hand was not counted." in read_page(answer).text
    assert 0 == game.offers.count()


def test_a_hand_that_is_asked_of_nobody_any_more_stays_visible_on_the_sheet(phones, game, write):
    write(game, PlayerLeft("beto"))
    answer = send(phones["beto"], game, "beto", CARD)

    assert (422, ["You are not in this round, so you have no hand to send.", CARD]) == (
        answer.status_code,
        read_page(answer).alerts,
    )
    assert 302 == phones["beto"].get(reverse("own-hand", args=[game.code])).status_code


def test_a_pad_hears_what_another_scorer_records(ana, game, table, write):
    assert b"data-offers" not in get_pad(ana, game).content
    grant_access(make_user("second"), table, Role.SCORER)
    assert b"data-offers" in get_pad(ana, game).content
    write(game, build_round("caro", ana=1, beto=2, dani=3))
    news = poll_hands(ana, game).json()

    assert (2, "Round 1: Caro went out", False) == (news["after"], news["latest"], news["is_awaiting"])


def test_an_invalid_hand_and_a_hand_of_another_player_are_refused(phones, game):
    invalid = send(phones["beto"], game, "beto", "seven")
    assert (422, {"hand-beto": "seven"}) == (invalid.status_code, hand_values(invalid))
    assert 422 == send(phones["beto"], game, "caro", CARD).status_code
    assert 0 == game.offers.count()


def test_sending_hands_is_rate_limited(phones, game, monkeypatch):
    monkeypatch.setattr(
        "games.play.services.hand_offers.OFFER_LIMIT", type(hand_offers.OFFER_LIMIT)("offer-few", most=2)
    )
    assert [302, 302, 429] == [send(phones["beto"], game, "beto", CARD).status_code for _time in range(3)]


def test_every_variant_accepts_hands_from_phones(subtests, table, owner, phones, ana):
    for variant, text, closing in [
        ("loba_menos", "[K 9]", "out"),
        ("loba_mas", "{9 9 9}[4]", ""),
        ("carioca_cl", "[K 9]+1", ""),
        ("chinchon", "5", "cut"),
        ("chinchon", "[1o 2o 3o 7c 7e 7b 12o]", ""),
        ("points", "-5", ""),
    ]:
        with subtests.test(variant=variant, text=text):
            game = start(table, owner, variant=variant)
            text = "" if closing == "out" else text
            assert 302 == send(phones["beto"], game, "beto", text, closing=closing).status_code
            page = phones["beto"].get(reverse("own-hand", args=[game.code]))
            assert (200, {"hand-beto": text}) == (page.status_code, hand_values(page))
            fields = {"hand-beto": text, "closer": "beto" if closing else "other", "closing": closing}
            preview = phones["beto"].post(reverse("own-hand", args=[game.code]) + "?preview", fields)
            assert 200 == preview.status_code
            assert bool(text) == (b"data-hand" in preview.content)


def test_points_are_sent_without_their_separators(phones, table, owner):
    game = start(table, owner, variant="points")
    assert 302 == send(phones["beto"], game, "beto", "1.204").status_code
    assert ["1204"] == [offer.hand for offer in game.offers.all()]


@pytest.mark.parametrize(
    ("variant", "label"), [("loba_menos", "4 still counting"), ("chinchon", "5 still counting")]
)
def test_of_many_hands_the_one_of_the_player_who_went_out_is_not_waited_for(variant, label):
    """Five of six have sent nothing. In Loba de Menos one of them has no cards; in Chinchón the cutter does."""
    players = ("ana", "beto", "caro", "dani", "eli", "fer")
    chosen = VARIANTS[variant]
    hands = RoundOffers(chosen.build(chosen.house({})), players, {"ana": ()})
    people = {player: Person(player, player.title(), 1) for player in players}
    with override("en"):
        assert label == offered_hands.missing_hands_label(hands, people)
