"""Every screen of the app at each stage, for the layout and accessibility tests.

for screen in hang(owner):
    screen.show(page)

`pick(owner, "sheet")` is one of them, with no more data than it takes.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import date, timedelta
from functools import partial
from urllib.parse import quote

from django.contrib.auth.models import User
from django.contrib.sessions.backends.db import SessionStore
from django.utils.timezone import localdate, now
from playwright.sync_api import FilePayload, Page, expect

from games.files.pages.imports import ARRIVAL
from games.files.writing import write_table
from games.models import Access, Device, Game, Method, Payment, Role, Table
from games.money import payments
from games.money.balances import read_accounts
from games.money.costs import CostWords, cancel_cost, share_cost
from games.money.merging import merge, preview_merge
from games.money.spot import pay_on_the_spot
from games.play import recording as services
from games.scoring.events import Event, PlayerReentered, RoundPlayed
from games.scoring.replay import replay
from games.scoring.text.notation import read_line
from games.tables.erasing import erase, owned_alone
from games.tables.members import add_member
from games.tables.sign_in_links import make_link
from games.tables.tokens import LIVES, make_token
from tests.brought import bring_nights
from tests.browser.entries import entries
from tests.browser.lobbies import lobbies
from tests.browser.nights import begin, play
from tests.browser.scorer import CONFIRM, GO, Scorer
from tests.browser.screens import FACES, MAIN, TOTALS, Act, Screen
from tests.browser.watched import watched
from tests.worlds import a_key, become, end_season, last_night, loba, make_table, make_user, start

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
ADVISED = ".notice form"  # what a lost phone costs, which a guest is told once
STAKE, HIGH_STAKE = 1000, 1_000_000
RISING: dict[str, int | str] = {"reentry_price": "linear", "reentries": "unlimited"}


def hang(owner: User, *, crowded: bool = False) -> tuple[Screen, ...]:
    """Return all screens of a table: with four people and a few rounds, or, if `crowded`, with the longest
    texts.
    """
    return tuple(_screens(owner, crowded=crowded))


def pick(owner: User, name: str, *, crowded: bool = False) -> Screen:
    """Return the screen of this name. Only the data of the screens before it is created."""
    return next(screen for screen in _screens(owner, crowded=crowded) if screen.name == name)


def _screens(owner: User, *, crowded: bool) -> Iterator[Screen]:
    people = LONG_PEOPLE if crowded else PEOPLE
    stake = HIGH_STAKE if crowded else STAKE
    table = make_table(owner, people=people, name=LONG_TABLE if crowded else "Mesa de los jueves")
    yield from _for_strangers()
    yield from _before_a_round(table, owner, stake)
    yield from _entries(table, owner, stake)
    yield from _around_a_game(table, owner, stake, rounds=20 if crowded else 6)
    yield from _corrections(table, owner, stake)
    yield from _ends(table, owner, stake)
    yield from _owed(table, owner, stake)
    yield from _people(table, owner)
    yield from lobbies(owner, crowded=crowded)
    yield from watched(owner, crowded=crowded)
    yield from entries(owner, crowded=crowded)
    yield from _season(table, owner, stake)
    yield from _accounts(table, owner)
    yield from _notebook(table, owner)
    yield from _twins(table, owner)
    yield from _put_away(table, owner)
    yield from _past_seasons(table, people, owner, stake)


def _for_strangers() -> Iterator[Screen]:
    yield Screen("home-stranger", "/", reachable=(MAIN,), is_strangers=True)
    yield Screen("home-look", "/", (_opens_the_look,), reachable=("#look button",), is_strangers=True)
    yield Screen(
        "home-invited", "/", (_opens_the_invitation,), reachable=("#invited .btn",), is_strangers=True
    )
    yield Screen("link-refused", "/", (_pastes_a_link,), reachable=(MAIN,), is_strangers=True)
    yield Screen("example", "/example/", reachable=(MAIN,), is_strangers=True)
    yield Screen("privacy", "/you/", is_strangers=True)
    yield Screen("new-table", "/new/", (_adds_somebody,), reachable=(MAIN,), is_strangers=True)
    yield Screen("login", "/login/", reachable=(".btn.go",), is_strangers=True)
    yield Screen("api-problems", "/api/problems/", is_strangers=True)
    yield Screen("not-found", "/nothing/", reachable=(MAIN,), is_strangers=True, status=404)


def _before_a_round(table: Table, owner: User, stake: int) -> Iterator[Screen]:
    game = begin(table, owner, stake=stake)
    yield Screen("new-game", f"/t/{table.code}/new/", (_seats_everybody,), reachable=(MAIN,))
    yield Screen("new-game-drawn", f"/t/{table.code}/new/", (_seats_everybody, _draws), reachable=(MAIN,))
    yield Screen(
        "new-game-house", f"/t/{table.code}/new/", (_opens("#says"), _opens_folds), reachable=("#game > .go",)
    )
    for variant in ("chinchon", "loba_mas", "carioca_cl"):
        yield Screen(
            f"new-game-{variant}",
            f"/t/{table.code}/new/",
            (_seats_everybody, partial(_picks, variant), _opens_folds),
            reachable=("#game > .go",),
        )
    yield Screen("sheet-empty", f"/g/{game.code}/", reachable=(TOTALS, FACES))
    Game.objects.filter(pk=game.pk).update(started_at=now() - timedelta(minutes=1))


def _entries(table: Table, owner: User, stake: int) -> Iterator[Screen]:
    game = _shortly_before_a_bust(table, owner, stake)
    first, second, *_others = _ids(table)
    path = f"/g/{game.code}/round/"
    pad, digits = (".k[data-card]", ".k[data-erase]", GO), (".k[data-digit]", GO)
    yield Screen("entry-closer", path, reachable=(".seat",))
    yield Screen("entry-pad", path, (_out(first), ("holds", "K 7 *")), reachable=(".seat[data-field]", *pad))
    yield Screen(
        "entry-full-hand",
        path,
        (_out(first, in_one_go=True), ("holds", "10 10 10 10 10 10 10 * *"), _whole(first, table)),
        reachable=(".seat[data-field]", *pad),
    )
    yield Screen(
        "entry-typed", path, (("went_out", first), ("counted", 20)), reachable=(".seat[data-field]", *digits)
    )
    yield Screen("entry-error", path, (_too_many_kings(game, first, second, table),), reachable=(GO,))
    # A separate table, since showing this screen records a round.
    people = tuple(member.name for member in table.members.all())
    other = make_table(owner, people=people, name=table.name)
    game = _shortly_before_a_bust(other, owner, stake)
    yield Screen(
        "entry-notice",
        f"/g/{game.code}/round/",
        (_somebody_was_faster(game, owner, first, other),),
        reachable=(GO,),
    )


def _around_a_game(table: Table, owner: User, stake: int, *, rounds: int) -> Iterator[Screen]:
    game = _long(table, owner, stake, rounds=rounds)
    home = f"/g/{game.code}/"
    reentry = next(
        number for number, event in enumerate(game.log(), start=1) if isinstance(event, PlayerReentered)
    )
    length = game.records.count()
    advice = (ADVISED,) if stake == STAKE else ()  # below the fold where eight names are long
    yield Screen("home-advice", "/", reachable=(".cloth .go", *advice))
    yield Screen("home", "/", (_takes_the_advice,), reachable=(".cloth > .tile.live:first-child",))
    yield Screen("sheet", home, reachable=(TOTALS, FACES, ".undo button"))
    yield Screen("sheet-face", home, (_opens(".who"),), reachable=("[popover] button",))
    yield Screen("money", home, (_opens(".pot"),), reachable=("#money summary",))
    yield Screen("rules", f"{home}rules/")
    yield Screen("rules-over", home, (_asks_for_the_rules,), reachable=("dialog .bar a",))
    yield Screen("seats", f"{home}seats/", reachable=(MAIN,))
    yield Screen("seats-change", f"{home}seats/", (_moves_the_first,), reachable=(CONFIRM,))
    yield Screen("rules-correct", f"{home}rules/correct/", (_opens_folds,))
    yield Screen("more", f"{home}more/")
    yield Screen("more-open", f"{home}more/", (_opens_folds,))
    yield Screen("event", f"{home}correct/{reentry}/")
    yield Screen(
        "event-round",
        f"{home}correct/2/",
        (_opens("[popovertarget=other]:not(.close)"),),
        reachable=("#other button",),
    )
    yield Screen("forgotten-round", f"{home}insert/{length}/", reachable=(".seat",))


def _corrections(table: Table, owner: User, stake: int) -> Iterator[Screen]:
    game = _shortly_before_a_bust(table, owner, stake)
    _first, second, third, *_others = _ids(table)
    others = " ".join(f"{player}=4" for player in _ids(table) if player != third)
    play(game, owner, f"round {third} out {others}")
    path = f"/g/{game.code}/correct/2/?hand={second}"
    yield Screen("correction-pad", path, reachable=(".seat[data-field]", GO))
    yield Screen("correction", path, (_bust_two_rounds_ago,), reachable=(CONFIRM,))
    play(game, owner, f"round {third} out " + " ".join(
        f"{player}={90 if player == second else 2}" for player in _ids(table) if player != third
    ))  # fmt: skip
    yield Screen(
        "desk", f"/g/{game.code}/reentry/", reachable=("button[value=reenter]", "button[value=stay_out]")
    )


def _ends(table: Table, owner: User, stake: int) -> Iterator[Screen]:
    game = _long(table, owner, stake, rounds=9)
    play(game, owner, "stop split_pot")
    _tick(table, owner)
    home = f"/g/{game.code}/"
    yield Screen("sheet-over", home, reachable=(TOTALS, MAIN))
    yield Screen("settlement", f"{home}settlement/", reachable=(MAIN, "form[action$='/rematch/'] button"))
    yield Screen(
        "settlement-send", f"{home}settlement/", (_opens_send,), reachable=("#group button", "#group a")
    )
    yield Screen("settlement-open", f"{home}settlement/", (_opens_folds,), reachable=(MAIN,))
    yield Screen(
        "discard", f"{home}more/", (_takes_the_game_away,), reachable=(".dock .btn.danger", ".dock a")
    )
    for variant, line, options in (
        ("loba_mas", "out", {"settlement": "pot_and_pairs", "point_value": stake}),
        ("carioca_cl", "out", {"settlement": "pairs", "point_value": stake, "contracts": "ca6"}),
        ("chinchon", "chinchon", {"cut_prize": stake}),
    ):
        game = _ended(table, owner, variant, line, stake=stake, **options)
        yield Screen(
            f"settlement-{variant}", f"/g/{game.code}/settlement/", (_opens_folds,), reachable=(MAIN,)
        )


def _tick(table: Table, owner: User) -> Payment:
    """Tick the first debt of the table."""
    debt = read_accounts(table).to_pay[0]
    return payments.tick(
        table, debt.payer, debt.payee, version=debt.version, claims=debt.claims, by=owner, role=Role.OWNER
    )


def _owed(table: Table, owner: User, stake: int) -> Iterator[Screen]:
    """Yield screens of a game: two debts ticked, then another winner, then one more, then paid on the spot."""
    people = tuple(member.name for member in table.members.all())
    game = start(make_table(owner, people=people, name=table.name), owner, stake=stake)
    Access.objects.filter(table=game.table).update(made_at=now() - timedelta(days=2))  # few tables a day
    first, second, *others = _ids(game.table)
    hands = " ".join(f"{player}=110" for player in others)
    play(game, owner, f"round {first} out {second}=110 {hands}")
    for _player in (second, others[0]):
        _tick(game.table, owner)
    play(game, owner, f"correct 2 round {second} out {first}=110 {hands}")
    paid = _tick(game.table, owner)
    result = f"/g/{game.code}/settlement/"
    yield Screen("settlement-corrected", f"{result}?done={paid.pk}", (_opens_folds,), reachable=(MAIN,))
    yield Screen("accounts-expense", f"/t/{game.table.code}/accounts/", (_opens_sheet("expense"),))
    pay_on_the_spot(game, by=owner)
    yield Screen("settlement-on-the-spot", result, reachable=(MAIN,))


def _people(table: Table, owner: User) -> Iterator[Screen]:
    make_token(owner, LONG_PEOPLE[0], lasts=LIVES["year"], table=table)
    _is_signed_in_elsewhere(owner)
    yield Screen("yours", "/you/?changed=password", (_opens_folds,))
    yield Screen("yours-not-alone", "/you/", (_owns_it_not_alone(table), _opens_folds))
    yield Screen("yours-link", "/you/", (_makes_a_sign_in_link,), reachable=("[data-share=link]",))
    yield Screen("yours-token", "/you/", (_makes_a_token(table),), reachable=("[data-share=token]",))
    yield Screen("table-settings", f"/t/{table.code}/settings/", (_opens_folds,))
    forgetful = User.objects.create_user(f"olvidadiza-{table.code}", password="tres lobas negras")
    yield Screen("sign-in-link", f"/in/{make_link(forgetful)}/", reachable=(".btn.go",), is_strangers=True)


def _makes_a_sign_in_link(page: Page) -> None:
    page.locator("form[action='/you/link/'] button").tap()
    expect(page.locator("[data-share=link]")).to_be_visible()


def _takes_the_advice(page: Page) -> None:
    page.locator(f"{ADVISED} button").tap()
    expect(page.locator(ADVISED)).to_have_count(0)


def _scrolls_to(element: str) -> Act:
    return lambda page: page.locator(element).first.scroll_into_view_if_needed()


def _put_away(table: Table, owner: User) -> Iterator[Screen]:
    """Yield screens of the settings for a table's only owner, and of an erased table."""
    home = f"/t/{table.code}"
    alone, shut = (make_table(owner, name=table.name) for _table in range(2))
    Table.objects.filter(pk=alone.pk).update(
        created_at=now() - timedelta(days=99)
    )  # home begins with the game that is played
    yield Screen("table-settings-last-owner", f"/t/{alone.code}/settings/", (_opens_folds,))
    yield Screen("erase-table-refused", f"{home}/settings/", (_opens_folds, _types_another_name))
    erase(shut, name=shut.name, by=owner)
    yield Screen("erased", f"/t/{shut.code}/settings/", reachable=(MAIN,))
    yield Screen("home-put-away", "/", (_scrolls_to(f"a[href='/t/{shut.code}/settings/']"),))


