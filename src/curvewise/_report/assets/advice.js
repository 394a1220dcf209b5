/* Whether more rows would help: the answer in sentences, and the way there. */

function showAdvice() {
  const advice = facts.advice;
  if (!advice) return false;
  byId("advice").hidden = false;
  byId("advice-link").hidden = false;
  const [first, ...rest] = advice.sentences;
  add(byId("advice-body"), make("p", null, make("strong", null, whole(first, 300))));
  add(byId("advice-body"), rest.map((sentence) => make("p", { class: "close" }, whole(sentence, 300))));
  if (!advice.path.length) return false;
  const last = advice.path[advice.path.length - 1];
  byId("advice-figure").hidden = false;
  byId("advice-caption").textContent =
    `The leader’s curve, and the best score that is expected on the way to ${whole_number(advice.rows[1])} rows ` +
    `(dashed) with its ${percent(advice.level)} interval.`;
  byId("advice-chart").setAttribute(
    "aria-label",
    `Chart of the expected score: ${score(advice.path[0][1])} now, ${score(last[1])} expected, between ${score(last[2])} and ${score(last[3])}.`,
  );
  return true;
}

function buildAdvice() {
  const { curve, path } = facts.advice;
  const accent = colour("accent");
  const xs = path.map((each) => each[0]);
  const band = {
    type: "scatter", mode: "lines", hoverinfo: "skip", line: { width: 0 }, fill: "toself", fillcolor: colour("band"),
    x: [...xs, ...[...xs].reverse()],
    y: [...path.map((each) => each[3]), ...path.map((each) => each[2]).reverse()],
  };
  const traces = [
    band,
    {
      type: "scatter", mode: "lines", x: xs, y: path.map((each) => each[1]), customdata: path,
      hoverinfo: "none", line: { color: accent, width: 2, dash: "dash" },
    },
    {
      type: "scatter", mode: "lines+markers", x: curve.map((each) => each[0]), y: curve.map((each) => each[1]), customdata: curve,
      hoverinfo: "none", line: { color: accent, width: 2 }, marker: { color: accent, size: 7 },
    },
  ];
  const places = [...curve.map((each) => each[0]), xs[xs.length - 1]];
  const [first, last] = [Math.log10(places[0]), Math.log10(places[places.length - 1])];
  const pad = 0.05 * (last - first);
  const ticks = {
    type: "log", range: [first - pad, last + pad], tickvals: places, ticktext: places.map((each) => whole_number(Math.round(each))),
  };
  return { traces, layout: frame({ text: "training rows", ...ticks }, { text: metric, tickformat: "~g" }) };
}

function hoverAdvice(point) {
  const [rows, value, low, high] = point.customdata;
  const lines = [`${score(value)}${known(low) ? " expected" : ""}`, `with ${whole_number(Math.round(rows))} training rows`];
  return known(low) && low !== high ? [...lines, `${score(low)} to ${score(high)}`] : lines;
}
