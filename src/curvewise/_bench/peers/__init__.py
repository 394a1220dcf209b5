"""Searches of other tools beside ours: the same candidates, in the same order, one thread."""
