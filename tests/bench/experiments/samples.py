"""Small experiments, with results that were made up."""

from curvewise._bench.experiments.experiment_plan import Method, Plan, Settings
from curvewise._bench.experiments.ledger import Ledger

NASTY = "<script>alert(1)</script> | $x_1$ & 100%"


def plan_of(n_datasets=2, *, seeds=2, name="toy", kind="search", **settings):
    """Make a plan with a reference and two methods."""
    methods = (
        Method(name="5cv", policy="kfold" if kind != "peers" else "grid", foresee=False),
        Method(name="lccv", policy="lccv", splits="shuffle", against="5cv"),
        Method(name="race", policy="race", against="5cv"),
    )
    return Plan(
        name=name,
        kind=kind,
        title=f"A toy {NASTY}",
        methods=methods if kind != "curves" else methods[:1],
        datasets={f"set-{i} {NASTY}": f"/nowhere/set-{i}.parquet" for i in range(n_datasets)},
        settings=Settings(seeds=seeds, candidates=4, **settings),
    )


def result_of(cell, plan):
    """Make up a result: the second method costs half, the third a quarter."""
    place = [method.name for method in plan.methods].index(cell.method)
    size = 1 + list(plan.datasets).index(cell.dataset)
    result = {
        "choice": place,
        "partial": False,
        "validated_error": 0.1,
        "folds": 5,
        "ended": {"completed": 2, "pruned": 2},
        "pipeline": NASTY,
        "seconds": 100.0 * size / 2**place + cell.seed,
        "deciding_seconds": 0.5,
        "fits": 20 // (place + 1),
        "rows": 1000,
        "n_rows": 500 * size,
        "error": 0.1 * size + 0.004 * place + 0.01 * cell.seed,
        "cpu_seconds": 10.0,
        "wall_seconds": 11.0,
        "peak_mb": 170.0,
    }
    if plan.kind == "curves":
        bent = [[64, 0.4], [128, 0.4], [256, 0.1]]
        straight = [[64, 0.4], [128, 0.2], [256, 0.1]]
        result["curves"] = {"tree": straight, "late": bent}
    return result


def fill(path, plan, *, failed=0, pending=0):
    """Write a ledger in which the last cells failed or are pending."""
    with Ledger(path) as ledger:
        machine = {"cores": 2, "processor": "a chip", "memory_gb": 8, "versions": {"python": "3"}}
        ledger.register(plan, machine=machine)
        n_cells = len(ledger.cells(plan.name))
        claimed = []
        while (cell := ledger.claim(plan.name)) is not None:
            if len(claimed) >= n_cells - pending:
                ledger.release()
                break
            claimed.append(cell)
            if len(claimed) > n_cells - pending - failed:
                ledger.fail(cell, f"ValueError: {NASTY}\nTraceback: here")
            else:
                ledger.finish(cell, result_of(cell, plan))
    return path
