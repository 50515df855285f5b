// A comparison of two bots: how sure the test is, after each match.
const VERDICTS = { yes: "Yes: the new one is better.", no: "No: the new one is not better.", undecided: "Not sure yet." };
let points = [];

function fill() {
  const choices = choicesOf($("game").value);
  for (const key of ["new", "old"]) $(key).replaceChildren(...options(choices));
  $("old").selectedIndex = Math.min(1, choices.length - 1);
}

function show({ series, llr, lower, upper, elo, elo_low: low, elo_high: high }) {
  const whole = (number) => number?.toFixed(0) ?? "–";
  put($("series"), String(series));
  put($("llr"), `${llr.toFixed(2)} (${lower.toFixed(2)} to ${upper.toFixed(2)})`);
  put($("elo"), elo === null ? "–" : `${whole(elo)} (${whole(low)} to ${whole(high)})`);
  if (points.at(-1)?.[0] !== series) points.push([series, llr]);
  draw(upper);
}

/** The log-likelihood ratio over the series. The lines of the picture are 0 and the two bounds, which are as far from it. */
function draw(bound) {
  const last = Math.max(10, points.at(-1)[0]), y = (value) => 70 - 65 * Math.min(Math.max(value / bound, -1), 1);
  const path = points.map(([series, llr]) => `${(600 * series / last).toFixed(1)},${y(llr).toFixed(1)}`);
  $("line").lastElementChild.setAttribute("points", path.join(" "));
}

const start = job("compare", "comparisons", "Both play …", (news, state) => {
  if (news.error) {
    say(news.error);
    put(state, "");
  }
  const { result } = news;
  if (result || "series" in news) show(result ?? news);
  if (!result) return;
  state.dataset.verdict = result.verdict;
  put(state, VERDICTS[result.verdict]);
});

$("game").value = facts.main;
$("game").addEventListener("change", fill);
onSend("compare", (bots) => {
  points = [];
  return start(bots);
});
fill();
