"""The sync of two phones and the site: whatever they record and whenever they sync, nothing is lost or
doubled.
"""

from __future__ import annotations

import random
from collections.abc import Iterable
from contextlib import contextmanager
from datetime import timedelta

import pytest
import time_machine
from django.db import transaction
from django.http import Http404
from django.test import override_settings
from django.utils.timezone import now

from games.locks import StaleGame
from games.models import Game, Method, Record, Role, Table
from games.money import payments
from games.names import Alike
from games.nights import night_of
from games.notebook.books.audit import check_table
from games.people.access import RoleMissing
from games.people.members import add_member, rename_table
from games.play import recording as services
from games.play.moments import SeasonClosed
from games.pocket.facts import NoFact
from games.pocket.payments import PAID, TURNED, Fact
from games.pocket.taking import DONE, HELD, WAITS, take
from games.scoring.events import Corrected, GameStarted, GameStopped, Player, Stop
from games.season.seasons import close_season, reopen_season
from games.shown.common.days import late_arrival
from games.views.pocket.typed import READERS
from tests.pocket.phones import Pocket, Somebody
from tests.tables import a_key, a_round, make_table, make_user, start

pytestmark = pytest.mark.django_db

LAST = GameStopped(Stop.SPLIT_POT)


def there(code):
    """Return the game in the open books."""
    return Game.objects.get(code=code)


def play(game, by, *rounds, at=None):
    for points in rounds:
        hands = a_round("ana", beto=points, caro=1, dani=2)
        services.record(game, hands, after=len(game.log()), key=a_key(), by=by, at=at)


def test_an_evening_recorded_offline_is_at_the_site_once_and_unchanged(running, pocket, table):
    """Record a round, correct an earlier one, undo the last; then play a game with a new member to its end."""
    with pocket.away() as by:
        game = there(running.code)
        play(game, by, 8, 9)
        services.record(
            game, Corrected(3, a_round("beto", ana=4, caro=5, dani=6)), after=4, key=a_key(), by=by
        )
        services.undo(game, after=5, key=a_key(), by=by)
        zoe = add_member(game.table, "Zoe")
        players = tuple(Player(one.slug, one.name) for one in (*game.table.members.all()[:2], zoe))
        begun = GameStarted("loba_menos", (("stake", 100), ("reentries", 0)), players)
        new = services.start_game(game.table, begun, key=a_key(), by=by)
        services.record(new, a_round("zoe", ana=120, beto=130), after=1, key=a_key(), by=by)
        logs = {one.code: one.log() for one in (game, new)}
    facts = pocket.outbox()
    for _time in range(2):  # the first response is lost
        assert {DONE} == {answer.status for answer in pocket.send(facts)}

    assert logs == {game.code: game.log() for game in table.games.all()}
    assert 200 == there(new.code).results.get(member__slug="zoe").net
    assert ["Zoe"] == [member.name for member in table.members.filter(slug="zoe")]
    assert [] == list(check_table(table).differences)
    pocket.come_back()

    assert [] == pocket.outbox()


def test_a_game_with_a_conflict_is_held_and_other_games_are_recorded(running, pocket, owner):
    other = start(running.table, owner)
    pocket.come_back()
    with pocket.away() as by:
        play(there(running.code), by, 8, 9)
        play(there(other.code), by, 3)
    play(running, owner, 20)
    first, second, third = pocket.sync()

    assert [HELD, WAITS, DONE] == [first.status, second.status, third.status]
    assert isinstance(first.why, StaleGame)
    assert running.log()[2:] == first.why.since
    assert 2 == len(other.log())


def test_a_new_member_with_a_similar_name_at_the_site_is_held_for_a_person_to_decide(pocket, table, owner):
    with pocket.away() as by:
        mesa = Table.objects.get()
        add_member(mesa, "Zoé")
        start(mesa, by)
    add_member(table, "Zoe")
    held, behind = pocket.sync()

    assert (HELD, WAITS) == (held.status, behind.status)
    assert isinstance(held.why, Alike)
    assert "Zoé" == held.why.name
    assert 0 == table.games.count()


def test_a_new_member_with_the_same_name_at_the_site_is_the_same_member(pocket, table, owner):
    with pocket.away():
        add_member(Table.objects.get(), "Zoe")
    add_member(table, "zoe")

    assert [DONE] == [answer.status for answer in pocket.sync()]
    assert 5 == table.members.count()


