// A comparison of two bots: how sure the test is, after each match. Its id is in the address, after #.
const VERDICTS = { yes: "Yes: the new one is better.", no: "No: the new one is not better.", undecided: "Not sure yet." };

function fill() {
  const choices = choicesOf($("game").value);
  for (const key of ["new", "old"]) $(key).replaceChildren(...options(choices));
  $("old").selectedIndex = Math.min(1, choices.length - 1);
}

function show({ series, llr, line, lower, upper, elo, elo_low: low, elo_high: high }) {
  const whole = (number) => number?.toFixed(0) ?? "–";
  put($("series"), String(series));
  put($("llr"), `${llr.toFixed(2)} (${lower.toFixed(2)} to ${upper.toFixed(2)})`);
  put($("elo"), elo === null ? "–" : `${whole(elo)} (${whole(low)} to ${whole(high)})`);
  // The lines of the picture are 0 and the two bounds, which are as far from it.
  const last = Math.max(10, series), y = (value) => 70 - 65 * Math.min(Math.max(value / upper, -1), 1);
  const path = [...line, [series, llr]].map(([x, value]) => `${(600 * x / last).toFixed(1)},${y(value).toFixed(1)}`);
  $("line").lastElementChild.setAttribute("points", path.join(" "));
}

const start = job("compare", "comparisons", "Both play …", (news, state) => {
  if (news.error) {
    say(news.error);
    put(state, "");
  }
  if ("line" in news) show(news);
  const { result } = news;
  if (!result) return;
  state.dataset.verdict = result.verdict;
  put(state, VERDICTS[result.verdict]);
});

$("game").value = facts.main;
$("game").addEventListener("change", fill);
onSend("compare", async (bots) => history.replaceState(null, "", `#${(await start(bots)).id}`));
fill();
if (location.hash) attempt(async () => {
  const bots = await start(location.hash.slice(1));
  $("game").value = bots.game;
  fill();
  for (const key of ["new", "old"]) $(key).value = bots[key];
});
