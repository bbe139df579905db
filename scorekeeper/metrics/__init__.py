"""The content of `/metrics`: the counts of all server processes, and the state of the site. No phone carries it."""