def test_a_game_whose_code_is_taken_gets_another_code(pocket, table, owner):
    with pocket.away() as by:
        game = start(Table.objects.get(), by, stake=100)
        play(game, by, 3)
    begun = start(make_table(make_user("sara"), name="Otra mesa"), owner)
    Game.objects.filter(pk=begun.pk).update(code=game.code)
    facts = pocket.outbox()
    for _time in range(2):
        codes = {answer.game for answer in pocket.send(facts)}

        assert {table.games.get().code} == codes != {game.code}
    assert 2 == len(table.games.get().log())


@pytest.mark.parametrize("hours", [-48, 48])
def test_the_time_of_an_entry_is_limited_to_between_its_predecessor_and_now(running, pocket, hours):
    last = running.records.get(number=2).recorded_at
    with pocket.away() as by:
        play(there(running.code), by, 8, at=now() + timedelta(hours=hours))
    pocket.sync()
    kept = running.records.get(number=3).recorded_at

    assert last <= kept <= now()
    assert (kept == last) == (hours < 0)


def test_a_late_entry_stores_when_it_was_made_and_when_it_arrived(running, pocket, table):
    """The phone syncs the next morning; an entry recorded at the table arrives at once."""
    with pocket.away() as by:
        play(there(running.code), by, 8)
        ana, beto = there(running.code).table.members.all()[:2]
        payments.pay(ana.table, ana, beto, 50, method=Method.CASH, key=a_key(), by=by)
    morning = now() + timedelta(hours=10)
    with time_machine.travel(morning, tick=False):
        assert {DONE} == {answer.status for answer in pocket.sync()}
    late, payment = running.records.get(number=3), table.payments.get()

    assert (morning, morning) == (late.arrived_at, payment.arrived_at)
    assert late.recorded_at < morning - timedelta(hours=9) > payment.recorded_at
    assert late_arrival(running.records.get(number=2)) is None
    assert morning == late_arrival(late) == late_arrival(payment)


@override_settings(IS_A_PHONE=True)
def test_an_entry_on_a_phone_has_no_arrival_time(running, pocket):
    with pocket.away() as by:
        play(there(running.code), by, 8)
        assert there(running.code).records.get(number=3).arrived_at is None


def test_hands_are_solved_before_the_lock_except_for_stale_facts(running, pocket, owner, monkeypatch):
    solved = []
    monkeypatch.setattr(
        "games.pocket.taking.solve_beforehand", lambda game, *_events: solved.append(game.code)
    )
    with pocket.away() as by:
        play(there(running.code), by, 8)
    facts = pocket.outbox()
    for _time in range(2):  # the first response is lost
        assert [DONE] == [answer.status for answer in pocket.send(facts)]
    assert [running.code] * 2 == solved
    stale = [{**facts[0], "key": a_key()}]

    assert [HELD] == [answer.status for answer in pocket.send(stale)]
    assert 2 == len(solved)


@pytest.fixture
def a_month_later(table):
    """A context manager of the day thirty days from now, with the season closed a week before it."""

    @contextmanager
    def later():
        with time_machine.travel(now() + timedelta(days=30)):
            close_season(
                table.seasons.get(), last_day=night_of(now(), table) - timedelta(days=7), next_name="2"
            )
            yield

    return later


def test_a_game_played_in_a_season_closed_meanwhile_is_held_until_a_person_decides(
    pocket, table, a_month_later
):
    """The phone syncs after its season was closed and the season's money counted."""
    with pocket.away() as by:
        game = start(Table.objects.get(), by, stake=100, reentries=0)
        services.record(game, a_round("ana", beto=105, caro=106, dani=107), after=1, key=a_key(), by=by)
    facts = pocket.outbox()
    with a_month_later():
        begun, over = pocket.send(facts)

        assert (HELD, WAITS) == (begun.status, over.status)
        assert isinstance(begun.why, SeasonClosed)
        assert 0 == table.games.count()
        from_today = [{**fact, "at": now().isoformat()} for fact in facts]

        assert [DONE, DONE] == [answer.status for answer in pocket.send(from_today)]
        assert "2" == table.games.get().season.name


