"""A table that was opened on a phone without a network joins the site once, under its code, as its opener's."""

from __future__ import annotations

import json
from datetime import timedelta
from typing import Any

import pytest
import time_machine
from django.db import IntegrityError
from django.http import Http404
from django.test import override_settings
from django.utils.timezone import now

from games.models import TABLES_A_DAY, Change, Game, Grant, Method, Role, Table, TakenFact
from games.models.limits import is_code
from games.money import payments
from games.notebook.books.audit import check_table
from games.people.erasing import erase
from games.people.members import add_member
from games.people.tables import TooManyTables, open_table
from games.play import recording as services
from games.play.seating import Sitter, Sitting, sit_down
from games.pocket import opening
from games.pocket.opening import OpenedElsewhere
from games.pocket.taking import BROUGHT, DONE, HELD, WAITS, check_fact, take
from games.scoring.errors import RuleError
from games.scoring.events import Corrected
from games.scoring.variants import find_variant
from games.views.pocket.typed import READERS
from tests.pocket.phones import Pocket
from tests.pocket.test_rooms import books
from tests.tables import a_key, a_round, make_table, make_user

pytestmark = pytest.mark.django_db

PLACE: dict[str, Any] = {
    "unit": "€",
    "decimals": 2,
    "language": "es",
    "timezone": "Europe/Madrid",
    "region": "es-ES",
}


@pytest.fixture
def ana():
    """A registered user who has no table yet."""
    return make_user("ana-sin-mesa")


@pytest.fixture
def phone(ana, empty, tmp_path):
    return Pocket(ana, empty, tmp_path / "cabin.sqlite3")


@override_settings(IS_A_PHONE=True)
def open_here(by, name="La cabaña", *people):
    """Open a table with its first game, as the form does on a phone."""
    table = open_table(by, name, **PLACE)
    variant = find_variant("loba_menos")
    house = variant.house({"stake": 100, "reentries": 0})
    sitters = [Sitter(name=person) for person in people or ("Ana", "Beto", "Zoe")]
    return sit_down(table, Sitting(variant, house, sitters, variant.direction), key=a_key(), by=by)


@override_settings(IS_A_PHONE=True)
def an_evening(by):
    """Open a table, play and correct, add somebody and pay; return the game."""
    game = open_here(by)
    services.record(game, a_round("ana", beto=8, zoe=9), after=1, key=a_key(), by=by)
    services.record(game, Corrected(2, a_round("beto", ana=4, zoe=5)), after=2, key=a_key(), by=by)
    add_member(game.table, "Zoé", apart=("Zoé",))
    ana, beto = game.table.members.all()[:2]
    payments.pay(game.table, beto, ana, 50, method=Method.CASH, key=a_key(), by=by)
    services.record(game, a_round("ana", beto=120, zoe=130), after=3, key=a_key(), by=by)
    return game


def statuses(answers):
    return [answer.status for answer in answers]


def brought(facts):
    return [{**fact, BROUGHT: True} for fact in facts]


def test_a_table_of_the_cabin_joins_the_site_once_and_is_its_openers(phone, ana):
    with phone.away() as by:
        code = an_evening(by).table.code
        there = books(Table.objects.get(code=code))
    facts = phone.outbox()
    with phone.anew(facts):
        assert there == books(Table.objects.get(code=code))
        assert facts == phone.outbox()
    for _time in range(2):  # the first answer is lost
        assert {DONE} == set(statuses(phone.send(facts)))
    table = Table.objects.get(code=code)

    assert there == books(table)
    assert ("La cabaña", PLACE) == (table.name, {name: getattr(table, name) for name in PLACE})
    assert [(ana, Role.OWNER)] == [(grant.user, grant.role) for grant in table.grants.all()]
    assert [1, 2, 3, 4] == [member.colour for member in table.members.all()]
    assert [str(table.created_at.year)] == [season.name for season in table.seasons.all()]
    assert ["member_added"] * 3 + ["game_begun"] == [
        change.what for change in Change.objects.filter(table=table)[:4]
    ]
    assert [] == list(check_table(table).differences)
    phone.come_back()

    assert [] == phone.outbox()


def test_what_was_recorded_after_the_table_was_sent_is_sent_as_at_any_table(phone):
    with phone.away() as by:
        code = open_here(by).code
    phone.sync()
    with phone.away() as by:
        add_member(Table.objects.get(), "Yago")
        services.record(
            Game.objects.get(code=code), a_round("ana", beto=8, zoe=9), after=1, key=a_key(), by=by
        )
    first, second = phone.outbox()

    assert ("guest", False) == (first["kind"], "key" in first)
    assert [DONE, DONE] == statuses(phone.send([first, second]))


