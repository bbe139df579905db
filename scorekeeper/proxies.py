"""Who really asks, where a proxy hands the request on."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from ipaddress import IPv4Network, IPv6Address, IPv6Network, ip_address

from django.conf import settings
from django.http import HttpRequest, HttpResponseBase

Network = IPv4Network | IPv6Network

FORWARDED = ("HTTP_X_FORWARDED_FOR", "HTTP_X_FORWARDED_PROTO", "HTTP_X_FORWARDED_HOST")


class TrustedProxiesMiddleware:
    """Puts the client's address in the place of the proxy's: `REMOTE_ADDR` is who asks, for whoever counts.

    Only what proxies of `TRUSTED_PROXIES` say is believed, and what comes by a Unix socket, which has no address and
    leads to no other machine: from anybody else these headers are taken away. Without that setting nothing is touched.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        trusted: Sequence[Network] = settings.TRUSTED_PROXIES
        if trusted:
            came_from = request.META.get("REMOTE_ADDR", "")
            if not came_from or is_among(came_from, trusted):
                said = request.META.get("HTTP_X_FORWARDED_FOR", "")
                request.META["REMOTE_ADDR"] = client_behind(came_from, said, trusted)
            else:
                for header in FORWARDED:
                    request.META.pop(header, None)
        return self.get_response(request)


def client_behind(proxy: str, said: str, trusted: Sequence[Network]) -> str:
    """The nearest address in `X-Forwarded-For` that is no proxy of ours; what stands left of it anybody may write.

    Where somebody wrote no address, the last proxy that is known.
    """
    nearest = proxy
    for hop in reversed(said.split(",")):
        address = _address(hop.strip())
        if address is None:
            return nearest
        nearest = address
        if not is_among(address, trusted):
            return address
    return nearest


def is_among(address: str, networks: Sequence[Network]) -> bool:
    """Whether an address lies in one of these networks; no address lies in none."""
    written = _address(address)
    return written is not None and any(ip_address(written) in network for network in networks)


def _address(written: str) -> str | None:
    """An address as it is written shortest, an IPv4 one in IPv6's clothes as IPv4; None for anything else.

    Some proxies write the port behind it, and IPv6 in brackets then.
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