def test_a_game_that_ends_in_a_season_closed_meanwhile_is_held_until_an_owner_reopens_it(
    running, pocket, table, a_month_later
):
    """The last round was entered on a phone that was away; the game was unfinished when the season was
    closed.
    """
    with pocket.away() as by:
        play(there(running.code), by, 50)
        services.record(there(running.code), LAST, after=3, key=a_key(), by=by)
    with a_month_later():
        facts = pocket.outbox()
        held = pocket.send(facts)

        assert [DONE, HELD] == [answer.status for answer in held]
        assert isinstance(held[1].why, SeasonClosed)
        reopen_season(table.seasons.first())

        assert [DONE, DONE] == [answer.status for answer in pocket.send(facts)]
        assert Game.objects.filter(pk=running.pk, ended_at__lt=now() - timedelta(days=29)).exists()


def test_a_game_of_the_night_in_which_the_season_was_closed_counts(pocket, table):
    with pocket.away() as by:
        start(Table.objects.get(), by)
    close_season(table.seasons.get(), last_day=night_of(now(), table), next_name="2")

    assert [DONE] == [answer.status for answer in pocket.sync()]


def test_a_repeated_discard_does_not_override_a_later_restore(running, pocket):
    with pocket.away():
        services.discard_game(there(running.code))
    facts = pocket.outbox()
    pocket.send(facts)
    services.restore_game(there(running.code))
    pocket.send(facts)  # the response was lost

    assert there(running.code).discarded_at is None


def test_a_restore_from_a_phone_with_a_slow_clock_is_applied(running, pocket):
    services.discard_game(running)
    pocket.come_back()
    with pocket.away():
        services.restore_game(there(running.code))
    (fact,) = pocket.outbox()
    pocket.send([{**fact, "at": (now() - timedelta(hours=1)).isoformat()}])

    assert there(running.code).discarded_at is None


def test_facts_of_a_user_who_lost_their_rights_are_held_with_the_reason(running, pocket, table, owner):
    with pocket.away() as by:
        play(there(running.code), by, 8)
    facts, whys = pocket.outbox(), []
    grant = table.grants.get(user=owner)
    for change in ({"role": Role.WITNESS}, {"expires_at": now()}):
        type(grant).objects.filter(pk=grant.pk).update(**change)
        whys += [type(answer.why) for answer in pocket.send(facts)]

    assert [RoleMissing, Http404] == whys
    assert 2 == len(running.log())


def test_an_invalid_fact_holds_back_all_later_ones(running, owner):
    about = {"table": running.table.code, "game": running.code}
    fact = {"kind": "discard", **about, "at": now().isoformat(), "seen": 0}

    assert [HELD, WAITS] == [answer.status for answer in take([{**fact, "more": 1}, fact], owner, READERS)]
    misshapen: list[object] = [
        None,
        [],
        {},
        {"kind": "x"},
        {"kind": []},
        {**fact, "at": "x"},
        {**fact, "game": 7},
    ]
    for wrong in misshapen:
        assert [HELD] == [answer.status for answer in take([wrong], owner, READERS)]


def test_a_change_that_cannot_be_sent_later_raises_an_error(pocket):
    with pocket.away():
        rename_table(Table.objects.get(), "Otra")
    with pytest.raises(NoFact):
        pocket.outbox()


# --- the law ----------------------------------------------------------------------------------------------------------


