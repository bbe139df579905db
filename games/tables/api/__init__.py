"""The people of a table in the API: its members, and what a program may do."""
