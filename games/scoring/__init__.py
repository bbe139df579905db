"""The scoring of Loba, Carioca and Chinchón: plain Python, no I/O, standard library only.

Cards and numbers become points; points decide who is in and who pays; a game is a log of events that is
replayed. The entry points: `replay.replay` and `replay.allows`, `preview.preview`, `ledger.nets`,
`ledger.payments` and `ledger.places`, `variants.find_variant`, `going_down.go_down`, `notation.read_line`,
`writing.write_game`, `script.play_script`, `describe.describe`, and the solvers `leftovers.leftovers_of`,
`placing.place_all`, `melds.melds_of`, `contracts.fulfils`. Import only the module you need: importing a
solver then does not load the rest.
"""
