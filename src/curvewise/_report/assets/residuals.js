/* Models of numbers: predicted against true, what is left, and how that is spread. */

function showResiduals() {
  const found = model.residuals;
  const points = found.points;
  const drawn = points.length < found.n_rows ? `${whole_number(points.length)} of ${count(found.n_rows, "row")} are drawn, always the same; all count in the numbers.` : `${count(found.n_rows, "row")}.`;
  const lean = Math.abs(found.bias) < 0.05 * found.mean_absolute_error ? "" : ` On average predictions are too ${found.bias > 0 ? "small" : "large"} by ${text_of(plainNumber(Math.abs(found.bias)))}.`;
  const lead =
    `Half of the rows are off by at most ${text_of(plainNumber(found.half_within))}, 90% by at most ${text_of(plainNumber(found.most_within))}. ` +
    `Mean absolute error ${text_of(plainNumber(found.mean_absolute_error))}, root mean squared error ${text_of(plainNumber(found.root_mean_squared_error))}` +
    (known(found.r2) ? `, R² ${score(found.r2)}` : "") + `.${lean}`;
  const sides = make("div", { class: "columns" });
  add(
    sides,
    chartFigure("model-predicted-chart", "Predicted against true values; the sentence above says how far they are apart.", `Predicted against true. On the dotted line they are the same. ${drawn}`, buildPredicted, hoverPoint),
    chartFigure("model-residual-chart", "Residuals against predicted values; the table below says their means.", "Residual (true minus predicted) against predicted. The line has the mean of each tenth of the rows with its 95% interval: away from 0, predictions lean to one side.", buildLeft, hoverPoint),
  );
  const columns = [
    ["Predicted", "", (each) => [plainNumber(each.low), " to ", plainNumber(each.high)]],
    ["Mean residual", "number", (each) => plainNumber(each.residual)],
    ["95% interval", "number minor", (each) => (known(each.residual_low) ? [plainNumber(each.residual_low), " to ", plainNumber(each.residual_high)] : "–")],
    ["Spread", "number", (each) => plainNumber(each.spread)],
    ["Rows", "number", (each) => whole_number(each.n_rows)],
  ];
  const beyond = found.n_beyond ? ` ${count(found.n_beyond, "row")} beyond its ends ${found.n_beyond === 1 ? "is" : "are"} not drawn.` : "";
  return part(
    "residuals",
    "How far predictions are off",
    lead,
    sides,
    chartFigure("model-histogram-chart", "Distribution of residuals; the sentence above has its quantiles.", `How residuals are spread.${beyond}`, buildHistogram, hoverBar, "low"),
    sameAsTable("Residuals as a table", columns, found.bins),
  );
}

function text_of(shown) {
  return typeof shown === "string" ? shown : shown.textContent;
}

function dots(xs, ys) {
  return {
    type: "scatter", mode: "markers", x: xs, y: ys, customdata: model.residuals.points, hoverinfo: "none",
    marker: { color: colour("accent"), size: 5, opacity: model.residuals.points.length > 300 ? 0.4 : 0.65 },
  };
}

function buildPredicted() {
  const { points } = model.residuals;
  const ends = rangeOf(points.flat());
  const xs = points.map((each) => each[1]);
  const ys = points.map((each) => each[0]);
  const line = { type: "scatter", mode: "lines", x: ends, y: ends, hoverinfo: "skip", line: { color: colour("muted"), width: 1, dash: "dot" } };
  return { traces: [dots(xs, ys), line], layout: frame({ text: "predicted", tickformat: "~g" }, { text: "true", tickformat: "~g" }) };
}

function buildLeft() {
  const { points, bins } = model.residuals;
  const xs = points.map((each) => each[1]);
  const zero = { type: "scatter", mode: "lines", x: rangeOf(xs), y: [0, 0], hoverinfo: "skip", line: { color: colour("muted"), width: 1, dash: "dot" } };
  const sure = bins.filter((each) => known(each.residual_low));
  const means = {
    type: "scatter", mode: "lines+markers", hoverinfo: "skip", x: sure.map((each) => each.predicted), y: sure.map((each) => each.residual),
    line: { color: colour("ink"), width: 1.5 }, marker: { color: colour("ink"), size: 5 },
    error_y: { type: "data", array: sure.map((each) => each.residual_high - each.residual), thickness: 1.3, width: 3, color: colour("ink") },
  };
  const layout = frame({ text: "predicted", tickformat: "~g" }, { text: "residual", tickformat: "~g" });
  return { traces: [dots(xs, points.map((each) => each[0] - each[1])), zero, means], layout };
}

function hoverPoint(point) {
  const [truth, predicted] = point.customdata;
  return [["predicted ", plainNumber(predicted)], ["true ", plainNumber(truth)], ["residual ", plainNumber(truth - predicted)]].map((each) => make("span", null, each));
}

function buildHistogram() {
  const { edges, counts } = model.residuals;
  const middle = counts.map((_, i) => (edges[i] + edges[i + 1]) / 2);
  const bars = {
    type: "bar", x: middle, y: counts, width: edges[1] - edges[0], customdata: counts.map((n, i) => [edges[i], edges[i + 1], n]), hoverinfo: "none",
    marker: { color: colour("accent"), line: { color: colour("paper"), width: 1 } },
  };
  return { traces: [bars], layout: frame({ text: "residual", tickformat: "~g" }, { text: "rows", rangemode: "tozero" }) };
}

function hoverBar(point) {
  const [from, to, n] = point.customdata;
  return [make("span", null, count(n, "row")), make("span", null, "residual ", plainNumber(from), " to ", plainNumber(to))];
}
