"""Recorded curves for the experiment, made up: they fall, with noise of their own."""

from tests.play import noise
from tests.recording import write

ANCHORS = (64, 128, 256, 512, 1024)


def rows(n_datasets=6, n_learners=6, n_seeds=6, anchors=ANCHORS):
    """Rows of a recording whose test error is the validation error without its noise."""
    return [
        {
            "dataset": f"set{d}",
            "learner": f"learner{i}",
            "anchor": anchor,
            "seed": seed,
            "valid_err": loss + 0.01 * noise(d, i, anchor, seed),
            "test_err": loss,
            "fit_time": 1.0,
        }
        for d in range(n_datasets)
        for i in range(n_learners)
        for anchor in anchors
        for loss in [0.1 + 0.02 * d + 0.03 * i + (1 + d / 2) * anchor**-0.5]
        for seed in range(n_seeds)
    ]


def written(folder, **options):
    """A Parquet file of them."""
    return write(folder / "curves.parquet", rows(**options))
