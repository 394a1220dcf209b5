/* What each column is worth, the levels of a column, and the rows that were hardest. */

const N_SHOWN = 20;
const N_FIRST = 8;

function showImportance() {
  const { columns, candidate, n_columns, n_rows, seconds, why } = model.importance;
  const title = "Which columns matter";
  if (!columns.length) return part("importance", title, whole(why || "No column was shuffled.", 400));
  const most = Math.max(...columns.map((each) => Math.abs(each.importance)), 0) || 1;
  const repeats = Math.max(...columns.map((each) => each.n_repeats));
  const lead = [
    "By how much the score is lower when a column is shuffled in rows that the model had not seen, so that it tells nothing any more: ",
    `${count(repeats, "time", "times")}, each on another fold; ${count(n_rows, "row")} in all, ${duration(seconds)}. `,
    model.n_members > 1 ? ["It is about the best candidate alone, ", quoted(candidate, 60), ". "] : null,
    "If two columns carry the same information, each of them alone seems to matter little.",
  ].flat();
  const line = (each) => {
    const fill = make("span", { class: each.importance > 0 ? "accent" : null });
    fill.style.width = `${((100 * Math.max(each.importance, 0)) / most).toFixed(2)}%`;
    const interval = known(each.low) ? `${signed(each.low)} to ${signed(each.high)}` : "";
    return make(
      "tr",
      null,
      make("th", { scope: "row" }, quoted(each.column, 60)),
      make("td", { class: "track" }, fill),
      make("td", { class: "number" }, score(each.importance)),
      make("td", { class: "number muted small minor" }, interval),
    );
  };
  const table = (some, title) =>
    make(
      "table",
      { class: "bars" },
      make("caption", { class: "out-of-sight" }, title),
      make("thead", { class: "out-of-sight" }, make("tr", null, ["Column", "Bar", "Score lost", "95% interval"].map((text) => make("th", { scope: "col" }, text)))),
      make("tbody", null, some.map(line)),
    );
  const rest = columns.slice(N_SHOWN);
  const more = rest.length ? make("details", null, make("summary", null, `${count(rest.length, "more column")}`), table(rest, "More columns")) : null;
  const n_left = n_columns - columns.length;
  return part(
    "importance",
    title,
    lead,
    table(columns.slice(0, N_SHOWN), title),
    more,
    why ? make("p", { class: "muted small" }, whole(why, 400)) : null,
    !why && n_left > 0 ? make("p", { class: "muted small" }, `${count(n_left, "column")} with less are not listed.`) : null,
  );
}

/* How good the model is on the levels of a column that the user has named. */
function showLevels() {
  const { column, levels, metric: name, score: all } = model.by;
  const shown = name.replace(/_/g, " ");
  const ends = rangeOf(levels.flatMap((each) => [each.score, each.low, each.high]).concat(all));
  const label = (each) => `${score(each.score)}${known(each.low) ? `, 95% interval ${score(each.low)} to ${score(each.high)}` : ""}`;
  const aside = levels.filter((each) => known(each.low) && (each.high < all || each.low > all));
  const columns = [
    ["Level", "", (each) => [quoted(each.level, 60), known(each.high) && each.high < all ? " " : null, known(each.high) && each.high < all ? make("span", { class: "tag" }, "worse") : null]],
    ["Rows", "number", (each) => whole_number(each.n_rows)],
    ["Score", "number", (each) => score(each.score)],
    ["with 95% interval", "whisker minor", (each) => dotOnScale({ value: each.score, low: each.low, high: each.high }, ends, all, label(each))],
  ];
  return part(
    "by",
    ["Score by ", quoted(column, 60)],
    [
      `All rows together: ${shown} ${score(all)}, the blue line. `,
      aside.length ? `The intervals of ${count(aside.length, "level")} do not reach it; with many levels, some do not by chance.` : "No level is clearly apart from it.",
    ],
    tableOf("Score by level", columns, levels, "rivals"),
  );
}

/* The rows on which the model errs most. */
function showHardest() {
  const { rows, id_column, n_wrong } = model.hardest;
  const numbers = rows.some((each) => known(each.residual));
  const columns = [["Row", "", (each) => whole_number(each.row)]];
  if (rows.some((each) => each.id !== null)) columns.push([quoted(id_column || "id", 30), "", (each) => quoted(each.id ?? "", 40)]);
  columns.push(["True", numbers ? "number" : "", (each) => plainNumber(each.true)], ["Predicted", numbers ? "number" : "", (each) => plainNumber(each.predicted)]);
  if (numbers) columns.push(["Residual", "number", (each) => plainNumber(each.residual)]);
  if (rows.some((each) => known(each.probability))) columns.push(["Probability", "number", (each) => share(each.probability)]);
  const lead = numbers
    ? "The largest residuals. Look here first for rows that were recorded wrongly, or for which the table lacks important information."
    : `${count(n_wrong, "row")} were predicted wrongly; these were the hardest. Look here first for rows that were labelled wrongly, or for which the table lacks important information.`;
  const meant = rows.some((each) => known(each.probability)) ? " Probability: what the true class was given." : "";
  const rest = rows.slice(N_FIRST);
  return part(
    "hardest",
    "The rows that were hardest",
    [lead, meant, " Rows are counted from 1, as they stand in the table."],
    rows.length ? tableOf("The rows that were hardest", columns, rows.slice(0, N_FIRST)) : make("p", null, "No row was predicted wrongly."),
    rest.length ? sameAsTable(`${count(rest.length, "more row")}`, columns, rest) : null,
  );
}
