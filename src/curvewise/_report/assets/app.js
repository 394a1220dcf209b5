/* Everything in its order: text at once, charts when plotly has been read. */

function showHead() {
  byId("title").append(whole(facts.title, 160));
  const { status, over, created, n_observations, n_failures } = facts.run;
  const running = over ? "Stopped early" : "Not finished";
  const states = { running, interrupted: "Interrupted", finished: "Finished", "out of time": "Ended with its budget" };
  const state = states[status];
  const day = new Date(created).toLocaleDateString("en", { year: "numeric", month: "long", day: "numeric", timeZone: "UTC" });
  const fits = count(n_observations + n_failures, "evaluation");
  byId("subtitle").textContent = `${state} · begun on ${day} · ${count(candidates.length, "candidate")} · ${fits}`;
}

function showCharts() {
  if (candidates.some((each) => each.points.length)) {
    drawCurves = chart("curves-chart", buildCurves, { hover: hoverCurve, click: (point) => point.customdata && choose(point.customdata[0]) });
  } else {
    byId("curves-chart").hidden = true;
  }
  if (showAdvice()) chart("advice-chart", buildAdvice, { hover: hoverAdvice });
  for (const draw of modelCharts) draw();
  if (showLeader()) chart("leader-chart", buildLeader, { hover: hoverLeader });
}

function showText() {
  showHead();
  showAnswer();
  showFilters();
  showTime();
  showData();
  showSettings();
}

showText();
showModel();
showTable();
addEventListener("DOMContentLoaded", () => {
  showCharts();
  followColours();
  document.documentElement.dataset.ready = "";
});
