"""The contents of pages, computed from games: rows, sentences, amounts. Templates only lay them out."""
