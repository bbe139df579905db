"""What is kept of a table in the API: its feed of changes, its file, and old notebooks brought to it."""
