"""The experiment of the paper's Sec. V-B: whether twice the rows would help."""
