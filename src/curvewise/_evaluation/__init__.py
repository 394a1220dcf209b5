"""Folds, nested training subsets, and the evaluation of one task on real data."""
