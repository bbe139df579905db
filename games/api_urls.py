"""The URLs of the API. Path prefixes nest them, so drf-nested-routers is not needed."""

from __future__ import annotations

from django.urls import path, re_path
from rest_framework.routers import SimpleRouter

from games.common.api import schema
from games.files.api import GameTextViewSet, ImportViewSet, TableFileViewSet
from games.money.api.accounts import AccountsViewSet, NightViewSet
from games.money.api.expenses import ExpenseViewSet
from games.money.api.payments import PaymentViewSet
from games.play.api.feed import FeedViewSet
from games.play.api.games import GameViewSet, TableGameViewSet
from games.play.api.scoring import ScoringViewSet
from games.play.api.variants import VariantViewSet
from games.seasons.api.views import MemberSeasonViewSet, SeasonViewSet, StandingsViewSet
from games.tables.api.me import MeView
from games.tables.api.tables import MemberViewSet, TableViewSet
from games.tables.api.views import NotFoundView

TABLE = "v1/tables/<slug:code>/"
GAME = "v1/games/<slug:code>/"

router = SimpleRouter(use_regex_path=False)
router.register("v1/variants", VariantViewSet, basename="api-variant")
router.register("v1/tables", TableViewSet, basename="api-table")
router.register(f"{TABLE}members", MemberViewSet, basename="api-member")
router.register(f"{TABLE}games", TableGameViewSet, basename="api-table-game")
router.register("v1/games", GameViewSet, basename="api-game")
router.register(f"{TABLE}payments", PaymentViewSet, basename="api-payment")
router.register(f"{TABLE}costs", ExpenseViewSet, basename="api-cost")
router.register(f"{TABLE}nights", NightViewSet, basename="api-night")
router.register(f"{TABLE}seasons", SeasonViewSet, basename="api-season")

urlpatterns = [
    path("", schema.viewer, name="api"),
    path("problems/", schema.problems, name="api-problems"),
    path("v1/schema/", schema.schema, name="api-schema"),
    path("v1/score/", ScoringViewSet.as_view({"post": "score"}), name="api-score"),
    path("v1/hand/", ScoringViewSet.as_view({"post": "hand"}), name="api-hand"),
    path("v1/me/", MeView.as_view({"get": "read"}), name="api-me"),
    path("v1/me/token/revoke/", MeView.as_view({"post": "revoke"}), name="api-revoke-own-token"),
    path("v1/table-files/", ImportViewSet.as_view({"post": "create"}), name="api-table-files"),
    *router.urls,
    path(f"{GAME}text/", GameTextViewSet.as_view({"get": "export"}), name="api-game-text"),
    path(f"{TABLE}events/", FeedViewSet.as_view({"get": "read"}), name="api-table-events"),
    path(f"{TABLE}accounts/", AccountsViewSet.as_view({"get": "read"}), name="api-accounts"),
    path(f"{TABLE}opening-balances/", AccountsViewSet.as_view({"post": "open"}), name="api-opening-balances"),
    path(f"{TABLE}fewest/", AccountsViewSet.as_view({"post": "fewest"}), name="api-fewest"),
    path(f"{TABLE}simplify/", AccountsViewSet.as_view({"post": "simplify"}), name="api-simplify"),
    path(f"{TABLE}standings/", StandingsViewSet.as_view({"get": "standings"}), name="api-standings"),
    path(f"{TABLE}records/", StandingsViewSet.as_view({"get": "records"}), name="api-records"),
    path(f"{TABLE}duels/", StandingsViewSet.as_view({"get": "duels"}), name="api-duels"),
    path(f"{TABLE}players/<slug:member>/", MemberSeasonViewSet.as_view({"get": "player"}), name="api-player"),
    path(f"{TABLE}file/", TableFileViewSet.as_view({"get": "export"}), name="api-table-file"),
    path(
        f"{TABLE}spreadsheets/<slug:what>/",
        TableFileViewSet.as_view({"get": "spreadsheet"}),
        name="api-spreadsheet",
    ),
    re_path("", NotFoundView.as_view(), name="api-unknown"),
]
