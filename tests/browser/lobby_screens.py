"""Screens of the lobby, of a member's sheet and of joining, for the layout and accessibility tests."""

from __future__ import annotations

from collections.abc import Iterator

from django.contrib.auth.models import User
from playwright.sync_api import Page

from games.models import Access, Member, Role, Table
from games.tables.services import confirmations, links, lobby, pens
from tests.browser.screens import MAIN, Screen, fills, opens_folds, taps
from tests.browser.watch_screens import EIGHT, LONG_EIGHT
from tests.factories import confirm_as_member, grant_access, make_table, make_user


def _retires(page: Page) -> None:
    """Retire the member, unless the screen before has done so."""
    address = page.url
    if page.locator("button[value=retire]").count():
        taps("button[value=retire]", sees=".undo button")(page)
        page.goto(address)


def lobby_screens(owner: User, *, crowded: bool = False) -> Iterator[Screen]:
    """Yield the screens with usual names or, if crowded, the longest ones."""
    table = make_table(owner, people=LONG_EIGHT if crowded else EIGHT, name="Chinchón de los ocho")
    at, members = f"/t/{table.code}/", list(table.members.all())
    home = f"{at}people/"
    refusal = taps("form[action$='/members/'] button", sees="#name-error")
    yield Screen("lobby-refused", home, (refusal,), reachable=(MAIN,))
    confirm_as_member(owner, members[0])
    known = _claim_with_devices(table, owner, members)
    yield Screen("lobby", home, (opens_folds,), reachable=(MAIN, ".qr svg"))
    yield Screen("member-asked", f"{at}members/{members[1].slug}/")
    yield Screen("member-tonight", f"{at}members/{members[2].slug}/", (opens_folds,))
    confirmations.confirm(known, by=owner, member=members[3])
    link_taps = taps("form[action$='/links/'] button", sees=".qr svg")
    yield Screen("member-link", f"{at}members/{members[3].slug}/", (link_taps,), reachable=(".qr svg", MAIN))
    retired, gone = f"{at}members/{members[7].slug}/", taps("button[value=retire]", sees=".undo button")
    yield Screen("lobby-retired", retired, (gone, opens_folds), reachable=(".undo button",))
    yield Screen("member-retired", retired, (_retires, opens_folds), reachable=("button[value=back]",))
    night = f"/i/{links.tonight_token(links.get_or_create_tonight(table, by=owner))}/"
    new = (taps(".whois summary"), fills("#name", "Nicanor"), opens_folds)
    yield Screen("sit-down", night, new, is_strangers=True)
    for role, member in ((Role.OWNER, None), (Role.WITNESS, members[6])):
        _link, token = links.create_personal(table, by=owner, role=role, member=member)
        name = "invitation-member" if member else "invitation"
        yield Screen(name, f"/i/{token}/", reachable=(".btn.go",), is_strangers=True)
    table.accesses.filter(user=owner).update(member=None, confirmed_at=None, confirmed_by=None)
    grant_access(make_user(f"second-{table.code}"), table, Role.OWNER)
    table.accesses.filter(user=owner).update(member=members[0])
    yield Screen("my-face", f"{at}me/", reachable=("button[value=unseat]", ".dock .btn"))
    yield from _pen_screens(owner, crowded=crowded)


def _pen_screens(owner: User, *, crowded: bool) -> Iterator[Screen]:
    """Yield the lobby with a question about the pen, and that of another table with the pen in another hand."""
    yield Screen(
        "lobby-pen-asked", _ask_for_pen(owner, crowded=crowded), reachable=(".says button[value=yes]",)
    )
    held = _ask_for_pen(owner, crowded=crowded, gives=True)
    yield Screen("lobby-pen-held", held, reachable=(".says button[value=back]",))


def _ask_for_pen(owner: User, *, crowded: bool, gives: bool = False) -> str:
    """Have a member of a new table ask for the pen, and the owner perhaps give it. Return the lobby's address."""
    table = make_table(owner, people=LONG_EIGHT if crowded else EIGHT, name="Chinchón de los ocho")
    asking = confirm_as_member(make_user(f"pen-{table.code}"), table.members.all()[4])
    pens.ask(table, by=asking.user)
    if gives:
        question = pens.PenState.load(table).request
        assert question is not None
        pens.answer(table, question.pk, is_yes=True, by=owner)
    return f"/t/{table.code}/people/"


def _claim_with_devices(table: Table, owner: User, members: list[Member]) -> Access:
    """Admit eight phones: two confirmed for tonight, two that claim the same member, two with other claims,
    one with a new name, and one that only watches.

    Return the access of a confirmed one.
    """
    until = links.get_or_create_tonight(table, by=owner).expires_at

    def comes(number: int, face: Member | None = None, name: str = "") -> Access:
        user = make_user(f"phone-{number}-{table.code}")
        return lobby.enter(table, user, until=until, face=face, name=name)

    confirmations.confirm(comes(1, members[2]), by=owner, member=members[2], is_tonight=True)
    known = comes(2, members[3])
    confirmations.confirm(known, by=owner, member=members[3], is_tonight=True)
    comes(3, members[1])
    comes(4, members[1])
    comes(5, members[4])
    comes(6, members[5])
    comes(7, name="Nicanor")
    comes(8)
    return known
