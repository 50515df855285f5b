// The check of a bot: each step as it ends, with the evidence of what failed. Its id is in the address, after #, so that a
// page that is loaded again shows the same check.
const RESULTS = { pass: "✓ passed", fail: "✗ failed", skip: "– skipped" };

function step({ number, title, verdict, note, warnings, failure }) {
  const { fault, says, change, sent, came, stderr } = failure ?? {};
  const log = fault === "does-not-build" ? "Compiler output" : "Its stderr";
  const evidence = [["It was sent last", sent], ["It wrote", came && [came]], [log, stderr]];
  return el("li", { "data-step": number, "data-verdict": verdict },
    el("div", { class: "row" }, el("strong", {}, title), el("small", { class: "result" }, RESULTS[verdict])),
    note && el("p", { class: "hint" }, note),
    (warnings ?? []).map((text) => el("p", { class: "warning" }, text)),
    failure && [el("p", { class: "cause" }, says), el("p", { class: "cure" }, change)],
    evidence.filter(([, texts]) => texts?.length).flatMap(([words, texts]) =>
      [el("h3", {}, words), el("pre", { class: "evidence" }, texts.join("\n"))]));
}

const start = job("check", "checks", "It is being checked …", (check, state) => {
  if (check.number > $("steps").children.length) $("steps").append(step(check));
  if (!check.steps) return;
  $("steps").replaceChildren(...check.steps.map(step));
  root.dataset.passed = Number(check.passed);
  put(state, check.passed ? "Passed: it is ready for a contest." : "Failed: see what to change below.");
});

/** Follow the check with this id, or start one. */
async function begin(id = "") {
  $("steps").replaceChildren();
  history.replaceState(null, "", `#${(await start(id || { bot: `./${facts.bot}` })).id}`);
}

$("again").addEventListener("click", ({ target }) => attempt(begin, target));
attempt(() => begin(location.hash.slice(1)), $("again"));
