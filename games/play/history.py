"""The history for undo (deshacer) and redo (rehacer): the recorded batches, less those already undone."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from games.scoring.events import Event, Log, Struck

Batch = tuple[int, ...]


@dataclass(frozen=True)
class History:
    """The batches, by their events' numbers, that an undo would take back, and the undos a redo would."""

    undoable: tuple[Batch, ...]
    redoable: tuple[Batch, ...]
    last: Batch

    @property
    def last_is_undo(self) -> bool:
        """True if the last thing recorded was an undo."""
        return bool(self.redoable) and self.redoable[-1] == self.last


def history_of(log: Log, batches: Sequence[Batch]) -> History:
    """Return the history of a log recorded in these batches; the first is the game's start and stays.

    An undo strikes exactly the newest batch not undone, a redo exactly the newest undo. Any other batch
    can be undone
    itself, and nothing can be redone after it.
    """
    done: list[Batch] = []
    undone: list[tuple[Batch, Batch]] = []  # what was taken back, and the batch that did
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
    """Return the strikes that undo a whole batch, the last event first."""
    return [Struck(number) for number in reversed(batch)]


def _struck(log: Log, batch: Batch) -> Batch | None:
    """Return the numbers this batch strikes; None if it does anything else."""
    events = [log[number - 1] for number in batch]
    strikes = [event for event in events if isinstance(event, Struck)]
    return tuple(strike.number for strike in strikes) if len(strikes) == len(events) else None
