"""Experiments as data, run cell by cell into one file, and what is made of them."""
