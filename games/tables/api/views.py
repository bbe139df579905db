"""The base classes of all API views: DRF's view sets with our keys, versions, query parameters and ETags."""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping, Sequence
from hashlib import sha256
from typing import Any, ClassVar, cast

from django.conf import settings
from django.contrib.auth.models import User
from django.core.exceptions import ValidationError
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.urls import resolve
from django.utils import timezone
from django.utils.functional import SimpleLazyObject, cached_property
from django.utils.translation import get_language
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.exceptions import NotFound
from rest_framework.pagination import CursorPagination
from rest_framework.permissions import SAFE_METHODS, AllowAny, BasePermission
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView
from rest_framework.viewsets import GenericViewSet

from games.common import days, regions
from games.common.api import write_headers
from games.common.api.problems import ApiProblem
from games.common.api.serializers import EmptySerializer, StrictSerializer
from games.models import Game, Role, Table, Token
from games.scoring.i18n import _
from games.tables.api.permissions import HasTableAccess, get_visitor
from games.tables.services import authorization, users
from games.tables.services.roster import People

USUAL, MOST = 50, 200
LONGEST_CURSOR = 300
UNKNOWN_CURSOR = _("This cursor is unknown: use one from an earlier response.")


class PageQuery(StrictSerializer):
    """The parameters of a list in pages."""

    cursor = serializers.CharField(
        required=False, max_length=LONGEST_CURSOR, help_text="It is part of the address in `next`."
    )
    limit = serializers.IntegerField(
        required=False, min_value=1, max_value=MOST, help_text=f"The most rows of a page; {USUAL} by default."
    )


class CursorPages(CursorPagination):
    """Pages in the view's `ordering`. An invalid cursor is refused like an invalid parameter."""

    page_size, max_page_size, page_size_query_param = USUAL, MOST, "limit"

    def get_ordering(self, request: Request, queryset: Any, view: Any) -> tuple[str, ...]:
        ordering: tuple[str, ...] = view.ordering
        return ordering

    def paginate_queryset(self, queryset: Any, request: Request, view: Any = None) -> list[Any] | None:
        """Return the rows of the page. Raise ApiProblem for an unknown cursor, where DRF would answer 404."""
        try:
            return super().paginate_queryset(queryset, request, view)
        except (NotFound, ValidationError, ValueError, TypeError, OverflowError):
            raise ApiProblem("bad_request", UNKNOWN_CURSOR, field="cursor") from None


TAG_LENGTH = 12  # hexadecimal digits of the digest in an ETag


class Unchanged(Exception):
    """The client has the answer already: its ETag is `tag`."""

    def __init__(self, tag: str) -> None:
        super().__init__(tag)
        self.tag = tag


class BaseViewSet(GenericViewSet[Any]):
    """The base class of the views.

    A subclass lists, by the names of its actions, the serializers of their query parameters (`queries`),
    which need an Idempotency-Key (`keyed`), and which take the version that the client has seen
    (`versioned`). The OpenAPI document is generated from this. An action whose query is None reads its
    parameters itself.
    """

    queries: ClassVar[Mapping[str, type[serializers.Serializer[Any]] | None]] = {}
    keyed: ClassVar[Collection[str]] = ()
    versioned: ClassVar[Collection[str]] = ()
    rights: ClassVar[Mapping[str, type[BasePermission]]] = {}  # by action, if it needs more than the others
    permission_classes = [AllowAny]
    stores_nothing: ClassVar[Collection[str]] = ()  # POST actions that only compute
    is_of_a_game: ClassVar[bool] = False
    table: Table | None = None
    game: Game | None = None
    key = ""
    digest = ""  # of the ETag, if it is known before the data are loaded
    query: Mapping[str, Any] = {}

    def dispatch(self, request: Any, *args: Any, **kwargs: Any) -> HttpResponseBase:
        """Answer the request. The time zone of a table is active until then."""
        with timezone.override(None):
            return super().dispatch(request, *args, **kwargs)

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        if not self.action:
            self.http_method_not_allowed(request)
        super().initial(request, *args, **kwargs)
        self.key = write_headers.get_idempotency_key(request) if self.action in self.keyed else ""
        self.query = self._query_sent(request)
        if request.method in SAFE_METHODS and self.table is not None:
            self.digest = sha256(repr(self.tag_parts(self.table)).encode()).hexdigest()[:TAG_LENGTH]
            if known := write_headers.find_etag(request, self.digest):
                raise Unchanged(known)

    def tag_parts(self, table: Table) -> tuple[object, ...]:
        """Return everything from which an answer about a table follows, without reading its data.

        These are the release, the address, the reader with their rights, language and region, the names of
        the table's users, tonight, and the table's two numbers: each other change raises one of them. They
        are older than the data, so a change while the data are read makes the tag stale.
        """
        access = table.reader_access
        right = (access.role, access.member_id, authorization.can_view_accounts(access)) if access else ()
        names = table.accesses.order_by("user").values_list(
            "user", "user__first_name", "user__username", "user__is_active"
        )
        return (
            *(settings.RELEASE, self.request.build_absolute_uri(), self.request.user.pk, right),
            *(get_language(), regions.active_region().name, [*names], days.night_for(timezone.now(), table)),
            *(table.version, table.revision),
        )

    def handle_exception(self, exc: Exception) -> Response:
        """Answer 304 if the client has the answer already, and otherwise a problem."""
        if isinstance(exc, Unchanged):
            return Response(status=304, headers={"ETag": exc.tag})
        return super().handle_exception(exc)

    def check_permissions(self, request: Request) -> None:
        """Check the rate limits before the permissions: otherwise guesses of codes would not count."""
        super().check_throttles(request)
        super().check_permissions(request)
        token = get_visitor(request).token
        stores = request.method not in SAFE_METHODS and self.action not in self.stores_nothing
        if stores and isinstance(token, Token) and token.reads_only:
            raise ApiProblem("read_only")

    def check_throttles(self, request: Request) -> None:
        """Do nothing: `check_permissions` has already checked the rate limits."""

    def get_permissions(self) -> Sequence[Any]:
        if self.action in self.rights:
            return [self.rights[self.action]()]
        return super().get_permissions()

    def finalize_response(self, request: Request, response: Any, *args: Any, **kwargs: Any) -> Any:
        """Return the response with its ETag, or 304 without a body if the client has this version."""
        if request.method in ("GET", "HEAD") and response.status_code == 200 and not response.streaming:
            tag = response.headers["ETag"] = _compute_etag(response, self.digest)
            if write_headers.matches_etag(request, tag):
                response = Response(status=304, headers={"ETag": tag})
        return super().finalize_response(request, response, *args, **kwargs)

    @property
    def user(self) -> User:
        return cast(User, self.request.user)

    def parsed_body(
        self, form: type[serializers.Serializer[Any]] | None = None, **options: Any
    ) -> dict[str, Any]:
        """Return the body validated by `form`, or else by the action's serializer. Raise ValidationError."""
        made = (form or self.get_serializer_class())(
            data=self.request.data, context=self.get_serializer_context(), **options
        )
        made.is_valid(raise_exception=True)
        return cast(dict[str, Any], made.validated_data)

    def after(self, body: Mapping[str, Any]) -> int:
        """Return the version that the client has seen, from the body or `If-Match`."""
        return write_headers.get_seen_version(self.request, body.get("after"))

    def answer(self, form: type[serializers.Serializer[Any]], row: Any, status: int = 200) -> Response:
        return Response(form(row, context=self.get_serializer_context()).data, status=status)

    def _query_sent(self, request: Request) -> Mapping[str, Any]:
        made = self.queries.get(str(self.action), EmptySerializer)
        if made is None:
            return {}
        form = made(data=request.query_params.dict(), context=self.get_serializer_context())
        if not form.is_valid():
            raise ApiProblem.of(form.errors, "bad_request")
        return cast(Mapping[str, Any], form.validated_data)


