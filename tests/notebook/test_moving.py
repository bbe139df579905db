"""A table moves to another place by its file and back: nothing is lost, nothing is there twice."""

from __future__ import annotations

import contextlib
import json
import random
from collections import Counter
from datetime import datetime
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.test.utils import CaptureQueriesContext

from games.changes import news_of
from games.locks import ChangedMeanwhile, TableMoved
from games.models import (
    Game,
    Member,
    Method,
    Payment,
    Record,
    Role,
    Table,
)
from games.money.balances import read_accounts
from games.money.closings import close_night, seen_now
from games.money.costs import CostWords, amend_cost, cancel_cost, share_cost
from games.money.holders import retire, set_account
from games.money.merging import merge, preview_merge, unmerge
from games.money.payments import cancel, pay
from games.notebook import returning
from games.notebook.books.audit import check_table
from games.notebook.fields import Unreadable
from games.notebook.fingerprints import fingerprint_of
from games.notebook.reading import read_table
from games.notebook.restoring import AlreadyImported, restore_table
from games.notebook.returned_people import ReturnedPeople
from games.notebook.returning import WentOnApart
from games.notebook.spellings import remember
from games.notebook.writing import write_table
from games.people.claims import claim
from games.people.deletion import delete_account
from games.people.members import add_member, rename_table
from games.people.moving import end_move, move
from games.people.owners import OwnsNoLonger
from games.play import recording as services
from games.play.flags import raise_flag
from games.play.hands import SentHand, offer_hand
from games.scoring.errors import RuleError
from games.scoring.events import Corrected
from games.season.seasons import close_season, reopen_season
from tests.commands import output_of, refusal_of
from tests.full_tables import FullTable, fill
from tests.tables import a_key, a_round, history_in, make_table, make_user, start, start_with, the_night

pytestmark = pytest.mark.django_db


class Copies:
    """A table on a phone and its copy at a site, each with its owner."""

    def __init__(self, table: Table, owner: User) -> None:
        self.phone, self.ana = table, owner
        self.site: Table | None = None
        self.nora = make_user("nora")

    def to_site(self) -> Table:
        """Move the table from the phone to the site."""
        self.site = moved(self.phone, self.ana, self.nora)
        return self.site

    def to_phone(self) -> Table:
        """Move the table from the site to the phone."""
        assert self.site is not None
        return moved(self.site, self.nora, self.ana)

    def are_equal(self) -> bool:
        """Return whether both have the same history, and whether it is sound in both."""
        assert self.site is not None
        assert [] == faults_of(self.phone) == faults_of(self.site)
        assert fingerprint_of(self.phone) == fingerprint_of(self.site)
        return bool(content_of(self.phone) == content_of(self.site))


def moved(table: Table, owner: User, to: User, *, again: bool = False) -> Table:
    """Move the table to another owner's place by its file."""
    move(table, by=owner)
    return brought(file_of(table), to, again=again)


def brought(text: str, by: User, *, key: str = "", again: bool = False) -> Table:
    """Import this text."""
    return restore_table(read_table(text.encode()), key=key or a_key(), by=by, again=again)


def file_of(table: Table) -> str:
    return write_table(Table.objects.get(pk=table.pk), with_anchor=True)


def content_of(table: Table) -> Any:
    return history_in(file_of(table))


def faults_of(table: Table) -> list[str]:
    return [str(difference) for difference in check_table(Table.objects.get(pk=table.pk)).differences]


@pytest.fixture
def copies():
    """A table of four with a finished game, a payment and a shared cost."""
    ana = make_user("ana")
    table = make_table(ana)
    play(table, ana)
    pay_a_part(table, ana)
    share(table, ana)
    return Copies(table, ana)


