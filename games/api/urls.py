"""The URLs of the API. A view's URL name is also the name of its test."""

from __future__ import annotations

from django.urls import path, re_path

from games.api.common import reference, schema, unknown
from games.api.money import accounts, costs, dues, holders, merging, nights, payments, turns
from games.api.notebook import carrying, changes, files, old_notebook, opening, stream
from games.api.people import away, claims, clock, grants, invitations, me, members, own
from games.api.play import (
    contract,
    events,
    flags,
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

urlpatterns = [
    path("", reference.reference, name="api"),
    path("trial/", reference.trial, name="api-trial"),
    path("client.py", reference.client, name="api-client"),
    path("v1/schema/", schema.schema, name="api-schema"),
    path("v1/variants/", variants.variants, name="api-variants"),
    path("v1/variants/<slug:key>/", variants.variant, name="api-variant"),
    path("v1/rules/", rules.rules, name="api-rules"),
    path("v1/hand/", hand.hand, name="api-hand"),
    path("v1/contract/", contract.contract, name="api-contract"),
    path("v1/score/", score.score, name="api-score"),
    path("v1/tables/", tables.Tables.as_view(), name="api-tables"),
    path("v1/tables/<slug:code>/", tables.OneTable.as_view(), name="api-table"),
    path("v1/tables/<slug:code>/clock/", clock.Clock.as_view(), name="api-clock"),
    path("v1/tables/<slug:code>/games/", games.Games.as_view(), name="api-games"),
    path("v1/games/<slug:code>/", game.OneGame.as_view(), name="api-game"),
    path("v1/games/<slug:code>/events/", events.Events.as_view(), name="api-events"),
    path("v1/games/<slug:code>/preview/", events.Previewed.as_view(), name="api-preview"),
    path("v1/games/<slug:code>/undo/", game.Undo.as_view(), name="api-undo"),
    path("v1/games/<slug:code>/redo/", game.Redo.as_view(), name="api-redo"),
    path("v1/games/<slug:code>/rematch/", game.Rematch.as_view(), name="api-rematch"),
    path("v1/games/<slug:code>/discard/", game.Discard.as_view(), name="api-discard"),
    path("v1/games/<slug:code>/restore/", game.Restore.as_view(), name="api-restore"),
    path("v1/games/<slug:code>/sheet/", sheet.Sheet.as_view(), name="api-sheet"),
    path("v1/games/<slug:code>/settlement/", settlement.Settlement.as_view(), name="api-settlement"),
    path("v1/games/<slug:code>/hands/", hands.Hands.as_view(), name="api-hands"),
    path("v1/games/<slug:code>/hands/withdraw/", hands.WithdrawnHand.as_view(), name="api-withdraw-hand"),
    path("v1/games/<slug:code>/flags/", flags.Flags.as_view(), name="api-flags"),
    path("v1/games/<slug:code>/flags/settle/", flags.SettledFlags.as_view(), name="api-settle-flags"),
    path("v1/tables/<slug:code>/members/", members.Members.as_view(), name="api-members"),
    path("v1/tables/<slug:code>/members/<slug:member>/", members.OneMember.as_view(), name="api-member"),
    path(
        "v1/tables/<slug:code>/members/<slug:member>/merge/",
        merging.MergedMember.as_view(),
        name="api-merge-member",
    ),
    path(
        "v1/tables/<slug:code>/members/<slug:member>/part/",
        merging.PartedMember.as_view(),
        name="api-part-member",
    ),
    path("v1/tables/<slug:code>/carry/", carrying.CarriedTable.as_view(), name="api-carry-over"),
    path(
        "v1/tables/<slug:code>/opening-balances/",
        opening.OpeningBalances.as_view(),
        name="api-opening-balances",
    ),
    path("v1/tables/<slug:code>/accounts/", accounts.AccountsOfTable.as_view(), name="api-accounts"),
    path("v1/tables/<slug:code>/plan/", accounts.PlanOfTable.as_view(), name="api-plan"),
    path("v1/tables/<slug:code>/payments/", payments.Payments.as_view(), name="api-payments"),
    path("v1/tables/<slug:code>/payments/<int:payment>/", payments.OnePayment.as_view(), name="api-payment"),
    path(
        "v1/tables/<slug:code>/payments/<int:payment>/confirm/",
        turns.Confirm.as_view(),
        name="api-confirm-payment",
    ),
    path(
        "v1/tables/<slug:code>/payments/<int:payment>/dispute/",
        turns.Dispute.as_view(),
        name="api-dispute-payment",
    ),
    path(
        "v1/tables/<slug:code>/payments/<int:payment>/accept/",
        turns.Accept.as_view(),
        name="api-accept-payment",
    ),
    path(
        "v1/tables/<slug:code>/payments/<int:payment>/uphold/",
        turns.Uphold.as_view(),
        name="api-uphold-payment",
    ),
    path(
        "v1/tables/<slug:code>/payments/<int:payment>/amend/",
        turns.Amend.as_view(),
        name="api-amend-payment",
    ),
    path(
        "v1/tables/<slug:code>/payments/<int:payment>/cancel/",
        turns.Cancel.as_view(),
        name="api-cancel-payment",
    ),
    path(
        "v1/tables/<slug:code>/payments/<int:payment>/withdraw/",
        turns.Withdraw.as_view(),
        name="api-withdraw-payment",
    ),
    path("v1/tables/<slug:code>/costs/", costs.Costs.as_view(), name="api-costs"),
    path("v1/tables/<slug:code>/costs/<int:cost>/", costs.OneCost.as_view(), name="api-cost"),
    path("v1/tables/<slug:code>/costs/<int:cost>/amend/", costs.AmendCost.as_view(), name="api-amend-cost"),
    path(
        "v1/tables/<slug:code>/costs/<int:cost>/cancel/", costs.CancelCost.as_view(), name="api-cancel-cost"
    ),
    path("v1/tables/<slug:code>/nights/", nights.Nights.as_view(), name="api-nights"),
    path(
        "v1/tables/<slug:code>/nights/<slug:night>/",
        nights.OneNight.as_view(),
        name="api-night",
    ),
    path(
        "v1/tables/<slug:code>/nights/<slug:night>/settlement/",
        nights.NightSettlement.as_view(),
        name="api-night-settlement",
    ),
    path("v1/games/<slug:code>/dues/", dues.Dues.as_view(), name="api-dues"),
    path(
        "v1/tables/<slug:code>/members/<slug:member>/account/",
        holders.AccountOfMember.as_view(),
        name="api-account",
    ),
    path(
        "v1/tables/<slug:code>/members/<slug:member>/retire/",
        holders.RetiredMember.as_view(),
        name="api-retire",
    ),
    path(
        "v1/tables/<slug:code>/members/<slug:member>/bring-back/",
        holders.MemberBroughtBack.as_view(),
        name="api-bring-back",
    ),
    path("v1/tables/<slug:code>/claims/", claims.Claims.as_view(), name="api-claims"),
    path(
        "v1/tables/<slug:code>/members/<slug:member>/claim/",
        claims.Claiming.as_view(),
        name="api-claim",
    ),
    path(
        "v1/tables/<slug:code>/members/<slug:member>/claim/accept/",
        claims.AcceptingClaim.as_view(),
        name="api-accept-claim",
    ),
    path(
        "v1/tables/<slug:code>/members/<slug:member>/claim/end/",
        claims.EndingClaim.as_view(),
        name="api-end-claim",
    ),
    path("v1/tables/<slug:code>/invitations/", invitations.Invitations.as_view(), name="api-invitations"),
    path(
        "v1/tables/<slug:code>/invitations/<int:invitation>/revoke/",
        invitations.RevokingInvitation.as_view(),
        name="api-revoke-invitation",
    ),
    path(
        "v1/tables/<slug:code>/members/<slug:member>/new-phone/",
        invitations.NewPhone.as_view(),
        name="api-new-phone",
    ),
    path("v1/invitations/look/", invitations.LookingAtInvitation.as_view(), name="api-look-at-invitation"),
    path("v1/invitations/accept/", invitations.AcceptingInvitation.as_view(), name="api-accept-invitation"),
    path("v1/tables/<slug:code>/grants/", grants.Grants.as_view(), name="api-grants"),
    path(
        "v1/tables/<slug:code>/grants/<int:grant>/keep/", grants.KeepingGrant.as_view(), name="api-keep-grant"
    ),
    path(
        "v1/tables/<slug:code>/grants/<int:grant>/remove/",
        grants.RemovingGrant.as_view(),
        name="api-remove-grant",
    ),
    path(
        "v1/tables/<slug:code>/removals/<int:removal>/undo/",
        grants.UndoingRemoval.as_view(),
        name="api-undo-removal",
    ),
    path("v1/tables/<slug:code>/hand-over/", grants.HandingOver.as_view(), name="api-hand-over"),
    path("v1/tables/<slug:code>/leave/", away.Leaving.as_view(), name="api-leave-table"),
    path("v1/tables/<slug:code>/archive/", away.Archiving.as_view(), name="api-archive-table"),
    path("v1/tables/<slug:code>/unarchive/", away.Unarchiving.as_view(), name="api-unarchive-table"),
    path("v1/tables/<slug:code>/erase/", away.Erasing.as_view(), name="api-erase-table"),
    path("v1/tables/<slug:code>/bring-back/", away.BringingBack.as_view(), name="api-bring-table-back"),
    path("v1/devices/", own.Devices.as_view(), name="api-devices"),
    path("v1/devices/<int:device>/sign-out/", own.EndingDevice.as_view(), name="api-sign-out"),
    path("v1/me/", me.Me.as_view(), name="api-me"),
    path("v1/me/token/revoke/", me.RevokingOwnToken.as_view(), name="api-revoke-own-token"),
    path("v1/tokens/", own.Tokens.as_view(), name="api-tokens"),
    path("v1/tokens/<int:token>/revoke/", own.RevokingToken.as_view(), name="api-revoke-token"),
    path("v1/tables/<slug:code>/seasons/", seasons.Seasons.as_view(), name="api-seasons"),
    path("v1/tables/<slug:code>/seasons/<int:season>/", seasons.OneSeason.as_view(), name="api-season"),
    path(
        "v1/tables/<slug:code>/seasons/<int:season>/close/",
        seasons.ClosingSeason.as_view(),
        name="api-close-season",
    ),
    path(
        "v1/tables/<slug:code>/seasons/<int:season>/reopen/",
        seasons.ReopeningSeason.as_view(),
        name="api-reopen-season",
    ),
    path("v1/tables/<slug:code>/standings/", standings.OfStandings.as_view(), name="api-standings"),
    path("v1/tables/<slug:code>/records/", standings.OfRecords.as_view(), name="api-records"),
    path("v1/tables/<slug:code>/duels/", duels.Duels.as_view(), name="api-duels"),
    path(
        "v1/tables/<slug:code>/duels/<slug:member>/<slug:other>/",
        duels.OneDuel.as_view(),
        name="api-duel",
    ),
    path("v1/tables/<slug:code>/players/<slug:member>/", players.Player.as_view(), name="api-player"),
    path("v1/tables/<slug:code>/changes/", changes.Changes.as_view(), name="api-changes"),
    path("v1/tables/<slug:code>/changes/stream/", stream.ChangesStream.as_view(), name="api-stream-changes"),
    path("v1/tables/<slug:code>/file/", files.TableFile.as_view(), name="api-table-file"),
    path("v1/tables/<slug:code>/journal/", files.TableJournal.as_view(), name="api-journal"),
    path(
        "v1/tables/<slug:code>/spreadsheets/<slug:what>/",
        files.TableSpreadsheet.as_view(),
        name="api-spreadsheet",
    ),
    path("v1/games/<slug:code>/text/", files.GameText.as_view(), name="api-game-text"),
    path("v1/games/<slug:code>/file/", files.GameFile.as_view(), name="api-game-file"),
    path("v1/table-files/", files.TableFiles.as_view(), name="api-table-files"),
    path(
        "v1/tables/<slug:code>/old-notebook/preview/",
        old_notebook.PreviewedNotebook.as_view(),
        name="api-preview-notebook",
    ),
    path(
        "v1/tables/<slug:code>/old-notebook/", old_notebook.OldNotebooks.as_view(), name="api-take-notebook"
    ),
    path(
        "v1/tables/<slug:code>/old-notebook/take-back/",
        old_notebook.TakingNotebookBack.as_view(),
        name="api-take-notebook-back",
    ),
    re_path("", unknown.Unknown.as_view(), name="api-unknown"),
]
