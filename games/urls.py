"""The addresses of the pages; a view, its name here, its template and its test share one name."""

from __future__ import annotations

from django.urls import path

from games.views.money import accounts, dues, nights, payments, settlement, waited
from games.views.notebook import exports, imports, old_notebooks, paper
from games.views.people import claims, credentials, invites, login, members, removals
from games.views.play import (
    actions,
    changes,
    contract,
    corrections,
    desk,
    flags,
    home,
    installed,
    new_game,
    queued,
    rounds,
    seats,
    sheet,
    totals,
    watch,
)
from games.views.season import player, season, seasons

urlpatterns = [
    path("", home.home, name="home"),
    path("theme/", home.set_theme, name="set-theme"),
    path("login/", login.Login.as_view(), name="login"),
    path("credentials/", credentials.credentials, name="credentials"),
    path("logout/", login.Logout.as_view(), name="logout"),
    path("new/", new_game.new_table, name="new-table"),
    path("t/<slug:table_code>/new/", new_game.new_game, name="new-game"),
    # Who is let in
    path("t/<slug:table_code>/invites/", invites.invites, name="invites"),
    path(
        "t/<slug:table_code>/invites/<int:invite>/revoke/",
        removals.revoke_invite,
        name="revoke-invite",
    ),
    path("t/<slug:table_code>/grants/<int:grant>/keep/", invites.keep_grant, name="keep-grant"),
    path("t/<slug:table_code>/grants/<int:grant>/end/", removals.end_grant, name="end-grant"),
    path("t/<slug:table_code>/removals/<int:removal>/undo/", removals.undo_removal, name="undo-removal"),
    path("t/<slug:table_code>/owner/", removals.hand_over, name="hand-over"),
    path("i/<slug:token>/", invites.invitation, name="invitation"),
    path("t/<slug:table_code>/", members.table, name="table"),
    path("t/<slug:table_code>/name/", members.rename, name="rename-table"),
    path("t/<slug:table_code>/members/", members.add_member, name="add-member"),
    path("t/<slug:table_code>/members/<slug:member>/", members.member, name="member"),
    # Who is who: "I am Ana"
    path("t/<slug:table_code>/who/", claims.claims, name="claims"),
    path("t/<slug:table_code>/who/me/", claims.claim, name="claim"),
    path("t/<slug:table_code>/who/<slug:member>/accept/", claims.accept_claim, name="accept-claim"),
    path("t/<slug:table_code>/who/<slug:member>/end/", claims.end_claim, name="end-claim"),
    # The app on a phone
    path("manifest.webmanifest", installed.manifest, name="manifest"),
    path("sw.js", installed.service_worker, name="service-worker"),
    path("offline/", installed.offline, name="offline"),
    path("token/", queued.token, name="token"),
    # The notebook (cuaderno) stays yours
    path("import/", imports.import_table, name="import-table"),
    path("t/<slug:table_code>/export/", exports.export_table, name="export-table"),
    path("t/<slug:table_code>/export/<slug:what>/", exports.download, name="download"),
    path("t/<slug:table_code>/notebook/", old_notebooks.import_nights, name="import-nights"),
    path("t/<slug:table_code>/notebook/undo/", old_notebooks.undo_nights, name="undo-nights"),
    path("g/<slug:code>/night/", old_notebooks.old_night, name="old-night"),
    # The accounts (cuentas) of a table
    path("t/<slug:table_code>/accounts/", accounts.accounts, name="accounts"),
    path("t/<slug:table_code>/accounts/plan/", accounts.plan_changes, name="plan-changes"),
    path("t/<slug:table_code>/accounts/pay/", payments.pay, name="pay"),
    path("t/<slug:table_code>/accounts/pay/queued/", waited.queued_payment, name="queued-payment"),
    path("t/<slug:table_code>/accounts/payments/", payments.payments, name="payments"),
    path("t/<slug:table_code>/accounts/payments/<int:number>/", payments.payment, name="payment"),
    path(
        "t/<slug:table_code>/accounts/payments/<int:number>/cancel/",
        payments.cancel_payment,
        name="cancel-payment",
    ),
    path(
        "t/<slug:table_code>/accounts/payments/<int:number>/confirm/",
        payments.confirm_payment,
        name="confirm-payment",
    ),
    path(
        "t/<slug:table_code>/accounts/payments/<int:number>/dispute/",
        payments.dispute_payment,
        name="dispute-payment",
    ),
    path("t/<slug:table_code>/accounts/nights/", nights.nights, name="nights"),
    path("t/<slug:table_code>/accounts/nights/<slug:day>/", nights.night, name="night"),
    path("t/<slug:table_code>/accounts/nights/<slug:day>/close/", nights.close_night, name="close-night"),
    path("t/<slug:table_code>/accounts/of/<slug:member>/", accounts.account, name="account"),
    path(
        "t/<slug:table_code>/accounts/of/<slug:member>/alias/", accounts.set_account_text, name="set-account"
    ),
    path("t/<slug:table_code>/accounts/of/<slug:member>/retire/", accounts.retire_member, name="retire"),
    path(
        "t/<slug:table_code>/accounts/of/<slug:member>/back/", accounts.bring_member_back, name="bring-back"
    ),
    # Seasons (temporadas)
    path("t/<slug:table_code>/season/", season.season, name="season"),
    path("t/<slug:table_code>/player/<slug:member>/", player.player, name="player"),
    path("t/<slug:table_code>/head-to-head/", season.head_to_head, name="head-to-head"),
    path("t/<slug:table_code>/head-to-head/<slug:member>/<slug:other>/", season.duel, name="duel"),
    path("t/<slug:table_code>/seasons/", seasons.seasons, name="seasons"),
    path("t/<slug:table_code>/seasons/close/", seasons.close_season, name="close-season"),
    path("t/<slug:table_code>/seasons/change/", seasons.change_season, name="change-season"),
    path("t/<slug:table_code>/seasons/reopen/", seasons.reopen_season, name="reopen-season"),
    # A game (partida)
    path("g/<slug:code>/", sheet.sheet, name="sheet"),
    path("g/<slug:code>/sheet/<int:version>/", watch.live_sheet, name="live-sheet"),
    path("g/<slug:code>/board/", watch.board, name="board"),
    path("g/<slug:code>/board/<int:version>/", watch.live_board, name="live-board"),
    path("g/<slug:code>/flag/<int:number>/", flags.flag, name="flag"),
    path("g/<slug:code>/flag/<int:number>/settle/", flags.settle_flag, name="settle-flag"),
    path("g/<slug:code>/undo/", sheet.undo_last, name="undo-last"),
    path("g/<slug:code>/redo/", sheet.redo_last, name="redo-last"),
    path("g/<slug:code>/round/", rounds.play_round, name="play-round"),
    path("g/<slug:code>/round/preview/", rounds.preview_round, name="preview-round"),
    path("g/<slug:code>/reentry/", desk.reentry, name="reentry"),
    path("g/<slug:code>/reentry/<int:after>/<int:version>/", desk.live_reentry, name="live-reentry"),
    path("g/<slug:code>/queued/", queued.queued, name="queued"),
    path("g/<slug:code>/correct/<int:number>/", corrections.correct, name="correct"),
    path(
        "g/<slug:code>/correct/<int:number>/preview/",
        corrections.preview_correction,
        name="preview-correction",
    ),
    path("g/<slug:code>/insert/<int:number>/", corrections.insert_round, name="insert-round"),
    path(
        "g/<slug:code>/insert/<int:number>/preview/", corrections.preview_insertion, name="preview-insertion"
    ),
    path("g/<slug:code>/changes/", changes.changes, name="changes"),
    path("g/<slug:code>/settlement/", settlement.settlement, name="settlement"),
    path("g/<slug:code>/money/", settlement.money, name="money"),
    path("g/<slug:code>/totals/", totals.totals, name="totals"),
    path("g/<slug:code>/dues/", dues.dues, name="dues"),
    path("g/<slug:code>/dues/pay/", dues.pay_dues, name="pay-dues"),
    path("g/<slug:code>/dues/unpay/", dues.unpay_dues, name="unpay-dues"),
    path("g/<slug:code>/dues/queued/", waited.queued_dues, name="queued-dues"),
    path("g/<slug:code>/rematch/", settlement.rematch, name="rematch"),
    path("g/<slug:code>/rules/", settlement.rules, name="rules"),
    path("g/<slug:code>/contract/", contract.contract, name="contract"),
    path("g/<slug:code>/rules/correct/", corrections.correct_rules, name="correct-rules"),
    path("g/<slug:code>/paper/", paper.paper, name="paper"),
    path("g/<slug:code>/seats/", seats.seats, name="seats"),
    path("g/<slug:code>/export/", settlement.export, name="export"),
    path("g/<slug:code>/export/json/", exports.export_game, name="export-game"),
    # What else happens at the table
    path("g/<slug:code>/more/", actions.more, name="more"),
    path("g/<slug:code>/leave/", actions.leave, name="leave"),
    path("g/<slug:code>/adjust/", actions.adjust, name="adjust"),
    path("g/<slug:code>/deal/", actions.deal, name="deal"),
    path("g/<slug:code>/stop/", actions.stop, name="stop"),
    path("g/<slug:code>/join/", actions.join, name="join"),
    path("g/<slug:code>/replace/", actions.replace, name="replace"),
    path("g/<slug:code>/discard/", actions.discard, name="discard"),
    path("g/<slug:code>/restore/", actions.restore, name="restore"),
]
