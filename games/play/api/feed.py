"""The feed of a table: everything written since a version, games and money together, for other programs."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any

from django.conf import settings
from django.contrib.auth.models import User
from django.db.models import Q, QuerySet
from django.utils.functional import cached_property
from django.utils.translation import get_language
from drf_spectacular.utils import extend_schema, extend_schema_field
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.utils.urls import replace_query_param

from games.common import amounts, event_store, naming
from games.common.api import write_headers
from games.common.api.problems import ApiProblem
from games.common.api.serializers import MoneyMixin, StrictDateTimeField
from games.common.event_text import NarratedLog
from games.models import Entry, EntryKind, Record, Table
from games.money.presenters.cause_titles import CauseTitles
from games.play.api.event_schemas import NUMBER, TEXT, object_schema, schema_ref
from games.tables.api.views import UNKNOWN_CURSOR, USUAL, PageQuery, TableViewSetBase
from games.tables.services import authorization, roster, users

EVENT, ENTRY = KINDS = ("event", "entry")
_CURSOR = re.compile(r"([0-9]{1,10})-([01])-([0-9]{1,18})")
# a row's position in the feed: its version, the index of its kind in KINDS, and its id
FeedPlace = tuple[int, int, int]

_NUMBER_OR_NONE, _TEXT_OR_NONE = ({**schema, "nullable": True} for schema in (NUMBER, TEXT))
_DEBT = object_schema("A debt of two members.", {"payer": TEXT, "payee": TEXT, "amount": NUMBER})
_ENTRY = object_schema(
    "An entry of the ledger: by how much one cause changed everybody's balance. None is ever changed.",
    {
        "kind": {**TEXT, "enum": [str(kind) for kind in EntryKind], "description": "The cause."},
        "night": {**TEXT, "format": "date"},
        "payment": {**_NUMBER_OR_NONE, "description": "The id of the payment that is the cause."},
        "cost": {**_NUMBER_OR_NONE, "description": "The id of the shared cost that is the cause."},
        "member": {**_TEXT_OR_NONE, "description": "The id of who was merged into another, or parted again."},
        "differences": {
            "type": "object",
            "additionalProperties": NUMBER,
            "description": "The change of each balance by the member's id. All of them added up are the balances.",
        },
        "debts": {"type": "array", "items": _DEBT, "description": "What these people owe each other since."},
    },
)


class FeedQuery(PageQuery):
    """The position in the feed where reading begins."""

    after = serializers.IntegerField(
        required=False,
        min_value=0,
        max_value=write_headers.HIGHEST,
        help_text="Only what was written after this version of the table. Without it, the newest rows.",
    )


@extend_schema_field({"oneOf": [schema_ref("EventNow"), _ENTRY]})
class FeedDataField(serializers.DictField):
    """A field of answers for an event by its kind and data, or for an entry of the ledger."""

    def to_representation(self, value: Any) -> Any:
        return value


class FeedRowSerializer(serializers.Serializer[Any]):
    """A row of the feed: an event of a game, or an entry of the ledger."""

    table_version = serializers.IntegerField(help_text="The version of the table with this write.")
    version = serializers.IntegerField(help_text="The same as `table_version`.")
    at = StrictDateTimeField(help_text="The time of the event or entry.")
    kind = serializers.ChoiceField(choices=KINDS, help_text="Whether it is of a game or of the accounts.")
    game = serializers.CharField(allow_null=True, help_text="The code of the game; null for other entries.")
    number = serializers.IntegerField(help_text="The number of the event in its game, or of the entry.")
    by = serializers.CharField(
        allow_blank=True, help_text="Who recorded it; empty for a guest without a name and for nobody."
    )
    line = serializers.CharField(
        allow_blank=True, help_text="The event as a line of notation; empty for an entry."
    )
    text = serializers.CharField(help_text="What happened in words, in the language asked for.")
    data = FeedDataField(help_text="The event by its kind and data, or the entry.")  # type: ignore[assignment]  # hides an attribute of the base class


class FeedSerializer(MoneyMixin):
    """A page of the feed."""

    table_version = serializers.IntegerField(
        help_text="The version of the table: the next `after`, once `next` is null. Every write raises it."
    )
    version = serializers.IntegerField(help_text="The same as `table_version`.")
    next = serializers.URLField(
        allow_null=True, help_text="The address of the rows that follow; null if there are none."
    )
    results = FeedRowSerializer(many=True, help_text="The rows in the order in which they were written.")


class FeedViewSet(TableViewSetBase):
    """The feed of a table."""

    serializer_class = FeedSerializer
    queries = {"read": FeedQuery}

    @extend_schema(operation_id="table_events")
    def read(self, request: Request, code: str) -> Response:
        """Follow a table.

        Events of its games and, for anyone who may read the accounts, entries of its ledger, in the order in
        which they were written; undos and corrections are rows too. Keep `table_version` once `next` is null, and
        ask for the rows `after` it, with the ETag: 304 says that nothing was written since. A write without a
        row, such as a new member, raises only the version. Rows from before the site kept versions are left
        out.
        """
        limit = self.query.get("limit", USUAL)
        rows, follow = (
            self._newest_rows(limit)
            if self._start_place is None
            else self._rows_after(self._start_place, limit)
        )
        place = follow and "{}-{}-{}".format(*_row_place(rows[-1]))
        address = place and replace_query_param(request.build_absolute_uri(), "cursor", place)
        parts = {
            **dict.fromkeys(("table_version", "version"), self.table.version),
            "next": address or None,
            "results": [*self._serialize_rows(rows)],
        }
        return Response(
            FeedSerializer(parts, context=self.get_serializer_context()).data,
            headers={"ETag": f'"{self.table.version}"'},
        )

    def tag_parts(self, table: Table) -> tuple[object, ...]:
        """Return what the rows follow from: not `after`, which grows while nothing new is written."""
        reader = (self._shows_entries, get_language(), self.query.get("cursor", ""))
        return (settings.RELEASE, *reader, table.version)

    @property
    def _shows_entries(self) -> bool:
        return authorization.can_view_accounts(self.table.reader_access)

    @cached_property
    def _start_place(self) -> FeedPlace | None:
        """The position of the last row that the program has seen; None for the newest rows."""
        if "cursor" in self.query:
            cursor = _CURSOR.fullmatch(self.query["cursor"])
            if cursor is None:
                raise ApiProblem("bad_request", UNKNOWN_CURSOR, field="cursor")
            version, kind, pk = map(int, cursor.groups())
            return version, kind, pk
        return (self.query["after"], len(KINDS), 0) if "after" in self.query else None

    @property
    def _sources(self) -> Iterator[QuerySet[Any]]:
        """The rows of each kind that have a version, up to the version of the answer."""
        until = {"version__lte": self.table.version}
        yield Record.objects.filter(game__table=self.table, **until).select_related("game", "recorded_by")
        causes = ("game", "payment", "cost", "member", "by")
        entries = Entry.objects.filter(table=self.table, **until).select_related(*causes)
        yield entries if self._shows_entries else entries.none()

    def _newest_rows(self, limit: int) -> tuple[Sequence[Record | Entry], bool]:
        """Return the newest rows in the feed's order, and False because none follow."""
        rows = [row for rows in self._sources for row in rows.order_by("-version", "-pk")[:limit]]
        return sorted(rows, key=_row_place)[-limit:], False

    def _rows_after(self, begin: FeedPlace, limit: int) -> tuple[Sequence[Record | Entry], bool]:
        """Return at most `limit` rows after this position, and whether more follow."""
        version, start_kind, pk = begin
        rows: list[Record | Entry] = []
        for kind, source in enumerate(self._sources):
            later = Q(version__gte=version) if kind > start_kind else Q(version__gt=version)
            if kind == start_kind:
                later |= Q(version=version, pk__gt=pk)
            rows += source.filter(later).order_by("version", "pk")[: limit + 1]
        rows.sort(key=_row_place)
        return rows[:limit], len(rows) > limit

    def _serialize_rows(self, rows: Sequence[Record | Entry]) -> Iterator[dict[str, Any]]:
        logs = event_store.load_logs({row.game_id for row in rows if isinstance(row, Record)})
        people = roster.to_persons(self.people)
        entries = [row for row in rows if isinstance(row, Entry)]
        titles = CauseTitles.of_entries(entries, self.table, self.people)
        narrated_logs = {game: NarratedLog(log, people) for game, log in logs.items()}
        user: User | None
        for row in rows:
            if isinstance(row, Record):
                kind, user = EVENT, row.recorded_by
                kind_fields = _event_fields(row, narrated_logs[row.game_id])
            else:
                kind, user, kind_fields = ENTRY, row.by, self._entry_fields(row, titles)
            yield {
                **dict.fromkeys(("table_version", "version"), row.version),
                "kind": kind,
                "game": row.game and row.game.code,
                "number": row.number,
                "by": users.name_at_table(user, self.people) if user else "",
                **kind_fields,
            }

    def _entry_fields(self, entry: Entry, titles: CauseTitles) -> dict[str, Any]:
        data = {
            "kind": entry.kind,
            "night": entry.night.isoformat(),
            "differences": entry.differences,
            "payment": entry.payment_id,
            "cost": entry.cost_id,
            "member": entry.member and entry.member.slug,
            "debts": [dict(zip(("payer", "payee", "amount"), line, strict=True)) for line in entry.after],
        }
        return {"at": entry.at, "line": "", "text": self._entry_sentence(entry, titles), "data": data}

    def _entry_sentence(self, entry: Entry, titles: CauseTitles) -> str:
        """Return the title of an entry and the change of each balance, in joining order."""
        changes = (
            f"{naming.isolate(self.people.by_slug[member.slug].name)} {amounts.money(amount, self.table, signed=True)}"
            for member in self.people.members
            if (amount := entry.differences.get(member.slug))
        )
        (title,) = titles.entry_titles([entry])
        return ": ".join(filter(None, (title, ", ".join(changes))))


def _event_fields(record: Record, narrated_log: NarratedLog) -> dict[str, Any]:
    data = {"kind": record.kind, "data": record.data}
    line, text = narrated_log.line(record.number), narrated_log.text(record.number)
    return {"at": record.recorded_at, "line": line, "text": text, "data": data}


def _row_place(row: Record | Entry) -> FeedPlace:
    assert row.version is not None, "the feed begins with the first row that has a version"
    return row.version, KINDS.index(EVENT if isinstance(row, Record) else ENTRY), row.pk
