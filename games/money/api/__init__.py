"""The money of a table in the API: accounts, payments, shared costs, nights, and merging members."""
