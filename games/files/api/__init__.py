"""The records of a table in the API: its exports, the import of tables, and starting balances."""
