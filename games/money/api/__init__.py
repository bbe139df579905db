"""The money of a table in the API: accounts, payments, expenses, and nights."""
