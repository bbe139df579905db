"""The desk of a site's operators: their acts, its pages, and the reports that people send. No phone carries it."""
