"""
The command line: select and predict
====================================

``curvewise select`` goes from a file to a saved model, and ``curvewise predict`` uses it. No line
of Python is needed; here Python only calls them and draws what they say.
"""

# %%
# A CSV file: the wines that come with scikit-learn.

import json
import subprocess
import sys
from pathlib import Path
from tempfile import mkdtemp

from sklearn.datasets import load_wine

folder = Path(mkdtemp())
wines = load_wine(as_frame=True).frame
wines.to_csv(folder / "wines.csv", index=False)


def run(*words):
    """Run a command as a shell would, in that folder."""
    command = [sys.executable, "-m", "curvewise", *words]
    answer = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=True)
    return answer.stdout


# %%
# In a shell: ``curvewise select wines.csv --target target --candidates 10 --save model.skops``.
# With ``--json`` the answer comes as data, otherwise as text.

words = ["--target", "target", "--candidates", "10", "--save", "model.skops", "--json", "--quiet"]
answer = json.loads(run("select", "wines.csv", *words, "--leave-out", "MLPClassifier"))
print(answer["best"])
print(f"score {answer['score']:.4f}, always the commonest class {answer['baseline']:.4f}")

# %%
# ``curvewise predict model.skops wines.csv`` gives a prediction for each row.

print(run("predict", "model.skops", "wines.csv").splitlines()[:4])

# %%
# The scores of the pipelines that got all their folds. The others were dropped on the way, and the
# answer says why for each of them.

import matplotlib.pyplot as plt

done = [row for row in answer["leaderboard"] if row["status"] == "completed"][::-1]
dropped = [row for row in answer["leaderboard"] if row["status"] != "completed"]
figure, ax = plt.subplots(figsize=(7, 4), layout="constrained")
ax.barh([row["candidate"][:28] for row in done], [row["score"] for row in done], color="#2a6f97")
ax.axvline(answer["baseline"], color="#bc4749", linestyle="--", label="commonest class")
ax.set(xlabel="accuracy, mean of five folds", xlim=(0, 1))
ax.set_title(f"{len(done)} pipelines finished, {len(dropped)} dropped early")
_ = ax.legend()

# %%

print(dropped[0]["reason"] if dropped else "none was dropped")