def _types_another_name(page: Page) -> None:
    page.locator("[name=erased-name]").fill(LONG_TABLE[:20])
    page.locator("#erase .btn.danger").tap()
    expect(page.locator("#erased-name-error")).to_be_visible()


def _season(table: Table, owner: User, stake: int) -> Iterator[Screen]:
    """Yield screens after six Thursdays, on which everybody won in turn."""
    ids = _ids(table)
    for week in range(6, 0, -1):
        first, *others = ids[week % len(ids) :] + ids[: week % len(ids)]
        begun, at = loba(table, stake=stake), now() - timedelta(weeks=week)
        game = services.start_game(table, begun, key=a_key(), by=owner, at=at)
        play(game, owner, f"round {first} in_one_go " + " ".join(f"{player}=95" for player in others))
        bust = " ".join(f"{player}={6 + place}" for place, player in enumerate(others))
        play(game, owner, f"round {first} out {bust}")
    home = f"/t/{table.code}"
    yield Screen("season", f"{home}/season/")
    yield Screen("season-sheet", f"{home}/season/?game=loba_menos", (_opens_seasons, _opens_folds))
    yield Screen("season-send", f"{home}/season/?by=points", (_opens_send,))
    yield Screen("games", f"{home}/games/?words={ids[0]}")
    yield Screen("player", f"{home}/player/{ids[0]}/")
    yield Screen("duel", f"{home}/player/{ids[0]}/?against={ids[1]}")


