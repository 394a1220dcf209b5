"""What a script is asked, and how it answers; shared by the scripts in this folder.

A script is run by the interpreter of its tool with one argument, the path of a JSON file with what
is asked: ``train`` and ``test`` (Parquet files; only the first has the target), ``target``,
``task``, ``seconds``, ``n_cores``, ``seed``, ``begun`` (when the process was started, in seconds
since 1970), ``options`` of the tool, and ``answer``: where to write the answer. That is JSON, too:
``predictions`` (one per test row), ``probabilities`` (a list per test row) and ``classes`` (their
order) if there are any, ``choice`` (what was chosen, in a line), ``model_seconds`` (when the model
stood, counted from ``begun``), and if it likes ``first_seconds`` (when something was known of a
first candidate) and ``busy_share`` (the share of the cores' time that was fits).
"""

import json
import sys
import time
from pathlib import Path


class Request:
    """One question to a tool."""

    def __init__(self, path):
        asked = json.loads(Path(path).read_text(encoding="utf-8"))
        self.train, self.test, self.target = asked["train"], asked["test"], asked["target"]
        self.classifies = asked["task"] == "classification"
        self.task = asked["task"]
        self.seconds, self.n_cores, self.seed = asked["seconds"], asked["n_cores"], asked["seed"]
        self.begun, self.options = asked["begun"], asked["options"]
        self._answer = Path(asked["answer"])
        self._model_seconds = None

    def read(self, *, renamed=False):
        """Read training features, training target and test features.

        Boosters refuse names with brackets or quotes; for them the columns can be renamed.
        """
        import pandas as pd

        train, test = pd.read_parquet(self.train), pd.read_parquet(self.test)
        X, y = train.drop(columns=self.target), train[self.target]
        if renamed:
            X.columns = test.columns = [f"column_{i}" for i in range(X.shape[1])]
        return X, y, test

    def model_stands(self):
        """Take the time: what follows is prediction."""
        self._model_seconds = time.time() - self.begun

    def answer(self, predictions, probabilities=None, classes=None, choice="", **told):
        """Write what the tool predicts, and what else it has to tell."""
        if self._model_seconds is None:
            self.model_stands()
        answer = {
            "predictions": _plain(predictions),
            "probabilities": None if probabilities is None else _plain(probabilities),
            "classes": None if classes is None else _plain(classes),
            "choice": " ".join(str(choice).split())[:500],
            "model_seconds": self._model_seconds,
            **told,
        }
        self._answer.write_text(json.dumps(answer), encoding="utf-8")

    def answer_with(self, model, X, choice=""):
        """Predict with a fitted model that has scikit-learn's methods, and write that."""
        self.model_stands()
        predictions = model.predict(X)
        if not self.classifies or not hasattr(model, "predict_proba"):
            self.answer(predictions, choice=choice)
            return
        self.answer(predictions, model.predict_proba(X), model.classes_, choice)


def asked():
    """Read the request that this process was started with."""
    return Request(sys.argv[1])


def _plain(values):
    import numpy as np

    return np.asarray(values).tolist()
