"""A stranger opens the first page: what the app is for, in whatever way the phone is held."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.browser.test_layout import measure


@pytest.mark.parametrize("language", ["es-AR", "es-ES", "en"])
def test_the_first_page_is_whole_on_a_phone_that_lies_on_its_side(open_phone, language):
    page = open_phone(
        viewport={"width": 740, "height": 360}, locale=language, reduced_motion="reduce"
    ).new_page()
    page.goto("/")
    assert [] == measure(page, ".dealt", ".pays", ".pitch li", ".ways > *", ".dock .btn", scrolled=False)


@pytest.mark.long
def test_the_example_stands_beside_the_words_on_a_laptop(open_phone):
    page = open_phone(viewport={"width": 1280, "height": 800}, is_mobile=False).new_page()
    page.goto("/")
    example, words = page.locator(".pays").bounding_box(), page.locator(".pitch").bounding_box()
    assert example["x"] + example["width"] <= words["x"]
    expect(page.locator(".dock .go")).to_be_in_viewport(ratio=1)
