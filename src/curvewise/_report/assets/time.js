/* Where the time went: one table of bars per side. */

const N_BARS = 12;

function showTime() {
  const total = answer.cost.seconds;
  const body = byId("time-body");
  const n = facts.run.n_observations + facts.run.n_failures;
  if (!n) {
    byId("time-lead").textContent = "Nothing has been evaluated yet.";
    return;
  }
  byId("time-lead").textContent = total > 0
    ? `${duration(total)} in ${count(n, "evaluation")}, broken down in four ways.`
    : `${count(n, "evaluation")}, broken down in four ways; the store does not know how long they took.`;
  const { fate, algorithm, anchor, outcome } = facts.spending;
  add(
    body,
    bars("By what became of the candidate", fate, "winner"),
    bars("By algorithm", algorithm, winner && winner.algorithm),
    bars("By training rows", anchor.map((each) => ({ ...each, name: `${whole_number(each.name)} rows` }))),
    bars("By the result of the evaluation", outcome),
  );
}

function bars(title, groups, accent) {
  const amount = answer.cost.seconds > 0 ? "seconds" : "n_fits";
  const kept = groups.length > N_BARS + 1 ? groups.slice(0, N_BARS) : groups;
  const rest = groups.slice(kept.length);
  const most = Math.max(...groups.map((each) => each[amount]), 0) || 1;
  const rows = kept.map((each) => bar(each, each[amount] / most, each.name === accent));
  if (rest.length) {
    const sum = (key) => rest.reduce((all, each) => all + each[key], 0);
    const name = `${count(rest.length, "other")}`;
    const others = { name, seconds: sum("seconds"), n_fits: sum("n_fits"), n_candidates: sum("n_candidates") };
    rows.push(bar(others, Math.min(1, others[amount] / most), false));
  }
  const heads = ["Group", "Share", "Seconds", "Fits"].map((text) => make("th", { scope: "col" }, text));
  return make(
    "div",
    null,
    make("h3", null, title),
    make(
      "table",
      { class: "bars" },
      make("caption", { class: "out-of-sight" }, title),
      make("thead", { class: "out-of-sight" }, make("tr", null, heads)),
      make("tbody", null, rows),
    ),
  );
}

function bar(group, share, accent) {
  const fill = make("span", accent ? { class: "accent" } : null);
  fill.style.width = `${(100 * share).toFixed(2)}%`;
  return make(
    "tr",
    null,
    make("th", { scope: "row" }, quoted(group.name, 60)),
    make("td", { class: "track" }, fill),
    make("td", { class: "number" }, answer.cost.seconds > 0 ? duration(group.seconds) : ""),
    make("td", { class: "number muted small" }, count(group.n_fits, "fit")),
  );
}
