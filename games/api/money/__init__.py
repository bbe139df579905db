"""The money of a table in the API: accounts, payments, and the later actions on payments."""
