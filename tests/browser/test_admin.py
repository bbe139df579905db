"""Django's admin in a browser: an operator signs in, opens a list and a row, and nothing is blocked.

`test_admin.py` has who gets the admin, and what it shows.
"""

from __future__ import annotations

from django.contrib.auth.models import User

from tests.factories import make_table, make_user

PASSWORD = "tres lobas negras"


def test_an_operator_signs_in_and_reads_a_table(page, live_server):
    User.objects.create_user("olga", password=PASSWORD, is_staff=True)
    make_table(make_user("ana"), name="Los jueves")
    page.goto("/login/?next=/admin/")
    page.locator("#id_username").fill("olga")
    page.locator("#id_password").fill(PASSWORD)
    page.get_by_role("button", name="Entrar").click()
    page.wait_for_url("**/admin/")
    page.locator("a", has_text="Tables").first.click()
    page.get_by_role("link", name="Los jueves").click()

    assert "Los jueves" in page.locator(".field-name").inner_text()
    assert 0 == page.locator("input[type=submit], [name=_save]").count()