def _past_seasons(table: Table, people: tuple[str, ...], owner: User, stake: int) -> Iterator[Screen]:
    """Yield screens of a season that is over, of an empty one after it, and of a year."""
    played, table = table, make_table(owner, people=people, name=LONG_TABLE)
    first, *others = _ids(table)
    today = localdate()
    table.seasons.update(starts_on=today - timedelta(days=90))
    for name, days, stake_then in (("Otoño", (80, 79), stake), ("Invierno", (40, 39, 38, 37, 36), 2 * stake)):
        for back in days:
            begun, at = loba(table, stake=stake_then), now() - timedelta(days=back)
            game = services.start_game(table, begun, key=a_key(), by=owner, at=at)
            busts = " ".join(f"{player}={105 + place}" for place, player in enumerate(others))
            play(game, owner, f"round {first} out {busts}")
        end_season(table, last_day=today - timedelta(days=days[-1] - 1), next_name=name)
    home, ended = f"/t/{table.code}", table.seasons.all()[1]
    yield Screen("season-over", f"{home}/season/?season={ended.pk}")
    yield Screen("season-begun", f"{home}/season/")
    yield Screen("season-refused", f"{home}/season/", (_opens_seasons, _begins_a_season_wrongly))
    yield Screen("year", f"/t/{played.code}/season/?year={today.year}")


