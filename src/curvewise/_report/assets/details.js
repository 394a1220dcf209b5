/* One candidate in full: what it is, how it went, and each decision with its evidence. */

function pair(name, value) {
  return value === null || value === undefined
    ? null
    : make("div", null, make("dt", null, name), make("dd", null, value));
}

/* The score at the largest training set that a candidate has reached. */
function reached(candidate) {
  return candidate.points[candidate.points.length - 1] || null;
}

function scoreText(candidate) {
  if (known(candidate.score)) return score(candidate.score);
  const last = reached(candidate);
  return last ? score(last[1]) : "–";
}

function basis(candidate) {
  const last = reached(candidate);
  if (!last) return null;
  const folds = `${last[4]} of ${count(facts.n_folds, "fold")}`;
  return last[0] === facts.target ? folds : `${folds}, ${whole_number(last[0])} rows`;
}

function details(candidate) {
  const interval = range(candidate.low, candidate.high);
  const body = make(
    "div",
    null,
    candidate.name.length > LONG ? make("p", null, whole(candidate.name)) : null,
    make(
      "dl",
      { class: "facts" },
      pair("algorithm", whole(candidate.algorithm, 60)),
      pair("status", candidate.status),
      pair("score", `${scoreText(candidate)}${interval ? ` (95%: ${interval})` : ""}`),
      pair("from", basis(candidate)),
      pair("time", duration(candidate.seconds)),
      pair("fits", whole_number(candidate.n_fits)),
      pair("chance to win, when it was dropped", known(candidate.chance) ? percent(candidate.chance) : null),
      pair("key", candidate.key ? whole(candidate.key, 60) : null),
    ),
  );
  if (candidate.steps.length) {
    const steps = candidate.steps.map((text) => make("li", null, whole(text, 400)));
    add(body, make("ol", { class: "steps" }, steps));
  }
  for (const failure of (candidate.failures || []).filter((each) => each.message).slice(0, 5)) {
    const where = `${failure.kind} on fold ${Number(failure.fold) + 1} at ${whole_number(failure.anchor)} rows`;
    add(body, folded(where, failure.message));
  }
  if (candidate.recipe) add(body, folded("The estimator", candidate.recipe));
  return body;
}

/* A long text that is opened on demand. */
function folded(title, text, open = false) {
  return make(
    "details",
    { open },
    make("summary", null, title),
    make("pre", { tabindex: "0", role: "region", "aria-label": title }, quoted(text, Infinity)),
  );
}
