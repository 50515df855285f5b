// Test positions, and new games to debug: what is kept beside the program, and what is played for it.
const POLL = 300; // milliseconds between two questions whether a match is over
const PROGRAM = { name: facts.name, game: facts.game };

/** Run all tests of the program, as its text is now. */
async function runTests(text) {
  const { tests } = (await ask("programs/tests", { ...PROGRAM, text })).value;
  const passed = tests.filter(({ verdict }) => verdict === "pass").length;
  put($("passed"), tests.length ? `${passed} of ${tests.length} pass` : "");
  $("passed").dataset.verdict = passed === tests.length ? "pass" : "fail";
  $("untested").hidden = tests.length > 0;
  patch($("tests"), tests.map(({ test, verdict, demand, answer, why, origin, saved }) => {
    const pass = verdict === "pass", failure = !pass && (answer ? `answers ${answer}` : why);
    const match = facts.matches.find(({ file }) => file === saved?.split("/").at(-1)), seats = match?.players.join(", ");
    const from = seats ? origin.replace(saved, () => seats) : origin;
    return el("li", { "data-verdict": verdict },
      el("b", { role: "img", "aria-label": verdict }, pass ? "✓" : "✗"),
      el("span", { title: origin }, [from, demand, failure].filter(Boolean).join(": ")),
      el("button", { type: "button", "data-unpin": test, "aria-label": `Remove test ${test}` }, "×"));
  }));
}

/** Ask what the program must do in the turn that is shown. */
function offerTest(doc, { charts: ruled, answer }) {
  const fill = () => {
    const chart = $("pin-kind").value === "chart", moves = doc.heads.map(({ move }) => [move, arrows(move)]);
    const charts = doc.charts.map(({ description }, at) => [at + 1, `${doc.part} ${at + 1} ${description}`]);
    $("pin-value").replaceChildren(...options(chart ? [[0, `no ${doc.part}`], ...charts] : moves));
    const fires = ruled.find(({ verdict }) => verdict === "fires")?.chart ?? 0;
    $("pin-value").value = chart ? fires : answer?.[0] ?? moves[0][0];
  };
  $("pin-kind").onchange = fill;
  fill();
  $("pinning").showModal();
}

/** Keep what was chosen as a test. */
async function keepTest(editor) {
  const { match, step, seat } = editor.debugger, { text } = editor.history.now;
  const kind = $("pin-kind").value, value = $("pin-value").value;
  await ask("programs/pin", { ...PROGRAM, text, match, step, seat, [kind]: kind === "chart" ? Number(value) : value });
  editor.changed();
}

async function dropTest(editor, number) {
  await ask("programs/unpin", { name: facts.name, number });
  editor.changed();
}

/** Ask for the rivals of a new game. */
async function offerGame() {
  const playing = async () => (await ask("bots")).value.bots.filter(({ games }) => games?.includes(facts.game));
  const own = facts.own ?? (await playing()).map(({ word, name }) => [word, name]);
  const rivals = [["", "nobody"], ...facts.rivals, ...own];
  $("rivals").replaceChildren(...Array.from({ length: facts.most - 1 }, (_, at) => {
    const select = el("select", { "aria-label": `Rival ${at + 1}` }, options(rivals));
    select.value = (at < facts.seats - 1 && facts.rivals[at % facts.rivals.length]) || "";
    return select;
  }));
  $("playing-new").showModal();
}

/** Play a new game with the program as it is now, and show it. */
async function playGame(editor) {
  const { text } = editor.history.now;
  const rivals = [...$("rivals").children].map(({ value }) => value).filter(Boolean), seed = $("seed").value;
  const { id } = (await ask("programs/debug", { ...PROGRAM, text, rivals, ...seed && { seed: Number(seed) } })).value;
  for (;;) {
    const match = (await ask(`matches/${id}`)).value;
    if (match.state === "failed") throw new Refused(0, { message: match.error });
    if (match.state === "done") {
      facts.matches.unshift(match);
      return editor.debugger.open(match.id);
    }
    await new Promise((go) => setTimeout(go, POLL));
  }
}