def _opens_seasons(page: Page) -> None:
    page.locator("[popovertarget=seasons]:not(.close)").tap()
    expect(page.locator("#seasons")).to_be_visible()


def _opens_send(page: Page) -> None:
    page.locator("[popovertarget=group]:not(.close)").tap()
    expect(page.locator("#group")).to_be_visible()


def _begins_a_season_wrongly(page: Page) -> None:
    page.locator("#begin summary").tap()
    page.locator("#begin [name=name]").fill("")
    page.locator("#begin .btn").tap()
    expect(page.locator("#begin .wrong")).to_be_visible()


def _accounts(table: Table, owner: User) -> Iterator[Screen]:
    """Yield screens of payments in every state, and of a night."""
    first, second, third, *_others = table.members.all()
    become(owner, first)
    table.members.filter(pk=first.pk).update(account="ana.loba.mp")
    for part in (2, 1):
        line = read_accounts(table).to_pay[0]
        payments.pay(
            table, line.payer, line.payee, line.amount // part, method=Method.TRANSFER, key=a_key(), by=owner
        )
    disputed, cancelled = (
        payments.pay(table, payer, first, 700, method=Method.CASH, note=LONG_TABLE, key=a_key(), by=owner)
        for payer in (second, third)
    )
    payments.dispute(disputed, by=owner, objection="No me llegó nada, fijate")
    payments.take_back(cancelled, by=owner)
    friend = make_user(f"{table.code}-friend")
    payments.pay(table, second, first, 900, method=Method.CASH, key=a_key(), by=friend)
    become(friend, third)
    claimed = payments.pay(table, third, first, 600, method=Method.CASH, key=a_key(), by=friend)
    night = last_night(table)
    assert night is not None
    services.discard_game(table.games.exclude(ended_at=None)[1])
    home, send = f"/t/{table.code}/accounts/", "[popovertarget=group]:not(.close)"
    yield Screen("home-money", f"/t/{table.code}/", (_scrolls_to("div.own-money"),))
    yield Screen("home-tonight", f"/t/{table.code}/", (_scrolls_to("a:has(.tally)"),))
    yield Screen("accounts", f"{home}?done={disputed.pk - 1}", reachable=(send,))
    yield Screen("accounts-open", home, (_opens_folds,), reachable=(send,))
    yield Screen("accounts-group", home, (_opens_sheet("group"),), reachable=("#group .go",))
    yield Screen("accounts-pay", home, (_opens_sheet("pay"),))
    typed = f"{home}?payer={first.slug}&payee={second.slug}&amount="
    yield Screen("accounts-typed", f"{typed}1500")
    yield Screen("accounts-asked", f"{typed}{10**14}", (_records,))
    yield Screen("movements", f"{home}?page=1")
    yield Screen("payment", f"{home}payments/{disputed.pk}/", reachable=(MAIN,))
    yield Screen("payment-claimed", f"{home}payments/{claimed.pk}/", reachable=(MAIN,))
    yield Screen("payment-cancelled", f"{home}payments/{cancelled.pk}/", reachable=(MAIN,))
    yield Screen("account", f"{home}of/{first.slug}/")
    yield Screen("account-open", f"{home}of/{second.slug}/", (_opens_folds,))
    pizza = CostWords(second, 1_000_001, tuple(table.members.all()), "Pizza de muzzarella y dos cervezas")
    cost = share_cost(table, night, pizza, key=a_key(), by=owner)
    yield Screen("cost", f"{home}costs/{cost.pk}/", reachable=(MAIN,))
    cancel_cost(cost, by=owner, reason="Conté mal")
    yield Screen("cost-cancelled", f"{home}costs/{cost.pk}/", reachable=(MAIN,))
    share_cost(table, night, pizza, key=a_key(), by=owner)
    yield Screen("night", f"{home}nights/{night.isoformat()}/", reachable=(send,))


