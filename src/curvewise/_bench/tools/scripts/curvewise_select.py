"""``curvewise select`` as a user runs it, then the saved model on the test rows.

The option ``arguments`` is a list of further options for the command line.
"""

import json
import subprocess
import sys
from pathlib import Path

from tool_request import asked


def main():
    """Select a pipeline and predict."""
    request = asked()
    model = Path("model.skops").resolve()
    command = [
        *(sys.executable, "-m", "curvewise", "select", request.train),
        *("--target", request.target, "--task", request.task),
        *("--budget", str(request.seconds), "--jobs", str(request.n_cores)),
        *("--seed", str(request.seed), "--save", str(model), "--json", "--quiet"),
        *request.options.get("arguments", []),
    ]
    answer = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=False)
    request.model_stands()
    if answer.returncode:
        sys.exit(answer.returncode)
    facts = json.loads(answer.stdout)
    predict(
        request,
        model,
        choice=facts["best"],
        first_seconds=facts["first_seconds"],
        busy_share=facts["seconds"] / (facts["elapsed_seconds"] * request.n_cores),
    )


def predict(request, model, **told):
    """Predict with the saved model."""
    from curvewise.automl import load_model, read_rows

    saved = load_model(model)
    rows = read_rows(request.test, saved.columns, date_orders=saved.date_orders)
    predictions = saved.pipeline.predict(rows)
    if request.classifies and hasattr(saved.pipeline, "predict_proba"):
        probabilities = saved.pipeline.predict_proba(rows)
        request.answer(predictions, probabilities, saved.pipeline.classes_, **told)
    else:
        request.answer(predictions, **told)


if __name__ == "__main__":
    main()