def play(table: Table, by: User, at: datetime | None = None) -> Game:
    """Play a game that the first of four wins in one round."""
    game = start_with(table, by, count=4, at=at)
    winner, *losers = (player.id for player in game.state().players)
    first, second, third = losers
    busted = a_round(winner, closing="out", **{first: 101, second: 102, third: 103})
    services.record(game, busted, after=1, key=a_key(), by=by, at=at)
    return game


def pay_a_part(table: Table, by: User) -> Payment:
    beto, ana = (table.members.get(slug=slug) for slug in ("beto", "ana"))
    return pay(table, beto, ana, 30, method=Method.CASH, key=a_key(), by=by)


def share(table: Table, by: User):
    ana, beto, caro = table.members.order_by("pk")[:3]
    words = CostWords(ana, 900, (ana, beto, caro), "pizza")
    return share_cost(table, the_night(table), words, key=a_key(), by=by)


def member(table: Table, slug: str) -> Member:
    return table.members.get(slug=slug)


# --- there and back ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", [0, *(pytest.param(seed, marks=pytest.mark.slow) for seed in range(1, 6))])
def test_a_full_table_goes_to_a_site_goes_on_there_and_comes_back_with_everything(seed):
    ana = make_user("ana")
    full = FullTable(random.Random(seed), ana, decimals=seed % 4)
    copies = Copies(fill(full, nights=2, games=2), ana)
    site = copies.to_site()
    assert copies.are_equal()

    full.table, full.owner, full.scorer = site, copies.nora, copies.nora
    full.members = {slug: member(site, slug) for slug in full.members}
    for _night in range(2):
        played = [play(site, copies.nora, full.later(hours=1)) for _game in range(2)]
        full.pay_on_the_spot(played[1])
        full.pay_something()
        full.close_night()
        services.discard_game(played[0], at=full.later(minutes=1))
        full.close_season(f"Temporada del sitio {_night}")

    assert copies.phone == copies.to_phone()
    assert copies.are_equal()


def test_a_running_game_goes_on_at_each_place_in_turn(copies):
    game = start(copies.phone, copies.ana)
    services.record(game, a_round("ana", beto=5, caro=7, dani=9), after=1, key=a_key(), by=copies.ana)
    for there, owner, back in (
        (copies.to_site, copies.nora, copies.to_phone),
        (copies.to_site, copies.nora, copies.to_phone),
    ):
        here = there().games.get(key=game.key)
        after = here.records.count()
        services.record(here, a_round("beto", ana=5, caro=7, dani=9), after=after, key=a_key(), by=owner)
        back()
        assert copies.are_equal()

    services.undo(game, after=game.records.count(), key=a_key(), by=copies.ana)
    assert 2 == len(game.state().rounds)


def test_an_ended_game_that_is_corrected_elsewhere_counts_so_here(copies):
    site = copies.to_site()
    game = site.games.get()
    corrected = Corrected(2, a_round("beto", ana=101, caro=120, dani=130))
    services.record(game, corrected, after=2, key=a_key(), by=copies.nora)
    copies.to_phone()

    assert ["beto"] == list(
        copies.phone.games.get().results.filter(won=True).values_list("member__slug", flat=True)
    )
    assert copies.are_equal()


def test_a_discarded_game_and_its_money_come_back_so(copies):
    services.discard_game(copies.to_site().games.get())
    copies.to_phone()

    assert copies.phone.games.get().discarded_at is not None
    assert 0 == copies.phone.games.get().results.count()
    assert copies.are_equal()

    services.restore_game(copies.to_site().games.get())
    copies.to_phone()
    assert copies.phone.games.get().discarded_at is None
    assert 4 == copies.phone.games.get().results.count()
    assert copies.are_equal()


def test_steps_of_payments_and_of_costs_come_back(copies):
    site = copies.to_site()
    cancel(site.payments.get(), by=copies.nora)
    pay_a_part(site, copies.nora)
    cost = site.costs.get()
    caro = member(site, "caro")
    amend_cost(cost, CostWords(caro, 600, (caro, member(site, "dani")), "vino"), after=0, by=copies.nora)
    copies.to_phone()
    assert copies.are_equal()

    cancel_cost(copies.to_site().costs.get(), by=copies.nora)
    share(site, copies.nora)
    copies.to_phone()
    assert copies.are_equal()


