"""The settlement of a game through the API: net results with their causes, transfers, and unpaid debts."""

from __future__ import annotations

from collections import Counter

import pytest
from django.utils.timezone import now

from games.models import Grant, Member, Method, Role
from games.money.payments import pay
from games.money.ticks import pay_on_the_spot
from games.play.recording import record
from games.scoring.events import Corrected, GameStopped, PlayerReentered, Stop
from tests.api.described import wrong_in
from tests.tables import a_round, make_user

pytestmark = pytest.mark.django_db


@pytest.fixture
def played(game, owner):
    record(
        game, a_round("ana", beto=110, caro=1, dani=2), PlayerReentered("beto"), after=1, key="k", by=owner
    )
    return game


def stop(game, owner):
    record(game, GameStopped(Stop.LOWEST_WINS), after=len(game.log()), key="stop", by=owner)
    game.refresh_from_db()


def lines(answer):
    return [(line["from"], line["to"], line["amount"]) for line in answer]


def test_the_settlement_of_a_running_game_has_the_pot_and_no_debts(ana, played):
    money = ana.get(f"games/{played.code}/settlement/").body

    assert (500, None, [], {}) == tuple(money[name] for name in ("pot", "over", "transfers", "places"))
    assert {"ana": -100, "beto": -200, "caro": -100, "dani": -100} == money["nets"]
    assert [] == money["owed"]["lines"]


def test_the_causes_add_up_to_each_players_net_result(ana, played, owner):
    stop(played, owner)
    money = ana.get(f"games/{played.code}/settlement/").body
    summed = Counter(dict.fromkeys(money["nets"], 0))
    for cause in money["causes"]:
        summed[cause["to"]] += cause["amount"]
        summed[cause["from"]] -= cause["amount"]

    assert 0 == sum(money["nets"].values()) == summed.pop("(pot)", 0)
    assert money["nets"] == dict(summed)
    assert {"stake", "reentry", "pot"} == {cause["cause"] for cause in money["causes"]}


def test_paid_debts_are_not_owed_and_a_later_correction_adds_new_debts(ana, played, owner):
    stop(played, owner)
    path = f"games/{played.code}/settlement/"
    before = ana.get(path).body
    assert lines(before["transfers"]) == lines(before["owed"]["lines"])

    paid = pay_on_the_spot(played, after=4, key="paid", by=owner)
    after = ana.get(path).body["owed"]
    assert ([], len(paid), False) == (after["lines"], len(after["paid"]), after["is_corrected"])

    record(played, Corrected(2, a_round("caro", beto=110, ana=1, dani=2)), after=4, key="fix", by=owner)
    fixed = ana.get(path).body
    assert ["caro"] == fixed["winners"]
    assert fixed["owed"]["is_corrected"] is True
    assert 500 - 100 == sum(amount for _payer, payee, amount in lines(fixed["transfers"]) if payee == "caro")
    assert [("ana", "caro")] == [(payer, payee) for payer, payee, _amount in lines(fixed["owed"]["lines"])]


@pytest.mark.parametrize(
    ("language", "sentences"),
    [
        ("en", ["Beto pays Ana $\xa0200.", "Caro pays Ana $\xa0100.", "Dani pays Ana $\xa0100."]),
        (
            "es-AR",
            ["Beto le paga $\xa0200 a Ana.", "Caro le paga $\xa0100 a Ana.", "Dani le paga $\xa0100 a Ana."],
        ),
        (
            "es",
            ["Beto le paga $\xa0200 a Ana.", "Caro le paga $\xa0100 a Ana.", "Dani le paga $\xa0100 a Ana."],
        ),
    ],
)
def test_the_sentences_of_the_settlement_are_in_the_language_of_the_request(
    ana, played, owner, language, sentences
):
    path, headers = f"games/{played.code}/settlement/", {"accept-language": language}
    assert [] == ana.get(path, headers=headers).body["sentences"]
    stop(played, owner)
    answer = ana.get(path, headers=headers)

    assert sentences == answer.body["sentences"]
    assert lines(answer.body["owed"]["lines"]) == [
        ("beto", "ana", 200),
        ("caro", "ana", 100),
        ("dani", "ana", 100),
    ]
    assert [] == wrong_in(answer.body, "games/{code}/settlement/")


def test_the_sentences_include_the_notes_of_the_page(ana, played, owner, program_for, table):
    stop(played, owner)
    path = f"games/{played.code}/settlement/"
    watching = make_user("watching")
    Grant.objects.create(user=watching, table=table, role=Role.WITNESS)
    alone = program_for(watching).get(path).body["sentences"]
    pay_on_the_spot(played, after=4, key="paid", by=owner)

    assert ["This game has nothing left to pay."] == ana.get(path).body["sentences"]
    assert "For this game only. Later payments and other debts are in the accounts." == alone[-1]
    record(played, Corrected(2, a_round("caro", beto=110, ana=1, dani=2)), after=4, key="fix", by=owner)
    first, *_others, correction = ana.get(path).body["sentences"]
    assert "Ana pays Caro $\xa0500." == first
    assert correction.startswith("A correction added these payments.")


def test_the_claimed_part_of_a_debt_cannot_be_ticked(ana, played, owner, table):
    """Beto claims a transfer of all but 80 of the debt to Ana; only these 80 can be ticked."""
    stop(played, owner)
    beto, to_ana = (table.members.get(slug=slug) for slug in ("beto", "ana"))
    for member in (beto, to_ana):
        Member.objects.filter(pk=member.pk).update(user=make_user(f"the_{member.slug}"), claimed_at=now())
    himself = Member.objects.get(pk=beto.pk)
    (owed,) = [
        line
        for line in ana.get(f"games/{played.code}/settlement/").body["owed"]["lines"]
        if line["from"] == "beto"
    ]
    assert (owed["amount"], 0, True) == (owed["to_tick"], owed["claimed"], owed["may_be_paid"])
    claimed = owed["amount"] - 80
    assert himself.user
    pay(table, himself, to_ana, claimed, method=Method.TRANSFER, key="said", by=himself.user)
    money = ana.get(f"games/{played.code}/settlement/").body["owed"]
    (line,) = [line for line in money["lines"] if line["from"] == "beto"]

    assert (owed["amount"], claimed, 80) == (line["amount"], line["claimed"], line["to_tick"])
    assert [("beto", "ana", claimed)] == lines(money["claimed"])
    ticked = {"after": 4, "payer": "beto", "payee": "ana"}
    whole = ana.write(f"games/{played.code}/dues/", {**ticked, "amount": line["amount"]}, key="whole")
    rest = ana.write(f"games/{played.code}/dues/", {**ticked, "amount": line["to_tick"]}, key="rest")
    assert [(409, "stale"), 201] == [whole.problem[:2], rest.status]
