"""The contract page: it checks cards against a contract and records nothing."""

from __future__ import annotations

import pytest
from django.urls import reverse

from games.models import Record
from games.scoring.going_down import MOST_CARDS
from tests.reader import Walker, read_page
from tests.tables import a_round, start

pytestmark = pytest.mark.django_db


@pytest.fixture
def carioca(table, owner):
    return start(table, owner, variant="carioca_cl")


def ask(client, game, **question):
    return client.get(reverse("contract", args=[game.code]), question)


def answered(client, game, contract, cards):
    """Return the page's verdict on these cards, and the melds that they make."""
    response = ask(client, game, contract=contract, cards=cards)
    assert 200 == response.status_code
    answer = read_page(response).only(id="answer")
    return answer.only("p", class_="verdict").text, [item.text for item in answer.every("li")]


def chosen(client, game):
    page = read_page(ask(client, game))
    return [option.text for option in page.every("option") if "selected" in option.attrs]


def test_the_contract_of_the_present_round_is_preselected(ana, carioca, write):
    assert ["1 · 2 trios"] == chosen(ana, carioca)
    write(carioca, a_round("ana", beto=1, caro=2, dani=3))

    assert ["2 · 1 trio and 1 run"] == chosen(ana, carioca)


def test_a_finished_game_preselects_its_last_contract(ana, carioca, write):
    for _round in carioca.state().rules.contracts:
        write(carioca, a_round("ana", beto=1, caro=2, dani=3))

    assert ["7 · royal run"] == chosen(ana, carioca)


@pytest.mark.parametrize(
    ("contract", "cards", "says", "laid"),
    [
        ("1E1T", "4S * 6S 7S 9S 9H 9D", "Yes, it is right.", ["run: 4♠ ★ 6♠ 7♠", "trio: 9♦ 9♥ 9♠"]),
        (
            *("2T", "9 9 9 9 K K K"),
            "Yes, it is right. The other cards stay in hand; they can be added in later turns.",
            ["trio: 9 9 9", "trio: K K K", "stays in hand: 9"],
        ),
        ("1E1T", "4S * 6S 7S 9H 9D", "Not yet. Missing: 1 trio.", ["run: 4♠ ★ 6♠ 7♠", "left over: 9♥ 9♦"]),
        (
            *("real", "AS 2S 3S * 5S 6S 7S 8S 10S JS QS KS 9H", "Not yet. Missing: 9."),
            ["royal run: A♠ 2♠ 3♠ ★ 5♠ 6♠ 7♠ 8♠ 10♠ J♠ Q♠ K♠", "left over: 9♥"],
        ),
    ],
)
def test_the_verdict_shows_the_melds_and_what_is_missing_or_left_over(
    ana, carioca, contract, cards, says, laid
):
    assert (says, laid) == tuple(answered(ana, carioca, contract, cards))


def test_a_second_joker_in_one_meld_is_explained(ana, carioca, table, owner):
    verdict, _games = answered(ana, carioca, "2T", "9 * * 8 8 8")
    assert (
        "Not yet. Missing: 1 trio. When going down, each trio or run may have at most one joker." == verdict
    )

    any_number = start(table, owner, variant="carioca_cl", jokers_per_meld="any")
    assert "Yes, it is right." == answered(ana, any_number, "2T", "9 * * 8 8 8")[0]


def test_the_page_without_cards_shows_no_verdict(ana, carioca):
    page = read_page(ask(ana, carioca))

    assert [] == page.only(id="answer").every("p")


def test_invalid_cards_are_refused_at_their_field(subtests, ana, carioca):
    for contract, cards, field, sentence in [
        ("2T", "9S 9S 9S", "cards", "The pack has only 2 × 9S; with this hand the round has 3."),
        ("2T", "* * * * *", "cards", "The pack has only 4 × ★; with this hand the round has 5."),
        ("2T", "5o", "cards", "The pack has no 5o."),
        (
            "2T",
            "Z",
            "cards",
            "“Z” is not a card. Cards are A 2 … 10 J Q K with S H D C (French), 1 … 12 with o c e b (Spanish), ★ a joker.",
        ),
        ("2T", "{9 9 9}[4]", "cards", "Enter only cards."),
        ("2T", "9 " * (MOST_CARDS + 1), "cards", f"A hand has at most {MOST_CARDS} cards."),
        (
            "5T",
            "9 9 9",
            "contract",
            "There is no contract “5T”. There are: 2T, 1E1T, 2E, 3T, 2T1E, 2E1T, real.",
        ),
    ]:
        with subtests.test(contract=contract, cards=cards):
            response = ask(ana, carioca, contract=contract, cards=cards)
            page = read_page(response)

            assert (422, sentence) == (response.status_code, page.said_at(field))
            assert cards.strip() == page.typed("cards")


def test_the_contract_check_works_without_scripts(ana, carioca):
    walker = Walker(ana)
    walker.open(reverse("rules", args=[carioca.code]))
    walker.follow("Did they go down right?")
    walker.press("Did they go down right?", contract="2T", cards="9s 9h 9d kc kd *")

    assert "Yes, it is right." == walker.page.only("p", class_="verdict").text
    assert 1 == Record.objects.count()
    walker.follow("Back to the rules")
    assert "Rules of this game" in walker.page.only("h1").text


def test_a_witness_may_use_the_contract_check(waldo, carioca):
    assert "Not yet. Missing: 2 trios." == answered(waldo, carioca, "2T", "K")[0]


def test_the_contract_check_is_translated_into_spanish(phone_of, owner, carioca):
    phone = phone_of(owner, language="es-AR")
    page = read_page(ask(phone, carioca))

    assert ("¿Bajó bien?", "2 · 1 trío y 1 escalera") == (
        page.only("title").text,
        page.every("option")[1].text,
    )
    assert "Sí, bajó bien." == answered(phone, carioca, "2T", "9 9 9 K K K")[0]
    assert "Todavía no. Falta: 1 trío." == answered(phone, carioca, "1E1T", "4S * 6S 7S 9H 9D")[0]


def test_a_game_without_contracts_redirects_to_its_rules(ana, game):
    page = read_page(ana.get(reverse("rules", args=[game.code])))

    assert "/contract/" not in str([link.attrs["href"] for link in page.every("a")])
    assert reverse("rules", args=[game.code]) == ask(ana, game).headers["Location"]


def test_the_pad_has_a_key_for_each_rank_and_suit(ana, carioca):
    page = read_page(ask(ana, carioca))
    suited = [option.attrs["value"] for option in page.every("option") if option.attrs["data-suited"]]

    assert [*"A23456789", "10", *"JQK*"] == [
        key.attrs["data-card"] for key in page.every("button") if "data-card" in key.attrs
    ]
    assert [*"SHDC"] == [key.attrs["data-suit"] for key in page.every("button") if "data-suit" in key.attrs]
    assert ["1E1T", "2E", "2T1E", "2E1T", "real"] == suited


def test_a_verdict_takes_at_most_nine_queries(ana, carioca, write, django_assert_max_num_queries):
    for _round in range(5):
        write(carioca, a_round("ana", beto=1, caro=2, dani=3))
    with django_assert_max_num_queries(9):
        answered(ana, carioca, "3E", "AS 2S 3S 4S 5H 6H 7H * 9D 10D JD QD KC")
