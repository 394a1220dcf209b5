"""AutoML tools at equal time: each in an environment of its own, on the same rows and cores."""
