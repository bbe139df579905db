"""Coroutines, run by tests that may share a process with tests of the browser."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

Result = TypeVar("Result")


def run_apart(coroutine: Coroutine[Any, Any, Result]) -> Result:
    """Run the coroutine in a thread of its own and return its result.

    Playwright leaves its loop running in the main thread, where `asyncio.run` refuses to begin another.
    """
    with ThreadPoolExecutor(1) as apart:
        return apart.submit(asyncio.run, coroutine).result()
