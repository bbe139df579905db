"""A state machine test of the accounts: balances add up to zero and match a replay of everything.

It performs random actions: games of every kind, corrections of old rounds, penalties, undo; payments that
are partial, too large, repeated, cancelled, disputed, upheld, claimed, dated back or amended; cash payments
on the spot, seasons, members who retire, are merged or separated again. After every step it recomputes the accounts,
slowly, from the records and its own list of payments.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, timedelta

import pytest
from django.db import transaction
from django.db.models import Q
from hypothesis import Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

from games.models import Game, Member, Method, Payment, Role, Table
from games.money import booking, holders, merging, payments, ticks
from games.money.balances import People, entries_of, read_accounts, to_settle
from games.money.dues import dues_of
from games.money.merging import merge, preview_merge, unmerge
from games.money.past import balances_at
from games.nights import night_of, nights_before, window_of
from games.notebook.books.audit import check_table
from games.people.members import add_member
from games.people.tables import open_table
from games.play import recording as services
from games.play import writer
from games.play.history import strikes_of
from games.play.results import results_of
from games.scoring.errors import RuleError
from games.scoring.events import GameStarted, GameStopped, Stop
from games.scoring.ledger import Transfer, nets
from games.scoring.preview import preview
from games.scoring.replay import allows, replay
from games.scoring.variants import VARIANTS
from tests.scoring.strategies import (
    GUESTS,
    IDS,
    a_change,
    a_move,
    a_start,
    answers_by_chance,
    seeds,
)
from tests.tables import a_key, become, end_season, make_user

MOST_GAMES = 5
HIGHEST = 10**6  # a stake at which one payment can settle a whole game
TRIES = 4  # most random corrections are refused
TWINS = ("ana_b", "beto_b")  # Ana and Beto, entered a second time
TIMEZONE = "America/Argentina/Buenos_Aires"
BEGIN = datetime(2025, 3, 7, 0, 30, tzinfo=UTC)
variants = st.sampled_from(tuple(VARIANTS))
places = st.integers(0, 9)


@dataclass
class Paid:
    """A payment, recorded in the test's own list."""

    payer: str
    payee: str
    amount: int
    at: datetime
    counts: bool = True
    is_claimed: bool = False


def has_games(books: Books) -> bool:
    """Return whether any game has been played."""
    return bool(books.games)


def has_paid(books: Books) -> bool:
    """Return whether a payment has been recorded between members who are not merged into one."""
    return any(books.now(paid.payer) != books.now(paid.payee) for paid in books.paid.values())


def has_ended(game: Game, moment: datetime) -> bool:
    """Return whether the game had ended at this moment, by its present log or by its log at that time."""
    length = game.records.filter(recorded_at__lte=moment).count()
    is_before = game.ended_at is not None and game.ended_at <= moment
    return is_before or (length > 0 and replay(game.log()[:length]).is_over)


