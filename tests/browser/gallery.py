"""Every screen of the app at each stage, for the layout and accessibility tests.

    for screen in all_screens(owner):
        screen.show(page)

`select_screens(owner, "sheet", "money")` returns some of them and creates no more data than they need.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import date, timedelta
from itertools import islice

from django.contrib.auth.models import User
from django.contrib.sessions.backends.db import SessionStore
from django.utils.timezone import localdate, now
from playwright.sync_api import FilePayload, Page, expect

from games.files.services import file_writer
from games.models import Access, Device, Game, Method, Payment, Role, Table
from games.money.services import (
    accounting,
    cash_settlement,
    debt_settlement,
    expenses,
    member_merges,
    payments,
)
from games.play.services import recording
from games.scoring.events import Event, PlayerReentered, RoundPlayed
from games.scoring.replay import replay
from games.scoring.text.notation import parse_line
from games.tables.forms import SETTINGS
from games.tables.services import erasure, links, membership, tokens
from tests.browser.entry_screens import FOLLOWS, SEATS, entry_screens
from tests.browser.game_setup import RISING, begin, hands, ids, play
from tests.browser.lobby_screens import lobby_screens
from tests.browser.scorer import CONFIRM, GO
from tests.browser.screens import (
    FACES,
    MAIN,
    TOTALS,
    Act,
    Screen,
    fills,
    opens_folds,
    opens_sheet,
    picks_game,
    taps,
    waits_for,
)
from tests.browser.watch_screens import watch_screens
from tests.factories import (
    build_expense,
    confirm_as_member,
    end_season,
    find_last_night,
    loba_start,
    make_table,
    make_user,
    new_key,
    start,
)
from tests.notebook_imports import run_nights_import

PEOPLE = ("Ana", "Beto", "Carolina", "Dani")
# Twenty letters without a space: the longest name allowed, with nowhere to break it.
LONG_PEOPLE = (
    "Maximilianosebastian",
    "Wolfgangwolframwilma",
    "Guadalupemontserrata",
    "Hermenegildoanastasi",
    "Iñakiwenceslaoramónx",
)
LONG_TABLE = "Los jueves en lo de la tía Hermenegilda"
STAKE, HIGH_STAKE = 1000, 1_000_000


def all_screens(owner: User, *, crowded: bool = False) -> tuple[Screen, ...]:
    """Return all screens of a table with four people and a few rounds or, if crowded, with the longest texts."""
    return tuple(_screens(owner, crowded=crowded))


def select_screens(owner: User, *names: str, crowded: bool = False) -> list[Screen]:
    """Return the screens with these names. Only the data of the screens up to the last of them is created."""
    picked = (screen for screen in _screens(owner, crowded=crowded) if screen.name in names)
    return list(islice(picked, len(names)))


def _screens(owner: User, *, crowded: bool) -> Iterator[Screen]:
    people = LONG_PEOPLE if crowded else PEOPLE
    stake = HIGH_STAKE if crowded else STAKE
    table = make_table(owner, people=people, name=LONG_TABLE if crowded else "Mesa de los jueves")
    yield from _stranger_screens()
    yield from _start_screens(table, owner, stake)
    yield from _entry_screens(table, owner, stake)
    yield from _game_screens(table, owner, stake, rounds=20 if crowded else 6)
    yield from _correction_screens(table, owner, stake)
    yield from _result_screens(table, owner, stake)
    yield from _debt_screens(table, owner, stake)
    yield from _goal_screens(table, owner)
    yield from _member_screens(table, owner)
    yield from lobby_screens(owner, crowded=crowded)
    yield from watch_screens(owner, crowded=crowded)
    yield from entry_screens(owner, crowded=crowded)
    yield from _season_screens(table, owner, stake)
    yield from _account_screens(table, owner)
    yield from _notebook_screens(table, owner)
    yield from _merge_screens(table, owner)
    yield from _erased_table_screens(table, owner)
    yield from _past_season_screens(table, people, owner, stake)


def _stranger_screens() -> Iterator[Screen]:
    yield Screen("home-stranger", "/", reachable=(MAIN,), is_strangers=True)
    yield Screen("home-look", "/", (opens_sheet("look"),), reachable=("#look button",), is_strangers=True)
    invited = opens_sheet("invited")
    foreign = fills("#link", "Vení a la mesa: https://example.com/i/abcdefghijklmnop/")
    refusal = (invited, foreign, taps("#invited .btn", sees="#link-error"))
    yield Screen("home-invited", "/", (invited,), reachable=("#invited .btn",), is_strangers=True)
    yield Screen("link-refused", "/", refusal, reachable=(MAIN,), is_strangers=True)
    yield Screen("example", "/example/", reachable=(MAIN,), is_strangers=True)
    yield Screen("privacy", "/you/", is_strangers=True)
    two = [
        act
        for name in ("Ana", LONG_PEOPLE[1])
        for act in (fills("[data-add] input", name), taps("[data-add] button"))
    ]
    yield Screen("new-table", "/new/", tuple(two), reachable=(MAIN,), is_strangers=True)
    yield Screen("login", "/login/", reachable=(".btn.go",), is_strangers=True)
    yield Screen("api-problems", "/api/problems/", is_strangers=True)
    yield Screen("not-found", "/nothing/", reachable=(MAIN,), is_strangers=True, status=404)


def _start_screens(table: Table, owner: User, stake: int) -> Iterator[Screen]:
    game = begin(table, owner, stake=stake)
    new = f"/t/{table.code}/new/"
    yield Screen("new-game", new, (_seats_everybody,), reachable=(MAIN,))
    for variant in ("chinchon", "carioca_cl"):
        acts = (_seats_everybody, picks_game(variant), opens_folds)
        yield Screen(f"new-game-{variant}", new, acts, reachable=("#game > .go",))
    yield Screen("sheet-empty", f"/g/{game.code}/", reachable=(TOTALS, FACES))
    Game.objects.filter(pk=game.pk).update(started_at=now() - timedelta(minutes=1))


def _entry_screens(table: Table, owner: User, stake: int) -> Iterator[Screen]:
    game = _game_before_a_bust(table, owner, stake)
    first, second, *others = ids(table)
    path, out = f"/g/{game.code}/round/", ("went_out", first)
    pad = (SEATS, ".k[data-card]", "[data-erase]", GO)
    full = (("went_out", first, {"in_one_go": True}), ("holds", "10 10 10 10 10 10 10 * *"))
    counted = [act for player in others for act in (("opens", player), ("counted", 11))]
    opens_second = (("opens", second), FOLLOWS)
    yield Screen("entry-closer", path, reachable=(".seat",))
    yield Screen("entry-pad", path, (out, ("holds", "K 7 *")), reachable=pad)
    yield Screen("entry-full-hand", path, (*full, *counted, *opens_second), reachable=pad)
    yield Screen("entry-typed", path, (out, ("counted", 20)), reachable=(SEATS, ".k[data-digit]", GO))
    yield Screen("entry-error", path, (_too_many_kings(game),), reachable=(GO,))


def _game_screens(table: Table, owner: User, stake: int, *, rounds: int) -> Iterator[Screen]:
    game = _long_game(table, owner, stake, rounds=rounds)
    home = f"/g/{game.code}/"
    reentry = [isinstance(event, PlayerReentered) for event in game.log()].index(True) + 1
    length = game.records.count()
    yield Screen("home", "/", reachable=(".tile.live > .btn",), upright=(".cloth > .tile.live:first-child",))
    yield Screen("sheet", home, reachable=(TOTALS, FACES, "#last button"))
    yield Screen("sheet-face", home, (taps(".who"),), reachable=("[popover] button",))
    yield Screen("money", home, (taps(".pot"),), reachable=("#money summary",))
    yield Screen("rules", f"{home}rules/")
    reads_the_rules = taps("a[data-rules]", sees="dialog article")
    yield Screen("rules-over", f"{home}more/", (reads_the_rules,), reachable=("dialog .bar a",))
    yield Screen("seats", f"{home}seats/", reachable=(MAIN,))
    yield Screen("rules-correct", f"{home}rules/correct/", (opens_folds,))
    yield Screen("more", f"{home}more/")
    for act in ("adjust", "leave", "replace", "deal", "stop"):
        yield Screen(f"more-{act}", f"{home}{act}/", reachable=(MAIN,))
    for page_name in ("rounds", "between"):
        yield Screen(f"more-{page_name}", f"{home}{page_name}/")
    yield Screen("event", f"{home}correct/{reentry}/")
    yield Screen("event-round", f"{home}correct/2/", (opens_sheet("other"),), reachable=("#other button",))
    yield Screen("forgotten-round", f"{home}insert/{length}/", reachable=(".seat",))


def _correction_screens(table: Table, owner: User, stake: int) -> Iterator[Screen]:
    game = _game_before_a_bust(table, owner, stake)
    _first, second, third, *_others = ids(table)
    others = [player for player in ids(table) if player != third]
    play(game, owner, f"round {third} out {hands(others, 4)}")
    path = f"/g/{game.code}/correct/2/?hand={second}"
    yield Screen("correction-pad", path, reachable=(".seat[data-field]", GO))
    # A hand becomes so large that a player who played on was already bust.
    larger = (("takes_back",), ("takes_back",), ("counted", 120), ("sees_what_changes",))
    yield Screen("correction", path, larger, reachable=(CONFIRM,))
    bust = " ".join(f"{player}={90 if player == second else 2}" for player in others)
    play(game, owner, f"round {third} out {bust}")
    yield Screen(
        "desk", f"/g/{game.code}/reentry/", reachable=("button[value=reenter]", "button[value=stay_out]")
    )


def _result_screens(table: Table, owner: User, stake: int) -> Iterator[Screen]:
    game = _long_game(table, owner, stake, rounds=9)
    play(game, owner, "stop split_pot")
    _tick(table, owner)
    home = f"/g/{game.code}/"
    yield Screen("sheet-over", home, reachable=(TOTALS, MAIN))
    reached = ("#payments > :first-child", MAIN, "form[action$='/rematch/'] button")
    yield Screen("settlement", f"{home}settlement/", reachable=reached)
    send_controls = ("#group button", "#group a")
    yield Screen("settlement-send", f"{home}settlement/", (opens_sheet("group"),), reachable=send_controls)
    yield Screen("settlement-open", f"{home}settlement/", (opens_folds,), reachable=(MAIN,))
    away = taps("form[action$='/discard/'] button", sees="#what-changes")
    yield Screen("discard", f"{home}more/", (away,), reachable=(".dock .btn.danger", ".dock a"))
    for variant, line, options in (
        ("loba_mas", "out", {"settlement": "pot_and_pairs", "point_value": stake}),
        ("chinchon", "chinchon", {"cut_prize": stake}),
    ):
        game = _finished_game(table, owner, variant, line, stake=stake, **options)
        yield Screen(
            f"settlement-{variant}", f"/g/{game.code}/settlement/", (opens_folds,), reachable=(MAIN,)
        )


def _goal_screens(table: Table, owner: User) -> Iterator[Screen]:
    """Yield the screen of a game whose winners are named."""
    options = {"variant": "points", "wins": "fewest", "ending": "open", "winner": "named"}
    game = start(_other_table(table, owner), owner, **options)
    Access.objects.filter(table=game.table).update(made_at=now() - timedelta(days=2))  # few tables a day
    yield Screen("more-won", f"/g/{game.code}/won/", reachable=(MAIN,))


def _tick(table: Table, owner: User) -> Payment:
    debt = accounting.load_accounts(table).debts[0]
    return debt_settlement.settle(
        table, debt.payer, debt.payee, version=debt.version, claims=debt.claims, by=owner, role=Role.OWNER
    )


def _debt_screens(table: Table, owner: User, stake: int) -> Iterator[Screen]:
    """Yield screens of a game: two debts settled, then another winner, then one more, then all paid in cash."""
    game = start(_other_table(table, owner), owner, stake=stake)
    Access.objects.filter(table=game.table).update(made_at=now() - timedelta(days=2))  # few tables a day
    first, second, *others = ids(game.table)
    bust = hands(others, 110)
    play(game, owner, f"round {first} out {second}=110 {bust}")
    for _player in (second, others[0]):
        _tick(game.table, owner)
    play(game, owner, f"correct 2 round {second} out {first}=110 {bust}")
    paid = _tick(game.table, owner)
    result = f"/g/{game.code}/settlement/"
    yield Screen("settlement-corrected", f"{result}?done={paid.pk}", (opens_folds,), reachable=(MAIN,))
    yield Screen("accounts-expense", f"/t/{game.table.code}/accounts/", (opens_sheet("expense"),))
    cash_settlement.mark_paid(game, by=owner)
    yield Screen("settlement-on-the-spot", result, reachable=(MAIN,))


def _member_screens(table: Table, owner: User) -> Iterator[Screen]:
    tokens.create(owner, LONG_PEOPLE[0], table=table)
    _is_signed_in_elsewhere(owner)
    yield Screen("yours", "/you/", (opens_folds,))
    link = taps("form[action='/you/link/'] button", sees="[data-share=link]")
    yield Screen("yours-link", "/you/", (opens_folds, link), reachable=("[data-share=link]",))
    yield Screen("yours-token", "/you/", (_makes_a_token(table),), reachable=("[data-share=token]",))
    settings = f"/t/{table.code}/settings/"
    yield Screen("table-settings", settings)
    for setting in SETTINGS:
        yield Screen(f"setting-{setting}", f"{settings}change/{setting}/", reachable=(MAIN,))
    for part in ("copies", "in-charge"):
        yield Screen(f"settings-{part}", f"{settings}{part}/")
    forgetful = User.objects.create_user(f"olvidadiza-{table.code}", password="tres lobas negras")
    yield Screen(
        "sign-in-link", f"/in/{links.create_sign_in(forgetful)}/", reachable=(".btn.go",), is_strangers=True
    )
    other = User.objects.create(username=f"otra-{table.code}", first_name=LONG_PEOPLE[1])
    yield Screen(
        "sign-in-link-of-another", f"/in/{links.create_sign_in(other)}/", reachable=(MAIN, ".dock button")
    )
    yield Screen("login-of-a-guest", "/login/", reachable=(MAIN, ".dock button"))


def _scrolls_to(element: str) -> Act:
    return lambda page: page.locator(element).first.scroll_into_view_if_needed()


def _erased_table_screens(table: Table, owner: User) -> Iterator[Screen]:
    """Yield screens of the settings for a table's only owner, and of an erased table."""
    home = f"/t/{table.code}"
    sole_owner_table, shut = (make_table(owner, name=table.name) for _table in range(2))
    Table.objects.filter(pk=sole_owner_table.pk).update(
        created_at=now() - timedelta(days=99)
    )  # the home page starts with the game in progress
    yield Screen("table-settings-last-owner", f"/t/{sole_owner_table.code}/settings/leave/")
    another = (
        fills("[name=erased-name]", LONG_TABLE[:20]),
        taps("#erase .btn.danger", sees="#erased-name-error"),
    )
    yield Screen("erase-table-refused", f"{home}/erase/", another, reachable=(".dock .btn.danger",))
    erasure.erase(shut, name=shut.name, by=owner)
    yield Screen("erased", f"/t/{shut.code}/settings/", reachable=(MAIN,))
    yield Screen("home-put-away", "/", (_scrolls_to(f"a[href='/t/{shut.code}/settings/']"),))