def _notebook(table: Table, owner: User) -> Iterator[Screen]:
    """Yield screens of an imported notebook of two nights; an older one names somebody new."""
    names = [member.name for member in table.members.all()]
    figures = ";".join([str(250_000 * (len(names) - 1)), *["-250000"] * (len(names) - 1)])
    text = f"fecha;{';'.join(names)}\n31/5/2024;{figures}\n7/6/2024;{figures}\n"
    older = f"fecha;{';'.join(names)};Tío Raúl\n31/5/2023;{figures};0\n"
    home, at = f"/t/{table.code}/notebook/", bring_nights(table, text)
    night = table.games.get(night_number=date(2024, 5, 31).toordinal())
    yield Screen("bring", "/bring/", reachable=(MAIN,))
    yield Screen("import-table", "/import/", reachable=(MAIN,))
    yield Screen("import-table-refused", "/import/", (_brings_nothing,), reachable=(MAIN,))
    yield Screen("import-table-here", "/import/", (_brings(write_table(table)),), reachable=(".dock .btn",))
    brought, coming = f"/t/{table.code}/import/", write_table(table).replace(night.key, a_key())
    coming = coming.replace("2024-05-31", "2024-05-30")
    yield Screen("bring-file", brought, reachable=(MAIN,))
    yield Screen("bring-file-preview", brought, (_brings(coming, ".said"),), reachable=(MAIN,))
    yield Screen("notebook", home, reachable=(MAIN,))
    yield Screen("opening-balances", f"/t/{table.code}/opening/", reachable=(MAIN,))
    yield Screen(
        "notebook-taken-over",
        f"{home}?done={quote(ARRIVAL.sign(at.isoformat()))}",
        reachable=(MAIN, ".undo button"),
    )
    yield Screen("notebook-refused", home, (_pastes("fecha;Ana;Beto\nayer;1;dos\n"),), reachable=(MAIN,))
    yield Screen("notebook-preview", home, (_pastes(older), _opens_folds), reachable=(MAIN,))
    yield Screen("old-night", f"/g/{night.code}/night/")


