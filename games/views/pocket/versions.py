"""The two versions of a game in conflict, the server's and a phone's, for the page of conflicts.

The user chooses how to go on. A fact is an unsent change of the phone.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice, takewhile
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext
from django.views.decorators.http import require_POST

from games.notebook.fields import Fields, Unreadable
from games.play.recording import LONGEST_LOG
from games.pocket.taking import MOST_FACTS, read_events
from games.pocket.typed import FormRefused
from games.scoring.admission import MOST_STEPS, admitted
from games.scoring.effort import counting_steps, spend
from games.scoring.errors import Refusal, ScoringError
from games.scoring.events import Event, Log, seated_in
from games.scoring.words import _
from games.shown.common.amounts import money_of
from games.shown.common.members import known_as
from games.shown.common.sentences import translate
from games.shown.pocket.versions import Source, Version, outcome_of, pairs_of
from games.views.common.opened import OpenGame, open_game
from games.views.common.recording import refused_as_json
from games.views.pocket.bodies import read_json
from games.views.pocket.typed import READERS

CHOICES = ("behind", "instead", "open", "drop")  # as the page of conflicts names them
READ = 4_000  # computing steps charged for reading a fact


@require_POST
def versions(request: HttpRequest, code: str) -> HttpResponse:
    """Show both versions of a game event by event, and the totals and money that each choice leads to.

    The phone sends the facts of its version, and for each choice the facts that it would send then. Nothing
    is recorded. The response is 422 if the facts cannot be read or compared; the phone then shows what it
    stored at the refusal.
    """
    page = open_game(request, code, for_writing=True)
    try:
        with counting_steps(MOST_STEPS):
            context = _compared(page, Fields(read_json(request), "facts", "ways", "recorded"))
    except Unreadable as wrong:
        return refused_as_json(*map(translate, wrong.problems))
    except FormRefused as refused:
        return refused_as_json(*refused.sentences)
    except ScoringError as refusal:
        return refused_as_json(translate(refusal.text, money_of(page.table)))
    return render(request, "games/pocket/versions.html", context)


def _compared(page: OpenGame, sent: Fields) -> dict[str, Any]:
    """Return the template variables: the events side by side, and the outcome of each choice.

    `sent` is the JSON object from the phone, with the facts of its version and of each choice.
    """
    facts = sent.list_of("facts", most=MOST_FACTS)
    if sent.has("recorded"):
        here, there, counts = _entered_twice(page, facts, sent.whole("recorded", least=2, most=len(page.log)))
    else:
        here, there, counts = _went_on(page, facts)
    pairs = pairs_of(here, there, people=page.people, table=page.table)
    ways = Fields(sent.part("ways"), *CHOICES)
    return {
        "now": len(page.log),
        "pairs": pairs,
        "same": _count_same(counts, [pair.is_same for pair in pairs if pair.there]),
        "ways": [_choice(page, ways, name) for name in CHOICES if ways.has(name)],
    }


def _went_on(page: OpenGame, facts: Sequence[Any]) -> tuple[Version, Version, list[int]]:
    """Return the server's and the phone's version after the last event that the phone had seen.

    The third value lists, for each fact, the number of its events.
    """
    first = facts[0] if facts else None
    after = Fields(first, *_names(first)).whole("after", least=1, most=LONGEST_LOG)
    return _at_table(page, range(after + 1, len(page.log) + 1)), *_on_phone(page, page.log[:after], facts)


def _entered_twice(page: OpenGame, facts: Sequence[Any], number: int) -> tuple[Version, Version, list[int]]:
    """Return two versions of the round that is event `number`: as recorded, and as edited on the phone.

    The third value lists, for the one fact that was edited, the number of its events.
    """
    return _at_table(page, range(number, number + 1)), *_on_phone(page, page.log[: number - 1], facts[:1])


def _at_table(page: OpenGame, numbers: Sequence[int]) -> Version:
    records = page.game.records.filter(number__in=numbers).select_related("recorded_by").order_by("number")
    sources = {
        record.number: Source(
            known_as(record.recorded_by, page.members) or gettext("A person without a name"),
            record.recorded_at,
        )
        for record in records
    }
    return Version(page.log, sources)


def _on_phone(page: OpenGame, seen: Log, facts: Sequence[Any]) -> tuple[Version, list[int]]:
    """Return the version of the phone, and a list with the number of events of each fact.

    The version begins with `seen`, the events that the phone had seen. The events of the facts follow.
    """
    log, sources, counts = tuple(seen), dict[int, Source](), list[int]()
    for fact in facts:
        events = _events(page, fact, log)
        source = Source(gettext("you"), Fields(fact, *_names(fact)).moment("at"))
        sources |= dict.fromkeys(range(len(log) + 1, len(log) + len(events) + 1), source)
        counts.append(len(events))
        log += events
    return Version(log, sources), counts


def _names(fact: object) -> Sequence[str]:
    """Return the names of the fact's fields; () if the phone sent something else than a JSON object."""
    return tuple(fact) if isinstance(fact, dict) else ()


def _events(page: OpenGame, fact: Any, log: Log) -> tuple[Event, ...]:
    """Return the events that the fact would record after this log. Raise Unreadable for an unknown player."""
    spend(READ)
    events = read_events(fact, log, READERS)
    for player in seated_in((*log, *events)) - page.people.keys():
        raise Unreadable(_("“{name}” is unknown here.", name=player))
    return events


def _count_same(counts: Sequence[int], are_same: Sequence[bool]) -> int:
    """Return how many of the first facts seem to be recorded on the server already.

    `counts` has the number of events of each fact. `are_same` has a bool for each event of all these facts:
    whether the server has an event that looks like it. Counting stops at the first fact of which it lacks one.
    """
    flags = iter(are_same)
    facts_are_same = (bool(count) and all(list(islice(flags, count))) for count in counts)
    return sum(1 for _same_fact in takewhile(bool, facts_are_same))


def _choice(page: OpenGame, ways: Fields, name: str) -> dict[str, object]:
    """Return the template variables of the choice `name`, e.g. "drop": its outcome for the game.

    If the rules refuse the choice, return the reason instead. `ways` has the facts of each choice: those that
    the phone would send then.
    """
    log = page.log
    try:
        for fact in ways.list_of(name, most=MOST_FACTS + 1):
            log += _events(page, fact, log)
        state = admitted(page.log, log[len(page.log) :])
    except FormRefused as refused:
        return {"name": name, "refusal": " ".join(refused.sentences)}
    except ScoringError as refusal:
        if refusal.code is Refusal.TOO_MUCH:
            raise
        return {"name": name, "refusal": translate(refusal.text, money_of(page.table))}
    return {"name": name, "outcome": outcome_of(state, people=page.people, table=page.table)}
