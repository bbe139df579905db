"""The money of a table in the API: its accounts, what was paid, and what became of that."""