def _season_screens(table: Table, owner: User, stake: int) -> Iterator[Screen]:
    """Yield screens after six Thursdays on which everybody won in turn."""
    players = ids(table)
    for week in range(6, 0, -1):
        first, *others = players[week % len(players) :] + players[: week % len(players)]
        play(
            _start_game(table, owner, stake, days=7 * week),
            owner,
            f"round {first} in_one_go {hands(others, 95)}",
            f"round {first} out {hands(others, 6, 1)}",
        )
    home = f"/t/{table.code}"
    yield Screen("season", f"{home}/season/")
    yield Screen("season-sheet", f"{home}/season/?game=loba_menos", (opens_sheet("seasons"), opens_folds))
    yield Screen("season-send", f"{home}/season/?by=points", (opens_sheet("group"),))
    yield Screen("games", f"{home}/games/?words={players[0]}")
    yield Screen("player", f"{home}/player/{players[0]}/")
    yield Screen("duel", f"{home}/player/{players[0]}/?against={players[1]}")


def _past_season_screens(table: Table, people: tuple[str, ...], owner: User, stake: int) -> Iterator[Screen]:
    """Yield screens of a past season, of an empty one after it, and of a year."""
    played, table = table, make_table(owner, people=people, name=LONG_TABLE)
    first, *others = ids(table)
    today = localdate()
    table.seasons.update(starts_on=today - timedelta(days=90))
    for name, days, stake_then in (("Otoño", (80, 79), stake), ("Invierno", (40, 39, 38, 37, 36), 2 * stake)):
        for back in days:
            game = _start_game(table, owner, stake_then, days=back)
            play(game, owner, f"round {first} out {hands(others, 105, 1)}")
        end_season(table, last_day=today - timedelta(days=days[-1] - 1), next_name=name)
    home, ended = f"/t/{table.code}", table.seasons.all()[1]
    yield Screen("season-over", f"{home}/season/?season={ended.pk}")
    begins = (opens_sheet("seasons"), taps("#begin summary"), fills("#begin [name=name]", ""))
    refusal = taps("#begin .btn", sees="#begin .wrong")
    yield Screen("season-refused", f"{home}/season/", (*begins, refusal))
    yield Screen("year", f"/t/{played.code}/season/?year={today.year}")


