"""Games in the API: tables, variants, recorded games, and scoring a game or hand without storing it."""