def test_many_changed_payments_come_back_in_as_few_queries_as_two(copies):
    for _time in range(9):
        pay_a_part(copies.phone, copies.ana)
    counts = []
    for count in (2, 8):
        site = copies.to_site()
        for payment in site.payments.filter(cancelled_at=None)[:count]:
            cancel(payment, by=copies.nora)
        move(site, by=copies.nora)
        with CaptureQueriesContext(connection) as queries:
            brought(file_of(site), copies.ana)
        counts.append(len(queries))
        assert copies.are_equal()

    assert 10 == copies.phone.payments.exclude(cancelled_at=None).count()
    assert counts[0] == counts[1]


def test_new_people_merged_people_and_new_names_come_back(copies):
    site = copies.to_site()
    rename_table(site, "Los jueves de Nora")
    eva = add_member(site, "Eva")
    twin = add_member(site, "Carolina")
    set_account(eva, "alias.de.eva")
    seen = preview_merge(twin, member(site, "caro")).seen
    merge(twin, member(site, "caro"), seen=seen, by=copies.nora)
    play(site, copies.nora)
    copies.to_phone()
    copies.phone.refresh_from_db()

    assert "Los jueves de Nora" == copies.phone.name
    assert "alias.de.eva" == member(copies.phone, "eva").account
    assert member(copies.phone, "caro") == member(copies.phone, "carolina").merged_into
    assert copies.are_equal()


@pytest.mark.parametrize(("written", "slug"), [("JOSE", "beto"), ("Jose", "caro")])
def test_a_spelling_that_was_confirmed_anew_comes_back_in_place_of_the_former(copies, written, slug):
    remember(copies.phone, {"Jose": member(copies.phone, "beto")}, forgotten=())
    site = copies.to_site()
    remember(site, {written: member(site, slug)}, forgotten=())
    copies.to_phone()

    assert [(written, slug)] == list(copies.phone.spellings.values_list("written", "member__slug"))
    assert copies.are_equal()


def test_a_repeated_request_that_waited_for_the_first_gets_the_table_too(copies, monkeypatch):
    site = copies.to_site()
    play(site, copies.nora)
    move(site, by=copies.nora)
    text, prepare = file_of(site), ReturnedPeople

    def prepare_late(*parts):
        monkeypatch.setattr(returning, "ReturnedPeople", prepare)
        brought(text, copies.ana, key="k")
        return prepare(*parts)

    monkeypatch.setattr(returning, "ReturnedPeople", prepare_late)
    assert copies.phone == brought(text, copies.ana, key="k")
    assert 2 == copies.phone.games.count()


def test_a_season_closed_elsewhere_is_closed_here_and_reopened_with_it(copies):
    season = copies.to_site().seasons.get()
    close_season(season, last_day=the_night(copies.site), next_name="La segunda")
    copies.to_phone()
    assert [False, True] == [one.ends_on is None for one in copies.phone.seasons.all()]
    assert copies.are_equal()

    site = copies.to_site()
    reopen_season(site.seasons.first())
    copies.to_phone()
    assert [True] == [one.ends_on is None for one in copies.phone.seasons.all()]
    assert copies.are_equal()


def test_claims_and_grants_stay_as_they_are_here(copies):
    claim(member(copies.phone, "beto"), copies.ana, is_agreed=True)
    site = copies.to_site()
    twin = member(site, "beto")
    other = add_member(site, "Alberto")
    merge(twin, other, seen=preview_merge(twin, other).seen, by=copies.nora)
    copies.to_phone()

    assert copies.ana == member(copies.phone, "alberto").user
    assert None is member(copies.phone, "beto").user
    assert [copies.ana] == [grant.user for grant in copies.phone.grants.all()]
    assert copies.are_equal()