def _account_screens(table: Table, owner: User) -> Iterator[Screen]:
    """Yield screens of payments in every state, and of a night."""
    first, second, third, *_others = table.members.all()
    confirm_as_member(owner, first)
    table.members.filter(pk=first.pk).update(account="ana.loba.mp")
    for part in (2, 1):
        line = accounting.load_accounts(table).debts[0]
        payments.create(
            table,
            line.payer,
            line.payee,
            line.amount // part,
            method=Method.TRANSFER,
            key=new_key(),
            by=owner,
        )
    disputed = payments.create(
        table, second, first, 700, method=Method.CASH, note=LONG_TABLE, key=new_key(), by=owner
    )
    payments.dispute(disputed, by=owner, objection="No me llegó nada, fijate")
    friend = make_user(f"{table.code}-friend")
    payments.create(table, second, first, 900, method=Method.CASH, key=new_key(), by=friend)
    confirm_as_member(friend, third)
    claimed = payments.create(table, third, first, 600, method=Method.CASH, key=new_key(), by=friend)
    denied = payments.create(table, first, third, 700, method=Method.TRANSFER, key=new_key(), by=owner)
    payments.dispute(denied, by=friend, objection="En el banco no lo veo")
    night = find_last_night(table)
    assert night is not None
    recording.discard_game(table.games.exclude(ended_at=None)[1])
    home, send = f"/t/{table.code}/accounts/", "[popovertarget=group]:not(.close)"
    yield Screen("home-money", f"/t/{table.code}/", (_scrolls_to("div.own-money"),))
    yield Screen("home-tonight", f"/t/{table.code}/", (_scrolls_to("#tonight"),))
    yield Screen("accounts", f"{home}?done={disputed.pk - 1}", reachable=(send,))
    yield Screen("accounts-open", home, (opens_folds,), reachable=(send,))
    yield Screen("accounts-group", home, (opens_sheet("group"),), reachable=("#group .go",))
    yield Screen("accounts-pay", home, (opens_sheet("pay"),), reachable=("#pay .go",))
    yield Screen("accounts-expense", home, (opens_sheet("expense"),), reachable=("#expense .go",))
    form_url = f"{home}?payer={first.slug}&payee={second.slug}&amount="
    yield Screen("accounts-asked", f"{form_url}{10**14}", (taps("#pay .go", sees="#asked"),))
    yield Screen("movements", f"{home}?page=1")
    yield Screen("payment", f"{home}payments/{disputed.pk}/", reachable=(MAIN,))
    yield Screen("payment-claimed", f"{home}payments/{claimed.pk}/", reachable=(MAIN,))
    yield Screen("account-open", f"{home}of/{second.slug}/", (opens_folds,))
    pizza = build_expense(second, 1_000_001, tuple(table.members.all()), "Pizza de muzzarella y dos cervezas")
    cost = expenses.create(table, night, pizza, key=new_key(), by=owner)
    expenses.void(cost, by=owner, reason="Conté mal")
    yield Screen("cost-cancelled", f"{home}costs/{cost.pk}/", reachable=(MAIN,))
    expenses.create(table, night, pizza, key=new_key(), by=owner)
    yield Screen("night", f"{home}nights/{night.isoformat()}/", reachable=(send,))


