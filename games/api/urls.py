"""The URLs of the API. A view's URL name is also the name of its test."""

from __future__ import annotations

from django.urls import path, re_path

from games.api.common import reference, schema, unknown
from games.api.money import accounts, costs, nights, payments
from games.api.notebook import files, opening
from games.api.people import me, members
from games.api.play import (
    events,
    game,
    games,
    hand,
    score,
    tables,
    variants,
)
from games.api.season import duels, players, seasons, standings

TABLE = "v1/tables/<slug:code>/"
GAME = "v1/games/<slug:code>/"
MEMBER = f"{TABLE}members/<slug:member>/"
PAYMENT = f"{TABLE}payments/<int:payment>/"

urlpatterns = [
    path("", reference.reference, name="api"),
    path("v1/schema/", schema.schema, name="api-schema"),
    path("v1/variants/", variants.variants, name="api-variants"),
    path("v1/variants/<slug:key>/", variants.variant, name="api-variant"),
    path("v1/hand/", hand.hand, name="api-hand"),
    path("v1/score/", score.score, name="api-score"),
    path("v1/tables/", tables.Tables.as_view(), name="api-tables"),
    path(TABLE, tables.OneTable.as_view(), name="api-table"),
    path(f"{TABLE}games/", games.Games.as_view(), name="api-games"),
    path(GAME, game.OneGame.as_view(), name="api-game"),
    path(f"{GAME}events/", events.Events.as_view(), name="api-events"),
    path(f"{GAME}preview/", events.Previewed.as_view(), name="api-preview"),
    path(f"{GAME}undo/", game.Undo.as_view(), name="api-undo"),
    path(f"{GAME}redo/", game.Redo.as_view(), name="api-redo"),
    path(f"{GAME}rematch/", game.Rematch.as_view(), name="api-rematch"),
    path(f"{GAME}discard/", game.Discard.as_view(), name="api-discard"),
    path(f"{GAME}restore/", game.Restore.as_view(), name="api-restore"),
    path(f"{TABLE}members/", members.Members.as_view(), name="api-members"),
    path(MEMBER, members.OneMember.as_view(), name="api-member"),
    path(f"{TABLE}opening-balances/", opening.OpeningBalances.as_view(), name="api-opening-balances"),
    path(f"{TABLE}accounts/", accounts.AccountsOfTable.as_view(), name="api-accounts"),
    path(f"{TABLE}simplify/", accounts.SimplifiedAccounts.as_view(), name="api-simplify"),
    path(f"{TABLE}payments/", payments.Payments.as_view(), name="api-payments"),
    path(PAYMENT, payments.OnePayment.as_view(), name="api-payment"),
    path(f"{PAYMENT}confirm/", payments.Confirm.as_view(), name="api-confirm-payment"),
    path(f"{PAYMENT}dispute/", payments.Dispute.as_view(), name="api-dispute-payment"),
    path(f"{PAYMENT}take-back/", payments.TakeBack.as_view(), name="api-take-back-payment"),
    path(f"{TABLE}costs/", costs.Costs.as_view(), name="api-costs"),
    path(f"{TABLE}costs/<int:cost>/cancel/", costs.CancelCost.as_view(), name="api-cancel-cost"),
    path(f"{TABLE}nights/", nights.Nights.as_view(), name="api-nights"),
    path(f"{TABLE}nights/<slug:night>/", nights.OneNight.as_view(), name="api-night"),
    path("v1/me/", me.Me.as_view(), name="api-me"),
    path("v1/me/token/revoke/", me.RevokingOwnToken.as_view(), name="api-revoke-own-token"),
    path(f"{TABLE}seasons/", seasons.Seasons.as_view(), name="api-seasons"),
    path(f"{TABLE}seasons/<int:season>/", seasons.OneSeason.as_view(), name="api-season"),
    path(f"{TABLE}standings/", standings.OfStandings.as_view(), name="api-standings"),
    path(f"{TABLE}records/", standings.OfRecords.as_view(), name="api-records"),
    path(f"{TABLE}duels/", duels.Duels.as_view(), name="api-duels"),
    path(f"{TABLE}duels/<slug:member>/<slug:other>/", duels.OneDuel.as_view(), name="api-duel"),
    path(f"{TABLE}players/<slug:member>/", players.Player.as_view(), name="api-player"),
    path(f"{TABLE}file/", files.TableFile.as_view(), name="api-table-file"),
    path(f"{TABLE}spreadsheets/<slug:what>/", files.TableSpreadsheet.as_view(), name="api-spreadsheet"),
    path(f"{GAME}text/", files.GameText.as_view(), name="api-game-text"),
    path("v1/table-files/", files.TableFiles.as_view(), name="api-table-files"),
    re_path("", unknown.Unknown.as_view(), name="api-unknown"),
]