def test_a_merge_that_handed_a_claim_over_gives_it_back_if_it_is_undone_elsewhere(copies):
    dani = member(copies.phone, "dani")
    claim(dani, copies.ana, is_agreed=True)
    other = add_member(copies.phone, "Otro")
    merge(dani, other, seen=preview_merge(dani, other).seen, by=copies.ana)
    unmerge(member(copies.to_site(), "dani"), by=copies.nora)
    copies.to_phone()

    assert copies.ana == member(copies.phone, "dani").user
    assert None is member(copies.phone, "otro").user
    assert not member(copies.phone, "dani").gave_claim
    assert copies.are_equal()


def test_a_merge_into_another_member_elsewhere_takes_the_claim_along(copies):
    dani = member(copies.phone, "dani")
    claim(dani, copies.ana, is_agreed=True)
    other, _third = (add_member(copies.phone, name) for name in ("Otro", "Tercero"))
    merge(dani, other, seen=preview_merge(dani, other).seen, by=copies.ana)
    site = copies.to_site()
    dani, third = (member(site, slug) for slug in ("dani", "tercero"))
    unmerge(dani, by=copies.nora)
    merge(dani, third, seen=preview_merge(dani, third).seen, by=copies.nora)
    copies.to_phone()

    assert copies.ana == member(copies.phone, "tercero").user
    assert [None, None] == [member(copies.phone, slug).user for slug in ("dani", "otro")]
    assert copies.are_equal()


def test_what_came_back_is_in_the_feed_once_and_in_order(copies):
    move(copies.phone, by=copies.ana)
    seen = newest(copies.phone)
    site = copies.to_site()
    game = play(site, copies.nora)
    pay_a_part(site, copies.nora)
    copies.to_phone()
    news = news_of(Table.objects.get(pk=copies.phone.pk), seen, with_accounts=True)
    kinds = [change.what for change in news.changes]

    assert ["table_changed", "game_begun", "event_recorded", "payment_recorded"] == kinds
    assert {game.key} == {change.game.key for change in news.changes if change.game}


def newest(table: Table) -> int:
    return Table.objects.get(pk=table.pk).newest_change


def test_users_of_the_other_place_stand_here_as_names_and_only_once_for_each_who_recorded(copies):
    before = User.objects.count()
    play(copies.to_site(), copies.nora)
    of_import = User.objects.count() - before
    copies.to_phone()

    assert 1 == User.objects.count() - before - of_import
    assert not Record.objects.filter(game__table=copies.phone).latest("pk").recorded_by.is_active


def test_nobody_stands_here_twice_after_several_trips(copies):
    counts = []
    for _trip in range(3):
        site = copies.to_site()
        play(site, copies.nora)
        question(site, copies.nora)
        cancel(pay_a_part(site, copies.nora), by=copies.nora)
        copies.to_phone()
        counts.append(User.objects.count())
        play(copies.phone, copies.ana)
        pay_a_part(copies.phone, copies.ana)

    assert 1 == len(set(counts))
    assert ["guest", "guest 2"] == recorders_in(file_of(copies.phone)) == recorders_in(file_of(copies.site))


def recorders_in(text: str) -> list[str]:
    """Return the names of everybody who recorded an event in this file."""
    return sorted({batch["by"] for game in json.loads(text)["games"] for batch in game["batches"]})


# --- while it is moved ------------------------------------------------------------------------------------------------


