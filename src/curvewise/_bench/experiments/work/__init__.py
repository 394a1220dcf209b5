"""What a cell does: a search, whole curves, and how good a choice is."""
