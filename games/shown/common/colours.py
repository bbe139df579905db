"""The colours of pictures drawn by the server, for a light background; `static/base/` has those of pages."""

from __future__ import annotations

PAPER, SHEET, RAISE, LINE = "#faf6ec", "#fffdf7", "#f1ead9", "#d9cfb8"
INK, SOFT, GOLD, RED, GREEN = "#1c2733", "#565f6b", "#855600", "#a8201a", "#25633a"
CLOTH, ON_CLOTH, COIN = "#12382b", "#fffdf7", "#f2c14e"  # as in `static/money/picture.js`
TONES = {"green": GREEN, "red": RED, "soft": SOFT}
PLAYERS = {
    1: "#4453b8",
    2: "#0f766e",
    3: "#86337c",
    4: "#9a5b13",
    5: "#475569",
    6: "#4d6b1f",
    7: "#b03060",
    8: "#0369a1",
}
