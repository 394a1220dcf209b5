/* Who was fitted on all rows, if that is not simply the best, and who predicts together. */

function fittedOnAllRows() {
  const { taken, ensemble } = facts.answer;
  return [taken ? takenInstead(taken) : [], ensemble ? together(ensemble) : []].flat();
}

function takenInstead(taken) {
  const candidate = byPlace.get(taken.place);
  const name = whole(candidate.key || candidate.name, 200);
  return [
    make("h3", null, "Who was fitted on all rows?"),
    make("p", { class: "close", id: "answer-taken" }, make("strong", null, name), ". ", whole(taken.reason, 400)),
  ];
}

/* The members with their weights, the gain against the best alone, and the price. */
function together(ensemble) {
  const rows = ensemble.members.map((each) => {
    const member = byPlace.get(each.place);
    return make(
      "tr",
      null,
      make("th", { scope: "row" }, quoted(member.key || member.name)),
      make("td", { class: "number" }, percent(each.weight)),
      make("td", { class: "number" }, known(member.score) ? score(member.score) : "none"),
    );
  });
  const heads = [
    make("th", { scope: "col" }, "Members"),
    make("th", { scope: "col", class: "number" }, "Weight"),
    make("th", { scope: "col", class: "number" }, "Score alone"),
  ];
  return [
    make("h3", null, "An ensemble predicts"),
    make(
      "p",
      { id: "answer-ensemble" },
      `${count(ensemble.members.length, "candidate")} predict together: ${score(ensemble.score)} on rows that the weights were not chosen on, `,
      `${signed(ensemble.gain)} against the best alone on the same rows. Predictions take ${times(ensemble.prediction_cost)} as long.`,
    ),
    make(
      "table",
      { class: "rivals" },
      make("caption", { class: "out-of-sight" }, "The members of the ensemble and their weights"),
      make("thead", null, make("tr", null, heads)),
      make("tbody", null, rows),
    ),
  ];
}

function times(factor) {
  return `${factor >= 10 ? whole_number(Math.round(factor)) : factor.toFixed(1)} times`;
}

/* Who would be taken if the simplest of those that are as good were wanted. */
function simplestChoice(answer) {
  const { simplest } = answer;
  if (!simplest || answer.taken || (!answer.n_close && simplest.place === answer.place)) return null;
  const how = simplest.place === answer.place ? "" : " With refit=\"simplest\" (on the command line --refit simplest) it is taken.";
  return make("p", { class: "certainty", id: "answer-simplest" }, "The simplest choice: ", whole(simplest.reason, 400), how);
}