def test_a_moved_table_is_only_read(subtests, copies):
    table = copies.phone
    game, running = table.games.get(), start(table, copies.ana)
    eva = add_member(table, "Eva")
    claim(member(table, "ana"), copies.ana, is_agreed=True)
    payment, cost, season = table.payments.get(), table.costs.get(), table.seasons.get()
    words = CostWords(eva, 1, (member(table, "ana"),), "vino")
    text = file_of(table)
    move(table, by=copies.ana)
    at = newest(table)
    for refused in (
        lambda: services.record(
            running, a_round("ana", beto=1, caro=2, dani=3), after=1, key=a_key(), by=copies.ana
        ),
        lambda: services.undo(game, after=2, key=a_key(), by=copies.ana),
        lambda: start(table, copies.ana),
        lambda: services.discard_game(game),
        lambda: raise_flag(game, game.state(), 2, "beto", note="", by=copies.ana),
        lambda: pay_a_part(table, copies.ana),
        lambda: cancel(payment, by=copies.ana),
        lambda: amend_cost(cost, words, after=0, by=copies.ana),
        lambda: cancel_cost(cost, by=copies.ana),
        lambda: add_member(table, "Zoe"),
        lambda: set_account(member(table, "ana"), "alias"),
        lambda: retire(eva, key=a_key(), by=copies.ana),
        lambda: rename_table(table, "Otra"),
        lambda: offer_hand(running, SentHand("5", 1), by=copies.ana),
        lambda: close_season(season, last_day=the_night(table), next_name="La segunda"),
        lambda: close_night(
            table, the_night(table), seen=seen_now(read_accounts(table)), by=copies.ana, text=""
        ),
    ):
        with subtests.test(), pytest.raises(TableMoved):
            refused()
    assert at == newest(table)
    assert json.loads(text)["games"] == json.loads(file_of(table))["games"]


def test_its_file_says_since_when(copies):
    assert "moved_at" not in json.loads(file_of(copies.phone))["table"]
    at = move(copies.phone, by=copies.ana).moved_at

    assert at == read_table(file_of(copies.phone).encode()).moved_at


def test_only_an_owner_moves_a_table_ends_the_move_or_brings_it_back(copies):
    sonia = make_user("sonia")
    copies.phone.grants.create(user=sonia, role=Role.SCORER)
    with pytest.raises(OwnsNoLonger):
        move(copies.phone, by=sonia)
    site = copies.to_site()
    play(site, copies.nora)
    move(site, by=copies.nora)
    with pytest.raises(OwnsNoLonger):
        end_move(copies.phone, by=sonia)
    with pytest.raises(AlreadyImported):
        brought(file_of(site), sonia)

    assert brought(file_of(site), make_user("zoe")) not in (copies.phone, site)
    assert 1 == copies.phone.games.count()
    assert Table.objects.get(pk=copies.phone.pk).moved_at is not None


@pytest.mark.parametrize(
    ("typed", "kept"),
    [("https://cards.example/t/abc/", True), ("javascript:alert(1)", False), ("http://", False)],
)
def test_the_address_of_the_other_place_is_a_link_of_the_web(copies, typed, kept):
    if kept:
        assert typed == move(copies.phone, by=copies.ana, to=typed).moved_to
    else:
        with pytest.raises(RuleError, match="doesn't look like a link"):
            move(copies.phone, by=copies.ana, to=typed)


def test_a_deleted_account_takes_its_payment_details_along_from_a_moved_table_for_good(copies):
    beto = member(copies.phone, "beto")
    user = make_user("beto")
    copies.phone.grants.create(user=user, role=Role.SCORER)
    claim(beto, user, is_agreed=True)
    set_account(beto, "alias.de.beto")
    play(copies.to_site(), copies.nora)
    delete_account(user)
    copies.to_phone()

    assert "" == member(copies.phone, "beto").account


# --- not over the table here ------------------------------------------------------------------------------------------