class Evening:
    """Two phones and the site, and all entries recorded on any of them."""

    def __init__(self, seed: int, table: Table, pockets: Iterable[Pocket]) -> None:
        self.chance, self.table, self.pockets = random.Random(seed), table, list(pockets)
        self.somebody = Somebody(self.chance)
        self.online: set[str] = set()
        self.paid_online: set[str] = set()
        self.facts: dict[int, list[Fact]] = {place: [] for place, _pocket in enumerate(self.pockets)}

    def go_on(self, *, steps: int) -> None:
        """Make this many random changes on a phone or at the site, then sync both phones."""
        for _step in range(steps):
            self.chance.choice(
                (self.at_the_site, self.away, self.away, self.away, self.comes_back, self.cut)
            )()
        for place, _pocket in enumerate(self.pockets):
            self.comes_back(place)

    def at_the_site(self) -> None:
        before, paid = _keys(self.table), set(self.table.payments.values_list("key", flat=True))
        self.somebody.act(self.table, self.chance.choice(self.pockets).user)
        self.online |= _keys(self.table) - before
        self.paid_online |= set(self.table.payments.values_list("key", flat=True)) - paid

    def away(self) -> None:
        pocket = self.chance.choice(self.pockets)
        with pocket.away() as reader:
            self.somebody.act(Table.objects.get(), reader)

    def comes_back(self, place: int | None = None) -> None:
        place = self.chance.randrange(len(self.pockets)) if place is None else place
        self.facts[place] += [fact for fact in self.pockets[place].outbox() if fact not in self.facts[place]]
        self.pockets[place].sync()

    def cut(self) -> None:
        """Send some facts and lose the answer."""
        place = self.chance.randrange(len(self.pockets))
        facts = self.pockets[place].outbox()
        self.facts[place] += [fact for fact in facts if fact not in self.facts[place]]
        self.pockets[place].send(facts[: self.chance.randint(0, len(facts))])

    def prove(self) -> None:
        """Check that everything recorded is at the site once, or held by its phone for a person to decide."""
        held = [fact["key"] for pocket in self.pockets for fact in pocket.held if _is_played(fact)]
        sent = [fact["key"] for facts in self.facts.values() for fact in facts if _is_played(fact)]
        there = _keys(self.table)

        assert sorted(sent) == sorted(set(sent))
        assert there == self.online | (set(sent) - set(held))
        assert not there & set(held)
        assert sorted(there) == sorted(_all_keys(self.table))
        for facts in self.facts.values():
            self._prove_the_order([fact for fact in facts if fact.get("key") in there])
        self._prove_the_payments()
        assert [] == list(check_table(self.table).differences)

    def _prove_the_payments(self) -> None:
        """Check that each payment is there once, or equals one of another phone, or is held."""
        held = {fact["key"] for pocket in self.pockets for fact in pocket.held if fact["kind"] == PAID}
        sent = [fact for facts in self.facts.values() for fact in facts if fact["kind"] == PAID]
        for fact in sent:
            paid = self.table.payments.filter(key=fact["key"])
            pair = {"payer__slug": fact["payer"], "payee__slug": fact["payee"]}
            same = self.table.payments.filter(**pair).exclude(key=fact["key"])
            is_tick = fact["is_along_the_plan"] or fact["game"]

            assert (
                paid.count() == 0
                if fact["key"] in held
                else (paid.count() == 1 or (is_tick and same.exists()))
            )
        assert {fact["key"] for fact in sent} | self.paid_online == (
            {payment.key for payment in self.table.payments.all()}
            | {fact["key"] for fact in sent if not self.table.payments.filter(key=fact["key"]).exists()}
        )

    def _prove_the_order(self, facts: list[Fact]) -> None:
        """Check that the batches of one phone in a game are complete and in order."""
        placed: dict[str, int] = {}
        for fact in facts:
            records = list(Record.objects.filter(game__table=self.table, key=fact["key"]))
            first, *others = records
            events = first.game.records.filter(number__gte=first.number)[: len(fact["events"])]

            assert [] == others
            assert fact["events"] == [{"kind": one.kind, "data": one.data} for one in events]
            assert first.number > placed.get(fact["game"], 0)
            placed[fact["game"]] = first.number


def _is_played(fact: Fact) -> bool:
    return "key" in fact and fact["kind"] not in (PAID, TURNED)


def _keys(table: Table) -> set[str]:
    return set(_all_keys(table))


def _all_keys(table: Table) -> list[str]:
    return [record.key for record in Record.objects.filter(game__table=table) if record.key is not None]


@pytest.mark.parametrize(
    "seeds",
    [
        pytest.param(range(3), id="3"),
        pytest.param(range(3, 13), id="10", marks=pytest.mark.slow),
        pytest.param(range(13, 213), id="200", marks=pytest.mark.long),
    ],
)
def test_two_phones_and_the_site_neither_lose_nor_double_nor_reorder_entries(
    table, owner, scorer, empty, tmp_path, seeds
):
    held = done = 0
    for seed in seeds:
        with transaction.atomic():
            pockets = [Pocket(user, empty, tmp_path / f"{user.username}.sqlite3") for user in (owner, scorer)]
            evening = Evening(seed, table, pockets)
            evening.go_on(steps=25)
            evening.prove()
            held += sum(len(pocket.held) for pocket in pockets)
            done += sum(len(facts) for facts in evening.facts.values())
            transaction.set_rollback(True)

    assert 0 < held < done
