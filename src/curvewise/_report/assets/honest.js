/* What the choice is expected to score on new rows, beside its score on the folds. */

function honestFigure() {
  const { honest, ensemble } = facts.answer;
  if (!honest) return null;
  const parts = [`${percent(honest.level)} interval ${range(honest.low, honest.high)}`];
  // What does not show among the digits of a score is not worth a word.
  const shows = (part) => part > 0 && score(honest.score + part) !== score(honest.score);
  if (ensemble) parts.push(`of the ensemble, which scores ${score(ensemble.score)} on the folds`);
  if (honest.n_candidates > 1) parts.push(`${score(honest.optimism)} less for being the best of ${whole_number(honest.n_candidates)}`);
  if (shows(honest.growth)) parts.push(`${score(honest.growth)} more for a final fit on more rows`);
  const shown = figure(`Expected ${metric} on new rows`, score(honest.score), parts.join("; "));
  shown.id = "answer-honest";
  return shown;
}