def _notebook_screens(table: Table, owner: User) -> Iterator[Screen]:
    """Yield screens of an imported notebook with two nights. An older one names somebody new."""
    names = [member.name for member in table.members.all()]
    figures = ";".join([str(250_000 * (len(names) - 1)), *["-250000"] * (len(names) - 1)])
    text = f"fecha;{';'.join(names)}\n31/5/2024;{figures}\n7/6/2024;{figures}\n"
    older = f"fecha;{';'.join(names)};Tío Raúl\n31/5/2023;{figures};0\n"
    zeros = ";0" * len(names)
    sums = f"fecha;{';'.join(names)};Total\n31/5/2023;{figures};0\nTotal de mayo;{figures};0\n7/6/2023{zeros};x\n"
    home = f"/t/{table.code}/notebook/"
    run_nights_import(table, text)
    night = table.games.get(night_number=date(2024, 5, 31).toordinal())
    yield Screen("bring", "/bring/", reachable=(".have .tile",))
    yield Screen("bring-notebook", "/bring/?what=notebook", reachable=(MAIN,))
    read_sums = (fills("#text", sums), waits_for("#nights li"))
    yield Screen("bring-notebook-sums", "/bring/?what=notebook", read_sums, reachable=(MAIN,))
    balances = fills("#text", "Ana -3000\nMariela 3000")
    yield Screen(
        "bring-balances", "/bring/?what=balances", (balances, waits_for("#reads li")), reachable=(MAIN,)
    )
    yield Screen("import-table-refused", "/import/", (taps(MAIN, sees=".errors"),), reachable=(MAIN,))
    yield Screen(
        "import-table-here",
        "/import/",
        (_imports_file(file_writer.write_table(table)),),
        reachable=(".dock .btn",),
    )
    import_url, table_file = (
        f"/t/{table.code}/import/",
        file_writer.write_table(table).replace(night.key, new_key()),
    )
    table_file = table_file.replace("2024-05-31", "2024-05-30")
    yield Screen("bring-file-preview", import_url, (_imports_file(table_file, ".said"),), reachable=(MAIN,))
    yield Screen("opening-balances", f"/t/{table.code}/opening/", reachable=(MAIN,))
    yield Screen(
        "notebook-taken-over",
        home,
        reachable=(MAIN, "#arrivals button"),
    )
    refusal = (fills("#text", "fecha;Ana;Beto\nayer;1;dos\n"), taps(MAIN, sees=".errors"))
    preview = (fills("#text", older), taps(MAIN, sees="#people"), opens_folds)
    yield Screen("notebook-refused", home, refusal, reachable=(MAIN,))
    yield Screen("notebook-preview", home, preview, reachable=(MAIN,))
    tick = taps("label.opt:has([type=checkbox])", sees="label.opt :checked[type=checkbox]")
    ticked = (fills("#text", sums), taps(MAIN, sees="#people"), tick)
    yield Screen("notebook-sums", home, ticked, reachable=(MAIN,))
    yield Screen("old-night", f"/g/{night.code}/night/")


