"""The page `/metrics`, for Prometheus or another program that collects metrics."""

from __future__ import annotations

from collections.abc import Callable
from ipaddress import ip_network

from django.conf import settings
from django.core.exceptions import DisallowedHost
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.utils.crypto import constant_time_compare
from prometheus_client import CollectorRegistry, generate_latest
from prometheus_client.exposition import CONTENT_TYPE_LATEST

from scorekeeper.metrics.meters import counts
from scorekeeper.metrics.site import SiteCollector
from scorekeeper.proxies import is_among

PATH = "/metrics"
READING = frozenset({"GET", "HEAD"})
LOOPBACK = [ip_network("127.0.0.0/8"), ip_network("::1/128")]
FORWARDED = "HTTP_X_FORWARDED"  # the beginning of several headers
# Headers that a proxy adds. A request that has one may come from anywhere, although the proxy is on this
# machine.
OF_PROXIES = frozenset(
    {
        "HTTP_FORWARDED",
        "HTTP_VIA",
        "HTTP_X_REAL_IP",
        "HTTP_X_CLIENT_IP",
        "HTTP_X_CLUSTER_CLIENT_IP",
        "HTTP_TRUE_CLIENT_IP",
        "HTTP_CF_CONNECTING_IP",
    }
)


class MetricsMiddleware:
    """Answers `/metrics` for requests that may read it. For all others it is an unknown address.

    Like a health check, it is answered before the host name and HTTPS are checked, and before the proxy's
    headers are removed.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response
        self.site = SiteCollector()

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        if not (request.path_info == PATH and request.method in READING and may_read(request)):
            return self.get_response(request)
        text = b"".join(generate_latest(registry) for registry in (counts(), self._of_site()))
        return HttpResponse(text, content_type=CONTENT_TYPE_LATEST, headers={"Cache-Control": "no-store"})

    def _of_site(self) -> CollectorRegistry:
        registry = CollectorRegistry()
        registry.register(self.site)
        return registry


def may_read(request: HttpRequest) -> bool:
    """Return whether the request has the token for metrics, or comes from this machine without a proxy."""
    scheme, _blank, token = request.headers.get("Authorization", "").partition(" ")
    has_token = settings.METRICS_TOKEN and scheme.lower() == "bearer"
    return (has_token and constant_time_compare(token.strip(), settings.METRICS_TOKEN)) or _is_local(request)


def _is_local(request: HttpRequest) -> bool:
    """Return whether the request comes from a program on this machine, and not through a proxy.

    A site with HTTPS always has a proxy, which may run on this machine and add no headers. So return False
    for such a site. The host name is checked, because another site could make a browser on this machine ask
    (DNS rebinding).
    """
    if settings.SECURE_PROXY_SSL_HEADER or not is_among(request.META.get("REMOTE_ADDR", ""), LOOPBACK):
        return False
    if any(name in OF_PROXIES or name.startswith(FORWARDED) for name in request.META):
        return False
    try:
        return bool(request.get_host())
    except DisallowedHost:
        return False
