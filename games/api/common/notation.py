"""Examples for the guide: rounds in the text notation, by variant, one for each usual way to end a round."""

from __future__ import annotations

from collections.abc import Mapping

OF_CARDS = (
    "round ana out beto=23",
    "round ana in_one_go beto=[K 7 *]",
)
OF_STOCK = (*OF_CARDS, "round nobody stock_out ana=3 beto=9")
ROUNDS: Mapping[str, tuple[str, ...]] = {
    "loba_menos": OF_CARDS,
    "loba_mas": (
        "round ana out ana={A K Q}{9 9 9} beto={J Q K}[4 *]",
        "round ana in_one_go ana={A K Q}{9 9 9} beto=[K 9 5 *]",
        "round nobody stock_out ana=28 beto=-4",
    ),
    "loba_ca": OF_STOCK,
    "carioca_ar": OF_STOCK,
    "carioca_cl": OF_STOCK,
    "chinchon": (
        "round ana cut ana=3 beto=20",
        "round ana cut ana=[4o 5o 6o 7o 1c 1e 2b] beto=7",
        "round ana closed beto=7",
        "round ana chinchon beto=20",
        "round nobody stock_out ana=3 beto=9",
    ),
    "points": ("round nobody played ana=3 beto=4",),
}