def _twins(table: Table, owner: User) -> Iterator[Screen]:
    """Yield screens of merging members: the first is the same person twice, the second somebody else."""
    first, second, third, *_others = table.members.all()
    merged, twin = (add_member(table, first.name[:-1] + letter) for letter in "oe")
    for one, other in ((merged, third), (merged, first), (twin, third), (twin, first)):
        payments.pay(table, one, other, 12_000, method=Method.CASH, key=a_key(), by=owner)
    home = f"/t/{table.code}/members"
    yield Screen("merge-member-asked", f"{home}/{twin.slug}/?into={first.slug}", (_opens_folds,))
    yield Screen("merge-member-refused", f"{home}/{first.slug}/?into={second.slug}")
    merge(merged, first, seen=preview_merge(merged, first).seen, by=owner)
    yield Screen(
        "table-merged", f"/t/{table.code}/people/?merged={merged.slug}", reachable=(MAIN, ".undo button")
    )


# --- games ------------------------------------------------------------------------------------------------------------


def _ids(table: Table) -> list[str]:
    return [member.slug for member in table.members.all()]


def _shortly_before_a_bust(table: Table, owner: User, stake: int) -> Game:
    """Play one round that brings the second player close to the limit."""
    first, second, *others = _ids(table)
    game = begin(table, owner, stake=stake, **RISING)
    hands = " ".join(f"{player}={12 + place}" for place, player in enumerate(others))
    return play(game, owner, f"round {first} in_one_go {second}=84 {hands}")


