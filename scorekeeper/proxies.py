"""The middleware that finds the client's address behind a reverse proxy."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from ipaddress import IPv4Network, IPv6Address, IPv6Network, ip_address

from django.conf import settings
from django.http import HttpRequest, HttpResponseBase

Network = IPv4Network | IPv6Network

FORWARDED = ("HTTP_X_FORWARDED_FOR", "HTTP_X_FORWARDED_PROTO", "HTTP_X_FORWARDED_HOST")


class TrustedProxiesMiddleware:
    """Replaces the proxy's address in `REMOTE_ADDR` by the client's, so that rate limits count clients.

    `X-Forwarded-…` headers are trusted only from the proxies in the setting `TRUSTED_PROXIES`, and from a
    Unix socket, which has no address and cannot be reached from another machine. From other clients the
    headers are removed. If the setting is empty, this middleware does nothing.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        trusted: Sequence[Network] = settings.TRUSTED_PROXIES
        if trusted:
            came_from = request.META.get("REMOTE_ADDR", "")
            forwarded_for = request.META.get("HTTP_X_FORWARDED_FOR", "")
            request.META["REMOTE_ADDR"] = client_address(came_from, forwarded_for, trusted)
            if not _is_proxy(came_from, trusted):
                for header in FORWARDED:
                    request.META.pop(header, None)
        return self.get_response(request)


def client_address(came_from: str, forwarded_for: str, trusted: Sequence[Network]) -> str:
    """Return the client's address: `came_from`, the sender's, unless the sender is a trusted proxy.

    For a trusted proxy, return the client's address in `forwarded_for`, the `X-Forwarded-For` header.
    """
    return client_behind(came_from, forwarded_for, trusted) if _is_proxy(came_from, trusted) else came_from


def _is_proxy(address: str, trusted: Sequence[Network]) -> bool:
    return bool(trusted) and (not address or is_among(address, trusted))


def client_behind(proxy: str, forwarded_for: str, trusted: Sequence[Network]) -> str:
    """Return the last address in the `X-Forwarded-For` header that is no trusted proxy.

    The header is read from its end, because the client may have forged the addresses at its beginning. If all
    are trusted, or an entry is no address, return the last valid address read, or `proxy` if there is none.
    `proxy` is the address of the proxy that sent the request.
    """
    nearest = proxy
    for hop in reversed(forwarded_for.split(",")):
        address = _address(hop.strip())
        if address is None:
            return nearest
        nearest = address
        if not is_among(address, trusted):
            return address
    return nearest


def is_among(address: str, networks: Sequence[Network]) -> bool:
    """Return whether an address is in one of these networks. An invalid address is in none."""
    parsed = _address(address)
    return parsed is not None and any(ip_address(parsed) in network for network in networks)


def _address(written: str) -> str | None:
    """Return an address in its shortest form; None if the text is not an address.

    An IPv4-mapped IPv6 address is returned as IPv4. Some proxies append the port, and then put an IPv6
    address in brackets: both are removed.
    """
    if written.startswith("["):
        written = written[1:].partition("]")[0]
    elif written.count(":") == 1:
        written = written.partition(":")[0]
    try:
        address = ip_address(written)
    except ValueError:
        return None
    if isinstance(address, IPv6Address) and address.ipv4_mapped:
        return str(address.ipv4_mapped)
    return str(address)
