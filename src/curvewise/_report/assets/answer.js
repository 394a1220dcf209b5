/* The answer first: who won, with what score, at what cost, and how sure that is. */

let answer, winner, metric;

function takeAnswer() {
  answer = facts.answer;
  winner = byPlace.get(answer.place);
  metric = cut(facts.metric === "score" ? "score" : facts.metric.replace(/_/g, " "), 40);
}

takeAnswer();

const WORDS = {
  winner: "The best candidate",
  partial: "The best partial result: it was stopped before it had all of its folds",
  leading: "Leading so far",
};

function showAnswer() {
  const body = byId("answer-body");
  if (!winner) {
    add(body, make("p", { class: "winner" }, "There is no winner."));
    add(body, make("p", { class: "certainty" }, answer.certainty), figures());
    return;
  }
  add(
    body,
    make("p", { class: "muted small" }, WORDS[answer.kind]),
    make("p", { class: "winner" }, whole(winner.name, 200)),
    winner.algorithm === winner.name
      ? null
      : make("p", null, make("span", { class: "tag" }, quoted(winner.algorithm, 60))),
    figures(),
    make("h3", null, "How sure is that?"),
    make("p", { class: "certainty" }, answer.certainty),
    simplestChoice(answer),
    rivals(),
    baselines(),
    predictions(),
    fittedOnAllRows(),
    answer.recipe ? folded("The winning estimator as code", answer.recipe) : null,
  );
}

/* What the winner's out-of-fold predictions say: its threshold, and how reliable it is. */
function predictions() {
  if (!answer.predictions.length) return null;
  const lines = answer.predictions.map((sentence) => make("p", { class: "predictions" }, quoted(sentence, 400)));
  return make("div", null, make("h3", null, "Threshold and probabilities"), lines);
}

const CONSTANTS = { classification: "the commonest class", regression: "the mean" };

/* What simpler predictions score: what the search has brought. */
function baselines() {
  const found = answer.baselines;
  if (!found) return null;
  const lines = [];
  if (known(found.constant)) lines.push(`Always predicting ${CONSTANTS[facts.data?.task] || "the same value"} scores ${score(found.constant)}.`);
  if (found.default) lines.push(found.default.sentence);
  return make("div", { id: "answer-baselines" }, make("h3", null, "What did the search gain?"), lines.map((text) => make("p", null, quoted(text, 400))));
}

function figures() {
  const list = make("dl", { class: "figures" });
  if (winner) {
    const interval = range(answer.low, answer.high);
    const folds = `on ${count(answer.n_folds, "fold")}${answer.rows ? ` of ${whole_number(answer.rows)} training rows` : ""}`;
    add(list, figure(`Mean ${metric}`, score(answer.score), interval ? `95% interval ${interval}, ${folds}` : `${folds}; too little for an interval`, "first"), honestFigure());
  }
  const { seconds, curves, kfold, share } = answer.cost;
  const parts_of_it = curves ? `, ${duration(curves)} of it for learning curves after the search` : "";
  const { clock, given } = facts.run;
  const budget = known(given.budget) ? `by the clock, of a budget of ${duration(given.budget)}` : "by the clock";
  const going = facts.run.status === "running" && !facts.run.over;
  if (known(clock)) add(list, figure(going ? "The search has taken" : "The search took", duration(clock), budget));
  const jobs = known(given.jobs) ? `, ${count(given.jobs, "fit")} at a time` : "";
  add(list, figure("Core time of all fits", duration(seconds), `added up${jobs}${parts_of_it}`));
  if (known(share)) add(list, figure("Share of k-fold’s time", percent(share), `which would have been about ${basisOfCost(kfold)}`));
  else if (kfold) add(list, figure("k-fold takes about", about(kfold.seconds), `in all: ${basisOfCost(kfold)}`));
  const n = (status) => candidates.filter((each) => each.status === status).length;
  const parts = STATUSES.filter(n).map((status) => `${whole_number(n(status))} ${status}`);
  add(list, figure("Candidates", whole_number(candidates.length), parts.join(", ")));
  return list;
}

