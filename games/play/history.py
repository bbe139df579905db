"""The history for undo (deshacer) and redo (rehacer), in batches of events that were recorded together.

An event can *strike* an earlier event, which then counts no more. An undo strikes events, a redo strikes the
undo.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from games.scoring.events import Event, Log, Struck

Batch = tuple[int, ...]  # the numbers of events that were recorded together


@dataclass(frozen=True)
class History:
    """The batches that can be undone and the undos that can be redone, each as the numbers of its events.

    `last` is the batch recorded last.
    """

    undoable: tuple[Batch, ...]
    redoable: tuple[Batch, ...]
    last: Batch

    @property
    def last_is_undo(self) -> bool:
        """True if the batch recorded last is an undo."""
        return bool(self.redoable) and self.redoable[-1] == self.last


def history_of(log: Log, batches: Sequence[Batch]) -> History:
    """Return the history of a log that was recorded in these batches.

    The first batch starts the game and cannot be undone. A batch is an undo if it strikes exactly the events
    of the newest batch not undone yet. It is a redo if it strikes exactly the events of the newest undo. Any
    other batch can be undone, and after it nothing can be redone.
    """
    done: list[Batch] = []
    undone: list[tuple[Batch, Batch]] = []  # a batch that was undone, and the batch that is its undo
    for batch in batches[1:]:
        struck = _struck(log, batch)
        if done and struck == done[-1][::-1]:
            undone.append((done.pop(), batch))
        elif undone and struck == undone[-1][1][::-1]:
            done.append(undone.pop()[0])
        else:
            done.append(batch)
            undone.clear()
    return History(tuple(done), tuple(undo for _batch, undo in undone), batches[-1])


def strikes_of(batch: Batch) -> list[Event]:
    """Return the strikes (events that void another event) that undo a whole batch, the last event first."""
    return [Struck(number) for number in reversed(batch)]


def _struck(log: Log, batch: Batch) -> Batch | None:
    """Return the numbers of the events that this batch strikes (voids).

    Return None if the batch has any event that is not a strike.
    """
    events = [log[number - 1] for number in batch]
    strikes = [event for event in events if isinstance(event, Struck)]
    return tuple(strike.number for strike in strikes) if len(strikes) == len(events) else None
