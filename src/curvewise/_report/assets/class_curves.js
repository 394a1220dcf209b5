/* ROC and precision-recall curves of a class against the others, and how reliable probabilities are. */

const ranked = { chosen: 0, charts: [] };

function showRankings() {
  const { curves, n_resamples } = model.rankings;
  // The class that is told apart worst stands out first.
  ranked.chosen = curves.reduce((worst, each, i) => (each.roc.area < curves[worst].roc.area ? i : worst), 0);
  const single = curves.length === 1;
  const redraw = (i) => {
    ranked.chosen = i;
    for (const draw of ranked.charts) draw();
    say();
  };
  const sentence = make("p", { class: "close", "aria-live": "polite" });
  const say = () => sentence.replaceChildren(...rankingInWords(curves[ranked.chosen]));
  say();
  const sides = make("div", { class: "columns" });
  add(
    sides,
    rankingFigure("roc", "roc", facts.model.rankings.rates, ["false positive rate", "true positive rate"]),
    rankingFigure("precision", "precision_recall", facts.model.rankings.recalls, ["recall", "precision"]),
  );
  const columns = [
    ["Class", "", (each) => quoted(each.label, 40)],
    ["Rows", "number", (each) => whole_number(each.n_rows)],
    ["Area under the ROC curve", "number wrap", (each) => areaText(each.roc)],
    ["Average precision", "number wrap", (each) => areaText(each.precision_recall)],
  ];
  return part(
    "rankings",
    single ? "How well the class is told apart" : "How well each class is told from the others",
    null,
    single ? null : choice("Class", curves.map((each) => each.label), ranked.chosen, redraw),
    sentence,
    sides,
    make(
      "p",
      { class: "muted small" },
      `Bands and intervals: 95%, from ${n_resamples} resamples of the rows (bootstrap). They show the chance of which rows were tested, not that of other training rows. `,
      single ? null : "Grey: the other classes. ",
      "Dotted: guessing.",
    ),
    sameAsTable("Areas as a table", columns, curves),
  );
}

function areaText(curve) {
  const interval = range(curve.area_low, curve.area_high);
  return interval ? `${score(curve.area)} (${interval})` : score(curve.area);
}

function rankingInWords(each) {
  return [
    quoted(each.label, 60),
    ` against the rest: area under the ROC curve ${areaText(each.roc)}, average precision ${areaText(each.precision_recall)}; ${count(each.n_rows, "row")} of it, ${share(each.share)} of all.`,
  ].map((piece) => (piece instanceof Node ? piece : document.createTextNode(piece)));
}

function rankingFigure(id, field, xs, [below, beside]) {
  const name = field === "roc" ? "ROC curve" : "Precision-recall curve";
  const build = () => {
    const { curves } = model.rankings;
    const own = curves[ranked.chosen];
    const traces = curves.filter((each) => each !== own).map((each) => ({
      type: "scatter", mode: "lines", x: xs, y: each[field].y, hoverinfo: "skip", line: { color: colour("faint"), width: 1 },
    }));
    const guess = field === "roc" ? [0, 1] : [own.share, own.share];
    traces.push({ type: "scatter", mode: "lines", x: [0, 1], y: guess, hoverinfo: "skip", line: { color: colour("muted"), width: 1, dash: "dot" } });
    const { y, low, high } = own[field];
    if (low) {
      traces.push({
        type: "scatter", mode: "lines", hoverinfo: "skip", line: { width: 0 }, fill: "toself", fillcolor: colour("band"),
        x: [...xs, ...[...xs].reverse()], y: [...high, ...[...low].reverse()],
      });
    }
    const data = xs.map((x, i) => [x, y[i], low ? low[i] : null, high ? high[i] : null]);
    // The first point of the ROC curve is where it begins, in the corner.
    const from = field === "roc" ? { x: [0, ...xs], y: [0, ...y], data: [[0, 0, null, null], ...data] } : { x: xs, y, data };
    traces.push({ type: "scatter", mode: "lines", x: from.x, y: from.y, customdata: from.data, hoverinfo: "none", line: { color: colour("accent"), width: 2 } });
    const unit = { range: [-0.02, 1.02], tickvals: [0, 0.25, 0.5, 0.75, 1] };
    return { traces, layout: frame({ text: below, ...unit }, { text: beside, ...unit }) };
  };
  const hover = (point) => {
    const [x, y, low, high] = point.customdata;
    const lines = [`${beside} ${share(y)}`, `at a ${below} of ${share(x)}`];
    return known(low) ? [...lines, `${share(low)} to ${share(high)}`] : lines;
  };
  modelCharts.push(() => ranked.charts.push(chart(`model-${id}-chart`, build, { hover })));
  return make(
    "figure",
    null,
    make("div", { class: "chart", id: `model-${id}-chart`, role: "img", "aria-label": `${name}; the sentence above and the table below say its area.` }),
    make("figcaption", null, name),
  );
}

/* Predicted against observed: on the dotted line probabilities are what they say. */
function showReliability() {
  const { subject, bins } = model.reliability;
  const whose = subject === "the predicted class" ? "the predicted class" : quoted(subject, 40);
  const build = () => {
    const accent = colour("accent");
    const xs = bins.map((each) => each.predicted);
    const ys = bins.map((each) => each.observed);
    const traces = [
      { type: "scatter", mode: "lines", x: [0, 1], y: [0, 1], hoverinfo: "skip", line: { color: colour("muted"), width: 1, dash: "dot" } },
      {
        type: "scatter", mode: "lines+markers", x: xs, y: ys, customdata: bins.map((_, i) => i), hoverinfo: "none",
        line: { color: accent, width: 1.5 }, marker: { color: accent, size: 8 },
        error_y: {
          type: "data", symmetric: false, thickness: 1.3, width: 4, color: accent,
          array: bins.map((each) => each.most - each.observed), arrayminus: bins.map((each) => each.observed - each.least),
        },
      },
    ];
    const unit = { range: [-0.02, 1.02], tickvals: [0, 0.25, 0.5, 0.75, 1] };
    return { traces, layout: frame({ text: "predicted probability", ...unit }, { text: "share observed", ...unit }) };
  };
  const hover = (point) => {
    if (!known(point.customdata)) return null;
    const each = bins[point.customdata];
    return [`predicted ${share(each.predicted)}`, `observed ${share(each.observed)} (${share(each.least)} to ${share(each.most)})`, count(each.n_rows, "row")];
  };
  const n = bins.reduce((sum, each) => sum + each.n_rows, 0);
  const distance = bins.reduce((sum, each) => sum + (each.n_rows * Math.abs(each.predicted - each.observed)) / n, 0);
  const columns = [
    ["Predicted", "", (each) => share(each.predicted)],
    ["Observed", "number", (each) => share(each.observed)],
    ["95% interval", "number", (each) => `${share(each.least)} to ${share(each.most)}`],
    ["Rows", "number", (each) => whole_number(each.n_rows)],
  ];
  return part(
    "reliability",
    "Can the probabilities be trusted?",
    ["The probability of ", whose, ` and how often it came true: on average ${share(distance)} apart, in ${count(bins.length, "bin")} with about as many rows each.`],
    chartFigure(
      "model-reliability-chart", "Reliability diagram; the table below says the same.",
      "On the dotted line predicted and observed shares are equal; below it the predicted ones are too high. Bars: 95% intervals.", build, hover, "square",
    ),
    sameAsTable("Predicted and observed as a table", columns, bins),
  );
}
