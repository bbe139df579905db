"""What pages show, worked out from a game's state: rows, sentences, amounts. Templates only lay it out."""
