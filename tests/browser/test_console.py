"""The browser fixtures report a page that breaks the content security policy or whose script fails."""

from __future__ import annotations

import pytest
from django.http import HttpResponse
from django.urls import path

from tests.browser.scorer import until

HEAD = (
    '<!doctype html><html lang="es"><title>x</title><link rel="icon" href="data:,">'
    '<meta name="viewport" content="width=device-width">'
)

pytestmark = pytest.mark.usefixtures("module_urlconf")


def _page(body):
    return lambda request: HttpResponse(f"{HEAD}<body><main><h1>Hola</h1>{body}</main></body></html>")


urlpatterns = [
    path("quiet/", _page('<p id="text">sin letra chica</p>')),
    path("inline/", _page("<script>document.title = 'run'</script>")),
]


def test_a_violation_of_the_content_security_policy_fails_the_test(page, complaints):
    page.goto("/inline/")
    until(page, lambda: bool(complaints))
    assert "x" == page.title()
    assert 1 == len(complaints)
    assert "Content Security Policy" in complaints.pop()


def test_a_script_error_fails_the_test(page, complaints):
    page.goto("/quiet/")
    page.evaluate("() => { setTimeout(() => { missing() }) }")
    until(page, lambda: bool(complaints))
    assert 1 == len(complaints)
    assert "missing is not defined" in complaints.pop()
