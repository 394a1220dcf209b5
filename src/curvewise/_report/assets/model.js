/* The section on the model: whose pictures they are, and one after the other. */

const WITHOUT = {
  predict: " It gives classes and no probabilities: there are no curves, and no diagram of how reliable these are.",
  decision_function: " It gives decision values and no probabilities, so there is no diagram of how reliable these are.",
};

function showModel() {
  const body = byId("model-body");
  if (model.why) add(body, make("p", { class: "lead", id: "model-why" }, whole(model.why, 400)));
  else add(body, modelInWords());
  const pieces = [
    [model.confusion, showConfusion],
    [model.classes, showClasses],
    [model.residuals, showResiduals],
    [model.rankings, showRankings],
    [model.reliability, showReliability],
    [model.importance, showImportance],
    [model.by, showLevels],
    [model.hardest, showHardest],
  ];
  for (const [there, show] of pieces) if (there) add(body, show());
}

function modelInWords() {
  const { candidate, n_members, weighted, n_rows, n_predicted, method, tuned, calibrated } = model;
  const who = n_members > 1
    ? [`All of it is about the ensemble of ${n_members} candidates: the weighted mean of what each predicted out of fold. Its weights were chosen on the same rows, which flatters it a little. `]
    : ["All of it is about ", quoted(candidate, 120), ": what it predicted for each fold’s test rows when it was fitted on the others. "];
  const rows = n_predicted === n_rows ? `Every row has a prediction (${whole_number(n_rows)}).` : `${whole_number(n_predicted)} of ${count(n_rows, "row")} have a prediction; the others were in no test part that was predicted.`;
  const changes = [tuned ? "the tuned threshold" : null, calibrated ? "the calibration" : null].filter(Boolean);
  const before = changes.length ? ` These are predictions before ${changes.join(" and ")}.` : "";
  const alike = weighted ? " The scores of the search are weighted; in the counts, curves and diagrams here every row counts the same." : "";
  const bare = model.confusion ? WITHOUT[method] || "" : "";
  return make("p", { class: "lead", id: "model-lead" }, who, rows, alike, before, bare);
}