def _merge_screens(table: Table, owner: User) -> Iterator[Screen]:
    """Yield screens of merging members: a duplicate of the first, and somebody else."""
    first, _second, third, *_others = table.members.all()
    merged, twin = (membership.add(table, first.name[:-1] + letter) for letter in "oe")
    for payer, other in ((merged, third), (merged, first), (twin, third), (twin, first)):
        payments.create(table, payer, other, 12_000, method=Method.CASH, key=new_key(), by=owner)
    home = f"/t/{table.code}/members"
    question_url = f"{home}/{twin.slug}/?into={first.slug}"
    yield Screen("merge-member-asked", question_url, (opens_folds,))
    member_merges.merge(merged, first, seen=member_merges.preview(merged, first).digest, by=owner)
    merges = taps("#merge .btn.go", sees=".undo button")
    yield Screen("table-merged", question_url, (merges,), reachable=(MAIN, ".undo button"))


# --- games ------------------------------------------------------------------------------------------------------------


def _other_table(table: Table, owner: User) -> Table:
    """Return another table with the same people."""
    return make_table(owner, people=tuple(member.name for member in table.members.all()), name=table.name)


def _start_game(table: Table, owner: User, stake: int, *, days: int) -> Game:
    """Start a game this many days ago."""
    at = now() - timedelta(days=days)
    return recording.start_game(table, loba_start(table, stake=stake), key=new_key(), by=owner, at=at)


