"""Learning curves as pictures, with matplotlib."""