def _long(table: Table, owner: User, stake: int, *, rounds: int) -> Game:
    """Play this many rounds: one player far below zero, the others re-entering again and again."""
    game = begin(table, owner, stake=stake, **RISING)
    first, second, *others = _ids(table)
    begun = game.log()
    log: list[Event] = list(begun)
    for number in range(rounds):
        hands = " ".join(f"{player}={19 + 6 * place}" for place, player in enumerate(others))
        closing = f"{first} in_one_go {second}=6" if number % 2 else f"{second} out {first}=1"
        log += read_line(f"round {closing} {hands}")
        log += [PlayerReentered(player.id) for player in replay(log).pending]
    assert isinstance(log[-1], RoundPlayed | PlayerReentered)
    services.record(game, *log[len(begun) :], after=len(begun), key=a_key(), by=owner)
    return game


def _ended(table: Table, owner: User, variant: str, closing: str, **options: int | str) -> Game:
    """Play a game of this variant to its end, with this closing in the last round."""
    game = start(table, owner, variant=variant, **options)
    first, *others = _ids(table)
    is_melded = variant == "loba_mas"
    hands = " ".join(f"{player}={19 + 6 * place}" for place, player in enumerate(others))
    usual = "cut" if variant == "chinchon" else "out"
    own = f"{first}={55 if is_melded else 0}" if is_melded or usual == "cut" else ""
    rounds = len(game.state().rules.contracts) or 3
    play(game, owner, *[f"round {first} {usual} {own} {hands}"] * (rounds - (usual != closing)))
    if usual != closing:
        play(game, owner, f"round {first} {closing}")
    return game


# --- stages -----------------------------------------------------------------------------------------------------------


def _adds_somebody(page: Page) -> None:
    for name in ("Ana", LONG_PEOPLE[1]):
        page.locator("[data-add] input").fill(name)
        page.locator("[data-add] button").tap()


def _opens_the_look(page: Page) -> None:
    page.locator("[popovertarget=look]:not(.close)").tap()
    expect(page.locator("#look")).to_be_visible()


def _opens_the_invitation(page: Page) -> None:
    page.locator("[popovertarget=invited]:not(.close)").tap()
    expect(page.locator("#invited")).to_be_visible()


def _pastes_a_link(page: Page) -> None:
    _opens_the_invitation(page)
    page.locator("#link").fill("Vení a la mesa: https://example.com/i/abcdefghijklmnop/")
    page.locator("#invited .btn").tap()
    expect(page.locator("#link-error")).to_be_visible()


def _seats_everybody(page: Page) -> None:
    for chip in page.locator("[data-chips] .chip").all():
        if chip.get_attribute("aria-pressed") != "true":
            chip.tap()


def _draws(page: Page) -> None:
    page.locator("[name=draw][value=seats]").tap()
    expect(page.locator("[data-drawn]")).to_be_visible()


def _picks(variant: str, page: Page) -> None:
    page.locator("#says").tap()
    page.locator(f".games .chip:has([value={variant}])").tap()
    expect(page.locator(f"[name=shown][value={variant}]")).to_be_attached()
    expect(page.locator(".games")).to_have_css("display", "grid")  # its style sheet is loaded


def _opens_sheet(name: str) -> Act:
    return lambda page: page.locator(f"[popovertarget={name}]:not(.close)").tap()


def _records(page: Page) -> None:
    page.locator("#pay .go").tap()
    expect(page.locator("#asked")).to_be_visible()


def _opens_folds(page: Page) -> None:
    page.evaluate("document.querySelectorAll('details').forEach(fold => { fold.open = true; })")