def _game_before_a_bust(table: Table, owner: User, stake: int) -> Game:
    """Play one round that brings the second player close to the limit."""
    first, second, *others = ids(table)
    game = begin(table, owner, stake=stake, **RISING)
    return play(game, owner, f"round {first} in_one_go {second}=84 {hands(others, 12, 1)}")


def _long_game(table: Table, owner: User, stake: int, *, rounds: int) -> Game:
    """Play this many rounds: one player far below zero, the others re-entering again and again."""
    game = begin(table, owner, stake=stake, **RISING)
    first, second, *others = ids(table)
    start_log = game.log()
    log: list[Event] = list(start_log)
    for number in range(rounds):
        closing = f"{first} in_one_go {second}=6" if number % 2 else f"{second} out {first}=1"
        log += parse_line(f"round {closing} {hands(others, 19, 6)}")
        log += [PlayerReentered(player.id) for player in replay(log).pending]
    assert isinstance(log[-1], RoundPlayed | PlayerReentered)
    recording.record(game, *log[len(start_log) :], after=len(start_log), key=new_key(), by=owner)
    return game


def _finished_game(table: Table, owner: User, variant: str, closing: str, **options: int | str) -> Game:
    """Play a game of this variant to its end, with this closing in the last round."""
    game = start(table, owner, variant=variant, **options)
    first, *others = ids(table)
    is_melded = variant == "loba_mas"
    usual = "cut" if variant == "chinchon" else "out"
    winner_hand = f"{first}={55 if is_melded else 0}" if is_melded or usual == "cut" else ""
    play(
        game,
        owner,
        *[f"round {first} {usual} {winner_hand} {hands(others, 19, 6)}"] * (3 - (usual != closing)),
    )
    if usual != closing:
        play(game, owner, f"round {first} {closing}")
    return game