def test_it_was_opened_when_the_phone_says_but_neither_later_than_now_nor_long_ago(phone, ana):
    with phone.away() as by:
        open_here(by)
    opening_fact = phone.outbox()[0]
    for days, expected in ((-30, -30), (1, 0), (-3000, -366)):
        moment = now() + timedelta(days=days)
        fact = {**opening_fact, "at": moment.isoformat(), "key": a_key()}
        with time_machine.travel(now(), tick=False):
            (answer,) = take([fact], ana, READERS)
            table = Table.objects.get(code=answer.table)

            assert expected == round((table.created_at - now()) / timedelta(days=1))
            assert table.created_at.year == int(table.seasons.get().name)
            Grant.objects.all().update(made_at=now() - timedelta(days=2))


def test_a_table_whose_code_another_has_gets_one_of_its_own_and_all_its_facts_follow(phone, ana):
    with phone.away() as by:
        code = an_evening(by).table.code
        there = books(Table.objects.get())
    taken = make_table(make_user("sara"), name="Otra mesa")
    Table.objects.filter(pk=taken.pk).update(code=code)
    facts = phone.outbox()
    for _time in range(2):
        answers = phone.send(facts)

        assert {DONE} == set(statuses(answers))
        table = ana.grants.get().table
        assert (table.code, {""}) == (answers[0].table, {answer.table for answer in answers[1:]})
        assert is_code(table.code)
        assert code != table.code
    assert there == books(table)
    assert 0 == Game.objects.filter(table__code=code).count()
    assert [] == list(check_table(table).differences)


def test_of_two_requests_with_the_same_table_the_second_finds_the_first_ones(phone, ana, monkeypatch):
    with phone.away() as by:
        open_here(by)
    fact = phone.outbox()[0]
    really_open, tries = opening._open, []

    def too_late(*given, **how):
        tries.append(given)
        table = really_open(*given, **how)  # the first time, that of the other request
        if len(tries) == 1:
            raise IntegrityError
        return table

    monkeypatch.setattr(opening, "_open", too_late)
    assert [DONE] == statuses(phone.send([fact]))
    assert (2, 1) == (len(tries), Table.objects.count())


def test_a_form_that_reached_the_site_too_opened_the_same_table(phone, ana):
    """The site was so slow that the phone recorded the form as well."""
    with phone.away() as by:
        game = an_evening(by)
        begun, there = game.log()[0], books(game.table)
    online = open_table(ana, "La cabaña", **PLACE)
    for name in ("Ana", "Beto", "Zoe"):
        add_member(online, name)
    services.start_game(online, begun, key=game.key, by=ana)
    facts = phone.outbox()
    answers = phone.send(facts)

    assert {DONE} == set(statuses(answers))
    assert online.code == answers[0].table != facts[0]["table"]
    assert [online] == list(Table.objects.filter(grants__user=ana))
    assert there[0] == books(online)[0]
    assert 4 == online.games.get().records.count()
    assert [] == list(check_table(online).differences)


def test_what_is_over_the_tables_of_a_day_is_held_and_goes_up_the_next_day(phone, ana):
    with phone.away() as by:
        for number in range(TABLES_A_DAY + 2):
            open_here(by, f"Mesa {number}")
    facts = phone.outbox()
    answers = phone.send(facts)
    held = [fact["name"] for fact, answer in zip(facts, answers, strict=True) if answer.status == HELD]

    assert ["Mesa 10", "Mesa 11"] == held
    assert TABLES_A_DAY == ana.grants.count() == Game.objects.count()
    refused = next(answer.why for answer in answers if answer.status == HELD)
    assert isinstance(refused, TooManyTables)
    assert timedelta(hours=23) < refused.free_at - now() < timedelta(hours=25)
    assert {DONE, HELD, WAITS} == set(statuses(answers))
    left = facts[[answer.status for answer in answers].index(HELD) :]
    with time_machine.travel(refused.free_at + timedelta(seconds=1)):
        assert {DONE} == set(statuses(phone.send(left)))
    assert TABLES_A_DAY + 2 == ana.grants.count() == Game.objects.count()


def test_a_phone_cannot_open_more_by_saying_that_it_was_long_ago(phone, ana):
    with phone.away() as by:
        open_here(by)
    opening_fact = phone.outbox()[0]
    facts = [
        {**opening_fact, "table": code, "key": a_key(), "at": (now() - timedelta(days=days)).isoformat()}
        for days, code in enumerate(f"2222222222{letter}" for letter in "23456789abcd")
    ]

    assert [DONE] * TABLES_A_DAY + [HELD] * 2 == statuses(take(facts, ana, READERS))