class Books(RuleBasedStateMachine):
    """A table over several nights, as a Hypothesis state machine."""

    table: Table

    def __init__(self) -> None:
        super().__init__()
        self.undone = transaction.atomic()
        self.undone.__enter__()
        self.clock = BEGIN
        self.games: list[Game] = []
        self.paid: dict[int, Paid] = {}
        self.one: dict[str, str] = {}  # merged members: slug to slug

    def teardown(self) -> None:
        transaction.set_rollback(True)
        self.undone.__exit__(None, None, None)

    @initialize(seed=seeds)
    def sit_down(self, seed: int) -> None:
        """Open a table of seven, two of them entered twice, with one night of three games."""
        self.owner, self.scorer = make_user("books"), make_user("scorer")
        self.table = open_table(
            self.owner, "Los jueves", unit="$", decimals=0, language="es-ar", timezone=TIMEZONE, at=BEGIN
        )
        for name in (*IDS, *GUESTS[:2], *TWINS):
            add_member(self.table, name)
        become(self.owner, *self.table.members.all())  # so that every payee can confirm
        chance = random.Random(seed)
        for _game in range(3):
            self.play_one(chance.choice(list(VARIANTS)), chance)

    # --- games --------------------------------------------------------------------------------------------------------

    @precondition(lambda books: len(books.games) < MOST_GAMES)
    @rule(seed=seeds, variant=variants)
    def play(self, seed: int, variant: str) -> None:
        """Play some events of a random game of this variant, and mostly stop the game afterwards."""
        self.play_one(variant, random.Random(seed))

    def play_one(self, variant: str, chance: random.Random) -> None:
        begun = a_start(chance, variant)
        while any(isinstance(value, int) and value > HIGHEST for _key, value in begun.options):
            begun = a_start(chance, variant)
        begun = self.with_a_twin(begun, chance)
        with suppress(RuleError):  # a player of the game has retired
            game = services.start_game(self.table, begun, key=a_key(), by=self.owner, at=self.later())
            self.games.append(game)
            for _ in range(chance.randint(3, 20)):
                self.move(game, chance)
            if chance.random() < 0.8:
                self.stop(game, chance)

    def with_a_twin(self, begun: GameStarted, chance: random.Random) -> GameStarted:
        """Return the same start; sometimes with the second entry of a member who was entered twice."""
        other = {IDS[place]: twin for place, twin in enumerate(TWINS) if chance.random() < 0.4}
        seats = tuple(replace(player, id=other.get(player.id, player.id)) for player in begun.players)
        return replace(begun, players=seats, dealer=other.get(begun.dealer, begun.dealer))

    def move(self, game: Game, chance: random.Random) -> None:
        state = game.state()
        if not state.is_over:
            move = a_move(chance, state)
            if allows(state, move):
                self.record(game, move)

    def stop(self, game: Game, chance: random.Random) -> None:
        state = game.state()
        while state.pending:
            self.move(game, chance)
            state = game.state()
        stops = [GameStopped(how) for how in Stop if allows(state, GameStopped(how))]
        if stops and not state.is_over:
            self.record(game, chance.choice(stops))

    def record(self, game: Game, *events) -> bool:
        with suppress(RuleError):
            services.record(
                game, *events, after=game.records.count(), key=a_key(), by=self.owner, at=self.later()
            )
            return True
        return False

    @precondition(has_games)
    @rule(seed=seeds, place=places)
    def correct(self, seed: int, place: int) -> None:
        """Correct an old round, and record the events that the correction needs."""
        self.corrected(self.game(place), random.Random(seed))

    def corrected(self, game: Game, chance: random.Random) -> bool:
        """Try random corrections until one is accepted; return whether one was recorded."""
        log = game.log()
        for _try in range(TRIES):
            with suppress(RuleError):
                change = a_change(chance, log)
                tried = preview(log, change, answers=answers_by_chance(chance, log, change))
                if tried.after is not None and self.record(game, *tried.changes):
                    return True
        return False

    @precondition(has_games)
    @rule(seed=seeds, place=places)
    def correct_and_revert(self, seed: int, place: int) -> None:
        """Correct an event and revert that: every balance and the plan are as before."""
        game = self.game(place)
        before, length = self.shown(), game.records.count()
        if self.corrected(game, random.Random(seed)):
            recorded = tuple(range(length + 1, game.records.count() + 1))
            assert self.record(game, *strikes_of(recorded))
            assert before == self.shown()

    @precondition(has_games)
    @rule(place=places, step=st.sampled_from([services.undo, services.redo]))
    def step_back_or_forth(self, place: int, step: Callable[..., object]) -> None:
        with suppress(RuleError):
            game = self.game(place)
            step(game, after=game.records.count(), key=a_key(), by=self.owner, at=self.later())

    @precondition(has_games)
    @rule(place=places)
    def discard_or_restore(self, place: int) -> None:
        game = self.game(place)
        act = services.discard_game if game.discarded_at is None else services.restore_game
        act(game, at=self.later())

    # --- payments -----------------------------------------------------------------------------------------------------

    @rule(place=places, part=st.sampled_from([1, 2, 3]), times=st.sampled_from([1, 1, 2]))
    def pay_along_the_plan(self, place: int, part: int, times: int) -> None:
        """Pay part or all of a line of the plan, perhaps with a double tap; other lines stay as they are."""
        lines = read_accounts(self.table).to_pay
        if not lines:
            return
        line = lines[place % len(lines)]
        amount = max(1, line.left // part)
        self.pay(line.payer, line.payee, amount, times=times)
        expected = {(other.payer.slug, other.payee.slug): other.left for other in lines if other != line}
        if line.left > amount:
            expected[line.payer.slug, line.payee.slug] = line.left - amount
        left = {(now.payer.slug, now.payee.slug): now.left for now in read_accounts(self.table).to_pay}
        assert expected == left

    @rule(payer=places, payee=places, amount=st.integers(1, 10**7), times=st.sampled_from([1, 1, 1, 3]))
    def pay_anybody(self, payer: int, payee: int, amount: int, times: int) -> None:
        people = self.people()
        one, other = people[payer % len(people)], people[payee % len(people)]
        if one != other:
            self.pay(one, other, amount, times=times)

    def pay(
        self,
        payer: Member,
        payee: Member,
        amount: int,
        *,
        times: int = 1,
        day: date | None = None,
        is_claimed: bool = False,
    ) -> None:
        key, at = a_key(), self.later()
        for _tap in range(times):
            payment = payments.pay(
                self.table,
                payer,
                payee,
                amount,
                method=Method.CASH,
                key=key,
                by=self.owner if is_claimed else self.scorer,
                at=at,
                day=day,
            )
        self.paid[payment.pk] = Paid(
            payer.slug, payee.slug, amount, payment.made_at, counts=not is_claimed, is_claimed=is_claimed
        )

    @rule(payer=places, payee=places, amount=st.integers(1, 10**7), times=st.sampled_from([1, 2]))
    def claim(self, payer: int, payee: int, amount: int, times: int) -> None:
        """Record a claimed payment: it changes no balance and no line of the plan yet."""
        people = self.people()
        one, other = people[payer % len(people)], people[payee % len(people)]
        if one != other:
            before = self.shown()
            self.pay(one, other, amount, times=times, is_claimed=True)
            assert before == self.shown()

    @rule(payer=places, payee=places, amount=st.integers(1, 10**7), days=st.integers(0, 30))
    def pay_long_ago(self, payer: int, payee: int, amount: int, days: int) -> None:
        """Record a payment dated back, but not before the table existed."""
        people = self.people()
        one, other = people[payer % len(people)], people[payee % len(people)]
        if one != other:
            day = night_of(self.clock, self.table) - timedelta(days=days)
            with suppress(RuleError):
                self.pay(one, other, amount, day=day)

    @precondition(has_paid)
    @rule(place=places)
    def answer(self, place: int) -> None:
        """Confirm a disputed or a claimed payment as a scorer."""
        payment = self.one_paid(place)
        with suppress(RuleError):
            payments.confirm(payment, by=self.scorer, at=self.later())
            self.paid[payment.pk].counts, self.paid[payment.pk].is_claimed = True, False

    def one_paid(self, place: int) -> Payment:
        between_two = [pk for pk, paid in self.paid.items() if self.now(paid.payer) != self.now(paid.payee)]
        return Payment.objects.get(pk=between_two[place % len(between_two)])

    def people(self) -> list[Member]:
        """Return the members who are not merged into others."""
        return [member for member in self.table.members.all() if member.slug not in self.one]

    def now(self, slug: str) -> str:
        """Return the slug of the member into which this one was merged; without a merge, the same slug."""
        while slug in self.one:
            slug = self.one[slug]
        return slug

    @precondition(has_paid)
    @rule(place=places)
    def take_back(self, place: int) -> None:
        payment = self.one_paid(place)
        payments.take_back(payment, by=self.scorer, reason="no fue", at=self.later())
        self.paid[payment.pk].counts = False

    @precondition(has_paid)
    @rule(place=places, is_received=st.booleans())
    def give_a_word(self, place: int, is_received: bool) -> None:
        payment = self.one_paid(place)
        with suppress(RuleError):
            if is_received:
                payments.confirm(payment, by=self.owner, role=Role.WITNESS, at=self.later())
            else:
                payments.dispute(payment, by=self.owner, at=self.later())
            self.paid[payment.pk].counts = is_received
            self.paid[payment.pk].is_claimed &= not is_received

    @precondition(has_games)
    @rule(place=places, alone=st.booleans(), times=st.sampled_from([1, 2]))
    def pay_on_the_spot(self, place: int, alone: bool, times: int) -> None:
        """Record cash for a game's dues, for all or for one line: the other lines stay as they are."""
        game, key, at = self.game(place), a_key(), self.later()
        after, lines = game.records.count(), dues_of(game, game.state()).to_tick
        with suppress(RuleError):
            for _tap in range(times):
                if alone and lines:
                    line = Transfer(lines[0].payer.slug, lines[0].payee.slug, lines[0].amount)
                    made = [ticks.tick(game, line, after=after, key=key, by=self.scorer, at=at)]
                    assert lines[1:] == dues_of(game, game.state()).to_tick
                else:
                    made = [*ticks.pay_on_the_spot(game, after=after, key=key, by=self.scorer, at=at)]
            for paid in made:
                self.paid[paid.pk] = Paid(paid.payer.slug, paid.payee.slug, paid.amount, at)

    # --- nights, seasons, people --------------------------------------------------------------------------------------

    @rule(season_too=st.booleans())
    def go_home(self, season_too: bool) -> None:
        """Let a week pass; the next games are on another night, sometimes in another season."""
        if season_too:
            with suppress(RuleError):
                end_season(self.table, last_day=night_of(self.clock, self.table), next_name="La que viene")
        self.clock += timedelta(days=7)

    @rule(place=places)
    def look_back(self, place: int) -> None:
        """Compare the balances at the end of an old night with those computed from all records of today."""
        nights = nights_before(self.table, None, count=100)
        if not nights:
            return
        _begins, ends = window_of(nights[place % len(nights)], self.table)
        assert [self.worked_out(until=ends)] == balances_at(self.table, People.of(self.table), [ends])

    @rule(place=places)
    def retire_or_come_back(self, place: int) -> None:
        members = self.people()
        member = members[place % len(members)]
        if member.retired_at is not None:
            holders.bring_back(member)
            return
        key, at = a_key(), self.later()
        balance = read_accounts(self.table).accounts[member.slug].balance
        with suppress(RuleError):
            holders.retire(member, written_off=balance, key=key, by=self.scorer, at=at)
            for paid in self.table.payments.filter(key=key).select_related("payer", "payee"):
                self.paid[paid.pk] = Paid(paid.payer.slug, paid.payee.slug, paid.amount, at)
            assert 0 == read_accounts(self.table).accounts[member.slug].balance

    @rule(place=places, seed=seeds)
    def turn_out_to_be_one(self, place: int, seed: int) -> None:
        """Merge two members, mostly entries of the same person; the result is that of the preview."""
        chance = random.Random(seed)
        self.made_one(*self.two(place, chance))

    @rule(place=places, seed=seeds)
    def turn_out_to_be_one_and_then_not(self, place: int, seed: int) -> None:
        """Merge two members and part them at once: balances, payments and plan are as before."""
        member, into = self.two(place, random.Random(seed))
        before, stood = self.shown(), self.standing()
        if self.made_one(member, into):
            unmerge(member, by=self.owner, at=self.later())
            del self.one[member.slug]
            assert (before, stood) == (self.shown(), self.standing())

    @precondition(lambda books: books.one)
    @rule()
    def turn_out_to_be_two(self) -> None:
        """Part the members that were merged last, if nothing happened since."""
        *_others, slug = self.one
        member = self.table.members.get(slug=slug)
        with suppress(RuleError):
            unmerge(member, by=self.owner, at=self.later())
            del self.one[slug]

    def two(self, place: int, chance: random.Random) -> tuple[Member, Member]:
        people = self.people()
        pairs = [pair for pair in zip(TWINS, IDS, strict=False) if pair[0] not in self.one]
        slugs = chance.choice(pairs) if pairs and chance.random() < 0.7 else ()
        named = [member for slug in slugs for member in people if member.slug == slug]
        one, other = named if len(named) == 2 else chance.sample(people, 2)
        if chance.random() < 0.5:
            self.pay(one, other, chance.randint(1, 1000))  # perhaps two entries of one person
        return one, other

    def made_one(self, member: Member, into: Member) -> bool:
        with suppress(RuleError):
            preview = preview_merge(member, into)
            merge(member, into, seen=preview.seen, by=self.owner, at=self.later())
            self.one[member.slug] = into.slug
            lines = [(line.payer, line.payee, line.amount) for line in preview.plan_after]
            assert sorted(lines) == sorted(self.shown()[1])
            return True
        return False

    def standing(self) -> set[int]:
        """Return the ids of the payments that count in the balances."""
        return set(self.table.payments.counting().values_list("pk", flat=True))

    # --- what must hold -----------------------------------------------------------------------------------------------

    @invariant()
    def balances_are_what_replay_says_and_add_up_to_nothing(self) -> None:
        if not hasattr(self, "table"):
            return
        accounts = read_accounts(self.table)
        assert 0 == sum(accounts.balances.values())
        assert self.worked_out() == accounts.balances

    @invariant()
    def results_are_what_replay_says(self) -> None:
        for game in self.games:
            game.refresh_from_db()
            state = game.state()
            expected = results_of(game, state) if state.is_over and game.discarded_at is None else []
            assert [(r.member_id, r.net, r.place, r.won) for r in expected] == [
                (r.member_id, r.net, r.place, r.won) for r in game.results.order_by("pk")
            ]

    @invariant()
    def the_plan_clears_every_balance(self) -> None:
        if not hasattr(self, "table"):
            return
        accounts = read_accounts(self.table)
        left = Counter(accounts.balances)
        for line in accounts.to_pay:
            assert line.left > 0
            left[line.payer.slug] += line.left
            left[line.payee.slug] -= line.left
        assert not any(left.values())
        assert (
            len(accounts.to_pay) < max(1, sum(map(bool, accounts.balances.values()))) or not accounts.to_pay
        )
        standing = self.table.plans.first()
        if standing is not None:
            assert accounts.plan == standing, "the plan stored does not explain the balances"

    @invariant()
    def what_a_game_still_owes_is_its_nets_less_what_was_paid_for_it(self) -> None:
        if not self.games:
            return
        game = self.game(self.clock.minute)
        state = game.state()
        dues = dues_of(game, state)
        is_due = state.is_over and game.discarded_at is None
        left: Counter[str] = Counter()
        for player, net in nets(state).items() if is_due else ():
            left[self.now(player)] += net
        for paid in dues.paid if is_due else ():
            assert self.paid[paid.pk].counts
            left[self.now(paid.payer.slug)] += paid.amount
            left[self.now(paid.payee.slug)] -= paid.amount
        for line in (*dues.lines, *dues.settled):
            assert 0 <= line.amount <= line.whole
            left[line.payer.slug] += line.whole
            left[line.payee.slug] -= line.whole
        assert not any(left.values())

    @invariant()
    def waiting_payments_are_claimed_or_disputed(self) -> None:
        if not hasattr(self, "table"):
            return
        claimed = {pk for pk, paid in self.paid.items() if paid.is_claimed}
        assert set(self.table.payments.claimed().values_list("pk", flat=True)) <= claimed
        waiting = set(to_settle(self.table).values_list("pk", flat=True))
        assert not {pk for pk in waiting if self.paid[pk].counts}

    @invariant()
    def payments_to_oneself_do_not_count(self) -> None:
        if not hasattr(self, "table"):
            return
        for paid in self.table.payments.counting().select_related("payer", "payee"):
            assert self.now(paid.payer.slug) != self.now(paid.payee.slug)

    @invariant()
    def the_books_are_clean(self) -> None:
        """Run the audit after some of the steps: it replays every game and must find no difference."""
        if hasattr(self, "table") and self.clock.minute % 7 == 0:
            assert [] == [str(one) for one in check_table(self.table).differences]

    @invariant()
    def a_balance_opens_to_its_causes(self) -> None:
        if not hasattr(self, "table"):
            return
        accounts = read_accounts(self.table)
        account = list(accounts.accounts.values())[self.clock.minute % len(accounts.accounts)]
        entries, _more = entries_of(account, accounts.people, start=0, count=1000)
        assert account.balance == sum(entry.amount for entry in entries)

    # --- the slow way -------------------------------------------------------------------------------------------------

    def worked_out(self, until: datetime | None = None) -> dict[str, int]:
        """Return every balance, computed from the stored games and from the test's own list of payments."""
        balances = {member.slug: 0 for member in self.people()}
        for game in self.games:
            game.refresh_from_db()
            state = game.state()
            counts = until is None or has_ended(game, until)
            if state.is_over and game.discarded_at is None and counts:
                for player, net in nets(state).items():
                    balances[self.now(player)] += net
        for paid in self.paid.values():
            if paid.counts and (until is None or paid.at <= until):
                balances[self.now(paid.payer)] += paid.amount
                balances[self.now(paid.payee)] -= paid.amount
        return balances

    def shown(self) -> tuple[dict[str, int], list[tuple[str, str, int]]]:
        """Return the balances and the unpaid lines of the plan, as the accounts page shows them."""
        accounts = read_accounts(self.table)
        lines = [(line.payer.slug, line.payee.slug, line.left) for line in accounts.to_pay]
        return accounts.balances, lines

    def game(self, place: int) -> Game:
        game = self.games[place % len(self.games)]
        game.refresh_from_db()
        return game

    def later(self) -> datetime:
        self.clock += timedelta(minutes=1)
        return self.clock


def run(
    examples: int, steps: int = 18, *, phases: tuple[Phase, ...] = (Phase.generate, Phase.shrink)
) -> None:
    """Run the machine with this many examples, the same ones at every call."""
    run_state_machine_as_test(
        Books,
        settings=settings(
            max_examples=examples,
            stateful_step_count=steps,
            deadline=None,
            derandomize=True,
            database=None,
            report_multiple_bugs=False,
            suppress_health_check=(),
            phases=phases,
        ),
    )


@pytest.mark.django_db
@pytest.mark.parametrize("examples", [1, pytest.param(25, marks=pytest.mark.slow)])
def test_the_accounts_stay_consistent_in_random_histories(examples):
    run(examples)


@pytest.mark.django_db
@pytest.mark.long
def test_the_accounts_stay_consistent_in_long_random_histories():
    run(300, 40)


# --- faults, each of them found ---------------------------------------------------------------------------------------


def forget_to_restate(patch: pytest.MonkeyPatch) -> None:
    """Patch the app with a fault: a correction leaves the results of a finished game unchanged."""
    project = writer.project

    def once(game, state, **how):
        if game.ended_at is None or not state.is_over:
            project(game, state, **how)

    patch.setattr(services, "project", once)


def count_what_was_cancelled(patch: pytest.MonkeyPatch) -> None:
    """Patch the app with a fault: a cancelled payment still counts in the balances."""
    patch.setattr("games.money.balances.COUNTING", Q(disputed_at=None))


def forget_the_keys(patch: pytest.MonkeyPatch) -> None:
    """Patch the app with a fault: a double tap records two payments."""

    def anew(table, paid, *, key, **how):
        return booking.record_payments(table, paid, key=a_key(), **how)

    patch.setattr("games.money.payments.record_payments", anew)


def count_payments_to_oneself(patch: pytest.MonkeyPatch) -> None:
    """Patch the app with a fault: payments between two members still count after they are merged."""
    patch.setattr(merging, "_between", lambda *_who: Payment.objects.none())


def forget_what_counts_again(patch: pytest.MonkeyPatch) -> None:
    """Patch the app with a fault: payments between two members do not count again after they are parted."""

    def part_alone(member, *, by, at):
        standing = set(member.table.payments.counting().values_list("pk", flat=True))
        merging.unmerge(member, by=by, at=at)
        member.table.payments.counting().exclude(pk__in=standing).update(ended_at=at, ended_by=by)

    patch.setattr(f"{__name__}.unmerge", part_alone)


QUICK_TO_FIND = (forget_to_restate, count_what_was_cancelled, forget_the_keys, count_payments_to_oneself)
SLOW_TO_FIND = (forget_what_counts_again,)


@pytest.mark.django_db
@pytest.mark.parametrize(
    "fault",
    [
        *(pytest.param(fault, marks=pytest.mark.slow) for fault in QUICK_TO_FIND),
        *(pytest.param(fault, marks=pytest.mark.long) for fault in SLOW_TO_FIND),
    ],
)
def test_the_state_machine_finds_a_deliberate_fault(monkeypatch, fault):
    fault(monkeypatch)

    with pytest.raises(AssertionError):
        run(200, phases=(Phase.generate,))
