// What people do with the mouse, a finger or the keyboard, and where the page begins.

const on = (id, kind, act) => $(id)?.addEventListener(kind, act);

function listen(editor) {
  const bug = editor.debugger, cell = (node) => node.closest?.("#grid button")?.dataset;

  // Cells: a stroke paints every cell that it comes over; the right button clears.
  let stroke = null; // while the button is down: what is put into the cells
  const paint = ({ x, y }) => {
    Object.assign(editor, { x: Number(x), y: Number(y) });
    editor.put(editor.x, editor.y, stroke.text, stroke);
  };
  const begin = (at, text) => {
    stroke = { text };
    paint(at);
  };
  on("grid", "pointerdown", (event) => {
    const at = cell(event.target), { doc, brush, inHand } = editor;
    if (!at || event.button === 1 || event.pointerType === "touch") return; // a finger may scroll: a click paints
    const clears = event.button === 2 || !brush.head && editor.text(at.x, at.y) === inHand;
    begin(at, clears ? doc.nothing : inHand);
    editor.at(editor.x, editor.y);
    event.preventDefault();
  });
  on("grid", "pointerover", ({ target }) => { if (stroke && cell(target) && !editor.brush.head) paint(cell(target)); });
  for (const end of ["pointerup", "pointercancel"]) addEventListener(end, () => { stroke = null; });
  on("grid", "click", ({ target, detail, pointerType }) => {
    if (!cell(target) || detail && pointerType !== "touch") return; // of the mouse
    begin(cell(target), editor.inHand);
    stroke = null;
  });
  on("grid", "contextmenu", (event) => event.preventDefault());
  on("grid", "focusin", (event) => {
    const at = cell(event.target);
    if (at && (editor.x !== Number(at.x) || editor.y !== Number(at.y))) editor.at(Number(at.x), Number(at.y));
  });

  // Charts, in their list and among the reasons
  const number = ({ target }) => Number(target.closest("[data-chart]")?.dataset.chart) - 1; // from 0; NaN beside them
  const choose = (event) => { if (number(event) >= 0) editor.choose(number(event)); };
  for (const id of ["charts", "reasons"]) on(id, "click", choose);
  on("charts", "keydown", (event) => {
    const by = { ArrowUp: -1, ArrowDown: 1 }[event.key], at = number(event);
    if (!by || !(at >= 0)) return;
    event.preventDefault();
    event.stopPropagation();
    if (event.altKey) return editor.move(at, at + by);
    editor.choose(at + by);
    $("charts").children[editor.chart].firstChild.focus();
  });
  let dragged = null;
  on("charts", "dragstart", (event) => {
    dragged = number(event);
    event.dataTransfer.effectAllowed = "move";
  });
  on("charts", "dragover", (event) => { if (dragged !== null) event.preventDefault(); });
  on("charts", "drop", (event) => { if (number(event) >= 0) editor.move(dragged, number(event)); });
  on("charts", "dragend", () => { dragged = null; });

  // Buttons, by their ids or by what they stand for
  const clicks = {
    mirror: () => editor.edit(turned(editor.doc, editor.chart, true)),
    rotate: () => editor.edit(turned(editor.doc, editor.chart, false)),
    up: () => editor.move(editor.chart, editor.chart - 1),
    down: () => editor.move(editor.chart, editor.chart + 1),
    add: () => editor.insert(blank(editor.doc)),
    copy: () => editor.insert(editor.doc.charts[editor.chart]),
    delete: () => editor.remove(),
    text: () => editor.follow(),
    problem: () => editor.point(),
    undo: () => editor.undo(-1),
    redo: () => editor.undo(1),
    save: () => editor.save(),
    submit: () => editor.submit(),
    pin: () => offerTest(editor.doc, bug.reasons),
    "pin-save": () => editor.attempt(() => keepTest(editor)),
    prev: () => bug.turn(-1),
    next: () => bug.turn(1),
    play: () => bug.play(!bug.timer),
    debug: () => editor.attempt(offerGame),
    "debug-start": () => {
      put($("debug"), "Playing …");
      return editor.attempt(() => playGame(editor)).finally(() => put($("debug"), "Play a new game …"));
    },
    keys: () => $("help").showModal(),
  };
  for (const [id, act] of Object.entries(clicks)) on(id, "click", act);
  const button = (act) => ({ target }) => {
    const { dataset } = target.closest("button") ?? {};
    if (dataset) act(dataset, target);
  };
  on("palette", "click", button(({ element }) => editor.take({ letter: element })));
  on("groups", "click", button(({ group }) => editor.take({ group })));
  on("heads", "click", button(({ head }) => editor.take({ head })));
  on("sets", "click", button(({ word }, target) => editor.include(target.closest("li").dataset.set, word)));
  on("tests", "click", button(({ unpin }) => editor.attempt(() => dropTest(editor, Number(unpin)))));

  // Fields
  on("not", "change", () => editor.take({ not: $("not").checked }));
  on("name", "input", () => editor.edit({ ...editor.doc, name: $("name").value }, "name"));
  on("description", "input", () => editor.edit({ ...editor.doc, description: $("description").value }, "description"));
  on("about", "input", () => editor.tell({ description: $("about").value }, `about ${editor.chart}`));
  on("kind", "change", () => editor.tell({ kind: $("kind").value }));
  on("text", "input", () => editor.type($("text").value));
  on("text", "keyup", () => editor.follow());
  on("match", "change", () => editor.attempt(() => bug.open($("match").value)));
  on("seat", "change", () => bug.sit(Number($("seat").value)));
  on("step", "change", () => bug.go(Number($("step").value)));
  on("turn", "input", () => bug.go(bug.turns[$("turn").value]));

  /** What a key does in the grid; undefined for others. */
  function inGrid({ key }) {
    const { doc, x, y } = editor, text = editor.text(x, y), find = (selector) => document.querySelector(selector);
    const across = { ArrowLeft: x - 1, ArrowRight: x + 1, Home: 0, End: editor.side }[key];
    const down = { ArrowUp: y - 1, ArrowDown: y + 1 }[key];
    if (across !== undefined || down !== undefined) return () => editor.at(across ?? x, down ?? y);
    if (key === "Delete" || key === "Backspace") return () => editor.put(x, y, doc.nothing);
    const element = find(`#palette [data-element="${CSS.escape(key.toUpperCase())}"]`);
    if (element) return () => element.click();
    if (key === "!") return () => editor.take({ not: !(partsOf(doc, text) ?? editor.brush).not });
    const group = /^\d$/.test(key) ? $("groups").children[key] : null;
    if (group) return () => group.click();
    if (key.toLowerCase() !== "h") return undefined;
    const turns = TURNS.indexOf(facing(doc, text)); // -1 if the head is elsewhere
    return () => editor.take({ head: headOf(doc, TURNS[(turns + 1) % 4]) });
  }

  /** What a key does elsewhere. */
  function anywhere({ key, target }) {
    if (target.matches("[type=range]") || key === " " && target.closest("button, a, [type=checkbox]")) return undefined;
    const { prev, next, play, keys } = clicks, toGrid = () => editor.at(editor.x, editor.y);
    const others = { ArrowLeft: prev, ArrowRight: next, " ": play, "?": keys, g: toGrid };
    return /^[1-9]$/.test(key) ? () => editor.choose(Number(key) - 1) : others[key];
  }

  addEventListener("keydown", (event) => {
    const { key, altKey, ctrlKey, metaKey, shiftKey, target } = event, letter = key.toLowerCase();
    let act;
    if (altKey) return;
    if (ctrlKey || metaKey) act = { s: clicks.save, y: clicks.redo, z: shiftKey ? clicks.redo : clicks.undo }[letter];
    else if (cell(target)) act = inGrid(event);
    else if (!target.closest(FIELDS)) act = anywhere(event);
    if (!act) return;
    event.preventDefault();
    act();
  });
  addEventListener("resize", () => editor.draw());
  addEventListener("beforeunload", (event) => { if (root.dataset.saved === "0") event.preventDefault(); });
}

/** Show the program, and the match, step, seat (from 0) and chart that the address names, after ? or #. */
async function begin() {
  const words = new URLSearchParams(`${location.search.slice(1)}&${location.hash.slice(1)}`);
  const number = (name) => Number.parseInt(words.get(name), 10) || 0;
  try {
    editor = new Editor(await ask(FILE));
    listen(editor);
    editor.chart = Math.max(0, number("chart") - 1);
    const seat = words.has("seat") ? number("seat") : null;
    await editor.attempt(() => editor.debugger.open(words.get("match") ?? "", number("step"), seat));
    await editor.answers.running;
    const fires = editor.debugger.reasons.charts.findIndex(({ verdict }) => verdict === "fires");
    if (!number("chart") && fires >= 0) editor.choose(fires);
    root.dataset.ready = 1;
  } catch (failed) {
    root.dataset.ready = "error";
    drawProblem(failed);
  }
}

let editor = null; // the one of this page

begin();