function figure(name, value, note, kind = "") {
  return make(
    "div",
    null,
    make("dt", null, name),
    make("dd", null, make("span", { class: `big ${kind}` }, value), make("span", { class: "muted small" }, note)),
  );
}

function basisOfCost(kfold) {
  const parts = [
    [kfold.n_measured, "measured on all rows"],
    [kfold.n_projected, "projected from fewer"],
    [kfold.n_assumed, "taken as average"],
  ];
  const how = parts.filter(([n]) => n).map(([n, text]) => `${whole_number(n)} ${text}`);
  return `${about(kfold.seconds)} (an estimate: ${how.join(", ")})`;
}

function rivals() {
  const shown = answer.rivals || [];
  if (!shown.length) return null;
  const ends = shown.flatMap((each) => [each.difference, each.low, each.high]);
  const reach = Math.max(...ends.filter(known).map(Math.abs));
  const withChance = shown.some((each) => known(each.chance));
  const rows = shown.map((each) => {
    const rival = byPlace.get(each.place);
    return make(
      "tr",
      null,
      make("th", { scope: "row" }, quoted(rival.name), each.close ? " " : null, each.close ? make("span", { class: "tag" }, "close") : null),
      make("td", { class: "number" }, signed(each.difference)),
      make("td", { class: "whisker minor" }, whisker(each, reach)),
      make("td", { class: "number minor" }, each.anchor ? `${each.n_folds} of ${whole_number(each.anchor)} rows` : each.n_folds),
      withChance ? make("td", { class: "number" }, known(each.chance) ? percent(each.chance) : rival.status) : null,
    );
  });
  const heads = [
    make("th", { scope: "col" }, answer.n_close ? "Closest rivals" : "Nearest others"),
    make("th", { scope: "col", class: "number" }, "Difference"),
    make("th", { scope: "col", class: "minor" }, "with 95% interval"),
    make("th", { scope: "col", class: "number minor" }, "Folds"),
    withChance ? make("th", { scope: "col", class: "number" }, "Chance to be better") : null,
  ];
  return make(
    "div",
    null,
    make(
      "table",
      { class: "rivals" },
      make("caption", { class: "out-of-sight" }, "The candidates that came closest to the winner"),
      make("thead", null, make("tr", null, heads)),
      make("tbody", null, rows),
    ),
    make(
      "p",
      { class: "muted small" },
      "Difference: the rival’s mean score minus the winner’s, on the folds that both have. ",
      withChance ? "Chance to be better: on new data, as far as these folds tell." : null,
      shown.some((each) => each.anchor) ? " Where no fold is shared at the full training set, the comparison is at fewer rows." : null,
    ),
  );
}

/* A difference and its interval around 0, where the winner is. */
function whisker(rival, reach) {
  const space = "http://www.w3.org/2000/svg";
  const svg = document.createElementNS(space, "svg");
  const interval = known(rival.low) ? `, 95% interval ${signed(rival.low)} to ${signed(rival.high)}` : "";
  svg.setAttribute("role", "img");
  svg.setAttribute("aria-label", `${signed(rival.difference)}${interval}`);
  const x = (value) => `${(50 + (48 * value) / (reach || 1)).toFixed(2)}%`;
  const draw = (tag, attributes) => {
    const part = document.createElementNS(space, tag);
    for (const [name, value] of Object.entries(attributes)) part.setAttribute(name, value);
    svg.append(part);
  };
  draw("line", { x1: "50%", x2: "50%", y1: 0, y2: "100%", stroke: "var(--accent)", "stroke-width": 1.5 });
  if (known(rival.low)) {
    draw("line", { x1: x(rival.low), x2: x(rival.high), y1: "50%", y2: "50%", stroke: "var(--curve-strong)", "stroke-width": 1.5 });
  }
  draw("circle", { cx: x(rival.difference), cy: "50%", r: 4, fill: "var(--curve-strong)" });
  return svg;
}
