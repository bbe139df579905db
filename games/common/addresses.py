"""The pages behind addresses that a form or a browser sent."""

from __future__ import annotations

from django.urls import Resolver404, ResolverMatch, get_script_prefix, resolve


def page_at(path: str) -> ResolverMatch | None:
    """Return the page at this path of the host; None if there is none.

    In a folder without a server every path begins with the folder's, which `resolve` does not know.
    """
    prefix = get_script_prefix()
    try:
        return resolve(f"/{path.removeprefix(prefix)}") if path.startswith(prefix) else None
    except Resolver404:
        return None