def test_copies_that_went_on_separately_are_refused_with_both(copies):
    site = copies.to_site()
    there = play(site, copies.nora)
    end_move(copies.phone, by=copies.ana)
    here = pay_a_part(copies.phone, copies.ana)
    move(copies.phone, by=copies.ana)
    before = file_of(copies.phone)
    with pytest.raises(WentOnApart) as apart:
        copies.to_phone()

    assert [here] == [alone.what for alone in apart.value.here]
    assert [(there.key, 0, 2)] == [
        (getattr(one.what, "key", ""), one.after, one.count) for one in apart.value.there
    ]
    assert before == file_of(copies.phone)
    assert copies.phone != moved(site, copies.nora, copies.ana, again=True)


def rename(table: Table, _by: User) -> None:
    rename_table(table, "Otro nombre")


def discard(table: Table, _by: User) -> None:
    services.discard_game(table.games.get())


def end_season(table: Table, _by: User) -> None:
    close_season(table.seasons.get(), last_day=the_night(table), next_name="La segunda")


def give_account(table: Table, _by: User) -> None:
    set_account(member(table, "beto"), "alias.de.beto")


def spell(table: Table, _by: User) -> None:
    remember(table, {"Betito": member(table, "beto")}, forgotten=())


def join(table: Table, by: User) -> None:
    eva, dani = member(table, "eva"), member(table, "dani")
    merge(eva, dani, seen=preview_merge(eva, dani).seen, by=by)


def end_night(table: Table, by: User) -> None:
    close_night(table, the_night(table), seen=seen_now(read_accounts(table)), by=by, text="")


def question(table: Table, by: User) -> None:
    game = table.games.first()
    assert game is not None
    raise_flag(game, game.state(), 2, "beto", note="", by=by)


@pytest.mark.parametrize(
    "change", [rename, discard, end_season, give_account, spell, join, end_night, question]
)
def test_what_no_chain_covers_is_not_overwritten_either(copies, change):
    add_member(copies.phone, "Eva")
    site = copies.to_site()
    play(site, copies.nora)
    end_move(copies.phone, by=copies.ana)
    change(copies.phone, copies.ana)
    move(copies.phone, by=copies.ana)
    before = file_of(copies.phone)
    with pytest.raises(WentOnApart) as apart:
        copies.to_phone()

    assert apart.value.is_changed_here
    assert before == file_of(copies.phone)


@pytest.mark.slow
@pytest.mark.parametrize(
    "change", [rename, discard, end_season, give_account, spell, join, end_night, question]
)
def test_what_no_chain_covers_comes_back_on_every_trip(copies, change):
    add_member(copies.phone, "Eva")
    change(copies.to_site(), copies.nora)
    copies.to_phone()
    assert copies.are_equal()

    play(copies.phone, copies.ana)
    add_member(copies.phone, "Zoe")
    copies.to_site()
    assert copies.are_equal()

    rename_table(copies.site, "El tercer viaje")
    copies.to_phone()
    assert copies.are_equal()


def test_a_table_comes_back_by_another_place_too(copies):
    rename_table(copies.to_site(), "En el sitio")
    zoe = make_user("zoe")
    third = moved(copies.site, copies.nora, zoe)
    rename_table(third, "En otro sitio")
    play(third, zoe)
    text = file_of(third)
    assert copies.site == brought(text, copies.nora)
    assert copies.phone == brought(text, copies.ana)
    assert copies.are_equal()

    move(copies.phone, by=copies.ana)
    rename_table(copies.site, "De nuevo en el sitio")
    copies.to_phone()
    assert copies.are_equal()


def test_a_table_comes_back_from_a_place_to_which_it_came_back(copies):
    rename_table(copies.to_site(), "En el sitio")
    zoe = make_user("zoe")
    third = moved(copies.site, copies.nora, zoe)
    rename_table(third, "En otro sitio")
    moved(third, zoe, copies.nora)
    copies.to_phone()

    assert copies.are_equal()


def test_a_game_put_away_and_taken_back_meanwhile_is_no_difference(copies):
    play(copies.to_site(), copies.nora)
    end_move(copies.phone, by=copies.ana)
    services.discard_game(copies.phone.games.get())
    services.restore_game(copies.phone.games.get())
    move(copies.phone, by=copies.ana)
    copies.to_phone()

    assert copies.are_equal()


