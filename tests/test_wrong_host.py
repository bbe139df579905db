"""A request for an unknown host gets a page for the operator, in the reader's language."""

from __future__ import annotations

import pytest

from tests.reader import read_page


@pytest.mark.parametrize(
    ("host", "language", "sentence"),
    [
        ("otra.casa", "es-AR", "Si el sitio es tuyo: agregá otra.casa a ALLOWED_HOSTS y volvé a iniciarlo."),
        ("other.house:8000", "en", "If the site is yours: add other.house:8000 to ALLOWED_HOSTS"),
        ("<script>.example", "de", "Nothing answers here under the name <script>.example."),
    ],
)
@pytest.mark.django_db
def test_it_names_the_host_and_the_setting_without_scripts(nobody, host, language, sentence):
    response = nobody.get("/", headers={"host": host, "accept-language": language})
    page = read_page(response)

    assert 400 == response.status_code
    assert sentence in page.only("main").text
    assert ([], []) == (page.every("script"), page.every("a"))
    assert "default-src 'none'" in response["Content-Security-Policy"]


@pytest.mark.django_db
def test_a_program_gets_a_problem(nobody):
    response = nobody.get("/api/v1/tables/", headers={"host": "otra.casa"})

    assert (400, "application/problem+json") == (response.status_code, response["Content-Type"])