class TableViewSetBase(BaseViewSet):
    """The base class of views at a table. The permission sets `table` and `role`."""

    permission_classes = [HasTableAccess]
    pagination_class: Any = None
    table: Table
    role: Role

    def get_serializer_context(self) -> dict[str, Any]:
        """Return the serializers' context with the table and its people, who are loaded lazily."""
        people = SimpleLazyObject(lambda: self.people)
        return {**super().get_serializer_context(), "table": self.table, "people": people}

    @cached_property
    def people(self) -> People:
        return People.of(self.table)


class PagedViewSetBase(TableViewSetBase):
    """The base class of views at a table that list its rows in pages, in their `ordering`."""

    pagination_class = CursorPages
    queries = {"list": PageQuery}
    ordering: ClassVar[tuple[str, ...]] = ("-pk",)

    def page(self, rows: Any, form: type[serializers.Serializer[Any]]) -> Response:
        page = self.paginate_queryset(rows)
        serializer = form(page, many=True, context=self.get_serializer_context())
        return self.get_paginated_response(serializer.data)


class GameViewSetBase(TableViewSetBase):
    """The base class of views of one game. The permission sets `game`, `table` and `role`."""

    is_of_a_game = True
    game: Game


def _compute_etag(response: HttpResponse, digest: str = "") -> str:
    """Return the ETag of a response: `version.digest`, or the digest alone if the response has no version.

    By default the digest is of the language and the body. The version alone is not enough: the version of a
    game is the number of its last event, but names, payments and the language change without a new event.
    """
    if not digest:
        if isinstance(response, Response):
            written = json.dumps([get_language(), response.data], sort_keys=True, default=str).encode()
        else:
            written = response.content
        digest = sha256(written).hexdigest()[:TAG_LENGTH]
    version = response.headers.get("ETag", "").strip('"')
    return f'"{version}.{digest}"' if version else f'"{digest}"'


# --- the names of users in answers ------------------------------------------------------------------------------------


class UserNameField(serializers.CharField):
    """A read-only field with a user's name at the table; "" for a guest without a name."""

    def __init__(self, **options: Any) -> None:
        super().__init__(read_only=True, **options)

    def to_representation(self, value: Any) -> str:
        return users.name_at_table(value, self.context["people"])


@extend_schema(exclude=True)
class NotFoundView(APIView):
    """An endpoint that answers "not found", or redirects if only the final slash is missing."""

    permission_classes = [AllowAny]

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        path = f"{request.path_info}/"
        if not request.path_info.endswith("/") and resolve(path).url_name != "api-unknown":
            query = request.META.get("QUERY_STRING", "")
            return HttpResponse(status=308, headers={"Location": f"{path}{'?' if query else ''}{query}"})
        return super().dispatch(request, *args, **kwargs)

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        super().initial(request, *args, **kwargs)
        raise NotFound
