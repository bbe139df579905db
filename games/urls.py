"""The addresses of the pages; a view, its name here, its template and its test share one name."""

from __future__ import annotations

from django.contrib.auth.views import LogoutView
from django.urls import path

from games.views import (
    actions,
    changes,
    corrections,
    desk,
    flags,
    home,
    installed,
    invites,
    login,
    members,
    new_game,
    paper,
    queued,
    rounds,
    seats,
    settlement,
    sheet,
    watch,
)

urlpatterns = [
    path("", home.home, name="home"),
    path("theme/", home.set_theme, name="set-theme"),
    path("login/", login.Login.as_view(), name="login"),
    path("logout/", LogoutView.as_view(next_page="home"), name="logout"),
    path("new/", new_game.new_table, name="new-table"),
    path("t/<slug:table_code>/new/", new_game.new_game, name="new-game"),
    # Who is let in
    path("t/<slug:table_code>/invites/", invites.invites, name="invites"),
    path(
        "t/<slug:table_code>/invites/<int:invite>/revoke/",
        invites.revoke_invite,
        name="revoke-invite",
    ),
    path("t/<slug:table_code>/grants/<int:grant>/keep/", invites.keep_grant, name="keep-grant"),
    path("t/<slug:table_code>/grants/<int:grant>/end/", invites.end_grant, name="end-grant"),
    path("i/<slug:token>/", invites.invitation, name="invitation"),
    path("t/<slug:table_code>/", members.table, name="table"),
    path("t/<slug:table_code>/name/", members.rename, name="rename-table"),
    path("t/<slug:table_code>/members/", members.add_member, name="add-member"),
    path("t/<slug:table_code>/members/<slug:member>/", members.member, name="member"),
    # The app on a phone
    path("manifest.webmanifest", installed.manifest, name="manifest"),
    path("sw.js", installed.service_worker, name="service-worker"),
    path("offline/", installed.offline, name="offline"),
    path("token/", queued.token, name="token"),
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
    path("g/<slug:code>/queued/", queued.queued, name="queued"),
    path("g/<slug:code>/correct/<int:number>/", corrections.correct, name="correct"),
    path(
        "g/<slug:code>/correct/<int:number>/preview/",
        corrections.preview_correction,
        name="preview-correction",
    ),
    path("g/<slug:code>/insert/<int:number>/", corrections.insert_round, name="insert-round"),
    path(
        "g/<slug:code>/insert/<int:number>/preview/", corrections.preview_correction, name="preview-insertion"
    ),
    path("g/<slug:code>/changes/", changes.changes, name="changes"),
    path("g/<slug:code>/settlement/", settlement.settlement, name="settlement"),
    path("g/<slug:code>/money/", settlement.money, name="money"),
    path("g/<slug:code>/rematch/", settlement.rematch, name="rematch"),
    path("g/<slug:code>/rules/", settlement.rules, name="rules"),
    path("g/<slug:code>/rules/correct/", corrections.correct_rules, name="correct-rules"),
    path("g/<slug:code>/paper/", paper.paper, name="paper"),
    path("g/<slug:code>/seats/", seats.seats, name="seats"),
    path("g/<slug:code>/export/", settlement.export, name="export"),
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
