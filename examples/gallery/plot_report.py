"""
A run as a page
===============

The report of a search is one HTML page: the winner and how sure the choice is, the learning curves,
and every candidate with the reason why it was dropped. The page needs no network.
"""

# sphinx_gallery_thumbnail_path = 'images/report.png'  # noqa: ERA001

# %%
# ``store`` keeps what is measured in a file, while it is measured. A search that is interrupted
# goes on from there.

import subprocess
import sys
from pathlib import Path
from tempfile import mkdtemp

from scipy.stats import loguniform
from sklearn.datasets import load_digits
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC

import curvewise as cw

folder = Path(mkdtemp())
X, y = load_digits(return_X_y=True)
X, y = X[::2], y[::2]
space = {"svc__C": loguniform(1e-2, 1e2), "svc__gamma": loguniform(1e-4, 1e-1)}
search = cw.CurveSearchCV(
    make_pipeline(StandardScaler(), SVC()),
    space,
    n_iter=15,
    cv=5,
    store=folder / "run.db",
    learning_curve=True,
    random_state=0,
).fit(X, y)
print(search.results_[search.best_index_].explain())

# %%
# In a shell: ``curvewise runs run.db`` lists what a store holds, and ``curvewise report run.db``
# writes the page.


def run(*words):
    """Run a command as a shell would, in that folder."""
    command = [sys.executable, "-m", "curvewise", *words]
    answer = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=True)
    return answer.stdout


print(run("runs", "run.db"))
print(run("report", "run.db", "-o", "report.html"))
print(f"{(folder / 'report.html').stat().st_size / 1e6:.1f} MB")

# %%
# Parts of such a page, of another run:
#
# .. image:: ../images/report.png
#    :alt: the winner, its closest rivals, which classes are taken for which, and the learning curve

# %%
# The same curves as a picture:

_ = cw.CurveDisplay.from_search(search, over="fits", score_name="accuracy")
