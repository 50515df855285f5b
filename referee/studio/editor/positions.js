// Test positions, and new games to debug: what is kept beside the program, and what is played for it.
const POLL = 300; // milliseconds between two questions whether a match is over

class Tests {
  constructor(debugger_) {
    this.debugger = debugger_;
  }

  /** Run all tests of a program, as its text is now. */
  async run(text) {
    const { tests } = (await ask("programs/tests", { name: facts.name, game: facts.game, text })).value;
    const passed = tests.filter(({ verdict }) => verdict === "pass").length;
    put($("passed"), tests.length ? `${passed} of ${tests.length} pass` : "");
    set($("passed"), "data-verdict", passed === tests.length ? "pass" : "fail");
    hide($("untested"), tests.length > 0);
    list($("tests"), tests, () => el("li", {}, el("b", { role: "img" }), el("span"), el("button", { type: "button" }, "×")), (item, { test, verdict, demand, answer, why, origin }) => {
      set(item, "data-verdict", verdict);
      set(item.lastChild, "data-unpin", test);
      set(item.lastChild, "aria-label", `Remove test ${test}`);
      const [mark, words] = item.children;
      put(mark, verdict === "pass" ? "✓" : "✗");
      set(mark, "aria-label", verdict);
      put(words, [origin, demand, verdict === "pass" ? "" : answer ? `answers ${answer}` : why].filter(Boolean).join(": "));
    });
  }

  /** Ask what the program must do in the turn that is shown, and keep it. */
  pin(doc) {
    const { charts: ruled, answer } = this.debugger.reasons, fires = ruled.find(({ verdict }) => verdict === "fires")?.chart ?? 0;
    const values = () => {
      const chart = $("pin-kind").value === "chart", moves = doc.heads.map(({ move }) => move);
      const charts = doc.charts.map(({ description }, at) => [at + 1, `${doc.part} ${at + 1} ${description}`]);
      const options = chart ? [[0, `no ${doc.part}`], ...charts] : moves.map((move) => [move, arrows(move)]);
      $("pin-value").replaceChildren(...options.map(([value, words]) => el("option", { value }, words)));
      $("pin-value").value = chart ? fires : answer?.[0] ?? moves[0];
    };
    $("pin-kind").onchange = values;
    values();
    $("pinning").showModal();
  }

  async keep(text) {
    const { match, step, seat } = this.debugger, kind = $("pin-kind").value, value = $("pin-value").value;
    await ask("programs/pin", { name: facts.name, game: facts.game, text, match, step, seat, [kind]: kind === "chart" ? Number(value) : value });
  }

  async remove(number) {
    await ask("programs/unpin", { name: facts.name, number });
  }
}

/** Ask for the rivals of a new game. */
async function rivals() {
  const own = facts.own ?? (await ask("bots")).value.bots.filter(({ games }) => games?.includes(facts.game)).map(({ word, name }) => [word, name]);
  const usual = facts.rivals, words = [["", "nobody"], ...usual.map((word) => [word, word]), ...own];
  const options = () => words.map(([value, name]) => el("option", { value }, name));
  $("rivals").replaceChildren(...Array.from({ length: facts.most - 1 }, (_, at) => {
    const select = el("select", { "aria-label": `Rival ${at + 1}` }, ...options());
    select.value = (at < facts.seats - 1 && usual[at % usual.length]) || "";
    return select;
  }));
  $("playing-new").showModal();
}

/** Play a new game with a text, and return it when it is over. */
async function play(text) {
  const words = [...$("rivals").children].map(({ value }) => value).filter(Boolean), seed = $("seed").value;
  const request = { name: facts.name, game: facts.game, text, rivals: words, ...seed && { seed: Number(seed) } };
  const { id } = (await ask("programs/debug", request)).value;
  for (;;) {
    const match = (await ask(`matches/${id}`)).value;
    if (match.state === "done") return match;
    if (match.state === "failed") throw new Refused(0, { message: match.error });
    await new Promise((go) => setTimeout(go, POLL));
  }
}