def test_another_phone_brings_the_table_and_owns_it_and_a_second_one_adds_nothing(phone, ana):
    with phone.away() as by:
        code = an_evening(by).table.code
    facts = phone.outbox()
    first, second = make_user("bea"), make_user("caro")
    for bringer in (first, second, first):
        assert {DONE} == set(statuses(take(brought(facts), bringer, READERS)))
    table = Table.objects.get(code=code)

    assert [first] == [grant.user for grant in table.grants.all()]
    assert 1 == table.games.count()
    assert [] == list(check_table(table).differences)
    held, *behind = phone.send(facts)  # whose it was: until somebody invites them, nothing is lost
    assert (HELD, OpenedElsewhere) == (held.status, type(held.why))
    assert {WAITS} == set(statuses(behind))
    Grant.objects.create(user=ana, table=table, role=Role.SCORER)
    assert {DONE} == set(statuses(phone.send(facts)))
    assert 4 == table.games.get().records.count()


def test_a_renamed_table_is_brought_once_too(phone, ana):
    with phone.away() as by:
        code = an_evening(by).table.code
    taken = make_table(make_user("sara"), name="Otra mesa")
    Table.objects.filter(pk=taken.pk).update(code=code)
    facts = phone.outbox()
    for name in ("bea", "caro"):
        assert {DONE} == set(statuses(take(brought(facts), make_user(name), READERS)))

    assert 2 == Table.objects.count()


def test_who_has_not_the_key_learns_nothing_of_the_members(phone, ana):
    with phone.away() as by:
        open_here(by)
    facts = phone.outbox()
    phone.send(facts)
    guest = facts[1]
    for wrong in ({**guest, "key": "other"}, {**guest, "key": ""}, {**guest, "slug": "nobody-here"}):
        (answer,) = take([wrong], make_user(f"nadia-{len(wrong['key'])}-{wrong['slug']}"), READERS)

        assert isinstance(answer.why, Http404)


def test_a_table_erased_meanwhile_stays_erased(phone, ana):
    with phone.away() as by:
        code = open_here(by).table.code
    facts = phone.outbox()
    phone.send(facts)
    erase(Table.objects.get(code=code), name="La cabaña", by=ana)
    held = phone.send(facts)

    assert (HELD, OpenedElsewhere) == (held[0].status, type(held[0].why))
    assert 1 == Table.objects.count() == TakenFact.objects.count()


@pytest.mark.parametrize(
    "wrong",
    [
        {"name": ""},
        {"name": "x" * 61},
        {"name": 7},
        {"name": 'La "cabaña"'},
        {"name": "a\nb"},
        {"unit": " "},
        {"unit": "x" * 13},
        {"decimals": 4},
        {"decimals": True},
        {"language": "xx"},
        {"timezone": "Europe/Nowhere"},
        {"region": "xx-XX"},
        {"region": None},
        {"at": "yesterday"},
        {"at": "0001-01-01T00:00:00+00:00"},
        {"key": ""},
        {"key": "k" * 65},
        {"key": "\x00"},
        {"table": "short"},
        {"table": "ABCDEFGHIJK"},
        {"table": ""},
        {"table": "\x00" * 11},
        {"owner": 1},
    ],
)
def test_a_forged_table_is_refused_as_its_form_would_and_nothing_is_stored(phone, ana, wrong):
    with phone.away() as by:
        open_here(by)
    fact = {**phone.outbox()[0], **wrong}
    answer, behind = take([fact, phone.outbox()[1]], ana, READERS)

    assert HELD == answer.status
    assert DONE != behind.status
    assert 0 == Table.objects.count()


def test_a_fact_of_the_table_is_whole_json_that_the_rescue_file_can_check(phone):
    with phone.away() as by:
        an_evening(by)
    for fact in phone.outbox():
        check_fact(json.loads(json.dumps(fact)))


def test_the_tables_of_others_do_not_count_among_ones_own(ana):
    for number in range(TABLES_A_DAY):
        table = make_table(make_user(f"sara-{number}"), people=())
        Grant.objects.create(user=ana, table=table, role=Role.OWNER)
    for _number in range(TABLES_A_DAY):
        make_table(ana, people=())
    with pytest.raises(RuleError, match="At most 10 tables"):
        make_table(ana, people=())
