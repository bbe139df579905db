"""The text of `/metrics`, as numbers that a test can compare."""

from __future__ import annotations

from collections.abc import Mapping

from prometheus_client.parser import text_string_to_metric_families


def samples_of(text: str) -> dict[str, float]:
    """Return the value of every sample under its name and labels, in the form `name{label=value,…}`."""
    samples = [one for family in text_string_to_metric_families(text) for one in family.samples]
    return {_key(one.name, one.labels): one.value for one in samples}


def increases(before: Mapping[str, float], after: Mapping[str, float], name: str) -> dict[str, int]:
    """Return the increase of each sample with this name, under its label values; unchanged ones are left out."""
    start = f"{name}{{"
    difference = {
        key[len(start) : -1]: int(value - before.get(key, 0))
        for key, value in after.items()
        if key.startswith(start)
    }
    return {labels: number for labels, number in difference.items() if number}


def _key(name: str, labels: Mapping[str, str]) -> str:
    return f"{name}{{{' '.join(labels[label] for label in sorted(labels))}}}"
