/* Who led when, by the seconds of evaluations. */

function showLeader() {
  const moments = facts.leaders;
  if (!moments.length) {
    byId("leader-lead").textContent = "No candidate has been evaluated on all training rows yet.";
    byId("leader-chart").hidden = true;
    return false;
  }
  const changes = moments.filter((each, i) => !i || each[2] !== moments[i - 1][2]);
  const last = changes[changes.length - 1];
  const when = answer.cost.seconds > 0 ? `after ${duration(last[0])}` : `after ${count(last[1], "evaluation")}`;
  const often = ["never changed", "changed once"][changes.length - 1] || `changed ${count(changes.length - 1, "time")}`;
  byId("leader-lead").textContent =
    `The lead ${often}; the last leader came ${when}` +
    (answer.cost.seconds > 0 ? ` of ${duration(answer.cost.seconds)}.` : ".");
  byId("leader-caption").textContent =
    "The leader’s mean score over the folds it had by then: it moves as folds come in. A dot is a new leader. " +
    "Time is the sum of all evaluations’ seconds in the order in which they came back.";
  const first = score(moments[0][3]);
  byId("leader-chart").setAttribute(
    "aria-label",
    `Chart of the leader’s score over time: ${count(changes.length, "leader")}, from ${first} to ${score(moments[moments.length - 1][3])}.`,
  );
  return true;
}

function buildLeader() {
  const moments = facts.leaders;
  const timed = answer.cost.seconds > 0;
  const [unit, title] = unitOfTime(answer.cost.seconds);
  const at = (moment) => (timed ? moment[0] / unit : moment[1]);
  const last = moments[moments.length - 1];
  const end = [answer.cost.seconds, facts.run.n_observations + facts.run.n_failures, ...last.slice(2)];
  const steps = [...moments, end];
  const fresh = moments.filter((each, i) => !i || each[2] !== moments[i - 1][2]);
  const accent = colour("accent");
  const traces = [
    {
      type: "scatter", mode: "lines", x: steps.map(at), y: steps.map((each) => each[3]), customdata: steps,
      hoverinfo: "none", line: { color: accent, width: 2, shape: "hv" },
    },
    { type: "scatter", mode: "markers", x: fresh.map(at), y: fresh.map((each) => each[3]), hoverinfo: "skip", marker: { color: accent, size: 8 } },
  ];
  return { traces, layout: frame({ text: title, rangemode: "tozero" }, { text: metric, tickformat: "~g" }) };
}

function unitOfTime(total) {
  if (!(total > 0)) return [1, "evaluations"];
  if (total < 300) return [1, "seconds of evaluations"];
  return total < 7200 ? [60, "minutes of evaluations"] : [3600, "hours of evaluations"];
}

function hoverLeader(point) {
  const [seconds, fits, place, value, n] = point.customdata;
  const candidate = byPlace.get(place);
  const when = answer.cost.seconds > 0 ? duration(seconds) : count(fits, "evaluation");
  return [quoted(candidate.name), `${score(value)} on ${count(n, "fold")}`, `after ${when}`];
}
