"""The run store: one SQLite file that holds everything that happened in one run or in many."""
