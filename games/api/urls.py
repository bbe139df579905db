"""The URLs of the API. A view's URL name is also the name of its test."""

from __future__ import annotations

from django.urls import path, re_path

from games.api.common import reference, schema, unknown
from games.api.money import accounts, costs, holders, merging, nights, payments
from games.api.notebook import changes, files, old_notebook, opening, stream
from games.api.people import away, claims, grants, invitations, me, members, own
from games.api.play import (
    events,
    game,
    games,
    hand,
    hands,
    rules,
    score,
    settlement,
    sheet,
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
    path("trial/", reference.trial, name="api-trial"),
    path("client.py", reference.client, name="api-client"),
    path("v1/schema/", schema.schema, name="api-schema"),
    path("v1/variants/", variants.variants, name="api-variants"),
    path("v1/variants/<slug:key>/", variants.variant, name="api-variant"),
    path("v1/rules/", rules.rules, name="api-rules"),
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
    path(f"{GAME}sheet/", sheet.Sheet.as_view(), name="api-sheet"),
    path(f"{GAME}settlement/", settlement.Settlement.as_view(), name="api-settlement"),
    path(f"{GAME}hands/", hands.Hands.as_view(), name="api-hands"),
    path(f"{GAME}hands/withdraw/", hands.WithdrawnHand.as_view(), name="api-withdraw-hand"),
    path(f"{TABLE}members/", members.Members.as_view(), name="api-members"),
    path(MEMBER, members.OneMember.as_view(), name="api-member"),
    path(f"{MEMBER}merge/", merging.MergedMember.as_view(), name="api-merge-member"),
    path(f"{MEMBER}part/", merging.PartedMember.as_view(), name="api-part-member"),
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
    path(f"{MEMBER}account/", holders.AccountOfMember.as_view(), name="api-account"),
    path(f"{MEMBER}retire/", holders.RetiredMember.as_view(), name="api-retire"),
    path(f"{MEMBER}bring-back/", holders.MemberBroughtBack.as_view(), name="api-bring-back"),
    path(f"{TABLE}claims/", claims.Claims.as_view(), name="api-claims"),
    path(f"{MEMBER}claim/", claims.Claiming.as_view(), name="api-claim"),
    path(f"{MEMBER}claim/accept/", claims.AcceptingClaim.as_view(), name="api-accept-claim"),
    path(f"{MEMBER}claim/end/", claims.EndingClaim.as_view(), name="api-end-claim"),
    path(f"{TABLE}invitations/", invitations.Invitations.as_view(), name="api-invitations"),
    path(
        f"{TABLE}invitations/<int:invitation>/revoke/",
        invitations.RevokingInvitation.as_view(),
        name="api-revoke-invitation",
    ),
    path(f"{MEMBER}new-phone/", invitations.NewPhone.as_view(), name="api-new-phone"),
    path("v1/invitations/look/", invitations.LookingAtInvitation.as_view(), name="api-look-at-invitation"),
    path("v1/invitations/accept/", invitations.AcceptingInvitation.as_view(), name="api-accept-invitation"),
    path(f"{TABLE}grants/", grants.Grants.as_view(), name="api-grants"),
    path(f"{TABLE}grants/<int:grant>/keep/", grants.KeepingGrant.as_view(), name="api-keep-grant"),
    path(f"{TABLE}grants/<int:grant>/remove/", grants.RemovingGrant.as_view(), name="api-remove-grant"),
    path(f"{TABLE}removals/<int:removal>/undo/", grants.UndoingRemoval.as_view(), name="api-undo-removal"),
    path(f"{TABLE}hand-over/", grants.HandingOver.as_view(), name="api-hand-over"),
    path(f"{TABLE}leave/", away.Leaving.as_view(), name="api-leave-table"),
    path(f"{TABLE}erase/", away.Erasing.as_view(), name="api-erase-table"),
    path(f"{TABLE}bring-back/", away.BringingBack.as_view(), name="api-bring-table-back"),
    path("v1/devices/", own.Devices.as_view(), name="api-devices"),
    path("v1/devices/<int:device>/sign-out/", own.EndingDevice.as_view(), name="api-sign-out"),
    path("v1/me/", me.Me.as_view(), name="api-me"),
    path("v1/me/token/revoke/", me.RevokingOwnToken.as_view(), name="api-revoke-own-token"),
    path("v1/tokens/", own.Tokens.as_view(), name="api-tokens"),
    path("v1/tokens/<int:token>/revoke/", own.RevokingToken.as_view(), name="api-revoke-token"),
    path(f"{TABLE}seasons/", seasons.Seasons.as_view(), name="api-seasons"),
    path(f"{TABLE}seasons/<int:season>/", seasons.OneSeason.as_view(), name="api-season"),
    path(f"{TABLE}standings/", standings.OfStandings.as_view(), name="api-standings"),
    path(f"{TABLE}records/", standings.OfRecords.as_view(), name="api-records"),
    path(f"{TABLE}duels/", duels.Duels.as_view(), name="api-duels"),
    path(f"{TABLE}duels/<slug:member>/<slug:other>/", duels.OneDuel.as_view(), name="api-duel"),
    path(f"{TABLE}players/<slug:member>/", players.Player.as_view(), name="api-player"),
    path(f"{TABLE}changes/", changes.Changes.as_view(), name="api-changes"),
    path(f"{TABLE}changes/stream/", stream.ChangesStream.as_view(), name="api-stream-changes"),
    path(f"{TABLE}file/", files.TableFile.as_view(), name="api-table-file"),
    path(f"{TABLE}spreadsheets/<slug:what>/", files.TableSpreadsheet.as_view(), name="api-spreadsheet"),
    path(f"{GAME}text/", files.GameText.as_view(), name="api-game-text"),
    path(f"{GAME}file/", files.GameFile.as_view(), name="api-game-file"),
    path("v1/table-files/", files.TableFiles.as_view(), name="api-table-files"),
    path(
        f"{TABLE}old-notebook/preview/", old_notebook.PreviewedNotebook.as_view(), name="api-preview-notebook"
    ),
    path(f"{TABLE}old-notebook/", old_notebook.OldNotebooks.as_view(), name="api-take-notebook"),
    path(
        f"{TABLE}old-notebook/take-back/",
        old_notebook.TakingNotebookBack.as_view(),
        name="api-take-notebook-back",
    ),
    re_path("", unknown.Unknown.as_view(), name="api-unknown"),
]