# --- stages -----------------------------------------------------------------------------------------------------------


def _seats_everybody(page: Page) -> None:
    for chip in page.locator("[data-chips] .chip").all():
        if chip.get_attribute("aria-pressed") != "true":
            chip.tap()


def _is_signed_in_elsewhere(owner: User) -> None:
    session = SessionStore()
    session.create()
    Device.objects.create(
        user=owner,
        session_key=str(session.session_key),
        browser="Samsung Internet",
        system="Android",
        seen_on=localdate() - timedelta(days=40),
    )


def _makes_a_token(table: Table) -> Act:
    def make(page: Page) -> None:
        page.locator("#programs summary").tap()
        page.locator("#name").fill("Reloj de la mesa del club de los jueves")
        page.locator(f"[name=table][value='{table.code}']").check()
        page.locator("form[action='/you/tokens/'] .btn").tap()
        expect(page.locator("#token")).to_be_visible()

    return make


def _imports_file(text: str, answer: str = ".errors") -> Act:
    def act(page: Page) -> None:
        file: FilePayload = {"name": "mesa.json", "mimeType": "application/json", "buffer": text.encode()}
        page.locator("#table-file").set_input_files(file)
        taps(MAIN, sees=answer)(page)

    return act


def _too_many_kings(game: Game) -> Act:
    """Return an act that saves a hand of nine kings from an old draft, which the server refuses."""
    closer, holder, *_others = players = ids(game.table)

    def act(page: Page) -> None:
        hands = dict.fromkeys(players, "12") | {holder: "[K K K K K K K K K]"}
        state = {"closer": closer, "closing": "out", "hands": hands, "seat": holder, "step": "hands"}
        draft = json.dumps({"base": "", "state": state})
        person = page.locator("#main").get_attribute("data-person")
        key = f"draft:{person}:{game.code}:2"
        page.evaluate("([key, draft]) => localStorage.setItem(key, draft)", [key, draft])
        page.reload()
        expect(page.locator("#entry[data-ready]")).to_be_visible()
        taps(GO, sees=".seat.error")(page)

    return act
