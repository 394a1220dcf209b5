"""Experiments: policies compared on recorded curves."""
