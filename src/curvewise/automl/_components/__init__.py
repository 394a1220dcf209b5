"""scikit-learn's algorithms where data decides what a parameter means, and what prepares tables."""
