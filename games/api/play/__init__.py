"""Games in the API: the variants and their rules, a game or a hand scored without anything being stored."""
