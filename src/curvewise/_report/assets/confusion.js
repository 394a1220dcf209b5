/* Which classes are taken for which: a table whose cells are shaded, in rows or in shares. */

function showConfusion() {
  const { labels, counts } = model.confusion;
  const n = labels.length;
  const at = (i, k) => counts[i * n + k];
  const support = labels.map((_, i) => counts.slice(i * n, i * n + n).reduce((sum, each) => sum + each, 0));
  const shareAt = (i, k) => (support[i] ? at(i, k) / support[i] : 0);
  const cells = [];
  const lines = labels.map((label, i) => {
    const row = labels.map((other, k) => {
      const cell = make("td", { class: i === k ? "right" : "wrong" });
      const strength = Math.sqrt(shareAt(i, k));
      cell.style.setProperty("--strength", at(i, k) ? `${Math.round(6 + 38 * strength)}%` : "0%");
      const say = (event) =>
        showTooltip([
          make("span", null, quoted(label, 40), i === k ? " found" : [" mistaken for ", quoted(other, 40)]),
          `${count(at(i, k), "row")}, ${share(shareAt(i, k))} of this class`,
        ].map((line) => (line instanceof Node ? line : make("span", null, line))), event);
      cell.addEventListener("mousemove", say);
      cell.addEventListener("mouseleave", hideTooltip);
      cells.push([cell, i, k]);
      return cell;
    });
    return make("tr", null, make("th", { scope: "row" }, quoted(label, 18)), row, make("td", { class: "number muted" }, whole_number(support[i])));
  });
  const fill = (how) => {
    for (const [cell, i, k] of cells) {
      cell.textContent = how ? (at(i, k) ? `${Math.round(100 * shareAt(i, k)) || "<1"}` : "") : at(i, k) || "";
      if (!cell.textContent) cell.append(make("span", { class: "out-of-sight" }, "0"));
    }
  };
  fill(0);
  const heads = labels.map((label) => make("th", { scope: "col" }, quoted(label, n > 12 ? 4 : 8)));
  return part(
    "confusion",
    "Which classes are mistaken for which",
    confusionInWords(labels, at, shareAt, support),
    choice("Show", ["rows", "percent of the class"], 0, fill),
    make(
      "div",
      { class: "scroll", tabindex: "0", role: "region", "aria-label": "Confusion matrix" },
      make(
        "table",
        { class: `confusion ${n > 6 ? "many" : ""}` },
        make("caption", { class: "small muted" }, "A line for each true class, a column for each predicted one; the last column has the rows of the class."),
        make("thead", null, make("tr", null, make("th", { scope: "col" }, "true"), heads, make("th", { scope: "col", class: "number" }, "rows"))),
        make("tbody", null, lines),
      ),
    ),
  );
}

function confusionInWords(labels, at, shareAt, support) {
  const n_right = labels.reduce((sum, _, i) => sum + at(i, i), 0);
  const n_rows = support.reduce((sum, each) => sum + each, 0);
  const said = [`${whole_number(n_right)} of ${count(n_rows, "row")} (${share(n_right / n_rows)}) were predicted correctly. `];
  const wrong = labels.flatMap((_, i) => labels.map((__, k) => [at(i, k), i, k])).filter(([rows, i, k]) => rows && i !== k);
  wrong.sort((one, other) => other[0] - one[0]);
  if (wrong.length) {
    said.push("Most often: ");
    wrong.slice(0, 3).forEach(([rows, i, k], place) => {
      said.push(place ? "; " : "", quoted(labels[i], 30), " mistaken for ", quoted(labels[k], 30), ` (${count(rows, "row")}, ${share(shareAt(i, k))})`);
    });
    said.push(".");
  }
  return said;
}

/* How well each class is found. */
function showClasses() {
  const areas = new Map(((model.rankings && model.rankings.curves) || []).map((each) => [each.label, each.roc]));
  const columns = [
    ["Class", "", (each) => quoted(each.label, 40)],
    ["Rows", "number", (each) => whole_number(each.n_rows)],
    ["Precision", "number", (each) => share(each.precision)],
    ["Recall", "number", (each) => share(each.recall)],
    ["F1", "number", (each) => share(each.f1)],
  ];
  if (areas.size > 1) columns.push(["ROC area", "number minor", (each) => (areas.has(each.label) ? score(areas.get(each.label).area) : "–")]);
  const sorted = [...model.classes].sort((one, other) => (one.f1 ?? -1) - (other.f1 ?? -1));
  return part(
    "classes",
    "Score by class",
    "The class with the worst score comes first. Precision: the share of the rows predicted as this class that belong to it. Recall: the share of its rows that were found.",
    tableOf("Score by class", columns, sorted),
  );
}
