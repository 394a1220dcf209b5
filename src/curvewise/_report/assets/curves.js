/* All learning curves. Candidates of one status share a few traces, with gaps between them: a
   thousand curves are as quick to draw as ten. */

const STYLES = {
  completed: { colour: "curve-strong", width: 1.6, symbol: "circle", dash: "solid" },
  stopped: { colour: "warn", width: 1.3, symbol: "diamond", dash: "dash" },
  running: { colour: "curve-strong", width: 1.3, symbol: "circle-open", dash: "dot" },
  pruned: { colour: "curve", width: 1, symbol: "circle", dash: "solid" },
  failed: { colour: "warn", width: 1, symbol: "x", dash: "dot" },
};
// Points along the lines, besides the anchors, so that a line answers wherever it is touched.
const N_BETWEEN = 7;
const MOST_POINTS = 20000;
const N_LAYERS = 8;
const view = { statuses: new Set(), algorithms: new Set(), along: "rows", top: false, chosen: null };
let drawCurves = () => {};

/* x, mean, both ends of its interval, number of folds. */
function points(candidate) {
  if (view.along === "rows") return candidate.points;
  let sum = 0;
  return candidate.folds.map(([, value], i) => [i + 1, (sum += value) / (i + 1), null, null, i + 1]);
}

function visible(candidate) {
  const { statuses, algorithms } = view;
  return (!statuses.size || statuses.has(candidate.status)) && (!algorithms.size || algorithms.has(candidate.algorithm));
}

function curveTraces(shown) {
  const rest = shown.filter((each) => each !== winner && each.place !== view.chosen);
  const traces = [];
  for (const status of [...STATUSES].reverse()) {
    const members = rest.filter((each) => each.status === status);
    // A trace covers itself only once: in layers, many curves look denser than few.
    const opacity = Math.max(0.2, Math.min(1, 90 / members.length));
    const n_layers = opacity < 1 ? N_LAYERS : 1;
    for (let layer = 0; layer < n_layers; layer += 1) {
      const some = members.filter((_, i) => i % n_layers === layer);
      if (some.length) traces.push(...pair_of_traces(some, STYLES[status], opacity));
    }
  }
  const chosen = shown.find((each) => each.place === view.chosen && each !== winner);
  if (chosen) traces.push(...pair_of_traces([chosen], { colour: "ink", width: 2.6, symbol: "circle", dash: "solid" }, 1));
  if (winner && shown.includes(winner)) {
    const [line, ends] = pair_of_traces([winner], { colour: "accent", width: 3, symbol: "circle", dash: "solid" }, 1);
    ends.marker.size = 9;
    traces.push(line, ends, whiskers(points(winner)));
  }
  return traces;
}

/* The intervals of the winner's means. */
function whiskers(own) {
  const sure = own.filter((each) => known(each[2]));
  return {
    type: "scatter", mode: "markers", hoverinfo: "skip", marker: { size: 1, color: colour("accent") },
    x: sure.map((each) => each[0]),
    y: sure.map((each) => each[1]),
    error_y: {
      type: "data", symmetric: false, color: colour("accent"), thickness: 1.2, width: 4,
      array: sure.map((each) => each[3] - each[1]),
      arrayminus: sure.map((each) => each[1] - each[2]),
    },
  };
}

/* The lines, and a mark where each of them ends. */
function pair_of_traces(members, style, opacity) {
  const line = { x: [], y: [], customdata: [] };
  const end = { x: [], y: [] };
  for (const candidate of members) {
    const own = points(candidate);
    own.forEach((point, i) => {
      if (i) between(line, own[i - 1], point, candidate.place);
      line.x.push(point[0]);
      line.y.push(point[1]);
      line.customdata.push([candidate.place, ...point]);
    });
    if (!own.length) continue;
    end.x.push(own[own.length - 1][0]);
    end.y.push(own[own.length - 1][1]);
    if (members.length > 1) {
      line.x.push(null);
      line.y.push(null);
      line.customdata.push(null);
    }
  }
  const common = { type: "scatter", opacity, connectgaps: false };
  const paint = colour(style.colour);
  return [
    { ...common, ...line, mode: "lines", hoverinfo: "none", line: { color: paint, width: style.width, dash: style.dash } },
    { ...common, ...end, mode: "markers", hoverinfo: "skip", marker: { color: paint, size: 5, symbol: style.symbol } },
  ];
}

/* Points on the way from one to the next; each stands for the nearer end. */
function between(line, from, to, place) {
  const n = Math.min(N_BETWEEN, Math.floor(MOST_POINTS / (2 * candidates.length)));
  const rows = view.along === "rows";
  for (let i = 1; i <= n; i += 1) {
    const share = i / (n + 1);
    line.x.push(rows ? from[0] * (to[0] / from[0]) ** share : from[0] + (to[0] - from[0]) * share);
    line.y.push(from[1] + (to[1] - from[1]) * share);
    line.customdata.push([place, ...(share < 0.5 ? from : to)]);
  }
}

