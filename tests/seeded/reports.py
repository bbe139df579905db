"""The report of what caught each fault, as a text that can be compared with the next one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from tests.seeded.faults import Fault
from tests.seeded.running import CAUGHT, NOT_YET, SURVIVED, Outcome

EQUIVALENT, NOT_TRIED = "equivalent", "not tried"


def catch_table(faults: Sequence[Fault], outcomes: Mapping[str, Outcome], title: str) -> str:
    """Return the report as text: how many faults of each kind were caught, then some lines for each fault."""
    verdicts = Counter((fault.kind, _verdict(fault, outcomes)) for fault in faults)
    lines = [title] if title else []
    for kind in sorted({fault.kind for fault in faults}):
        counts = [
            f"{verdicts[kind, verdict]} {verdict}"
            for verdict in (CAUGHT, SURVIVED, EQUIVALENT, NOT_YET, NOT_TRIED)
            if verdicts[kind, verdict]
        ]
        lines.append(f"{sum(fault.kind == kind for fault in faults)} {kind}: {', '.join(counts)}.")
    return "\n".join([*lines, "", *_blocks(faults, outcomes)]) + "\n"


def _verdict(fault: Fault, outcomes: Mapping[str, Outcome]) -> str:
    outcome = outcomes.get(fault.digest)
    if outcome is not None and outcome.verdict == CAUGHT:
        return CAUGHT
    if fault.equivalent:
        return EQUIVALENT
    return NOT_TRIED if outcome is None else outcome.verdict


def _blocks(faults: Iterable[Fault], outcomes: Mapping[str, Outcome]) -> Iterable[str]:
    for fault in faults:
        verdict = _verdict(fault, outcomes)
        outcome = outcomes.get(fault.digest)
        yield f"{verdict}: {fault.name} ({fault.path}:{fault.where})"
        if verdict == CAUGHT and outcome is not None:
            suite = ", default suite" if outcome.by == "default suite" else ""
            yield f"    {outcome.test or outcome.message}{suite}"
        if verdict == EQUIVALENT:
            yield f"    {fault.equivalent}"
