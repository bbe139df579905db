"""Client addresses behind a proxy, like python-ipware's, but for trusted networks and Unix sockets too."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address

from django.conf import settings
from django.http import HttpRequest
from django.utils.deprecation import MiddlewareMixin

Address = IPv4Address | IPv6Address
Network = IPv4Network | IPv6Network

LOG = logging.getLogger(__name__)
FORWARDED_HEADERS = ("HTTP_X_FORWARDED_FOR", "HTTP_X_FORWARDED_PROTO", "HTTP_X_FORWARDED_HOST")


class TrustedProxiesMiddleware(MiddlewareMixin):
    """Middleware that puts the client's address in place of the proxy's, so that rate limits count clients.

    With TRUSTED_PROXIES, `X-Forwarded-…` headers are trusted from these and from a Unix socket, which has no
    address. They are removed from other requests, and the first time is logged: the setting may lack a proxy.
    """

    _warned = False

    def process_request(self, request: HttpRequest) -> None:
        trusted: Sequence[Network] = settings.TRUSTED_PROXIES
        sender = request.META.get("REMOTE_ADDR", "")
        if trusted and (not sender or _is_in_networks(_parse_address(sender), trusted)):
            forwarded_for = request.META.get("HTTP_X_FORWARDED_FOR", "")
            request.META["REMOTE_ADDR"] = client_address(sender, forwarded_for, trusted)
        elif trusted:
            removed = [request.META.pop(header, None) for header in FORWARDED_HEADERS]
            if any(removed) and not self._warned:
                self._warned = True
                LOG.warning(
                    "X-Forwarded headers from %s, which is not in TRUSTED_PROXIES, are ignored", sender
                )


def client_address(proxy: str, forwarded_for: str, trusted: Sequence[Network]) -> str:
    """Return the last address in the `X-Forwarded-For` header that is not a trusted proxy's.

    The header is read from its end, because the client may have forged its beginning. If all are trusted, or
    an entry is not an address, return the last address read, or that of the `proxy` that sent the request.
    """
    nearest = proxy
    for hop in reversed(forwarded_for.split(",")):
        address = _parse_address(hop.strip())
        if address is None:
            return nearest
        nearest = str(address)
        if not _is_in_networks(address, trusted):
            return nearest
    return nearest


def _is_in_networks(address: Address | None, networks: Sequence[Network]) -> bool:
    return address is not None and any(address in network for network in networks)


def _parse_address(written: str) -> Address | None:
    """Return the address in this text, without port and brackets; None if there is none.

    An IPv4-mapped IPv6 address becomes IPv4.
    """
    if written.startswith("["):
        written = written[1:].partition("]")[0]
    elif written.count(":") == 1:
        written = written.partition(":")[0]
    try:
        address = ip_address(written)
    except ValueError:
        return None
    return (address.ipv4_mapped if isinstance(address, IPv6Address) else None) or address
