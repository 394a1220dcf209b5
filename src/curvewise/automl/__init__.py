"""From a raw table to the best pipeline: the search space, its sampler and the estimators."""
