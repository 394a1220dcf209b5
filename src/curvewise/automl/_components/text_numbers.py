"""Columns of text as numbers: what their words say, in a few dimensions.

Words are weighed by how rare they are (TF-IDF); the directions in which rows differ most (truncated
singular value decomposition) become columns. Both are learnt from training rows. What was learnt is
words and arrays: scikit-learn's readers of text can be told to open files, so none is in a model.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.decomposition import TruncatedSVD
from sklearn.feature_extraction.text import TfidfVectorizer

from curvewise.automl._components.frames import Frame
from curvewise.automl._components.values import as_text

# Columns that a text may become, and words that are looked at.
N_COLUMNS = 20
MOST_WORDS = 5000

# The words that are looked at, what each weighs, and the directions in which rows differ.
Learnt = dict[str, Any]


def learn_text(frame: Frame, column: int) -> Learnt | None:
    """Learn from training rows what words say; None if hardly a word comes twice."""
    reader = TfidfVectorizer(min_df=2, max_features=MOST_WORDS, sublinear_tf=True)
    try:
        found = reader.fit_transform(_texts(frame, column))
    except ValueError:
        return None
    n_columns = min(N_COLUMNS, found.shape[1] - 1, found.shape[0] - 1)
    if n_columns < 1:
        return None
    directions = TruncatedSVD(n_columns, random_state=0).fit(found)
    return {
        "words": reader.get_feature_names_out().tolist(),
        "weights": reader.idf_,
        "directions": directions.components_,
    }


def read_text(frame: Frame, column: int, learnt: Learnt) -> np.ndarray:
    """Give a column of text as numbers."""
    reader = TfidfVectorizer(vocabulary=learnt["words"], sublinear_tf=True)
    reader.idf_ = learnt["weights"]
    return reader.transform(_texts(frame, column)) @ learnt["directions"].T


def _texts(frame: Frame, column: int) -> list[Any]:
    codes, values = frame.values(column)
    # A code of -1 finds the last entry: a gap is an empty text.
    texts = np.array([*(as_text(value) for value in values), ""], dtype=object)
    return texts[codes].tolist()