def _takes_the_game_away(page: Page) -> None:
    page.locator("form[action$='/discard/'] button").tap()
    expect(page.locator("#what-changes")).to_be_visible()


def _asks_for_the_rules(page: Page) -> None:
    page.locator("a[data-rules]").tap()
    expect(page.locator("dialog article")).to_be_visible()


def _moves_the_first(page: Page) -> None:
    first, second = (page.locator(f"[name=seat-{number}]") for number in (1, 2))
    players = first.input_value(), second.input_value()
    second.select_option(players[0])
    first.select_option(players[1])
    page.locator(MAIN).tap()
    expect(page.locator("#changes")).to_be_visible()


def _owns_it_not_alone(table: Table) -> Act:
    """Return an act that gives the table a second owner for as long as the page loads."""

    def show(page: Page) -> None:
        other = make_user(f"other-{table.code}")
        owner = table.accesses.owning().select_related("user")[0].user
        for alone in owned_alone(owner):
            Access.objects.create(user=other, table=alone, role=Role.OWNER)
        page.reload()
        other.delete()

    return show


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


def _brings_nothing(page: Page) -> None:
    page.locator(MAIN).tap()
    expect(page.locator(".errors")).to_be_visible()


def _brings(text: str, answer: str = ".errors") -> Act:
    def act(page: Page) -> None:
        file: FilePayload = {"name": "mesa.json", "mimeType": "application/json", "buffer": text.encode()}
        page.locator("#table-file").set_input_files(file)
        page.locator(MAIN).tap()
        expect(page.locator(answer)).to_be_visible()

    return act


def _pastes(text: str) -> Act:
    def act(page: Page) -> None:
        page.locator("#text").fill(text)
        page.locator(MAIN).tap()
        expect(page.locator(".errors, #people").first).to_be_visible()

    return act


def _opens(key: str) -> Act:
    return lambda page: page.locator(key).first.tap()


def _out(player: str, *, in_one_go: bool = False) -> Act:
    return lambda page: Scorer(page).went_out(player, in_one_go=in_one_go)


def _whole(closer: str, table: Table) -> Act:
    """Return an act that enters every hand, then opens the second player's."""
    second, *others = (player for player in _ids(table) if player != closer)

    def act(page: Page) -> None:
        scorer = Scorer(page)
        for player in others:
            scorer.opens(player)
            scorer.counted(11)
        scorer.opens(second)
        expect(page.locator("#consequences li").first).to_be_visible()

    return act


def _too_many_kings(game: Game, closer: str, holder: str, table: Table) -> Act:
    """Return an act that saves a hand of nine kings from an old draft, which the server refuses."""
    ids = _ids(table)

    def act(page: Page) -> None:
        hands = dict.fromkeys(ids, "12") | {holder: "[K K K K K K K K K]"}
        state = {"closer": closer, "closing": "out", "hands": hands, "seat": holder, "step": "hands"}
        draft = json.dumps({"base": "", "state": state})
        page.evaluate("([key, draft]) => localStorage.setItem(key, draft)", [f"draft:{game.code}:2", draft])
        page.reload()
        expect(page.locator("#entry[data-ready]")).to_be_visible()
        page.locator(GO).tap()
        expect(page.locator(".seat.error")).to_be_visible()

    return act


def _somebody_was_faster(game: Game, owner: User, closer: str, table: Table) -> Act:
    """Return an act in which another phone records a round while this one is being entered."""
    first, *others = _ids(table)

    def act(page: Page) -> None:
        scorer = Scorer(page)
        scorer.went_out(closer)
        for player in others:
            scorer.opens(player)
            scorer.counted(3)
        play(game, owner, f"round {first} out " + " ".join(f"{player}=2" for player in others))
        page.locator(GO).tap()
        expect(page.locator(".notice:visible")).to_be_visible()

    return act


def _bust_two_rounds_ago(page: Page) -> None:
    """Correct a hand to a larger one, so that somebody who played on was already bust."""
    scorer = Scorer(page)
    scorer.takes_back()
    scorer.takes_back()
    scorer.counted(120)
    scorer.sees_what_changes()