def test_a_game_that_went_on_separately_names_the_last_common_event(copies):
    game = start(copies.phone, copies.ana)
    site = copies.to_site()
    end_move(copies.phone, by=copies.ana)
    twin = site.games.get(key=game.key)
    services.record(twin, a_round("ana", beto=5, caro=7, dani=9), after=1, key=a_key(), by=copies.nora)
    services.record(game, a_round("ana", beto=5, caro=7, dani=8), after=1, key=a_key(), by=copies.ana)
    move(copies.phone, by=copies.ana)
    with pytest.raises(WentOnApart) as apart:
        copies.to_phone()

    for alone in (*apart.value.here, *apart.value.there):
        assert (game.key, 1, 1) == (getattr(alone.what, "key", ""), alone.after, alone.count)


def test_the_own_file_of_a_second_table_is_not_compared_with_the_first(copies):
    site = copies.to_site()
    play(site, copies.nora)
    end_move(copies.phone, by=copies.ana)
    pay_a_part(copies.phone, copies.ana)
    second = moved(site, copies.nora, copies.ana, again=True)
    with pytest.raises(AlreadyImported) as here:
        brought(file_of(second), copies.ana)

    assert second == here.value.table


def test_a_file_is_compared_with_few_tables_and_hashed_once(copies, monkeypatch):
    text, calls = file_of(copies.phone), Counter[str]()
    for _time in range(returning.MOST_COMPARED):
        brought(text, copies.ana, again=True)
    play(site := brought(text, copies.nora), copies.nora)
    for name in ("payment_links", "payments_here"):
        count_calls(monkeypatch, name, calls)
    with pytest.raises(AlreadyImported):
        brought(file_of(site), copies.ana)

    assert {"payment_links": 1, "payments_here": returning.MOST_COMPARED} == calls


def count_calls(monkeypatch, name: str, calls: Counter[str]) -> None:
    """Count the calls of this function of the module."""
    function = getattr(returning, name)

    def counted(*parts, **options):
        calls[name] += 1
        return function(*parts, **options)

    monkeypatch.setattr(returning, name, counted)


def test_a_table_that_has_not_moved_is_never_written_over(copies):
    play(copies.to_site(), copies.nora)
    end_move(copies.phone, by=copies.ana)
    with pytest.raises(AlreadyImported):
        copies.to_phone()

    assert 1 == copies.phone.games.count()


def test_an_older_file_changes_nothing(copies):
    older = file_of(copies.phone)
    play(copies.phone, copies.ana)
    move(copies.phone, by=copies.ana)
    with pytest.raises(AlreadyImported):
        brought(older, copies.ana)

    assert 2 == copies.phone.games.count()


@pytest.mark.parametrize("is_saved_before", [True, False])
def test_its_own_file_does_not_bring_it_back(copies, is_saved_before):
    before = file_of(copies.phone)
    move(copies.phone, by=copies.ana)
    text = before if is_saved_before else file_of(copies.phone)
    with pytest.raises(RuleError, match="Choose the file from the other place"):
        brought(text, copies.ana)

    assert Table.objects.get(pk=copies.phone.pk).moved_at is not None


def test_a_table_to_which_nothing_happened_elsewhere_comes_back_on_every_trip(copies):
    before = content_of(copies.phone)
    for back in (copies.to_phone, copies.to_phone):
        copies.to_site()
        assert copies.phone == back()
        assert before == content_of(copies.phone)
        assert Table.objects.get(pk=copies.phone.pk).moved_at is None


def test_a_repeated_request_brings_it_back_once(copies):
    site = copies.to_site()
    play(site, copies.nora)
    move(site, by=copies.nora)
    tables = [brought(file_of(site), copies.ana, key="k") for _time in range(2)]

    assert [copies.phone, copies.phone] == tables
    assert 2 == copies.phone.games.count()


