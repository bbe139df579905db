"""The API's endpoints for tables and their members, and the access of programs."""
