"""The people of a table in the API: members, claims, grants, invitations, and leaving or erasing a table."""
