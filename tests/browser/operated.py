"""Screens of a site with an operator, for the layout and accessibility tests: reports and suspended tables."""

from __future__ import annotations

from collections.abc import Iterator

from django.contrib.auth.models import User
from playwright.sync_api import Page, expect

from games.desk.acts import release_table, suspend_table
from games.models import Role, Table
from games.people.invitations import LASTS, make_invite
from tests.browser.screens import MAIN, Screen
from tests.tables import let_in_as, make_table

SETTINGS = {"OPERATOR_CONTACT": "hola@mesas-de-los-jueves.example.org"}
REASON = "El nombre de la mesa insulta a alguien que nos escribió: cámbienlo y la abrimos de nuevo."


def operated(owner: User, *, name: str) -> Iterator[Screen]:
    """Yield the screens of three tables with this name: one can be reported, one was suspended, one is."""
    otto = User.objects.create_user(
        f"otto-{User.objects.count()}", password="tres lobas negras", is_staff=True
    )
    reported, released, suspended = (_table_of(otto, owner, name) for _table in range(3))
    yield Screen("privacy-asked", "/privacy/", is_strangers=True, settings=SETTINGS)
    yield from _reports(reported, owner)
    for table in (released, suspended):
        suspend_table(table, by=otto, reason=REASON)
    release_table(released, by=otto, reason="Cambiaron el nombre")
    yield Screen(
        "table-released", f"/t/{released.code}/settings/", (_scrolls_to_the_acts,), settings=SETTINGS
    )
    path = f"/t/{suspended.code}/"
    yield Screen("suspended", path, reachable=(MAIN,), status=503, settings=SETTINGS)
    yield Screen("suspended-nobody-to-ask", path, reachable=(MAIN,), status=503)


def _table_of(otto: User, owner: User, name: str) -> Table:
    """Make a table of both, which the owner has archived: home begins with the game that is played."""
    table = make_table(otto, name=name)
    let_in_as(owner, table, Role.OWNER)
    table.grants.update(archived=True)
    return table


def _reports(table: Table, owner: User) -> Iterator[Screen]:
    """Yield screens of an invitation whose table can be reported, and of the report."""
    _invite, token = make_invite(table, Role.WITNESS, lasts=LASTS["day"], by=owner)
    path, report = f"/i/{token}/", f"/report/i/{token}/"
    yield Screen("invitation-reported", path, (), (".btn.go",), is_strangers=True, settings=SETTINGS)
    yield Screen("report", report, (), (MAIN,), is_strangers=True, settings=SETTINGS)
    yield Screen("report-refused", report, (_writes_nothing,), (MAIN,), is_strangers=True, settings=SETTINGS)


def _writes_nothing(page: Page) -> None:
    page.locator(MAIN).tap()
    expect(page.locator("#text-error")).to_be_visible()


def _scrolls_to_the_acts(page: Page) -> None:
    page.locator("#operator-acts").scroll_into_view_if_needed()
