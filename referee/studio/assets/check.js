// The check of a bot: each step as it ends, with the evidence of what failed.
let id = null;

function step(number, { title, verdict, note, warnings, failure }) {
  const lines = [el("strong", {}, title), note && ` ${note}`, ...(warnings ?? []).map((text) => el("p", { class: "warning" }, text))];
  if (failure) {
    lines.push(el("p", { class: "cause" }, failure.says), failure.change && el("p", { class: "cure" }, failure.change));
    const log = failure.fault === "does-not-build" ? "Compiler output" : "Its stderr";
    const parts = [["It was sent last", failure.sent], ["It wrote", failure.came && [failure.came]], [log, failure.stderr]];
    for (const [words, texts] of parts) {
      if (texts?.length) lines.push(el("h3", {}, words), el("pre", { class: "evidence" }, texts.join("\n")));
    }
  }
  return el("li", { "data-step": number, "data-verdict": verdict }, ...lines.filter(Boolean));
}

function add(what) {
  if (what.id !== id) return;
  if (what.number) {
    if (!$("steps").querySelector(`[data-step="${what.number}"]`)) $("steps").append(step(what.number, what));
    return;
  }
  end(what);
}

function end({ state, error, steps, passed }) {
  root.dataset.state = state;
  if (steps) {
    $("steps").replaceChildren(...steps.map((each) => step(each.number, each)));
    root.dataset.passed = Number(passed);
    put($("state"), passed ? "Passed: it is ready for a contest." : "Failed: see what to change below.");
  } else put($("state"), error ?? { queued: "It waits for its turn …", playing: "It is being checked …" }[state] ?? "");
}

async function begin() {
  $("steps").replaceChildren();
  try {
    id = (await ask("checks", { bot: `./${facts.bot}` })).value.id;
    end((await ask(`checks/${id}`)).value);
  } catch (failed) { put($("state"), failed.message); }
}

$("again").addEventListener("click", begin);
follow({ check: add }, async () => id && end((await ask(`checks/${id}`)).value));
begin();