def altered(text: str, *path: Any) -> str:
    """Return the file with another value at this path."""
    *way, name, value = path
    whole = part = json.loads(text)
    for step in way:
        part = part[step]
    part[name] = value
    return json.dumps(whole)


@pytest.mark.parametrize(
    "path",
    [
        ("games", 0, "batches", 1, "events", 0, "data", "hands", 0, 1, "102"),
        ("games", 0, "key", "another"),
        ("payments", 0, "amount", 31),
        ("payments", 0, "key", "another"),
        ("costs", 0, "amount", 901),
    ],
)
def test_a_file_with_another_history_is_not_brought_back(copies, path):
    site = copies.to_site()
    play(site, copies.nora)
    text = altered(file_of(site), *path)
    before = file_of(copies.phone)
    with pytest.raises((WentOnApart, AlreadyImported, Unreadable)):
        brought(text, copies.ana)

    assert before == file_of(copies.phone)


@pytest.mark.parametrize(
    "path", [("table", "id", ""), ("table", "created_at", "2024-01-01T00:00Z"), ("table", "unit", "€")]
)
def test_a_file_of_another_table_is_not_brought_back_over_this_one(copies, path):
    move(copies.phone, by=copies.ana)
    before = file_of(copies.phone)
    text = altered(before, *path)
    with contextlib.suppress(AlreadyImported):
        assert copies.phone != brought(text, copies.ana)

    assert before == file_of(copies.phone)


def test_a_move_may_be_ended_as_if_it_had_not_been(copies):
    before = content_of(copies.phone)
    move(copies.phone, by=copies.ana, to="https://cards.example/")
    end_move(copies.phone, by=copies.ana)
    copies.phone.refresh_from_db()

    assert (None, "") == (copies.phone.moved_at, copies.phone.moved_to)
    assert before == content_of(copies.phone)
    play(copies.phone, copies.ana)


def test_after_the_other_place_lost_it_a_file_saved_there_before_brings_it_back(copies):
    play(copies.to_site(), copies.nora)

    assert copies.phone == brought(file_of(copies.site), copies.ana)
    assert copies.are_equal()


def test_a_claim_while_the_file_is_prepared_is_not_overwritten(copies, monkeypatch):
    beto = make_user("beto")
    copies.phone.grants.create(user=beto, role=Role.SCORER)
    add_member(copies.to_site(), "Eva")
    prepare = ReturnedPeople

    def prepare_late(*parts):
        prepared = prepare(*parts)
        claim(member(copies.phone, "beto"), beto, is_agreed=True)
        return prepared

    monkeypatch.setattr(returning, "ReturnedPeople", prepare_late)
    with pytest.raises(ChangedMeanwhile):
        copies.to_phone()
    assert beto == member(copies.phone, "beto").user
    assert not copies.phone.members.filter(slug="eva").exists()


def test_the_command_brings_it_back_too_and_says_that_both_went_on(copies, tmp_path):
    file = tmp_path / "table.json"
    site = copies.to_site()
    play(site, copies.nora)
    file.write_text(file_of(site), encoding="utf-8")
    assert f"({copies.phone.code}) is here, with 2 games" in output_of("import_table", file, owner="ana")

    move(copies.phone, by=copies.ana)
    own = tmp_path / "own.json"
    own.write_text(file_of(copies.phone), encoding="utf-8")
    assert "Choose the file from the other place" in refusal_of("import_table", own, owner="ana")

    end_move(copies.phone, by=copies.ana)
    play(site, copies.nora)
    pay_a_part(copies.phone, copies.ana)
    file.write_text(file_of(site), encoding="utf-8")
    assert "and the file both went on: 1 games, payments or costs differ here, and 1 in the file" in (
        refusal_of("import_table", file, owner="ana")
    )
