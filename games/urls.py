"""The addresses of the pages; a view, its name here, its template and its test share one name."""

from __future__ import annotations

from django.contrib.auth.views import LogoutView
from django.urls import path

from games.views import actions, changes, corrections, desk, home, login, new_game, rounds, settlement, sheet

urlpatterns = [
    path("", home.home, name="home"),
    path("theme/", home.set_theme, name="set-theme"),
    path("login/", login.Login.as_view(), name="login"),
    path("logout/", LogoutView.as_view(next_page="home"), name="logout"),
    path("new/", new_game.new_table, name="new-table"),
    path("t/<slug:table_code>/new/", new_game.new_game, name="new-game"),
    # A game (partida)
    path("g/<slug:code>/", sheet.sheet, name="sheet"),
    path("g/<slug:code>/undo/", sheet.undo_last, name="undo-last"),
    path("g/<slug:code>/redo/", sheet.redo_last, name="redo-last"),
    path("g/<slug:code>/round/", rounds.play_round, name="play-round"),
    path("g/<slug:code>/round/preview/", rounds.preview_round, name="preview-round"),
    path("g/<slug:code>/reentry/", desk.reentry, name="reentry"),
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
