"""The theme, paper or cloth, stored on this phone."""

from __future__ import annotations

import pytest

from tests.reader import read_page

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_a_chosen_theme_is_stored(nobody, theme):
    assert "/" == nobody.post("/theme/", {"theme": theme}).url
    page = read_page(nobody.get("/"))

    assert theme == page.only("html").attrs["data-theme"]
    (pressed,) = [b for b in page.every("button", name="theme") if b.attrs["aria-pressed"] == "true"]
    assert theme == pressed.attrs["value"]


@pytest.mark.parametrize("theme", ["", "pink", '"><script>'])
def test_an_unknown_theme_restores_the_phones_own_theme(nobody, theme):
    nobody.post("/theme/", {"theme": "dark"})
    nobody.post("/theme/", {"theme": theme})

    assert "data-theme" not in read_page(nobody.get("/")).only("html").attrs


def test_an_invalid_theme_cookie_is_ignored(nobody):
    nobody.cookies["theme"] = "x onload=alert(1)"

    assert "data-theme" not in read_page(nobody.get("/")).only("html").attrs


def test_a_get_request_gets_405(nobody):
    assert 405 == nobody.get("/theme/").status_code
