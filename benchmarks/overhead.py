"""What deciding costs: CPU seconds of the validator itself per observation.

    pip install 'curvewise[bench]' && python benchmarks/overhead.py

One candidate, 12 anchors, 120 observations that cost nothing, every check on (interval width,
convexity, bound, extrapolation), chosen so that neither prunes nor jumps. Beside it, in the same
run, the package of the paper's authors (``lccv`` 0.2.2) on the same scores.
"""

import argparse
import logging
import statistics
import time
import warnings

from curvewise import LCCV, Observation, Validation

ANCHORS = tuple(64 * 2**i for i in range(12))
N_FOLDS = 10
THRESHOLD = 0.0232


def loss(anchor, fold):
    """A power law that stays just above the threshold, with a little noise."""
    return anchor**-0.3 + 1e-4 * ((fold * 7) % N_FOLDS - 4.5)


def ours():
    """Seconds per observation of curvewise."""
    validation = Validation(
        schedule=LCCV().schedule(ANCHORS[-1]),
        policy=LCCV(max_width=0, max_width_target=0),
        n_folds=N_FOLDS,
        best_loss=THRESHOLD,
    )
    outcomes = {(s, f): loss(s, f) for s in ANCHORS for f in range(N_FOLDS)}
    start = time.process_time()
    n = 0
    while not validation.done:
        for task in validation.ask():
            validation.tell(Observation(task, outcomes[task.anchor, task.fold]))
            n += 1
    seconds = time.process_time() - start
    if n != len(outcomes):
        raise SystemExit(f"expected {len(outcomes)} observations, made {n}")
    return seconds / n


def theirs():
    """Seconds per observation of the authors' package."""
    import numpy as np
    from lccv import lccv

    n_seen = {}

    def evaluate(anchor, **_):
        fold = n_seen.get(anchor, 0)
        n_seen[anchor] = fold + 1
        score = 1 - loss(anchor, fold % N_FOLDS)
        return {
            "fittime": 0.0,
            "scoretime_train_accuracy": 0.0,
            "score_train_accuracy": 1.0,
            "scoretime_test_accuracy": 0.0,
            "score_test_accuracy": score,
        }

    logging.disable(logging.CRITICAL)
    start = time.process_time()
    lccv(
        None,
        None,
        np.array([0, 1]),
        r=1 - THRESHOLD,
        target_anchor=ANCHORS[-1],
        max_evaluations=N_FOLDS,
        max_conf_interval_size_default=0,
        max_conf_interval_size_target=0,
        evaluator=evaluate,
        additional_scorings=[],
    )
    seconds = time.process_time() - start
    return seconds / sum(n_seen.values()), sum(n_seen.values())


def main():
    """Print both, and their ratio."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--repeats", type=int, default=5)
    repeats = parser.parse_args().repeats
    warnings.simplefilter("ignore")
    ours()
    own = [ours() for _ in range(repeats * 10)]
    print(
        f"curvewise   {1e6 * statistics.median(own):10.1f} us per observation "
        f"(median of {len(own)} validations of 120; best {1e6 * min(own):.1f})"
    )
    try:
        theirs()
    except ImportError:
        print("lccv 0.2.2 is not installed: pip install 'curvewise[bench]'")
        return
    other = [theirs() for _ in range(repeats)]
    seconds = statistics.median(seconds for seconds, _ in other)
    print(
        f"lccv 0.2.2  {1e6 * seconds:10.1f} us per observation "
        f"(median of {len(other)} validations of {other[0][1]})"
    )
    print(f"ratio       {seconds / statistics.median(own):10.0f}")


if __name__ == "__main__":
    main()
