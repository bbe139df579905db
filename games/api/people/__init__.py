"""The people of a table in the API: who they are, who is let in, and what is put away for good."""
