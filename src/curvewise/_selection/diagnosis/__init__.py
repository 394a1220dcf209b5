"""What out-of-fold predictions say about a model: where it errs, by class, by row, by column."""
