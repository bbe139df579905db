"""A benchmark of what METRICS_TOKEN adds to a request: `python -m tests.benchmarks.metrics_cost`.

One process keeps its numbers in memory; several keep them in files, by PROMETHEUS_MULTIPROC_DIR.
"""

from __future__ import annotations

import os
import subprocess
import sys
from statistics import median
from tempfile import TemporaryDirectory

from tests.benchmarks.goals import report

MEASURE = """
import time, django
from django.conf import settings
settings.METRICS_TOKEN = "x" * 32
django.setup()
from statistics import median
from django.http import HttpResponse
from django.test import RequestFactory
from django.urls import resolve
from scorekeeper.metrics import MetricsMiddleware

response, requests = HttpResponse(), []
for path in ("/", "/login/", "/t/abc/", "/t/abc/accounts/", "/g/abc/", "/g/abc/round/", "/example/"):
    for method in ("get", "post", "head"):
        request = getattr(RequestFactory(), method)(path)
        request.resolver_match = resolve(path)
        requests.append(request)
plain = lambda _request: response
counted = MetricsMiddleware(plain)

def microseconds(answer):
    started = time.process_time()
    for _time in range(200):
        for request in requests:
            answer(request)
    return (time.process_time() - started) / 200 / len(requests) * 1e6

print(median(microseconds(counted) - microseconds(plain) for _turn in range(11)))
"""


def main() -> None:
    os.environ["DJANGO_SETTINGS_MODULE"] = "tests.settings"
    with TemporaryDirectory() as folder:
        for processes, variables in (("one process", {}), ("several", {"PROMETHEUS_MULTIPROC_DIR": folder})):
            printed = [
                float(
                    subprocess.check_output([sys.executable, "-c", MEASURE], env={**os.environ, **variables})
                )
                for _turn in range(3)
            ]
            cost = median(printed)
            report(f"a request with metrics, {processes}: ≤ 50 µs more", f"{cost:.1f} µs", met=cost <= 50)


if __name__ == "__main__":
    main()
