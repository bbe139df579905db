"""What `/metrics` shows: the counts of all server processes, and the state of the site. Not part of a phone's app."""
