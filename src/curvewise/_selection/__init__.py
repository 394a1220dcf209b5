"""What scikit-learn users touch: `validate`, `compare`, `CurveSearchCV`, `CurveDisplay`."""