function buildCurves() {
  const shown = candidates.filter(visible);
  const all = shown.flatMap(points);
  const drawn = shown.filter((each) => points(each).length).length;
  describeCurves(shown, drawn, all);
  const rows = view.along === "rows";
  const title = rows ? "training rows" : "folds at the full training set";
  const layout = frame({ text: title, ...xTicks(all, rows) }, { text: metric, ...yRange(shown, all) });
  // A reader's zoom stays until the view is another one.
  layout.uirevision = [view.along, view.top, ...view.statuses, ...view.algorithms].join();
  if (winner && known(answer.score)) {
    const line = { color: colour("accent"), width: 1, dash: "dot" };
    layout.shapes = [{ type: "line", xref: "paper", x0: 0, x1: 1, y0: answer.score, y1: answer.score, line, layer: "below" }];
  }
  return { traces: curveTraces(shown), layout };
}

function xTicks(all, rows) {
  const places = [...new Set(all.map((each) => each[0]))].sort((a, b) => a - b);
  if (!places.length) return { visible: false };
  const step = Math.ceil(places.length / 9);
  const tickvals = places.filter((_, i) => (places.length - 1 - i) % step === 0);
  const ticks = { tickvals, ticktext: tickvals.map(whole_number) };
  const [first, last] = [places[0], places[places.length - 1]];
  if (!rows) return { ...ticks, range: [first - 0.3, last + 0.3] };
  const pad = Math.max(0.04 * (Math.log10(last) - Math.log10(first)), places.length > 1 ? 0 : 0.3);
  return { ...ticks, type: "log", range: [Math.log10(first) - pad, Math.log10(last) + pad] };
}

function yRange(shown, all) {
  const values = all.map((each) => each[1]).filter(known).sort((a, b) => a - b);
  if (!values.length) return { visible: false };
  let low = known(facts.floor) ? Math.max(values[0], facts.floor) : values[0];
  let high = values[values.length - 1];
  if (winner && visible(winner) && view.along === "rows") {
    for (const each of winner.points) high = Math.max(high, known(each[3]) ? each[3] : high);
  }
  if (view.top) {
    const ends = shown.map(points).filter((each) => each.length).map((each) => each[each.length - 1][1]);
    ends.sort((a, b) => b - a);
    low = Math.max(low, ends[Math.min(ends.length - 1, Math.max(4, Math.floor(ends.length / 5)))]);
  }
  const pad = 0.06 * (high - low) || 0.05 * Math.abs(high) || 0.05;
  return { range: [low - pad, high + pad] };
}

function describeCurves(shown, drawn, all) {
  const without = shown.length - drawn;
  const text = [`${count(drawn, "curve")} of ${count(candidates.length, "candidate")}`];
  if (without) text.push(`${whole_number(without)} without a point to draw`);
  const hidden = known(facts.floor) && all.some((each) => each[1] < facts.floor);
  if (hidden) text.push("scores far below the others lie outside the picture");
  const values = all.map((each) => each[1]).filter(known);
  const least = values.reduce((a, b) => Math.min(a, b), Infinity);
  const most = values.reduce((a, b) => Math.max(a, b), -Infinity);
  const span = values.length ? ` Scores from ${score(least)} to ${score(most)}.` : "";
  const best = winner ? ` The best candidate has ${score(answer.score)}.` : "";
  byId("curves-caption").textContent = `${text.join("; ")}. ${
    winner ? "The thick line is the best candidate, the dotted one its score. " : ""
  }A mark shows where a curve ended.${
    COARSE ? " Tap a curve to see how it went." : " Click a curve to see how it went; drag to zoom, double-click to go back."
  }`;
  byId("curves-chart").setAttribute("aria-label", `Chart of ${text.join("; ")}.${span}${best} The table of candidates has the same figures.`);
}

function hoverCurve(point) {
  const candidate = point.customdata && byPlace.get(point.customdata[0]);
  if (!candidate) return null;
  const [, x, y, low, high, n] = point.customdata;
  const rows = view.along === "rows" ? x : facts.target;
  const interval = range(low, high);
  return [
    quoted(candidate.name),
    `${score(y)} at ${whole_number(rows)} rows, ${count(n, "fold")}${interval ? ` (95%: ${interval})` : ""}`,
    make("span", null, quoted(candidate.algorithm, 60), ` · ${candidate.status}`),
    quoted(candidate.why, 240),
  ];
}

/* Show one candidate below the chart, and its curve above the others. */
function choose(place) {
  view.chosen = place;
  const box = byId("curves-chosen");
  box.replaceChildren();
  const candidate = byPlace.get(place);
  if (candidate) {
    const close = make("button", { type: "button", class: "on-screen", click: () => choose(null) }, "Close");
    add(box, make("div", { class: "card" }, make("h3", null, quoted(candidate.name)), details(candidate), close));
  }
  drawCurves();
}
