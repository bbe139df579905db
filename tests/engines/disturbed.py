"""The settings of a site whose phones' engines a test can disturb: their clock, and the room for what they store.

DISTURB is the script for a page, and gets for example {"shift": 86400000, "isFull": True}. An engine that starts later
reads it too. The clock of the site itself is DAYS_LATER ahead.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from datetime import UTC, datetime, timedelta

import time_machine
from django.http import HttpRequest, HttpResponse
from django.urls import reverse

from tests.unlimited import *  # noqa: F403

MIDDLEWARE = [*MIDDLEWARE, "tests.engines.disturbed.DisturbingMiddleware"]  # noqa: F405
if later := int(os.environ.get("DAYS_LATER", "0")):
    time_machine.travel(datetime.now(UTC) + timedelta(days=later)).start()
SCRIPT = b"""
{
  const { now } = Date;
  const { put } = IDBObjectStore.prototype;
  const aborted = new WeakSet();
  let known = {};
  Date.now = () => now() + (known.shift ?? 0);
  IDBObjectStore.prototype.put = function (...given) {
    if (!known.isFull) return put.apply(this, given);
    if (!aborted.has(this.transaction)) queueMicrotask(() => this.transaction.abort());
    aborted.add(this.transaction);
  };
  new BroadcastChannel("disturb").onmessage = ({ data }) => {
    known = data;
  };
  known = (await (await caches.match("/disturb"))?.json()) ?? known;
}
"""
DISTURB = """async (how) => {
  await (await caches.open("disturb")).put("/disturb", new Response(JSON.stringify(how)));
  new BroadcastChannel("disturb").postMessage(how);
  await new Promise((resolve) => setTimeout(resolve, 300));
}"""


class DisturbingMiddleware:
    """Has the worker of the engine listen to the test."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        if request.path == reverse("pocket-worker"):
            response.content += SCRIPT
        return response
