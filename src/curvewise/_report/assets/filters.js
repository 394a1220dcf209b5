/* The switches above the curves: none pressed means that all are shown. */

function showFilters() {
  const box = byId("curves-filters");
  const n_anchors = new Set(candidates.flatMap((each) => each.points.map((point) => point[0]))).size;
  // Of a run that is being watched, the first curve may come later.
  if (n_anchors < 2) Object.assign(view, { along: "folds", forced: true });
  else if (view.forced) Object.assign(view, { along: "rows", forced: false });
  const lead = n_anchors < 2
    ? `This search looked only at full training sets of ${whole_number(facts.target)} rows, so there are no learning curves. Shown is each candidate’s mean score after its first folds.`
    : `Each candidate’s mean score as its training set grows to ${whole_number(facts.target)} rows.${afterwards()}`;
  byId("curves-lead").textContent = n_anchors ? lead : "No candidate has a score yet: there is nothing to draw.";
  if (!n_anchors) return;
  const n = new Map(counted("status"));
  const statuses = STATUSES.filter((name) => n.has(name)).map((name) => [name, n.get(name)]);
  const algorithms = counted("algorithm");
  add(
    box,
    switches("Status", statuses, view.statuses, true),
    algorithms.length > 1 ? switches("Algorithm", algorithms, view.algorithms, false) : null,
    options(n_anchors),
  );
}

/* Who has a curve only because it was made after the search. */
function afterwards() {
  const made = facts.curves_after;
  if (!made) return "";
  const long = candidates.filter((each) => each.points.length > 1).length;
  const only = facts.anchors.length < 2 ? "The search itself looked only at full training sets. " : "";
  return ` ${only}After the search, the best ${long > 1 ? "candidates were" : "candidate was"} also fitted on half of the rows, a quarter and so on: ${count(made.n_fits, "fit")} in ${duration(made.seconds)}, which did not change the choice.`;
}

function counted(field) {
  const n = new Map();
  for (const each of candidates) n.set(each[field], (n.get(each[field]) || 0) + 1);
  return [...n].sort((a, b) => b[1] - a[1]);
}

function switches(title, names, pressed, withSwatch) {
  const buttons = names.map(([name, n]) =>
    toggle(
      [withSwatch ? swatch(name) : null, quoted(name, 40), " ", make("span", { class: "count" }, whole_number(n))],
      () => pressed.has(name),
      (on) => (on ? pressed.add(name) : pressed.delete(name)),
    ),
  );
  return group(title, buttons);
}

function options(n_anchors) {
  const buttons = [toggle(["Zoom to the best"], () => view.top, (on) => (view.top = on))];
  if (n_anchors > 1) {
    buttons.push(toggle(["By folds"], () => view.along === "folds", (on) => (view.along = on ? "folds" : "rows")));
  }
  return group("View", buttons);
}

function group(title, buttons) {
  const kind = buttons.length > 24 ? "many" : null;
  return make("div", { role: "group", "aria-label": title, class: kind }, make("span", { class: "label" }, title), buttons);
}

function toggle(content, get, set) {
  const button = make("button", { type: "button", "aria-pressed": String(get()) }, content);
  button.addEventListener("click", () => {
    set(!get());
    button.setAttribute("aria-pressed", String(get()));
    hideTooltip();
    drawCurves();
  });
  return button;
}

function swatch(status) {
  const mark = make("span", { class: "swatch", "aria-hidden": "true" });
  const dash = STYLES[status].dash;
  mark.style.borderTopStyle = dash === "solid" ? "solid" : dash === "dot" ? "dotted" : "dashed";
  mark.style.borderTopColor = `var(--${STYLES[status].colour})`;
  return mark;
}
