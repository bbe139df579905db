"""`/api/` shows the guide and every operation, and tries them out as the signed-in user."""

from __future__ import annotations

import json

import pytest
from playwright.sync_api import expect

from games.common.api import schema


@pytest.fixture
def viewer(page, signed_in):
    """The API viewer, as a signed-in user reaches it."""
    page.goto("/you/")
    page.locator("#programs > summary").click()
    page.get_by_role("link", name="Lo que pueden pedir los programas").click()
    expect(page.locator(".opblock").first).to_be_visible()
    return page


def try_operation(viewer, operation, body=None):
    block = viewer.locator(f'.opblock[id$="-{operation}"]')
    block.locator(".opblock-summary-control").click()
    block.get_by_role("button", name="Try it out").click()
    if body is not None:
        block.locator("textarea").fill(json.dumps(body))
    block.get_by_role("button", name="Execute").click()
    answer = block.locator(".live-responses-table .response")
    return (
        answer.locator(".response-col_status").inner_text(),
        answer.locator(".highlight-code").first.inner_text(),
    )


def test_the_viewer_shows_the_guide_and_tries_operations_that_read_and_that_are_sent(viewer, table):
    operations = [
        operation["operationId"]
        for methods in schema.openapi()["paths"].values()
        for operation in methods.values()
    ]
    block_ids = viewer.locator(".opblock").evaluate_all("blocks => blocks.map(block => block.id)")
    assert sorted(operations) == sorted(name.rpartition("-")[2] for name in block_ids)
    assert "The API in ten minutes" in viewer.locator(".info").inner_text()
    status, me = try_operation(viewer, "me")
    assert ("200", True) == (status, table.code in me)

    status, points = try_operation(viewer, "hand", {"variant": "loba_menos", "hand": "[K 7]"})
    assert ("200", True) == (status, '"points": 17' in points)
