// A comparison of two bots: how sure the test is, after each match.
const VERDICTS = { yes: "Yes: the new one is better.", no: "No: the new one is not better.", undecided: "Not sure yet." };
let id = null, points = [];

function fill() {
  const game = $("game").value, here = facts.bots.filter((bot) => !bot.error && (!bot.games || bot.games.includes(game)));
  for (const key of ["new", "old"]) {
    const options = [...here.map((bot) => [bot.word, bot.name]), ...facts.samples[game].map((name) => [name, name])];
    $(key).replaceChildren(...options.map(([value, text]) => el("option", { value }, text)));
  }
  $("old").selectedIndex = Math.min(1, $("old").options.length - 1);
}

function show(comparison) {
  put($("series"), String(comparison.series));
  put($("llr"), `${comparison.llr.toFixed(2)} (${comparison.lower.toFixed(2)} to ${comparison.upper.toFixed(2)})`);
  put($("elo"), comparison.elo === null ? "–" : `${comparison.elo.toFixed(0)} (${comparison.elo_low?.toFixed(0) ?? "–"} to ${comparison.elo_high?.toFixed(0) ?? "–"})`);
  if (points.at(-1)?.[0] !== comparison.series) points.push([comparison.series, comparison.llr]);
  draw(comparison.lower, comparison.upper);
}

/** The log-likelihood ratio over the series, between its two bounds. */
function draw(lower, upper) {
  const width = 600, height = 140, last = Math.max(10, points.at(-1)[0]);
  const y = (value) => height - (Math.min(Math.max(value, lower), upper) - lower) / (upper - lower) * (height - 10) - 5;
  const shape = (tag, attributes) => {
    const node = document.createElementNS("http://www.w3.org/2000/svg", tag);
    for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value);
    return node;
  };
  const level = (value, kind) => shape("line", { x1: 0, x2: width, y1: y(value), y2: y(value), class: kind });
  const path = points.map(([series, llr]) => `${(series / last * width).toFixed(1)},${y(llr).toFixed(1)}`).join(" ");
  $("line").replaceChildren(level(upper, "yes"), level(0, "zero"), level(lower, "no"), shape("polyline", { points: path }));
}

function take(what) {
  if (what.id !== id) return;
  if ("series" in what) return show(what);
  root.dataset.state = what.state;
  if (what.error) wrong({ message: what.error });
  if (what.result) {
    show(what.result);
    $("verdict").dataset.verdict = what.result.verdict;
  }
  put($("verdict"), what.result ? VERDICTS[what.result.verdict] : { queued: "It waits for its turn …", playing: "Both play …" }[what.state] ?? "");
}

$("game").value = facts.main;
$("game").addEventListener("change", fill);
$("compare").addEventListener("submit", async (event) => {
  event.preventDefault();
  wrong(null);
  points = [];
  try {
    id = (await ask("comparisons", { game: $("game").value, new: $("new").value, old: $("old").value })).value.id;
    take((await ask(`comparisons/${id}`)).value);
  } catch (failed) { wrong(failed); }
});
follow({ compare: take }, async () => id && take((await ask(`comparisons/${id}`)).value));
fill();
